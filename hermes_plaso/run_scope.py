"""What the main process of an extraction tells its workers about the run.

Whether another file is certain to be read in the same run is known by the tool, and
asked by a parser in another process. The environment is what every worker inherits,
however it is started.
"""

import json
import os
from typing import NamedTuple

# What the user wants of copies: "all" has every copy give every row, "distinct" has
# each row version come once, whatever the source and the collection filters are.
COPIES_VARIABLE = "HERMES_PLASO_COPIES"
COPIES_ALL = "all"
COPIES_DISTINCT = "distinct"

_SCOPE_VARIABLE = "HERMES_PLASO_RUN_SCOPE"


class RunScope(NamedTuple):
    """What a run of an extraction tool reads.

    Attributes:
      parsers (list[str]): parsers and plugins in use, an empty list for all of them.
      reads_all_files (bool): True if no collection filter leaves files out and the
          source is more than a single file.
      source_path (str): path of the directory that is the source, None if the source is
          a storage media image.
      temporary_directory (str): path of a directory that is removed when the run ends,
          None if there is none.
    """

    parsers: list = []
    reads_all_files: bool = False
    source_path: str | None = None
    temporary_directory: str | None = None

    def Contains(self, path_type_is_os, path):
        """Determines if a file is certain to be read in this run.

        Args:
          path_type_is_os (bool): True if the file is one of the operating system, and
              not of a storage media image.
          path (str): path of the file.

        Returns:
          bool: True if it is.
        """
        if GetCopies() == COPIES_DISTINCT:
            return True
        if not self.reads_all_files:
            return False
        is_image = self.source_path is None
        if is_image or not path_type_is_os:
            # What is in an image within a directory has a path of the image.
            return is_image and not path_type_is_os
        # Plaso follows a source that is a symbolic link.
        return any(
            path.startswith(source_path.rstrip(os.sep) + os.sep)
            for source_path in (self.source_path, os.path.realpath(self.source_path))
        )

    def UsesPlugin(self, parser_name, plugin_name):
        """Determines if a plugin is in use.

        Args:
          parser_name (str): name of the parser.
          plugin_name (str): name of the plugin of the parser.

        Returns:
          bool: True if it is, or if nothing says which plugins are.
        """
        names = (parser_name, f"{parser_name:s}/{plugin_name:s}")
        return not self.parsers or any(name in self.parsers for name in names)


def CheckCopies():
    """Checks what the user wants of copies.

    Raises:
      ValueError: if that is none of the COPIES values.
    """
    value = os.environ.get(COPIES_VARIABLE, "").strip()
    if value and not GetCopies():
        raise ValueError(
            f"Unsupported {COPIES_VARIABLE:s} value: {value:s}, use {COPIES_ALL:s} or "
            f"{COPIES_DISTINCT:s}."
        )


def GetCopies():
    """Determines what the user wants of copies.

    Returns:
      str: one of the COPIES values or None if that depends on the run.
    """
    value = os.environ.get(COPIES_VARIABLE, "").strip().lower()
    return value if value in (COPIES_ALL, COPIES_DISTINCT) else None


def Get():
    """Retrieves the scope of this run.

    Returns:
      RunScope: scope, which is an empty one outside of a run of an extraction tool.
    """
    try:
        return RunScope(**json.loads(os.environ[_SCOPE_VARIABLE]))
    except (KeyError, TypeError, ValueError):
        return RunScope()


def Set(scope):
    """Tells workers that are started from now on the scope of this run.

    Args:
      scope (RunScope): scope.
    """
    os.environ[_SCOPE_VARIABLE] = json.dumps(scope._asdict())

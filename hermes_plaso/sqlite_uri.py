"""URI by which SQLite opens a file, for what parsers and the command merge read."""

import os
import urllib.parse

# Nothing is written beside a database that is immutable, and nothing is locked, not
# even on a file system that allows to.
READ_ONLY = "mode=ro&immutable=1"


def GetURI(path, parameters=READ_ONLY):
    """Determines the URI by which SQLite opens a file.

    Args:
      path (str): path of the file.
      parameters (Optional[str]): parameters of the URI.

    Returns:
      str: URI.
    """
    quoted_path = urllib.parse.quote(os.fsencode(os.path.abspath(path)))
    return f"file:{quoted_path:s}?{parameters:s}"

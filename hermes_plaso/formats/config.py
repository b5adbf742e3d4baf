"""Settings: the approval part and the time zone of config.yaml.

The file holds credentials as well: nothing of it is told but the values of these
settings, and what cannot be read is told by its line alone. See "Permission outcomes
and settings" in the reference (hermes_cli/config_defaults.py).
"""

from typing import NamedTuple

import yaml

from hermes_plaso.formats import documents
from hermes_plaso.formats import permissions
from hermes_plaso.formats import records

# The reader takes some microseconds per byte. Hermes' own files, comments included,
# have a few KiB.
MAXIMUM_SIZE = 1024 * 1024

FILE_NAME = "config.yaml"

_ORIGIN = "config.yaml, file mtime"

_KEY_ALLOW_LIST = "command_allowlist"
_KEY_APPROVALS = "approvals"
_KEY_TIME_ZONE = "timezone"

_KEYS = frozenset([_KEY_ALLOW_LIST, _KEY_APPROVALS, _KEY_TIME_ZONE])

# The settings are two levels deep, and the rest of the file is not much deeper. The
# reader needs time that grows with the square of the depth.
_MAXIMUM_DEPTH = 64

# What YAML allows in no document.
_UNREADABLE_RE = yaml.reader.Reader.NON_PRINTABLE

_NULL_VALUES = frozenset(["", "~", "null", "Null", "NULL"])


class _Problem(NamedTuple):
    """What cannot be read as a setting.

    Attributes:
      path (tuple[str, ...]): keys that lead to it.
      line (int): number of the line.
      description (str): what it is, without its value.
    """

    path: tuple
    line: int
    description: str


class _Value(NamedTuple):
    """A scalar below one of the keys.

    Attributes:
      path (tuple[str, ...]): keys that lead to it.
      line (int): number of the line.
      text (str): text of the scalar, None for null.
      in_list (bool): True if the scalar is an entry of a list.
    """

    path: tuple
    line: int
    text: str | None
    in_list: bool


class _Collection:
    """A mapping or a list that is being read.

    Attributes:
      has_key (bool): True if a value comes next in a mapping, False if a key does.
      is_mapping (bool): True for a mapping.
      key (str): key of the value that comes next, None if the key is no scalar.
      path (tuple[str, ...]): keys that lead to the collection, None if no setting is
          in it.
    """

    __slots__ = ("has_key", "is_mapping", "key", "path")

    def __init__(self, path, is_mapping):
        """Initializes a collection.

        Args:
          path (tuple[str, ...]): keys that lead to the collection or None.
          is_mapping (bool): True for a mapping.
        """
        super().__init__()
        self.has_key = False
        self.is_mapping = is_mapping
        self.key = None
        self.path = path

    def GetPath(self):
        """Determines which keys lead to the value that comes next.

        Returns:
          tuple[str, ...]: keys or None if the value belongs to no setting.
        """
        if not self.is_mapping or self.path is None:
            return self.path
        if self.key is None or (not self.path and self.key not in _KEYS):
            return None
        return self.path + (self.key,)


def _ScalarText(event):
    """Retrieves the text of a scalar.

    Args:
      event (yaml.ScalarEvent): scalar.

    Returns:
      str: text as written, such as off, which YAML takes for false, or None for null.
    """
    if event.style is None and event.value in _NULL_VALUES:
        return None
    return event.value


def _CheckCollection(path, parent, is_mapping):
    """Determines what is wrong with a mapping or a list below one of the keys.

    Args:
      path (tuple[str, ...]): keys that lead to it.
      parent (_Collection): what holds it.
      is_mapping (bool): True for a mapping.

    Returns:
      str: what is wrong or None if it can hold settings.
    """
    if not parent.is_mapping or path[0] == _KEY_TIME_ZONE:
        return "not a scalar"
    if path[0] == _KEY_ALLOW_LIST:
        return "not a list" if is_mapping else None
    if len(path) == 1 and not is_mapping:
        return "not a mapping"
    return None


def _ReadEvents(document):
    """Reads the settings from the events of a YAML document.

    No tag is resolved, no node is built and nothing recurses, so that neither nesting
    nor aliases nor a tag can do more than fill a line. An alias is followed only to a
    scalar of the settings themselves: another one can be a credential.

    Args:
      document (str): document.

    Yields:
      _Value|_Problem: values of the settings and what is wrong with them, in their
          order.

    Raises:
      yaml.YAMLError: if the document cannot be read from here on.
    """
    anchors = {}
    has_ended = False
    stack = []

    for event in yaml.parse(document, Loader=yaml.SafeLoader):
        if isinstance(event, yaml.DocumentEndEvent):
            has_ended = True
        if isinstance(event, yaml.CollectionEndEvent):
            stack.pop()
            continue
        if not isinstance(event, yaml.NodeEvent):
            continue

        line = event.start_mark.line + 1
        if has_ended:
            yield _Problem((), line, "more than a document")
            return
        is_mapping = isinstance(event, yaml.MappingStartEvent)
        is_scalar = isinstance(event, yaml.ScalarEvent)
        is_collection = isinstance(event, yaml.CollectionStartEvent)

        if not stack:
            if not is_mapping:
                if not is_scalar or _ScalarText(event) is not None:
                    yield _Problem((), line, "not a mapping")
                return
            stack.append(_Collection((), True))
            continue

        if len(stack) > _MAXIMUM_DEPTH:
            yield _Problem((), line, "nested too deep")
            return

        parent = stack[-1]
        if parent.is_mapping and not parent.has_key:
            parent.has_key = True
            parent.key = event.value if is_scalar else None
            if is_collection:
                stack.append(_Collection(None, is_mapping))
            continue

        path = parent.GetPath()
        parent.has_key = False

        if is_collection:
            if path:
                description = _CheckCollection(path, parent, is_mapping)
                if description:
                    yield _Problem(path, line, description)
                    path = None
            stack.append(_Collection(path, is_mapping))
            continue

        if not path:
            continue
        if is_scalar:
            scalar_text = _ScalarText(event)
            if event.anchor:
                anchors[event.anchor] = scalar_text
        elif event.anchor in anchors:
            scalar_text = anchors[event.anchor]
        else:
            yield _Problem(path, line, "an alias of what is no such setting")
            continue
        yield _Value(path, line, scalar_text, not parent.is_mapping)


def _Warning(problem):
    """Creates the warning about a problem.

    Args:
      problem (_Problem): problem.

    Returns:
      str: message of the warning, with the words of the reference where it has some.
    """
    if not problem.path:
        return f"config.yaml is {problem.description:s} (line {problem.line:d})"
    if problem.path[0] == _KEY_ALLOW_LIST:
        return (
            "config.yaml command_allowlist is not a flat list "
            f"({problem.line:d}: {problem.description:s})"
        )
    return (
        f"config.yaml {problem.path[0]:s} cannot be read "
        f"({problem.line:d}: {problem.description:s})"
    )


def _Settings(data):
    """Reads the settings, whatever the document holds.

    Args:
      data (bytes): document.

    Yields:
      _Value|str: values of the settings, and messages of warnings.
    """
    # A loss of power leaves zero bytes where a file was to be.
    stripped = data.lstrip(b"\x00")
    if len(stripped) < len(data):
        yield f"config.yaml starts with {len(data) - len(stripped):d} zero bytes"
        data = stripped
    if not data.strip():
        return
    # A byte that is no text in one line must not cost the settings of the others.
    document = _UNREADABLE_RE.sub("\ufffd", documents.ToString(data))
    try:
        for setting in _ReadEvents(document):
            if isinstance(setting, _Problem):
                yield _Warning(setting)
            else:
                yield setting
    except yaml.MarkedYAMLError as exception:
        # What the exception says quotes the line.
        mark = exception.problem_mark or exception.context_mark
        line = mark.line + 1 if mark else 0
        yield f"config.yaml is not valid YAML (line {line:d})"
    except (OverflowError, RecursionError, ValueError, yaml.YAMLError):
        yield "config.yaml is not valid YAML"


def GetTimeZone(data):
    """Retrieves the time zone that Hermes is set to.

    Args:
      data (bytes): content of a config.yaml.

    Returns:
      str: name of the time zone as written or None if there is none.
    """
    if len(data) > MAXIMUM_SIZE:
        return None
    time_zone = None
    for setting in _Settings(data):
        if isinstance(setting, _Value) and setting.path == (_KEY_TIME_ZONE,):
            time_zone = setting.text
    return time_zone


def Decode(data, modification_time):
    """Decodes the settings.

    Args:
      data (bytes): content of a config.yaml.
      modification_time (Timestamp): date and time the file was modified or None.

    Yields:
      Record|str: records of the settings, and messages of warnings about what cannot
          be read, none of which quotes the file.
    """
    if len(data) > MAXIMUM_SIZE:
        yield f"config.yaml is larger than {MAXIMUM_SIZE:d} bytes"
        return

    record_times = {"modification_time": modification_time}
    for setting in _Settings(data):
        if isinstance(setting, str):
            yield setting
            continue

        key = setting.path[0]
        name = ".".join(setting.path)
        if key == _KEY_ALLOW_LIST and not setting.in_list:
            if setting.text is not None:
                yield _Warning(_Problem(setting.path, setting.line, "not a list"))
            continue
        if setting.text is None:
            if setting.in_list:
                yield _Warning(_Problem(setting.path, setting.line, "not a string"))
            continue

        if key == _KEY_TIME_ZONE:
            yield records.Record(
                "hermes:config:setting",
                {
                    "origin": _ORIGIN,
                    "record_identifier": setting.line,
                    "setting": name,
                    "value": setting.text,
                },
                times=record_times,
            )
            continue
        yield permissions.Setting(
            name,
            setting.text,
            _ORIGIN,
            {"record_identifier": setting.line},
            record_times,
        )

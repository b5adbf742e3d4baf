"""Diverts: messages that state.db did not take, sessions/<id>.jsonl.

A line is the message as JSON, see "Divert lines" in the reference
(agent/session_persistence.py, hermes_state.py).
"""

import re

from hermes_plaso.formats import documents
from hermes_plaso.formats import messages
from hermes_plaso.formats import times

_FILE_NAME_SUFFIX = ".jsonl"

_FOREIGN_KEYS = frozenset(["id", "sessionId", "type", "uuid"])

# The same, and what surrounds messages there, where a line cannot be read as JSON.
_FOREIGN_NAMES = frozenset(
    [b"parentUuid", b"sessionId", b"toolUseResult", b"uuid", b"cwd"]
)
_NAME_RE = re.compile(rb'"([A-Za-z_]+)"\s*:')

_ROLES = ("assistant", "session_meta", "system", "tool", "user")


def GetSessionIdentifier(name):
    """Determines the identifier of the session from the name of a divert.

    Args:
      name (str): name of the file.

    Returns:
      str: session identifier.
    """
    if name.endswith(_FILE_NAME_SUFFIX):
        return name[: -len(_FILE_NAME_SUFFIX)]
    return name


def IsMessage(value):
    """Determines if a value is a message of a divert.

    Args:
      value (object): value that came from JSON.

    Returns:
      bool: True if the value is an object with a role or a content. A record that was
          no message has a content only, see "Diverts" in the corrections.
    """
    return isinstance(value, dict) and ("content" in value or "role" in value)


def IsFlatMessage(value):
    """Determines if a value is a message of a divert, by what it holds.

    Other agents have files of lines of the same names, of which each line has a type,
    an identifier or a time that is text.

    Args:
      value (object): value that came from JSON.

    Returns:
      bool: True if the value has what a message of Hermes has and nothing else tells.
    """
    return (
        IsMessage(value)
        and value.get("role") in _ROLES
        and not _FOREIGN_KEYS.intersection(value)
        and not isinstance(value.get("timestamp"), str)
    )


def IsStartOfMessage(line):
    """Determines if a line looks like a message of a divert, as far as it is at hand.

    Args:
      line (bytes): start of the line.

    Returns:
      bool: True if it has what a message of Hermes has, and nothing that the lines of
          other agents have.
    """
    names = set(_NAME_RE.findall(line))
    return b"role" in names and names.isdisjoint(_FOREIGN_NAMES)


class DivertDecoder:
    """Decoder of the lines of one divert, in their order."""

    def __init__(self, session_identifier):
        """Initializes a decoder.

        Args:
          session_identifier (str): identifier of the session.
        """
        super().__init__()
        self._base = {"session_identifier": session_identifier}
        self._message_decoder = messages.MessageDecoder()

    def Decode(self, line, line_number):
        """Decodes a line.

        Args:
          line (bytes): line without its end.
          line_number (int): number of the line.

        Returns:
          list[Record]: records of the line.
        """
        line_records = []
        message, reason = documents.ObjectFromBytes(line)
        is_message = message is not None
        if is_message and not reason:
            reason = messages.CheckEntry(message)
            is_message = not reason
        if is_message:
            row_times = times.RowTimes(f"line {line_number:d}")
            row_times.Add("recorded_time", message.get("timestamp"), "timestamp")
            line_records = self._message_decoder.Decode(
                message, self._base, row_times, line_number
            )
        if reason:
            line_records.append(
                documents.UnparsedLine(reason, line, line_number, values=self._base)
            )
        return line_records

"""Logs: agent.log, errors.log, gateway.log, gui.log and the rotated ones.

A line is "YYYY-MM-DD HH:MM:SS,mmm LEVEL [session] logger: message", host-local, see
"Logs" in the corrections. What follows up to the next such line belongs to the message.
"""

import re

from hermes_plaso.formats import documents
from hermes_plaso.formats import records
from hermes_plaso.formats import times

_LINE_RE = re.compile(
    rb"\r*([0-9]{4}-[0-9]{2}-[0-9]{2}) ([0-9]{2}):([0-9]{2}):([0-9]{2})[,.]([0-9]{3})"
    rb" +([A-Za-z]+)(?: +\[([^\]\s]+)\])?(?: +([^\s:]+):)?(?: |(?=\r?$))(.*)",
    re.DOTALL,
)

# A message is held in memory as a whole; what is beyond this is given apart.
# A message can hold one, what a power loss leaves is more.
_ZERO_BYTES = b"\x00" * 4
_ZERO_BYTES_RE = re.compile(rb"(?<!\x00)(?=\x00{4})")

_MAXIMUM_MESSAGE_SIZE = 64 * 1024 * 1024


def _SplitZeroBytes(lines):
    """Splits lines where a power loss left zero bytes in place of what they ended with.

    Args:
      lines (iterator[tuple[int, bytes]]): numbers of the lines, and the lines.

    Yields:
      tuple[int, bytes]: number of the line, and a part of it that starts with the zero
          bytes before it.
    """
    for line_number, line in lines:
        if _ZERO_BYTES in line:
            for part in filter(None, _ZERO_BYTES_RE.split(line)):
                yield line_number, part
        else:
            yield line_number, line


class LogDecoder:
    """Decoder of the lines of one log, in their order."""

    def __init__(self):
        """Initializes a decoder."""
        super().__init__()
        self._lines = []
        self._record = None
        self._size = 0

    def _CreateRecord(self, match, line_number):
        """Creates the record of a line that starts a message.

        Args:
          match (re.Match): match of the line.
          line_number (int): number of the line.

        Returns:
          Record: record, without its text.
        """
        date, hours, minutes, seconds, milliseconds, level, session, logger = (
            match.group(1, 2, 3, 4, 5, 6, 7, 8)
        )
        values = {
            "level": level.decode("ascii"),
            "record_identifier": line_number,
        }
        if session:
            values["session_identifier"] = session.decode("utf-8", "backslashreplace")
        if logger:
            values["logger_name"] = logger.decode("utf-8", "backslashreplace")

        timestamp = times.FromDateAndTime(
            date, hours, minutes, seconds, int(milliseconds) * 1000
        )
        record = records.Record(
            "hermes:log:line", values, times={"recorded_time": timestamp}
        )
        if not timestamp:
            time_value = match.string[match.start(1) : match.end(5)].decode("ascii")
            values["time_value"] = time_value
            record.warnings.append(
                f"no usable time in line {line_number:d}: {time_value:s}"
            )
        return record

    def _Finish(self):
        """Finishes the message that is being read.

        Returns:
          Record: record or None if there is no message.
        """
        record, self._record = self._record, None
        if record:
            message = b"\n".join(self._lines)
            if message.endswith(b"\r"):
                message = message[:-1]
            record.values["text"] = message.decode("utf-8", "backslashreplace")
        self._lines = []
        self._size = 0
        return record

    def Decode(self, lines):
        """Decodes the lines of a log.

        Args:
          lines (iterator[tuple[int, bytes]]): numbers of the lines, and the lines
              without their line feeds.

        Yields:
          Record: records of the messages.
        """
        for line_number, line in _SplitZeroBytes(lines):
            # A power loss leaves zero bytes where the last lines were to be.
            data = line.lstrip(b"\x00") if line.startswith(b"\x00") else line
            match = _LINE_RE.fullmatch(data)
            if match:
                record = self._Finish()
                if record:
                    yield record
                self._record = self._CreateRecord(match, line_number)
                if len(data) < len(line):
                    self._record.warnings.append(
                        f"{len(line) - len(data):d} zero bytes before line "
                        f"{line_number:d}"
                    )
                self._lines.append(match.group(9))
                self._size = len(data)
                continue

            if (
                self._record
                and not line.startswith(_ZERO_BYTES)
                and self._size + len(line) < _MAXIMUM_MESSAGE_SIZE
            ):
                self._lines.append(line)
                self._size += len(line) + 1
                continue

            record = self._Finish()
            if record:
                yield record
            if data not in (b"", b"\r"):
                yield documents.UnparsedLine("not a log line", line, line_number)
            elif not data and line:
                yield documents.UnparsedLine(
                    f"{len(line):d} zero bytes", b"", line_number
                )

        record = self._Finish()
        if record:
            yield record

"""Prompt history, .hermes_history: what was typed in the classic CLI and the TUI.

An entry is a blank line, a line with the time and the lines of the entry, each with a
plus sign before it, see "Prompt history" in the reference (prompt_toolkit's
history.py, ui-tui/src/lib/history.ts).
"""

import re

from hermes_plaso.formats import documents
from hermes_plaso.formats import records
from hermes_plaso.formats import times

_DATA_TYPE = "hermes:prompt_history:entry"

_HEADER_RE = re.compile(
    rb"# ([0-9]{4}-[0-9]{2}-[0-9]{2}) ([0-9]{2}):([0-9]{2}):([0-9]{2})"
    rb"(?:\.([0-9]{1,6})[0-9]*)?[ \r]*"
)

# What nearly all of a file is made of: a blank line and the line with the time, and
# the first line of the entry.
_ENTRY_START_RE = re.compile(rb"\n?" + _HEADER_RE.pattern + rb"\n(?=\+)")

# End of the last line of an entry.
_ENTRY_END_RE = re.compile(rb"\n(?!\+)")

# The TUI writes UTC with this many digits after the decimal sign, the classic CLI
# local time with six of them or none.
_UTC_NUMBER_OF_DIGITS = 3

# A line that is neither has no business in the file.
_STRAY_LINE = "not a FileHistory line"


def _ParseHeader(match):
    """Reads the time of an entry.

    Args:
      match (re.Match): match of the header.

    Returns:
      Timestamp: point in time or None if there is no such one.
    """
    date, hours, minutes, seconds, fraction = match.groups()
    if not fraction:
        return times.FromDateAndTime(date, hours, minutes, seconds)
    return times.FromDateAndTime(
        date,
        hours,
        minutes,
        seconds,
        int(fraction.ljust(6, b"0")),
        len(fraction) != _UTC_NUMBER_OF_DIGITS,
    )


def _ToText(data):
    """Decodes the lines of an entry.

    Args:
      data (bytes): lines of the entry, each after a plus sign.

    Returns:
      str: text.
    """
    return data[1:].replace(b"\n+", b"\n").decode("utf-8", "backslashreplace")


def _CreateRecord(text, line_number, timestamp):
    """Creates the record of an entry.

    Args:
      text (str): text of the entry.
      line_number (int): number of the line the entry starts at.
      timestamp (Timestamp): time of the entry or None.

    Returns:
      Record: record.
    """
    if text.startswith("/"):
        values = {
            "command": text,
            "record_identifier": line_number,
            "text": text,
            "turn_type": "system",
        }
    else:
        values = {
            "record_identifier": line_number,
            "text": text,
            "turn_type": "user",
        }
    return records.Record(_DATA_TYPE, values, {"recorded_time": timestamp})


class PromptHistoryDecoder:
    """Decoder of one prompt history, which may be of any size."""

    def __init__(self):
        """Initializes a decoder."""
        super().__init__()
        self._header = None
        self._header_line_number = None
        self._line_number = 1
        self._timestamp = None

    def _DecodeEntry(self, data):
        """Decodes an entry that does not follow a well-formed line with its time.

        Args:
          data (bytes): lines of the entry, or nothing.

        Returns:
          Record: record.
        """
        line_number = self._header_line_number or self._line_number
        record = _CreateRecord(_ToText(data), line_number, self._timestamp)
        if not self._timestamp:
            time_value = None
            if self._header is not None:
                time_value = self._header.decode("utf-8", "backslashreplace")
                record.values["time_value"] = time_value
            record.warnings.append(
                f"no usable time in line {line_number:d}: "
                f"{records.Shorten(time_value or 'no line with a time'):s}"
            )
        self._header = None
        self._header_line_number = None
        self._timestamp = None
        return record

    def _DecodeLine(self, line):
        """Decodes a line that is not part of an entry.

        Args:
          line (bytes): line without its line feed.

        Yields:
          Record: records of the line.
        """
        if line.startswith(b"#"):
            if self._header is not None:
                # Nothing was typed, or it is lost.
                yield self._DecodeEntry(b"")
            self._header = line[1:].strip()
            self._header_line_number = self._line_number
            match = _HEADER_RE.fullmatch(line)
            self._timestamp = _ParseHeader(match) if match else None

        elif line not in (b"", b"\r"):
            yield documents.UnparsedLine(_STRAY_LINE, line, self._line_number)

    def Decode(self, buffers):
        """Decodes the history.

        Args:
          buffers (iterator[bytes]): content of the file, in buffers of any size.

        Yields:
          Record: records of the entries.
        """
        data = b""
        position = 0
        at_end = False
        # Number of bytes the data needs for what is at the position, so that an entry
        # of any size is looked at a few times only.
        wanted_size = 0

        while True:
            while not at_end and len(data) - position <= wanted_size:
                pieces = [data[position:]]
                size = len(pieces[0])
                position = 0
                while size <= wanted_size:
                    piece = next(buffers, None)
                    if piece is None:
                        at_end = True
                        break
                    pieces.append(piece)
                    size += len(piece)
                data = b"".join(pieces)
            if at_end and position >= len(data):
                break

            wanted_size = 0
            match = _ENTRY_START_RE.match(data, position)
            if match and self._header is None:
                start = match.end()
                end_match = _ENTRY_END_RE.search(data, start)
                # What follows the line feed may be in the next buffer.
                if end_match and (at_end or end_match.end() < len(data)):
                    end = end_match.start()
                    timestamp = _ParseHeader(match)
                    if timestamp:
                        line_number = self._line_number
                        self._line_number += data.count(b"\n", position, end + 1)
                        if data[position] == 10:
                            line_number += 1
                        yield _CreateRecord(
                            _ToText(data[start:end]), line_number, timestamp
                        )
                        position = end + 1
                        continue
                elif not at_end:
                    wanted_size = 2 * (len(data) - position)
                    continue

            if data[position] == 43:
                end_match = _ENTRY_END_RE.search(data, position)
                end = end_match.start() if end_match else -1
                if end_match and end_match.end() == len(data) and not at_end:
                    end = -1
            else:
                end = data.find(b"\n", position)
            if end < 0:
                if not at_end:
                    wanted_size = 2 * (len(data) - position)
                    continue
                end = len(data)

            line = data[position:end]
            if line.startswith(b"+"):
                yield self._DecodeEntry(line)
            else:
                yield from self._DecodeLine(line)
            self._line_number += line.count(b"\n") + 1
            position = end + 1

        if self._header is not None:
            yield self._DecodeEntry(b"")


def IsHistory(head):
    """Determines if a file is a prompt history.

    Args:
      head (bytes): first bytes of the file.

    Returns:
      bool: True if there is an entry in it.
    """
    return head.startswith((b"+", b"# ")) or b"\n+" in head or b"\n# " in head

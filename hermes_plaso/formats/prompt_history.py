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

# What nearly all of a file is made of: a blank line, the line with the time and the
# lines of the entry. Lines are bounded in size and number, so that an entry of any size
# is not what the expression has to go back over.
_ENTRY_RE = re.compile(
    rb"(\n?)# ([0-9]{4}-[0-9]{2}-[0-9]{2}) "
    rb"([01][0-9]|2[0-3]):([0-5][0-9]):([0-5][0-9])"
    rb"(?:\.([0-9]{3}(?:[0-9]{3})?))?\n"
    rb"\+([^\n]{0,65536}(?:\n\+[^\n]{0,65536}){0,1000})\n(?!\+)"
)

# End of the last line of an entry.
_ENTRY_END_RE = re.compile(rb"\n(?!\+)")

# The TUI writes UTC with this many digits after the decimal sign, the classic CLI
# local time with six of them or none.
_UTC_NUMBER_OF_DIGITS = 3

# An entry or a line is held in memory as a whole, one beyond this in pieces.
_MAXIMUM_LINE_SIZE = 64 * 1024 * 1024

_PLUS_SIGN = ord("+")

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

    number_of_digits = len(fraction)
    microseconds = int(fraction)
    if number_of_digits == _UTC_NUMBER_OF_DIGITS:
        return times.FromDateAndTime(
            date, hours, minutes, seconds, microseconds * 1000, False
        )
    if number_of_digits < 6:
        microseconds *= 10 ** (6 - number_of_digits)
    return times.FromDateAndTime(date, hours, minutes, seconds, microseconds)


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


def _Fill(data, size, buffers):
    """Adds buffers to data.

    Args:
      data (bytes): data.
      size (int): number of bytes that the data must have more of.
      buffers (iterator[bytes]): buffers.

    Returns:
      tuple[bytes, bool]: data and True if there are no more buffers.
    """
    pieces = [data]
    number_of_bytes = len(data)
    while number_of_bytes <= size:
        buffer = next(buffers, None)
        if buffer is None:
            return b"".join(pieces), True
        pieces.append(buffer)
        number_of_bytes += len(buffer)
    return b"".join(pieces), False


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

        elif line and not line.strip(b"\x00"):
            # A power loss leaves them where the last lines were to be.
            yield documents.UnparsedLine(
                f"{len(line):d} zero bytes", b"", self._line_number
            )

        elif line not in (b"", b"\r"):
            yield documents.UnparsedLine(_STRAY_LINE, line, self._line_number)

    def Decode(self, buffers):
        """Decodes the history.

        Args:
          buffers (iterator[bytes]): content of the file, in buffers of any size.

        Yields:
          Record: records of the entries.
        """
        create_record = _CreateRecord
        create_timestamp = times.Timestamp
        # Looking digits up takes half as long as converting them.
        microseconds_per_hour, microseconds_per_minute, microseconds_per_second = (
            {b"%02d" % value: value * factor * 1000000 for value in range(limit)}
            for limit, factor in ((24, 3600), (60, 60), (60, 1))
        )
        match_entry = _ENTRY_RE.match

        day = None
        previous_date = None

        data = b""
        position = 0
        at_end = False
        # What is at the position needs more than this number of bytes. It doubles with
        # each try, so that an entry of any size is looked at a few times only.
        size = 0

        while True:
            if not at_end and len(data) - position <= size:
                data, at_end = _Fill(data[position:], size, buffers)
                position = 0
            if position >= len(data):
                if at_end:
                    break
                size = 0
                continue
            size = 0

            # What follows an entry tells that it ends, and may be in the next buffer.
            last_position = len(data) if at_end else len(data) - 1

            while self._header is None:
                match = match_entry(data, position)
                if not match:
                    break
                end = match.end()
                if end > last_position:
                    break

                blank, date, hours, minutes, seconds, fraction, entry = match.groups()
                if date != previous_date:
                    day = times.MicrosecondsFromDate(date)
                    previous_date = date
                if day is None:
                    break
                microseconds = (
                    day
                    + microseconds_per_hour[hours]
                    + microseconds_per_minute[minutes]
                    + microseconds_per_second[seconds]
                )
                is_local_time = True
                if fraction:
                    if len(fraction) == _UTC_NUMBER_OF_DIGITS:
                        is_local_time = False
                        fraction += b"000"
                    microseconds += int(fraction)

                line_number = self._line_number
                if blank:
                    line_number += 1
                self._line_number = line_number + 2
                if b"\n" in entry:
                    self._line_number += entry.count(b"\n")
                    entry = entry.replace(b"\n+", b"\n")
                position = end
                yield create_record(
                    entry.decode("utf-8", "backslashreplace"),
                    line_number,
                    create_timestamp(microseconds, is_local_time),
                )

            if position >= len(data):
                continue

            if data[position] == _PLUS_SIGN:
                match = _ENTRY_END_RE.search(data, position)
                end = match.start() if match and match.end() <= last_position else -1
            else:
                end = data.find(b"\n", position)
            is_piece = end < 0
            if is_piece:
                size = len(data) - position
                if not at_end and size < _MAXIMUM_LINE_SIZE:
                    size = min(2 * size, _MAXIMUM_LINE_SIZE)
                    continue
                end = len(data)

            line = data[position:end]
            if data[position] == _PLUS_SIGN:
                yield self._DecodeEntry(line)
            else:
                yield from self._DecodeLine(line)
            self._line_number += line.count(b"\n") + (0 if is_piece else 1)
            position = end + 1
            size = 0

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

"""Merges exports that psort made: l2tcsv, dynamic or json_line.

The bytes of a record stay as they are. Records are in order of the time they show, and
where that is the same in order of the inputs. What several inputs hold is written as
often as the input that holds it most often.

psort puts no quotes around a field, it replaces delimiters in it instead. Other tools
that have read and written an export do put quotes, and then a field can have line
breaks. An export is read with quotes if all its records are what they should be so.
"""

import collections
import hashlib
import heapq
import itertools
import json
import re
import sqlite3

from hermes_plaso.merging import errors

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"

_DELIMITERS = (",", "\t", ";", "|")

_L2TCSV_FIELD_NAMES = ("date", "time", "timezone", "MACB", "source", "sourcetype")

_DYNAMIC = "dynamic"
_JSON_LINE = "json_line"
_L2TCSV = "l2tcsv"

# With quotes that are none a record could become as large as the export.
_MAXIMUM_RECORD_SIZE = 16 * 1024 * 1024

_MAXIMUM_HEADER_SIZE = 64 * 1024

_DATE_REGEX = re.compile(r"(\d\d)/(\d\d)/(\d{4,})")
_TIME_REGEX = re.compile(r"(\d\d):(\d\d):(\d\d)")
_ISO8601_REGEX = re.compile(
    r"(\d{4,})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?)?"
    r"(?:Z|([+-])(\d\d):?(\d\d))?"
)

# Starts of records of which the first field is the time. psort has these words for
# times that are none, where it shows dynamic times.
_RECORD_START_REGEXES = {
    _DYNAMIC: re.compile(rb'"?(?:\d{4,}-\d\d-\d\d|Invalid|Never|Not set|Not a time)'),
    _L2TCSV: re.compile(rb'"?\d\d/\d\d/\d{4,}"?[,\t;|]'),
}

# A field as RFC 4180 has it.
_QUOTED_FIELD_REGEX = r'(?:"(?:[^"]|"")*"|[^"{0:s}\r\n]*)'

# How fields are quoted. Strict is that no line within quotes can be a record.
_QUOTED = "quoted"
_QUOTED_STRICT = "quoted strict"
_UNQUOTED = "unquoted"

_MICROSECONDS_PER_SECOND = 1000000
_FRACTION_DIGITS = 12


def _GetNumberOfDays(year, month, day):
    """Determines the number of days since January 1, 1970.

    Unlike those of datetime, years can have more than four digits.

    Args:
      year (int): year.
      month (int): month, where 1 is January.
      day (int): day of the month.

    Returns:
      int: number of days.
    """
    # Years start in March, so that a leap day is the last day of a year.
    year -= month < 3
    day_of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return year * 365 + year // 4 - year // 100 + year // 400 + day_of_year - 719468


class Export:
    """Export of psort that is to be merged.

    Attributes:
      delimiter (str): delimiter of fields, None if there are no fields.
      export_format (str): name of the output module.
      field_names (list[str]): names of the fields, None if there are none.
      header (bytes): header without its line break, None if there is none.
      is_sorted (bool): True if the records are in order of time.
      line_break (bytes): line break.
      number_of_records (int): number of records.
      path (str): path.
    """

    def __init__(self, path):
        """Initializes an export.

        Args:
          path (str): path.

        Raises:
          MergeError: if it cannot be merged.
        """
        super().__init__()
        self.delimiter = None
        self.export_format = None
        self.field_names = None
        self.header = None
        self.is_sorted = True
        self.line_break = b"\n"
        self.number_of_records = 0
        self.path = path
        self._field_regex = None
        self._has_start = False
        self._quoting = _UNQUOTED
        self._time_index = 0

        self._ReadHeader()

    def _CheckRecords(self):
        """Checks all records and if they are in order.

        Raises:
          MergeError: if a record is not what it should be.
        """
        self.is_sorted = True
        self.number_of_records = 0
        last_time = None
        for time, _ in self._ReadTimes():
            self.number_of_records += 1
            if time is not None:
                if self.export_format == _DYNAMIC:
                    # Zeros at the start of a fraction can be missing in what psort
                    # shows, so that it tells no order.
                    time = time[:1]
                if last_time is not None and time < last_time:
                    self.is_sorted = False
                last_time = time

    def _GetFields(self, record):
        """Determines the fields of a record.

        Args:
          record (bytes): record.

        Returns:
          list[str]: fields, None if the record has not as many as the header.
        """
        # Text that is no UTF-8 is of no concern here.
        text = record.decode("utf-8", "surrogateescape")
        if self._quoting == _UNQUOTED:
            fields = text.split(self.delimiter)
        else:
            fields = []
            offset = 0
            while True:
                match = self._field_regex.match(text, offset)
                field = match.group()
                if field[:1] == '"':
                    field = field[1:-1].replace('""', '"')
                fields.append(field)
                offset = match.end()
                if offset == len(text):
                    break
                if text[offset] != self.delimiter:
                    return None
                offset += 1
        return fields if len(fields) == len(self.field_names) else None

    def _GetTime(self, fields):
        """Determines the time that a record shows.

        Args:
          fields (list[str]): fields.

        Returns:
          tuple[int, int]: seconds since January 1, 1970 and fraction of a second, None
              if the record shows none.

        Raises:
          MergeError: if the time cannot be compared with others.
        """
        if self.export_format == _L2TCSV:
            date_match = _DATE_REGEX.fullmatch(fields[0])
            time_match = _TIME_REGEX.fullmatch(fields[1])
            if not date_match or not time_match:
                return None
            month, day, year = (int(value) for value in date_match.groups())
            hours, minutes, seconds = (int(value) for value in time_match.groups())
            if not month or not day:
                return None
            if fields[2] not in ("GMT", "UTC", "Etc/UTC", "Z"):
                raise errors.MergeError(
                    f"{self.path:s} has times of time zone {fields[2]:s}, of which the "
                    "offset is not told: export it again with psort "
                    "--output_time_zone UTC"
                )
            fraction = 0
            offset = 0

        else:
            match = _ISO8601_REGEX.fullmatch(fields[self._time_index])
            if not match:
                return None
            year, month, day, hours, minutes, seconds = (
                int(value or 0) for value in match.groups()[:6]
            )
            if not month or not day:
                return None
            fraction = (match.group(7) or "")[:_FRACTION_DIGITS]
            fraction = int(fraction.ljust(_FRACTION_DIGITS, "0"))
            offset = int(match.group(9) or 0) * 3600 + int(match.group(10) or 0) * 60
            if match.group(8) == "-":
                offset = -offset

        days = _GetNumberOfDays(year, month, day)
        return days * 86400 + hours * 3600 + minutes * 60 + seconds - offset, fraction

    def _ReadHeader(self):
        """Reads what tells the format.

        Raises:
          MergeError: if the file is no export.
        """
        with open(self.path, "rb") as file_object:
            line = file_object.readline(_MAXIMUM_HEADER_SIZE)
            if not line:
                raise errors.MergeError(f"{self.path:s} is empty")
            if line.startswith(_BYTE_ORDER_MARK):
                line = line[len(_BYTE_ORDER_MARK) :]
            # A JSON object has no limit.
            if line[:1] == b"{" and not line.endswith(b"\n"):
                line += file_object.readline()

        if line.endswith(b"\r\n"):
            self.line_break = b"\r\n"
        line = line.rstrip(b"\r\n")

        if line[:1] == b"{":
            self.export_format = _JSON_LINE
            return

        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError:
            text = ""
        for delimiter in _DELIMITERS:
            field_names = [name.strip('"') for name in text.split(delimiter)]
            if tuple(field_names[: len(_L2TCSV_FIELD_NAMES)]) == _L2TCSV_FIELD_NAMES:
                self.export_format = _L2TCSV
            elif "datetime" in field_names and len(field_names) > 1:
                self.export_format = _DYNAMIC
                self._time_index = field_names.index("datetime")
            else:
                continue
            # Where the time is not the first field nothing tells where a record starts.
            self._has_start = not self._time_index
            self.delimiter = delimiter
            self.field_names = field_names
            self.header = line
            self._field_regex = re.compile(
                _QUOTED_FIELD_REGEX.format(re.escape(delimiter))
            )
            return

        raise errors.MergeError(
            f"{self.path:s} is no storage file, and no export that psort made with -o "
            "l2tcsv, dynamic or json_line"
        )

    def _ReadLines(self):
        """Reads the lines after the header.

        Yields:
          tuple[int, bytes]: number of the line and line without its line break.
        """
        with open(self.path, "rb") as file_object:
            for number, line in enumerate(file_object, start=1):
                if number == 1:
                    if self.header is not None:
                        continue
                    if line.startswith(_BYTE_ORDER_MARK):
                        line = line[len(_BYTE_ORDER_MARK) :]
                if line.endswith(self.line_break):
                    line = line[: -len(self.line_break)]
                elif line.endswith(b"\n"):
                    line = line[:-1]
                yield number, line

    def _IsRecord(self, line):
        """Determines if a line on its own is a record without quotes.

        Args:
          line (bytes): line.

        Returns:
          bool: True if it is.
        """
        return (
            self._has_start
            and line.count(self.delimiter.encode("ascii")) == len(self.field_names) - 1
            and bool(_RECORD_START_REGEXES[self.export_format].match(line))
        )

    def _ReadQuotedRecords(self):
        """Reads records of which fields can have quotes.

        Yields:
          tuple[int, bytes]: number of the first line and record.

        Raises:
          MergeError: if a quote seems to be none.
        """
        number = None
        lines = []
        size = 0
        is_open = False
        for line_number, line in self._ReadLines():
            if not lines:
                number = line_number
                size = 0
            elif self._quoting == _QUOTED_STRICT and self._IsRecord(line):
                raise errors.MergeError(
                    f"{self.path:s} has a quote at line {number:d} that does not end"
                )
            lines.append(line)
            size += len(line)
            if line.count(b'"') % 2:
                is_open = not is_open
            if is_open and size < _MAXIMUM_RECORD_SIZE:
                continue

            record = self.line_break.join(lines)
            lines = []
            is_open = False
            if record and record != self.header:
                yield number, record

        if lines:
            yield number, self.line_break.join(lines)

    def _ReadUnquotedRecords(self):
        """Reads records of which fields have no quotes but can have line breaks.

        A record has all its fields before the next one starts.

        Yields:
          tuple[int, bytes]: number of the first line and record.
        """
        delimiter = self.delimiter.encode("ascii")
        start_regex = _RECORD_START_REGEXES[self.export_format]
        number = None
        lines = []
        number_of_fields = 1
        size = 0
        for line_number, line in self._ReadLines():
            if lines:
                is_start = line == self.header or (
                    number_of_fields >= len(self.field_names)
                    and bool(
                        start_regex.match(line)
                        if self._has_start
                        else delimiter in line
                    )
                )
                if not is_start and size < _MAXIMUM_RECORD_SIZE:
                    lines.append(line)
                    number_of_fields += line.count(delimiter)
                    size += len(line)
                    continue
                record = self.line_break.join(lines)
                if record != self.header:
                    yield number, record
            number = line_number
            lines = [line]
            number_of_fields = line.count(delimiter) + 1
            size = len(line)

        # Empty lines at the end of a file are of no record.
        record = self.line_break.join(lines).rstrip(b"\r\n")
        if record and record != self.header:
            yield number, record

    def _ReadTimes(self):
        """Reads records and the times they show.

        Yields:
          tuple[tuple[int, int], bytes]: time, None if the record shows none, and
              record.

        Raises:
          MergeError: if a record is not what it should be.
        """
        if self.export_format == _JSON_LINE:
            for number, line in self._ReadLines():
                if not line.strip():
                    continue
                try:
                    timestamp = json.loads(line)["timestamp"]
                except (KeyError, RecursionError, TypeError, ValueError):
                    timestamp = None
                if type(timestamp) is not int:
                    raise errors.MergeError(
                        f"{self.path:s} is no export of json_line, or was cut short: "
                        f"line {number:d} is no event with a timestamp"
                    )
                yield divmod(timestamp, _MICROSECONDS_PER_SECOND), line
            return

        if self._quoting == _UNQUOTED:
            generator = self._ReadUnquotedRecords()
        else:
            generator = self._ReadQuotedRecords()
        for number, record in generator:
            fields = self._GetFields(record)
            if fields is None:
                raise errors.MergeError(
                    f"{self.path:s} is no export of {self.export_format:s}, or was cut "
                    f"short: the record at line {number:d} has not the "
                    f"{len(self.field_names):d} fields of the header"
                )
            yield self._GetTime(fields), record

    def Check(self):
        """Checks all records, how they are quoted and if they are in order.

        Raises:
          MergeError: if a record is not what it should be.
        """
        if self.export_format == _JSON_LINE:
            self._CheckRecords()
            return

        unquoted_exception = None
        for self._quoting in (_QUOTED_STRICT, _UNQUOTED, _QUOTED):
            try:
                self._CheckRecords()
                return
            except errors.MergeError as exception:
                if self._quoting == _UNQUOTED:
                    unquoted_exception = exception
        # Most exports come from psort, which has no quotes.
        raise unquoted_exception

    def ReadRecords(self):
        """Reads records in the order of the file.

        Yields:
          tuple[tuple[int, int], bytes]: time to sort by and record.
        """
        last_time = None
        for time, record in self._ReadTimes():
            if time is None:
                # psort shows no time for the first of January 1970, and for what is no
                # date in any calendar of its, which stays where it is.
                time = max(last_time or (0, 0), (0, 0))
            last_time = time
            yield time, record


class ExportMerger:
    """Merges exports."""

    def __init__(self, paths):
        """Initializes a merger.

        Args:
          paths (list[str]): paths of the exports.

        Raises:
          MergeError: if they cannot be merged.
        """
        super().__init__()
        self._exports = [Export(path) for path in paths]
        self._CheckHeaders()

    def _CheckHeaders(self):
        """Checks that the exports are of one format and have the same fields.

        Raises:
          MergeError: if they are not.
        """
        first_export = self._exports[0]
        for export in self._exports[1:]:
            if export.export_format != first_export.export_format:
                raise errors.MergeError(
                    f"{first_export.path:s} is an export of "
                    f"{first_export.export_format:s} and {export.path:s} of "
                    f"{export.export_format:s}: export both in one format"
                )
            if (
                export.field_names != first_export.field_names
                or export.delimiter != first_export.delimiter
            ):
                raise errors.MergeError(
                    f"{first_export.path:s} and {export.path:s} have other fields: "
                    "export both with the same --fields and --additional_fields"
                )

    def _GetSortedRecords(self, export, connection, index):
        """Determines the records of an export in order of time.

        Args:
          export (Export): export.
          connection (sqlite3.Connection): connection to a temporary database.
          index (int): index of the export.

        Yields:
          tuple[tuple[int, int], bytes]: time to sort by and record.
        """
        if export.is_sorted:
            yield from export.ReadRecords()
            return

        connection.execute(
            f"CREATE TABLE record_{index:d} (seconds INTEGER, fraction INTEGER, "
            "record BLOB)"
        )
        connection.executemany(
            f"INSERT INTO record_{index:d} VALUES (?, ?, ?)",
            ((*time, record) for time, record in export.ReadRecords()),
        )
        for seconds, fraction, record in connection.execute(
            f"SELECT seconds, fraction, record FROM record_{index:d} ORDER BY seconds, "
            "fraction, rowid"
        ):
            yield (seconds, fraction), record

    def _MergeRecords(self, connection):
        """Merges records, and leaves out what another export already gave.

        Args:
          connection (sqlite3.Connection): connection to a temporary database.

        Yields:
          tuple[int, bytes]: index of the export and record.
        """
        heap = []
        for index, export in enumerate(self._exports):
            generator = self._GetSortedRecords(export, connection, index)
            for time, record in itertools.islice(generator, 1):
                heap.append((time, index, record, generator))
        heapq.heapify(heap)

        # The time that JSON shows is exact, that of the others is of a second.
        length = 2 if self._exports[0].export_format == _JSON_LINE else 1
        while heap:
            group = heap[0][0][:length]
            # Only what several exports hold is remembered.
            is_shared = sum(time[:length] == group for time, _, _, _ in heap) > 1
            numbers = collections.Counter()
            number_of_written = collections.Counter()
            while heap and heap[0][0][:length] == group:
                _, index, record, generator = heap[0]
                if not is_shared:
                    yield index, record
                else:
                    digest = hashlib.blake2b(record, digest_size=16).digest()
                    numbers[index, digest] += 1
                    if numbers[index, digest] > number_of_written[digest]:
                        number_of_written[digest] += 1
                        yield index, record

                for time, record in itertools.islice(generator, 1):
                    heapq.heapreplace(heap, (time, index, record, generator))
                    break
                else:
                    heapq.heappop(heap)

    def Merge(self, output_path, interruption):
        """Merges the exports.

        Args:
          output_path (str): path of the output.
          interruption (Interruption): what tells that a signal came.

        Returns:
          list[str]: what was merged, in sentences.

        Raises:
          MergeError: if the exports cannot be merged.
        """
        for export in self._exports:
            export.Check()

        first_export = self._exports[0]
        numbers = collections.Counter()
        # A database without a name is in a file without a name.
        connection = sqlite3.connect("")
        try:
            connection.set_progress_handler(interruption.HasHappened, 100000)
            with open(output_path, "wb") as output_file:
                if first_export.header is not None:
                    output_file.write(first_export.header + first_export.line_break)
                for index, record in self._MergeRecords(connection):
                    output_file.write(record + first_export.line_break)
                    numbers[index] += 1
        finally:
            connection.close()

        return [
            f"{export.path:s}: {numbers[index]:d} records, "
            f"{export.number_of_records - numbers[index]:d} others were there already"
            + ("" if export.is_sorted else ", sorted by time")
            for index, export in enumerate(self._exports)
        ]

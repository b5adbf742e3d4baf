"""Time values as Hermes stores them."""

import datetime
import functools
import math
import re
from typing import NamedTuple

from hermes_plaso.formats import records

# Hermes did not exist before and no clock of its machines is beyond this; a damaged
# database holds values such as 5e+246 (NousResearch/hermes-agent issue 91536).
_EARLIEST = 315532800 * 1000000  # 1980-01-01T00:00:00Z
_LATEST = 4102444800 * 1000000  # 2100-01-01T00:00:00Z

_DECIMAL_RE = re.compile(r"\s*[+-]?(?:[0-9]{1,20}(?:\.[0-9]{0,20})?|\.[0-9]{1,20})\s*")

# Date and time, with an optional fraction of a second and an optional zone.
_ISO8601_RE = re.compile(
    r"\s*([0-9]{4})-([0-9]{2})-([0-9]{2})[T ]([0-9]{2}):([0-9]{2}):([0-9]{2})"
    r"(?:[.,]([0-9]{1,9})[0-9]*)?\s*(Z|z|[+-][0-9]{2}:?[0-9]{2})?\s*"
)

_EPOCH = datetime.datetime(1970, 1, 1)


class Timestamp(NamedTuple):
    """A point in time.

    Attributes:
      microseconds (int): microseconds since January 1, 1970 00:00:00.
      is_local_time (bool): True if the value is local time of an unknown zone, False
          if it is UTC.
      time_zone_hint (str): name of the time zone of a local time, where the store
          tells it, None if not known.
    """

    microseconds: int
    is_local_time: bool = False
    time_zone_hint: str | None = None


def _MicrosecondsFromFraction(fraction):
    """Rounds the fraction of a second of a date and time string.

    Args:
      fraction (str): digits after the decimal sign or None.

    Returns:
      int: microseconds.
    """
    if not fraction:
        return 0
    nanoseconds = int(fraction.ljust(9, "0"), 10)
    return (nanoseconds + 500) // 1000


def _CheckRange(timestamp):
    """Refuses a point in time at which no Hermes ran.

    Args:
      timestamp (Timestamp): point in time.

    Returns:
      Timestamp: the same point in time or None if it is outside 1980 to 2100.
    """
    if _EARLIEST <= timestamp.microseconds < _LATEST:
        return timestamp
    return None


def FromISO8601(text):
    """Reads an ISO 8601 date and time string.

    Args:
      text (str): date and time, with or without a zone.

    Returns:
      Timestamp: point in time, which is local time if the string has no zone, or None
          if the string is no such date and time or it is outside 1980 to 2100.
    """
    match = _ISO8601_RE.fullmatch(text)
    if not match:
        return None

    elements = [int(digits, 10) for digits in match.group(1, 2, 3, 4, 5, 6)]
    try:
        delta = datetime.datetime(*elements) - _EPOCH
    except ValueError:
        return None

    microseconds = (delta.days * 86400 + delta.seconds) * 1000000
    microseconds += _MicrosecondsFromFraction(match.group(7))

    zone = match.group(8)
    if not zone:
        return _CheckRange(Timestamp(microseconds, True))

    if zone not in "Zz":
        hours = int(zone[1:3], 10)
        minutes = int(zone[-2:], 10)
        if hours > 23 or minutes > 59:
            return None
        offset = hours * 60 + minutes
        if zone[0] == "+":
            offset = -offset
        microseconds += offset * 60000000
    return _CheckRange(Timestamp(microseconds))


@functools.lru_cache(maxsize=64)
def MicrosecondsFromDate(date):
    """Reads a date, most often the one of the line before.

    Args:
      date (bytes): date, as 2026-10-29.

    Returns:
      int: microseconds since January 1, 1970 or None if there is no such day or it is
          outside 1980 to 2100.
    """
    try:
        delta = datetime.datetime(int(date[:4]), int(date[5:7]), int(date[8:])) - _EPOCH
    except ValueError:
        return None
    microseconds = delta.days * 86400 * 1000000
    return microseconds if _EARLIEST <= microseconds < _LATEST else None


def FromDateAndTime(date, hours, minutes, seconds, microseconds=0, is_local_time=True):
    """Reads the date and time of a line of a file that has many of them.

    Args:
      date (bytes): date, as 2026-10-29.
      hours (bytes|int): hours.
      minutes (bytes|int): minutes.
      seconds (bytes|int): seconds.
      microseconds (Optional[int]): microseconds.
      is_local_time (Optional[bool]): True if the date and time are local time.

    Returns:
      Timestamp: point in time or None if there is no such one or it is outside 1980
          to 2100.
    """
    day = MicrosecondsFromDate(date)
    hours = int(hours)
    minutes = int(minutes)
    seconds = int(seconds)
    if day is None or hours > 23 or minutes > 59 or seconds > 59:
        return None
    microseconds += day + (hours * 3600 + minutes * 60 + seconds) * 1000000
    return Timestamp(microseconds, is_local_time)


def FromSeconds(seconds):
    """Reads a number of seconds since the epoch.

    Args:
      seconds (int|float): seconds since January 1, 1970 00:00:00 UTC.

    Returns:
      Timestamp: point in time, rounded to the nearest microsecond, or None if it is
          not finite or outside 1980 to 2100.
    """
    if isinstance(seconds, float):
        if not math.isfinite(seconds):
            return None
        # A product with 1e6 is off by up to an eighth of a microsecond, which rounds
        # one in ten values to the wrong side. The ratio is exact.
        numerator, denominator = seconds.as_integer_ratio()
        microseconds = (2000000 * numerator + denominator) // (2 * denominator)
    else:
        microseconds = seconds * 1000000
    return _CheckRange(Timestamp(microseconds))


def FromCell(cell):
    """Reads a time cell, whatever type the database gives it.

    Hermes declares its times REAL and writes epoch seconds (hermes_state_common.py);
    builds in the field have written ISO 8601 text (NousResearch/hermes-agent issue
    14399).

    Args:
      cell (object): value of the cell.

    Returns:
      Timestamp: point in time or None if the cell holds none.
    """
    if isinstance(cell, bool):
        return None
    if isinstance(cell, (float, int)):
        return FromSeconds(cell)
    if isinstance(cell, str):
        if _DECIMAL_RE.fullmatch(cell):
            return FromSeconds(float(cell))
        return FromISO8601(cell)
    return None


def CellToString(cell):
    """Describes a cell that holds no time.

    Args:
      cell (object): value of the cell.

    Returns:
      str: the cell as text, "NULL" for none.
    """
    if cell is None:
        return "NULL"
    if isinstance(cell, bytes):
        return cell.decode("utf-8", "backslashreplace")
    return str(cell)


class RowTimes:
    """Collects the times of a row, and what to say of the cells that hold none.

    Attributes:
      time_value (str): raw cells that hold no time, None if all do.
      times (dict[str, Timestamp]): date and time values per attribute name.
      warnings (list[str]): warnings of the cells that hold no time.
    """

    __slots__ = ("_what", "time_value", "times", "warnings")

    def __init__(self, what):
        """Initializes the times of a row.

        Args:
          what (str): table and row, or what else finds the record again.
        """
        super().__init__()
        self._what = what
        self.time_value = None
        self.times = {}
        self.warnings = []

    def Add(self, attribute_name, cell, column, required=False):
        """Adds a time.

        Args:
          attribute_name (str): name of the attribute the time is for.
          cell (object): value of the cell.
          column (str): name of the column.
          required (Optional[bool]): True if the row must have the time, so that NULL
              is worth a warning.

        Returns:
          Timestamp: point in time or None if the cell holds none.
        """
        if cell is None and not required:
            return None

        timestamp = FromCell(cell)
        if timestamp:
            self.times[attribute_name] = timestamp
            return timestamp

        time_value = CellToString(cell)
        self.warnings.append(
            f"no usable time in {self._what:s} ({column:s}): "
            f"{records.Shorten(time_value):s}"
        )
        if self.time_value is not None:
            time_value = f"{self.time_value:s}; {time_value:s}"
        self.time_value = time_value
        return None

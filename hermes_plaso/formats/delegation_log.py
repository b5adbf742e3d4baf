"""Live transcripts of delegated runs, cache/delegation/live/<id>/task-<n>.log.

A header says which delegation, which task and when it started; the lines after it have
a time of day only, see the corrections.
"""

import itertools
import re

from hermes_plaso.formats import documents
from hermes_plaso.formats import records
from hermes_plaso.formats import times

_HEADER_RE = re.compile(rb"(?:^|\n)delegation: \S[^\n]*?\btask: *[0-9]", re.DOTALL)

_DELEGATION_RE = re.compile(rb"delegation: (\S+)(?:\s+task: *(\S+))?\s*")
_GOAL_RE = re.compile(rb"goal: ?(.*)", re.DOTALL)
_START_RE = re.compile(
    rb"started: *([0-9]{4}-[0-9]{2}-[0-9]{2})[ T]([0-9]{2}):([0-9]{2}):([0-9]{2})\b.*",
    re.DOTALL,
)
_RULE_RE = re.compile(rb"={8,}\s*")

# What a header holds beside its fields: a title and a remark.
_DECORATION_RE = re.compile(rb"=== .* ===\s*|\(.*\)\s*|\s*", re.DOTALL)
_LINE_RE = re.compile(
    rb"([0-9]{2}):([0-9]{2}):([0-9]{2}) +([^\s|]+) *\| ?(.*)", re.DOTALL
)

_DAY = 86400 * 1000000

# Lines are appended in their order, so a time before that of the line before it is of
# the next day, unless the clock was set back, as at the end of daylight saving time.
_MAXIMUM_STEP_BACK = 2 * 3600 * 1000000

_MAXIMUM_TEXT_SIZE = 64 * 1024 * 1024

# How far the end of a header is looked for.
_MAXIMUM_HEADER_SIZE = 1024 * 1024
_MAXIMUM_HEADER_LINES = 10000


def IsTranscript(head):
    """Determines if a file is a live transcript.

    Args:
      head (bytes): first bytes of the file.

    Returns:
      bool: True if it starts as one.
    """
    return bool(_HEADER_RE.search(head, 0, 4096))


def _ReadHead(lines):
    """Reads the lines that can be those of a header.

    Args:
      lines (iterator[tuple[int, bytes]]): numbers of the lines, and the lines.

    Returns:
      list[tuple[int, bytes]]: numbers of the lines, and the lines.
    """
    head = []
    size = 0
    for line_number, line in lines:
        head.append((line_number, line))
        size += len(line)
        if size > _MAXIMUM_HEADER_SIZE or len(head) >= _MAXIMUM_HEADER_LINES:
            break
    return head


def _GetNumberOfHeaderLines(head):
    """Determines how many lines are certain to be those of the header.

    Args:
      head (list[tuple[int, bytes]]): numbers of the lines, and the lines.

    Returns:
      int: number of lines up to the start of the run, which a rule follows, or 0 if
          there is no such line.
    """
    has_delegation = False
    for index, (_, line) in enumerate(head[:-1]):
        if _DELEGATION_RE.fullmatch(line.rstrip(b"\r")):
            has_delegation = True
        elif (
            has_delegation
            and line.startswith(b"started:")
            and _START_RE.fullmatch(line)
            and _RULE_RE.fullmatch(head[index + 1][1])
        ):
            return index + 1
        elif not has_delegation and _LINE_RE.fullmatch(line):
            # The header is missing.
            break
    return 0


def SplitPath(path):
    """Splits the path of a live transcript.

    Args:
      path (str): path below the home, or the name where the rest of it is not known.

    Returns:
      tuple[str, str]: identifier of the delegation or None, and number of the task.
    """
    components = path.split("/")
    task_number = components[-1][len("task-") : -len(".log")]
    return components[-2] if len(components) > 1 else None, task_number


class DelegationLogDecoder:
    """Decoder of the lines of one live transcript, in their order."""

    def __init__(self, delegation_identifier=None, task_number=None):
        """Initializes a decoder.

        Args:
          delegation_identifier (Optional[str]): identifier of the delegation, as the
              path has it.
          task_number (Optional[str]): number of the task, as the path has it.
        """
        super().__init__()
        self._base = {
            "delegation_identifier": delegation_identifier,
            "task_number": task_number,
        }
        self._date = None
        self._day = 0
        self._goal_lines = []
        self._has_header = False
        self._in_goal = False
        self._in_header = True
        self._lines = []
        self._previous = None
        self._record = None
        self._size = 0
        self._start = None

    def _CreateRecord(self, line_kind, line_number, timestamp):
        """Creates a record, with the goal where it is the first.

        Args:
          line_kind (str): kind of line.
          line_number (int): number of the line.
          timestamp (Timestamp): time of the line or None.

        Returns:
          Record: record, without its text.
        """
        values = dict(self._base)
        values["line_kind"] = line_kind
        values["record_identifier"] = line_number
        values["goal"] = self._GetGoal()
        return records.Record(
            "hermes:delegation:line", values, times={"recorded_time": timestamp}
        )

    def _GetGoal(self):
        """Retrieves what was delegated, once.

        Returns:
          str: goal or None if there is none, or if it was retrieved before.
        """
        if not self._goal_lines:
            return None
        goal = b"\n".join(self._goal_lines).decode("utf-8", "backslashreplace")
        self._goal_lines = []
        self._size = 0
        return goal

    def _DecodeHeader(self, line):
        """Decodes a line of the header.

        Args:
          line (bytes): line without its line feed.

        Returns:
          bool: True if the line is one of a header.
        """
        match = _DELEGATION_RE.fullmatch(line)
        if match and not self._in_goal:
            self._has_header = True
            identifier, task_number = match.groups()
            self._base["delegation_identifier"] = identifier.decode(
                "utf-8", "backslashreplace"
            )
            if task_number:
                self._base["task_number"] = task_number.decode(
                    "utf-8", "backslashreplace"
                )
            return True

        match = _START_RE.fullmatch(line)
        if match:
            self._in_goal = False
            self._start = times.FromDateAndTime(*match.groups())
            if self._start:
                self._date = match.group(1)
                self._previous = self._start.microseconds
            return True

        match = _GOAL_RE.fullmatch(line)
        if match and not self._in_goal:
            self._in_goal = True
            line = match.group(1)
        elif not self._in_goal or line.startswith(b"started:"):
            return bool(_DECORATION_RE.fullmatch(line))
        if self._size + len(line) >= _MAXIMUM_TEXT_SIZE:
            return False
        self._goal_lines.append(line)
        self._size += len(line) + 1
        return True

    def _DecodeLine(self, match, line_number):
        """Decodes a line that has a time.

        Args:
          match (re.Match): match of the line.
          line_number (int): number of the line.

        Returns:
          Record: record, without its text.
        """
        hours, minutes, seconds, line_kind = match.group(1, 2, 3, 4)
        timestamp = None
        if self._date:
            timestamp = times.FromDateAndTime(self._date, hours, minutes, seconds)
        if timestamp:
            microseconds = timestamp.microseconds + self._day
            if microseconds < self._previous - _MAXIMUM_STEP_BACK:
                self._day += _DAY
                microseconds += _DAY
            self._previous = microseconds
            timestamp = timestamp._replace(microseconds=microseconds)

        record = self._CreateRecord(
            line_kind.decode("utf-8", "backslashreplace"), line_number, timestamp
        )
        if not timestamp:
            time_value = match.string[: match.end(3)].decode("ascii")
            record.values["time_value"] = time_value
            reason = "" if self._date else ", no usable date in the header"
            record.warnings.append(
                f"no usable time in line {line_number:d}: {time_value:s}{reason:s}"
            )
        return record

    def _Finish(self):
        """Finishes the line that is being read.

        Returns:
          Record: record or None if there is none.
        """
        record, self._record = self._record, None
        if record:
            record.values["text"] = b"\n".join(self._lines).decode(
                "utf-8", "backslashreplace"
            )
        self._lines = []
        self._size = 0
        return record

    def Decode(self, lines):
        """Decodes the lines of a transcript.

        Args:
          lines (iterator[tuple[int, bytes]]): numbers of the lines, and the lines
              without their line feeds.

        Yields:
          Record: records of the lines.
        """
        lines = iter(lines)
        head = _ReadHead(lines)
        number_of_header_lines = _GetNumberOfHeaderLines(head)
        for index, (line_number, line) in enumerate(itertools.chain(head, lines)):
            # A loss of power leaves zero bytes where the last lines were to be.
            stripped = line.lstrip(b"\x00") if line.startswith(b"\x00") else line
            if len(stripped) < len(line):
                yield documents.UnparsedLine(
                    f"{len(line) - len(stripped):d} zero bytes", b"", line_number
                )
                line = stripped
            if line.endswith(b"\r"):
                line = line[:-1]

            # What was delegated can have lines that look like those of a transcript.
            is_certain = index < number_of_header_lines
            match = None if is_certain else _LINE_RE.fullmatch(line)
            if match:
                self._in_header = False
                record = self._Finish()
                if record:
                    yield record
                self._record = self._DecodeLine(match, line_number)
                self._lines.append(match.group(5))
                self._size = len(line)
            elif self._in_header:
                if not is_certain and _RULE_RE.fullmatch(line):
                    self._in_header = False
                elif not self._DecodeHeader(line):
                    yield documents.UnparsedLine(
                        "not a transcript line", line, line_number
                    )
            elif self._record and self._size + len(line) < _MAXIMUM_TEXT_SIZE:
                # The text of a line can have line feeds.
                self._lines.append(line)
                self._size += len(line) + 1
            elif line:
                record = self._Finish()
                if record:
                    yield record
                yield documents.UnparsedLine(
                    "not a transcript line", line, line_number, values={}
                )

        has_line = self._record is not None
        record = self._Finish()
        if record:
            yield record
        if self._goal_lines or (self._has_header and not has_line):
            # Nothing followed the header.
            record = self._CreateRecord("started", 1, self._start)
            record.values["text"] = record.values.pop("goal")
            yield record

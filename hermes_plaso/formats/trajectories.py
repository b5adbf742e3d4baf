"""Trajectories: runs in the ShareGPT format, in the directory the agent worked in.

See "Trajectory files" in the reference (agent/trajectory.py,
agent/agent_runtime_helpers.py).
"""

import collections
import re

from hermes_plaso.formats import documents
from hermes_plaso.formats import messages
from hermes_plaso.formats import records
from hermes_plaso.formats import text
from hermes_plaso.formats import times

FILE_NAMES = ("failed_trajectories.jsonl", "trajectory_samples.jsonl")

_ROLES = {"gpt": "assistant", "human": "user", "system": "system", "tool": "tool"}

_THINK_RE = re.compile(r"\A\s*<think>(.*?)</think>\n?", re.DOTALL)
_TOOL_CALL_START = "<tool_call>"
_TOOL_CALL_END = "</tool_call>"
_TOOL_RESPONSE_RE = re.compile(
    r"\s*<tool_response>\n?(.*?)\n?</tool_response>\s*", re.DOTALL
)


def IsRun(value):
    """Determines if a value is a run.

    Args:
      value (object): value that came from JSON.

    Returns:
      bool: True if the value is one.
    """
    return isinstance(value, dict) and isinstance(value.get("conversations"), list)


def _ConvertCall(call):
    """Converts a call of the markup to an entry of a tool_calls list.

    Args:
      call (dict[str, object]): call.

    Returns:
      dict[str, object]: entry.
    """
    arguments = call.get("arguments")
    if isinstance(arguments, (dict, list)):
        arguments = text.ToJSON(arguments)
    return {
        "function": {"arguments": arguments, "name": call["name"]},
        "id": call.get("id"),
    }


def _SplitReply(value):
    """Splits a reply into what was said, thought and called.

    Args:
      value (str): value of a turn from gpt.

    Returns:
      dict[str, object]: message.
    """
    message = {"role": "assistant"}

    match = _THINK_RE.match(value)
    if match:
        message["reasoning"] = match.group(1).strip("\n")
        value = value[match.end() :]

    calls = []
    said = []
    position = 0
    # Searched, not matched by an expression, whose time would grow with the square of
    # the size of a reply full of markup that does not end.
    while True:
        start = value.find(_TOOL_CALL_START, position)
        end = value.find(_TOOL_CALL_END, start) if start >= 0 else -1
        if end < 0:
            said.append(value[position:])
            break

        call, _ = text.FromJSON(value[start + len(_TOOL_CALL_START) : end])
        end += len(_TOOL_CALL_END)
        if isinstance(call, dict) and call.get("name"):
            said.append(value[position:start])
            calls.append(_ConvertCall(call))
            if value.startswith("\n", end):
                end += 1
        else:
            said.append(value[position:end])
        position = end

    if calls:
        message["tool_calls"] = calls
        value = "".join(said).rstrip("\n")
    message["content"] = value
    return message


def _SplitResults(value):
    """Splits the results of a turn, of which state.db has a message each.

    Args:
      value (str): value of a turn from tool.

    Returns:
      list[dict[str, object]]: messages, one that holds the value as stored where it is
          not made of results.
    """
    results = []
    position = 0
    while position < len(value):
        match = _TOOL_RESPONSE_RE.match(value, position)
        if not match:
            return [{"content": value, "role": "tool"}]
        position = match.end()

        result, _ = text.FromJSON(match.group(1))
        if not isinstance(result, dict) or "content" not in result:
            results.append({"content": match.group(1), "role": "tool"})
            continue
        # The writer decodes a result that is JSON; as JSON it reads as in state.db.
        content = result["content"]
        if not isinstance(content, str):
            content = text.ToJSON(content)
        results.append(
            {
                "content": content,
                "role": "tool",
                "tool_call_id": result.get("tool_call_id"),
                "tool_name": result.get("name"),
            }
        )
    return results or [{"content": value, "role": "tool"}]


def _DecodeTurn(turn):
    """Decodes a turn.

    Args:
      turn (dict[str, object]): entry of conversations.

    Returns:
      list[dict[str, object]]: messages as state.db has them.
    """
    origin = text.String(turn.get("from"))
    role = _ROLES.get(origin, origin)
    value = turn.get("value")
    if not isinstance(value, str):
        return [{"content": value, "role": role}]
    if origin == "gpt":
        return [_SplitReply(value)]
    if origin == "tool":
        return _SplitResults(value)
    if origin == "system":
        value = f"trajectory system prompt: {value:s}"
    return [{"content": value, "role": role}]


def IsStartOfRun(line):
    """Determines if a line looks like a run, as far as it is at hand.

    Args:
      line (bytes): start of the line.

    Returns:
      bool: True if it has conversations.
    """
    return b'"conversations"' in line


def _DecodeTurnToRecords(message_decoder, turn, base, turn_identifier):
    """Decodes a turn to records.

    Turns have no time, and the calls and results of one often no identifier. psort
    takes equal events for one, so each record has an identifier of its own.

    Args:
      message_decoder (MessageDecoder): message decoder of the line.
      turn (dict[str, object]): entry of conversations.
      base (dict[str, object]): attribute values of the run.
      turn_identifier (str): number of the line and of the turn in it.

    Returns:
      list[Record]: records of the turn. The identifier of the second one of a kind,
          such as another call, has a number more.
    """
    no_times = times.RowTimes("")
    turn_records = []
    for message in _DecodeTurn(turn):
        turn_records.extend(
            message_decoder.Decode(message, base, no_times, turn_identifier)
        )

    counter = collections.Counter()
    for record in turn_records:
        counter[record.data_type] += 1
        number = counter[record.data_type]
        if number > 1:
            record.values["record_identifier"] = f"{turn_identifier:s}:{number:d}"
    return turn_records


class TrajectoryDecoder:
    """Decoder of the lines of one trajectory file.

    Each line repeats what the lines of the same session before it hold, and has the
    current prompt in place of the first: the n-th turn of two lines is not the same.
    So every turn of a line is given, and none is given a time of its own.
    """

    def __init__(self, file_name, project_path):
        """Initializes a decoder.

        Args:
          file_name (str): name of the file.
          project_path (str): path of the directory that holds the file.
        """
        super().__init__()
        self._file_name = file_name
        self._project_path = project_path

    def Decode(self, line, line_number):
        """Decodes a line.

        Args:
          line (bytes): line without its end.
          line_number (int): number of the line.

        Returns:
          list[Record]: records of the line.
        """
        base = {"project_path": self._project_path}
        run, reason = documents.ObjectFromBytes(line)
        if run is not None and not isinstance(run.get("conversations"), list):
            run = None
            reason = "no conversations list"
        line_records = []
        if reason:
            line_records.append(
                documents.UnparsedLine(reason, line, line_number, values=base)
            )
        if run is None:
            return line_records

        row_times = times.RowTimes(f"line {line_number:d}")
        row_times.Add("recorded_time", run.get("timestamp"), "timestamp", required=True)

        base["model"] = text.String(run.get("model"))
        values = dict(base)
        completed = run.get("completed")
        if isinstance(completed, bool):
            values["completed"] = "true" if completed else "false"
        else:
            values["completed"] = text.String(completed)
        values["number_of_turns"] = len(run["conversations"])
        values["origin"] = self._file_name
        values["record_identifier"] = line_number
        values["time_value"] = row_times.time_value
        line_records.insert(
            0,
            records.Record(
                "hermes:trajectory:run",
                values,
                times=row_times.times,
                warnings=row_times.warnings,
            ),
        )

        message_decoder = messages.MessageDecoder()
        for index, turn in enumerate(run["conversations"], 1):
            reason = None
            if not isinstance(turn, dict):
                reason = "is not an object"
            elif turn.get("value") is None and not turn.keys() <= {"from", "value"}:
                reason = "has no value"
            if reason:
                line_records.append(
                    documents.UnparsedEntry(
                        f"conversations entry {index:d} {reason:s}",
                        turn,
                        line_number,
                        values=base,
                    )
                )
                continue
            line_records.extend(
                _DecodeTurnToRecords(
                    message_decoder, turn, base, f"{line_number:d}:{index:d}"
                )
            )
        return line_records

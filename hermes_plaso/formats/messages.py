"""Messages: the turns of a conversation, from whichever store holds them.

A row of state.db, a line of a divert and an entry of a response store have the same
keys, see "Messages table" and "Divert lines" in the reference.
"""

import collections
import re

from hermes_plaso.formats import indicators
from hermes_plaso.formats import permissions
from hermes_plaso.formats import records
from hermes_plaso.formats import text
from hermes_plaso.formats import tool_calls

_TURN_TYPES = {
    "assistant": "assistant",
    "system": "system",
    "tool": "tool_result",
    "user": "user",
}

_DISPLAY_KIND_MODEL_SWITCH = "model_switch"

# Builds of schema 22 have no display_kind: a switch is known by its text only, see
# corrections 4 (tui_gateway/server.py).
_MODEL_SWITCH_PREFIX = "[System: The active model for this chat has changed to "
_MODEL_SWITCH_RE = re.compile(
    re.escape(_MODEL_SWITCH_PREFIX)
    + r"(?P<model>[^\n]+?)(?: via provider (?P<provider>[^\n]+?))?"
    + r"(?:\. From this point|\.?\]\s*$)"
)

# A summary is what neither a person nor the model said at that time, see corrections 6.
_COMPACTION_PREFIX = "[CONTEXT COMPACTION"

# What is read of a message.
KEYS = (
    "_compressed_summary",
    "active",
    "api_content",
    "codex_message_items",
    "codex_reasoning_items",
    "compacted",
    "content",
    "display_kind",
    "effect_disposition",
    "finish_reason",
    "id",
    "message_uid",
    "platform_message_id",
    "reasoning",
    "reasoning_content",
    "reasoning_details",
    "role",
    "session_id",
    "timestamp",
    "token_count",
    "tool_call_id",
    "tool_calls",
    "tool_name",
)

# Those that hold what was said or done.
_CONTENT_KEYS = (
    "api_content",
    "codex_message_items",
    "codex_reasoning_items",
    "content",
    "reasoning",
    "reasoning_content",
    "reasoning_details",
    "tool_calls",
)

# Names of the text of an item of a provider, of which an item has one
# (agent/agent_runtime_helpers.py).
_ITEM_KEYS = ("summary", "thinking", "content", "text")

# Number of tool calls and sessions a decoder remembers: a result follows its call, and
# the memory of a decoder must not grow with the evidence.
_MAXIMUM_REMEMBERED = 4096


class _Memory(collections.OrderedDict):
    """Dictionary that forgets its oldest entries."""

    def __setitem__(self, key, value):
        """Sets a value.

        Args:
          key (object): key.
          value (object): value.
        """
        super().__setitem__(key, value)
        if len(self) > _MAXIMUM_REMEMBERED:
            self.popitem(last=False)


def CheckEntry(entry):
    """Checks that an entry of a store that is JSON is a message that can be read.

    Args:
      entry (object): value that came from JSON.

    Returns:
      str: why it is not, or None if it is. A message can be empty, unless it has what
          no message of Hermes has.
    """
    if not isinstance(entry, dict):
        return "not an object"
    if all(entry.get(key) is None for key in _CONTENT_KEYS):
        names = ", ".join(
            sorted(
                name
                for name, value in entry.items()
                if name not in KEYS and name != "name"
                # What it says of the message is no content.
                and not isinstance(value, (bool, float, int)) and value
            )
        )
        if names:
            return f"no content, but {records.Shorten(names):s}"
    return None


def _DecodeItems(items):
    """Decodes what a provider returned of what the model thought or said.

    Hermes makes the reasoning and the content of a message from these
    (agent/agent_runtime_helpers.py, agent/codex_responses_adapter.py), so they say more
    only where that is missing.

    Args:
      items (object): JSON list, or a list where the store is JSON itself.

    Returns:
      str: text of the items, the list as stored if it does not decode, or None if
          there is none, such as where a provider encrypts it.
    """
    if items is None:
        return None
    if isinstance(items, (str, bytes)):
        stored = text.ToText(items)
        items, reason = text.FromJSON(stored)
        if reason:
            return stored or None

    pieces = []
    for item in items if isinstance(items, list) else [items]:
        if isinstance(item, dict):
            for name in _ITEM_KEYS:
                piece = item.get(name)
                if piece:
                    pieces.append(text.JoinContent(piece))
                    break
    return "\n\n".join(filter(None, pieces)) or None


class MessageDecoder:
    """Decoder of the messages of one store, in their order."""

    def __init__(self, previous_model=None):
        """Initializes a message decoder.

        Args:
          previous_model (Optional[callable]): function that returns the model a
              session used before a switch, given the session identifier and the
              Timestamp of the switch, or None if it is not known.
        """
        super().__init__()
        self._commands = _Memory()
        self._previous_model = previous_model
        self._switched_models = _Memory()

    def _DecodeModelSwitch(self, content, display_kind, base, message_times):
        """Decodes a model switch marker.

        Args:
          content (str): text of the marker.
          display_kind (str): kind of display or None.
          base (dict[str, object]): attribute values of the message.
          message_times (dict[str, Timestamp]): date and time values of the message.

        Returns:
          Record: hermes:model:switch record.
        """
        values = dict(base)
        values["display_kind"] = display_kind
        values["turn_type"] = "system"

        match = _MODEL_SWITCH_RE.match(content or "")
        if not match:
            values["text"] = f"model_switch: {content or '':s}"
            return records.Record("hermes:model:switch", values, times=message_times)

        session_identifier = base.get("session_identifier")
        model = match.group("model")
        provider = match.group("provider")

        previous_model = self._switched_models.get(session_identifier)
        if previous_model is None and self._previous_model:
            previous_model = self._previous_model(
                session_identifier, message_times.get("recorded_time")
            )
        if previous_model == model:
            previous_model = None
        self._switched_models[session_identifier] = model

        values["model"] = model
        values["previous_model"] = previous_model
        values["provider"] = provider
        values["text"] = DescribeModel(model, previous_model, provider)
        return records.Record("hermes:model:switch", values, times=message_times)

    def Decode(self, message, base, row_times, record_identifier, carried=False):
        """Decodes a message.

        Args:
          message (dict[str, object]): values of the message per column or key.
          base (dict[str, object]): attribute values of the message's session, its
              identifier included.
          row_times (RowTimes): date and time of the message, as recorded_time.
          record_identifier (int|str): what finds the message again in its store.
          carried (Optional[bool]): True if compaction carried an inactive message over
              to an active copy of it.

        Returns:
          list[Record]: records of the message, at least one.
        """
        get = message.get

        role = text.String(get("role"))
        content = text.DecodeContent(get("content"))
        display_kind = text.String(get("display_kind"))
        message_times = row_times.times

        base = dict(base)
        base["record_identifier"] = record_identifier
        base["time_value"] = row_times.time_value

        if role == "user" and (
            display_kind == _DISPLAY_KIND_MODEL_SWITCH
            or (
                not display_kind
                and content is not None
                and content.startswith(_MODEL_SWITCH_PREFIX)
            )
        ):
            base["active"] = text.Number(get("active"))
            record = self._DecodeModelSwitch(content, display_kind, base, message_times)
            record.warnings.extend(row_times.warnings)
            return [record]

        inactive_reason = None
        if text.Flag(get("compacted")):
            inactive_reason = "compacted"
        elif get("active") in (0, "0"):
            inactive_reason = "carried" if carried else "rewound"

        reasoning = text.String(get("reasoning"))
        reasoning_content = text.String(get("reasoning_content"))
        if not reasoning and not reasoning_content:
            reasoning = _DecodeItems(get("reasoning_details")) or _DecodeItems(
                get("codex_reasoning_items")
            )
        if reasoning_content == reasoning:
            reasoning_content = None

        if not content and not reasoning:
            content = _DecodeItems(get("codex_message_items")) or content

        calls, call_records, unparsed = tool_calls.DecodeToRecords(
            get("tool_calls"), base, message_times, inactive_reason, record_identifier
        )
        for tool_call in calls:
            identifier = tool_calls.MatchIdentifier(tool_call.identifier)
            if identifier and tool_call.command:
                self._commands[identifier] = tool_call.command

        tool_name = text.String(get("tool_name") or get("name"))
        tool_call_identifier = text.String(get("tool_call_id"))

        values = dict(base)
        values["active"] = text.Number(get("active"))
        values["compacted"] = text.Flag(get("compacted"))
        values["display_kind"] = display_kind
        values["effect_disposition"] = text.String(get("effect_disposition"))
        values["finish_reason"] = text.String(get("finish_reason"))
        values["inactive_reason"] = inactive_reason
        values["platform_message_identifier"] = text.String(get("platform_message_id"))
        values["role"] = role
        values["token_count"] = text.Number(get("token_count"))
        values["tool_call_identifier"] = tool_call_identifier
        values["tool_name"] = tool_name

        api_content = get("api_content")
        if api_content is not None and api_content != get("content"):
            api_content = text.DecodeContent(api_content)
            if api_content and api_content != content:
                values["api_content"] = api_content

        turn_type = _TURN_TYPES.get(role, "system")
        message_text = content
        if (content is not None and content.startswith(_COMPACTION_PREFIX)) or (
            text.Flag(get("_compressed_summary"))
        ):
            turn_type = "system"
            message_text = f"compaction summary: {content or '':s}"
        elif role == "user" and display_kind:
            turn_type = "system"
            message_text = f"{display_kind:s}: {content or '':s}"
        values["indicators"] = indicators.FromMessage(
            turn_type, message_text, "api_content" in values
        )
        values["text"] = message_text
        values["turn_type"] = turn_type

        message_records = []
        if (
            role != "assistant"
            or content
            or not (reasoning or reasoning_content or call_records)
        ):
            message_records.append(
                records.Record("hermes:message:entry", values, times=message_times)
            )

        if reasoning or reasoning_content:
            reasoning_values = dict(values)
            reasoning_values.pop("api_content", None)
            if reasoning and reasoning_content:
                reasoning_values["reasoning_content"] = reasoning_content
            reasoning_text = reasoning or reasoning_content
            reasoning_values["indicators"] = indicators.FromMessage(
                "thinking", reasoning_text, False
            )
            reasoning_values["text"] = reasoning_text
            reasoning_values["turn_type"] = "thinking"
            message_records.append(
                records.Record(
                    "hermes:message:reasoning", reasoning_values, times=message_times
                )
            )

        message_records.extend(call_records)

        if permissions.IsDecisionCandidate(role, tool_name, content):
            decision_base = dict(base)
            decision_base["inactive_reason"] = inactive_reason
            decision_base["tool_name"] = tool_name
            decision = permissions.DecodeDecision(
                content,
                decision_base,
                message_times,
                tool_call_identifier,
                self._commands.get(tool_calls.MatchIdentifier(tool_call_identifier)),
            )
            if decision:
                message_records.append(decision)

        if unparsed:
            message_records.append(unparsed)
        message_records[0].warnings.extend(row_times.warnings)
        return message_records


def DescribeModel(model, previous_model, provider, task=None):
    """Describes the use of a model in the words of the reference's "Model rows".

    Args:
      model (str): name of the model.
      previous_model (str): name of the model before it or None.
      provider (str): name of the provider or None.
      task (Optional[str]): auxiliary task the model was used for.

    Returns:
      str: description.
    """
    pieces = ["model:"]
    if previous_model:
        pieces.append(f"{previous_model:s} ->")
    pieces.append(model or "-")
    if provider:
        pieces.append(f"provider={provider:s}")
    if task:
        pieces.append(f"task={task:s}")
    return " ".join(pieces)

"""Tool calls: what the agent asked its tools to do."""

from hermes_plaso.formats import indicators
from hermes_plaso.formats import records
from hermes_plaso.formats import text

# The argument that says best what a call does, in this order; see the text column of
# the reference's "Parser plan".
_TEXT_ARGUMENTS = ("command", "path", "file_path", "url", "query")


class ToolCall:
    """A tool call.

    Attributes:
      arguments (str): arguments as the model wrote them, JSON unless it was cut.
      command (str): command of a shell call.
      identifier (str): identifier that the result repeats.
      name (str): name of the tool.
      path (str): path of a file call.
      search_query (str): query of a search.
      text (str): what a person would read.
      url (str): URL of a network call.
    """

    __slots__ = (
        "arguments",
        "command",
        "identifier",
        "name",
        "path",
        "search_query",
        "text",
        "url",
    )

    def __init__(self, entry):
        """Initializes a tool call.

        Args:
          entry (dict[str, object]): entry of a tool_calls list, the shape that
              agent/chat_completion_helpers.py builds.
        """
        super().__init__()
        function = entry.get("function")
        if not isinstance(function, dict):
            function = entry

        arguments = function.get("arguments")
        if "arguments" not in function:
            # A call of another shape than Hermes writes, such as that of a provider, is
            # shown as it is.
            arguments = text.ToJSON(entry)
        values = arguments
        if isinstance(arguments, str):
            values, _ = text.FromJSON(arguments)
        if not isinstance(values, dict):
            values = {}

        self.arguments = text.String(arguments)
        self.identifier = text.String(entry.get("id") or entry.get("call_id"))
        self.name = text.String(function.get("name"))

        self.command = text.String(values.get("command"))
        self.path = text.String(values.get("path")) or text.String(
            values.get("file_path")
        )
        self.search_query = text.String(values.get("query"))
        self.url = text.String(values.get("url"))

        self.text = self.arguments
        for name in _TEXT_ARGUMENTS:
            value = text.String(values.get(name))
            if value:
                self.text = value
                break


def MatchIdentifier(identifier):
    """Reduces the identifier of a call to what Hermes pairs results on.

    Hermes splits it at | (agent/message_sanitization.py).

    Args:
      identifier (object): identifier.

    Returns:
      str: identifier to compare or None.
    """
    identifier = text.String(identifier)
    if identifier:
        identifier, _, _ = identifier.partition("|")
    return identifier


def Decode(value):
    """Decodes the tool calls of a message.

    Args:
      value (object): JSON text as state.db holds it, or the decoded value where the
          store is JSON itself.

    Returns:
      tuple[list[ToolCall], str]: the calls that are objects, and why they are not all
          that the value holds, None if they are.
    """
    repeated_names = None
    if isinstance(value, bytes):
        value = text.ToText(value)
    if isinstance(value, str):
        if not value:
            return [], None
        value, reason = text.FromJSONWithNames(value)
        if reason == text.REPEATED_NAMES:
            repeated_names = f"tool_calls has {reason:s}"
        elif reason:
            return [], f"tool_calls is not valid JSON: {reason:s}"

    if value is None:
        return [], None
    if isinstance(value, dict):
        value = [value]
    if not isinstance(value, list):
        return [], "tool_calls is not a list"

    tool_calls = [ToolCall(entry) for entry in value if isinstance(entry, dict)]
    reason = repeated_names
    if len(tool_calls) < len(value):
        reason = "tool_calls entry is not an object"
    return tool_calls, reason


def DecodeToRecords(value, base, times, inactive_reason, record_identifier):
    """Decodes the tool calls of a message to records.

    Args:
      value (object): tool calls, see Decode.
      base (dict[str, object]): attribute values of the message's session.
      times (dict[str, Timestamp]): date and time values of the message.
      inactive_reason (str): why the message is not part of the conversation.
      record_identifier (int|str): what finds the message again.

    Returns:
      tuple[list[ToolCall], list[Record], Record]: the calls, their records and the
          record of a value that is not a list of calls or None.
    """
    if value is None:
        return [], [], None
    tool_calls, reason = Decode(value)

    call_records = []
    counter = {}
    for tool_call in tool_calls:
        # psort takes equal events for one: equal calls that have no identifier are
        # told from each other by a number.
        key = (tool_call.identifier, tool_call.name, tool_call.arguments)
        number = counter[key] = counter.get(key, 0) + 1
        identifier = record_identifier
        if number > 1:
            identifier = f"{record_identifier!s}:{number:d}"

        values = dict(base)
        values["arguments"] = tool_call.arguments
        values["command"] = tool_call.command
        values["inactive_reason"] = inactive_reason
        values["indicators"] = indicators.FromCall(
            tool_call.name, tool_call.command, tool_call.url, tool_call.arguments
        )
        values["path"] = tool_call.path
        values["record_identifier"] = identifier
        values["search_query"] = tool_call.search_query
        values["text"] = tool_call.text
        values["tool_call_identifier"] = tool_call.identifier
        values["tool_name"] = tool_call.name
        values["turn_type"] = "tool_use"
        values["url"] = tool_call.url
        call_records.append(
            records.Record("hermes:message:tool_call", values, times=times)
        )

    unparsed = None
    if reason:
        unparsed = records.Unparsed(
            reason, text.ToText(value), record_identifier, values=base
        )
        unparsed.times = times
    return tool_calls, call_records, unparsed

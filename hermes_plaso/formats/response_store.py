"""API server response store: response_store.db.

Each response holds the whole history up to it, see "API server response store" in the
reference (gateway/platforms/api_server_response_store.py).
"""

import collections
import hashlib

from hermes_plaso.formats import messages
from hermes_plaso.formats import records
from hermes_plaso.formats import text
from hermes_plaso.formats import times

REQUIRED_STRUCTURE = {
    "responses": frozenset(["accessed_at", "data", "response_id"]),
}

_COLUMNS = {
    "conversations": ("name", "response_id"),
    "responses": ("response_id", "data", "accessed_at"),
}

_DIGEST_SIZE = 12

# Number of digests that are remembered over all sessions. Hermes keeps 100 responses;
# what is forgotten beyond this is given again, not lost.
_MAXIMUM_DIGESTS = 400000
_MAXIMUM_NAMES = 100000


class _SeenMessages:
    """Remembers which messages the responses of a conversation held, and where."""

    def __init__(self):
        """Initializes seen messages."""
        super().__init__()
        self._digests_per_conversation = collections.OrderedDict()
        self._number_of_digests = 0

    def Add(self, conversation, position, message):
        """Adds a message.

        Args:
          conversation (tuple[str, str]): what tells the conversation, see
              ResponseStoreDecoder.
          position (int): position in the history.
          message (dict[str, object]): message.

        Returns:
          bool: True if no earlier response of the conversation held it there.
        """
        # Marks of the agent, such as _db_persisted, are not what was said.
        said = {
            name: value for name, value in message.items() if not name.startswith("_")
        }
        digest = hashlib.blake2b(
            f"{position:d} {text.ToJSON(sorted(said.items()))!s}".encode(
                "utf-8", "surrogatepass"
            ),
            digest_size=_DIGEST_SIZE,
        ).digest()

        digests = self._digests_per_conversation.setdefault(conversation, set())
        if digest in digests:
            return False
        digests.add(digest)
        self._number_of_digests += 1
        while self._number_of_digests > _MAXIMUM_DIGESTS:
            _, forgotten = self._digests_per_conversation.popitem(last=False)
            self._number_of_digests -= len(forgotten)
        return True


def _GetOutput(response):
    """Retrieves what a response said, where its history does not.

    Args:
      response (dict[str, object]): response, as the API hands it out.

    Returns:
      list[dict[str, object]]: messages, None if there are none.
    """
    output = response.get("output")
    output_messages = []
    for item in output if isinstance(output, list) else ():
        if not isinstance(item, dict):
            continue
        if item.get("type") == "function_call":
            call = {
                "function": {name: item.get(name) for name in ("name", "arguments")},
                "id": item.get("call_id"),
            }
            output_messages.append({"role": "assistant", "tool_calls": [call]})
        elif item.get("content"):
            parts = item["content"]
            if isinstance(parts, list):
                parts = [
                    (
                        {"type": "text", "text": part.get("text")}
                        if isinstance(part, dict)
                        else part
                    )
                    for part in parts
                ]
            output_messages.append(
                {"content": parts, "role": item.get("role") or "assistant"}
            )
    return output_messages or None


class ResponseStoreDecoder:
    """Decoder of the rows of one response store."""

    def __init__(self, columns_per_table):
        """Initializes a decoder.

        Args:
          columns_per_table (dict[str, list[str]]): names of the columns per table.
        """
        super().__init__()
        self._columns_per_table = columns_per_table
        self._conversation_per_response = {}
        self._name_per_response = {}
        self._seen_messages = _SeenMessages()

    def _GetConversation(
        self, session_identifier, response_identifier, previous_response_identifier
    ):
        """Determines which conversation a response continues.

        Older builds record no session. There a response is known to continue another
        one only where it names it: without that, an equal history can be that of
        another conversation.

        Args:
          session_identifier (str): session identifier or None.
          response_identifier (str): response identifier or None.
          previous_response_identifier (str): identifier of the response before it or
              None.

        Returns:
          tuple[str, str]: what tells the conversation, None if nothing does.
        """
        conversation = None
        if session_identifier:
            conversation = ("session", session_identifier)
        elif previous_response_identifier:
            conversation = self._conversation_per_response.get(
                previous_response_identifier
            )
        if response_identifier:
            conversation = conversation or ("response", response_identifier)
            if len(self._conversation_per_response) < _MAXIMUM_NAMES:
                self._conversation_per_response[response_identifier] = conversation
        return conversation

    def _DecodeResponse(self, row, record_identifier):
        """Decodes a row of responses.

        Args:
          row (dict[str, object]): values of the row.
          record_identifier (int): row identifier.

        Returns:
          list[Record]: records of the row.
        """
        response_identifier = text.String(row.get("response_id"))
        data, reason = text.ObjectFromJSON(row.get("data"))
        if reason or not data:
            return [
                records.Unparsed(
                    f"responses.data: {reason or 'empty':s}",
                    text.ToText(row.get("data")),
                    record_identifier,
                    values={"response_identifier": response_identifier},
                )
            ]

        response = data.get("response")
        is_object = isinstance(response, dict)
        if not is_object:
            response = {}
        usage = response.get("usage")
        if not isinstance(usage, dict):
            usage = {}
        session_identifier = text.String(data.get("session_id"))
        previous_response_identifier = text.String(response.get("previous_response_id"))

        row_times = times.RowTimes(f"responses row {record_identifier!s}")
        row_times.Add(
            "creation_time", response.get("created_at"), "created_at", required=True
        )

        values = {
            "conversation_name": self._name_per_response.get(response_identifier),
            "input_tokens": text.Number(usage.get("input_tokens")),
            "instructions": text.String(data.get("instructions")),
            "model": text.String(response.get("model")),
            "output_tokens": text.Number(usage.get("output_tokens")),
            "previous_response_identifier": previous_response_identifier,
            "record_identifier": record_identifier,
            "response_identifier": response_identifier,
            "response_status": text.String(response.get("status")),
            "session_identifier": session_identifier,
            "time_value": row_times.time_value,
        }
        row_records = [
            records.Record(
                "hermes:api_response:entry",
                values,
                times=row_times.times,
                warnings=row_times.warnings,
            )
        ]
        if not is_object:
            row_records.append(
                records.Unparsed(
                    "responses.data response: not an object",
                    text.ToText(data.get("response")),
                    record_identifier,
                    values={"response_identifier": response_identifier},
                )
            )
        row_records.extend(
            self._DecodeHistory(
                data.get("conversation_history") or _GetOutput(response),
                self._GetConversation(
                    session_identifier,
                    response_identifier,
                    previous_response_identifier,
                ),
                session_identifier,
                response_identifier,
                record_identifier,
            )
        )
        return row_records

    def _DecodeHistory(
        self,
        history,
        conversation,
        session_identifier,
        response_identifier,
        record_identifier,
    ):
        """Decodes the messages that no earlier response of the conversation held.

        Args:
          history (object): conversation_history of the response.
          conversation (tuple[str, str]): what tells the conversation or None.
          session_identifier (str): session identifier or None.
          response_identifier (str): response identifier.
          record_identifier (int): row identifier.

        Yields:
          Record: records of the messages.
        """
        base = {"session_identifier": session_identifier}
        if not isinstance(history, list):
            if history is not None:
                yield records.Unparsed(
                    "responses.data conversation_history: not a list",
                    text.ToText(history),
                    record_identifier,
                    values=base,
                )
            return

        message_decoder = messages.MessageDecoder()
        for index, message in enumerate(history):
            reason = messages.CheckEntry(message)
            if reason:
                yield records.Unparsed(
                    f"responses.data conversation_history {index:d}: {reason:s}",
                    text.ToText(message),
                    record_identifier,
                    values=base,
                )
                continue
            if conversation and not self._seen_messages.Add(
                conversation, index, message
            ):
                continue

            # Later builds keep the identifier and the time of the row in state.db.
            message_identifier = message.get("_row_id")
            if type(message_identifier) is not int:
                message_identifier = f"{response_identifier or '':s} {index:d}"
            row_times = times.RowTimes(
                f"responses row {record_identifier!s} conversation_history {index:d}"
            )
            row_times.Add("recorded_time", message.get("timestamp"), "timestamp")
            yield from message_decoder.Decode(
                message, base, row_times, message_identifier
            )

    def GetTables(self):
        """Retrieves what to read.

        Returns:
          list[tuple[str, list[str]]]: tables and their columns, the names of the
              conversations first.
        """
        tables = []
        for table_name, columns in _COLUMNS.items():
            present_columns = self._columns_per_table.get(table_name, ())
            columns = [name for name in columns if name in present_columns]
            if columns:
                tables.append((table_name, columns))
        return tables

    def Decode(self, table_name, row, record_identifier, marks=frozenset()):
        """Decodes a row.

        Args:
          table_name (str): name of the table.
          row (dict[str, object]): values of the row.
          record_identifier (int): row identifier.
          marks (Optional[frozenset[str]]): not used here.

        Returns:
          list[Record]: records of the row. A conversation has none of its own, its
              name is told with its response.
        """
        if table_name == "responses":
            return self._DecodeResponse(row, record_identifier)
        response_identifier = text.String(row.get("response_id"))
        if response_identifier and len(self._name_per_response) < _MAXIMUM_NAMES:
            name = text.String(row.get("name"))
            earlier_name = self._name_per_response.get(response_identifier)
            if earlier_name and name and name != earlier_name:
                name = f"{earlier_name:s}, {name:s}"
            self._name_per_response[response_identifier] = name
        return []

"""Queue of the RetainDB memory provider: retaindb_queue.db.

A row is deleted once it is uploaded, see "RetainDB queue" in the reference
(plugins/memory/retaindb/__init__.py).
"""

from hermes_plaso.formats import records
from hermes_plaso.formats import text
from hermes_plaso.formats import times

REQUIRED_STRUCTURE = {
    "pending": frozenset(["created_at", "id", "messages_json", "session_id", "user_id"])
}

_COLUMNS = (
    "id",
    "user_id",
    "session_id",
    "messages_json",
    "created_at",
    "last_error",
)


class RetainDBDecoder:
    """Decoder of the rows of one queue."""

    def __init__(self, columns_per_table):
        """Initializes a decoder.

        Args:
          columns_per_table (dict[str, list[str]]): names of the columns per table.
        """
        super().__init__()
        self._columns_per_table = columns_per_table

    def GetTables(self):
        """Retrieves what to read.

        Returns:
          list[tuple[str, list[str]]]: tables and their columns.
        """
        present_columns = self._columns_per_table.get("pending", ())
        return [("pending", [name for name in _COLUMNS if name in present_columns])]

    def Decode(self, table_name, row, record_identifier, marks=frozenset()):
        """Decodes a row.

        Args:
          table_name (str): name of the table.
          row (dict[str, object]): values of the row.
          record_identifier (int): row identifier.
          marks (Optional[frozenset[str]]): not used here.

        Returns:
          list[Record]: records of the row.
        """
        get = row.get
        base = {"session_identifier": text.String(get("session_id"))}

        row_times = times.RowTimes(f"{table_name:s} row {record_identifier!s}")
        row_times.Add("creation_time", get("created_at"), "created_at", required=True)

        turn, reason = text.FromJSON(text.ToText(get("messages_json")) or "null")
        if isinstance(turn, dict):
            turn = turn.get("messages") or [turn]
        if not reason and turn is not None and not isinstance(turn, list):
            reason = "not a list"

        said = []
        for message in turn if isinstance(turn, list) else ():
            if not isinstance(message, dict):
                reason = "entry is not an object"
                continue
            content = text.DecodeContent(message.get("content"))
            if not content:
                # What is queued can be a call, or of a build that names it otherwise.
                rest = {
                    name: value for name, value in message.items() if name != "role"
                }
                content = text.ToJSON(rest) if any(rest.values()) else None
            role = text.String(message.get("role"))
            said.append(f"{role:s}: {content or '':s}" if role else content or "")

        values = dict(base)
        values["last_error"] = text.String(get("last_error"))
        values["record_identifier"] = record_identifier
        values["text"] = "\n".join(said) or None
        values["time_value"] = row_times.time_value
        values["user_identifier"] = text.String(get("user_id"))
        row_records = [
            records.Record(
                "hermes:retaindb:entry",
                values,
                times=row_times.times,
                warnings=row_times.warnings,
            )
        ]
        if reason:
            row_records.append(
                records.Unparsed(
                    f"{table_name:s}.messages_json: {reason:s}",
                    text.ToText(get("messages_json")),
                    record_identifier,
                    values=base,
                )
            )
        return row_records

"""Runs that clients of the API server asked for: runs_idempotency.db.

See "Tables and files the reference names without their columns" in the corrections.
"""

from hermes_plaso.formats import records
from hermes_plaso.formats import text
from hermes_plaso.formats import times

REQUIRED_STRUCTURE = {
    "run_idempotency": frozenset(["created_at", "idempotency_key", "run_id", "scope"])
}

_COLUMNS = (
    "scope",
    "idempotency_key",
    "fingerprint",
    "run_id",
    "status_json",
    "owner_pid",
    "retention_until",
    "acknowledged_at",
    "created_at",
    "updated_at",
)


class RunsDecoder:
    """Decoder of the rows of one database of runs."""

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
        present_columns = self._columns_per_table.get("run_idempotency", ())
        return [
            ("run_idempotency", [name for name in _COLUMNS if name in present_columns])
        ]

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
        row_times = times.RowTimes(f"{table_name:s} row {record_identifier!s}")
        row_times.Add("creation_time", get("created_at"), "created_at", required=True)
        row_times.Add("update_time", get("updated_at"), "updated_at")
        row_times.Add("acknowledgement_time", get("acknowledged_at"), "acknowledged_at")

        # What a run answered is in its session; its state is told here.
        status, reason = text.ObjectFromJSON(get("status_json"))
        status = status or {}

        said = [text.String(status.get(name)) for name in ("output", "error")]

        values = {
            "idempotency_key": text.String(get("idempotency_key")),
            "model": text.String(status.get("model")),
            "process_identifier": text.Number(get("owner_pid")),
            "record_identifier": record_identifier,
            "run_identifier": text.String(get("run_id")),
            "run_status": text.String(status.get("status")),
            "scope": text.String(get("scope")),
            "session_identifier": text.String(status.get("session_id")),
            "text": "\n".join(filter(None, said)) or None,
            "time_value": row_times.time_value,
        }
        row_records = [
            records.Record(
                "hermes:api_run:entry",
                values,
                times=row_times.times,
                warnings=row_times.warnings,
            )
        ]
        if reason:
            row_records.append(
                records.Unparsed(
                    f"{table_name:s}.status_json: {reason:s}",
                    text.ToText(get("status_json")),
                    record_identifier,
                )
            )
        return row_records

"""The key and value table state_meta: deletion fences, receipts, provenance."""

from hermes_plaso.formats import gateway
from hermes_plaso.formats import records
from hermes_plaso.formats import text
from hermes_plaso.formats import times

# Keys that Hermes builds from a prefix and an identifier.
LOCAL_POLICY_PREFIX = "gateway.local_policy.v1:"  # hermes_state_local.py
RESULT_PREFIX = "gateway.admission.result.v1."  # gateway/session_results.py
TERMINAL_ADMISSION_PREFIX = "gateway.terminal_admission.v1."  # hermes_state_terminal.py
_MUTATION_PREFIX = "gateway.mutation.v1."  # gateway/runtime_store.py
_RETIRED_SESSION_PREFIX = (
    "gateway.retired_session.v1."  # hermes_state_mutation_retirement.py
)

# Written once, when Hermes creates the database (hermes_state_schema.py).
_STORE_CREATED_KEY = "store_created_at_utc"


def _DecodeObject(value, record_identifier, values):
    """Decodes a value that must be a JSON object.

    Args:
      value (object): value of the key.
      record_identifier (int): row identifier.
      values (dict[str, object]): attribute values of what does not decode.

    Returns:
      tuple[dict[str, object], list[Record]]: object, and None; or None, and the record
          of the value.
    """
    json_object, reason = text.ObjectFromJSON(value)
    if json_object is not None:
        return json_object, None
    return None, [
        records.Unparsed(
            f"state_meta.value: {reason or 'not a JSON object':s}",
            text.ToText(value),
            record_identifier,
            values=values,
        )
    ]


def _DecodeDeletion(session_identifier, value, record_identifier):
    """Decodes a deletion fence.

    Args:
      session_identifier (str): identifier of the deleted session.
      value (object): value of the fence.
      record_identifier (int): row identifier.

    Returns:
      list[Record]: records of the fence.
    """
    values = {
        "record_identifier": record_identifier,
        "session_identifier": session_identifier,
    }
    fence, unparsed = _DecodeObject(value, record_identifier, values)
    if unparsed:
        return unparsed

    # An early fence holds {}: the deletion is certain, its time is not known.
    row_times = times.RowTimes(f"state_meta row {record_identifier!s}")
    row_times.Add("deletion_time", fence.get("retired_at"), "value retired_at")

    values["sweep"] = text.Flag(fence.get("expires"))
    values["time_value"] = row_times.time_value
    return [
        records.Record(
            "hermes:session:deletion",
            values,
            times=row_times.times,
            warnings=row_times.warnings,
        )
    ]


def _DecodeMutation(value, record_identifier):
    """Decodes the receipt of a rename, rewind, compression or delete.

    Args:
      value (object): value of the receipt.
      record_identifier (int): row identifier.

    Returns:
      list[Record]: records of the receipt.
    """
    values = {"record_identifier": record_identifier}
    receipt, unparsed = _DecodeObject(value, record_identifier, values)
    if unparsed:
        return unparsed

    result = receipt.get("result")
    if not isinstance(result, dict):
        result = {}
    values["operation"] = text.String(result.get("operation"))
    values["session_revision"] = text.Number(result.get("revision"))
    values["session_identifier"] = text.String(result.get("session_id"))
    values["text"] = text.ToJSON(receipt.get("result"))
    return [records.Record("hermes:session:mutation", values)]


def _DecodeTerminalAdmission(admission_identifier, value, record_identifier):
    """Decodes the row of session_admissions that outlives its session.

    Args:
      admission_identifier (str): identifier of the admission.
      value (object): row as a JSON object, with its payload emptied.
      record_identifier (int): row identifier.

    Returns:
      list[Record]: records of the admission.
    """
    values = {
        "admission_identifier": admission_identifier,
        "record_identifier": record_identifier,
    }
    admission, unparsed = _DecodeObject(value, record_identifier, values)
    if unparsed:
        return unparsed
    admission.setdefault("admission_id", admission_identifier)
    return gateway.DecodeAdmission(admission, record_identifier, is_retired=True)


def _DecodeStoreCreation(value, record_identifier):
    """Decodes when the database was created.

    Args:
      value (object): ISO 8601 date and time in UTC, bare or as a JSON string.
      record_identifier (int): row identifier.

    Returns:
      list[Record]: records of the value.
    """
    cell = value
    if isinstance(cell, str) and cell.startswith('"'):
        cell = text.FromJSON(cell)[0] or cell

    row_times = times.RowTimes(f"state_meta row {record_identifier!s}")
    timestamp = row_times.Add("creation_time", cell, "value", required=True)
    if timestamp and timestamp.is_local_time:
        # The key says that it is UTC.
        row_times.times["creation_time"] = times.Timestamp(timestamp.microseconds)

    values = {
        "record_identifier": record_identifier,
        "time_value": row_times.time_value,
    }
    return [
        records.Record(
            "hermes:store:creation",
            values,
            times=row_times.times,
            warnings=row_times.warnings,
        )
    ]


def DecodeResult(
    admission_identifier, value, record_identifier, session_identifier, is_session_read
):
    """Decodes what a request came to: its last answer outlives the session.

    Args:
      admission_identifier (str): identifier of the admission.
      value (object): value of the key.
      record_identifier (int): row identifier.
      session_identifier (str): identifier of the session of the request or None if it
          is not known.
      is_session_read (bool): True if the database has the session, whose messages are
          read there.

    Returns:
      list[Record]: records of the result.
    """
    values = {
        "admission_identifier": admission_identifier,
        "record_identifier": record_identifier,
        "session_identifier": session_identifier,
    }
    envelope, unparsed = _DecodeObject(value, record_identifier, values)
    if unparsed:
        return unparsed

    result = envelope.get("result")
    if not isinstance(result, dict):
        values["text"] = text.ToJSON(envelope)
        return [records.Record("hermes:session:result", values)]
    usage = envelope.get("usage")
    if not isinstance(usage, dict):
        usage = {}

    for name in ("input_tokens", "output_tokens"):
        values[name] = text.Number(result.get(name, usage.get(name)))
    values["api_call_count"] = text.Number(result.get("api_calls"))
    values["completed"] = text.Flag(result.get("completed"))
    values["error"] = text.ToText(result.get("error"))
    values["estimated_cost_usd"] = text.Number(result.get("estimated_cost_usd"))
    values["exit_reason"] = text.String(result.get("turn_exit_reason"))
    values["model"] = text.String(result.get("model"))
    values["text"] = text.DecodeContent(result.get("final_response"))

    # The first builds kept the whole history here, and a delete left it. Each result
    # repeats those before it, so they are one value and not messages of their own.
    turn = result.get("messages")
    if turn and not is_session_read:
        values["turn_messages"] = text.ToText(turn)
    return [records.Record("hermes:session:result", values)]


def Decode(row, record_identifier):
    """Decodes a row of state_meta.

    Args:
      row (dict[str, object]): values of the row.
      record_identifier (int): row identifier.

    Returns:
      list[Record]: records of the row, which is empty for a key that records nothing
          a timeline tells, such as the state of an index.
    """
    key = text.String(row.get("key")) or ""
    value = row.get("value")

    if key.startswith(_RETIRED_SESSION_PREFIX):
        return _DecodeDeletion(
            key[len(_RETIRED_SESSION_PREFIX) :], value, record_identifier
        )
    if key.startswith(TERMINAL_ADMISSION_PREFIX):
        return _DecodeTerminalAdmission(
            key[len(TERMINAL_ADMISSION_PREFIX) :], value, record_identifier
        )
    if key.startswith(_MUTATION_PREFIX):
        return _DecodeMutation(value, record_identifier)
    if key == _STORE_CREATED_KEY:
        return _DecodeStoreCreation(value, record_identifier)
    return []

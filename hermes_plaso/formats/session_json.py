"""Opt-in transcripts, sessions/session_<id>.json, see the corrections."""

from hermes_plaso.formats import documents
from hermes_plaso.formats import messages
from hermes_plaso.formats import records
from hermes_plaso.formats import sessions
from hermes_plaso.formats import text
from hermes_plaso.formats import times


def IsTranscript(document):
    """Determines if a document is a transcript.

    Args:
      document (object): document that came from JSON.

    Returns:
      bool: True if the document is one.
    """
    return (
        isinstance(document, dict)
        and "session_id" in document
        and isinstance(document.get("messages"), list)
    )


def Decode(document, session_identifier):
    """Decodes a transcript.

    Args:
      document (dict[str, object]): document.
      session_identifier (str): identifier of the session from the name of the file.

    Yields:
      Record: record of the session, then those of its messages.
    """
    get = document.get
    base = {
        "model": text.String(get("model")),
        "session_identifier": text.String(get("session_id")) or session_identifier,
    }

    row_times = times.RowTimes("session")
    row_times.Add("start_time", get("session_start"), "session_start")
    row_times.Add("last_active_time", get("last_updated"), "last_updated")

    values = dict(base)
    values["message_count"] = text.Number(get("message_count"))
    values["session_source"] = text.String(get("platform"))
    values["time_value"] = row_times.time_value
    yield records.Record(
        "hermes:session:entry",
        values,
        times=row_times.times,
        warnings=row_times.warnings,
    )

    system_prompt = text.String(get("system_prompt"))
    if system_prompt:
        prompt_times = {"start_time": row_times.times.get("start_time")}
        yield sessions.SystemPrompt(system_prompt, None, base, prompt_times)

    message_decoder = messages.MessageDecoder()
    for index, message in enumerate(document["messages"], 1):
        reason = messages.CheckEntry(message)
        if reason:
            yield documents.UnparsedEntry(reason, message, index, values=base)
            continue
        row_times = times.RowTimes(f"message {index:d}")
        row_times.Add("recorded_time", message.get("timestamp"), "timestamp")
        yield from message_decoder.Decode(message, base, row_times, index)

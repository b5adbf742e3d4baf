"""Debug reports that are still due for deletion, pastes/pending.json.

See "Debug-share paste list" in the reference (hermes_cli/debug.py).
"""

from hermes_plaso.formats import documents
from hermes_plaso.formats import records
from hermes_plaso.formats import text
from hermes_plaso.formats import times

# Hermes deletes a paste this long after the upload and records when.
_LIFETIME = 21600 * 1000000


def Decode(document):
    """Decodes a list of pastes.

    Args:
      document (list[object]): document.

    Yields:
      Record: records of the entries.
    """
    for index, entry in enumerate(document, 1):
        url = text.String(entry.get("url")) if isinstance(entry, dict) else None
        if not url:
            reason = "no url" if isinstance(entry, dict) else "not an object"
            yield documents.UnparsedEntry(reason, entry, index)
            continue

        row_times = times.RowTimes(f"entry {index:d}")
        expiration_time = row_times.Add(
            "expiration_time", entry.get("expire_at"), "expire_at"
        )
        if expiration_time:
            row_times.times["upload_time"] = expiration_time._replace(
                microseconds=expiration_time.microseconds - _LIFETIME
            )
        yield records.Record(
            "hermes:paste:entry",
            {
                "record_identifier": index,
                "time_value": row_times.time_value,
                "url": url,
            },
            times=row_times.times,
            warnings=row_times.warnings,
        )

"""Manifests of snapshots, state-snapshots/<id>/manifest.json.

See "Snapshot manifest" in the reference (hermes_cli/backup.py).
"""

import re

from hermes_plaso.formats import records
from hermes_plaso.formats import text
from hermes_plaso.formats import times

_TIME_RE = re.compile(
    r"([0-9]{4})([0-9]{2})([0-9]{2})-([0-9]{2})([0-9]{2})([0-9]{2})(?![0-9])"
)


def IsManifest(document):
    """Determines if a document is a manifest of a snapshot.

    Args:
      document (object): document that came from JSON.

    Returns:
      bool: True if the document is one.
    """
    return (
        isinstance(document, dict)
        and "id" in document
        and "timestamp" in document
        and "files" in document
    )


def IsFlatManifest(document):
    """Determines if a document is a manifest of a snapshot, by what it holds.

    Args:
      document (object): document that came from JSON.

    Returns:
      bool: True if it names the database and has a time as its identifier.
    """
    return (
        IsManifest(document)
        and isinstance(document["id"], str)
        and bool(_TIME_RE.match(document["id"]))
        and isinstance(document["files"], (dict, list))
        and "state.db" in document["files"]
    )


def _ListOfText(value):
    """Converts a list of names, or of objects that have one.

    Args:
      value (object): value of the manifest.

    Returns:
      list[str]: names or None if there are none.
    """
    if isinstance(value, dict):
        value = list(value)
    if isinstance(value, str) and value:
        value = [value]
    if not isinstance(value, list):
        return None
    return [text.ToText(name) for name in value if name is not None] or None


def _JoinNames(value):
    """Joins a list of names for a message.

    Args:
      value (object): value of the manifest.

    Returns:
      str: names or None if there are none.
    """
    return ", ".join(_ListOfText(value) or ()) or None


def Decode(document, identifier):
    """Decodes a manifest.

    Args:
      document (dict[str, object]): document.
      identifier (str): identifier of the snapshot from its path or None.

    Returns:
      list[Record]: records of the manifest.
    """
    get = document.get
    row_times = times.RowTimes("manifest")

    # The identifier starts with the same UTC time.
    timestamp = get("timestamp")
    match = _TIME_RE.match(timestamp) if isinstance(timestamp, str) else None
    if match:
        year, month, day, hours, minutes, seconds = match.groups()
        timestamp = f"{year}-{month}-{day}T{hours}:{minutes}:{seconds}Z"
    row_times.Add("backup_time", timestamp, "timestamp", required=True)

    files = get("files")
    values = {
        "copy_identifier": text.String(get("id")) or identifier,
        "failed_databases": _JoinNames(get("failed_dbs")),
        "files": _ListOfText(files),
        "snapshot_label": text.String(get("label")),
        "number_of_files": text.Number(get("file_count")),
        "oversized_files": _JoinNames(get("oversized_skipped")),
        "size": text.Number(get("total_size")),
        "time_value": row_times.time_value,
    }
    return [
        records.Record(
            "hermes:snapshot:manifest",
            values,
            times=row_times.times,
            warnings=row_times.warnings,
        )
    ]

"""The desktop app's backends, connections.json in its userData directory.

See "Desktop connection registry" in the reference
(apps/desktop/electron/connection-registry.ts). Tokens and headers are never read, and
nothing of an entry that cannot be read is told but its line.
"""

import re

from hermes_plaso.formats import records

FILE_NAME = "connections.json"

_KIND_LOCAL = "local"
_KIND_SSH = "ssh"

_KEYS = frozenset(["lastUsed", "launchMode", "quarantined"])

# What the app writes that tells its registry from a file of the same name of another
# program (the version, and entries that are objects with a kind).
_KINDS = frozenset(["cloud", _KIND_LOCAL, "remote", _KIND_SSH])

_SCHEME_RE = re.compile(r"(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?//|")
_AUTHORITY_END_RE = re.compile(r"[/?#]|$")
_DELIMITER_RE = re.compile(r"[/?#]")
_QUERY_RE = re.compile(r"[?#;&]|%3[Ff]|$")

# What a reason can quote of an entry: values, queries, and what is before a host.
_QUOTES = (
    (re.compile(r"\"[^\"]*\"|'[^']*'|`[^`]*`"), '"..."'),
    (re.compile(r"(?<=[?#])\S+"), "..."),
    (re.compile(r"\S+@"), "...@"),
)


def IsRegistry(document, is_home=False):
    """Determines if a document is a registry of the desktop app.

    Args:
      document (object): document that came from JSON.
      is_home (Optional[bool]): True if the document lies where the app has it, so that
          its entries need not tell.

    Returns:
      bool: True if the document is one.
    """
    if not isinstance(document, dict):
        return False
    connections = document.get("connections")
    if not isinstance(connections, list):
        return False
    if is_home or not _KEYS.isdisjoint(document):
        return True
    return any(
        isinstance(entry, dict)
        and isinstance(entry.get("kind"), str)
        and entry["kind"] in _KINDS
        for entry in connections
    )


def _GetString(entry, name):
    """Retrieves a string of an entry.

    Args:
      entry (dict[str, object]): entry.
      name (str): name of the value.

    Returns:
      str: string or None if the value is something else, which is not told.
    """
    value = entry.get(name)
    if isinstance(value, str) and value:
        return value
    return None


def CleanURL(url):
    """Removes credentials from a URL.

    Args:
      url (str): URL.

    Returns:
      str: URL without password, query and fragment. A user name stays where it has a
          password, or is that of SSH: without one it can be a token.
    """
    match = _SCHEME_RE.match(url)
    prefix = match.group()
    rest = url[match.end() :]
    authority = rest[: _AUTHORITY_END_RE.search(rest).start()]
    path = rest[: _QUERY_RE.search(rest).start()]

    # A password can have / ? # or @ in it that are not encoded, and a token a /.
    if "@" in path or (":" in authority and "@" in rest):
        user_information, _, rest = rest.rpartition("@")
        scheme = (match.group(1) or "").lower()
        user = _GetUser(user_information, scheme == _KIND_SSH)
        prefix = f"{prefix:s}{user:s}"

    end = _QUERY_RE.search(rest).start()
    if end < len(rest):
        rest = f"{rest[:end]:s}?..."
    return f"{prefix:s}{rest:s}"


def _GetUser(user_information, is_ssh):
    """Retrieves what can be told of what is before the host.

    Args:
      user_information (str): user name and password, or one of the two, or a token.
      is_ssh (bool): True if it is that of SSH, where a name alone is no token.

    Returns:
      str: user name with what separates it from the host, empty if it cannot be told.
    """
    user, colon, password = user_information.partition(":")
    if _DELIMITER_RE.search(user):
        # This can be a host and a path as well: what was left out must show.
        return "...@"
    if not user or not (colon or is_ssh):
        return ""
    return f"{user:s}:...@" if _DELIMITER_RE.search(password) else f"{user:s}@"


def _DecodeConnection(entry, base, record_times):
    """Decodes a connection to another host.

    Args:
      entry (dict[str, object]): entry of connections.
      base (dict[str, object]): attribute values of the registry.
      record_times (dict[str, Timestamp]): date and time values of the registry.

    Returns:
      Record: record of the connection.
    """
    kind = _GetString(entry, "kind")
    url = _GetString(entry, "url")
    host = _GetString(entry, "host")

    address = CleanURL(url) if url else None
    if kind == _KIND_SSH or (host and not address):
        user_information, _, host = (host or "").rpartition("@")
        user_information = _GetString(entry, "user") or user_information
        address = f"{_GetUser(user_information, True):s}{host:s}" or None
        port = entry.get("port")
        if isinstance(port, int) and not isinstance(port, bool):
            address = f"{address or '':s}:{port:d}"

    values = dict(base)
    values["address"] = address
    values["authentication_mode"] = _GetString(entry, "authMode")
    values["connection_identifier"] = _GetString(entry, "id")
    values["connection_kind"] = kind or "-"
    values["connection_name"] = _GetString(entry, "name")
    values["key_path"] = _GetString(entry, "keyPath")
    values["connection_label"] = _GetString(entry, "label")
    values["organization"] = _GetString(entry, "org")
    values["remote_path"] = _GetString(entry, "remoteHermesPath")
    values["remote_profile"] = _GetString(entry, "remoteProfile")
    return records.Record("hermes:desktop:connection", values, times=record_times)


def _CleanReason(reason):
    """Removes what a reason can quote of the entry it is about.

    Args:
      reason (str): reason the app gives.

    Returns:
      str: reason.
    """
    if not reason:
        return "-"
    for expression, replacement in _QUOTES:
        reason = expression.sub(replacement, reason)
    return reason


def Decode(document, modification_time):
    """Decodes a registry.

    Args:
      document (dict[str, object]): document.
      modification_time (Timestamp): date and time the file was modified or None.

    Yields:
      Record|str: records of the connections that are not local and of the
          quarantine, and messages of warnings about entries that cannot be read.
    """
    record_times = {"modification_time": modification_time}
    last_used = _GetString(document, "lastUsed")

    for number, entry in enumerate(document.get("connections") or [], 1):
        if not isinstance(entry, dict):
            yield f"unparseable record {number:d} (connections: not an object)"
            continue
        if entry.get("kind") == _KIND_LOCAL:
            continue
        base = {"record_identifier": number}
        if last_used and entry.get("id") == last_used:
            base["last_used"] = 1
        yield _DecodeConnection(entry, base, record_times)

    quarantined = document.get("quarantined")
    if quarantined is None:
        return
    if not isinstance(quarantined, list):
        yield "connections.json quarantined is not a list"
        return
    for number, entry in enumerate(quarantined, 1):
        if not isinstance(entry, dict):
            yield f"unparseable record {number:d} (quarantined: not an object)"
            continue
        # What the app could not load is not shown: it can be anything.
        connection = entry.get("entry")
        if not isinstance(connection, dict):
            connection = {}
        yield records.Record(
            "hermes:desktop:connection",
            {
                "connection_identifier": _GetString(connection, "id"),
                "quarantine_reason": _CleanReason(_GetString(entry, "reason")),
                "record_identifier": f"quarantined {number:d}",
            },
            times=record_times,
        )

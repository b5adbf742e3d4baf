"""Where Hermes keeps its files: homes, profiles, users and copies."""

import re
from typing import NamedTuple

from hermes_plaso.formats import times

# Kinds of store, the values of the "store" attribute.
STORE_STATE = "state"
STORE_SNAPSHOT = "snapshot"
STORE_EMERGENCY = "emergency"
STORE_MALFORMED = "malformed"
STORE_ZEROED = "zeroed"
STORE_NOT_A_DATABASE = "notadb"
STORE_RETIRED_WAL = "retired_wal"
STORE_BACKUP = "backup"
STORE_RESPONSE_STORE = "response_store"
STORE_RETAINDB = "retaindb"
STORE_RUNS_IDEMPOTENCY = "runs_idempotency"
STORE_CONFIG = "config"
STORE_CRON_JOBS = "cron_jobs"
STORE_CRON_OUTPUT = "cron_output"
STORE_DELEGATION_LOG = "delegation_log"
STORE_DELEGATION_MANIFEST = "delegation_manifest"
STORE_DESKTOP = "desktop"
STORE_DIVERT = "divert"
STORE_GATEWAY_STATE = "gateway_state"
STORE_LOG = "log"
STORE_PAIRING = "pairing"
STORE_PASTES = "pastes"
STORE_PROCESSES = "processes"
STORE_PROMPT_HISTORY = "prompt_history"
STORE_SESSION_JSON = "session_json"
STORE_SESSIONS_INDEX = "sessions_index"
STORE_SNAPSHOT_MANIFEST = "snapshot_manifest"
STORE_TRAJECTORY = "trajectory"

# Stores that are a state.db, or a copy of one.
STATE_STORES = frozenset(
    [
        STORE_STATE,
        STORE_SNAPSHOT,
        STORE_EMERGENCY,
        STORE_MALFORMED,
        STORE_ZEROED,
        STORE_NOT_A_DATABASE,
        STORE_RETIRED_WAL,
        STORE_BACKUP,
    ]
)

TIER_PRIMARY = "primary"
TIER_SECONDARY = "secondary"
TIER_SETTINGS = "settings"
TIER_LOG = "log"

# How certain a store is, see "Parser plan" in the reference for those it names.
TIER_PER_STORE = {
    **dict.fromkeys(STATE_STORES, TIER_SECONDARY),
    STORE_CONFIG: TIER_SETTINGS,
    STORE_CRON_JOBS: TIER_LOG,
    STORE_CRON_OUTPUT: TIER_SECONDARY,
    STORE_DELEGATION_LOG: TIER_LOG,
    STORE_DELEGATION_MANIFEST: TIER_LOG,
    STORE_DESKTOP: TIER_SETTINGS,
    STORE_DIVERT: TIER_SECONDARY,
    STORE_GATEWAY_STATE: TIER_LOG,
    STORE_LOG: TIER_LOG,
    STORE_PAIRING: TIER_SETTINGS,
    STORE_PASTES: TIER_LOG,
    STORE_PROCESSES: TIER_LOG,
    STORE_PROMPT_HISTORY: TIER_SECONDARY,
    STORE_RESPONSE_STORE: TIER_SECONDARY,
    STORE_RETAINDB: TIER_SECONDARY,
    STORE_RUNS_IDEMPOTENCY: TIER_LOG,
    STORE_SESSION_JSON: TIER_SECONDARY,
    STORE_SESSIONS_INDEX: TIER_LOG,
    STORE_SNAPSHOT_MANIFEST: TIER_LOG,
    STORE_STATE: TIER_PRIMARY,
    STORE_TRAJECTORY: TIER_SECONDARY,
}

# Copies of state.db that Hermes leaves beside it, see "Copies of state.db" in the
# corrections and "State database copies" in the reference (hermes_state_dbfile.py).
_COPY_NAMES = (
    (
        STORE_EMERGENCY,
        re.compile(r"state\.db\.pre-update-emergency-(.+?)(?:-[0-9]+)?\.bak"),
    ),
    (STORE_MALFORMED, re.compile(r"state\.db\.malformed-backup-(.+)", re.DOTALL)),
    (STORE_ZEROED, re.compile(r"state\.db\.zeroed-(.+?)(?:-[0-9]+)?\.bak")),
    (STORE_NOT_A_DATABASE, re.compile(r"state\.db\.notadb-(.+?)(?:-[0-9]+)?\.bak")),
)
_RETIRED_WAL_RE = re.compile(r"state\.db\.retired-wal-(.+)", re.DOTALL)

# Volumes of Docker and Podman, and layers of their overlay file systems.
_CONTAINER_RE = re.compile(
    r"(?:^|/)(?:volumes/[^/]+/_data|overlay2?/[^/]+/(?:diff|merged)"
    r"|(?:diff|merged|fs)/opt/data)(?:/|$)"
)

# What SQLite names the files it keeps beside a database.
_COMPANION_SUFFIXES = ("-journal", "-shm", "-wal")

DATABASE_NAME = "state.db"
SNAPSHOTS_DIRECTORY_NAME = "state-snapshots"

# A staging directory that a crash left behind is .<snapshot identifier>.<pid>.partial.
_PARTIAL_SNAPSHOT_RE = re.compile(r"\.(.+)\.[0-9]+\.partial")

# 20260821-120000 in snapshots, 2026-08-21T12-00-00-000000Z in emergency copies.
_COPY_TIME_RE = re.compile(
    r"([0-9]{4})-?([0-9]{2})-?([0-9]{2})[-_T]([0-9]{2})-?([0-9]{2})-?([0-9]{2})"
    r"(?:-([0-9]{6}))?(Z)?(?![0-9])"
)

# ~/.hermes and its channel builds, such as .hermes-channel-build-canary; the suffix
# has no separator of its own (hermes_constants.py).
_HOME_RE = re.compile(r"\.hermes[^/]*", re.IGNORECASE)
_WINDOWS_HOME_RE = re.compile(r"hermes[^/]*", re.IGNORECASE)


class Location(NamedTuple):
    """What the path of a file of a Hermes home says about it.

    Attributes:
      home (str): path of the home, with / as separator.
      name (str): path of the file below the home, a profile or a copy left out.
      profile (str): "default" for the root home, else the name below profiles/, or
          None if the path does not tell.
      username (str): owner of the home or None if the path does not tell.
      store (str): kind of file, one of the STORE values.
      copy_identifier (str): which copy, None for the live store.
      in_container (bool): True if the file is in a volume or layer of a container.
      is_home (bool): True if the path tells that the home is one of Hermes.
      needs_home (bool): True if other programs write files of the same name, so that
          the file is only read in a home.
    """

    home: str
    name: str
    profile: str | None
    username: str | None
    store: str
    copy_identifier: str | None
    in_container: bool = False
    is_home: bool = True
    needs_home: bool = False

    @property
    def file_name(self):
        """str: name of the file."""
        return self.name.rsplit("/", maxsplit=1)[-1]

    @property
    def tier(self):
        """str: certainty of what the store holds."""
        return TIER_PER_STORE[self.store]


def Split(path):
    """Splits a path of any operating system.

    Args:
      path (str): path with / or \\ as separator.

    Returns:
      list[str]: components.
    """
    if "/" not in path:
        path = path.replace("\\", "/")
    return [component for component in path.split("/") if component not in ("", ".")]


def GetUsername(components):
    """Determines the owner of a home from its path.

    Args:
      components (list[str]): components of the path of the home.

    Returns:
      str: username or None if the path does not tell, as inside a container volume.
    """
    if len(components) >= 4:
        if (
            components[-3].lower() == "appdata"
            and components[-2].lower() == "local"
            and _WINDOWS_HOME_RE.fullmatch(components[-1])
        ):
            return components[-4]

    if len(components) >= 2 and _HOME_RE.fullmatch(components[-1]):
        parent = components[-2]
        if len(components) >= 3 and components[-3].lower() in ("home", "users"):
            return parent
        if parent == "root":
            return parent
    return None


def IsInContainer(path):
    """Determines if a file is in a volume or layer of a container, by its path.

    Args:
      path (str): path, with / as separator.

    Returns:
      bool: True if it is.
    """
    return bool(_CONTAINER_RE.search(path))


def SplitSnapshot(components):
    """Splits the path of a directory that says which snapshot it is.

    Args:
      components (list[str]): components of the path.

    Returns:
      tuple[list[str], str]: components of the directory that holds the live store and
          identifier of the snapshot, or all components and None if it is none.
    """
    if len(components) < 2 or components[-2] != SNAPSHOTS_DIRECTORY_NAME:
        return components, None
    match = _PARTIAL_SNAPSHOT_RE.fullmatch(components[-1])
    return components[:-2], match.group(1) if match else components[-1]


def _SplitCopy(components):
    """Splits the part of a path that says which copy of a store a file is.

    Args:
      components (list[str]): components of the path.

    Returns:
      tuple[list[str], str, str]: components of the directory that holds the live
          store, kind of store and identifier of the copy.
    """
    name = components[-1]

    # A backup is a ZIP archive below backups/; its members come with the path of the
    # archive before their own.
    for index, component in enumerate(components[:-1]):
        if component == "backups" and components[index + 1].lower().endswith(".zip"):
            return components[:index], STORE_BACKUP, components[index + 1][:-4]

    directory, identifier = SplitSnapshot(components[:-1])
    if identifier:
        return directory, STORE_SNAPSHOT, identifier

    if len(components) >= 2:
        match = _RETIRED_WAL_RE.fullmatch(components[-2])
        if match:
            return components[:-2], STORE_RETIRED_WAL, match.group(1)

    for store, expression in _COPY_NAMES:
        match = expression.fullmatch(name)
        if match:
            return components[:-1], store, match.group(1)

    return components[:-1], STORE_STATE, None


def IsRetiredLogDirectory(name):
    """Determines if a directory holds a write-ahead log that Hermes retired.

    Args:
      name (str): name of the directory.

    Returns:
      bool: True if it does.
    """
    return bool(_RETIRED_WAL_RE.fullmatch(name))


def IsHolder(path):
    """Determines if a file is a state database or a copy of it, by its name.

    Args:
      path (str): path of the file.

    Returns:
      bool: True if it is.
    """
    if path.endswith(_COMPANION_SUFFIXES):
        return False
    location = LocateDatabase(path)
    return bool(location.copy_identifier) or location.name == DATABASE_NAME


def GetLevelsToDatabase(path):
    """Determines how far up the directory of the state database is.

    Args:
      path (str): path of a state database or a copy of it.

    Returns:
      int: number of levels, where 1 is the directory that the file is in.
    """
    components = Split(path)
    directory, _, _ = _SplitCopy(components)
    return len(components) - len(directory)


def LocateDatabase(path):
    """Determines what the path of a state database says about it.

    Args:
      path (str): path of the database. A member of an archive has the path of the
          archive before its own.

    Returns:
      Location: location.
    """
    components = Split(path)
    if not components:
        components = [path or "state.db"]
    in_container = IsInContainer("/".join(components))
    home, store, copy_identifier = _SplitCopy(components)

    profile = "default"
    if len(home) >= 2 and home[-2] == "profiles":
        profile = home[-1]
        home = home[:-2]

    return Location(
        home="/".join(home),
        name=components[-1],
        profile=profile,
        username=None if in_container else GetUsername(home),
        store=store,
        copy_identifier=copy_identifier,
        in_container=in_container,
    )


def LocateStore(path, store):
    """Determines what the path of a store beside the state database says about it.

    Args:
      path (str): path of the store, or of a copy of it in a snapshot or a backup.
      store (str): kind of store.

    Returns:
      Location: location.
    """
    return LocateDatabase(path)._replace(store=store)


def GetCopyTime(location):
    """Determines when a copy was made from its identifier.

    Snapshot identifiers start with a UTC time (hermes_cli/backup.py), and those of
    emergency copies say that theirs is UTC. What zone the others use is not known.

    Args:
      location (Location): location of the copy.

    Returns:
      Timestamp: point in time or None if the identifier starts with none.
    """
    match = _COPY_TIME_RE.match(location.copy_identifier or "")
    if not match:
        return None
    year, month, day, hours, minutes, seconds, fraction, zone = match.groups()
    if location.store == STORE_SNAPSHOT:
        zone = "Z"
    return times.FromISO8601(
        f"{year}-{month}-{day}T{hours}:{minutes}:{seconds}.{fraction or 0}{zone or ''}"
    )

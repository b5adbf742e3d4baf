"""Which file is which store: names and places of what lies beside the databases.

See "Contents of the home", "Docker and Podman volumes" and "Desktop app" in the
reference (hermes_constants.py, apps/desktop/electron/data-paths.mjs).
"""

import re
from typing import NamedTuple

from hermes_plaso.formats import homes

# Names by which a directory is known as a home that was copied under another name. One
# of the first and another one of either: a program may well have a state.db of its own.
HOME_DATABASE_NAMES = frozenset([".hermes_history", "state.db"])
HOME_MARKER_NAMES = frozenset(
    [
        ".hermes_history",
        "SOUL.md",
        "cron",
        "gateway_state.json",
        "memories",
        "response_store.db",
        "sessions",
        "skills",
        "state-snapshots",
        "state.db",
    ]
)

# <YYYYmmdd_HHMMSS>_<hex>, cron_<job>_<YYYYmmdd_HHMMSS>, local-<SHA-256>, a UUID and
# api-<16 hex>, see "Transcript stores" in the reference and corrections 15.
_SESSION_IDENTIFIER = (
    r"(?:[0-9]{8}_[0-9]{6}_[0-9a-f]+|cron_.+_[0-9]{8}_[0-9]{6}|local-[0-9a-f]{64}"
    r"|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|api-[0-9a-f]{16})"
)

_RUN_NAME = r"[0-9]{4}-[0-9]{2}-[0-9]{2}_[0-9]{2}-[0-9]{2}-[0-9]{2}\.md"

_DESKTOP_RE = re.compile(
    r"(?:^|/)(?:\.config|Library/Application Support" r"|AppData/Roaming)/Hermes[^/]*",
    re.IGNORECASE,
)

_USER_RE = re.compile(r"(?:^|.*/)(?:home|Users)/([^/]+)(?:/|$)", re.IGNORECASE)

_WINDOWS_HOME_RE = re.compile(r"(?:^|.*/)AppData/Local/hermes[^/]*", re.IGNORECASE)


class _Rule(NamedTuple):
    """Where a store lies below its home.

    Attributes:
      store (str): kind of store.
      expression (re.Pattern): path of the store below the home.
      flat_expression (re.Pattern): name by which the store is known outside of its
          place, None if it is not.
      needs_home (bool): True if other programs write files of the same name.
      is_generic (bool): True if a flat name is one that other programs use as well.
    """

    store: str
    expression: re.Pattern
    flat_expression: re.Pattern | None = None
    needs_home: bool = False
    is_generic: bool = False


def _CreateRule(store, path, flat_name=None, needs_home=False, is_generic=False):
    """Creates a rule.

    Args:
      store (str): kind of store.
      path (str): regular expression of the path below the home.
      flat_name (Optional[str]): regular expression of the name by which the store is
          known outside of its place.
      needs_home (Optional[bool]): True if other programs write files of the same name.
      is_generic (Optional[bool]): True if a flat name is one that other programs use as
          well.

    Returns:
      _Rule: rule.
    """
    return _Rule(
        store,
        re.compile(rf"(?:.*/)?({path:s})", re.DOTALL),
        re.compile(flat_name, re.DOTALL) if flat_name else None,
        needs_home,
        is_generic,
    )


_CONFIG_RULES = (
    _CreateRule(
        homes.STORE_CONFIG, r"backups/config/config\.yaml\.good\.[^/]+", needs_home=True
    ),
    _CreateRule(homes.STORE_CONFIG, r"config\.yaml(?:\.[^/]+)?", needs_home=True),
)

_CONNECTIONS_RULES = (
    _CreateRule(homes.STORE_DESKTOP, r"connections\.json(?:\.corrupt-[^/]+)?"),
)

# Copies of the state database have names and directories of their own, the database
# itself one that other programs use as well. A write-ahead log can outlive either.
_DATABASE_RULES = (
    _CreateRule(
        homes.STORE_STATE,
        rf"(?:{homes.SNAPSHOTS_DIRECTORY_NAME:s}/[^/]+|state\.db\.retired-wal-[^/]+)"
        r"/state\.db(?:-wal)?",
    ),
    _CreateRule(
        homes.STORE_STATE,
        r"state\.db\.(?:malformed-backup|notadb|pre-update-emergency|zeroed)-[^/]+"
        r"(?<!-journal)(?<!-shm)(?<!-wal)",
    ),
    _CreateRule(homes.STORE_STATE, r"state\.db(?:-wal)?", needs_home=True),
)

_LOG_RULES = (
    _CreateRule(
        homes.STORE_LOG,
        r"logs/(?:agent|errors|gateway|gui)\.log(?:\.[0-9]+)?",
        needs_home=True,
    ),
)

_RESPONSE_STORE_RULES = (
    _CreateRule(
        homes.STORE_RESPONSE_STORE, r"response_store\.db(?:-wal)?", needs_home=True
    ),
)

_TRAJECTORY_RULES = (
    _CreateRule(
        homes.STORE_TRAJECTORY, r"(?:trajectory_samples|failed_trajectories)\.jsonl"
    ),
)

# Rules per name, for names that are always the same.
_RULES_PER_NAME = {
    ".hermes_history": (_CreateRule(homes.STORE_PROMPT_HISTORY, r"\.hermes_history"),),
    "config.yaml": _CONFIG_RULES,
    "connections.json": _CONNECTIONS_RULES,
    "failed_trajectories.jsonl": _TRAJECTORY_RULES,
    "gateway_state.json": (
        _CreateRule(homes.STORE_GATEWAY_STATE, r"gateway_state\.json"),
    ),
    "jobs.json": (
        _CreateRule(
            homes.STORE_CRON_JOBS,
            r"cron/jobs\.json",
            r"jobs\.json",
            needs_home=True,
            is_generic=True,
        ),
    ),
    "manifest.json": (
        _CreateRule(
            homes.STORE_DELEGATION_MANIFEST,
            r"cache/delegation/live/[^/]+/manifest\.json",
        ),
        # The directory of the snapshot is split off as that of a copy.
        _CreateRule(
            homes.STORE_SNAPSHOT_MANIFEST, r"manifest\.json", r"manifest\.json"
        ),
    ),
    "pending.json": (
        _CreateRule(homes.STORE_PASTES, r"pastes/pending\.json", needs_home=True),
    ),
    "processes.json": (_CreateRule(homes.STORE_PROCESSES, r"processes\.json"),),
    "sessions.json": (
        _CreateRule(
            homes.STORE_SESSIONS_INDEX,
            r"sessions/sessions\.json",
            r"sessions\.json",
            needs_home=True,
            is_generic=True,
        ),
    ),
    "response_store.db": _RESPONSE_STORE_RULES,
    "response_store.db-wal": _RESPONSE_STORE_RULES,
    "state.db": _DATABASE_RULES,
    "state.db-wal": _DATABASE_RULES,
    "trajectory_samples.jsonl": _TRAJECTORY_RULES,
}

# Rules per start and end of the name, for the others.
_RULES_PER_START_AND_END = (
    (
        "",
        "-approved.json",
        (
            _CreateRule(homes.STORE_PAIRING, r"platforms/pairing/[^/]+-approved\.json"),
            _CreateRule(
                homes.STORE_PAIRING,
                r"pairing/[^/]+-approved\.json",
                r".+-approved\.json",
            ),
        ),
    ),
    (
        "",
        ".jsonl",
        (
            _CreateRule(
                homes.STORE_DIVERT,
                r"sessions/[^/]+\.jsonl",
                rf"{_SESSION_IDENTIFIER:s}\.jsonl",
                needs_home=True,
            ),
        ),
    ),
    (
        "session_",
        ".json",
        (
            _CreateRule(
                homes.STORE_SESSION_JSON,
                r"sessions/session_[^/]+\.json",
                rf"session_{_SESSION_IDENTIFIER:s}\.json",
                needs_home=True,
            ),
        ),
    ),
    (
        "2",
        ".md",
        (
            _CreateRule(
                homes.STORE_CRON_OUTPUT,
                rf"cron/output/[^/]+/{_RUN_NAME:s}",
                _RUN_NAME,
            ),
        ),
    ),
    (
        "task-",
        ".log",
        (
            _CreateRule(
                homes.STORE_DELEGATION_LOG,
                r"cache/delegation/live/[^/]+/task-[0-9]+\.log",
                r"task-[0-9]+\.log",
            ),
        ),
    ),
    ("config.yaml.", "", _CONFIG_RULES),
    ("connections.json.", "", _CONNECTIONS_RULES),
    ("agent.log", "", _LOG_RULES),
    ("state.db.", "", _DATABASE_RULES),
    ("errors.log", "", _LOG_RULES),
    ("gateway.log", "", _LOG_RULES),
    ("gui.log", "", _LOG_RULES),
)


def _GetRules(name):
    """Determines which stores a file can be by its name.

    Args:
      name (str): name of the file.

    Returns:
      tuple[_Rule, ...]: rules, none for nearly every file.
    """
    rules = _RULES_PER_NAME.get(name)
    if rules:
        return rules
    for prefix, suffix, rules in _RULES_PER_START_AND_END:
        if name.endswith(suffix) and name.startswith(prefix):
            return rules
    return ()


def IsCandidate(name):
    """Determines if a file can be a store by its name alone.

    Args:
      name (str): name of the file.

    Returns:
      bool: True if it can.
    """
    return bool(_GetRules(name))


def _SplitCopy(components):
    """Splits a directory into the home and what says which copy it holds.

    Args:
      components (list[str]): components of the path of the directory that is the home
          or a copy of it.

    Returns:
      tuple[list[str], str, str]: components of the home, name of the profile or None,
          and identifier of the copy or None.
    """
    components, copy_identifier = homes.SplitSnapshot(components)

    profile = None
    if len(components) >= 2 and components[-2] == "profiles":
        profile = components[-1]
        components = components[:-2]

    # A backup is a ZIP archive below backups/; its members come with the path of the
    # archive before their own.
    for index, component in enumerate(components[:-1]):
        archive = components[index + 1]
        if component == "backups" and archive.lower().endswith(".zip"):
            return components[:index], profile, archive[:-4]
    return components, profile, copy_identifier


def _IsHome(components):
    """Determines if the path of a directory tells that it is a Hermes home.

    Args:
      components (list[str]): components of the path.

    Returns:
      bool: True if it does.
    """
    if not components:
        return False
    name = components[-1]
    if name.startswith(".hermes"):
        return True
    if name == "_data":
        return (
            len(components) >= 3
            and components[-3] == "volumes"
            and "hermes" in components[-2].lower()
        )
    if components[-2:] == ["opt", "data"]:
        return True
    return bool(_WINDOWS_HOME_RE.fullmatch("/".join(components)))


def _GetUsername(path):
    """Determines whose directory a path leads through.

    Args:
      path (str): path.

    Returns:
      str: username or None if the path does not tell.
    """
    match = _USER_RE.match(path)
    if match:
        return match.group(1)
    # Evidence can lie below a directory of the analyst, whose name may be the same.
    if path.startswith("root/") or path == "root" or "/root/.config/" in path:
        return "root"
    return None


def _LocateOutside(rule, directory, name, in_container):
    """Locates a store that lies outside of a home.

    Args:
      rule (_Rule): rule of the store.
      directory (str): path of the directory that holds it.
      name (str): name of the file.
      in_container (bool): True if the file is in a volume or layer of a container.

    Returns:
      Location: location or None if the store is in a home.
    """
    username = None
    is_home = True
    if rule.store == homes.STORE_DESKTOP:
        is_home = bool(_DESKTOP_RE.search(directory))
        if is_home and not in_container:
            username = _GetUsername(directory)
    elif rule.store == homes.STORE_TRAJECTORY:
        # A project can be any directory: the content tells.
        is_home = False
        if not in_container:
            username = _GetUsername(directory)
    elif rule.store != homes.STORE_CONFIG or not (
        directory == "etc/hermes" or directory.endswith("/etc/hermes")
    ):
        return None

    return homes.Location(
        home=directory,
        name=name,
        profile=None,
        username=username,
        store=rule.store,
        copy_identifier=None,
        in_container=in_container,
        is_home=is_home,
        needs_home=rule.needs_home,
    )


def _Locate(rule, path, name):
    """Locates a file, given the store it can be.

    Args:
      rule (_Rule): rule of the store.
      path (str): path of the file, with / as separator.
      name (str): name of the file.

    Returns:
      Location: location or None if the file is no such store.
    """
    in_container = homes.IsInContainer(path)
    is_flat_name = bool(rule.flat_expression and rule.flat_expression.fullmatch(name))

    match = rule.expression.fullmatch(path)
    if rule.store == homes.STORE_SNAPSHOT_MANIFEST and (
        homes.Split(path)[-3:-2] != [homes.SNAPSHOTS_DIRECTORY_NAME]
    ):
        match = None
    if match:
        place = match.group(1)
        directory = path[: match.start(1)].rstrip("/")

        location = _LocateOutside(rule, directory, name, in_container)
        if location:
            return location

        components = homes.Split(directory)
        if place.startswith("backups/config/"):
            copy_identifier = name.rpartition(".good.")[2]
        elif rule.store == homes.STORE_CONFIG and name != "config.yaml":
            copy_identifier = name[len("config.yaml.") :]
        else:
            copy_identifier = None

        components, profile, directory_copy_identifier = _SplitCopy(components)
        copy_identifier = directory_copy_identifier or copy_identifier

        is_home = _IsHome(components)
        return homes.Location(
            home="/".join(components),
            name=place,
            profile=profile or "default",
            username=None if in_container else homes.GetUsername(components),
            store=rule.store,
            copy_identifier=copy_identifier,
            in_container=in_container or components[-2:] == ["opt", "data"],
            is_home=is_home,
            needs_home=rule.needs_home and (rule.is_generic or not is_flat_name),
        )

    if is_flat_name:
        return homes.Location(
            home="/".join(homes.Split(path)[:-1]),
            name=name,
            profile=None,
            username=None,
            store=rule.store,
            copy_identifier=None,
            in_container=in_container,
            is_home=False,
        )
    return None


def LocateFile(path):
    """Determines which store a file is, and whose.

    Args:
      path (str): path of the file. A member of an archive has the path of the archive
          before its own.

    Returns:
      Location: location or None if the file is no store that is read.
    """
    components = homes.Split(path)
    if not components:
        return None
    relative_path = "/".join(components)
    for rule in _GetRules(components[-1]):
        location = _Locate(rule, relative_path, components[-1])
        if location:
            if rule.store == homes.STORE_TRAJECTORY and path.startswith(("/", "\\")):
                # The directory is the project, which has its own path.
                location = location._replace(home=f"/{location.home:s}")
            return location
    return None


def IsHomeContents(names):
    """Determines if a directory is a Hermes home by what it holds.

    Args:
      names (set[str]): names of the files and directories in it.

    Returns:
      bool: True if it looks like one.
    """
    return bool(HOME_DATABASE_NAMES & names) and len(HOME_MARKER_NAMES & names) > 1

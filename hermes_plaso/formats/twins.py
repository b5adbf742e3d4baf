"""Which records of secondary stores repeat a record of a better store.

See "Secondary sources" and the tolerances under "Parser plan" in the reference. A
record and its twin say the same:

* in the stores that know the session: within the session of the home, and within 2
  seconds where both have a time;
* a typed prompt: one user turn within 2 seconds, or within every offset of a time
  zone where the prompt has local time;
* the prompt and the response of a cron run: one turn of a session of that job, within
  the same time as a prompt;
* a turn of a trajectory, which has neither time nor session: a turn in the project.
"""

import collections
import functools
import hashlib
import itertools
import json
import re
from typing import NamedTuple

from hermes_plaso import temporary_database
from hermes_plaso.formats import homes
from hermes_plaso.formats import text

_TOLERANCE = 2 * 1000000

# Local time of a zone that is not known is off by no more than this.
_LOCAL_TOLERANCE = 14 * 60 * 60 * 1000000 + _TOLERANCE

_DIGEST_SIZE = 16

_MESSAGE = "hermes:message:entry"
_PROMPT = "hermes:prompt_history:entry"
_SESSION = "hermes:session:entry"
_SYSTEM_PROMPT = "hermes:session:system_prompt"

# The order of the stores: the live database, what it no longer shows, its copies,
# then the other records of turns, those that know more of a turn first.
_ORDER_STATE = 0
_ORDER_RECOVERED = 1
_ORDER_COPIES = 2
_ORDER_OTHERS = 9
_ORDER_PER_STORE = {
    homes.STORE_DIVERT: 3,
    homes.STORE_SESSION_JSON: 4,
    homes.STORE_RESPONSE_STORE: 5,
    homes.STORE_CRON_OUTPUT: 6,
    homes.STORE_PROMPT_HISTORY: 7,
    homes.STORE_TRAJECTORY: 8,
}

# What describes the place of a record and not the record.
_PLACE_ATTRIBUTES = frozenset(
    [
        "bulk_written",
        "copy_identifier",
        "profile",
        "record_identifier",
        "recovered",
        "recovery_source",
        "store",
        "tier",
        "time_value",
        "username",
    ]
)

# What a record has of its session, which can change after a copy was made.
_PLACE_AND_SESSION_ATTRIBUTES = _PLACE_ATTRIBUTES | {"git_branch", "project_path"}

# What an event says of a turn, apart from how its store writes it down.
_ATTRIBUTES_PER_TURN = {
    _MESSAGE: ("turn_type", "text"),
    "hermes:message:reasoning": ("text",),
    "hermes:message:tool_call": ("tool_name", "arguments"),
    "hermes:permission:decision": ("outcome", "command", "pattern_key", "text"),
    _SYSTEM_PROMPT: ("text",),
}

# Sessions of cron jobs are named after the job, or by the unified runtime, where only
# their source tells (hermes_state_keys.py).
_CRON_SESSION_RE = re.compile(r"cron_(.+)_[0-9]{8}_[0-9]{6}", re.DOTALL)
_CRON_SOURCE = "cron"

# How the twin of a record is found.
_RULE_SESSION = 0
_RULE_PROMPT = 1
_RULE_CRON = 2
_RULE_PROJECT = 3


class _Row(NamedTuple):
    """What is remembered of a record.

    Attributes:
      digest (bytes): digest of what the record says.
      rule (int): how its twin is found.
      source (int): number of the source, which is a store and its copy.
      scope (str): session identifier, or what else limits where the twin is.
      home (str): what tells a home, or a profile of it, from every other one.
      machine (str): what tells the homes of one user from those of another.
      marker (str): why the message is inactive.
      project (str): directory the session worked in.
      time (int): time in microseconds or None.
      is_local (int): 1 if the time is local time.
      number (int): number of the event, None if no twin of it is looked for.
    """

    digest: bytes
    rule: int
    source: int
    scope: str | None
    home: str
    machine: str | None = None
    marker: str | None = None
    project: str | None = None
    time: int | None = None
    is_local: int = 0
    number: int | None = None


class _Source(NamedTuple):
    """Where records come from.

    Attributes:
      order (int): how good the store is, lower for a better one.
      is_recovered (bool): True for what the store no longer shows.
      copy_identifier (str): which copy, empty for the live store.
      profile (str): name of the profile or empty.
      store (str): kind of file.
    """

    order: int
    is_recovered: bool
    copy_identifier: str
    profile: str
    store: str


_COLUMNS = ", ".join(_Row._fields)

_SCHEMA = f"""
CREATE TABLE records ({_COLUMNS:s});
CREATE TABLE cron_sessions (session PRIMARY KEY) WITHOUT ROWID;
"""

_INSERT = f"INSERT INTO records VALUES ({', '.join('?' * len(_Row._fields)):s})"


def IsSecondary(values):
    """Determines if an event is of a record that can repeat one of a better store.

    Args:
      values (HermesEventData): event data.

    Returns:
      bool: True if the record is not the current state of the live database. A
          snapshot itself is not a record of it.
    """
    if values.data_type == "hermes:snapshot:entry":
        return False
    return (
        getattr(values, "tier", None) == homes.TIER_SECONDARY
        or getattr(values, "recovered", None) is not None
    )


def _Digest(*values):
    """Calculates the digest of what a record says.

    Args:
      values (list[object]): what it says.

    Returns:
      bytes: digest.
    """
    serialized = json.dumps(values, default=str, sort_keys=True)
    return hashlib.blake2b(
        serialized.encode("utf-8"), digest_size=_DIGEST_SIZE
    ).digest()


def _Normalize(name, value):
    """Normalizes a value that stores write down in different ways.

    Args:
      name (str): name of the attribute.
      value (object): value.

    Returns:
      object: normalized value.
    """
    if name == "arguments" and isinstance(value, str):
        # Some stores write the arguments anew, with other white space and order.
        decoded, reason = text.FromJSON(value)
        return value.strip() if reason else decoded
    if isinstance(value, str):
        return value.strip()
    return value


def _DigestRecord(values, time_description):
    """Calculates the digest of a record that is no turn.

    Args:
      values (HermesEventData): event data.
      time_description (str): what the time of the event is of the record.

    Returns:
      bytes: digest.
    """
    left_out = _PLACE_ATTRIBUTES
    if values.data_type != _SESSION:
        left_out = _PLACE_AND_SESSION_ATTRIBUTES
    said = [
        (name, value)
        for name, value in values.GetAttributes()
        if name not in left_out
        and not name.startswith("_")
        and not name.endswith("_time")
    ]
    return _Digest(time_description, sorted(said))


def GetOrder(values):
    """Determines how good the store is that a record came from.

    Args:
      values (HermesEventData): event data.

    Returns:
      int: order, lower for a better one and 0 for the live database.
    """
    store = getattr(values, "store", None)
    if store not in homes.STATE_STORES:
        return _ORDER_PER_STORE.get(store, _ORDER_OTHERS)
    if getattr(values, "copy_identifier", None):
        return _ORDER_COPIES
    is_recovered = getattr(values, "recovered", None) is not None
    return _ORDER_RECOVERED if is_recovered else _ORDER_STATE


def _GetRule(values):
    """Determines how the twin of a record is found.

    Args:
      values (HermesEventData): event data.

    Returns:
      int: rule.
    """
    store = getattr(values, "store", None)
    has_text = bool((getattr(values, "text", None) or "").strip())
    if values.data_type == _PROMPT:
        is_typed = getattr(values, "turn_type", None) == "user"
        return _RULE_PROMPT if is_typed and has_text else _RULE_SESSION
    if store == homes.STORE_CRON_OUTPUT and values.data_type == _MESSAGE and has_text:
        return _RULE_CRON
    if store == homes.STORE_TRAJECTORY and values.data_type in _ATTRIBUTES_PER_TURN:
        return _RULE_PROJECT
    return _RULE_SESSION


def _GetDigest(values, time_description):
    """Calculates the digest of what a record says.

    Args:
      values (HermesEventData): event data.
      time_description (str): what the time of the event is of the record.

    Returns:
      bytes: digest.
    """
    data_type = values.data_type
    if data_type == _PROMPT and getattr(values, "turn_type", None) == "user":
        data_type = _MESSAGE
    names = _ATTRIBUTES_PER_TURN.get(data_type)
    if names:
        said = [_Normalize(name, getattr(values, name, None)) for name in names]
        # A turn of which nothing is known has no twin but its copy.
        if any(said[1:] if data_type == _MESSAGE else said):
            return _Digest(data_type, said)
    return _DigestRecord(values, time_description)


def _RankSources(sources):
    """Ranks sources.

    Args:
      sources (list[_Source]): sources.

    Returns:
      list[int]: rank per source, lower for a better one. The newest copy of a store
          comes first, what a store no longer shows after what it shows.
    """
    keys = sorted({source.copy_identifier for source in sources}, reverse=True)
    age = {copy_identifier: index for index, copy_identifier in enumerate(keys)}
    keys = [
        (
            source.order,
            bool(source.copy_identifier),
            age[source.copy_identifier],
            source.is_recovered,
        )
        for source in sources
    ]
    rank = {key: index for index, key in enumerate(sorted(set(keys)))}
    return [rank[key] for key in keys]


def _SplitProject(path):
    """Splits the path of a project, for comparison with one from another store.

    A store has the path as it was on the machine, another one where the evidence was
    found, which can be deeper. Windows has a drive in the one and none in the other.

    Args:
      path (str): path.

    Returns:
      list[str]: components.
    """
    components = re.split(r"[/\\]+", path)
    return [
        component.lower()
        for component in components
        if component and not re.fullmatch(r"[A-Za-z]:", component)
    ]


def _IsSameProject(path, other_path):
    """Determines if two paths can be those of one project.

    Evidence is unpacked and exported to where the directories above the project have
    other names.

    Args:
      path (str): path.
      other_path (str): path.

    Returns:
      bool: True if the last two components are the same, or one path ends in the other.
    """
    components = _SplitProject(path)
    other_components = _SplitProject(other_path)
    length = min(len(components), len(other_components), 2)
    return bool(length) and components[-length:] == other_components[-length:]


def _FindBestRanks(rows, ranks):
    """Finds the best store that holds what a record says, near its time.

    Args:
      rows (list[_Row]): rows of records that say the same.
      ranks (list[int]): rank per source, lower for a better one.

    Yields:
      tuple[_Row, int]: row and the best rank of all rows within the tolerance, where a
          row without a time is near to all.
    """
    timed = [row for row in rows if row.time is not None]
    timed.sort(key=lambda row: row.time)
    untimed = [row for row in rows if row.time is None]
    best = min(ranks[row.source] for row in rows)
    for row in untimed:
        yield row, best

    best_untimed = min((ranks[row.source] for row in untimed), default=len(ranks))
    # Rows of the window of which the rank can still be the best one.
    window = collections.deque()
    end = 0
    for row in timed:
        while end < len(timed) and timed[end].time <= row.time + _TOLERANCE:
            rank = ranks[timed[end].source]
            while window and window[-1][0] >= rank:
                window.pop()
            window.append((rank, timed[end].time))
            end += 1
        while window[0][1] < row.time - _TOLERANCE:
            window.popleft()
        yield row, min(window[0][0], best_untimed)


def _MatchOnce(times, better_times, before, after, until_next=False):
    """Matches sorted times with sorted times, each of them at most once.

    Args:
      times (list[tuple[int, object]]): times, in microseconds, and what has them.
      better_times (list[int]): times to match them with.
      before (int): by how much a better time may be before a time, in microseconds.
      after (int): by how much it may be after it, in microseconds.
      until_next (Optional[bool]): True if it must also be before the next time.

    Returns:
      tuple[list[object], list[tuple[int, object]], list[int]]: what has a match, and
          the times and better times that have none.
    """
    matched = []
    unmatched = []
    left_over = []
    index = 0
    for number, (time, item) in enumerate(times, 1):
        end = time + after
        if until_next and number < len(times):
            end = min(end, times[number][0] - before - 1)
        while index < len(better_times) and better_times[index] < time - before:
            left_over.append(better_times[index])
            index += 1
        if index < len(better_times) and better_times[index] <= end:
            matched.append(item)
            index += 1
        else:
            unmatched.append((time, item))
    return matched, unmatched, left_over + better_times[index:]


def _FindProjectTwins(rows, better_rows):
    """Finds the twins of turns of trajectories, which have neither session nor time.

    Args:
      rows (list[_Row]): rows of one project.
      better_rows (list[_Row]): rows of better stores that say the same.

    Yields:
      int: number of an event of which the record has a twin.
    """
    project = rows[0].project
    projects = {row.project for row in better_rows if row.project}
    if project and any(_IsSameProject(project, other) for other in projects):
        for row in rows:
            yield row.number


def _FindPromptTwins(rows, better_rows):
    """Finds the twins of prompts, and of other turns, that name no session.

    A prompt that was typed twice is two turns, of which one can be deleted: a turn is
    the twin of one prompt only.

    Args:
      rows (list[_Row]): rows of one store.
      better_rows (list[_Row]): rows of better stores that say the same.

    Yields:
      int: number of an event of which the record has a twin.
    """
    # A prompt is recorded before its turn, the document of a run after its turns.
    sign = -1 if rows[0].rule == _RULE_CRON else 1
    # What was branched or compacted, and copies, have the time of the turn again.
    better_times = sorted(
        {sign * row.time for row in better_rows if row.time is not None}
    )
    times = [(sign * row.time, row) for row in rows if row.time is not None]
    times.sort(key=lambda item: item[0])

    matched, times, better_times = _MatchOnce(
        times, better_times, _TOLERANCE, _TOLERANCE
    )
    yield from (row.number for row in matched)

    times = [(time, row) for time, row in times if row.is_local]
    matched, times, better_times = _MatchOnce(
        times, better_times, _TOLERANCE, _LOCAL_TOLERANCE, until_next=True
    )
    yield from (row.number for row in matched)

    # Where the zone of local time is not known the offset is off.
    matched, _, _ = _MatchOnce(times, better_times, _LOCAL_TOLERANCE, _LOCAL_TOLERANCE)
    yield from (row.number for row in matched)


class TwinFinder:
    """Finds which records of secondary stores have a twin in a better store.

    What is remembered of a record is its digest, in a temporary database that SQLite
    keeps on disk, so that memory does not grow with the number of records.
    """

    def __init__(self):
        """Initializes a finder."""
        super().__init__()
        self._database = temporary_database.TemporaryDatabase(_SCHEMA, _INSERT)
        self._sources = {}

    def Close(self):
        """Closes the temporary database."""
        self._database.Close()

    def Add(self, values, time, time_description, number, root="", home=""):
        """Adds the record of an event.

        Args:
          values (HermesEventData): event data.
          time (int): time of the event in microseconds since 1970, UTC, or None if it
              has none.
          time_description (str): what the time is of the record.
          number (int): number that identifies the event.
          root (Optional[str]): what tells the evidence of one machine from that of
              another.
          home (Optional[str]): what tells the home, or the profile of it, that the
              record is of from every other one.
        """
        is_secondary = IsSecondary(values)
        get = functools.partial(getattr, values)
        if not is_secondary and get("tier", None) != homes.TIER_PRIMARY:
            return

        store = get("store", None)
        session = get("session_identifier", None)
        source = self._GetSource(values)
        rule = _GetRule(values)
        digest = _GetDigest(values, time_description)
        scope = session
        if rule == _RULE_CRON:
            scope = get("job_identifier", None)
        elif not session:
            # Nothing tells the session: only another copy of the store is a twin.
            scope = f"\x00{store!s}"

        if values.data_type == _SYSTEM_PROMPT:
            # A transcript starts a little later than its session.
            time = None
        if values.data_type == _SESSION and session:
            if get("session_source", None) == _CRON_SOURCE:
                self._database.Execute(
                    "INSERT OR IGNORE INTO cron_sessions VALUES (?)", (session,)
                )
            if store == homes.STORE_SESSION_JSON:
                # It says less of the session than the row, whose twin it is.
                digest = _Digest(_SESSION)
                time = None
            else:
                self._database.Insert(
                    _Row(_Digest(_SESSION), rule, source, scope, home)
                )

        recorded_time = get("recorded_time", None)
        self._database.Insert(
            _Row(
                digest,
                rule,
                source,
                scope,
                home,
                f"{root:s}\x00{get('username', None) or '':s}",
                get("inactive_reason", None),
                get("project_path", None),
                time,
                int(bool(getattr(recorded_time, "is_local_time", False))),
                number if is_secondary else None,
            )
        )

    def _GetSource(self, values):
        """Determines where a record comes from.

        Args:
          values (HermesEventData): event data.

        Returns:
          int: number of the source.
        """
        get = functools.partial(getattr, values)
        source = _Source(
            GetOrder(values),
            get("recovered", None) is not None,
            get("copy_identifier", None) or "",
            get("profile", None) or "",
            get("store", None) or "",
        )
        return self._sources.setdefault(source, len(self._sources))

    def FindTwins(self):
        """Finds the twins of the records that were added.

        Yields:
          tuple[int, bool, str]: number of an event, True if a better store holds the
              record, and the store the record came from.
        """
        sources = list(self._sources)
        ranks = _RankSources(sources)
        cursor = self._database.Execute(
            f"SELECT {_COLUMNS:s} FROM records ORDER BY digest"
        )
        for _, rows in itertools.groupby(map(_Row._make, cursor), lambda row: row[0]):
            rows = list(rows)
            numbers = set()
            if any(row.number is not None for row in rows):
                numbers = self._FindTwinsOfGroup(rows, sources, ranks)
            for row in rows:
                if row.number is not None:
                    store = sources[row.source].store
                    yield row.number, row.number in numbers, store

    def _FindTwinsOfGroup(self, rows, sources, ranks):
        """Finds the twins of records that say the same.

        Args:
          rows (list[_Row]): rows.
          sources (list[_Source]): sources.
          ranks (list[int]): rank per source.

        Returns:
          set[int]: numbers of the events of which the record has a twin.
        """
        numbers = set()
        rows_per_rule = collections.defaultdict(list)
        for row in rows:
            rows_per_rule[row.rule].append(row)
        session_rows = rows_per_rule.pop(_RULE_SESSION, [])

        rows_per_session = collections.defaultdict(list)
        for row in session_rows:
            rows_per_session[row.home, row.scope].append(row)
        for group in rows_per_session.values():
            for row, best_rank in _FindBestRanks(group, ranks):
                if (
                    best_rank < ranks[row.source]
                    and sources[row.source].order > _ORDER_COPIES
                ):
                    numbers.add(row.number)

            # A message that was rewound after a copy was made is kept from both.
            rows_per_marker = collections.defaultdict(list)
            for row in group:
                if sources[row.source].order <= _ORDER_COPIES:
                    rows_per_marker[row.marker].append(row)
            for marked_rows in rows_per_marker.values():
                for row, best_rank in _FindBestRanks(marked_rows, ranks):
                    if best_rank < ranks[row.source]:
                        numbers.add(row.number)

        for rule, rule_rows in rows_per_rule.items():
            rows_per_place = collections.defaultdict(list)
            for row in rule_rows:
                place = row.project if rule == _RULE_PROJECT else row.scope
                rows_per_place[row.source, row.machine, place].append(row)
            for (source, machine, place), group in rows_per_place.items():
                better_rows = [
                    row for row in session_rows if ranks[row.source] < ranks[source]
                ]
                if rule == _RULE_PROJECT:
                    numbers.update(_FindProjectTwins(group, better_rows))
                    continue
                if rule == _RULE_CRON:
                    better_rows = [
                        row for row in better_rows if self._IsOfJob(row.scope, place)
                    ]
                numbers.update(
                    _FindPromptTwins(
                        group, [row for row in better_rows if row.machine == machine]
                    )
                )
        numbers.discard(None)
        return numbers

    def _IsOfJob(self, session, job):
        """Determines if a session can be a run of a cron job.

        Args:
          session (str): session identifier.
          job (str): job identifier.

        Returns:
          bool: True if it can be.
        """
        match = _CRON_SESSION_RE.fullmatch(session)
        if match:
            return match.group(1) == job
        cursor = self._database.Execute(
            "SELECT 1 FROM cron_sessions WHERE session = ?", (session,)
        )
        return cursor.fetchone() is not None

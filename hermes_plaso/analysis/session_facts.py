"""What events say of the sessions they belong to."""

import collections
import itertools
import json
import sys
from typing import NamedTuple

from dfdatetime import posix_time

from plaso.lib import definitions

from hermes_plaso import temporary_database

_SCHEMA = """
CREATE TABLE facts (session, name, value, identity, time, number, rank, content);
CREATE TABLE duplicates (number INTEGER PRIMARY KEY);
CREATE TABLE only_copies (number INTEGER PRIMARY KEY);
CREATE TABLE moves (session PRIMARY KEY, other) WITHOUT ROWID;
"""

# Sessions of which nothing is known but that they are named, as in a line of a log.
_NAMED_QUERY = """
SELECT session FROM facts WHERE session IS NOT NULL
GROUP BY session HAVING MAX(name) = 'stores' AND MIN(name) = 'stores'
"""

_OTHERS_QUERY = """
SELECT DISTINCT session FROM facts
WHERE session > ? AND session < ? AND name <> 'stores' LIMIT 2
"""

# What repeats a record of a better store tells nothing new, but that it is there. Nor
# do the copies that compaction makes in a session, where they have the time of the
# compaction, see corrections 6.
_QUERY = """
SELECT facts.session, name, value, COUNT(DISTINCT identity), MIN(time), MIN(rank),
    SUM(number IN (SELECT number FROM duplicates)),
    SUM(number IN (SELECT number FROM only_copies))
FROM facts JOIN (
    SELECT session, MIN(time) AS first_time
    FROM facts GROUP BY session
) AS sessions ON facts.session = sessions.session
WHERE name = 'stores' OR name <> 'compacted'
AND number NOT IN (SELECT number FROM duplicates) AND NOT EXISTS (
    SELECT 1 FROM facts AS originals WHERE originals.name = 'compacted'
    AND originals.session = facts.session AND originals.content = facts.content
    AND originals.time < facts.time
)
GROUP BY facts.session, name, value
ORDER BY sessions.first_time, facts.session, name, MIN(time), value
"""

# What sessions and their models count alike.
_USAGE_ATTRIBUTES = (
    "input_tokens",
    "output_tokens",
    "cache_read_tokens",
    "cache_write_tokens",
    "reasoning_tokens",
    "estimated_cost_usd",
    "actual_cost_usd",
)

# What an event of a row of sessions says of the session, see HermesSessionEventData.
_SESSION_ATTRIBUTES = (
    "title",
    "session_source",
    "created_source",
    "username",
    "profile_name",
    "user_identifier",
    "user_name",
    "chat_identifier",
    "chat_type",
    "chat_name",
    "chat_display_name",
    "thread_identifier",
    "project_path",
    "git_branch",
    "model",
    "parent_session_identifier",
    "parent_relation",
    "end_reason",
    "archived",
    "auto_archived",
    "hidden",
    "pinned",
    "imported_tool",
    "imported_path",
    "imported_session_identifier",
    "message_count",
    "tool_call_count",
    "api_call_count",
    "rewind_count",
    *_USAGE_ATTRIBUTES,
)

_MODEL_ATTRIBUTES = (
    "model",
    "previous_model",
    "provider",
    "task",
    "api_call_count",
    *_USAGE_ATTRIBUTES,
)

_DECISION_ATTRIBUTES = (
    "outcome",
    "decided_by",
    "command",
    "reason",
    "pattern_key",
    "user_summary",
)

_RELAY_ATTRIBUTES = (
    "session_source",
    "chat_identifier",
    "chat_type",
    "chat_display_name",
    "thread_identifier",
    "user_identifier",
    "user_name",
)

_IDENTITY_ATTRIBUTES = ("turn_type", "tool_call_identifier", "arguments", "text")

# Attributes of a tool call that tell what it touched, and their names in the report.
_NAME_PER_TOUCHED_ATTRIBUTE = {
    "command": "commands",
    "path": "files",
    "search_query": "searches",
    "url": "urls",
}

# What a row of session_model_usage is the only one of, in a session.
_MODEL_KEY = ("model", "provider", "task")

_UNKNOWN = "unknown"

# No path has it. What begins with a text and it sorts before the text and the other.
_KEY_SEPARATOR = "\x00"
_KEY_SEPARATOR_SUCCESSOR = "\x01"

# Facts of which each value tells how often it occurred.
_REPEATED_NAMES = frozenset(
    ["commands", "decisions", "files", "model_switches", "searches", "urls"]
)

# Facts that are numbers of records per value.
_COUNTED_NAMES = frozenset(["context_differs", "inactive_turns", "tools", "turns"])

_NAME_PER_TIME_DESCRIPTION = {
    definitions.TIME_DESCRIPTION_END: "end_time",
    definitions.TIME_DESCRIPTION_LAST_ACTIVE: "last_active_time",
    definitions.TIME_DESCRIPTION_START: "start_time",
}

# What a row of messages becomes.
_MESSAGE_DATA_TYPES = frozenset(
    [
        "hermes:message:entry",
        "hermes:message:reasoning",
        "hermes:message:tool_call",
        "hermes:model:switch",
    ]
)

# What only an event of the current state, or of a copy of it, tells.
_RECORD_NAMES = frozenset(["session", "tools", "turns"])


def _Select(values, names):
    """Selects the attributes that an event has.

    Args:
      values (HermesEventData): event data.
      names (list[str]): names of attributes.

    Returns:
      dict[str, object]: values per name.
    """
    selected = {name: getattr(values, name, None) for name in names}
    return {name: value for name, value in selected.items() if value is not None}


def _GetFacts(values, time_description):
    """Determines what an event says of its session.

    Args:
      values (HermesEventData): event data.
      time_description (str): what the time of the event is of the record.

    Yields:
      tuple[str, object]: name of the fact and its value.
    """
    data_type = values.data_type
    if getattr(values, "inactive_reason", None) == "compacted":
        yield "compacted", None
    if data_type == "hermes:session:entry":
        yield "session", _Select(values, _SESSION_ATTRIBUTES)
        if time_description in _NAME_PER_TIME_DESCRIPTION:
            yield time_description, None
    elif data_type == "hermes:message:entry":
        reason = getattr(values, "inactive_reason", None)
        turn_type = getattr(values, "turn_type", None)
        # The active copy of what was carried over says the same.
        if reason != "carried":
            yield "turns", turn_type
            if reason:
                yield "inactive_turns", reason
        if getattr(values, "api_content", None) is not None:
            yield "context_differs", turn_type
    elif data_type == "hermes:message:reasoning":
        yield "turns", getattr(values, "turn_type", None)
    elif data_type == "hermes:message:tool_call":
        if getattr(values, "inactive_reason", None) != "carried":
            tool_name = getattr(values, "tool_name", None)
            yield "tools", tool_name
            for attribute_name, name in _NAME_PER_TOUCHED_ATTRIBUTE.items():
                value = getattr(values, attribute_name, None)
                if value is not None:
                    yield name, {"tool_name": tool_name, attribute_name: value}
    elif data_type == "hermes:permission:decision":
        yield "decisions", _Select(values, _DECISION_ATTRIBUTES)
    elif data_type == "hermes:permission:setting":
        yield "settings", _Select(values, ("setting", "value", "origin"))
    elif data_type == "hermes:model:usage":
        yield "models", _Select(values, _MODEL_ATTRIBUTES)
    elif data_type == "hermes:model:switch":
        yield "model_switches", _Select(values, _MODEL_ATTRIBUTES)
    elif data_type == "hermes:session:relay":
        yield "relays", _Select(values, _RELAY_ATTRIBUTES)
    elif data_type == "hermes:session:scratch_directory":
        yield "scratch_directories", _Select(values, ("path", "repository"))
    elif data_type == "hermes:session:deletion" or (
        data_type == "hermes:session:mutation"
        and getattr(values, "operation", None) == "delete"
    ):
        yield "deletions", _Select(values, ("sweep",))


class _Fact(NamedTuple):
    """Fact of a session, of all events that tell it.

    Attributes:
      session (str): key of the session, see _GetKey.
      name (str): name of the fact.
      value (str): value of the fact, as JSON.
      count (int): number of records that tell it.
      time (int): first time in microseconds or None.
      rank (int): how good the best store is that tells it.
      duplicates (int): number of events that repeat what a better store holds.
      only_copies (int): number of events of what no better store holds.
    """

    session: str
    name: str
    value: str
    count: int
    time: int | None
    rank: int
    duplicates: int
    only_copies: int


def _GetKey(session, home):
    """Determines what tells a session from every other one.

    Homes do not share sessions, but can have some of one identifier: a profile that was
    cloned, or a home that was copied to another machine.

    Args:
      session (str): session identifier.
      home (Home): home.

    Returns:
      str: key.
    """
    return _KEY_SEPARATOR.join((session, *home))


def _FormatTime(time):
    """Formats a time.

    Args:
      time (int): time in microseconds since 1970, UTC, or None.

    Returns:
      str: ISO 8601 date and time or None.
    """
    if time is None:
        return None
    date_time = posix_time.PosixTimeInMicroseconds(timestamp=time)
    return date_time.CopyToDateTimeStringISO8601()


def _Summarize(key, facts):
    """Summarizes a session.

    Args:
      key (str): key of the session.
      facts (iterator[_Fact]): facts.

    Returns:
      dict[str, object]: summary, of values that JSON has.
    """
    in_live_store = False
    others = {}
    # Versions of a row tell of the same: the best store has the current one.
    models = {}
    rows = collections.defaultdict(dict)
    for fact in facts:
        name = fact.name
        value = json.loads(fact.value)
        time = _FormatTime(fact.time)
        if fact.rank == 0 and name in _RECORD_NAMES:
            in_live_store = True

        if name == "session":
            rows[fact.rank] = {**value, **rows[fact.rank]}
        elif name in _NAME_PER_TIME_DESCRIPTION:
            rows[fact.rank][_NAME_PER_TIME_DESCRIPTION[name]] = time
        elif name == "models":
            model = tuple(value.get(name) for name in _MODEL_KEY)
            if fact.rank < models.get(model, (sys.maxsize,))[0]:
                models[model] = (fact.rank, {**value, "time": time})
        elif name == "messages_read":
            others[name] = fact.count
        elif name in _COUNTED_NAMES:
            others.setdefault(name, {})[value or _UNKNOWN] = fact.count
        elif name == "stores":
            value.update(
                duplicates=fact.duplicates,
                events=fact.count,
                only_copies=fact.only_copies,
            )
            others.setdefault(name, []).append(value)
        else:
            if name in _REPEATED_NAMES:
                value["count"] = fact.count
            others.setdefault(name, []).append({**value, "time": time})
    if models:
        others["models"] = [value for _, value in models.values()]
    row = rows[min(rows)] if rows else {}
    session, evidence, home, profile = key.rsplit(_KEY_SEPARATOR, maxsplit=3)
    return {
        "session_identifier": session,
        "evidence": evidence,
        "home": home,
        "profile": profile,
        "in_live_store": in_live_store,
        **row,
        **others,
    }


class SessionFacts:
    """Facts of sessions, in a temporary database that SQLite keeps on disk."""

    def __init__(self):
        """Initializes facts."""
        super().__init__()
        self._database = temporary_database.TemporaryDatabase(
            _SCHEMA, "INSERT INTO facts VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        )

    def Close(self):
        """Closes the temporary database."""
        self._database.Close()

    def Add(self, values, time, time_description, number, rank, home):
        """Adds what an event says of its session.

        Args:
          values (HermesEventData): event data.
          time (int): time of the event in microseconds since 1970, UTC, or None if it
              has none.
          time_description (str): what the time is of the record.
          number (int): number that identifies the event.
          rank (int): how good the store of the event is, lower for a better one.
          home (Home): home that the event is of.
        """
        session = getattr(values, "session_identifier", None)
        store = _Select(values, ("store", "copy_identifier", "recovered"))
        key = _GetKey(session, home) if session else None
        self._AddFact(key, "stores", store, number, time, number, rank)
        if not session:
            return

        # Versions of a row, and rows that were copied, tell of the same turn.
        attributes = tuple(getattr(values, name, None) for name in _IDENTITY_ATTRIBUTES)
        is_copy = getattr(values, "bulk_written", None) is not None
        identity = hash((time, *attributes))
        for name, value in _GetFacts(values, time_description):
            content = hash(attributes) if is_copy or name == "compacted" else None
            self._AddFact(key, name, value, identity, time, number, rank, content)

        # Held against the number that Hermes keeps in the row of the session, this
        # tells of messages that are gone.
        if rank == 0 and values.data_type in _MESSAGE_DATA_TYPES:
            row_identifier, _, _ = str(
                getattr(values, "record_identifier", None)
            ).partition(":")
            self._AddFact(
                key, "messages_read", None, row_identifier, time, number, rank
            )

        parent = getattr(values, "parent_session_identifier", None)
        if values.data_type == "hermes:session:entry" and parent:
            child = {
                "session_identifier": session,
                **_Select(values, ("parent_relation",)),
            }
            self._AddFact(
                _GetKey(parent, home), "children", child, session, time, number, rank
            )

    def _AddFact(self, key, name, value, identity, time, number, rank, content=None):
        """Adds a fact.

        Args:
          key (str): key of the session or None.
          name (str): name of the fact.
          value (object): value of the fact.
          identity (int|str): what tells it from another one of the same value.
          time (int): time in microseconds or None.
          number (int): number of the event.
          rank (int): how good the store is.
          content (Optional[int]): what a message that was compacted and its copy both
              have, None for what is neither.
        """
        value = json.dumps(value, sort_keys=True)
        self._database.Insert((key, name, value, identity, time, number, rank, content))

    def SetTwins(self, twins):
        """Sets which events repeat what a better store holds.

        Args:
          twins (iterator[tuple[int, bool, str]]): number of an event, True if a better
              store holds the record, and the store the record came from.
        """
        for number, has_twin, _ in twins:
            table = "duplicates" if has_twin else "only_copies"
            self._database.Execute(f"INSERT INTO {table:s} VALUES (?)", (number,))
        self._database.Execute("CREATE INDEX facts_per_session ON facts (session)")
        self._database.Execute(
            "CREATE INDEX compacted ON facts (session, content) "
            "WHERE name = 'compacted'"
        )
        self._MoveNamedSessions()

    def _MoveNamedSessions(self):
        """Moves what only names a session to the profile that has the session.

        The logs of a home name sessions of its profiles.
        """
        for (key,) in self._database.Execute(_NAMED_QUERY):
            session_and_home, _, _ = key.rpartition(_KEY_SEPARATOR)
            others = self._database.Execute(
                _OTHERS_QUERY,
                (
                    session_and_home + _KEY_SEPARATOR,
                    session_and_home + _KEY_SEPARATOR_SUCCESSOR,
                ),
            ).fetchall()
            if len(others) == 1:
                self._database.Execute(
                    "INSERT INTO moves VALUES (?, ?)", (key, *others[0])
                )
        self._database.Execute(
            "UPDATE facts SET session = other FROM moves "
            "WHERE facts.session = moves.session"
        )

    def GetSessions(self):
        """Retrieves the sessions.

        Yields:
          dict[str, object]: summary of a session, in the order of their first events.
        """
        rows = map(_Fact._make, self._database.Execute(_QUERY))
        for key, facts in itertools.groupby(rows, lambda fact: fact.session):
            yield _Summarize(key, facts)

    def GetNumberOfEventsWithoutSession(self):
        """Determines how many events name no session.

        Returns:
          dict[str, int]: number of events per store.
        """
        counter = collections.Counter()
        for value, number in self._database.Execute(
            "SELECT value, COUNT(*) FROM facts WHERE session IS NULL GROUP BY value"
        ):
            counter[json.loads(value).get("store")] += number
        return {str(store): counter[store] for store in sorted(counter, key=str)}

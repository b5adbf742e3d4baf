"""The state database: its tables, and which decoder reads each.

Columns vary from build to build, whatever schema_version says (corrections 1), so a
query names those that exist and a decoder takes what it is given.
"""

import collections
import collections.abc
from typing import NamedTuple

from hermes_plaso.formats import gateway
from hermes_plaso.formats import messages
from hermes_plaso.formats import records
from hermes_plaso.formats import sessions
from hermes_plaso.formats import state_meta
from hermes_plaso.formats import text
from hermes_plaso.formats import times

# What identifies a database as Hermes' (corrections 1).
REQUIRED_STRUCTURE = {
    "messages": frozenset(["content", "id", "role", "session_id", "timestamp"]),
    "sessions": frozenset(["id", "source", "started_at"]),
}

# Latest version of the schema that is known (hermes_state_common.py).
LATEST_SCHEMA_VERSION = 32

# Number of sessions whose values are kept: a database can hold more sessions than
# memory should.
_MAXIMUM_CACHED_SESSIONS = 1024

# What other rows tell of a message.
MARK_BULK_WRITTEN = "bulk_written"
MARK_CARRIED = "carried"

_NOT_ASKED = object()


class Table(NamedTuple):
    """A table of the state database.

    Attributes:
      name (str): name of the table.
      columns (tuple[str, ...]): names of the columns that its decoder reads, where
          they exist.
      decode (callable): function that takes a row and its row identifier and returns
          its records. None where StateDecoder decodes, with what other rows tell.
    """

    name: str
    columns: tuple
    decode: collections.abc.Callable | None = None


_MESSAGES = Table("messages", messages.KEYS)

_SESSIONS = Table(
    "sessions",
    (
        "actual_cost_usd",
        "api_call_count",
        "archived",
        "auto_archived",
        "cache_read_tokens",
        "cache_write_tokens",
        "chat_id",
        "chat_type",
        "created_source",
        "cwd",
        "display_name",
        "end_reason",
        "ended_at",
        "estimated_cost_usd",
        "git_branch",
        "git_repo_root",
        "hidden",
        "id",
        "input_tokens",
        "last_activity_at",
        "message_count",
        "model",
        "model_config",
        "origin_json",
        "output_tokens",
        "parent_session_id",
        "pinned",
        "profile_name",
        "reasoning_tokens",
        "rewind_count",
        "source",
        "started_at",
        "system_prompt",
        "system_prompt_hash",
        "thread_id",
        "title",
        "tool_call_count",
        "user_id",
    ),
)

_SESSION_MODEL_USAGE = Table(
    "session_model_usage",
    (
        "actual_cost_usd",
        "api_call_count",
        "billing_base_url",
        "billing_provider",
        "cache_read_tokens",
        "cache_write_tokens",
        "estimated_cost_usd",
        "first_seen",
        "input_tokens",
        "last_seen",
        "model",
        "output_tokens",
        "reasoning_tokens",
        "session_id",
        "task",
    ),
)

# In the order they are read.
TABLES = (
    _SESSIONS,
    _SESSION_MODEL_USAGE,
    _MESSAGES,
    Table("system_prompts", ("hash", "prompt")),
    Table("state_meta", ("key", "value")),
    Table(
        "conversation_generations",
        ("generation", "session_key", "source"),
        gateway.DecodeGeneration,
    ),
    Table(
        "hosted_rooms",
        (
            "created_at",
            "disbanded_at",
            "members_json",
            "name",
            "room_id",
            "updated_at",
        ),
        gateway.DecodeRoom,
    ),
    Table(
        "hosted_room_retired_ids", ("retired_at", "room_id"), gateway.DecodeRetiredRoom
    ),
    Table(
        "hosted_room_events",
        (
            "actor_json",
            "created_at",
            "event_id",
            "kind",
            "payload_json",
            "room_id",
            "seq",
        ),
    ),
    Table(
        "gateway_routing",
        ("entry_json", "scope", "session_key", "updated_at"),
        gateway.DecodeRoute,
    ),
    Table(
        "session_admissions",
        (
            "admission_id",
            "generation",
            "intent",
            "outcome",
            "payload_digest",
            "payload_json",
            "principal_id",
            "request_id",
            "status",
            "target_session_id",
        ),
        gateway.DecodeAdmission,
    ),
    Table(
        "async_delegations",
        (
            "completed_at",
            "delegation_id",
            "delivered_at",
            "delivery_state",
            "dispatched_at",
            "event_json",
            "origin_session",
            "origin_session_id",
            "owner_pid",
            "parent_session_id",
            "result_json",
            "state",
            "task_json",
            "updated_at",
        ),
        gateway.DecodeDelegation,
    ),
    Table(
        "gateway_heartbeats",
        ("backend_id", "host", "last_heartbeat", "pid", "profile", "started_at"),
        gateway.DecodeHeartbeat,
    ),
)

_TABLE_PER_NAME = {table.name: table for table in TABLES}


def _Select(columns, available):
    """Writes the columns of a query.

    Args:
      columns (tuple[str, ...]): names of the columns.
      available (set[str]): names of the columns that exist.

    Returns:
      tuple[list[str], str]: names of the columns that exist and their SQL.
    """
    names = [name for name in columns if name in available]
    return names, ", ".join(f'"{name:s}"' for name in names)


def _GetBranchQuery(row_identifier):
    """Writes the query of the copies that a new branch of a session begins with.

    They say what messages of the parent say, and come at once, from the start of the
    session on. Those of later builds have the times of their originals.

    Args:
      row_identifier (str): name of the row identifier.

    Returns:
      str: SQL query of row identifiers.
    """
    # A part of a text will do, of which an index has to be made.
    said = ", ".join(
        f"LENGTH(COALESCE({name:s}, '')), SUBSTR(COALESCE({name:s}, ''), 1, 200)"
        for name in ("content", "tool_calls")
    )
    return (
        "SELECT row FROM ("
        "SELECT row, parent, MAX(CASE WHEN gap BETWEEN 0 AND 1 THEN 0 ELSE 1 END) OVER "
        "(PARTITION BY session_id ORDER BY row) AS has_gap FROM ("
        f"SELECT messages.{row_identifier:s} AS row, session_id, "
        "sessions.parent_session_id AS parent, timestamp - COALESCE(LAG(timestamp) "
        f"OVER (PARTITION BY session_id ORDER BY messages.{row_identifier:s}), "
        "sessions.started_at) AS gap "
        "FROM sessions JOIN messages ON messages.session_id = sessions.id "
        "LEFT JOIN sessions AS parents ON parents.id = sessions.parent_session_id "
        "WHERE sessions.parent_session_id IS NOT NULL AND "
        "(sessions.model_config LIKE '%\"_branched_from\"%' OR "
        "(parents.end_reason = 'branched' AND "
        "COALESCE(sessions.model_config, '') NOT LIKE '%\"_delegate_from\"%')))) "
        f"JOIN messages ON messages.{row_identifier:s} = row WHERE NOT has_gap "
        f"AND (parent, role, {said:s}) IN (SELECT session_id, role, {said:s} "
        "FROM messages WHERE session_id IN (SELECT parent_session_id FROM sessions))"
    )


class StateDecoder:
    """Decoder of the rows of one state database.

    Rows refer to each other. What a row needs of another is asked through a function,
    so that nothing here opens a file and nothing is held that grows with the database.

    Attributes:
      is_session_read (callable): function that takes the identifier of a session and
          returns True if its row is decoded too. Where only some rows are, such as
          those that other databases do not hold, this is replaced.
      schema_version (int): version of the schema or None if it is not known.
    """

    def __init__(self, columns_per_table, query):
        """Initializes a state decoder.

        Args:
          columns_per_table (dict[str, list[str]]): names of the columns per table.
          query (callable): function that runs an SQL query, given its parameters, and
              returns its first row or None if there is none or it cannot be read.
        """
        super().__init__()
        self._columns_per_table = {
            name: frozenset(columns) for name, columns in columns_per_table.items()
        }
        self._message_decoder = messages.MessageDecoder(
            previous_model=self._GetModelBefore
        )
        self._query = query
        self._session_bases = {}
        self._sessions = collections.OrderedDict()
        self._unused_prompts = _NOT_ASKED

        self.is_session_read = self._HasSession
        self.schema_version = None
        if "version" in self._columns_per_table.get("schema_version", ()):
            row = query("SELECT MAX(version) FROM schema_version", ())
            if row and isinstance(row[0], int):
                self.schema_version = row[0]

    def _HasColumns(self, table_name, *columns):
        """Determines if a table has columns.

        Args:
          table_name (str): name of the table.
          columns (list[str]): names of the columns.

        Returns:
          bool: True if the table exists and has the columns.
        """
        return self._columns_per_table.get(table_name, frozenset()).issuperset(columns)

    def _GetAdmittedSession(self, admission_identifier):
        """Retrieves the session of a request.

        Args:
          admission_identifier (str): identifier of the admission.

        Returns:
          str: identifier of the session or None if it is not known.
        """
        if self._HasColumns("session_admissions", "admission_id", "target_session_id"):
            row = self._query(
                "SELECT target_session_id FROM session_admissions "
                "WHERE admission_id = ? LIMIT 1",
                (admission_identifier,),
            )
            if row:
                return text.String(row[0])
        row = self._query(
            "SELECT value FROM state_meta WHERE key = ? LIMIT 1",
            (state_meta.TERMINAL_ADMISSION_PREFIX + admission_identifier,),
        )
        admission, _ = text.ObjectFromJSON(row[0] if row else None)
        return text.String((admission or {}).get("target_session_id"))

    def _GetModelBefore(self, session_identifier, timestamp):
        """Retrieves the model the main loop of a session used before a time.

        Args:
          session_identifier (str): identifier of the session.
          timestamp (Timestamp): point in time or None if it is not known.

        Returns:
          str: name of the model or None if it is not known.
        """
        if not timestamp or not self._HasColumns(
            "session_model_usage", "first_seen", "model", "session_id", "task"
        ):
            return None
        row = self._query(
            "SELECT model FROM session_model_usage WHERE session_id = ? AND task = '' "
            "AND first_seen < ? ORDER BY first_seen DESC LIMIT 1",
            (session_identifier, timestamp.microseconds / 1000000),
        )
        return text.String(row[0]) if row else None

    def _GetModelBeforeUsage(self, row, row_identifier):
        """Retrieves the model the main loop of a session used before a usage row.

        Args:
          row (dict[str, object]): values of the session_model_usage row.
          row_identifier (int): row identifier.

        Returns:
          str: name of the model or None if the row is the session's first, or that of
              an auxiliary task.
        """
        if row.get("task") or row.get("first_seen") is None:
            return None
        if not self._HasColumns(
            "session_model_usage", "first_seen", "model", "session_id", "task"
        ):
            return None
        before = self._query(
            "SELECT model FROM session_model_usage WHERE session_id = ? AND task = '' "
            "AND (first_seen < ? OR (first_seen = ? AND rowid < ?)) "
            "ORDER BY first_seen DESC, rowid DESC LIMIT 1",
            (
                row.get("session_id"),
                row["first_seen"],
                row["first_seen"],
                row_identifier,
            ),
        )
        return text.String(before[0]) if before else None

    def _GetPolicy(self, session_identifier):
        """Retrieves the local policy record of a session.

        Args:
          session_identifier (str): identifier of the session.

        Returns:
          tuple[object, int]: value and row identifier, both None if there is none.
        """
        if session_identifier and self._HasColumns("state_meta", "key", "value"):
            row = self._query(
                "SELECT value FROM state_meta WHERE key = ? LIMIT 1",
                (state_meta.LOCAL_POLICY_PREFIX + session_identifier,),
            )
            if row:
                # A table that was made WITHOUT ROWID has none.
                identifier = self._query(
                    "SELECT rowid FROM state_meta WHERE key = ? LIMIT 1",
                    (state_meta.LOCAL_POLICY_PREFIX + session_identifier,),
                )
                return row[0], identifier[0] if identifier else None
        return None, None

    def _GetRoomName(self, room_identifier):
        """Retrieves the name of a room.

        Args:
          room_identifier (object): identifier of the room.

        Returns:
          object: name or None if it is not known.
        """
        if not self._HasColumns("hosted_rooms", "name", "room_id"):
            return None
        row = self._query(
            "SELECT name FROM hosted_rooms WHERE room_id = ? LIMIT 1",
            (room_identifier,),
        )
        return row[0] if row else None

    def _GetSession(self, session_identifier):
        """Retrieves what other rows need of a session.

        Args:
          session_identifier (object): identifier of the session.

        Returns:
          dict[str, object]: values of the sessions row per column, which is empty if
              there is no such row.
        """
        row = self._sessions.get(session_identifier)
        if row is None:
            row = {}
            names, select = _Select(
                ("cwd", "end_reason", "git_branch", "git_repo_root", "model"),
                self._columns_per_table.get("sessions", ()),
            )
            found = self._query(
                f"SELECT {', '.join(filter(None, (select, 'id')))} FROM sessions "
                f"WHERE id = ? LIMIT 1",
                (session_identifier,),
            )
            if found:
                row = dict(zip(names, found))
            self._sessions[session_identifier] = row
            if len(self._sessions) > _MAXIMUM_CACHED_SESSIONS:
                forgotten, _ = self._sessions.popitem(last=False)
                self._session_bases.pop(forgotten, None)
        return row

    def _GetSessionBase(self, session_identifier):
        """Determines the attribute values that all records of a session share.

        Args:
          session_identifier (object): identifier of the session.

        Returns:
          dict[str, object]: attribute values, which are not to be changed.
        """
        base = self._session_bases.get(session_identifier)
        if base is None:
            base = sessions.Base(self._GetSession(session_identifier))
            base["session_identifier"] = text.String(session_identifier)
            # A number equals others that are not written as it is.
            if isinstance(session_identifier, str):
                self._session_bases[session_identifier] = base
        return base

    def _GetSystemPrompt(self, row):
        """Retrieves the system prompt of a session of later builds.

        Args:
          row (dict[str, object]): values of the sessions row.

        Returns:
          object: system prompt or None if it is not known.
        """
        prompt_hash = row.get("system_prompt_hash")
        if not prompt_hash or not self._HasColumns("system_prompts", "hash", "prompt"):
            return None
        prompt = self._query(
            "SELECT prompt FROM system_prompts WHERE hash = ? LIMIT 1", (prompt_hash,)
        )
        return prompt[0] if prompt else None

    def _GetUnusedPrompts(self):
        """Retrieves which system prompts no session has.

        Hermes removes them with the last session that has them: those that are left
        are few, and one query finds them.

        Returns:
          set[str]: hashes, of those that hold no space, or None if it is not known.
        """
        if self._unused_prompts is _NOT_ASKED:
            uses = [
                f"SELECT {name:s} FROM sessions WHERE {name:s} IS NOT NULL"
                for name in ("system_prompt_hash", "tool_names")
                if self._HasColumns("sessions", name)
            ]
            # A list of the names of tools has a row too, see corrections 17.
            used = f"hash NOT IN ({' UNION '.join(uses):s})" if uses else "1"
            row = self._query(
                f"SELECT group_concat(hash, ' ') FROM system_prompts WHERE {used:s}",
                (),
            )
            self._unused_prompts = set((row[0] or "").split(" ")) if row else None
        return self._unused_prompts

    def _HasSession(self, session_identifier):
        """Determines if the row of a session can be read.

        Its source is asked for, since an index can hold a row that the table lost.

        Args:
          session_identifier (str): identifier of the session.

        Returns:
          bool: True if it can be read.
        """
        return bool(
            self._query(
                "SELECT source FROM sessions WHERE id = ? LIMIT 1",
                (session_identifier,),
            )
        )

    def _HasUsage(self, session_identifier):
        """Determines if a session has usage rows of its main loop.

        Args:
          session_identifier (str): identifier of the session.

        Returns:
          bool: True if there is such a row.
        """
        if not self._HasColumns("session_model_usage", "session_id", "task"):
            return False
        return bool(
            self._query(
                "SELECT 1 FROM session_model_usage WHERE session_id = ? AND task = '' "
                "LIMIT 1",
                (session_identifier,),
            )
        )

    def _DecodeMessage(self, row, row_identifier, marks):
        """Decodes a row of messages.

        Args:
          row (dict[str, object]): values of the row.
          row_identifier (int): row identifier.
          marks (frozenset[str]): what other rows tell of the row.

        Returns:
          list[Record]: records of the row.
        """
        record_identifier = text.Number(row.get("id"))
        if record_identifier is None:
            record_identifier = row_identifier

        row_times = times.RowTimes(f"messages row {record_identifier!s}")
        row_times.Add("recorded_time", row.get("timestamp"), "timestamp", required=True)

        message_records = self._message_decoder.Decode(
            row,
            self._GetSessionBase(row.get("session_id")),
            row_times,
            record_identifier,
            carried=MARK_CARRIED in marks,
        )
        if MARK_BULK_WRITTEN in marks:
            for record in message_records:
                if record.data_type != records.UNPARSED:
                    record.values["bulk_written"] = 1
        return message_records

    def _DecodeStateMeta(self, row, row_identifier):
        """Decodes a row of state_meta.

        Args:
          row (dict[str, object]): values of the row.
          row_identifier (int): row identifier.

        Returns:
          list[Record]: records of the row.
        """
        key = text.String(row.get("key")) or ""
        if key.startswith(state_meta.LOCAL_POLICY_PREFIX):
            # The record of a session that is read is read with the session.
            session_identifier = key[len(state_meta.LOCAL_POLICY_PREFIX) :]
            _, policy_identifier = self._GetPolicy(session_identifier)
            if policy_identifier in (None, row_identifier) and self.is_session_read(
                session_identifier
            ):
                return []
            return sessions.DecodeOrphanPolicy(
                session_identifier, row.get("value"), row_identifier
            )
        if key.startswith(state_meta.RESULT_PREFIX):
            admission_identifier = key[len(state_meta.RESULT_PREFIX) :]
            session_identifier = self._GetAdmittedSession(admission_identifier)
            return state_meta.DecodeResult(
                admission_identifier,
                row.get("value"),
                row_identifier,
                session_identifier,
                self._HasSession(session_identifier),
            )
        return state_meta.Decode(row, row_identifier)

    def _DecodeSystemPrompt(self, row, row_identifier):
        """Decodes a row of system_prompts.

        Args:
          row (dict[str, object]): values of the row.
          row_identifier (int): row identifier.

        Returns:
          list[Record]: the prompt, if no session is told with it.
        """
        prompt = text.String(row.get("prompt"))
        prompt_hash = row.get("hash")
        # What is no hexadecimal digits may be read otherwise than it is stored.
        if isinstance(prompt_hash, str) and prompt_hash.isalnum():
            unused_prompts = self._GetUnusedPrompts()
            if unused_prompts is not None and prompt_hash not in unused_prompts:
                return []
        base = {"record_identifier": row_identifier}
        return [sessions.SystemPrompt(prompt, text.String(prompt_hash), base, {})]

    def GetTables(self):
        """Retrieves the tables the database has.

        Yields:
          tuple[str, list[str]]: name of the table and names of the columns to read.
        """
        for table in TABLES:
            names, _ = _Select(
                table.columns, self._columns_per_table.get(table.name, ())
            )
            if names:
                yield table.name, names

    def GetMarkQueries(self, row_identifier):
        """Retrieves the queries of the messages of which other rows tell something.

        In-place compaction leaves the originals of the rows it keeps inactive, see
        corrections 5. Messages that Hermes writes several at a time, such as the copies
        that compaction makes, have the time of the writing, each a microsecond after
        the one before it (_insert_message_rows of hermes_state.py up to schema 22). So
        have the copies that /branch makes for a new session, a transaction each.

        Args:
          row_identifier (str): name of the row identifier.

        Returns:
          dict[str, str]: SQL query of row identifiers in ascending order per mark,
              without those for which the table lacks the columns.
        """
        bulk_query = (
            f"SELECT row FROM (SELECT {row_identifier:s} AS row, "
            "timestamp - LAG(timestamp) OVER rows_of_session AS since, "
            "LEAD(timestamp) OVER rows_of_session - timestamp AS until "
            "FROM messages WINDOW rows_of_session AS "
            f"(PARTITION BY session_id ORDER BY {row_identifier:s})) "
            "WHERE since BETWEEN 1e-7 AND 2e-6 OR until BETWEEN 1e-7 AND 2e-6"
        )
        if self._HasColumns(
            "sessions", "end_reason", "model_config", "parent_session_id"
        ) and self._HasColumns("messages", "tool_calls"):
            bulk_query = f"{bulk_query:s} UNION {_GetBranchQuery(row_identifier):s}"
        queries = {MARK_BULK_WRITTEN: f"{bulk_query:s} ORDER BY row"}
        if not self._HasColumns("messages", "active"):
            return queries

        # Uncorrelated, so that SQLite looks each row up instead of reading the session
        # anew, and limited to the times of inactive rows, which are few.
        conditions = [
            "(session_id, role, timestamp, COALESCE(content, x'')) IN (SELECT "
            "session_id, role, timestamp, COALESCE(content, x'') FROM messages "
            "WHERE +active = 1 AND timestamp IN "
            "(SELECT timestamp FROM messages WHERE active = 0))"
        ]
        if self._HasColumns("messages", "message_uid"):
            conditions.append(
                "(session_id, message_uid) IN (SELECT session_id, message_uid "
                "FROM messages WHERE +active = 1 AND message_uid IS NOT NULL)"
            )
        queries[MARK_CARRIED] = (
            f"SELECT {row_identifier:s} FROM messages WHERE +active = 0 AND "
            f"({' OR '.join(conditions):s}) ORDER BY {row_identifier:s}"
        )
        return queries

    def Decode(self, table_name, row, row_identifier, marks=frozenset()):
        """Decodes a row.

        Args:
          table_name (str): name of the table.
          row (dict[str, object]): values of the row per column.
          row_identifier (int): row identifier.
          marks (Optional[frozenset[str]]): what other rows tell of the row, see
              GetMarkQueries.

        Returns:
          list[Record]: records of the row.
        """
        # A part of a page that was overwritten with NULs reads as rows of no values but
        # the identifier, and the defaults of columns that were added later.
        names = REQUIRED_STRUCTURE.get(table_name, row)
        if all(row.get(name) in (None, row_identifier) for name in names):
            return [
                records.Unparsed(f"{table_name:s}: no values", None, row_identifier)
            ]
        if table_name == "messages":
            return self._DecodeMessage(row, row_identifier, marks)
        if table_name == "sessions":
            if not row.get("system_prompt"):
                row = dict(row, system_prompt=self._GetSystemPrompt(row))
            return sessions.Decode(
                row,
                row_identifier,
                self.schema_version,
                self._GetSession,
                self._GetPolicy,
                self._HasUsage,
            )
        if table_name == "session_model_usage":
            return sessions.DecodeUsage(
                row,
                row_identifier,
                self._GetSessionBase(row.get("session_id")),
                self._GetModelBeforeUsage(row, row_identifier),
            )
        if table_name == "system_prompts":
            return self._DecodeSystemPrompt(row, row_identifier)
        if table_name == "state_meta":
            return self._DecodeStateMeta(row, row_identifier)
        if table_name == "hosted_room_events":
            return gateway.DecodeRoomEvent(
                row, row_identifier, self._GetRoomName(row.get("room_id"))
            )
        return _TABLE_PER_NAME[table_name].decode(row, row_identifier)


def Snapshot(
    copy_identifier,
    timestamp,
    number_of_messages,
    number_of_sessions,
    number_of_unique_messages=None,
    number_of_holders=None,
):
    """Creates the record of a copy of the state database.

    Args:
      copy_identifier (str): identifier of the copy.
      timestamp (Timestamp): when the copy was made or None if it is not known.
      number_of_messages (int): number of messages that were read.
      number_of_sessions (int): number of sessions that were read.
      number_of_unique_messages (Optional[int]): number of messages that no database
          before the copy holds, None if it was not compared.
      number_of_holders (Optional[int]): number of databases the copy was compared with,
          None if it was not compared.

    Returns:
      Record: hermes:snapshot:entry record.
    """
    return records.Record(
        "hermes:snapshot:entry",
        {
            "compared_with": number_of_holders,
            "number_of_messages": number_of_messages,
            "number_of_sessions": number_of_sessions,
            "number_of_unique_messages": number_of_unique_messages,
            "record_identifier": copy_identifier,
        },
        times={"backup_time": timestamp},
    )

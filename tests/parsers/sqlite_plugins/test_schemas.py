"""Tests for state databases of other schemas: each column that a build can lack."""

import contextlib
import os
import random
import sqlite3
import unittest

from hermes_plaso.formats import state
from test_data import make_test_data
from tests import test_lib

# What schema 22 lacks of schema 32, and what schema 31 does, see corrections 1 and
# "Format versions" in the reference. Which builds between them brought the rest is not
# known, and columns can be missing whatever the version says.
_SINCE_23 = {
    "conversation_generations": None,
    "hosted_room_events": None,
    "hosted_room_retired_ids": None,
    "hosted_rooms": None,
    "messages": (
        "_compressed_summary",
        "display_kind",
        "display_metadata",
        "message_uid",
    ),
    "sessions": ("created_source", "hidden", "pinned", "system_prompt_hash"),
    "system_prompts": None,
}
_SINCE_32 = {
    "session_admissions": None,
    "sessions": ("runtime_generation", "runtime_revision", "transcript_revision"),
}

# Without these a message has another text, or is of another turn.
_COLUMNS_OF_TEXT = frozenset(["display_kind", "_compressed_summary"])

_NO_ROWS = frozenset(["schema_version", "sqlite_sequence"])


class SchemasTest(test_lib.ParserTestCase):
    """Tests for state databases of other schemas."""

    def setUp(self):
        """Makes a state database that has all tables and columns."""
        super().setUp()
        self.home = os.path.join(self.temporary_path, "home", "casey", ".hermes")
        os.makedirs(self.home)
        self.path = os.path.join(self.home, "state.db")
        make_test_data.MakeStateDatabase(self.path)
        with open(self.path, "rb") as file_object:
            self.data = file_object.read()
        self.columns = self.ReadColumns()
        self.messages = self.GetMessages(self.Parse(self.path, "sqlite/hermes_state"))
        self.assertGreater(len(self.messages), 15)

    def ReadColumns(self):
        """Reads which columns the database has.

        Returns:
          dict[str, list[tuple[str, bool]]]: names of columns, and True if they are of
              the primary key, per table.
        """
        with contextlib.closing(sqlite3.connect(self.path)) as connection:
            names = connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table'"
            ).fetchall()
            return {
                name: [
                    (column[1], bool(column[5]))
                    for column in connection.execute(f"PRAGMA table_info({name:s})")
                ]
                for (name,) in names
                if name not in _NO_ROWS
            }

    def Change(self, statements):
        """Changes a copy of the database that has everything.

        Args:
          statements (list[str]): SQL statements.
        """
        with open(self.path, "wb") as file_object:
            file_object.write(self.data)
        with contextlib.closing(
            sqlite3.connect(self.path, isolation_level=None)
        ) as connection:
            for statement in ("PRAGMA journal_mode = DELETE", *statements):
                connection.execute(statement)

    def GetMessages(self, result):
        """Retrieves what was said and when.

        Args:
          result (ParseResult): result.

        Returns:
          dict[int, tuple[str, str, str, str]]: session, turn type, text and time per
              row of messages.
        """
        messages = {}
        for event_data in result.Get("hermes:message:entry"):
            time = event_data.recorded_time
            messages[event_data.record_identifier] = (
                event_data.session_identifier,
                event_data.turn_type,
                event_data.text,
                time and time.CopyToDateTimeStringISO8601(),
            )
        return messages

    def CheckRows(self, result):
        """Checks that each row of messages and of sessions is told of.

        Args:
          result (ParseResult): result.
        """
        self.assertEqual(
            [warning for warning in result.warnings if "unable" in warning], []
        )
        with contextlib.closing(sqlite3.connect(self.path)) as connection:
            identifiers = {
                identifier
                for (identifier,) in connection.execute("SELECT id FROM messages")
            }
            sessions = {
                identifier
                for (identifier,) in connection.execute("SELECT id FROM sessions")
            }
        self.assertEqual(
            {
                int(str(event_data.record_identifier).partition(":")[0])
                for event_data in result.event_data
                if event_data.data_type.startswith(
                    ("hermes:message:", "hermes:model:switch", "hermes:permission:")
                )
                and str(event_data.record_identifier).partition(":")[0].isdecimal()
            }
            & identifiers,
            identifiers,
        )
        self.assertEqual(
            {
                event_data.session_identifier
                for event_data in result.Get("hermes:session:entry")
            },
            sessions,
        )

    def testColumns(self):
        """Tests databases that lack one column."""
        number_of_columns = 0
        for table, columns in self.columns.items():
            required = state.REQUIRED_STRUCTURE.get(table, ())
            for name, is_key in columns:
                if is_key or name in required:
                    continue
                number_of_columns += 1
                with self.subTest(table=table, column=name):
                    self.Change(
                        (
                            "DROP INDEX idx_messages_session",
                            "DROP INDEX idx_usage_session",
                            f"ALTER TABLE {table:s} DROP COLUMN {name:s}",
                        )
                    )
                    result = self.Parse(self.path, "sqlite/hermes_state")
                    self.CheckRows(result)
                    if name in _COLUMNS_OF_TEXT or table != "messages":
                        continue
                    messages = self.GetMessages(result)
                    if name == "tool_calls":
                        # A call without its column leaves the row it is in.
                        messages = {
                            identifier: message
                            for identifier, message in messages.items()
                            if identifier in self.messages
                        }
                    self.assertEqual(messages, self.messages)
        self.assertGreater(number_of_columns, 100)

    def testTables(self):
        """Tests databases that lack a table."""
        for table in self.columns:
            if table in state.REQUIRED_STRUCTURE:
                continue
            with self.subTest(table=table):
                self.Change((f"DROP TABLE {table:s}",))
                result = self.Parse(self.path, "sqlite/hermes_state")
                self.CheckRows(result)
                self.assertEqual(self.GetMessages(result), self.messages)

    def testLaterVersion(self):
        """Tests a database of a schema that is not known yet."""
        version = state.LATEST_SCHEMA_VERSION + 1
        self.Change(
            (
                f"UPDATE schema_version SET version = {version:d}",
                "ALTER TABLE messages ADD COLUMN thoughts TEXT",
                "ALTER TABLE messages DROP COLUMN effect_disposition",
            )
        )
        result = self.Parse(self.path, "sqlite/hermes_state")
        self.CheckRows(result)
        self.assertEqual(self.GetMessages(result), self.messages)
        self.assertEqual(
            [warning for warning in result.warnings if "schema" in warning],
            [
                "version 33 of the schema is later than the latest that is known, 32: "
                "what it adds is not read"
            ],
        )

    def testVersions(self):
        """Tests databases of schemas 22 to 32."""
        generator = random.Random(1)
        for version in range(22, 33):
            statements = [f"UPDATE schema_version SET version = {version:d}"]
            dropped = set()
            for since, part in ((23, _SINCE_23), (32, _SINCE_32)):
                for table, columns in part.items():
                    for column in columns or (None,):
                        is_missing = version < since
                        if since == 23 and not is_missing and version < 31:
                            # Some build between them brought it.
                            is_missing = generator.random() < (31 - version) / 9
                        if not is_missing:
                            continue
                        dropped.add(column)
                        if column:
                            statement = f"ALTER TABLE {table:s} DROP COLUMN {column:s}"
                        else:
                            statement = f"DROP TABLE {table:s}"
                        statements.append(statement)
            if version < 31:
                statements.append("ALTER TABLE sessions ADD COLUMN system_prompt TEXT")
                statements.append("UPDATE sessions SET system_prompt = 'inline ' || id")
            with self.subTest(version=version, statements=statements):
                self.Change(statements)
                result = self.Parse(self.path, "sqlite/hermes_state")
                self.CheckRows(result)
                messages = self.GetMessages(result)
                if dropped & _COLUMNS_OF_TEXT:
                    self.assertEqual(set(messages), set(self.messages))
                    messages = {
                        identifier: message
                        for identifier, message in messages.items()
                        if message[1] != "system"
                        and self.messages[identifier][1] != "system"
                    }
                    self.assertGreater(len(messages), 10)
                self.assertLessEqual(messages.items(), self.messages.items())
                prompts = {
                    event_data.session_identifier: event_data.text
                    for event_data in result.Get("hermes:session:system_prompt")
                }
                if version < 31:
                    self.assertEqual(
                        prompts,
                        {
                            event_data.session_identifier: (
                                f"inline {event_data.session_identifier:s}"
                            )
                            for event_data in result.Get("hermes:session:entry")
                        },
                    )
                self.assertEqual(
                    bool(result.Get("hermes:session:admission")), version == 32
                )


if __name__ == "__main__":
    unittest.main()

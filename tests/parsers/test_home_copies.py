"""Tests for the copies of the state database of a home."""

import contextlib
import os
import random
import shutil
import sqlite3
import unittest
import zipfile
from unittest import mock

from dfvfs.lib import definitions as dfvfs_definitions
from dfvfs.path import factory as path_spec_factory

from hermes_plaso import run_scope
from tests import test_lib

_TABLES = """
CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT, model TEXT, started_at REAL,
    title TEXT);
CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT,
    content TEXT, timestamp REAL, active INTEGER DEFAULT 1);
CREATE TABLE state_meta (key TEXT PRIMARY KEY, value TEXT);
"""

_SNAPSHOTS = "state-snapshots"


def _Insert(connection, identifier, content, session_identifier="s1"):
    """Inserts a message.

    Args:
      connection (sqlite3.Connection): connection.
      identifier (int): identifier of the message.
      content (object): content of the message.
      session_identifier (Optional[str]): identifier of the session.
    """
    connection.execute(
        "INSERT INTO messages (id, session_id, role, content, timestamp) "
        "VALUES (?, ?, 'user', ?, ?)",
        (identifier, session_identifier, content, 1790000000.5 + identifier),
    )


class HomeCopiesTest(test_lib.ParserTestCase):
    """Tests for the copies of the state database of a home."""

    def setUp(self):
        """Creates a home."""
        super().setUp()
        self.home = os.path.join(self.temporary_path, "home", "user", ".hermes")
        os.makedirs(os.path.join(self.home, _SNAPSHOTS))
        self.SetCopies("distinct")

    def SetCopies(self, value):
        """Sets what is wanted of copies.

        Args:
          value (str): value of the environment variable.
        """
        patch = mock.patch.dict(os.environ, {run_scope.COPIES_VARIABLE: value})
        patch.start()
        self.addCleanup(patch.stop)

    def GetPath(self, *names):
        """Determines the path of a file of the home.

        Args:
          names (list[str]): names of the directories and the file.

        Returns:
          str: path.
        """
        path = os.path.join(self.home, *names)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def Create(self, number_of_messages, *names, sql=_TABLES):
        """Creates a database with messages.

        Args:
          number_of_messages (int): number of messages.
          names (list[str]): names of the directories and the file.
          sql (Optional[str]): SQL of the tables.

        Returns:
          str: path.
        """
        path = self.GetPath(*names)
        with contextlib.closing(sqlite3.connect(path)) as connection:
            connection.executescript(sql)
            connection.execute(
                "INSERT INTO sessions (id, source, model, started_at) "
                "VALUES ('s1', 'cli', 'model', 1790000000.0)"
            )
            for identifier in range(1, number_of_messages + 1):
                _Insert(connection, identifier, f"m{identifier:d}")
            connection.commit()
        return path

    def Copy(self, path, *names):
        """Copies a database.

        Args:
          path (str): path.
          names (list[str]): names of the directories and the file of the copy.

        Returns:
          str: path of the copy.
        """
        copy_path = self.GetPath(*names)
        shutil.copyfile(path, copy_path)
        return copy_path

    def Execute(self, path, *statements, in_log=False):
        """Changes a database.

        Args:
          path (str): path of the database.
          statements (list[str]): SQL statements.
          in_log (Optional[bool]): True if the changes are only in the write-ahead log.
        """
        with contextlib.closing(
            sqlite3.connect(path, isolation_level=None)
        ) as connection:
            if in_log:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA wal_autocheckpoint = 0")
            for statement in statements:
                connection.execute(statement)
            if in_log:
                # The last one that closes a database applies its log.
                for suffix in ("", "-wal"):
                    shutil.copyfile(path + suffix, f"{path:s}{suffix:s}.kept")
        if in_log:
            for suffix in ("", "-wal"):
                os.replace(f"{path:s}{suffix:s}.kept", path + suffix)

    def ParseState(self, path):
        """Parses a database, as a worker does that knows of no other.

        Args:
          path (str): path of the database.

        Returns:
          ParseResult: what the plugin produced.
        """
        return self.Parse(path, "sqlite/hermes_state")

    def ReadTexts(self, result, recovered=None):
        """Retrieves the texts of messages.

        Args:
          result (ParseResult): what the plugin produced.
          recovered (Optional[bool]): True if the messages are recovered ones.

        Returns:
          list[str]: texts.
        """
        return [
            event_data.text
            for event_data in result.Get("hermes:message:entry")
            if event_data.recovered == recovered
        ]

    def CheckSnapshot(self, result, number, number_of_unique, compared_with):
        """Checks the event data of a copy as a whole.

        Args:
          result (ParseResult): what the plugin produced.
          number (int): expected number of messages.
          number_of_unique (int): expected number of unique messages.
          compared_with (int): expected number of databases before the copy.
        """
        (event_data,) = result.Get("hermes:snapshot:entry")
        self.CheckEventData(
            event_data,
            {
                "compared_with": compared_with,
                "number_of_messages": number,
                "number_of_unique_messages": number_of_unique,
            },
        )

    def testEqualCopies(self):
        """Tests that copies that equal the live database have nothing of their own."""
        live = self.Create(5, "state.db")
        newer = self.Copy(live, _SNAPSHOTS, "20260919-120000", "state.db")
        older = self.Copy(live, _SNAPSHOTS, "20260918-120000-label", "state.db")

        result = self.ParseState(live)
        self.assertEqual(len(self.ReadTexts(result)), 5)
        self.assertEqual(result.Get("hermes:snapshot:entry"), [])
        for path, compared_with in ((newer, 1), (older, 2)):
            result = self.ParseState(path)
            self.assertEqual(result.warnings, [])
            self.assertEqual(result.Count(), {"hermes:snapshot:entry": 1})
            self.CheckSnapshot(result, 5, 0, compared_with)

    def testAll(self):
        """Tests that every copy has all rows where that is wanted."""
        live = self.Create(5, "state.db")
        path = self.Copy(live, _SNAPSHOTS, "20260919-120000", "state.db")
        for value in ("all", "", "unknown"):
            self.SetCopies(value)
            result = self.ParseState(path)
            self.assertEqual(len(self.ReadTexts(result)), 5)
            self.CheckSnapshot(result, 5, None, None)

    def testRunScope(self):
        """Tests that what the run reads decides, where the user does not."""
        live = self.Create(5, "state.db")
        path = self.Copy(live, _SNAPSHOTS, "20260919-120000", "state.db")
        self.SetCopies("")
        link_path = os.path.join(self.temporary_path, "link")
        os.symlink(os.path.join(self.temporary_path, "home"), link_path)
        for scope, number_of_messages in (
            (run_scope.RunScope(), 5),
            (run_scope.RunScope(reads_all_files=True), 5),
            (run_scope.RunScope(source_path=self.temporary_path), 5),
            (
                run_scope.RunScope(
                    reads_all_files=True, source_path=self.temporary_path
                ),
                0,
            ),
            (
                run_scope.RunScope(
                    parsers=["hermes_files/hermes_cron_run", "sqlite/hermes_state"],
                    reads_all_files=True,
                    source_path=self.temporary_path,
                ),
                0,
            ),
            # The source is a symbolic link.
            (
                run_scope.RunScope(reads_all_files=True, source_path=link_path),
                0,
            ),
            # Nothing reads the live database.
            (
                run_scope.RunScope(
                    parsers=["hermes_files/hermes_unopened_database"],
                    reads_all_files=True,
                    source_path=self.temporary_path,
                ),
                5,
            ),
            # The source is the directory of the snapshots, or begins like that of the
            # live database.
            (
                run_scope.RunScope(
                    reads_all_files=True, source_path=self.GetPath(_SNAPSHOTS)
                ),
                5,
            ),
            (
                run_scope.RunScope(
                    reads_all_files=True, source_path=self.temporary_path[:-1]
                ),
                5,
            ),
        ):
            with mock.patch.dict(os.environ):
                run_scope.Set(scope)
                result = self.ParseState(path)
                self.assertEqual(len(self.ReadTexts(result)), number_of_messages, scope)

    def testVersions(self):
        """Tests that a version comes from the first holder of it."""
        live = self.Create(5, "state.db")
        oldest = self.Copy(live, _SNAPSHOTS, "20260917-120000", "state.db")
        self.Execute(live, "UPDATE messages SET content = 'second' WHERE id = 2")
        middle = self.Copy(live, _SNAPSHOTS, "20260918-120000", "state.db")
        self.Execute(live, "UPDATE messages SET content = 'third' WHERE id = 2")
        second = self.Copy(live, _SNAPSHOTS, "20260918-120000-2", "state.db")
        self.Execute(
            live,
            "UPDATE messages SET content = 'fourth' WHERE id = 2",
            "DELETE FROM messages WHERE id > 3",
            "UPDATE sessions SET title = 'title'",
        )
        for path, texts, number_of_unique, compared_with in (
            (second, ["third", "m4", "m5"], 3, 1),
            (middle, ["second"], 1, 2),
            (oldest, ["m2"], 1, 3),
        ):
            result = self.ParseState(path)
            self.assertEqual(self.ReadTexts(result), texts)
            self.assertEqual(self.ReadTexts(result, recovered=True), [])
            self.CheckSnapshot(result, 5, number_of_unique, compared_with)
        # The session of the newest copy had no title. Its model, which the live
        # database tells as well, does not come again.
        result = self.ParseState(second)
        self.assertEqual(len(result.Get("hermes:session:entry")), 1)
        self.assertEqual(result.Get("hermes:model:usage"), [])
        self.assertEqual(self.ParseState(oldest).Get("hermes:session:entry"), [])

    def testWriteAheadLogs(self):
        """Tests a live database and a copy that have a write-ahead log each."""
        live = self.Create(6, "state.db")
        copy = self.Copy(live, _SNAPSHOTS, "20260918-120000", "state.db")
        self.Execute(copy, "UPDATE messages SET content = 'in copy' WHERE id = 5")
        self.Execute(
            copy,
            "UPDATE messages SET content = 'in log of copy' WHERE id = 5",
            "DELETE FROM messages WHERE id = 6",
            "INSERT INTO messages VALUES (7, 's1', 'user', 'm7', 1790000007.5, 1)",
            in_log=True,
        )
        self.Execute(
            live,
            "UPDATE messages SET content = 'in log' WHERE id = 1",
            "INSERT INTO messages VALUES (7, 's1', 'user', 'm7', 1790000007.5, 1)",
            in_log=True,
        )
        result = self.ParseState(live)
        self.assertEqual(
            self.ReadTexts(result), ["in log", "m2", "m3", "m4", "m5", "m6", "m7"]
        )
        self.assertEqual(self.ReadTexts(result, recovered=True), ["m1"])

        result = self.ParseState(copy)
        self.assertEqual(result.warnings, [])
        # Both logs hold m7, and the main file of the live database m1 and m6.
        self.assertEqual(self.ReadTexts(result), ["in log of copy"])
        self.assertEqual(self.ReadTexts(result, recovered=True), ["in copy"])
        self.CheckSnapshot(result, 6, 1, 1)

    def testPolicies(self):
        """Tests the policy of a session that changed while the session did not."""
        policy = (
            "INSERT OR REPLACE INTO state_meta VALUES ('gateway.local_policy.v1:s1', "
            '\'{"policy": {"cwd": "/r/.worktrees/%s"}}\')'
        )
        live = self.Create(1, "state.db")
        self.Execute(live, policy % "first")
        copy = self.Copy(live, _SNAPSHOTS, "20260918-120000", "state.db")
        self.Execute(live, policy % "second")
        self.Execute(live, policy % "third", in_log=True)

        result = self.ParseState(live)
        self.assertEqual(
            [
                (event_data.path, event_data.recovered)
                for event_data in result.Get("hermes:session:scratch_directory")
            ],
            [("/r/.worktrees/third", None), ("/r/.worktrees/second", True)],
        )
        result = self.ParseState(copy)
        self.assertEqual(
            [
                event_data.path
                for event_data in result.Get("hermes:session:scratch_directory")
            ],
            ["/r/.worktrees/first"],
        )

    def testWithoutLiveDatabase(self):
        """Tests a home of which the live database is gone, or is not one of Hermes."""
        newer = self.Create(5, _SNAPSHOTS, "20260919-120000", "state.db")
        older = self.Copy(newer, _SNAPSHOTS, "20260918-120000", "state.db")
        self.Execute(older, "UPDATE messages SET content = 'other' WHERE id = 2")
        for other in (
            None,
            b"",
            b"\x00" * 8192,
            b"SQLite format 3\x00" + b"\xff" * 999,
        ):
            if other is not None:
                with open(self.GetPath("state.db"), "wb") as file_object:
                    file_object.write(other)
            result = self.ParseState(newer)
            self.assertEqual(len(self.ReadTexts(result)), 5)
            self.CheckSnapshot(result, 5, 5, 0)
            result = self.ParseState(older)
            self.assertEqual(self.ReadTexts(result), ["other"])
            self.CheckSnapshot(result, 5, 1, 1)

    def testUnopenedLiveDatabase(self):
        """Tests a live database of which only the write-ahead log is left."""
        live = self.GetPath("state.db")
        copy = self.Create(6, _SNAPSHOTS, "20260918-120000", "state.db")
        statements = [
            *(sql for sql in _TABLES.split(";") if sql.strip()),
            "INSERT INTO sessions (id, source, model, started_at) "
            "VALUES ('s1', 'cli', 'model', 1790000000.0)",
            *(
                f"INSERT INTO messages VALUES ({number:d}, 's1', 'user', "
                f"'m{number:d}', {1790000000 + number:d}.5, 1)"
                for number in range(1, 5)
            ),
        ]
        self.Execute(live, *statements, in_log=True)
        for data in (b"", bytes(4096)):
            with open(live, "wb") as file_object:
                file_object.write(data)
            self.assertEqual(
                self.ReadTexts(self.Parse(live, "hermes_files")),
                ["m1", "m2", "m3", "m4"],
            )
            result = self.ParseState(copy)
            self.assertEqual(self.ReadTexts(result), ["m5", "m6"])
            self.CheckSnapshot(result, 6, 2, 1)
        os.remove(live)
        self.assertEqual(
            self.ReadTexts(self.Parse(f"{live:s}-wal", "hermes_files")),
            ["m1", "m2", "m3", "m4"],
        )
        result = self.ParseState(copy)
        self.assertEqual(self.ReadTexts(result), ["m5", "m6"])
        self.CheckSnapshot(result, 6, 2, 1)

    def testOtherHolders(self):
        """Tests that one holder does not cost the rows of another."""
        live = self.Create(2, "state.db")
        self.Execute(live, "CREATE INDEX idx_session ON messages (session_id)")
        newer = self.Copy(live, _SNAPSHOTS, "20260919-120000", "state.db")
        older = self.Copy(live, _SNAPSHOTS, "20260918-120000", "state.db")
        self.Execute(older, "UPDATE messages SET content = 'other' WHERE id = 2")

        # The message of an error of SQLite that quotes this name is not UTF-8.
        with open(newer, "rb") as file_object:
            data = bytearray(file_object.read())
        offset = data.index(b"CREATE INDEX idx_session")
        data[data.rindex(b"indexidx_session", 0, offset) + 9] = 0xA9
        data[offset] = ord("X")
        with open(newer, "wb") as file_object:
            file_object.write(data)
        # What opens this file cannot encode its name.
        shutil.copyfile(
            live, os.fsencode(self.home) + b"/state.db.malformed-backup-\xe9"
        )
        for path in (live, newer, older):
            result = self.ParseState(path)
            self.assertEqual(
                self.ReadTexts(result),
                {live: ["m1", "m2"], newer: [], older: ["other"]}[path],
            )

    def testKeyOfTable(self):
        """Tests that a row whose key is damaged in the table holds no other row.

        The index of the key has the right value still.
        """
        live = self.Create(1, "state.db")
        self.Execute(
            live, "INSERT INTO sessions VALUES ('sess16', 'cli', 'm', 1.79e9, NULL)"
        )
        copy = self.Copy(live, _SNAPSHOTS, "20260918-120000", "state.db")
        with open(live, "rb") as file_object:
            data = file_object.read()
        self.assertEqual(data.count(b"sess16"), 2)
        with open(live, "wb") as file_object:
            file_object.write(data.replace(b"sess16cli", b"sdss16cli"))
        for path, identifiers in ((live, ["s1", "sdss16"]), (copy, ["sess16"])):
            self.assertEqual(
                [
                    event_data.session_identifier
                    for event_data in self.ParseState(path).Get("hermes:session:entry")
                ],
                identifiers,
            )

    def testOutsideOfHome(self):
        """Tests a cut database outside of a home, which nothing reads."""
        self.home = os.path.join(self.temporary_path, "export")
        live = self.Create(200, "state.db")
        copy = self.Copy(live, "state.db.malformed-backup-20260918-120000")
        os.truncate(live, os.path.getsize(live) - 4096)
        self.assertEqual(self.ReadTexts(self.ParseState(live)), [])
        self.assertEqual(len(self.ReadTexts(self.ParseState(copy))), 200)

    def testCutCopy(self):
        """Tests a copy that was cut short, which no SQLite opens."""
        live = self.Create(2, "state.db")
        newer = self.Create(0, _SNAPSHOTS, "20260919-120000", "state.db")
        self.Execute(
            newer,
            *(
                f"INSERT INTO messages VALUES ({number:d}, 's1', 'user', "
                f"'{number:04d}{'x' * 300:s}', {1790000000 + number:d}.5, 1)"
                for number in range(10, 200)
            ),
        )
        older = self.Copy(newer, _SNAPSHOTS, "20260918-120000", "state.db")
        os.truncate(newer, os.path.getsize(newer) // 2)
        self.assertEqual(len(self.ReadTexts(self.ParseState(live))), 2)
        result = self.ParseState(newer)
        texts = self.ReadTexts(result)
        self.assertIn("not a SQLite database", result.warnings)
        self.assertGreater(len(texts), 50)
        other_texts = self.ReadTexts(self.ParseState(older))
        self.assertEqual(len(set(texts + other_texts)), 190)
        self.assertEqual(len(texts + other_texts), 190)

    def testKindsOfCopies(self):
        """Tests every name that Hermes gives a copy, and their order."""
        live = self.Create(1, "state.db")
        self.Execute(live, "DELETE FROM messages")
        names = (
            (_SNAPSHOTS, "20260921-120000-pre-update", "state.db"),
            (_SNAPSHOTS, ".20260920-120000.4711.partial", "state.db"),
            ("state.db.pre-update-emergency-2026-09-19T12-00-00-000000Z-12.bak",),
            ("state.db.retired-wal-20260918-120000-4711-2", "state.db"),
            ("state.db.malformed-backup-20260917-120000_1",),
            (_SNAPSHOTS, "20260916-120000", "state.db"),
        )
        expected = [
            ("snapshot", "20260921-120000-pre-update"),
            ("snapshot", "20260920-120000"),
            ("emergency", "2026-09-19T12-00-00-000000Z"),
            ("retired_wal", "20260918-120000-4711-2"),
            ("malformed", "20260917-120000_1"),
            ("snapshot", "20260916-120000"),
        ]
        for index, copy_names in enumerate(names):
            path = self.Create(index + 2, *copy_names)
            self.Execute(path, "DELETE FROM messages WHERE id < 1")
        for index, copy_names in enumerate(names):
            result = self.ParseState(self.GetPath(*copy_names))
            self.assertEqual(result.warnings, [])
            # Each copy has one message more than the next newer one.
            texts = ["m1", "m2"] if not index else [f"m{index + 2:d}"]
            self.assertEqual(self.ReadTexts(result), texts)
            self.CheckSnapshot(result, index + 2, len(texts), index + 1)
            for event_data in result.event_data:
                self.assertEqual(
                    (event_data.store, event_data.copy_identifier), expected[index]
                )

    def testBackup(self):
        """Tests a member of a backup, which has all its rows."""
        self.SetCopies("")
        live = self.Create(2, "state.db")
        zip_path = self.GetPath("backups", "hermes-backup-20260918-120000.zip")
        with zipfile.ZipFile(zip_path, "w") as archive:
            archive.write(live, "state.db")
        path_spec = path_spec_factory.Factory.NewPathSpec(
            dfvfs_definitions.TYPE_INDICATOR_ZIP,
            location="/state.db",
            parent=self.GetPathSpec(zip_path),
        )
        with mock.patch.dict(os.environ):
            run_scope.Set(
                run_scope.RunScope(
                    reads_all_files=True, source_path=self.temporary_path
                )
            )
            result = self.ParseState(path_spec)
        self.assertEqual(result.warnings, [])
        self.assertEqual(self.ReadTexts(result), ["m1", "m2"])
        self.CheckSnapshot(result, 2, None, None)
        for event_data in result.event_data:
            self.assertEqual(
                (event_data.store, event_data.copy_identifier, event_data.username),
                ("backup", "hermes-backup-20260918-120000", "user"),
            )

    def testProfiles(self):
        """Tests that the copies of a profile are compared with its own database."""
        root = self.Create(5, "state.db")
        self.Copy(root, _SNAPSHOTS, "20260919-120000", "state.db")
        copy = self.Copy(
            root, "profiles", "work", _SNAPSHOTS, "20260918-120000", "state.db"
        )
        self.Create(2, "profiles", "work", "state.db")
        result = self.ParseState(copy)
        self.assertEqual(self.ReadTexts(result), ["m3", "m4", "m5"])
        self.CheckSnapshot(result, 5, 3, 1)

    def testOtherStructure(self):
        """Tests that columns of one database alone make no difference."""
        live = self.Create(
            5,
            "state.db",
            sql=_TABLES.replace("content TEXT", "content TEXT, message_uid TEXT"),
        )
        self.Execute(live, "UPDATE messages SET message_uid = 'u' || id")
        copy = self.Create(
            6,
            _SNAPSHOTS,
            "20260918-120000",
            "state.db",
            sql=_TABLES.replace("source TEXT", "source TEXT, cwd TEXT"),
        )
        self.assertEqual(self.ReadTexts(self.ParseState(copy)), ["m6"])

    def testValues(self):
        """Tests that values which look alike are not taken for equal."""
        live = self.Create(
            0, "state.db", sql=_TABLES.replace("content TEXT", "content")
        )
        copy = self.Copy(live, _SNAPSHOTS, "20260918-120000", "state.db")
        values = (
            ("'a'", "'A'"),
            ("1", "'1'"),
            ("x'61'", "'a'"),
            ("''", "NULL"),
            ("'a' || char(0) || 'b'", "'a' || char(0) || 'c'"),
            ("CAST(x'ff' AS TEXT)", "CAST(x'fe' AS TEXT)"),
        )
        for index, path in enumerate((live, copy)):
            self.Execute(
                path,
                *(
                    f"INSERT INTO messages VALUES ({identifier:d}, 's1', 'user', "
                    f"{pair[index]:s}, 1790000000, 1)"
                    for identifier, pair in enumerate(values)
                ),
            )
        result = self.ParseState(copy)
        self.CheckSnapshot(result, len(values), len(values), 1)

    def testVacuum(self):
        """Tests a database whose rows have other row identifiers after a VACUUM."""
        live = self.Create(3, "state.db")
        self.Execute(
            live,
            *(
                f"INSERT INTO sessions VALUES ('x{number:d}', 'cli', 'm', 1.79e9, NULL)"
                for number in range(5)
            ),
        )
        copy = self.Copy(live, _SNAPSHOTS, "20260918-120000", "state.db")
        self.Execute(live, "DELETE FROM sessions WHERE id = 'x0'", "VACUUM")
        result = self.ParseState(copy)
        self.assertEqual(
            [
                event_data.session_identifier
                for event_data in result.Get("hermes:session:entry")
            ],
            ["x0"],
        )

    def testVacuumWithoutKey(self):
        """Tests a table that declares no key, whose rows VACUUM numbers anew."""
        live = self.Create(5, "state.db")
        for statements in (
            ("DELETE FROM messages WHERE id = 1", "VACUUM"),
            (
                "CREATE TABLE kept AS SELECT * FROM messages ORDER BY id DESC",
                "DROP TABLE messages",
                "ALTER TABLE kept RENAME TO messages",
            ),
        ):
            with self.subTest(statements):
                self.Execute(
                    live,
                    "CREATE TABLE without_key AS SELECT * FROM messages",
                    "DROP TABLE messages",
                    "ALTER TABLE without_key RENAME TO messages",
                    # Some values that are close to each other, and a NUL.
                    "UPDATE messages SET timestamp = 1793266213.1234567, "
                    "content = 'a' || char(0) || id WHERE id < 4",
                )
                copy = self.Copy(live, _SNAPSHOTS, "20260918-120000", "state.db")
                self.Execute(
                    live,
                    *statements,
                    "UPDATE messages SET timestamp = 1793266213.1234569 WHERE id = 2",
                    "UPDATE messages SET content = 'a' || char(0) || 'b' WHERE id = 3",
                )
                result = self.ParseState(copy)
                expected = [1, 2, 3] if "VACUUM" in statements else [2, 3]
                self.assertEqual(
                    [
                        event_data.record_identifier
                        for event_data in result.Get("hermes:message:entry")
                    ],
                    expected,
                )

    def Damage(self, path, content):
        """Overwrites the page that holds a text.

        Args:
          path (str): path of the database.
          content (bytes): text.
        """
        with open(path, "rb") as file_object:
            data = bytearray(file_object.read())
        offset = data.index(content) // 4096 * 4096
        data[offset : offset + 4096] = b"\xaa" * 4096
        with open(path, "wb") as file_object:
            file_object.write(data)

    def testDamage(self):
        """Tests that a row is given once where the live database or copies are damaged.

        What a damaged database lost comes from the next that has it.
        """
        live = self.Create(0, "state.db")
        self.Execute(
            live,
            *(
                f"INSERT INTO messages VALUES ({identifier:d}, 's1', 'user', "
                f"'m{identifier:04d}{'x' * 300:s}', 179000{identifier:04d}.5, 1)"
                for identifier in range(1, 401)
            ),
        )
        newer = self.Copy(live, _SNAPSHOTS, "20260919-120000", "state.db")
        older = self.Copy(live, _SNAPSHOTS, "20260918-120000", "state.db")
        self.Damage(live, b"m0100")
        self.Damage(newer, b"m0100")
        self.Damage(newer, b"m0300")
        self.Damage(older, b"m0200")

        texts = {}
        for path in (live, newer, older):
            result = self.ParseState(path)
            texts[path] = [text[:5] for text in self.ReadTexts(result)]
            self.assertEqual(len(result.warnings), 2 if path == newer else 1)
        self.assertNotIn("m0100", texts[live])
        self.assertEqual(texts[newer], [])
        lost = sorted(
            {f"m{identifier:04d}" for identifier in range(1, 401)}.difference(
                texts[live]
            )
        )
        self.assertEqual(texts[older], lost)

    def testRandomHomes(self):
        """Tests homes of random changes against a comparison in memory."""
        for seed in range(12):
            generator = random.Random(seed)
            shutil.rmtree(self.home)
            self.home = f"{self.home:s}x"
            live = self.Create(20, "state.db")
            copies = []
            for number in range(6):
                if generator.random() < 0.7:
                    copies.append(
                        self.Copy(
                            live, _SNAPSHOTS, f"20260918-12000{number:d}", "state.db"
                        )
                    )
                    if generator.random() < 0.3:
                        self.Execute(
                            copies[-1], *self.GetChanges(generator), in_log=True
                        )
                self.Execute(live, *self.GetChanges(generator))
            if generator.random() < 0.5:
                self.Execute(live, *self.GetChanges(generator), in_log=True)
            if generator.random() < 0.3:
                os.remove(live)
                if os.path.exists(f"{live:s}-wal"):
                    os.remove(f"{live:s}-wal")
                live = None

            held = set()
            for path in ([live] if live else []) + copies[::-1]:
                current = self.ReadRows(path, with_log=True)
                main = self.ReadRows(path, with_log=False)
                result = self.ParseState(path)
                self.assertEqual(result.warnings, [])
                for rows, recovered in (
                    (current - held, None),
                    (main - held - current, True),
                ):
                    self.assertEqual(
                        sorted(self.ReadTexts(result, recovered=recovered)),
                        sorted(content for _, content in rows),
                        (seed, path),
                    )
                held |= current | main

    def GetChanges(self, generator):
        """Makes up changes of a database.

        Args:
          generator (Random): generator of random numbers.

        Returns:
          list[str]: SQL statements.
        """
        changes = []
        for _ in range(generator.randrange(1, 4)):
            identifier = generator.randrange(1, 25)
            number = generator.randrange(1000)
            changes.append(
                generator.choice(
                    (
                        f"DELETE FROM messages WHERE id = {identifier:d}",
                        f"UPDATE messages SET content = 'n{number:d}' "
                        f"WHERE id = {identifier:d}",
                        f"INSERT OR REPLACE INTO messages VALUES ({identifier:d}, "
                        f"'s1', 'user', 'i{number:d}', 1790000005.5, 1)",
                    )
                )
            )
        return changes

    def ReadRows(self, path, with_log):
        """Reads the messages of a database.

        Args:
          path (str): path of the database.
          with_log (bool): True if the write-ahead log should be applied.

        Returns:
          set[tuple[int, str]]: identifiers and contents.
        """
        copy_path = os.path.join(self.temporary_path, "read")
        shutil.copyfile(path, copy_path)
        if with_log and os.path.exists(f"{path:s}-wal"):
            shutil.copyfile(f"{path:s}-wal", f"{copy_path:s}-wal")
        with contextlib.closing(sqlite3.connect(copy_path)) as connection:
            rows = set(connection.execute("SELECT id, content FROM messages"))
            connection.execute("PRAGMA journal_mode = DELETE")
        return rows


if __name__ == "__main__":
    unittest.main()

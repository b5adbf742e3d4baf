"""Tests of databases and logs that are damaged, empty, foreign or hostile."""

import contextlib
import os
import shutil
import sqlite3
import struct
import unittest
from unittest import mock

from tests import test_lib

PAGE_SIZE = 4096

_TABLES = (
    "CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT, started_at REAL)",
    "CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, "
    "content TEXT, timestamp REAL)",
    "INSERT INTO sessions VALUES ('s1', 'cli', 1790000000.5)",
)


class DamageTest(test_lib.ParserTestCase):
    """Tests of databases and logs that are damaged, empty, foreign or hostile."""

    def setUp(self):
        """Creates a home."""
        super().setUp()
        self.home = os.path.join(self.temporary_path, "home", "user", ".hermes")
        os.makedirs(self.home)
        self.path = os.path.join(self.home, "state.db")
        self.log_path = f"{self.path:s}-wal"

    def Insert(self, first, last, size=0):
        """Writes statements that insert messages.

        Args:
          first (int): first identifier.
          last (int): last identifier.
          size (Optional[int]): number of characters that are added to the text.

        Returns:
          list[str]: SQL statements.
        """
        return [
            f"INSERT INTO messages VALUES ({identifier:d}, 's1', 'user', "
            f"'m{identifier:04d}{'x' * size:s}', {1790000000 + identifier:d}.5)"
            for identifier in range(first, last + 1)
        ]

    def Create(self, statements, path=None, log_statements=()):
        """Creates a database.

        Args:
          statements (list[str]): SQL statements.
          path (Optional[str]): path of the database, None for that of the home.
          log_statements (Optional[list[str]]): SQL statements whose changes are only in
              the write-ahead log, each a transaction.
        """
        path = path or self.path
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with contextlib.closing(
            sqlite3.connect(path, isolation_level=None)
        ) as connection:
            connection.execute("BEGIN")
            for statement in statements:
                connection.execute(statement)
            connection.execute("COMMIT")
            if log_statements:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA wal_autocheckpoint = 0")
                for statement in log_statements:
                    connection.execute(statement)
                for suffix in ("", "-wal"):
                    shutil.copyfile(path + suffix, f"{path:s}{suffix:s}.kept")
        if log_statements:
            for suffix in ("", "-wal"):
                os.replace(f"{path:s}{suffix:s}.kept", path + suffix)

    def Read(self, path):
        """Reads a file.

        Args:
          path (str): path.

        Returns:
          bytearray: content.
        """
        with open(path, "rb") as file_object:
            return bytearray(file_object.read())

    def Write(self, path, data):
        """Writes a file.

        Args:
          path (str): path.
          data (bytes): content.
        """
        with open(path, "wb") as file_object:
            file_object.write(data)

    def ParseHome(self, path=None):
        """Parses a database by all parsers that Plaso would call.

        Args:
          path (Optional[str]): path of the database, None for that of the home.

        Returns:
          tuple[list[str], list[str], ParseResult]: first five characters of the texts
              of the messages, those of recovered messages, and what was produced.
        """
        path = path or self.path
        # A file with the signature is only given to parsers of the signature.
        is_database = self.Read(path)[:15] == b"SQLite format 3"
        result = self.Parse(
            path, "sqlite/hermes_state" if is_database else "hermes_files"
        )
        messages = result.Get("hermes:message:entry")
        return (
            [(event.text or "")[:5] for event in messages if not event.recovered],
            [event.text[:5] for event in messages if event.recovered],
            result,
        )

    def CheckTexts(self, texts, *ranges):
        """Checks the texts of messages.

        Args:
          texts (list[str]): texts.
          ranges (list[tuple[int, int]]): first and last identifiers that are expected.
        """
        self.assertEqual(
            texts,
            [
                f"m{identifier:04d}"
                for first, last in ranges
                for identifier in range(first, last + 1)
            ],
        )

    def testNotDatabase(self):
        """Tests files that SQLite cannot open, which give one warning of ours."""
        self.Create([*_TABLES, *self.Insert(1, 50)])
        database = self.Read(self.path)
        overwritten = bytearray(database)
        overwritten[:PAGE_SIZE] = b"\x5a" * PAGE_SIZE
        for data, number_of_other_warnings in (
            (bytes(65536), 0),
            (overwritten, 0),
            (os.urandom(8192).replace(b"SQL", b"sql"), 0),
            (b"x", 0),
            # With the signature Plaso warns as well.
            (database[:100], 1),
            (database[:16] + b"\xff" * 8192, 1),
            (database[:16] + bytes(8192), 1),
        ):
            self.Write(self.path, data)
            _, _, result = self.ParseHome()
            self.assertEqual(result.event_data, [])
            self.assertEqual(
                result.warnings.count("not a SQLite database"), 1, bytes(data[:32])
            )
            self.assertEqual(len(result.warnings), 1 + number_of_other_warnings)

    def testNothing(self):
        """Tests files that give neither an event nor a warning."""
        self.Write(self.path, b"")
        self.assertEqual(self.ParseHome()[2].warnings, [])

        # A database of another program, and its damaged one.
        other_path = os.path.join(self.temporary_path, "other", "state.db")
        self.Create(["CREATE TABLE messages (id INTEGER)"], path=other_path)
        _, _, result = self.ParseHome(other_path)
        self.assertEqual((result.event_data, result.warnings), ([], []))
        self.Write(other_path, bytes(4096))
        self.assertEqual(self.ParseHome(other_path)[2].warnings, [])
        self.Write(other_path, b"SQLite format 3\x00" + b"\xff" * 4096)
        warnings = self.ParseHome(other_path)[2].warnings
        self.assertNotIn("not a SQLite database", warnings)

        # What SQLite keeps beside a copy is no copy.
        for suffix in ("-wal", "-shm", "-journal"):
            path = f"{self.path:s}.malformed-backup-20260918-120000{suffix:s}"
            self.Write(path, bytes(4096))
            self.assertEqual(self.ParseHome(path)[2].warnings, [])

    def testUnknown(self):
        """Tests a database of a home that lacks the tables, or has views instead."""
        for statements in (
            ["CREATE TABLE messages (id INTEGER)"],
            [
                *_TABLES,
                "ALTER TABLE messages RENAME TO m",
                "ALTER TABLE sessions RENAME TO s",
                "CREATE VIEW messages AS SELECT * FROM m",
                "CREATE VIEW sessions AS SELECT * FROM s",
            ],
        ):
            self.Write(self.path, b"")
            os.remove(self.path)
            self.Create(statements)
            _, _, result = self.ParseHome()
            self.assertEqual(result.event_data, [])
            self.assertEqual(result.warnings, ["no sessions or no messages table"])

    def testNumberOfPages(self):
        """Tests a database that says it is larger than any disk."""
        self.Create([*_TABLES, *self.Insert(1, 30)])
        data = self.Read(self.path)
        copy_file = shutil.copyfile
        sizes = []

        def CopyFile(source, destination):
            """Copies a file, and remembers how large it is."""
            copy_file(source, destination)
            sizes.append(os.path.getsize(destination))

        for number in (0x10000000, 0xFFFFFFFF):
            data[28:32] = struct.pack(">I", number)
            data[92:96] = data[24:28]
            self.Write(self.path, data)
            with mock.patch.object(shutil, "copyfile", CopyFile):
                texts, _, result = self.ParseHome()
            self.CheckTexts(texts, (1, 30))
            self.assertIn("not a SQLite database", result.warnings)
            self.assertTrue(sizes)
            self.assertLessEqual(max(sizes), len(data))

    def testPageSize(self):
        """Tests a database that says its pages are of another size."""
        self.Create([*_TABLES, *self.Insert(1, 300, size=100)])
        data = self.Read(self.path)
        for page_size in (0, 1, 3, 512, 8192, 32768):
            data[16:18] = struct.pack(">H", page_size)
            self.Write(self.path, data)
            texts, _, result = self.ParseHome()
            self.CheckTexts(texts, (1, 300))
            self.assertIn("not a SQLite database", result.warnings)

    def testSchemaPage(self):
        """Tests a database of which the definition of one table is gone."""
        padding = [
            f"CREATE TABLE padding{number:d} ({'x' * 300:s} TEXT)"
            for number in range(40)
        ]
        sessions, *others = _TABLES
        self.Create([sessions, *padding, *others, *self.Insert(1, 30)])
        data = self.Read(self.path)
        for table, expected in (("sessions", 30), ("messages", 0)):
            offset = data.index(f"CREATE TABLE {table:s}".encode("ascii"))
            self.assertGreater(offset, PAGE_SIZE)
            offset -= offset % PAGE_SIZE
            damaged = bytearray(data)
            damaged[offset : offset + PAGE_SIZE] = b"\xaa" * PAGE_SIZE
            self.Write(self.path, damaged)
            texts, _, result = self.ParseHome()
            self.CheckTexts(texts, (1, expected))
            self.assertIn(
                f"{table:s}: rows cannot be read: what defines the table is damaged",
                result.warnings,
            )

    def testResponseStore(self):
        """Tests a response store without the table, and one that is no database."""
        path = os.path.join(self.home, "response_store.db")
        self.Create(["CREATE TABLE other (id)"], path=path)
        result = self.Parse(path, "sqlite/hermes_response_store")
        self.assertEqual(result.warnings, ["no responses table"])
        for data in (bytes(4096), b"\x5a" * 100):
            self.Write(path, data)
            result = self.Parse(path, "hermes_files")
            self.assertEqual(result.warnings, ["not a SQLite database"])
        self.Write(path, b"")
        self.assertEqual(self.Parse(path, "hermes_files").warnings, [])
        other_path = os.path.join(self.temporary_path, "response_store.db")
        self.Create(["CREATE TABLE other (id)"], path=other_path)
        result = self.Parse(other_path, "sqlite/hermes_response_store")
        self.assertEqual(result.warnings, [])

    def testCopiesNotDatabase(self):
        """Tests copies that are no database, which have names of their own."""
        for number, name in enumerate(
            (
                "state.db.zeroed-20260918-120000-4711.bak",
                "state.db.notadb-20260918-120000-4711.bak",
                "state.db.malformed-backup-20260918-120000_1",
                "state.db.retired-wal-20260918-120000-4711/state.db",
                "state-snapshots/20260918-120000/state.db",
            )
        ):
            path = os.path.join(self.temporary_path, f"{number:d}", name)
            os.makedirs(os.path.dirname(path))
            self.Write(path, bytes(4096))
            self.assertEqual(
                self.ParseHome(path)[2].warnings, ["not a SQLite database"]
            )

    def testLogOnly(self):
        """Tests main files that say nothing beside a log that holds every page."""
        self.Create((), log_statements=[*_TABLES, *self.Insert(1, 60)])
        database = self.Read(self.path)
        for data in (
            b"",
            b"\x00",
            bytes(PAGE_SIZE),
            bytes(20 * PAGE_SIZE),
            b"\x5a" * 10000,
            database[:100],
            database[:16] + b"\xff" * 5000,
        ):
            self.Write(self.path, data)
            texts, recovered, result = self.ParseHome()
            self.CheckTexts(texts, (1, 60))
            self.assertEqual(recovered, [])
            self.assertEqual(len(result.Get("hermes:session:entry")), 1)
            self.assertNotIn("not a SQLite database", result.warnings)

    def testLogAlone(self):
        """Tests a log whose main file is gone."""
        for name in ("state.db", "state-snapshots/20260918-120000/state.db"):
            path = os.path.join(self.home, name)
            self.Create((), path=path, log_statements=[*_TABLES, *self.Insert(1, 60)])
            os.remove(path)
            if name == "state.db":
                # A link that leads nowhere is no main file.
                os.symlink("state.db", path)
            log_path = f"{path:s}-wal"
            result = self.Parse(log_path, "hermes_files")
            self.assertEqual(
                result.warnings,
                ["database is missing: only its write-ahead log is read"],
            )
            self.assertEqual(
                [event.text for event in result.Get("hermes:message:entry")],
                [f"m{number:04d}" for number in range(1, 61)],
            )
            self.Write(log_path, b"")
            result = self.Parse(log_path, "hermes_files")
            self.assertEqual((result.event_data, result.warnings), ([], []))
            self.Write(log_path, b"\x5a" * 5000)
            result = self.Parse(log_path, "hermes_files")
            self.assertEqual(result.event_data, [])
            self.assertIn("not a SQLite database", result.warnings)

    def testLogBesideDatabase(self):
        """Tests that a log is not read twice."""
        self.Create(_TABLES, log_statements=self.Insert(1, 2))
        result = self.Parse(self.log_path, "hermes_files")
        self.assertEqual((result.event_data, result.warnings), ([], []))

    def testDatabaseNamedAsLog(self):
        """Tests a database that has the name of a log."""
        path = os.path.join(self.home, "kept-wal")
        self.Create([*_TABLES, *self.Insert(1, 2)], path=path)
        result = self.Parse(path, "sqlite/hermes_state")
        self.assertEqual(result.warnings, [])
        self.assertEqual(len(result.Get("hermes:message:entry")), 2)

    def testLogOfUpperCase(self):
        """Tests an export of a file system that does not tell cases apart."""
        self.Create(_TABLES, log_statements=self.Insert(1, 2))
        path = os.path.join(self.home, "STATE.DB")
        os.rename(self.path, path)
        os.rename(self.log_path, f"{path:s}-WAL")
        result = self.Parse(path, "sqlite/hermes_state")
        self.assertEqual(result.warnings, [])
        self.assertEqual(len(result.Get("hermes:message:entry")), 2)

    def testLogNoFile(self):
        """Tests a log that is a link."""
        self.Create(_TABLES, log_statements=self.Insert(1, 2))
        kept_path = os.path.join(self.temporary_path, "kept")
        os.rename(self.log_path, kept_path)
        os.symlink(kept_path, self.log_path)
        warning = "state.db-wal is no file and cannot be read"
        texts, _, result = self.ParseHome()
        self.assertEqual((texts, result.warnings), ([], [warning]))

    def testOneTable(self):
        """Tests intact databases that lack a table, or a column that is required."""
        insert = list(self.Insert(1, 3))
        for statements, number_of_messages, number_of_sessions, warnings in (
            (["DROP TABLE sessions"], 3, 0, ["sessions: no such table"]),
            (["DROP TABLE messages"], 0, 1, ["messages: no such table"]),
            (
                ["ALTER TABLE sessions RENAME started_at TO other"],
                3,
                1,
                [
                    "sessions: no columns named started_at",
                    "no usable time in sessions row 1 (started_at): NULL",
                ],
            ),
            (
                ["ALTER TABLE messages RENAME content TO other"],
                3,
                1,
                ["messages: no columns named content"],
            ),
            (
                ["ALTER TABLE messages RENAME timestamp TO other"],
                3,
                1,
                ["messages: no columns named timestamp"]
                + [
                    f"no usable time in messages row {number:d} (timestamp): NULL"
                    for number in range(1, 4)
                ],
            ),
        ):
            if os.path.exists(self.path):
                os.remove(self.path)
            self.Create([*_TABLES, *insert, *statements])
            texts, _, result = self.ParseHome()
            with self.subTest(statements=statements):
                self.assertEqual(result.warnings, warnings)
                self.assertEqual(len(texts), number_of_messages)
                self.assertEqual(
                    len(result.Get("hermes:session:entry")), number_of_sessions
                )

    def testRetiredLog(self):
        """Tests a retired log beside a header only."""
        path = os.path.join(
            self.home, "state.db.retired-wal-20260918-120000-4711", "state.db"
        )
        self.Create((), path=path, log_statements=[*_TABLES, *self.Insert(1, 3)])
        self.Write(path, self.Read(path)[:100])
        texts, _, result = self.ParseHome(path)
        self.CheckTexts(texts, (1, 3))
        self.assertEqual(
            {(event.store, event.copy_identifier) for event in result.event_data},
            {("retired_wal", "20260918-120000-4711")},
        )

    def testLogWithSomePages(self):
        """Tests a main file of NULs beside a log that holds some of the pages."""
        self.Create(
            [*_TABLES, *self.Insert(1, 400, size=300)],
            log_statements=[
                "UPDATE sessions SET source = 'tui'",
                "CREATE TABLE other (id)",
                *self.Insert(401, 410, size=300),
            ],
        )
        self.Write(self.path, bytes(len(self.Read(self.path))))
        texts, recovered, result = self.ParseHome()
        self.assertEqual(recovered, [])
        # The root page of the table and its last leaf are in the log.
        self.assertEqual(texts[-10:], [f"m{number:04d}" for number in range(401, 411)])
        self.assertLess(len(texts), 30)
        self.assertEqual(len(result.warnings), 1)
        self.assertIn("cannot be read", result.warnings[0])

    def testLogsNotRead(self):
        """Tests logs of which nothing is read."""
        self.Create([*_TABLES, *self.Insert(1, 5)], log_statements=self.Insert(6, 6))
        log = self.Read(self.log_path)
        wrong_salt = bytearray(log)
        wrong_salt[16:24] = b"\x01" * 8
        wrong_sum = bytearray(log)
        wrong_sum[-1] ^= 255
        other_size = bytearray(log)
        other_size[8:12] = struct.pack(">I", 8192)
        frame_size = PAGE_SIZE + 24
        # What a checkpoint leaves: a new header, or a first frame, before the old ones.
        other_frames = bytearray(log)
        other_frames[40:48] = b"\x01" * 8
        for data, damage in (
            (b"", None),
            (b"\x00", "it ends within its header"),
            (log[:16], "it ends within its header"),
            (log[:32], None),
            (log[: 32 + 20], None),
            (log[: 32 + frame_size // 2], "it ends within frame 1"),
            (bytes(100000), "zero bytes"),
            (b"\x5a" * 100000, "its header is damaged"),
            (wrong_salt, "its header is damaged"),
            (wrong_sum, "frames 1 to 1 do not follow from those before them"),
            (other_size, "its header is damaged"),
            (other_frames, None),
        ):
            self.Write(self.log_path, data)
            texts, recovered, result = self.ParseHome()
            self.CheckTexts(texts, (1, 5))
            self.assertEqual(recovered, [])
            warnings = [f"write-ahead log cannot be read: {damage!s}"] if damage else []
            self.assertEqual(result.warnings, warnings)

    def testLogTails(self):
        """Tests logs that end early, or go on with what was not committed."""
        self.Create(
            [*_TABLES, *self.Insert(1, 5)],
            log_statements=[*self.Insert(6, 6), *self.Insert(7, 7), *self.Insert(8, 8)],
        )
        log = self.Read(self.log_path)
        frame_size = PAGE_SIZE + 24
        self.assertEqual(len(log), 32 + 3 * frame_size)
        # A frame that commits nothing: its number of pages is 0.
        uncommitted = bytearray(log)
        uncommitted[32 + 2 * frame_size + 4 : 32 + 2 * frame_size + 8] = bytes(4)
        damaged = bytearray(log)
        damaged[32 + frame_size + 100] ^= 255
        for data, last, damage in (
            (log, 8, None),
            (log + b"\x5a" * 5000, 8, None),
            (log[:-1], 7, "it ends within frame 3"),
            (log[: 32 + 2 * frame_size], 7, None),
            (uncommitted, 7, None),
            (damaged, 6, "frames 2 to 3 do not follow from those before them"),
        ):
            self.Write(self.log_path, data)
            texts, recovered, result = self.ParseHome()
            self.CheckTexts(texts, (1, last))
            warnings = [f"write-ahead log cannot be read: {damage!s}"] if damage else []
            self.assertEqual((recovered, result.warnings), ([], warnings))

    def testLogOfLargeDatabase(self):
        """Tests a log that says that the database is larger than it can be.

        Its checksums are right, so that SQLite reads it.
        """
        self.Create([*_TABLES, *self.Insert(1, 20)], log_statements=self.Insert(21, 40))
        log = self.Read(self.log_path)
        for sizes in ((100000,), (0xFFFFFFFF, None, 100000)):
            forged = bytearray(log)
            sums = struct.unpack_from(">II", log, 24)
            byte_order = ">" if log[3] & 1 else "<"
            commits = 0
            for offset in range(32, len(log), 24 + PAGE_SIZE):
                if any(log[offset + 4 : offset + 8]):
                    size = sizes[commits % len(sizes)]
                    commits += 1
                    if size:
                        struct.pack_into(">I", forged, offset + 4, size)
                for part in (
                    forged[offset : offset + 8],
                    forged[offset + 24 : offset + 24 + PAGE_SIZE],
                ):
                    for first, second in struct.iter_unpack(f"{byte_order:s}II", part):
                        first_sum = (sums[0] + first + sums[1]) & 0xFFFFFFFF
                        sums = (first_sum, (sums[1] + second + first_sum) & 0xFFFFFFFF)
                struct.pack_into(">II", forged, offset + 16, *sums)
            self.Write(self.log_path, forged)
            with contextlib.closing(sqlite3.connect(self.path)) as connection:
                self.assertEqual(
                    connection.execute("SELECT COUNT(*) FROM messages").fetchone(),
                    (40,),
                )
            self.Write(self.log_path, forged)
            texts, recovered, result = self.ParseHome()
            self.CheckTexts(texts, (1, 40))
            self.assertEqual(recovered, [])
            largest = max(filter(None, sizes))
            self.assertEqual(
                result.warnings,
                [
                    f"write-ahead log says that the database has {largest:d} pages, "
                    "which is not possible"
                ],
            )

    def testLogOfCutDatabase(self):
        """Tests a database that is cut within a page, with a write-ahead log."""
        self.Create(
            [*_TABLES, *self.Insert(1, 100, size=200)],
            log_statements=self.Insert(101, 101),
        )
        database = self.Read(self.path)
        size = len(database) // 2 // PAGE_SIZE * PAGE_SIZE
        self.Write(self.path, database[:size])
        whole_pages = self.ParseHome()
        self.assertTrue(whole_pages[0])

        for number_of_bytes in (100, PAGE_SIZE - 1):
            self.Write(self.path, database[: size + number_of_bytes])
            texts, recovered, result = self.ParseHome()
            self.assertEqual((texts, recovered), whole_pages[:2])
            self.assertEqual(result.warnings, whole_pages[2].warnings)
            self.assertEqual(len(result.event_data), len(whole_pages[2].event_data))

    def testForeignLog(self):
        """Tests the log of another database, whose frames are right for themselves."""
        other_path = os.path.join(self.temporary_path, "other.db")
        self.Create(
            ["CREATE TABLE a (id)"],
            path=other_path,
            log_statements=["CREATE TABLE b (id)", "INSERT INTO b VALUES (1)"],
        )
        self.Create([*_TABLES, *self.Insert(1, 5)])
        shutil.copyfile(f"{other_path:s}-wal", self.log_path)
        texts, recovered, result = self.ParseHome()
        self.CheckTexts(texts, (1, 5))
        self.assertEqual(recovered, [])
        self.assertEqual(len(result.warnings), 1)
        self.assertIn("write-ahead log", result.warnings[0])

    def MakeHotJournal(self, *statements):
        """Creates a database of 30 messages, and changes it without a commit.

        Args:
          statements (list[str]): SQL statements, before those that insert others.

        Returns:
          tuple[bytearray, bytearray]: database and its rollback journal, as they are
              before the end of the transaction.
        """
        self.Create([*_TABLES, *self.Insert(1, 30, size=300)])
        with contextlib.closing(
            sqlite3.connect(self.path, isolation_level=None)
        ) as connection:
            connection.execute("PRAGMA cache_size = 2")
            connection.execute("BEGIN")
            for statement in (*statements, *self.Insert(31, 200, size=300)):
                connection.execute(statement)
            database = self.Read(self.path)
            journal = self.Read(f"{self.path:s}-journal")
            connection.execute("ROLLBACK")
        return database, journal

    def testJournals(self):
        """Tests rollback journals: a hot one, and those that change nothing."""
        database, journal = self.MakeHotJournal(
            "DELETE FROM messages WHERE id > 20",
            "UPDATE messages SET content = 'xxxxx' WHERE id < 10",
        )
        self.assertEqual(journal[:4], b"\xd9\xd5\x05\xf9")
        self.Write(self.path, database)
        journal_path = f"{self.path:s}-journal"

        self.Write(journal_path, journal)
        texts, recovered, result = self.ParseHome()
        self.CheckTexts(texts, (1, 30))
        self.assertEqual((recovered, result.warnings), ([], []))
        self.assertEqual(self.Read(journal_path), journal)
        self.assertEqual(self.Read(self.path), database)

        # One of which a part cannot be taken back.
        damaged = bytearray(journal)
        damaged[512 + 4 + PAGE_SIZE - 200] ^= 255
        other_sector = bytearray(journal)
        other_sector[20:24] = bytes(4)
        for data, reason in (
            (damaged, "record 1 is damaged"),
            (journal[: 512 + 100], "it ends within record 1"),
            (other_sector, "its header is damaged"),
        ):
            self.Write(self.path, database)
            self.Write(journal_path, data)
            _, _, result = self.ParseHome()
            self.assertIn(
                f"rollback journal cannot be read: {reason:s}, so that rows can be "
                "there that were never committed",
                result.warnings,
            )

        # Of a database that cannot have been as large: SQLite would make it so.
        for number_of_pages in (1000000, 0xFFFFFFFF):
            damaged = bytearray(journal)
            damaged[16:20] = number_of_pages.to_bytes(4, "big")
            self.Write(self.path, database)
            self.Write(journal_path, damaged)
            texts, recovered, result = self.ParseHome()
            self.CheckTexts(texts, (1, 30))
            self.assertEqual(recovered, [])
            # Pages that the transaction added are left over.
            self.assertEqual(
                result.warnings[0],
                f"rollback journal says that the database had {number_of_pages:d} "
                "pages, which is not possible",
            )

        # Of a transaction that ended, or of no transaction at all.
        self.Create(
            [*_TABLES, *self.Insert(1, 30)],
            path=os.path.join(self.temporary_path, "good.db"),
        )
        shutil.copyfile(os.path.join(self.temporary_path, "good.db"), self.path)
        for data in (b"", bytes(512), bytes(28) + journal[28:], b"\x5a" * 4096):
            self.Write(journal_path, data)
            texts, recovered, result = self.ParseHome()
            self.CheckTexts(texts, (1, 30))
            self.assertEqual((recovered, result.warnings), ([], []))

    def testTruncated(self):
        """Tests databases that end early."""
        self.Create([*_TABLES, *self.Insert(1, 400, size=300)])
        database = self.Read(self.path)
        for size in (len(database) - PAGE_SIZE, len(database) // 2 + 100):
            self.Write(self.path, database[:size])
            texts, _, result = self.ParseHome()
            intact = sorted(
                f"m{number:04d}"
                for number in range(1, 401)
                if database.index(b"m%04dxxx" % number) // PAGE_SIZE < size // PAGE_SIZE
            )
            self.assertEqual(texts, intact)
            self.assertEqual(result.warnings.count("not a SQLite database"), 1)
            # Plaso says that it cannot open it, and the lost range is named.
            self.assertEqual(len(result.warnings), 3)
            self.assertIn("messages: rows with identifiers", result.warnings[2])

    def testTruncatedRoots(self):
        """Tests databases that end before the root of a table.

        What is added to a repaired copy must not take the place of the root.
        """
        for page_size in (512, 1024, 4096, 65536):
            if os.path.exists(self.path):
                os.remove(self.path)
            with contextlib.closing(sqlite3.connect(self.path)) as connection:
                connection.execute(f"PRAGMA page_size = {page_size:d}")
                for statement in (
                    *_TABLES[:2],
                    "CREATE INDEX of_sessions ON messages (session_id, timestamp)",
                    # One more page of the schema, of pages of 512 bytes.
                    "CREATE TABLE state_meta (key TEXT PRIMARY KEY, value TEXT)",
                    "CREATE TABLE system_prompts (hash TEXT PRIMARY KEY, prompt TEXT)",
                    _TABLES[2],
                    *self.Insert(1, 20, size=100),
                ):
                    connection.execute(statement)
                connection.commit()
            database = self.Read(self.path)
            for number in range(1, min(len(database) // page_size, 12)):
                for part in (0, page_size // 3):
                    self.Write(self.path, database[: number * page_size + part])
                    with self.subTest(page_size=page_size, number=number, part=part):
                        texts, _, result = self.ParseHome()
                        self.assertEqual(len(texts), len(set(texts)))
                        if len(texts) < 20:
                            self.assertGreater(len(result.warnings), 0)
                        for event_data in result.event_data:
                            if event_data.data_type == "hermes:unparsed:entry":
                                continue
                            self.assertIn(event_data.session_identifier, (None, "s1"))
                            if event_data.data_type == "hermes:message:entry":
                                self.assertRegex(event_data.text, "^m00[0-9]{2}x{100}$")

    def testMergedColumns(self):
        """Tests a table of which two columns are read as one."""
        self.Create([*_TABLES, *self.Insert(1, 2000)])
        warning = (
            "rows have more columns than the table: what defines it is damaged, and "
            "values can be those of other columns"
        )
        database = self.Read(self.path)
        _, _, result = self.ParseHome()
        self.assertEqual(result.warnings, [])
        for definition, table_name in (
            (b"source TEXT, started_at", "sessions"),
            (b"role TEXT, content", "messages"),
        ):
            self.assertEqual(database.count(definition), 1)
            self.Write(
                self.path,
                database.replace(definition, definition.replace(b",", b"\xff")),
            )
            _, _, result = self.ParseHome()
            self.assertIn(f"{table_name:s}: {warning:s}", result.warnings)

    def testSuperJournal(self):
        """Tests that a journal deletes no file that it names."""
        database, journal = self.MakeHotJournal("UPDATE messages SET content = 'xxxxx'")

        named_path = os.path.join(self.temporary_path, "precious")
        name = os.fsencode(named_path)
        for name_end in (b"", b"\x00"):
            self.Write(named_path, b"kept")
            self.Write(self.path, database)
            self.Write(
                f"{self.path:s}-journal",
                bytes(journal)
                + struct.pack(">I", 0x40000000 // PAGE_SIZE + 1)
                + name
                + name_end
                + struct.pack(">II", len(name), sum(name))
                + journal[:8],
            )
            _, _, result = self.ParseHome()
            self.assertEqual(self.Read(named_path), b"kept")
            self.assertIn(
                "write-ahead log or journal cannot be read: rollback journal names a "
                "super-journal",
                result.warnings,
            )

    def testPartOfPage(self):
        """Tests a part of a page of NULs, of which SQLite makes rows of no values."""
        self.Create(
            [
                *_TABLES,
                "ALTER TABLE messages ADD COLUMN active INTEGER DEFAULT 1",
                *(
                    statement.replace(".5)", ".5, 1)")
                    for statement in self.Insert(1, 100, size=100)
                ),
            ]
        )
        database = self.Read(self.path)
        offset = database.index(b"m0050") // PAGE_SIZE * PAGE_SIZE
        # The start of the page, with its identifiers, is as it was.
        database[offset + 512 : offset + PAGE_SIZE] = bytes(PAGE_SIZE - 512)
        self.Write(self.path, database)
        texts, _, result = self.ParseHome()
        self.CheckTexts(texts, (1, 31), (59, 100))
        self.assertEqual(
            result.warnings,
            [
                "messages: rows with identifiers 32 to 58 cannot be read: database "
                "disk image is malformed",
                # The row at the edge lost its time, which comes last.
                "no usable time in messages row 59 (timestamp): 0.0",
            ],
        )

    def testHeaderFields(self):
        """Tests fields of the header that are wrong."""
        self.Create([*_TABLES, *self.Insert(1, 50)])
        database = self.Read(self.path)
        for offset, data, is_readable in (
            (16, b"\x00\x00", False),
            (16, b"\x00\x01", None),
            (18, b"\x03\x03", None),
            (21, b"\x00\x00\x00", False),
            (28, b"\xff\xff\xff\xff", None),
            (28, b"\x00\x00\x00\x01", None),
            (44, b"\x00\x00\x00\x63", False),
            (56, b"\x00\x00\x00\x07", False),
        ):
            damaged = bytearray(database)
            damaged[offset : offset + len(data)] = data
            self.Write(self.path, damaged)
            texts, _, result = self.ParseHome()
            if is_readable is None:
                # SQLite decides: all of it, or a warning that it cannot.
                is_readable = not result.warnings
            if is_readable:
                self.CheckTexts(texts, (1, 50))
                self.assertEqual(result.warnings, [])
            else:
                # What can be read of it is.
                self.assertIn(len(texts), (0, 50))
                self.assertEqual(result.warnings.count("not a SQLite database"), 1)


if __name__ == "__main__":
    unittest.main()

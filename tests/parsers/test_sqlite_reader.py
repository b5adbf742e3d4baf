"""Tests for the reader of SQLite databases that may be damaged."""

import os
import random
import sqlite3
import tempfile
import time
import unittest
from unittest import mock

from hermes_plaso.formats import state
from hermes_plaso.parsers import sqlite_reader

PAGE_SIZE = 4096


class SQLiteReaderTest(unittest.TestCase):
    """Tests for the reader of SQLite databases that may be damaged."""

    def setUp(self):
        """Creates a temporary directory."""
        temporary_directory = tempfile.TemporaryDirectory()
        self.addCleanup(temporary_directory.cleanup)
        self.path = os.path.join(temporary_directory.name, "test.db")

    def CreateTable(self, first=1, number_of_rows=1000):
        """Creates a table of many pages.

        Args:
          first (Optional[int]): first row identifier.
          number_of_rows (Optional[int]): number of rows.
        """
        connection = sqlite3.connect(self.path)
        connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, content TEXT)")
        connection.executemany(
            "INSERT INTO t VALUES (?, ?)",
            (
                (identifier, f"row {identifier:05d} " + "x" * 300)
                for identifier in range(first, first + number_of_rows)
            ),
        )
        connection.commit()
        connection.close()

    def Read(self):
        """Reads the table.

        Returns:
          tuple[list[int], list[str]]: row identifiers and warnings.
        """
        warnings = []
        with sqlite_reader.SQLiteReader() as reader:
            reader.Open(self.path)
            identifiers = [
                identifier
                for identifier, _ in reader.ReadRows("t", ["content"], warnings.append)
            ]
        return identifiers, warnings

    def GetPageOffset(self, data, text):
        """Finds the page that holds a text.

        Args:
          data (bytes): data of the database.
          text (bytes): text.

        Returns:
          int: offset of the page.
        """
        return data.index(text) // PAGE_SIZE * PAGE_SIZE

    def testIntact(self):
        """Tests a database that is not damaged."""
        self.CreateTable(first=-3, number_of_rows=10)
        self.assertEqual(self.Read(), (list(range(-3, 7)), []))

    def testDamagedPages(self):
        """Tests that only the rows of damaged pages are lost, and named."""
        for first in (1, -500):
            if os.path.exists(self.path):
                os.remove(self.path)
            self.CreateTable(first=first)
            with open(self.path, "rb") as file_object:
                data = bytearray(file_object.read())
            for text in (b"row 00100", b"row 00400"):
                offset = self.GetPageOffset(data, text)
                data[offset : offset + PAGE_SIZE] = b"\xaa" * PAGE_SIZE
            with open(self.path, "wb") as file_object:
                file_object.write(data)

            identifiers, warnings = self.Read()
            self.assertEqual(identifiers, sorted(set(identifiers)))
            lost = sorted(set(range(first, first + 1000)).difference(identifiers))
            self.assertEqual(len(warnings), 2)
            for identifier in (100, 400):
                self.assertIn(identifier, lost)
            # A page holds 13 rows at most.
            self.assertLessEqual(len(lost), 26)
            for warning in warnings:
                self.assertRegex(
                    warning,
                    "t: rows with identifiers [0-9]+ to [0-9]+ cannot be read: ",
                )

    def testIdentifierOutOfOrder(self):
        """Tests a wrong row identifier before a damaged page.

        Identifier 692 is the two bytes 85 34 of its cell.
        """
        for wrong_identifier in (b"\x80\x03", b"\xff\x7f"):
            if os.path.exists(self.path):
                os.remove(self.path)
            self.CreateTable()
            with open(self.path, "rb") as file_object:
                data = bytearray(file_object.read())
            text_offset = data.index(b"row 00692")
            cell_offset = data.rindex(b"\x85\x34", text_offset - 16, text_offset)
            data[cell_offset : cell_offset + 2] = wrong_identifier
            page_offset = text_offset // PAGE_SIZE * PAGE_SIZE
            for number in range(693, 720):
                offset = self.GetPageOffset(data, f"row {number:05d}".encode("ascii"))
                if offset != page_offset:
                    data[offset : offset + 8] = b"\xff" * 8
                    break
            with open(self.path, "wb") as file_object:
                file_object.write(data)

            identifiers, warnings = self.Read()
            # What comes after the damaged page is read: a page has 13 rows at most.
            self.assertGreaterEqual(len(identifiers), 1000 - 13)
            self.assertLessEqual(len(identifiers), 1000)
            self.assertEqual(identifiers[-1], 1000)
            # The wrong identifier may be that of another row.
            repeated = {
                number for number in identifiers if identifiers.count(number) > 1
            }
            self.assertLessEqual(repeated, {3})
            self.assertEqual(len(warnings), 2)
            self.assertIn("cannot be read", warnings[0])
            self.assertIn("1 rows do not follow the one before them", warnings[1])

    def testLargeValues(self):
        """Tests values of which only the start is read."""
        connection = sqlite3.connect(self.path)
        connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a, b)")
        values = [
            ("x" * 101, None),
            ("\x00" + "\u00e9" * 100, 12345),
            (b"\xff" * 101, "y" * 100),
            (7, 0.1),
        ]
        connection.executemany("INSERT INTO t (a, b) VALUES (?, ?)", values)
        connection.commit()
        connection.close()
        rows = {}
        for limit in (1000, 100):
            with mock.patch.object(
                sqlite_reader, "_MAXIMUM_VALUE_SIZE", limit
            ), sqlite_reader.SQLiteReader() as reader:
                reader.Open(self.path)
                rows[limit] = [
                    row for _, row in reader.ReadRows("t", ["a", "b"], print)
                ]
        self.assertEqual(rows[1000], values)
        self.assertEqual(
            rows[100],
            [
                ("x" * 100, None),
                ("\x00" + "\u00e9" * 49 + "\\xc3", 12345),
                (b"\xff" * 100, "y" * 100),
                (7, 0.1),
            ],
        )

    def testTooLargeValues(self):
        """Tests that rows for which there is no memory are left out, and told."""
        self.CreateTable(number_of_rows=20)

        def DecodeText(data):
            """Decodes a text cell, as if some were too large.

            Args:
              data (bytes): text.

            Returns:
              str: text.

            Raises:
              MemoryError: for some texts.
            """
            if data[:9] in (b"row 00001", b"row 00012", b"row 00020"):
                raise MemoryError
            return data.decode("ascii")

        warnings = []
        with sqlite_reader.SQLiteReader() as reader:
            reader.Open(self.path, text_factory=DecodeText)
            identifiers = [
                identifier
                for identifier, _ in reader.ReadRows("t", ["content"], warnings.append)
            ]
        self.assertEqual(identifiers, [*range(2, 12), *range(13, 20)])
        self.assertEqual(
            warnings,
            [
                f"t: rows with identifiers {number:d} to {number:d} cannot be read: "
                "too large for memory"
                for number in (1, 12, 20)
            ],
        )

    def testSharedRoot(self):
        """Tests tables to which the schema gives the same page."""
        self.CreateTable(number_of_rows=20)
        connection = sqlite3.connect(self.path)
        connection.execute("CREATE TABLE u (id INTEGER PRIMARY KEY, content TEXT)")
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_master SET rootpage = 2 WHERE name = 'u'")
        connection.commit()
        connection.close()
        _, warnings = self.Read()
        self.assertEqual(
            warnings,
            ["t: rows are those of u as well: the schema gives both the same page"],
        )

    def testPagesOfTwoStates(self):
        """Tests a copy that was made while the database was written.

        The row that moves stands in its old page and in its new one.
        """
        self.CreateTable(number_of_rows=200)
        with open(self.path, "rb") as file_object:
            before = file_object.read()
        connection = sqlite3.connect(self.path)
        connection.execute(
            "UPDATE t SET content = content || ? WHERE id = 100", ("x" * 1500,)
        )
        connection.commit()
        connection.close()
        with open(self.path, "rb") as file_object:
            after = file_object.read()
        changed = [
            offset
            for offset in range(0, len(before), PAGE_SIZE)
            if before[offset : offset + PAGE_SIZE] != after[offset : offset + PAGE_SIZE]
        ]
        warned = 0
        for kept in changed:
            data = bytearray(after)
            data[kept : kept + PAGE_SIZE] = before[kept : kept + PAGE_SIZE]
            with open(self.path, "wb") as file_object:
                file_object.write(data)
            with self.subTest(kept // PAGE_SIZE):
                identifiers, warnings = self.Read()
                is_ordered = identifiers == sorted(set(identifiers))
                misplaced = [text for text in warnings if "do not follow" in text]
                self.assertEqual(bool(misplaced), not is_ordered)
                warned += len(misplaced)
        self.assertGreaterEqual(warned, 1)

    def testManyDamagedPages(self):
        """Tests that every row of every intact leaf is read, and no other, once."""
        self.CreateTable(number_of_rows=2000)
        with open(self.path, "rb") as file_object:
            database = file_object.read()
        leaves = {}
        for identifier in range(1, 2001):
            offset = database.index(f"row {identifier:05d} ".encode("ascii"))
            leaves.setdefault(offset // PAGE_SIZE, []).append(identifier)

        generator = random.Random(4711)
        for number_of_pages in (1, 2, 5, 20, 60, 120, len(leaves) - 1, len(leaves)):
            for _ in range(4):
                damaged_pages = generator.sample(sorted(leaves), number_of_pages)
                data = bytearray(database)
                for page in damaged_pages:
                    offset = page * PAGE_SIZE
                    data[offset : offset + PAGE_SIZE] = (
                        generator.choice((b"\xaa", b"\x00", b"\xff")) * PAGE_SIZE
                    )
                with open(self.path, "wb") as file_object:
                    file_object.write(data)
                identifiers, warnings = self.Read()
                self.assertEqual(
                    identifiers,
                    sorted(
                        identifier
                        for page, page_identifiers in leaves.items()
                        if page not in damaged_pages
                        for identifier in page_identifiers
                    ),
                )
                self.assertGreaterEqual(len(warnings), 1)
                self.assertLessEqual(len(warnings), number_of_pages)

    def testCarriedMessages(self):
        """Tests the query of carried messages: what it finds, and that it is fast."""
        columns = (
            "id, session_id, role, content, timestamp, active, compacted, message_uid"
        )
        connection = sqlite3.connect(self.path)
        connection.execute(f"CREATE TABLE messages ({columns:s})")
        connection.execute("CREATE INDEX i ON messages (session_id, active, timestamp)")
        rows = [
            # By identifier, by role, time and content, and neither.
            (1, "s", "user", "a", 1.0, 0, 0, "u1"),
            (2, "s", "user", "b", 2.0, 0, 0, None),
            (3, "s", "user", None, 3.0, 0, 0, None),
            (4, "s", "user", "d", 4.0, 0, 0, None),
            (5, "s", "user", "other", 1.5, 1, 0, "u1"),
            (6, "s", "user", "b", 2.0, 1, 0, None),
            (7, "s", "user", None, 3.0, 1, 0, None),
            (8, "s", "user", "d", 4.5, 1, 0, None),
            (9, "s", "assistant", "d", 4.0, 1, 0, None),
            (10, "other", "user", "d", 4.0, 1, 0, None),
        ]
        rows.extend(
            (identifier, "s", "user", f"m{identifier:d}", 9.0, identifier % 2, 0, None)
            for identifier in range(11, 20011)
        )
        connection.executemany(
            "INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows
        )
        connection.commit()
        connection.close()

        with sqlite_reader.SQLiteReader() as reader:
            reader.Open(self.path)
            decoder = state.StateDecoder(reader.columns_per_table, reader.QueryFirst)
            start_time = time.monotonic()
            identifiers = list(
                reader.QueryRowIdentifiers(
                    decoder.GetMarkQueries("rowid")[state.MARK_CARRIED]
                )
            )
            self.assertLess(time.monotonic() - start_time, 30)
        self.assertEqual(identifiers, [1, 2, 3])


if __name__ == "__main__":
    unittest.main()

"""Tests for the repair of damaged SQLite databases."""

import contextlib
import os
import random
import sqlite3
import struct
import tempfile
import time
import unittest
from unittest import mock

from hermes_plaso.parsers import sqlite_pages
from hermes_plaso.parsers import sqlite_reader

PAGE_SIZE = 512
NUMBER_OF_ROWS = 3000

_INTERIOR = 5
_LEAF = 13


def WriteVarint(value):
    """Writes a variable-length integer, as short as can be.

    Args:
      value (int): integer.

    Returns:
      bytes: integer.
    """
    if value >= 1 << 56:
        # pylint: disable=protected-access
        return sqlite_pages._WriteVarint(value)
    data = [value & 0x7F]
    while value := value >> 7:
        data.insert(0, 0x80 | value & 0x7F)
    return bytes(data)


class DatabasePagesTest(unittest.TestCase):
    """Tests for the repair of damaged SQLite databases."""

    def setUp(self):
        """Creates a database whose table has a tree of several levels."""
        temporary_directory = tempfile.TemporaryDirectory()
        self.addCleanup(temporary_directory.cleanup)
        self.directory = temporary_directory.name
        self.path = os.path.join(self.directory, "test.db")
        self.Create(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, content TEXT)",
            "CREATE TABLE other (content TEXT)",
            "INSERT INTO other VALUES ('one')",
        )
        self.InsertRows()
        with open(self.path, "rb") as file_object:
            self.intact = file_object.read()
        self.leaves = {}
        for identifier in range(1, NUMBER_OF_ROWS + 1):
            offset = self.intact.index(f"row {identifier:05d} ".encode("ascii"))
            page_number = offset // PAGE_SIZE + 1
            self.leaves.setdefault(page_number, []).append(identifier)

    def Create(self, *statements):
        """Runs statements.

        Args:
          statements (list[str]): SQL statements.
        """
        with contextlib.closing(
            sqlite3.connect(self.path, isolation_level=None)
        ) as connection:
            connection.execute(f"PRAGMA page_size = {PAGE_SIZE:d}")
            for statement in statements:
                connection.execute(statement)

    def InsertRows(self):
        """Inserts rows, some of which need pages of their own."""
        with contextlib.closing(sqlite3.connect(self.path)) as connection:
            connection.executemany(
                "INSERT INTO t VALUES (?, ?)",
                (
                    (
                        identifier,
                        f"row {identifier:05d} "
                        + "x" * (2000 if identifier % 100 == 0 else 80),
                    )
                    for identifier in range(1, NUMBER_OF_ROWS + 1)
                ),
            )
            connection.commit()

    def GetPages(self, page_type):
        """Finds pages by their type.

        Args:
          page_type (int): type.

        Returns:
          list[int]: numbers of the pages, without the first.
        """
        return [
            number
            for number in range(2, len(self.intact) // PAGE_SIZE + 1)
            if self.intact[(number - 1) * PAGE_SIZE] == page_type
        ]

    def Read(self, pages, table_name="t"):
        """Reads the table of a database of which pages have been replaced.

        Args:
          pages (dict[int, bytes]): pages per number.
          table_name (Optional[str]): name of the table.

        Returns:
          tuple[list[int], list[str], Damage]: row identifiers, warnings and damage.
        """
        data = bytearray(self.intact)
        for number, page in pages.items():
            data[(number - 1) * PAGE_SIZE : number * PAGE_SIZE] = page
        with open(self.path, "wb") as file_object:
            file_object.write(data)
        warnings = []
        with sqlite_reader.SQLiteReader(self.directory) as reader:
            reader.Open(self.path, is_tolerant=True)
            identifiers = []
            for identifier, (content,) in reader.ReadRows(
                table_name, ["content"], warnings.append
            ):
                if table_name == "t":
                    self.assertTrue(content.startswith(f"row {identifier:05d} "))
                identifiers.append(identifier)
            damage = reader.damage
        # What is temporary is removed.
        self.assertEqual(os.listdir(self.directory), ["test.db"])
        return identifiers, warnings, damage

    def GetPage(self, number):
        """Retrieves a page as it was.

        Args:
          number (int): number of the page.

        Returns:
          bytes: page.
        """
        return self.intact[(number - 1) * PAGE_SIZE : number * PAGE_SIZE]

    def CheckMissing(self, result, missing):
        """Checks that all rows were read but some, which were told.

        Args:
          result (tuple[list[int], list[str], Damage]): what was read.
          missing (list[int]): row identifiers that are missing.
        """
        identifiers, warnings, _ = result
        self.assertEqual(
            identifiers, sorted(set(range(1, NUMBER_OF_ROWS + 1)) - set(missing))
        )
        ranges = []
        for identifier in sorted(missing):
            if ranges and ranges[-1][1] == identifier - 1:
                ranges[-1][1] = identifier
            else:
                ranges.append([identifier, identifier])
        expected = [
            f"t: rows with identifiers {first:d} to {last:d} cannot be read: "
            f"database disk image is malformed"
            for first, last in ranges
        ]
        if ranges and ranges[0][0] == 1:
            expected[0] = expected[0].replace("1 to", "up to", 1)
        if ranges and ranges[-1][1] == NUMBER_OF_ROWS:
            expected[-1] = expected[-1].replace(f" to {ranges[-1][1]:d}", " and above")
        self.assertEqual(warnings, expected)

    def testIntact(self):
        """Tests a database that is not damaged, and one of which rows were deleted."""
        result = self.Read({})
        self.CheckMissing(result, [])
        self.assertIsNone(result[2])

        self.Create("DELETE FROM t WHERE id BETWEEN 100 AND 2000")
        with sqlite_reader.SQLiteReader() as reader:
            reader.Open(self.path)
            self.assertIsNone(reader.damage)
            self.assertEqual(len(list(reader.ReadRows("t", ["id"], self.fail))), 1099)

    def testLeaves(self):
        """Tests leaves of which nothing is left."""
        generator = random.Random(4711)
        numbers = sorted(self.leaves)
        for number_of_pages in (1, 2, 40):
            damaged = generator.sample(numbers, number_of_pages)
            self.CheckMissing(
                self.Read(dict.fromkeys(damaged, b"\xaa" * PAGE_SIZE)),
                [
                    identifier
                    for number in damaged
                    for identifier in self.leaves[number]
                ],
            )
        for number in (numbers[0], numbers[-1]):
            self.CheckMissing(
                self.Read({number: bytes(PAGE_SIZE)}), self.leaves[number]
            )
        identifiers, warnings, _ = self.Read(
            dict.fromkeys(numbers, b"\xaa" * PAGE_SIZE)
        )
        self.assertEqual(identifiers, [])
        self.assertEqual(
            warnings, ["t: rows cannot be read: database disk image is malformed"]
        )

    def testInteriorPages(self):
        """Tests that the rows below pages that have none themselves are found."""
        interior_pages = self.GetPages(_INTERIOR)
        self.assertGreater(len(interior_pages), 3)
        for pages in (
            *({number: b"\xaa" * PAGE_SIZE} for number in interior_pages),
            dict.fromkeys(interior_pages, bytes(PAGE_SIZE)),
        ):
            identifiers, warnings, _ = self.Read(pages)
            self.assertEqual(identifiers, list(range(1, NUMBER_OF_ROWS + 1)))
            # Whether the page had another leaf at its end is not known.
            self.assertLessEqual(
                set(warnings),
                {
                    f"t: rows with identifiers {NUMBER_OF_ROWS + 1:d} and above cannot "
                    f"be read: database disk image is malformed"
                },
            )

    def testPagesInWrongPlaces(self):
        """Tests pages that are intact, and somewhere else."""
        numbers = sorted(self.leaves)
        first, second, third = numbers[50], numbers[100], numbers[150]
        # A row comes once, though its page is there twice.
        self.CheckMissing(self.Read({first: self.GetPage(third)}), self.leaves[first])
        self.CheckMissing(
            self.Read({first: self.GetPage(third), second: b"\xaa" * PAGE_SIZE}),
            self.leaves[first] + self.leaves[second],
        )
        self.CheckMissing(
            self.Read({first: self.GetPage(third), third: self.GetPage(first)}), []
        )

        # A pointer to another page, of which the page it pointed to is found.
        number, *_ = [
            number
            for number in self.GetPages(_INTERIOR)
            if struct.unpack_from(">I", self.GetPage(number), 8)[0] in self.leaves
        ]
        page = bytearray(self.GetPage(number))
        struct.pack_into(">I", page, 8, first)
        self.CheckMissing(self.Read({number: page}), [])

    def testCells(self):
        """Tests that a row that is damaged costs no other of its page."""
        number, identifiers = sorted(self.leaves.items())[60]
        page = bytearray(self.GetPage(number))
        start = page.index(f"row {identifiers[1]:05d} ".encode("ascii"))
        # The type of a column.
        page[start - 2] = 0xFF
        self.CheckMissing(self.Read({number: page}), [identifiers[1]])

        # A pointer to the cell before, which SQLite reads twice without a word.
        page = bytearray(self.GetPage(number))
        page[10:12] = page[8:10]
        self.CheckMissing(self.Read({number: page}), [identifiers[1]])

        # The page on which a long row goes on.
        number = next(
            number
            for number, identifiers in self.leaves.items()
            if NUMBER_OF_ROWS // 2 in identifiers
        )
        page = bytearray(self.GetPage(number))
        start = page.index(f"row {NUMBER_OF_ROWS // 2:05d} ".encode("ascii"))
        overflow = next(
            offset
            for offset in range(start, PAGE_SIZE)
            if page[offset : offset + 1] != b"x" and page[offset - 1 : offset] == b"x"
        )
        struct.pack_into(">I", page, overflow, 0x7FFFFFFF)
        self.CheckMissing(self.Read({number: page}), [NUMBER_OF_ROWS // 2])

    def testRoot(self):
        """Tests pages that were written over the root of a tree."""
        with contextlib.closing(sqlite3.connect(self.path)) as connection:
            roots = dict(
                connection.execute(
                    "SELECT name, rootpage FROM sqlite_master"
                ).fetchall()
            )
        number, identifiers = sorted(self.leaves.items())[40]
        for page in (
            # A leaf of the table, that of another one, and a page of an index.
            self.GetPage(number),
            self.GetPage(roots["other"]),
            b"\x0a" + bytes(PAGE_SIZE - 1),
            b"\x02" + bytes(PAGE_SIZE - 1),
        ):
            result = self.Read({roots["t"]: page})
            self.assertEqual(result[0], list(range(1, NUMBER_OF_ROWS + 1)))

        # A root and a leaf that have changed places.
        result = self.Read(
            {roots["t"]: self.GetPage(number), number: self.GetPage(roots["t"])}
        )
        self.assertEqual(result[0], list(range(1, NUMBER_OF_ROWS + 1)))

        # Whether a row is in use is not known without the list of free pages.
        header = bytearray(self.GetPage(1))
        header[32:40] = b"\xff" * 8
        result = self.Read({1: header})
        self.assertEqual(result[0], list(range(1, NUMBER_OF_ROWS + 1)))
        self.assertTrue(result[2].has_damaged_free_list)
        identifiers, warnings, damage = self.Read(
            {1: header, roots["t"]: self.GetPage(number)}
        )
        self.assertEqual(identifiers, self.leaves[number])
        self.assertTrue(damage.has_damaged_free_list)

    def testUnknownTable(self):
        """Tests that rows of a table that is not known are not those of another."""
        padding = ", ".join(f"{'x' * 60:s}{number:d} TEXT" for number in range(4))
        self.Create(
            *(f"CREATE TABLE padding{number:d} ({padding:s})" for number in range(20)),
            "CREATE TABLE gone (id INTEGER PRIMARY KEY, content TEXT)",
            *(f"CREATE TABLE more{number:d} ({padding:s})" for number in range(20)),
            "CREATE TABLE known (id INTEGER PRIMARY KEY, content TEXT)",
            "INSERT INTO known VALUES (1000, 'known')",
            "INSERT INTO gone VALUES (1, 'gone'), (2, 'gone')",
        )
        with open(self.path, "rb") as file_object:
            self.intact = file_object.read()
        offset = self.intact.rindex(b"CREATE TABLE gone")
        identifiers, _, damage = self.Read(
            {offset // PAGE_SIZE + 1: b"\xaa" * PAGE_SIZE}, table_name="known"
        )
        self.assertEqual(identifiers, [1000])
        self.assertTrue(damage.has_damaged_schema)
        self.assertEqual(damage.number_of_lost_leaves, 1)

    def testBLOB(self):
        """Tests a BLOB of which a page is missing, in a database that is well."""
        self.Create("CREATE TABLE b (id INTEGER PRIMARY KEY, content BLOB)")
        with contextlib.closing(sqlite3.connect(self.path)) as connection:
            connection.executemany(
                "INSERT INTO b VALUES (?, ?)",
                ((number, b"blob%02d" % number * 200) for number in range(1, 21)),
            )
            connection.commit()
        with open(self.path, "rb") as file_object:
            self.intact = file_object.read()
        number = next(
            number
            for number in range(2, len(self.intact) // PAGE_SIZE)
            if b"blob10blob10" in self.GetPage(number)
            and struct.unpack(">I", self.GetPage(number)[:4])[0] == number + 1
        )
        page = b"\x7f\xff\xff\xff" + self.GetPage(number)[4:]
        identifiers, warnings, _ = self.Read({number: page}, table_name="b")
        self.assertEqual(identifiers, [*range(1, 10), *range(11, 21)])
        self.assertEqual(len(warnings), 1)
        self.assertIn("rows with identifiers 10 to 10 cannot be read", warnings[0])

    def MakeCell(self, size, identifier, overflow):
        """Makes a cell of a row that is too long for its page.

        Args:
          size (int): number of bytes of the row.
          identifier (int): row identifier.
          overflow (int): number of the first page on which the row goes on.

        Returns:
          bytes: cell.
        """
        length = size - 2
        while True:
            # NULL, as of an INTEGER PRIMARY KEY, and text.
            types = b"\x00" + WriteVarint(13 + 2 * length)
            if 1 + len(types) + length == size:
                break
            length = size - 1 - len(types)
        smallest = (PAGE_SIZE - 12) * 32 // 255 - 23
        local_size = smallest + (size - smallest) % (PAGE_SIZE - 4)
        if local_size > PAGE_SIZE - 35:
            local_size = smallest
        return (
            WriteVarint(size)
            + WriteVarint(identifier)
            + (bytes([1 + len(types)]) + types).ljust(local_size, b"x")
            + struct.pack(">I", overflow)
        )

    def MakeLeaf(self, cells):
        """Makes a leaf.

        Args:
          cells (list[bytes]): cells.

        Returns:
          bytes: page.
        """
        page = bytearray(PAGE_SIZE)
        end = PAGE_SIZE
        for index, cell in enumerate(cells):
            page[end - len(cell) : end] = cell
            end -= len(cell)
            struct.pack_into(">H", page, 8 + 2 * index, end)
        struct.pack_into(">BHHHB", page, 0, _LEAF, 0, len(cells), end, 0)
        return bytes(page)

    def testSharedPages(self):
        """Tests rows that share their pages, so that a small file has a lot of them."""
        # A row whose part in its leaf is as short as can be.
        size = 39 + 800 * (PAGE_SIZE - 4)
        length = size - 5
        self.Create(
            "CREATE TABLE long (id INTEGER PRIMARY KEY, content TEXT)",
            f"INSERT INTO long VALUES (1, printf('%.{length:d}c', 'y'))",
        )
        with contextlib.closing(sqlite3.connect(self.path)) as connection:
            (root,) = connection.execute(
                "SELECT rootpage FROM sqlite_master WHERE name = 'long'"
            ).fetchone()
        with open(self.path, "rb") as file_object:
            self.intact = file_object.read()
        (pointer,) = struct.unpack_from(">H", self.GetPage(root), 8)
        cell = self.GetPage(root)[pointer:]
        (overflow,) = struct.unpack(">I", cell[-4:])
        page = self.MakeLeaf(
            [self.MakeCell(size, number, overflow) for number in range(1, 9)]
        )
        with mock.patch.object(sqlite_pages, "_SECOND_READS_PER_PAGE", 1):
            identifiers, warnings, _ = self.Read({root: page}, table_name="long")
        self.assertEqual(identifiers, [1, 2])
        self.assertEqual(len(warnings), 1)
        self.assertIn("rows with identifiers 3 and above cannot be read", warnings[0])

    def testOverflowPages(self):
        """Tests overflow pages that point in a circle, or are those of other cells."""
        (leaf,) = [number for number, rows in self.leaves.items() if 150 in rows]
        # The first overflow page of a row of another leaf.
        overflow = next(
            number
            for number in range(2, len(self.intact) // PAGE_SIZE + 1)
            if struct.unpack_from(">I", self.GetPage(number))[0] == number + 1
            and self.GetPage(number).endswith(b"x" * 500)
        )
        owner = next(
            row
            for number, rows in self.leaves.items()
            for row in rows
            if struct.pack(">I", overflow) in self.GetPage(number) and not row % 100
        )
        circle = bytearray(self.GetPage(overflow))
        circle[:4] = struct.pack(">I", overflow)
        for size in (1 << 60, 1 << 33, 100000):
            page = self.MakeLeaf([self.MakeCell(size, 150, overflow)])
            begin = time.monotonic()
            result = self.Read({leaf: page, overflow: bytes(circle)})
            self.assertLess(time.monotonic() - begin, 10)
            self.CheckMissing(result, [*self.leaves[leaf], owner])

            # Cells that share a chain have it read a few times only.
            with mock.patch.object(sqlite_pages, "_SECOND_READS_PER_PAGE", 0):
                result = self.Read({leaf: page})
            self.assertLessEqual(len(result[0]), NUMBER_OF_ROWS)

    def testDeletedRows(self):
        """Tests that what was deleted does not come back."""
        self.Create("DELETE FROM t WHERE id BETWEEN 1000 AND 2000")
        with open(self.path, "rb") as file_object:
            self.intact = file_object.read()
        interior_pages = self.GetPages(_INTERIOR)
        free_pages = struct.unpack_from(">I", self.intact, 36)[0]
        self.assertGreater(free_pages, 10)
        identifiers, _, damage = self.Read(
            dict.fromkeys(interior_pages, b"\xaa" * PAGE_SIZE)
        )
        self.assertIsNotNone(damage)
        self.assertEqual(
            identifiers, [*range(1, 1000), *range(2001, NUMBER_OF_ROWS + 1)]
        )

    def testSchema(self):
        """Tests a schema of which a page is damaged."""
        self.Create(
            *(f"CREATE TABLE later{n:02d} (content TEXT, a, b)" for n in range(20)),
            "INSERT INTO later19 VALUES ('lost', 1, 2)",
        )
        with open(self.path, "rb") as file_object:
            self.intact = file_object.read()
        offset = self.intact.rindex(b"CREATE TABLE later19")
        page_number = offset // PAGE_SIZE + 1
        self.assertGreater(page_number, 1)
        result = self.Read({page_number: b"\xaa" * PAGE_SIZE})
        self.CheckMissing(result, [])
        # Its only row is given to no other table.
        self.assertGreaterEqual(result[2].number_of_lost_leaves, 1)
        self.assertEqual(self.Read({page_number: b"\xaa" * PAGE_SIZE}, "other")[0], [1])

    def testRandomBytes(self):
        """Tests that no damage raises anything else, or gives a row twice."""
        generator = random.Random(4712)
        for _ in range(60):
            pages = {}
            for number in generator.sample(range(2, len(self.intact) // PAGE_SIZE), 20):
                page = bytearray(self.GetPage(number))
                for _ in range(generator.choice((1, 4, 64))):
                    page[generator.randrange(PAGE_SIZE)] = generator.randrange(256)
                pages[number] = page
            data = bytearray(self.intact)
            for number, page in pages.items():
                data[(number - 1) * PAGE_SIZE : number * PAGE_SIZE] = page
            with open(self.path, "wb") as file_object:
                file_object.write(data)
            intact = {
                identifier
                for number, identifiers in self.leaves.items()
                if number not in pages
                for identifier in identifiers
                if identifier % 100
            }
            with sqlite_reader.SQLiteReader(self.directory) as reader:
                reader.Open(self.path, is_tolerant=True)
                warnings = []
                identifiers = [
                    identifier
                    for identifier, _ in reader.ReadRows(
                        "t", ["content"], warnings.append
                    )
                ]
            self.assertEqual(intact - set(identifiers), set(), warnings)
            self.assertLessEqual(len(identifiers), NUMBER_OF_ROWS + 20)

    def testNotDatabase(self):
        """Tests files that have no header."""
        for data in (b"", b"SQLite format 3\x00", bytes(4096)):
            with open(self.path, "wb") as file_object:
                file_object.write(data)
            with self.assertRaises(ValueError):
                sqlite_pages.DatabasePages(self.path)


if __name__ == "__main__":
    unittest.main()

"""Pages of a damaged SQLite database, and a copy of it that can be read.

SQLite ends a query at the first page that is not what it must be, and is silent about a
page that belongs elsewhere. Here the trees of the tables are walked as the file format
describes them (https://www.sqlite.org/fileformat2.html), and written anew around what
is damaged, so that SQLite reads every row that is intact.
"""

import mmap
import os
import shutil
import struct
from typing import NamedTuple

SCHEMA_TABLE = "sqlite_master"

_SIGNATURE = b"SQLite format 3\x00"

# Numbers of bytes of the smallest and the largest page, the latter of which does not
# fit where sizes are written.
SMALLEST_PAGE = 512
LARGEST_PAGE = 65536

_FILE_HEADER_SIZE = 100

_INTERIOR = 5
_LEAF = 13
_TABLE_PAGES = frozenset([_INTERIOR, _LEAF])

_INTERIOR_HEADER_SIZE = 12
_LEAF_HEADER_SIZE = 8

# Number of bytes of the largest cell of an interior page, with the pointer to it.
_LARGEST_INTERIOR_CELL = 15

# Number of bytes of the largest header of a row that SQLite reads.
_LARGEST_ROW_HEADER = 98307

# Number of bytes of the largest row that SQLite reads.
_LARGEST_ROW = 1000000000

# After how many reads memory is given back, where that is possible. A system maps more
# than was asked for.
_READS_TO_KEEP = 256
_DONT_NEED = getattr(mmap, "MADV_DONTNEED", None)

# How often, per page of the database, an overflow page is read that was read before.
# Each leaf is read a few times.
_SECOND_READS_PER_PAGE = 16

# Row identifiers are signed 64-bit integers. A range does not include its lower end.
_LOWEST = -(1 << 63) - 1
_HIGHEST = (1 << 63) - 1

# Sizes of the serial types of which the number does not tell it.
_SERIAL_TYPE_SIZES = (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)


class Root(NamedTuple):
    """Root of the tree of a table.

    Attributes:
      page_number (int): number of the page.
      number_of_columns (int): number of columns of the table.
    """

    page_number: int
    number_of_columns: int


class Damage(NamedTuple):
    """What a copy of a damaged database lacks.

    Attributes:
      missing_per_table (dict[str, list[tuple[int, int]]]): first and last row
          identifiers that cannot be read per name of the table, None for an end that is
          not known.
      number_of_lost_leaves (int): number of pages with rows of which it is not known
          which table they are of.
      has_damaged_free_list (bool): True if it is not known which pages are in use, so
          that rows that have lost their place are not looked for.
    """

    missing_per_table: dict
    number_of_lost_leaves: int
    has_damaged_free_list: bool

    @property
    def has_damaged_schema(self):
        """bool: True if rows of the schema cannot be read."""
        return SCHEMA_TABLE in self.missing_per_table


class _Leaf(NamedTuple):
    """Leaf of a table.

    Attributes:
      page_number (int): number of the page.
      first (int): smallest row identifier.
      last (int): largest row identifier.
      number_of_columns (int): number of columns of the first row.
      pointers (list[int]): offsets of the cells that are intact.
      gaps (list[tuple[int, int]]): ranges of row identifiers of the other cells.
    """

    page_number: int
    first: int
    last: int
    number_of_columns: int
    pointers: list
    gaps: list


class _Place(NamedTuple):
    """Place of a page in the tree of a table.

    Attributes:
      page_number (int): number of the page that is there.
      low (int): row identifier that all of the place exceed.
      high (int): largest row identifier of the place.
      is_leaf (bool): True if a leaf is there, False if what is there is damaged.
    """

    page_number: int
    low: int
    high: int
    is_leaf: bool


class _Table(NamedTuple):
    """What is intact of a table.

    Attributes:
      root (Root): root.
      leaves (list[_Leaf]): leaves.
      found (list[_Leaf]): those of the leaves that had lost their place.
      gaps (list[tuple[int, int]]): ranges of row identifiers of what is damaged.
      strays (set[int]): numbers of pages that are in a wrong place of the table.
    """

    root: Root
    leaves: list
    found: list
    gaps: list
    strays: set

    @property
    def root_leaf(self):
        """_Leaf: leaf that is the root, None if the root leads to others."""
        if self.leaves and self.leaves[0].page_number == self.root.page_number:
            return self.leaves[0]
        return None


def _ReadVarint(data, offset):
    """Reads a variable-length integer.

    Args:
      data (bytes): data.
      offset (int): offset of the integer.

    Returns:
      tuple[int, int]: unsigned integer and offset of what follows it.

    Raises:
      IndexError: if the data ends before the integer does.
    """
    value = 0
    for index in range(offset, offset + 8):
        byte = data[index]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, index + 1
    return value << 8 | data[offset + 8], offset + 9


def _WriteVarint(value):
    """Writes a row identifier as a variable-length integer of the largest size.

    Args:
      value (int): signed 64-bit integer.

    Returns:
      bytes: integer.
    """
    value &= (1 << 64) - 1
    high = value >> 8
    return bytes(high >> shift & 0x7F | 0x80 for shift in range(49, -1, -7)) + bytes(
        [value & 0xFF]
    )


def _ToSigned(value):
    """Converts an unsigned 64-bit integer.

    Args:
      value (int): unsigned integer.

    Returns:
      int: signed integer of the same bits.
    """
    return value - (1 << 64) if value >> 63 else value


class DatabasePages:
    """Pages of a SQLite database file."""

    def __init__(self, path):
        """Opens a database.

        Args:
          path (str): path of a copy of the database.

        Raises:
          OSError: if the file cannot be read.
          ValueError: if the file has no header of a database.
        """
        super().__init__()
        self._path = path
        with open(path, "rb") as file_object:
            # An empty file cannot be mapped, which is a ValueError.
            self._data = mmap.mmap(file_object.fileno(), 0, access=mmap.ACCESS_READ)
        self._number_of_reads = 0
        header = self._ReadBytes(0, _FILE_HEADER_SIZE)
        if len(header) < _FILE_HEADER_SIZE or not header.startswith(_SIGNATURE):
            self.Close()
            raise ValueError("Missing header.")
        page_size = struct.unpack_from(">H", header, 16)[0]
        self._page_size = LARGEST_PAGE if page_size == 1 else page_size
        self._usable_size = self._page_size - header[20]
        if self._usable_size < 480 or self._page_size & (self._page_size - 1):
            self.Close()
            raise ValueError("Unsupported size of pages.")
        self._free_list = struct.unpack_from(">II", header, 32)
        self._number_of_pages = len(self._data) // self._page_size
        self._is_overflow_page = bytearray(self._number_of_pages + 1)
        self._number_of_second_reads = 0

    def __enter__(self):
        """Enters a with statement.

        Returns:
          DatabasePages: the pages.
        """
        return self

    def __exit__(self, exception_type, value, traceback):
        """Exits a with statement."""
        self.Close()

    def Close(self):
        """Closes the database."""
        self._data.close()

    def _ReadBytes(self, offset, size):
        """Reads bytes.

        Args:
          offset (int): offset of the first byte.
          size (int): number of bytes.

        Returns:
          bytes: bytes, fewer at the end of the file.
        """
        self._number_of_reads += 1
        if self._number_of_reads % _READS_TO_KEEP == 0 and _DONT_NEED is not None:
            # What is mapped of a file counts as memory of the worker.
            self._data.madvise(_DONT_NEED)
        return self._data[offset : offset + size]

    def _Read(self, page_number):
        """Reads a page.

        Args:
          page_number (int): number of the page.

        Returns:
          tuple[bytes, int]: page and offset of its header.
        """
        offset = (page_number - 1) * self._page_size
        page = self._ReadBytes(offset, self._page_size)
        return page, _FILE_HEADER_SIZE if page_number == 1 else 0

    def _GetType(self, page_number):
        """Determines the type of a page.

        Args:
          page_number (int): number of the page.

        Returns:
          int: type, -1 if there is no page of the number.
        """
        if not 1 <= page_number <= self._number_of_pages:
            return -1
        offset = (page_number - 1) * self._page_size
        header_offset = _FILE_HEADER_SIZE if page_number == 1 else 0
        return self._ReadBytes(offset + header_offset, 1)[0]

    def _ReadPointers(self, page, header_offset, header_size):
        """Reads the offsets of the cells of a page.

        Args:
          page (bytes): page.
          header_offset (int): offset of the header of the page.
          header_size (int): size of the header of the page.

        Returns:
          list[int]: offsets, None if the page cannot have as many cells.
        """
        (number_of_cells,) = struct.unpack_from(">H", page, header_offset + 3)
        start = header_offset + header_size
        if start + 2 * number_of_cells > self._usable_size:
            return None
        pointers = struct.unpack_from(f">{number_of_cells:d}H", page, start)
        # As SQLite does, which does not look at what is beyond the page.
        return [pointer & self._page_size - 1 for pointer in pointers]

    def _ReadChildren(self, page_number, low, high):
        """Reads the places below an interior page.

        Args:
          page_number (int): number of the page.
          low (int): row identifier that all below the page exceed.
          high (int): largest row identifier below the page.

        Returns:
          list[tuple[int, int, int]]: page number and range per child, None if the page
              is damaged.
        """
        page, header_offset = self._Read(page_number)
        pointers = self._ReadPointers(page, header_offset, _INTERIOR_HEADER_SIZE)
        if pointers is None or (not pointers and page_number != 1):
            return None
        children = []
        for pointer in pointers:
            try:
                (child,) = struct.unpack_from(">I", page, pointer)
                key = _ToSigned(_ReadVarint(page, pointer + 4)[0])
            except (IndexError, struct.error):
                return None
            if not low < key <= high:
                return None
            children.append((child, low, key))
            low = key
        (child,) = struct.unpack_from(">I", page, header_offset + 8)
        children.append((child, low, high))
        return children

    def _IsLeaf(self, page_number, low, high, is_root):
        """Determines if a page looks like the leaf of a place, by its ends alone.

        Args:
          page_number (int): number of the page.
          low (int): row identifier that all of the place exceed.
          high (int): largest row identifier of the place.
          is_root (bool): True if the page is the root of its table.

        Returns:
          bool: True if it does.
        """
        page, header_offset = self._Read(page_number)
        pointers = self._ReadPointers(page, header_offset, _LEAF_HEADER_SIZE)
        if not pointers:
            return pointers is not None and is_root
        if len(set(pointers)) < len(pointers):
            return False
        try:
            first, last = (
                _ToSigned(_ReadVarint(page, _ReadVarint(page, pointer)[1])[0])
                for pointer in (pointers[0], pointers[-1])
            )
        except IndexError:
            return False
        return low < first <= last <= high

    def _ReadOverflow(self, page_number, size, wanted_size):
        """Reads what a cell has outside of its page.

        Args:
          page_number (int): number of the first page.
          size (int): number of bytes.
          wanted_size (int): number of bytes of which the content is wanted.

        Returns:
          bytes: first bytes, None if a page is missing.
        """
        content = b""
        page_content_size = self._usable_size - 4
        if size > self._number_of_pages * page_content_size:
            return None
        chain = set()
        while size > 0:
            if not 2 <= page_number <= self._number_of_pages or page_number in chain:
                return None
            chain.add(page_number)
            if self._is_overflow_page[page_number]:
                # Cells that share a long chain would have it read once for each.
                self._number_of_second_reads += 1
                limit = _SECOND_READS_PER_PAGE * self._number_of_pages
                if self._number_of_second_reads > limit:
                    return None
            self._is_overflow_page[page_number] = 1
            offset = (page_number - 1) * self._page_size
            is_wanted = len(content) < wanted_size
            page = self._ReadBytes(offset, self._usable_size if is_wanted else 4)
            if is_wanted:
                content += page[4:]
            size -= page_content_size
            (page_number,) = struct.unpack_from(">I", page)
        return content

    def _ReadCell(self, page, pointer):
        """Reads a cell of a leaf.

        Args:
          page (bytes): page.
          pointer (int): offset of the cell.

        Returns:
          tuple[int, int]: row identifier and number of columns, or None if the cell is
              damaged.
        """
        try:
            size, offset = _ReadVarint(page, pointer)
            identifier, offset = _ReadVarint(page, offset)
            header_size, header_offset = _ReadVarint(page, offset)
        except IndexError:
            return None
        if not 1 <= header_size <= min(size, _LARGEST_ROW_HEADER):
            return None
        if size > _LARGEST_ROW:
            return None

        # How much of a row is in its page, see "B-tree Cell Format" in the file format.
        local_size = size
        if size > self._usable_size - 35:
            smallest = (self._usable_size - 12) * 32 // 255 - 23
            local_size = smallest + (size - smallest) % (self._usable_size - 4)
            if local_size > self._usable_size - 35:
                local_size = smallest
        end = offset + local_size
        if end + (4 if local_size < size else 0) > self._usable_size:
            return None
        header = page[offset : min(offset + header_size, end)]
        if local_size < size:
            overflow = self._ReadOverflow(
                struct.unpack_from(">I", page, end)[0],
                size - local_size,
                header_size - len(header),
            )
            if overflow is None:
                return None
            header += overflow[: header_size - len(header)]

        number_of_columns = 0
        values_size = 0
        index = header_offset - offset
        try:
            while index < header_size:
                serial_type, index = _ReadVarint(header, index)
                if serial_type < len(_SERIAL_TYPE_SIZES):
                    values_size += _SERIAL_TYPE_SIZES[serial_type]
                else:
                    values_size += max(serial_type - 12, 0) // 2
                number_of_columns += 1
        except IndexError:
            return None
        if header_size + values_size != size:
            return None
        return _ToSigned(identifier), number_of_columns

    def _ReadLeaf(self, page_number, low, high):
        """Reads which cells of a leaf are intact.

        Args:
          page_number (int): number of the page.
          low (int): row identifier that those of the place of the page exceed.
          high (int): largest row identifier of the place.

        Returns:
          _Leaf: leaf, None if it has no intact cell, or belongs elsewhere.
        """
        page, header_offset = self._Read(page_number)
        pointers = self._ReadPointers(page, header_offset, _LEAF_HEADER_SIZE) or ()
        start = header_offset + _LEAF_HEADER_SIZE + 2 * len(pointers)
        numbers_of_columns = []
        intact_pointers = []
        identifiers = []
        gaps = []
        gap_low = None
        previous = low
        seen = set()
        for pointer in pointers:
            cell = None
            # What points to the same cell again has lost its own.
            if pointer >= start and pointer not in seen:
                cell = self._ReadCell(page, pointer)
            seen.add(pointer)
            if not cell:
                if gap_low is None:
                    gap_low = previous
                continue
            identifier, number_of_columns = cell
            intact_pointers.append(pointer)
            numbers_of_columns.append(number_of_columns)
            if previous < identifier <= high:
                identifiers.append(identifier)
                if gap_low is not None:
                    gaps.append((gap_low, identifier - 1))
                    gap_low = None
                previous = identifier
        # A row of a wrong identifier is a row all the same, a page of them is not.
        if not identifiers or 2 * len(identifiers) < len(intact_pointers):
            return None
        if gap_low is not None:
            gaps.append((gap_low, high))
        return _Leaf(
            page_number,
            identifiers[0],
            identifiers[-1],
            numbers_of_columns[0],
            intact_pointers,
            gaps,
        )

    def _Walk(self, root_number, visited):
        """Walks the tree of a table.

        Args:
          root_number (int): number of the root page.
          visited (bytearray): which pages have been visited, by their number.

        Yields:
          _Place: places of leaves, in the order of row identifiers.
        """
        own = bytearray(self._number_of_pages + 1)
        places = [(root_number, _LOWEST, _HIGHEST)]
        while places:
            page_number, low, high = places.pop()
            page_type = self._GetType(page_number)
            if page_type in _TABLE_PAGES and not own[page_number]:
                if page_type == _LEAF and self._IsLeaf(
                    page_number, low, high, page_number == root_number
                ):
                    own[page_number] = visited[page_number] = 1
                    yield _Place(page_number, low, high, True)
                    continue
                if page_type == _INTERIOR:
                    children = self._ReadChildren(page_number, low, high)
                    if children:
                        own[page_number] = visited[page_number] = 1
                        places.extend(reversed(children))
                        continue
            yield _Place(page_number, low, high, False)

    def _ReadFreePages(self):
        """Reads which pages are not in use.

        Returns:
          set[int]: numbers of the pages, None if their list is damaged.
        """
        trunk_number, number_of_pages = self._free_list
        free_pages = set()
        while trunk_number:
            if (
                trunk_number in free_pages
                or not 2 <= trunk_number <= self._number_of_pages
                or len(free_pages) >= self._number_of_pages
            ):
                return None
            free_pages.add(trunk_number)
            page, _ = self._Read(trunk_number)
            trunk_number, number_of_leaves = struct.unpack_from(">II", page)
            if 8 + 4 * number_of_leaves > self._usable_size:
                return None
            free_pages.update(struct.unpack_from(f">{number_of_leaves:d}I", page, 8))
        return free_pages if len(free_pages) == number_of_pages else None

    def _FindLostLeaves(self, visited, free_pages):
        """Finds leaves that are in no tree, though they are in use.

        Args:
          visited (bytearray): which pages are in a tree, by their number.
          free_pages (set[int]): numbers of the pages that are not in use or None if
              that is not known.

        Returns:
          list[int]: numbers of the pages, which is empty if it is not known which pages
              are in use: what was deleted must not come back.
        """
        if free_pages is None:
            return []
        # No other page begins with the type: overflow pages begin with a page number.
        return [
            page_number
            for page_number in range(2, self._number_of_pages + 1)
            if not visited[page_number]
            and page_number not in free_pages
            and self._GetType(page_number) == _LEAF
        ]

    def FindWideTables(self, roots):
        """Finds tables whose rows have more columns than the table.

        SQLite adds columns to a table and not to its rows, never the other way: what
        defines the table is not what it was. The latest row is looked at.

        Args:
          roots (dict[str, Root]): roots of tables per name of the table.

        Returns:
          set[str]: names of the tables.
        """
        names = set()
        for name, root in roots.items():
            page_number = root.page_number
            visited = set()
            while self._GetType(page_number) == _INTERIOR and (
                page_number not in visited
            ):
                visited.add(page_number)
                page, header_offset = self._Read(page_number)
                (page_number,) = struct.unpack_from(">I", page, header_offset + 8)
            if self._GetType(page_number) != _LEAF:
                continue
            page, header_offset = self._Read(page_number)
            pointers = self._ReadPointers(page, header_offset, _LEAF_HEADER_SIZE)
            cell = self._ReadCell(page, pointers[-1]) if pointers else None
            if cell and cell[1] > root.number_of_columns > 0:
                names.add(name)
        return names

    def IsDamaged(self, roots):
        """Determines if the tree of a table is not what it must be.

        Cells are not looked at, but for those at the ends of a page.

        Args:
          roots (dict[str, Root]): roots of all tables per name of the table, but of
              those that are WITHOUT ROWID.

        Returns:
          bool: True if a page is not the one that belongs in its place, a leaf has no
              place, or it is not known which pages are in use.
        """
        visited = bytearray(self._number_of_pages + 1)
        for root in roots.values():
            for place in self._Walk(root.page_number, visited):
                if not place.is_leaf:
                    return True
        free_pages = self._ReadFreePages()
        return free_pages is None or bool(self._FindLostLeaves(visited, free_pages))

    def Repair(self, roots, path, has_damaged_schema=False, reserved=frozenset()):
        """Writes a copy of which SQLite reads all rows that are intact.

        Args:
          roots (dict[str, Root]): roots of all tables per name of the table, but of
              those that are WITHOUT ROWID.
          path (str): path of the copy.
          has_damaged_schema (Optional[bool]): True if there are tables of which nothing
              is known.
          reserved (Optional[set[int]]): numbers of the roots of tables and indexes. One
              that is beyond the end of the database must not become another page.

        Returns:
          Damage: what the copy lacks.

        Raises:
          OSError: if the copy cannot be written.
        """
        visited = bytearray(self._number_of_pages + 1)
        tables = {}
        page_numbers = [root.page_number for root in roots.values()]
        for table_name, root in roots.items():
            # A root of two tables is that of neither for sure, and SQLite reads it.
            if (
                1 <= root.page_number <= self._number_of_pages
                and page_numbers.count(root.page_number) == 1
            ):
                tables[table_name] = self._ReadTable(root, visited)
        free_pages = self._ReadFreePages()
        number_of_lost_leaves = self._PlaceLostLeaves(
            tables,
            self._FindLostLeaves(visited, free_pages),
            has_damaged_schema,
            {
                root.number_of_columns
                for table_name, root in roots.items()
                if table_name not in tables
            },
        )

        shutil.copyfile(self._path, path)
        with open(path, "r+b") as file_object:
            writer = _TreeWriter(
                file_object,
                self._page_size,
                self._usable_size,
                self._number_of_pages,
                reserved,
            )
            for table in tables.values():
                table.leaves.sort(key=lambda leaf: leaf.first)
                writer.WriteTable(table.root.page_number, table.leaves, self._Read)
            writer.WriteNumberOfPages()
        return Damage(
            {
                table_name: missing
                for table_name, table in tables.items()
                if (missing := _GetMissing(table))
            },
            number_of_lost_leaves,
            free_pages is None,
        )

    def _ReadTable(self, root, visited):
        """Reads what is intact of a table.

        Args:
          root (Root): root of the table.
          visited (bytearray): which pages are in a tree, by their number.

        Returns:
          _Table: table.
        """
        table = _Table(root, [], [], [], set())
        own = bytearray(self._number_of_pages + 1)
        for place in self._Walk(root.page_number, own):
            leaf = None
            if self._GetType(place.page_number) == _LEAF and (
                place.is_leaf or not own[place.page_number]
            ):
                leaf = self._ReadLeaf(place.page_number, place.low, place.high)
            if leaf:
                own[place.page_number] = 1
                table.leaves.append(leaf)
                table.gaps.extend(leaf.gaps)
            elif not place.is_leaf or self._HasCells(place.page_number):
                table.gaps.append((place.low, place.high))
                table.strays.add(place.page_number)

        for page_number, is_own in enumerate(own):
            if is_own:
                visited[page_number] = 1
        return table

    def _HasCells(self, page_number):
        """Determines if a page says that it has cells.

        Args:
          page_number (int): number of the page.

        Returns:
          bool: True if it does.
        """
        page, header_offset = self._Read(page_number)
        return page[header_offset + 3 : header_offset + 5] != b"\0\0"

    def _PlaceLostLeaves(
        self, tables, page_numbers, has_damaged_schema, other_numbers_of_columns
    ):
        """Finds the tables of leaves that have lost their place.

        Args:
          tables (dict[str, _Table]): tables per name, to which the leaves are added.
          page_numbers (list[int]): numbers of the pages of the leaves.
          has_damaged_schema (bool): True if leaves can be of a table that is not known.
          other_numbers_of_columns (set[int]): numbers of columns of the tables that
              leaves cannot be added to.

        Returns:
          int: number of leaves whose table is not known.
        """
        number_of_lost_leaves = 0
        lost_leaves = [
            leaf
            for page_number in page_numbers
            if (leaf := self._ReadLeaf(page_number, _LOWEST, _HIGHEST))
        ]
        tables_of_one_leaf = []
        if lost_leaves:
            self._RemoveMisplacedRoots(tables)
            if not has_damaged_schema:
                tables_of_one_leaf = self._GetTablesOfOneLeaf(tables)
        for table in tables_of_one_leaf:
            table.found.append(table.root_leaf)
            table.gaps.append((_LOWEST, _HIGHEST))
        for leaf in sorted(lost_leaves, key=lambda leaf: leaf.first):
            # A page in a wrong place is of its table. What else has lost its place can
            # be of a table that the schema does not know any more.
            candidates = [
                table for table in tables.values() if leaf.page_number in table.strays
            ] or tables.values()
            candidates = [
                table
                for table in candidates
                if any(
                    low < leaf.first and leaf.last <= high for low, high in table.gaps
                )
                and leaf.number_of_columns
                in {
                    table.root.number_of_columns,
                    *(other.number_of_columns for other in table.leaves),
                }
            ]
            if leaf.number_of_columns in other_numbers_of_columns:
                candidates = []
            if len(candidates) == 1 and not any(
                leaf.first <= other.last and other.first <= leaf.last
                for other in candidates[0].found
            ):
                candidates[0].found.append(leaf)
                candidates[0].leaves.append(leaf)
                candidates[0].gaps.extend(
                    (max(low, leaf.first - 1), min(high, leaf.last))
                    for low, high in leaf.gaps
                )
            elif not any(leaf.page_number in table.strays for table in tables.values()):
                number_of_lost_leaves += 1
        for table in tables_of_one_leaf:
            if len(table.found) == 1:
                # It is the root by right.
                table.found.clear()
                table.gaps.clear()
            table.found.sort(key=lambda leaf: leaf.first)
        return number_of_lost_leaves

    def _GetTablesOfOneLeaf(self, tables):
        """Determines which tables consist of a leaf that can be elsewhere by right.

        Args:
          tables (dict[str, _Table]): tables per name.

        Returns:
          list[_Table]: tables, none if leaves can be of a table that is not known.
        """
        schema = tables.get(SCHEMA_TABLE)
        if not schema or schema.gaps:
            return []
        return [
            table
            for table in tables.values()
            if table.root_leaf and len(table.leaves) == 1 and not table.gaps
        ]

    def _RemoveMisplacedRoots(self, tables):
        """Removes leaves that were written over the roots that led to other leaves.

        Such a root is a copy of a page elsewhere, and what it led to lost its place.

        Args:
          tables (dict[str, _Table]): tables per name.
        """
        tables_per_page = {}
        for table in tables.values():
            if table.root_leaf:
                page, _ = self._Read(table.root.page_number)
                tables_per_page.setdefault(page, []).append(table)

        misplaced = []
        for tables_of_page in tables_per_page.values():
            # The root of another table, which has as many columns as its rows.
            misplaced_tables = [
                table
                for table in tables_of_page
                if table.root_leaf.number_of_columns != table.root.number_of_columns
            ]
            if len(misplaced_tables) < len(tables_of_page):
                misplaced.extend(misplaced_tables)
        root_numbers = {table.root.page_number for table in tables.values()}
        for page_number in range(2, self._number_of_pages + 1):
            if page_number not in root_numbers and self._GetType(page_number) == _LEAF:
                page, _ = self._Read(page_number)
                misplaced.extend(tables_per_page.pop(page, ()))
        for table in misplaced:
            if table.leaves:
                table.leaves.clear()
                table.gaps.append((_LOWEST, _HIGHEST))


def _GetMissing(table):
    """Determines which row identifiers no leaf of a table has, though one had them.

    Args:
      table (_Table): table.

    Returns:
      list[tuple[int, int]]: first and last row identifiers, None for an end that is not
          known.
    """
    missing = []
    for low, high in sorted(table.gaps):
        for leaf in table.found:
            if low < leaf.first and leaf.last <= high:
                if low < leaf.first - 1:
                    missing.append((low, leaf.first - 1))
                low = leaf.last
        if low < high:
            if missing and missing[-1][1] == low:
                low = missing.pop()[0]
            missing.append((low, high))
    # SQLite numbers rows from 1: below the first leaf that was found there is nothing.
    return [
        (None if low == _LOWEST else low + 1, None if high == _HIGHEST else high)
        for low, high in missing
        if low > _LOWEST or high > 0
    ]


class _TreeWriter:
    """Writes trees of tables into a copy of a database."""

    def __init__(self, file_object, page_size, usable_size, number_of_pages, reserved):
        """Initializes a writer.

        Args:
          file_object (file): file-like object of the copy.
          page_size (int): number of bytes of a page.
          usable_size (int): number of bytes of a page that are used.
          number_of_pages (int): number of pages of the copy.
          reserved (set[int]): numbers that no new page must have.
        """
        super().__init__()
        self._file_object = file_object
        self._number_of_pages = number_of_pages
        self._page_size = page_size
        self._reserved = reserved
        self._usable_size = usable_size

    def _Write(self, page_number, page):
        """Writes a page.

        Args:
          page_number (int): number of the page, None for a new one.
          page (bytes): page.

        Returns:
          int: number of the page.
        """
        if page_number is None:
            self._number_of_pages += 1
            while self._number_of_pages in self._reserved:
                self._number_of_pages += 1
            page_number = self._number_of_pages
        self._file_object.seek((page_number - 1) * self._page_size)
        self._file_object.write(page)
        return page_number

    def _MakeLeaf(self, page, pointers):
        """Makes a leaf of the cells of a page.

        Args:
          page (bytes): page.
          pointers (list[int]): offsets of the cells.

        Returns:
          bytearray: leaf, with its header at the start of the page.
        """
        leaf = bytearray(page)
        struct.pack_into(
            f">BHHHB{len(pointers):d}H",
            leaf,
            0,
            _LEAF,
            0,
            len(pointers),
            min(pointers, default=self._usable_size) & 0xFFFF,
            0,
            *pointers,
        )
        return leaf

    def _MakeInterior(self, page, header_offset, children):
        """Makes an interior page.

        Args:
          page (bytes): page whose file header is kept.
          header_offset (int): offset of the header of the page.
          children (list[tuple[int, int]]): page number and largest row identifier per
              child.

        Returns:
          bytearray: page.
        """
        interior = bytearray(self._page_size)
        interior[:header_offset] = page[:header_offset]
        offset = self._usable_size
        pointers = []
        for child, key in children[:-1]:
            cell = struct.pack(">I", child) + _WriteVarint(key)
            offset -= len(cell)
            interior[offset : offset + len(cell)] = cell
            pointers.append(offset)
        struct.pack_into(
            f">BHHHBI{len(pointers):d}H",
            interior,
            header_offset,
            _INTERIOR,
            0,
            len(pointers),
            offset & 0xFFFF,
            0,
            children[-1][0],
            *pointers,
        )
        return interior

    def _GetCapacity(self, header_offset):
        """Determines how many children an interior page can have.

        Args:
          header_offset (int): offset of the header of the page.

        Returns:
          int: number of children.
        """
        size = self._usable_size - header_offset - _INTERIOR_HEADER_SIZE
        return size // _LARGEST_INTERIOR_CELL + 1

    def WriteTable(self, root_number, leaves, read):
        """Writes the tree of a table.

        Args:
          root_number (int): number of the root page.
          leaves (list[_Leaf]): leaves in the order of row identifiers.
          read (callable): function that reads a page of the database.
        """
        root, header_offset = read(root_number)
        children = []
        for leaf in leaves:
            page_number = leaf.page_number
            if leaf.gaps or page_number == root_number:
                page, _ = read(page_number)
                page = self._MakeLeaf(page, leaf.pointers)
                if page_number == root_number:
                    page_number = None
                page_number = self._Write(page_number, page)
            children.append((page_number, leaf.last))

        if len(children) < 2 and root_number != 1:
            if leaves:
                page, _ = read(leaves[0].page_number)
                page = self._MakeLeaf(page, leaves[0].pointers)
            else:
                page = self._MakeLeaf(bytes(self._page_size), [])
            self._Write(root_number, page)
            return
        if not children:
            return

        capacity = self._GetCapacity(0)
        while len(children) > self._GetCapacity(header_offset):
            number_of_pages = -(-len(children) // capacity)
            parents = []
            for index in range(number_of_pages):
                start = index * len(children) // number_of_pages
                end = (index + 1) * len(children) // number_of_pages
                page = self._MakeInterior(b"", 0, children[start:end])
                parents.append((self._Write(None, page), children[end - 1][1]))
            children = parents
        self._Write(root_number, self._MakeInterior(root, header_offset, children))

    def WriteNumberOfPages(self):
        """Writes how many pages the copy has."""
        self._file_object.seek(0, os.SEEK_SET)
        header = bytearray(self._file_object.read(_FILE_HEADER_SIZE))
        struct.pack_into(">I", header, 28, self._number_of_pages)
        # SQLite takes the number for right if it is as new as the last change.
        header[92:96] = header[24:28]
        self._file_object.seek(0, os.SEEK_SET)
        self._file_object.write(header)
        self._file_object.truncate(self._number_of_pages * self._page_size)

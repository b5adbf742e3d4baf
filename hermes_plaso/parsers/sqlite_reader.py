"""Reads SQLite databases that may be damaged, from copies only.

What Plaso's own reader loses is documented in its SQLitePlugin: an undecodable cell
ends the table, a callback that raises ends the query, a corrupt page ends both.
"""

import collections
import contextlib
import os
import sqlite3
import struct
import tempfile
import time

from hermes_plaso import sqlite_uri
from hermes_plaso.parsers import file_reader
from hermes_plaso.parsers import sqlite_pages

# Numbers of bytes that a page can have.
PAGE_SIZES = tuple(1 << exponent for exponent in range(9, 17))

# What a page begins with: its type, or the number of another page that is not a large
# one, see "B-tree Pages" and "Cell Payload Overflow Pages" in the file format.
_FIRST_BYTES_OF_PAGES = frozenset([0, 2, 5, 10, 13])

# What Plaso knows a database by, which is given to no parser of ours without it.
SIGNATURE = b"SQLite format 3"

# The schema is a table, of five columns, in the first page.
_SCHEMA_ROOT = sqlite_pages.Root(1, 5)

# The words of SQLite for a damaged page.
_MALFORMED = "database disk image is malformed"

# What Python raises for a damaged database, whose messages may not be UTF-8, and for
# values that are too large.
READ_ERRORS = (MemoryError, sqlite3.DatabaseError, UnicodeDecodeError)

# Number of bytes of a value that are read, which is more than is kept of it. Plaso ends
# a worker that takes more memory than it should, with all that the worker has read.
_MAXIMUM_VALUE_SIZE = 128 * 1024 * 1024

# Looking up a row takes some 20 microseconds by an index. Where there is none, which
# Hermes makes, each looks through the table: that ends after this number of seconds of
# one query, if it took more than this number of seconds on average.
_MAXIMUM_SECONDS = 60.0
_SLOW_SECONDS = 0.001

# Name of a column that holds row identifiers, which no table of Hermes has.
ROW_IDENTIFIER = "hermes_plaso row identifier"


def DecodeText(data):
    """Decodes a text cell.

    Args:
      data (bytes): UTF-8 encoded text, to which SQLite converts what a database holds.

    Returns:
      str: text, with undecodable bytes escaped.
    """
    return data.decode("utf-8", "backslashreplace")


def Quote(name):
    """Quotes an SQL identifier.

    Args:
      name (str): name of a table or a column.

    Returns:
      str: quoted name.
    """
    quoted_name = name.replace('"', '""')
    return f'"{quoted_name:s}"'


def CopyFile(file_object, path):
    """Copies a file out of the evidence.

    Args:
      file_object (dfvfs.FileIO): file-like object.
      path (str): path of the copy.

    Raises:
      OSError: if the file cannot be read or the copy cannot be written.
    """
    with open(path, "wb") as copy:
        for data in file_reader.ReadRawBuffers(file_object):
            copy.write(data)


def CreateTemporaryDirectory(directory):
    """Creates a temporary directory, which is removed with what is in it.

    Args:
      directory (str): path of the directory for temporary files or None for that of
          the system.

    Returns:
      tempfile.TemporaryDirectory: context manager of the path.

    Raises:
      OSError: if the directory cannot be created.
    """
    return tempfile.TemporaryDirectory(
        prefix="hermes-", dir=directory, ignore_cleanup_errors=True
    )


def CanOpen(path):
    """Determines if SQLite opens a database as it is, which is what Plaso needs.

    Args:
      path (str): path of the database.

    Returns:
      bool: True if it does.
    """
    try:
        with contextlib.closing(
            sqlite3.connect(sqlite_uri.GetURI(path), uri=True)
        ) as connection:
            connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
    except READ_ERRORS:
        return False
    return True


def ReadSize(path):
    """Determines how large a database says it is.

    Args:
      path (str): path of the database.

    Returns:
      tuple[int, int]: size of a page and number of pages, both 0 if there is no header.

    Raises:
      OSError: if the database cannot be read.
    """
    with open(path, "rb") as file_object:
        header = file_object.read(32)
    if len(header) < 32 or not header.startswith(SIGNATURE):
        return 0, 0
    page_size, number_of_pages = struct.unpack_from(">H10xI", header, 16)
    if page_size == 1:
        page_size = sqlite_pages.LARGEST_PAGE
    return page_size, number_of_pages


def GetShareOfPages(path, page_size):
    """Determines how much of a database looks as if it had pages of a size.

    Args:
      path (str): path of the database.
      page_size (int): number of bytes of a page.

    Returns:
      float: share of the first pages that begin as pages do, 0.0 if there are none.

    Raises:
      OSError: if the database cannot be read.
    """
    if page_size not in PAGE_SIZES:
        return 0.0
    first_bytes = []
    with open(path, "rb") as file_object:
        for number in range(1, 1000):
            file_object.seek(number * page_size)
            first_bytes.extend(file_object.read(1))
    number_of_pages = sum(byte in _FIRST_BYTES_OF_PAGES for byte in first_bytes)
    return number_of_pages / len(first_bytes) if first_bytes else 0.0


def TrimPartOfPage(path, page_size):
    """Removes the page at the end of a database that is not there as a whole.

    Of a page that is cut, cells that are gone would read as rows of no values.

    Args:
      path (str): path of a copy of the database.
      page_size (int): number of bytes of a page.

    Returns:
      int: number of pages that are left.

    Raises:
      OSError: if the database cannot be written.
    """
    number_of_pages = os.path.getsize(path) // page_size
    os.truncate(path, number_of_pages * page_size)
    return number_of_pages


def WriteSize(path, page_size, number_of_pages):
    """Changes how large a database says it is, so that SQLite opens it.

    Args:
      path (str): path of a copy of the database.
      page_size (int): number of bytes of a page.
      number_of_pages (int): number of pages.

    Raises:
      OSError: if the database cannot be written.
    """
    with open(path, "r+b") as file_object:
        file_object.seek(16)
        size_field = page_size % sqlite_pages.LARGEST_PAGE or 1
        file_object.write(struct.pack(">H", size_field))
        file_object.seek(28)
        file_object.write(struct.pack(">I", number_of_pages))


def _DescribeMissing(table_name, first, last, reason):
    """Describes rows that cannot be read.

    Args:
      table_name (str): name of the table.
      first (int): first row identifier or None if it is not known.
      last (int): last row identifier or None if it is not known.
      reason (str): why they cannot be read.

    Returns:
      str: message of a warning.
    """
    if first is None:
        what = "rows" if last is None else f"rows with identifiers up to {last:d}"
    elif last is None:
        what = f"rows with identifiers {first:d} and above"
    else:
        what = f"rows with identifiers {first:d} to {last:d}"
    return f"{table_name:s}: {what:s} cannot be read: {reason:s}"


def _Limit(column):
    """Writes SQL of as much of a value as is read.

    Args:
      column (str): quoted name of the column.

    Returns:
      str: SQL.
    """
    # Functions of text end at the first NUL.
    start = f"SUBSTR(CAST({column:s} AS BLOB), 1, {_MAXIMUM_VALUE_SIZE:d})"
    return (
        f"CASE WHEN LENGTH(CAST({column:s} AS BLOB)) <= {_MAXIMUM_VALUE_SIZE:d} "
        f"OR TYPEOF({column:s}) NOT IN ('blob', 'text') THEN {column:s} "
        f"WHEN TYPEOF({column:s}) = 'text' THEN CAST({start:s} AS TEXT) ELSE {start:s} "
        f"END"
    )


class SQLiteReader:
    """Reads the tables of a SQLite database.

    Attributes:
      columns_per_table (dict[str, list[str]]): names of the columns per table.
      damage (Damage): what the copy that is read lacks, None if the database itself is
          read.
      primary_key_per_table (dict[str, tuple[str, ...]]): names of the columns of the
          declared primary key per table that has one.
      slow_queries (set[str]): SQL queries that are no longer run, since each looks
          through a table.
    """

    def __init__(self, temporary_directory=None):
        """Initializes a reader.

        Args:
          temporary_directory (Optional[str]): path of the directory for temporary files
              or None for that of the system.
        """
        super().__init__()
        self._connection = None
        self._is_tolerant = False
        self._path = None
        self._roots = {}
        self._seconds_per_query = collections.Counter()
        self._number_of_runs_per_query = collections.Counter()
        self._stack = contextlib.ExitStack()
        self._tables_without_rowid = set()
        self._temporary_directory = temporary_directory
        self._wide_tables = set()
        self.columns_per_table = {}
        self.damage = None
        self.primary_key_per_table = {}
        self.slow_queries = set()

    def __enter__(self):
        """Enters a with statement.

        Returns:
          SQLiteReader: the reader.
        """
        return self

    def __exit__(self, exception_type, value, traceback):
        """Exits a with statement."""
        self.Close()

    def GetRowIdentifierColumn(self, table_name):
        """Determines which name of the row identifier no column of a table hides.

        Args:
          table_name (str): name of the table.

        Returns:
          str: name or None if the table has no row identifiers.
        """
        if table_name in self._tables_without_rowid:
            return None
        columns = {name.lower() for name in self.columns_per_table[table_name]}
        for name in ("rowid", "_rowid_", "oid"):
            if name not in columns:
                return name
        return None

    def _GetLength(self, table_name, select_columns):
        """Determines how much a table holds, without its rows coming to Python.

        Args:
          table_name (str): name of the table.
          select_columns (list[str]): quoted names of the columns.

        Returns:
          float: number of characters and bytes, None if SQLite does not read all of
              the table, or rows share their pages, with which a small file has more to
              say than memory holds.
        """
        # That of text would end at the first NUL.
        values = ", ".join(f"MAX(UNICODE({name:s}))" for name in select_columns)
        lengths = " + ".join(
            f"TOTAL(LENGTH(CAST({name:s} AS BLOB)))" for name in select_columns
        )
        try:
            *_, length = self._connection.execute(
                f"SELECT {values:s}, {lengths:s} FROM {Quote(table_name):s} NOT INDEXED"
            ).fetchone()
            return length if length <= os.path.getsize(self._path) else None
        except READ_ERRORS:
            return None

    def _GetRoots(self):
        """Retrieves the roots of the trees of the tables.

        Returns:
          dict[str, Root]: roots per name of the table, but of those that are WITHOUT
              ROWID.
        """
        roots = {sqlite_pages.SCHEMA_TABLE: _SCHEMA_ROOT}
        for name, page_number in self._connection.execute(
            "SELECT name, rootpage FROM sqlite_master WHERE type = 'table'"
        ).fetchall():
            # A virtual table has no root.
            if (
                page_number
                and isinstance(name, str)
                and isinstance(page_number, int)
                and name.lower() not in self._tables_without_rowid
            ):
                try:
                    number_of_columns = len(
                        self._connection.execute(
                            f"PRAGMA table_xinfo({Quote(name):s})"
                        ).fetchall()
                    )
                except READ_ERRORS:
                    number_of_columns = 0
                roots[name.lower()] = sqlite_pages.Root(page_number, number_of_columns)
        return roots

    def _GetRootNumbers(self):
        """Retrieves the numbers of the roots of tables and indexes.

        Returns:
          set[int]: numbers, of which none needs to be that of a page.
        """
        return {
            page_number
            for (page_number,) in self._connection.execute(
                "SELECT rootpage FROM sqlite_master"
            ).fetchall()
            if isinstance(page_number, int)
        }

    def _Repair(self, roots, is_forced, reserved):
        """Makes a copy of the database around what is damaged, and reads that.

        Args:
          roots (dict[str, Root]): roots of the trees of the tables.
          is_forced (bool): True if the trees need not be damaged themselves.
          reserved (set[int]): numbers of the roots of tables and indexes.

        Returns:
          str: path of the copy or None if there is none.
        """
        try:
            with sqlite_pages.DatabasePages(self._path) as pages:
                # It reads what the repair counts that it reads.
                self._wide_tables |= pages.FindWideTables(roots)
            with sqlite_pages.DatabasePages(self._path) as pages:
                if not is_forced and not pages.IsDamaged(roots):
                    return None
                directory = self._stack.enter_context(
                    CreateTemporaryDirectory(self._temporary_directory)
                )
                path = os.path.join(directory, "repaired")
                damage = pages.Repair(
                    roots,
                    path,
                    has_damaged_schema=bool(
                        self.damage and self.damage.has_damaged_schema
                    ),
                    reserved=reserved,
                )
                if self.damage:
                    # The schema has been repaired before the tables.
                    missing = self.damage.missing_per_table | damage.missing_per_table
                    damage = damage._replace(missing_per_table=missing)
                self.damage = damage
        except (OSError, ValueError, struct.error):
            return None
        return path

    def _Connect(self, path):
        """Opens a database and reads its schema.

        Args:
          path (str): path of the database.

        Raises:
          sqlite3.DatabaseError: if the database cannot be read.
        """
        # What still reads of a connection goes on, so that it is closed at the end.
        self._connection = self._stack.enter_context(
            contextlib.closing(
                sqlite3.connect(sqlite_uri.GetURI(path), isolation_level=None, uri=True)
            )
        )
        # What a hostile schema defines must not run.
        self._connection.execute("PRAGMA trusted_schema = OFF")
        self._connection.execute("PRAGMA query_only = ON")
        if self._is_tolerant:
            self._connection.execute("PRAGMA writable_schema = ON")
        self._connection.text_factory = DecodeText
        self._ReadSchema()

    def _ReadSchema(self):
        """Reads which tables there are, and their columns.

        SQLite does not tell names apart by their case, and Hermes writes them in lower
        case.

        Raises:
          sqlite3.DatabaseError: if the schema cannot be read.
        """
        self.columns_per_table = {}
        self.primary_key_per_table = {}
        self._tables_without_rowid = set()
        for name, sql in self._connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'table'"
        ).fetchall():
            if not isinstance(name, str) or not isinstance(sql, str):
                continue
            if sql.lstrip()[:14].upper() == "CREATE VIRTUAL":
                continue
            try:
                columns = self._connection.execute(
                    f"PRAGMA table_info({Quote(name):s})"
                ).fetchall()
            except READ_ERRORS:
                continue
            name = name.lower()
            self.columns_per_table[name] = [column[1].lower() for column in columns]
            primary_key = sorted(
                (column[5], column[1].lower()) for column in columns if column[5]
            )
            if primary_key:
                self.primary_key_per_table[name] = tuple(
                    column_name for _, column_name in primary_key
                )
            row_identifier = self.GetRowIdentifierColumn(name)
            try:
                self._connection.execute(
                    f"SELECT {row_identifier or 'NULL':s} FROM {Quote(name):s} LIMIT 0"
                )
            except sqlite3.OperationalError:
                self._tables_without_rowid.add(name)
            except READ_ERRORS:
                pass

    def Close(self):
        """Closes the database and removes the copy of it."""
        self._connection = None
        self._stack.close()

    def _RepairSchema(self):
        """Makes a copy of the database around what is damaged of its schema.

        Returns:
          bool: True if the copy can be read, which is then the database.

        Raises:
          sqlite3.DatabaseError: if the copy cannot be read.
        """
        schema_root = {sqlite_pages.SCHEMA_TABLE: _SCHEMA_ROOT}
        repaired_path = self._Repair(schema_root, False, frozenset())
        if not repaired_path:
            return False
        self._Connect(repaired_path)
        # What the schema is moved to must not be the root of a table. That is known
        # once the schema can be read.
        self.damage = None
        repaired_path = self._Repair(schema_root, True, self._GetRootNumbers())
        if not repaired_path:
            return False
        self._path = repaired_path
        self._Connect(repaired_path)
        return True

    def Open(self, path, text_factory=DecodeText, is_tolerant=False):
        """Opens a copy of a database.

        Args:
          path (str): path of the copy.
          text_factory (Optional[callable]): function that makes the value of a text
              cell of its bytes.
          is_tolerant (Optional[bool]): True if SQLite should pass over what it does not
              understand of a schema, and what is damaged of it is repaired.

        Raises:
          sqlite3.DatabaseError: if the database cannot be read.
        """
        self._is_tolerant = is_tolerant
        self._path = path
        try:
            try:
                self._Connect(path)
            except READ_ERRORS:
                if not is_tolerant or not self._RepairSchema():
                    raise
            self._roots = self._GetRoots()
            repaired_path = self._Repair(self._roots, False, self._GetRootNumbers())
            if repaired_path:
                self._Connect(repaired_path)
            self._connection.text_factory = text_factory
        except READ_ERRORS as exception:
            self.Close()
            raise sqlite3.DatabaseError(str(exception)) from exception

    def QueryFirst(self, query, parameters):
        """Runs a query of which one row matters.

        Args:
          query (str): SQL query.
          parameters (tuple[object, ...]): parameters of the query.

        Returns:
          tuple[object, ...]: values of the first row or None if there is none, the
              database is damaged where it is, or the query is a slow one.
        """
        if query in self.slow_queries:
            return None
        start = time.monotonic()
        try:
            return self._connection.execute(query, parameters).fetchone()
        except (OverflowError, sqlite3.Error):
            return None
        finally:
            self._seconds_per_query[query] += time.monotonic() - start
            self._number_of_runs_per_query[query] += 1
            seconds = self._seconds_per_query[query]
            number_of_runs = self._number_of_runs_per_query[query]
            if seconds > max(_MAXIMUM_SECONDS, _SLOW_SECONDS * number_of_runs):
                self.slow_queries.add(query)

    def QueryRowIdentifiers(self, query):
        """Runs a query of row identifiers.

        Args:
          query (str): SQL query of one column.

        Yields:
          int: row identifier.
        """
        try:
            for (row_identifier,) in self._connection.execute(query):
                yield row_identifier
        except READ_ERRORS:
            return

    def _GetNextIdentifier(self, table_name, row_identifier, latest):
        """Determines which row comes next.

        Args:
          table_name (str): name of the table.
          row_identifier (str): name of the row identifier.
          latest (int): identifier of the row before or None if there is none.

        Returns:
          int: row identifier or None if there is no such row, or it cannot be read.
        """
        condition = "" if latest is None else f"WHERE {row_identifier:s} > {latest:d}"
        try:
            row = self._connection.execute(
                f"SELECT {row_identifier:s} FROM {Quote(table_name):s} {condition:s} "
                f"ORDER BY {row_identifier:s} LIMIT 1"
            ).fetchone()
        except READ_ERRORS:
            return None
        return row[0] if row else None

    def ReadRows(self, table_name, columns, produce_warning):
        """Reads the rows of a table in the order of their row identifiers.

        Args:
          table_name (str): name of the table.
          columns (list[str]): names of the columns.
          produce_warning (callable): function that takes the message of a warning
              about rows that cannot be read.

        Yields:
          tuple[int, tuple[object, ...]]: row identifier and values of the columns. A
              table without row identifiers has its rows numbered.
        """
        select_columns = ", ".join(Quote(name) for name in columns)
        row_identifier = self.GetRowIdentifierColumn(table_name)

        if not row_identifier:
            number = 0
            try:
                for row in self._connection.execute(
                    f"SELECT {select_columns:s} FROM {Quote(table_name):s}"
                ):
                    number += 1
                    yield number, row
            except READ_ERRORS as exception:
                produce_warning(
                    f"{table_name:s}: rows after number {number:d} cannot be read: "
                    f"{exception!s}"
                )
            return

        length = None
        if not self.damage:
            length = self._GetLength(table_name, list(map(Quote, columns)))
        if length is None or length > _MAXIMUM_VALUE_SIZE:
            select_columns = ", ".join(map(_Limit, map(Quote, columns)))
        if not self.damage and length is None:
            repaired_path = self._Repair(self._roots, True, self._GetRootNumbers())
            if repaired_path:
                text_factory = self._connection.text_factory
                self._Connect(repaired_path)
                self._connection.text_factory = text_factory

        root = self._roots.get(table_name)
        for other_name, other_root in self._roots.items():
            if (
                root
                and other_name != table_name
                and (other_root.page_number == root.page_number)
            ):
                produce_warning(
                    f"{table_name:s}: rows are those of {other_name:s} as well: the "
                    f"schema gives both the same page"
                )
        if table_name in self._wide_tables:
            produce_warning(
                f"{table_name:s}: rows have more columns than the table: what defines "
                f"it is damaged, and values can be those of other columns"
            )
        missing = self.damage.missing_per_table if self.damage else {}
        for first, last in missing.get(table_name, ()):
            produce_warning(_DescribeMissing(table_name, first, last, _MALFORMED))
        latest = None
        first_misplaced = None
        number_of_misplaced = 0
        condition = ""
        while True:
            try:
                for row in self._connection.execute(
                    f"SELECT {row_identifier:s}, {select_columns:s} "
                    f"FROM {Quote(table_name):s} {condition:s} "
                    f"ORDER BY {row_identifier:s}"
                ):
                    if latest is not None and row[0] <= latest:
                        number_of_misplaced += 1
                        if first_misplaced is None:
                            first_misplaced = row[0]
                    latest = row[0]
                    yield latest, row[1:]
            except MemoryError:
                first = self._GetNextIdentifier(table_name, row_identifier, latest)
                produce_warning(
                    _DescribeMissing(table_name, first, first, "too large for memory")
                )
                if first is not None:
                    condition = f"WHERE {row_identifier:s} > {first:d}"
                    latest = first
                    continue
            except READ_ERRORS as exception:
                first = None if latest is None else latest + 1
                produce_warning(
                    _DescribeMissing(table_name, first, None, str(exception))
                )
            break
        if number_of_misplaced:
            # SQLite tells the rows of a tree in the order of its pages: pages of two
            # states are mixed where a copy was made while Hermes wrote.
            produce_warning(
                f"{table_name:s}: {number_of_misplaced:d} rows do not follow the one "
                f"before them, the first of them with identifier {first_misplaced:d}: "
                f"rows may be of several states of the database, or come twice"
            )

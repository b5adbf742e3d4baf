"""Reads SQLite databases that may be damaged, from copies only.

What Plaso's own reader loses is documented in its SQLitePlugin: an undecodable cell
ends the table, a callback that raises ends the query, a corrupt page ends both.
"""

import contextlib
import os
import shutil
import sqlite3
import struct
import tempfile
import urllib.parse

from hermes_plaso.parsers import file_reader

# Row identifiers are signed 64-bit integers.
_SMALLEST_ROW_IDENTIFIER = -(1 << 63)
_LARGEST_ROW_IDENTIFIER = (1 << 63) - 1

# Numbers of bytes of the smallest and the largest page.
_SMALLEST_PAGE = 512
_LARGEST_PAGE = 65536

# What Plaso knows a database by, which is given to no parser of ours without it.
SIGNATURE = b"SQLite format 3"

# Number of row identifiers that are tried one by one after a damaged part.
_MAXIMUM_SINGLE_STEPS = 16384

# What Python raises for a damaged database, whose messages may not be UTF-8.
READ_ERRORS = (sqlite3.DatabaseError, UnicodeDecodeError)

# Parameters of a URI with which SQLite neither writes nor locks.
READ_ONLY = "mode=ro&immutable=1"

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


def GetURI(path, parameters):
    """Determines the URI by which SQLite opens a file.

    Args:
      path (str): path of the file.
      parameters (str): parameters of the URI.

    Returns:
      str: URI.
    """
    quoted_path = urllib.parse.quote(os.fsencode(os.path.abspath(path)))
    return f"file:{quoted_path:s}?{parameters:s}"


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


@contextlib.contextmanager
def MergedCopy(database_path, companions, temporary_directory):
    """Makes a copy of a database to which its logs have been applied.

    SQLite itself does so, and checks which parts of a log are valid.

    Args:
      database_path (str): path of a copy of the database alone.
      companions (dict[str, dfvfs.FileIO]): file-like objects of the logs per suffix of
          their names.
      temporary_directory (str): path of the directory for temporary files or None for
          that of the system.

    Yields:
      str: path of the copy.

    Raises:
      OSError: if a log cannot be read or the copy cannot be written.
      sqlite3.DatabaseError: if a log cannot be applied.
    """
    with CreateTemporaryDirectory(temporary_directory) as directory:
        path = os.path.join(directory, "database")
        shutil.copyfile(database_path, path)
        if os.path.getsize(path) < _SMALLEST_PAGE:
            # SQLite removes the log of an empty database, which may hold all of it.
            os.truncate(path, _LARGEST_PAGE)
        for suffix, file_object in companions.items():
            CopyFile(file_object, f"{path:s}{suffix:s}")
        with contextlib.closing(
            sqlite3.connect(GetURI(path, "mode=rw"), uri=True)
        ) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        yield path


def CanOpen(path):
    """Determines if SQLite opens a database as it is, which is what Plaso needs.

    Args:
      path (str): path of the database.

    Returns:
      bool: True if it does.
    """
    try:
        with contextlib.closing(
            sqlite3.connect(GetURI(path, READ_ONLY), uri=True)
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
    # The size of the largest page does not fit.
    return _LARGEST_PAGE if page_size == 1 else page_size, number_of_pages


class SQLiteReader:
    """Reads the tables of a SQLite database.

    Attributes:
      columns_per_table (dict[str, list[str]]): names of the columns per table.
      primary_key_per_table (dict[str, tuple[str, ...]]): names of the columns of the
          declared primary key per table that has one.
    """

    def __init__(self):
        """Initializes a reader."""
        super().__init__()
        self._connection = None
        self._tables_without_rowid = set()
        self.columns_per_table = {}
        self.primary_key_per_table = {}

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

    def _ReadOne(self, select, row_identifier, first, last):
        """Reads one row of a range of row identifiers.

        Python asks SQLite for the next row before it hands out the one at hand, which
        is lost when the next is damaged. A query of one row has no next.

        Args:
          select (str): SELECT clause and table.
          row_identifier (str): name of the row identifier.
          first (int): first row identifier.
          last (int): last row identifier.

        Returns:
          tuple: values of the row, the row identifier first, or None if there is none.

        Raises:
          sqlite3.DatabaseError: if the database is damaged.
        """
        return self._connection.execute(
            f"{select:s} WHERE {row_identifier:s} BETWEEN ? AND ? "
            f"ORDER BY {row_identifier:s} LIMIT 1",
            (first, last),
        ).fetchone()

    def _ReadNext(self, select, row_identifier, identifier, limit):
        """Reads the row after one, where that is not damaged.

        Args:
          select (str): SELECT clause and table.
          row_identifier (str): name of the row identifier.
          identifier (int): row identifier of the one.
          limit (int): row identifier that the row must not have or exceed.

        Returns:
          tuple: values of the row, the row identifier first, or None if there is none.
        """
        try:
            row = self._ReadOne(select, row_identifier, identifier + 1, limit - 1)
        except READ_ERRORS:
            return None
        return row if row and identifier < row[0] < limit else None

    def _FindReadable(self, select, row_identifier, first, last):
        """Finds where a table can be read again after a damaged part.

        The steps grow after a while, so that a very large damaged part does not take
        forever, and what was stepped over is halved until the first readable row is
        known.

        Args:
          select (str): SELECT clause and table.
          row_identifier (str): name of the row identifier.
          first (int): row identifier from which the table cannot be read.
          last (int): largest row identifier.

        Returns:
          int: smallest row identifier from which the table can be read or None if
              there is none.
        """

        def IsReadable(candidate):
            """Determines if the table can be read from a row identifier on.

            Args:
              candidate (int): row identifier.

            Returns:
              bool: True if a row can be read, or no row is left.
            """
            try:
                self._ReadOne(select, row_identifier, candidate, last)
            except READ_ERRORS:
                return False
            return True

        step = 1
        damaged = first
        while True:
            candidate = min(first + step, last)
            if IsReadable(candidate):
                break
            damaged = candidate
            if candidate >= last:
                return None
            # A step of more than one can pass over an intact page.
            step = step + 1 if step < _MAXIMUM_SINGLE_STEPS else step * 2

        while candidate - damaged > 1:
            middle = (candidate + damaged) // 2
            if IsReadable(middle):
                candidate = middle
            else:
                damaged = middle
        return candidate

    def _FindReadableFromEnd(self, table_name, row_identifier, lowest):
        """Finds the first row of the end of a table that can be read.

        Args:
          table_name (str): name of the table.
          row_identifier (str): name of the row identifier.
          lowest (int): row identifier that the end is not to reach.

        Returns:
          int: smallest row identifier from which the table can be read to its end or
              None if there is none.
        """
        readable = None
        try:
            for (identifier,) in self._connection.execute(
                f"SELECT {row_identifier:s} FROM {Quote(table_name):s} "
                f"ORDER BY {row_identifier:s} DESC"
            ):
                if identifier <= lowest or (readable and identifier >= readable):
                    break
                readable = identifier
        except READ_ERRORS:
            pass
        return readable

    def _GetLimit(self, function, table_name, row_identifier):
        """Retrieves the smallest or the largest row identifier of a table.

        Args:
          function (str): MIN or MAX.
          table_name (str): name of the table.
          row_identifier (str): name of the row identifier.

        Returns:
          int: row identifier or None if it cannot be read.
        """
        row = self.QueryFirst(
            f"SELECT {function:s}({row_identifier:s}) FROM {Quote(table_name):s}", ()
        )
        return row[0] if row else None

    def Close(self):
        """Closes the database."""
        if self._connection:
            self._connection.close()
            self._connection = None

    def Open(self, path, text_factory=DecodeText, is_tolerant=False):
        """Opens a copy of a database.

        Args:
          path (str): path of the copy.
          text_factory (Optional[callable]): function that makes the value of a text
              cell of its bytes.
          is_tolerant (Optional[bool]): True if SQLite should pass over what it does not
              understand of a schema.

        Raises:
          sqlite3.DatabaseError: if the database cannot be read.
        """
        self._connection = sqlite3.connect(
            GetURI(path, READ_ONLY), isolation_level=None, uri=True
        )
        try:
            # What a hostile schema defines must not run.
            self._connection.execute("PRAGMA trusted_schema = OFF")
            self._connection.execute("PRAGMA query_only = ON")
            if is_tolerant:
                self._connection.execute("PRAGMA writable_schema = ON")

            self._connection.text_factory = DecodeText
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
                self.columns_per_table[name] = [column[1] for column in columns]
                primary_key = sorted(
                    (column[5], column[1]) for column in columns if column[5]
                )
                if primary_key:
                    self.primary_key_per_table[name] = tuple(
                        column_name for _, column_name in primary_key
                    )
                row_identifier = self.GetRowIdentifierColumn(name)
                try:
                    self._connection.execute(
                        f"SELECT {row_identifier or 'NULL':s} "
                        f"FROM {Quote(name):s} LIMIT 0"
                    )
                except sqlite3.OperationalError:
                    self._tables_without_rowid.add(name)
                except READ_ERRORS:
                    pass
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
          tuple[object, ...]: values of the first row or None if there is none or the
              database is damaged where it is.
        """
        try:
            return self._connection.execute(query, parameters).fetchone()
        except (OverflowError, sqlite3.Error):
            return None

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

        select = (
            f"SELECT {row_identifier:s}, {select_columns:s} "
            f"FROM {Quote(table_name):s}"
        )
        first = _SMALLEST_ROW_IDENTIFIER
        last = None
        in_order = latest = _SMALLEST_ROW_IDENTIFIER
        has_read_end = False
        while first <= _LARGEST_ROW_IDENTIFIER:
            try:
                for row in self._connection.execute(
                    f"{select:s} WHERE {row_identifier:s} >= ? "
                    f"ORDER BY {row_identifier:s}",
                    (first,),
                ):
                    # Advanced first: a row that was handed out is never read again. A
                    # damaged page can hold identifiers that are out of order.
                    first = max(first, row[0] + 1)
                    in_order, latest = min(latest, row[0]), row[0]
                    yield row[0], row[1:]
                return
            except READ_ERRORS as exception:
                reason = str(exception)

            if last is None:
                last = self._GetLimit("MAX", table_name, row_identifier)
                if last is None:
                    last = _LARGEST_ROW_IDENTIFIER
            try:
                row = None
                if first <= _LARGEST_ROW_IDENTIFIER:
                    row = self._ReadOne(select, row_identifier, first, last)
            except READ_ERRORS:
                pass
            else:
                if row is None or row[0] < first:
                    # A wrong identifier was the last before the damaged part, which
                    # has to be approached from the other side.
                    # Which of the last two it was, only the largest so far can be.
                    if latest < first - 1:
                        in_order = latest
                    row = self._ReadNext(select, row_identifier, in_order, first - 1)
                    if row:
                        in_order = latest = row[0]
                        yield row[0], row[1:]
                    readable = None
                    if not has_read_end:
                        has_read_end = True
                        readable = self._FindReadableFromEnd(
                            table_name, row_identifier, in_order
                        )
                    if readable is None:
                        produce_warning(
                            f"{table_name:s}: rows after identifier {in_order:d} "
                            f"cannot be read: {reason:s}"
                        )
                        return
                    produce_warning(
                        f"{table_name:s}: rows with identifiers {in_order + 1:d} to "
                        f"{readable - 1:d} cannot be read: {reason:s}"
                    )
                    first = readable
                    continue
                first = row[0] + 1
                in_order, latest = min(latest, row[0]), row[0]
                yield row[0], row[1:]
                continue

            if first == _SMALLEST_ROW_IDENTIFIER:
                # Hermes numbers its rows from 1.
                first = min(self._GetLimit("MIN", table_name, row_identifier) or 0, 0)
            readable = self._FindReadable(select, row_identifier, first, last)
            if readable is None:
                produce_warning(
                    f"{table_name:s}: rows with identifiers {first:d} and above cannot "
                    f"be read: {reason:s}"
                )
                return

            produce_warning(
                f"{table_name:s}: rows with identifiers {first:d} to "
                f"{readable - 1:d} cannot be read: {reason:s}"
            )
            first = readable

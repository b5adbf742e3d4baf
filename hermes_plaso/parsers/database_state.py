"""States of a SQLite database: with its write-ahead log, and the main file alone."""

import contextlib
import os
import shutil
import sqlite3
from typing import NamedTuple

from dfvfs.lib import errors as dfvfs_errors

from hermes_plaso.parsers import file_reader
from hermes_plaso.parsers import paths
from hermes_plaso.parsers import sqlite_logs
from hermes_plaso.parsers import sqlite_reader

# The words of the format reference for what SQLite does not open.
NOT_A_DATABASE = "not a SQLite database"


class _RawText(bytes):
    """Text cell as it is stored, which tells it from a BLOB."""


class Relation(NamedTuple):
    """Table of a state of a database, or of a set of its rows.

    Attributes:
      columns (list[str]): names of the columns.
      key (tuple[str, ...]): names of the columns of the declared primary key.
      name (str): name, as it is in SQL.
      row_identifier (str): name of the row identifier, as it is in SQL, or None if rows
          have none.
    """

    columns: list
    key: tuple
    name: str
    row_identifier: str | None


class DatabaseState:
    """One state of a database, of which a copy is at hand.

    Attributes:
      has_checked_keys (bool): True if it is known that rows are found by their keys.
      path (str): path of the copy, or of the sound copy of it.
      reader (SQLiteReader): reader of the copy.
      warnings (list[str]): messages about rows that a sound copy lacks.
    """

    def __init__(self, path, temporary_directory):
        """Opens a state of a database.

        Args:
          path (str): path of a copy of the database, without a write-ahead log.
          temporary_directory (str): path of the directory for temporary files or None
              for that of the system.

        Raises:
          sqlite3.DatabaseError: if the database cannot be read.
        """
        super().__init__()
        self._is_sound = False
        self._stack = contextlib.ExitStack()
        self._temporary_directory = temporary_directory
        self.has_checked_keys = False
        self._is_tolerant = False
        self.path = path
        self.reader = self._stack.enter_context(
            sqlite_reader.SQLiteReader(temporary_directory)
        )
        self.warnings = []
        try:
            self.reader.Open(path)
        except sqlite3.DatabaseError:
            self._OpenDamaged(path)

    def __enter__(self):
        """Enters a with statement.

        Returns:
          DatabaseState: the state.
        """
        return self

    def __exit__(self, exception_type, value, traceback):
        """Exits a with statement."""
        self.Close()

    def Close(self):
        """Closes the database and removes the sound copy of it."""
        self._stack.close()

    def GetRelation(self, table_name, schema):
        """Retrieves a table.

        Args:
          table_name (str): name of the table.
          schema (str): name under which the database is attached.

        Returns:
          Relation: table or None if there is none of the name.
        """
        columns = self.reader.columns_per_table.get(table_name)
        if not columns:
            return None
        if self._is_sound:
            row_identifier = sqlite_reader.Quote(sqlite_reader.ROW_IDENTIFIER)
        else:
            row_identifier = self.reader.GetRowIdentifierColumn(table_name)
        return Relation(
            columns,
            self.reader.primary_key_per_table.get(table_name, ()),
            f"{schema:s}.{sqlite_reader.Quote(table_name):s}",
            row_identifier,
        )

    def _MakeDirectory(self):
        """Makes a temporary directory that is removed when the state is closed.

        Returns:
          str: path.

        Raises:
          OSError: if the directory cannot be made.
        """
        return self._stack.enter_context(
            sqlite_reader.CreateTemporaryDirectory(self._temporary_directory)
        )

    def _OpenDamaged(self, path):
        """Opens a database that SQLite does not open as it is.

        Args:
          path (str): path of a copy of the database.

        Raises:
          sqlite3.DatabaseError: if the database cannot be read.
        """
        self._is_tolerant = True
        if not self._OpenResized(path):
            self.path = path
            try:
                self.reader.Open(path, is_tolerant=True)
            except sqlite3.DatabaseError:
                self.Close()
                raise

    def _OpenResized(self, path):
        """Opens a database that has another size than it says.

        It ends before its last page, or the field for the size of a page is damaged:
        then there is one size that agrees with the number of pages.

        Args:
          path (str): path of a copy of the database.

        Returns:
          bool: True if the database could be opened.
        """
        try:
            page_size, number_of_pages = sqlite_reader.ReadSize(path)
            size = os.path.getsize(path)
            if page_size * number_of_pages == size:
                return False
            for other_page_size in sqlite_reader.PAGE_SIZES:
                # A database that was cut in half has as many pages of half the size.
                if other_page_size * number_of_pages == size and (
                    sqlite_reader.GetShareOfPages(path, other_page_size)
                    >= sqlite_reader.GetShareOfPages(path, page_size)
                ):
                    page_size = other_page_size
            if not 0 < page_size <= size <= page_size * number_of_pages:
                return False
            self.path = os.path.join(self._MakeDirectory(), "resized")
            shutil.copyfile(path, self.path)
            sqlite_reader.WriteSize(
                self.path,
                page_size,
                sqlite_reader.TrimPartOfPage(self.path, page_size),
            )
            self.reader.Open(self.path, is_tolerant=True)
        except (OSError, sqlite3.DatabaseError):
            return False
        return True

    def MakeSound(self, table_names):
        """Replaces the copy by one that holds the rows that can be read, and only them.

        SQLite ends a query at the first damaged page, however it is written.

        Args:
          table_names (list[str]): names of the tables to copy.

        Raises:
          OSError: if the copy cannot be written.
          sqlite3.DatabaseError: if the database cannot be read.
        """
        if self._is_sound:
            return

        path = os.path.join(self._MakeDirectory(), "sound")
        with contextlib.closing(
            sqlite3.connect(path, isolation_level=None)
        ) as connection, sqlite_reader.SQLiteReader(
            self._temporary_directory
        ) as reader:
            reader.Open(self.path, text_factory=_RawText, is_tolerant=self._is_tolerant)
            connection.execute("PRAGMA journal_mode = OFF")
            connection.execute("BEGIN")
            for table_name in table_names:
                columns = self.reader.columns_per_table.get(table_name)
                if columns:
                    self._CopyRows(reader, table_name, columns, connection)
            connection.execute("COMMIT")

        self.path = path
        self._is_sound = True

    def _CopyRows(self, reader, table_name, columns, connection):
        """Copies the rows of a table that can be read.

        Args:
          reader (SQLiteReader): reader of the table, with cells as they are stored.
          table_name (str): name of the table.
          columns (list[str]): names of the columns.
          connection (sqlite3.Connection): connection to the sound copy.

        Raises:
          sqlite3.DatabaseError: if the copy cannot be written.
        """
        quoted_name = sqlite_reader.Quote(table_name)
        names = [sqlite_reader.ROW_IDENTIFIER] + columns
        connection.execute(
            f"CREATE TABLE {quoted_name:s} "
            f"({', '.join(map(sqlite_reader.Quote, names)):s})"
        )
        for row_identifier, row in reader.ReadRows(
            table_name, columns, self.warnings.append
        ):
            placeholders = ", ".join(
                "CAST(? AS TEXT)" if isinstance(value, _RawText) else "?"
                for value in row
            )
            connection.execute(
                f"INSERT INTO {quoted_name:s} VALUES (?, {placeholders:s})",
                (row_identifier, *row),
            )
        for index_columns in (
            self.reader.primary_key_per_table.get(table_name),
            (sqlite_reader.ROW_IDENTIFIER,),
        ):
            if index_columns:
                index_name = sqlite_reader.Quote(f"{table_name:s} {index_columns!s}")
                connection.execute(
                    f"CREATE INDEX {index_name:s} ON {quoted_name:s} "
                    f"({', '.join(map(sqlite_reader.Quote, index_columns)):s})"
                )


def _FindCompanion(file_entry, suffix):
    """Finds a log that lies beside a database.

    Args:
      file_entry (dfvfs.FileEntry): file entry of the database.
      suffix (str): suffix of the name of the log.

    Returns:
      dfvfs.FileEntry: file entry or None if there is none.
    """
    name = file_entry.name
    companion = paths.GetFileEntryAbove(file_entry, 1, name=f"{name:s}{suffix:s}")
    if not companion and name.isupper():
        # Some exports of Windows file systems write all names in upper case.
        name = f"{name:s}{suffix.upper():s}"
        companion = paths.GetFileEntryAbove(file_entry, 1, name=name)
    return companion


def GetCompanions(file_entry, produce_warning):
    """Retrieves the logs that lie beside a database and change what it says.

    Args:
      file_entry (dfvfs.FileEntry): file entry of the database.
      produce_warning (callable): function that takes the message of a warning.

    Returns:
      dict[str, dfvfs.FileEntry]: file entries of the write-ahead log and of the hot
          rollback journal per suffix of their names, where there are any.
    """
    companions = {}
    for suffix in (sqlite_logs.LOG_SUFFIX, sqlite_logs.JOURNAL_SUFFIX):
        try:
            companion = _FindCompanion(file_entry, suffix)
            if not companion:
                continue
            if not companion.IsFile():
                produce_warning(f"{companion.name:s} is no file and cannot be read")
                continue
            if not companion.size:
                continue
            # A transaction that ended leaves an empty journal, or one without this.
            if suffix == sqlite_logs.JOURNAL_SUFFIX and (
                file_reader.ReadHead(
                    companion.GetFileObject(), len(sqlite_logs.JOURNAL_SIGNATURE)
                )
                != sqlite_logs.JOURNAL_SIGNATURE
            ):
                continue
            companions[suffix] = companion
        except Exception:  # pylint: disable=broad-except
            # The libraries of dfVFS raise what they will, of names for example.
            continue
    return companions


class Files(NamedTuple):
    """Files of a database.

    Attributes:
      database (dfvfs.FileEntry): file entry of the main file, None if it is missing.
      companions (dict[str, dfvfs.FileEntry]): file entries of the write-ahead log and
          of the hot rollback journal per suffix of their names, where there are any.
    """

    database: object
    companions: dict

    def Copy(self, path):
        """Copies the main file.

        Args:
          path (str): path of the copy, of no size if the main file is missing.

        Raises:
          OSError: if the file cannot be read or the copy cannot be written.
        """
        if self.database:
            sqlite_reader.CopyFile(self.database.GetFileObject(), path)
        else:
            with open(path, "xb"):
                pass


def GetFiles(file_entry, produce_warning):
    """Retrieves the files of a database.

    Args:
      file_entry (dfvfs.FileEntry): file entry of the main file, or of a write-ahead log
          whose main file is missing.
      produce_warning (callable): function that takes the message of a warning.

    Returns:
      Files: files.
    """
    if IsLogAlone(file_entry):
        produce_warning("database is missing: only its write-ahead log is read")
        return Files(None, {sqlite_logs.LOG_SUFFIX: file_entry})
    return Files(file_entry, GetCompanions(file_entry, produce_warning))


def IsLogAlone(file_entry):
    """Determines if a file is a write-ahead log whose main file is missing.

    Args:
      file_entry (dfvfs.FileEntry): file entry.

    Returns:
      bool: True if it is one, and of some size.
    """
    name = file_entry.name.removesuffix(sqlite_logs.LOG_SUFFIX)
    if name == file_entry.name or not file_entry.size:
        return False
    database = paths.GetFileEntryAbove(file_entry, 1, name=name)
    return not database or not database.IsFile()


def OpenStates(
    stack, database_path, companions, is_known, temporary_directory, produce_warning
):
    """Opens the states of a database.

    Args:
      stack (contextlib.ExitStack): what closes the states.
      database_path (str): path of a copy of the database, which may have a write-ahead
          log beside it.
      companions (dict[str, dfvfs.FileEntry]): file entries of the logs of the database
          per suffix of their names.
      is_known (callable): function that takes a SQLiteReader and returns True if the
          database has the tables that are to be read.
      temporary_directory (str): path of the directory for temporary files or None for
          that of the system.
      produce_warning (callable): function that takes the message of a warning.

    Returns:
      tuple[DatabaseState, DatabaseState]: current state and that of the main file
          alone, where the latter is None if there is no write-ahead log.

    Raises:
      sqlite3.DatabaseError: if the database cannot be read.
    """
    try:
        main = stack.enter_context(DatabaseState(database_path, temporary_directory))
    except sqlite3.DatabaseError:
        # The log can hold all that is needed.
        main = None

    log_path = f"{database_path:s}{sqlite_logs.LOG_SUFFIX:s}"
    has_log = sqlite_logs.HasLog(database_path)
    if companions or has_log:
        warnings = []
        with contextlib.ExitStack() as attempt:
            try:
                file_objects = {
                    suffix: companion.GetFileObject()
                    for suffix, companion in companions.items()
                }
                if has_log and not companions:
                    file_objects[sqlite_logs.LOG_SUFFIX] = attempt.enter_context(
                        open(log_path, "rb")
                    )
                path = attempt.enter_context(
                    sqlite_logs.MergedCopy(
                        database_path,
                        file_objects,
                        temporary_directory,
                        warnings.append,
                    )
                )
                current = attempt.enter_context(
                    DatabaseState(path, temporary_directory)
                )
                if main and is_known(main.reader) and not is_known(current.reader):
                    raise sqlite3.DatabaseError("log of another database")
            except (
                MemoryError,
                OSError,
                ValueError,
                dfvfs_errors.Error,
                sqlite3.Error,
            ) as exception:
                if not main:
                    raise sqlite3.DatabaseError(str(exception)) from exception
                produce_warning(
                    f"write-ahead log or journal cannot be read: {exception!s}"
                )
            else:
                if is_known(current.reader):
                    for message in warnings:
                        produce_warning(message)
                stack.push(attempt.pop_all())
                # What a rollback journal takes back was never committed.
                return current, main if sqlite_logs.LOG_SUFFIX in file_objects else None

    if not main:
        raise sqlite3.DatabaseError("file is not a database")
    if is_known(main.reader) and not sqlite_reader.CanOpen(database_path):
        produce_warning(NOT_A_DATABASE)
    return main, None

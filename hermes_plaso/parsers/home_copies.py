"""Copies of the state database of a home: which row versions each is the first to hold.

Snapshots and other copies hold mostly rows that the live database holds too. The
holders of a home have an order: the live database, then the copies, newest first. A
copy is asked for its rows that no holder before it has, in whatever worker and order
the copies are parsed. Workers share nothing: the order follows from the names and times
of the files.
"""

import contextlib
import os
import re

from dfvfs.lib import definitions as dfvfs_definitions

from hermes_plaso.formats import homes
from hermes_plaso.parsers import database_state
from hermes_plaso.parsers import file_reader
from hermes_plaso.parsers import hermes_files
from hermes_plaso.parsers import paths
from hermes_plaso.parsers import row_sets
from hermes_plaso.parsers import sqlite_logs
from hermes_plaso.parsers import sqlite_reader

_NUMBER_RE = re.compile(r"([0-9]+)")


class Holder:
    """A database of a home.

    Attributes:
      evidence_path (str): path of the database inside the evidence.
      file_entry (dfvfs.FileEntry): file entry of the database, or of a write-ahead log
          whose database is missing.
      is_usable (bool): False if nothing is read of the database.
      main_set (RowSet): rows that the write-ahead log of the database replaced, None if
          there is no log or the rows are not known yet.
      number_of_rows (dict[str, int]): number of rows per table.
      row_set (RowSet): rows that the first holder does not hold, None if they are not
          known yet.
      warnings (list[str]): messages about rows that cannot be read.
    """

    def __init__(self, file_entry, evidence_path):
        """Initializes a holder.

        Args:
          file_entry (dfvfs.FileEntry): file entry of the database.
          evidence_path (str): path of the database inside the evidence.
        """
        super().__init__()
        self.evidence_path = evidence_path
        self.file_entry = file_entry
        self.is_usable = True
        self.main_set = None
        self.number_of_rows = {}
        self.row_set = None
        self.warnings = []

    def GetOrder(self):
        """Determines what sorts the holders, the first of them last.

        Returns:
          tuple[object, ...]: sort key.
        """
        location = homes.LocateDatabase(self.evidence_path)
        if not location.copy_identifier:
            return (1,)
        copy_time = homes.GetCopyTime(location)
        if copy_time:
            microseconds = copy_time.microseconds
        else:
            modification_time = self.file_entry.modification_time
            microseconds = 0
            if modification_time:
                microseconds = modification_time.GetPlasoTimestamp() or 0
        # A second snapshot of the same second is named like the first, with -2.
        natural_identifier = tuple(
            int(part) if index % 2 else part
            for index, part in enumerate(_NUMBER_RE.split(location.copy_identifier))
        )
        return (0, microseconds, natural_identifier, self.evidence_path)


class DistinctRows:
    """Rows of a copy that no holder before it has.

    Attributes:
      number_of_holders (int): number of holders before the copy.
      number_of_rows (dict[str, int]): number of rows of the copy per table.
      warnings (list[str]): messages about rows that cannot be read.
    """

    def __init__(self, sets, holder, states, earlier_states, earlier_holders):
        """Initializes the rows of a copy.

        Args:
          sets (RowSets): sets of rows.
          holder (Holder): the copy.
          states (list[DatabaseState]): current state of the copy.
          earlier_states (list[DatabaseState]): states of the first holder.
          earlier_holders (list[Holder]): holders between the first and the copy.
        """
        super().__init__()
        self._earlier_sets = [
            row_set
            for earlier_holder in earlier_holders
            for row_set in (earlier_holder.row_set, earlier_holder.main_set)
            if row_set
        ]
        self._earlier_states = earlier_states
        self._holder = holder
        self._sets = sets
        self._states = states
        self.number_of_holders = len(earlier_holders) + 1
        self.number_of_rows = holder.number_of_rows
        self.warnings = holder.warnings

    def _Read(self, row_set, table_name, columns, holders):
        """Reads the rows of a set that no holder before the copy has.

        Args:
          row_set (RowSet): set.
          table_name (str): name of the table.
          columns (list[str]): names of the columns.
          holders (list[DatabaseState|RowSet]): what else holds versions of the rows.

        Yields:
          tuple[int, tuple[object, ...], callable]: row identifier, values of the
              columns, and function that returns the values of the other versions.
        """
        for row_identifier, row in self._sets.Read(
            row_set, table_name, columns, holders=self._earlier_sets
        ):

            def ReadVersions(row_identifier=row_identifier):
                """Reads the other versions of the row.

                Args:
                  row_identifier (int): row identifier.

                Returns:
                  iterator[tuple[object, ...]]: values of the columns per version.
                """
                return self._sets.ReadVersions(
                    row_set, table_name, columns, row_identifier, holders
                )

            yield row_identifier, row, ReadVersions

    def HasCurrent(self, table_name, column, value):
        """Determines if one of the rows of the current state has a value.

        Args:
          table_name (str): name of the table.
          column (str): name of the column.
          value (object): value.

        Returns:
          bool: True if there is such a row.
        """
        return self._sets.HasRow(
            self._holder.row_set, table_name, column, value, self._earlier_sets
        )

    def HasReplaced(self, table_name, column, value):
        """Determines if one of the rows that the write-ahead log replaced has a value.

        Args:
          table_name (str): name of the table.
          column (str): name of the column.
          value (object): value.

        Returns:
          bool: True if there is such a row.
        """
        return self._sets.HasRow(
            self._holder.main_set, table_name, column, value, self._earlier_sets
        )

    def GetNumberOfUniqueRows(self, table_name):
        """Counts the rows that no holder before the copy has.

        Args:
          table_name (str): name of the table.

        Returns:
          int: number of rows.
        """
        return self._sets.Count(
            self._holder.row_set, table_name, holders=self._earlier_sets
        )

    def ReadCurrent(self, table_name, columns):
        """Reads the rows of the current state.

        Args:
          table_name (str): name of the table.
          columns (list[str]): names of the columns.

        Returns:
          iterator[tuple[int, tuple[object, ...], callable]]: see _Read.
        """
        return self._Read(
            self._holder.row_set,
            table_name,
            columns,
            self._earlier_states + self._earlier_sets,
        )

    def ReadReplaced(self, table_name, columns):
        """Reads the rows that the write-ahead log of the copy replaced.

        Args:
          table_name (str): name of the table.
          columns (list[str]): names of the columns.

        Returns:
          iterator[tuple[int, tuple[object, ...], callable]]: see _Read.
        """
        if not self._holder.main_set:
            return iter(())
        return self._Read(
            self._holder.main_set,
            table_name,
            columns,
            self._states + self._earlier_states + self._earlier_sets,
        )


class HomeCopies:
    """The state database of a home and the copies of it, as one worker knows them."""

    def __init__(self, holders, table_names, is_hermes, temporary_directory):
        """Initializes the copies of a home.

        Args:
          holders (list[Holder]): holders, in their order.
          table_names (list[str]): names of the tables that are read.
          is_hermes (callable): function that takes a SQLiteReader and returns True if
              the database is one that is read.
          temporary_directory (str): path of the directory for temporary files or None
              for that of the system.
        """
        super().__init__()
        self._first_holder = None
        self._first_states = []
        self._holders = holders
        self._is_hermes = is_hermes
        self._sets = None
        self._stack = contextlib.ExitStack()
        self._table_names = table_names
        self._temporary_directory = temporary_directory

    def _GetPath(self, stack, files):
        """Determines the path by which SQLite can read the main file of a holder.

        Args:
          stack (contextlib.ExitStack): what removes a copy.
          files (Files): files of the holder.

        Returns:
          str: path.

        Raises:
          OSError: if the holder cannot be read or the copy cannot be written.
        """
        if files.database and not files.companions:
            path_spec = files.database.path_spec
            if path_spec.type_indicator == dfvfs_definitions.TYPE_INDICATOR_OS:
                # Copies run to gigabytes. SQLite neither writes to a database that it
                # is told cannot change, nor locks it.
                return path_spec.location

        directory = stack.enter_context(
            sqlite_reader.CreateTemporaryDirectory(self._temporary_directory)
        )
        path = os.path.join(directory, "database")
        files.Copy(path)
        return path

    def _Open(self, stack, holder):
        """Opens the states of a holder.

        Args:
          stack (contextlib.ExitStack): what closes the states and removes the copies.
          holder (Holder): holder.

        Returns:
          list[DatabaseState]: current state and that of the main file alone, where
              there is a write-ahead log, or an empty list if nothing is read of it.
        """
        try:
            files = database_state.GetFiles(holder.file_entry, lambda message: None)
            path = self._GetPath(stack, files)
            # What Plaso cannot open is read in a home only, see unopened.
            if not sqlite_reader.CanOpen(path) and not (
                hermes_files.GetLocator().Locate(holder.file_entry)
            ):
                return []
            current, main = database_state.OpenStates(
                stack,
                path,
                files.companions,
                self._is_hermes,
                self._temporary_directory,
                lambda message: None,
            )
        except Exception:  # pylint: disable=broad-except
            # Whatever is wrong with a holder must not cost the rows of a copy.
            return []
        if not self._is_hermes(current.reader):
            return []
        return [current, main] if main else [current]

    def _FindFirstHolder(self):
        """Finds and opens the first holder that can be read."""
        for holder in self._holders:
            with contextlib.ExitStack() as stack:
                states = self._Open(stack, holder)
                if states:
                    self._first_holder = holder
                    self._first_states = states
                    self._stack.push(stack.pop_all())
                    return
            holder.is_usable = False

    def _Fill(self, holder, states):
        """Determines the rows of a holder that the first holder does not have.

        Args:
          holder (Holder): holder.
          states (list[DatabaseState]): current state of the holder and that of the main
              file alone, where there is a write-ahead log.

        Raises:
          OSError: if a temporary file cannot be written.
          sqlite3.DatabaseError: if the rows cannot be compared.
        """
        try:
            row_set = self._sets.Add(states[0], self._table_names, self._first_states)
            holder.number_of_rows = self._sets.CountState(states[0], self._table_names)
            holder.warnings = list(states[0].warnings)
            if len(states) > 1:
                holder.main_set = self._sets.Add(
                    states[1], self._table_names, [states[0]] + self._first_states
                )
                holder.warnings.extend(
                    message
                    for message in states[1].warnings
                    if message not in states[0].warnings
                )
            holder.row_set = row_set
        finally:
            for state in states:
                self._sets.Detach(state)

    def Close(self):
        """Closes the databases and removes the copies of them."""
        self._stack.close()

    @contextlib.contextmanager
    def Select(self, evidence_path, current, main):
        """Selects the rows of a copy that no holder before it has.

        Args:
          evidence_path (str): path of the copy inside the evidence.
          current (DatabaseState): current state of the copy.
          main (DatabaseState): state of the main file of the copy alone or None if
              there is no write-ahead log.

        Yields:
          DistinctRows: rows or None if no holder is before the copy.

        Raises:
          OSError: if a temporary file cannot be written.
          sqlite3.DatabaseError: if the rows cannot be compared.
        """
        if not self._sets:
            self._sets = self._stack.enter_context(
                row_sets.RowSets(self._temporary_directory)
            )
            self._FindFirstHolder()

        evidence_paths = [holder.evidence_path for holder in self._holders]
        index = evidence_paths.index(evidence_path)
        holder = self._holders[index]
        first_index = len(self._holders)
        if self._first_holder:
            first_index = self._holders.index(self._first_holder)
        if index <= first_index:
            yield None
            return

        earlier_holders = []
        for earlier_holder in self._holders[first_index + 1 : index]:
            if earlier_holder.is_usable and not earlier_holder.row_set:
                with contextlib.ExitStack() as stack:
                    states = self._Open(stack, earlier_holder)
                    earlier_holder.is_usable = bool(states)
                    if states:
                        try:
                            self._Fill(earlier_holder, states)
                        except Exception:  # pylint: disable=broad-except
                            earlier_holder.is_usable = False
            if earlier_holder.is_usable:
                earlier_holders.append(earlier_holder)

        states = [current, main] if main else [current]
        if not holder.row_set:
            self._Fill(holder, states)
        try:
            yield DistinctRows(
                self._sets, holder, [current], self._first_states, earlier_holders
            )
        finally:
            for state in states:
                self._sets.Detach(state)


def _ListAllocated(directory):
    """Lists what is in a directory, as Plaso does, which leaves out deleted entries.

    Args:
      directory (dfvfs.FileEntry): file entry of the directory.

    Yields:
      dfvfs.FileEntry: file entry.
    """
    for file_entry in directory.sub_file_entries:
        if file_entry.IsAllocated() and not file_entry.IsLink():
            yield file_entry


def _ListFileEntries(directory):
    """Lists the files of a home that may be a state database or a copy of it.

    Args:
      directory (dfvfs.FileEntry): file entry of the directory of the state database.

    Yields:
      dfvfs.FileEntry: file entry.
    """
    for file_entry in _ListAllocated(directory):
        if not file_entry.IsDirectory():
            yield file_entry
            continue

        directories = []
        if file_entry.name == homes.SNAPSHOTS_DIRECTORY_NAME:
            directories = [
                sub_file_entry
                for sub_file_entry in _ListAllocated(file_entry)
                if sub_file_entry.IsDirectory()
            ]
        elif homes.IsRetiredLogDirectory(file_entry.name):
            directories = [file_entry]
        for copy_directory in directories:
            for copy_file_entry in _ListAllocated(copy_directory):
                name = copy_file_entry.name.removesuffix(sqlite_logs.LOG_SUFFIX)
                if name == homes.DATABASE_NAME:
                    yield copy_file_entry


def _IsRead(file_entry, scope):
    """Determines if a parser that reads a database is in use.

    Args:
      file_entry (dfvfs.FileEntry): file entry of the database.
      scope (RunScope): what the run reads.

    Returns:
      bool: True if there is one.
    """
    try:
        head = file_reader.ReadHead(
            file_entry.GetFileObject(), len(sqlite_reader.SIGNATURE)
        )
    except Exception:  # pylint: disable=broad-except
        return False
    if head == sqlite_reader.SIGNATURE:
        return scope.UsesPlugin("sqlite", "hermes_state")
    return scope.UsesPlugin("hermes_files", "hermes_unopened_database")


def FindHolders(file_entry, evidence_path, scope):
    """Finds the state database of a home and the copies of it.

    Args:
      file_entry (dfvfs.FileEntry): file entry of a copy, or of its write-ahead log.
      evidence_path (str): path of the copy inside the evidence.
      scope (RunScope): what the run reads.

    Returns:
      list[Holder]: holders that are read in the same run, in their order.
    """
    directory = paths.GetFileEntryAbove(
        file_entry, homes.GetLevelsToDatabase(evidence_path)
    )
    if not directory:
        # The home of a member of an archive is in another file system.
        return []

    path_spec = file_entry.path_spec
    is_operating_system_path = (
        path_spec.type_indicator == dfvfs_definitions.TYPE_INDICATOR_OS
    )
    holders = []
    for sub_file_entry in _ListFileEntries(directory):
        if not sub_file_entry.IsFile():
            continue
        sub_evidence_path = paths.GetEvidencePath(sub_file_entry.path_spec)
        if database_state.IsLogAlone(sub_file_entry):
            sub_evidence_path = sub_evidence_path.removesuffix(sqlite_logs.LOG_SUFFIX)
        if (
            homes.IsHolder(sub_evidence_path)
            and _IsRead(sub_file_entry, scope)
            and scope.Contains(
                is_operating_system_path, sub_file_entry.path_spec.location
            )
        ):
            holders.append(Holder(sub_file_entry, sub_evidence_path))
    return sorted(holders, key=Holder.GetOrder, reverse=True)

"""Rows that states of databases hold and others before them do not.

Two databases are compared by SQLite itself, in a temporary database to which both are
attached: no row comes to Python, and memory does not grow with the databases.
"""

import contextlib
import os
import sqlite3

from hermes_plaso import sqlite_uri
from hermes_plaso.parsers import database_state
from hermes_plaso.parsers import sqlite_reader


def _WriteValues(alias, columns):
    """Writes SQL of one text that tells the values of a row from all others.

    Args:
      alias (str): what SQL knows the row as.
      columns (list[str]): names of the columns.

    Returns:
      str: SQL expression, which is never NULL.
    """
    values = " || ',' || ".join(
        # What is quoted of a text ends at the first NUL.
        f"CASE TYPEOF({name:s}) WHEN 'text' THEN 't' || HEX({name:s}) "
        f"ELSE QUOTE({name:s}) END"
        for name in (f"{alias:s}.{sqlite_reader.Quote(column):s}" for column in columns)
    )
    return f"({values:s})"


class RowSet:
    """Rows of one state of a database.

    Attributes:
      relations (dict[str, Relation]): where the rows are, per name of the table.
    """

    def __init__(self):
        """Initializes an empty set."""
        super().__init__()
        self.relations = {}


class RowSets:
    """Sets of rows in a temporary database.

    A row is held by another state or set if that has a row of the same key with equal
    values in all columns that both have. The key is the declared primary key. Where
    none is declared any row of equal values will do: VACUUM changes row identifiers.
    """

    def __init__(self, temporary_directory):
        """Creates the temporary database.

        Args:
          temporary_directory (str): path of the directory for temporary files or None
              for that of the system.

        Raises:
          OSError: if the temporary database cannot be created.
          sqlite3.DatabaseError: if the temporary database cannot be created.
        """
        super().__init__()
        self._number_of_schemas = 0
        self._number_of_sets = 0
        self._schema_per_state = {}
        self._stack = contextlib.ExitStack()
        directory = self._stack.enter_context(
            sqlite_reader.CreateTemporaryDirectory(temporary_directory)
        )
        self._connection = self._stack.enter_context(
            contextlib.closing(
                sqlite3.connect(
                    sqlite_uri.GetURI(os.path.join(directory, "rows"), "mode=rwc"),
                    isolation_level=None,
                    uri=True,
                )
            )
        )
        self._connection.text_factory = sqlite_reader.DecodeText
        # A set that cannot be filled is rolled back, which needs a journal.
        for pragma in (
            "journal_mode = MEMORY",
            "synchronous = OFF",
            "trusted_schema = OFF",
            # As for the reader of a database.
            "writable_schema = ON",
        ):
            self._connection.execute(f"PRAGMA {pragma:s}")

    def __enter__(self):
        """Enters a with statement.

        Returns:
          RowSets: the sets.
        """
        return self

    def __exit__(self, exception_type, value, traceback):
        """Exits a with statement."""
        self.Close()

    def _GetCondition(self, relation, other):
        """Writes the condition under which two rows are versions of the same row.

        Args:
          relation (Relation): where the first row is, which SQL knows as "row".
          other (Relation): where the second row is, which SQL knows as "other".

        Returns:
          str: SQL expression or None if rows of the two cannot be told.
        """
        if relation.key and relation.key == other.key:
            return " AND ".join(
                f"other.{name:s} IS row.{name:s}"
                for name in map(sqlite_reader.Quote, relation.key)
            )
        if relation.row_identifier and other.row_identifier:
            return f"other.{other.row_identifier:s} IS row.{relation.row_identifier:s}"
        return None

    def _GetIsNotHeld(self, relation, other):
        """Writes the condition under which a row is not held elsewhere.

        Args:
          relation (Relation): where the row is, which SQL knows as "row".
          other (Relation): where it may be held or None.

        Returns:
          str: SQL expression.
        """
        other_columns = set(other.columns) if other else ()
        columns = [name for name in relation.columns if name in other_columns]
        if not columns:
            return "1"
        if not relation.key or relation.key != other.key:
            return (
                f"{_WriteValues('row', columns):s} NOT IN "
                f"(SELECT {_WriteValues('other', columns):s} "
                f"FROM {other.name:s} AS other)"
            )
        condition = self._GetCondition(relation, other)
        # The collation and the affinity that a column declares must not make values
        # equal, which the unary operator prevents.
        equal = "".join(
            f" AND +other.{name:s} COLLATE BINARY IS +row.{name:s}"
            for name in map(sqlite_reader.Quote, columns)
        )
        return (
            f"NOT EXISTS (SELECT 1 FROM {other.name:s} AS other "
            f"WHERE {condition:s}{equal:s})"
        )

    def _GetRelation(self, holder, table_name):
        """Retrieves where a state or a set has the rows of a table.

        Args:
          holder (DatabaseState|RowSet): state, which is attached where it is not, or
              set.
          table_name (str): name of the table.

        Returns:
          Relation: where the rows are or None if there are none.

        Raises:
          sqlite3.DatabaseError: if the state cannot be attached.
        """
        if isinstance(holder, RowSet):
            return holder.relations.get(table_name)

        schema = self._schema_per_state.get(holder)
        if not schema:
            self._number_of_schemas += 1
            schema = f"state_{self._number_of_schemas:d}"
            self._connection.execute(
                f"ATTACH DATABASE ? AS {schema:s}",
                (sqlite_uri.GetURI(holder.path),),
            )
            self._schema_per_state[holder] = schema
        return holder.GetRelation(table_name, schema)

    def _AddTable(self, relation, others):
        """Adds the rows of a table that nothing else holds.

        Args:
          relation (Relation): where the rows are.
          others (list[Relation]): where they may be held.

        Returns:
          Relation: where the rows have been put.

        Raises:
          sqlite3.DatabaseError: if a row cannot be read or written.
        """
        quoted_identifier = sqlite_reader.Quote(sqlite_reader.ROW_IDENTIFIER)
        source = f"{relation.name:s} AS row NOT INDEXED"
        if not relation.row_identifier:
            relation = relation._replace(row_identifier=quoted_identifier)
            source = (
                f"(SELECT ROW_NUMBER() OVER () AS {quoted_identifier:s}, * "
                f"FROM {relation.name:s}) AS row"
            )
        select_columns = ", ".join(
            f"+row.{name:s} AS {name:s}"
            for name in map(sqlite_reader.Quote, relation.columns)
        )
        conditions = " AND ".join(
            self._GetIsNotHeld(relation, other) for other in others
        )
        self._number_of_sets += 1
        name = f"rows_{self._number_of_sets:d}"
        self._connection.execute(
            f"CREATE TABLE main.{name:s} AS "
            f"SELECT row.{relation.row_identifier:s} AS {quoted_identifier:s}, "
            f"{select_columns:s} FROM {source:s} "
            f"WHERE {conditions or '1':s}"
        )
        for index, columns in enumerate(
            (relation.key, (sqlite_reader.ROW_IDENTIFIER,))
        ):
            if columns:
                self._connection.execute(
                    f"CREATE INDEX main.{name:s}_{index:d} ON {name:s} "
                    f"({', '.join(map(sqlite_reader.Quote, columns)):s})"
                )
        return database_state.Relation(
            relation.columns, relation.key, f"main.{name:s}", quoted_identifier
        )

    def Add(self, state, table_names, holders):
        """Adds the rows of a state that no other state or set holds.

        Args:
          state (DatabaseState): state.
          table_names (list[str]): names of the tables.
          holders (list[DatabaseState|RowSet]): states and sets.

        Returns:
          RowSet: set of the rows.

        Raises:
          OSError: if a temporary file cannot be written.
          sqlite3.DatabaseError: if rows cannot be read or written.
        """
        states = [holder for holder in holders if not isinstance(holder, RowSet)]
        for damaged_state in (state, *states):
            if damaged_state.reader.damage:
                self.Detach(damaged_state)
                damaged_state.MakeSound(table_names)
        for holder in states:
            self._CheckKeys(holder, table_names)
        # What else is damaged is not known beforehand, nor by the exception.
        for suspects in ([state], states, None):
            row_set = RowSet()
            try:
                for table_name in table_names:
                    relation = self._GetRelation(state, table_name)
                    if relation:
                        others = [
                            self._GetRelation(holder, table_name) for holder in holders
                        ]
                        row_set.relations[table_name] = self._AddTable(relation, others)
                return row_set
            except sqlite_reader.READ_ERRORS:
                if suspects is None:
                    raise
                self.Remove(row_set)
                for suspect in suspects:
                    self.Detach(suspect)
                    suspect.MakeSound(table_names)
        return None

    def Close(self):
        """Closes the temporary database and removes it."""
        self._stack.close()

    def Detach(self, state):
        """Ends the use of a state.

        Args:
          state (DatabaseState): state.

        Raises:
          sqlite3.DatabaseError: if the state is in use.
        """
        schema = self._schema_per_state.pop(state, None)
        if schema:
            self._connection.execute(f"DETACH DATABASE {schema:s}")

    def Count(self, row_set, table_name, holders=()):
        """Counts the rows of a set that no other state or set holds.

        Args:
          row_set (RowSet): set.
          table_name (str): name of the table.
          holders (Optional[list[DatabaseState|RowSet]]): states and sets.

        Returns:
          int: number of rows.

        Raises:
          sqlite3.DatabaseError: if the rows cannot be read.
        """
        relation = row_set.relations.get(table_name)
        if not relation:
            return 0
        (number_of_rows,) = self._connection.execute(
            f"SELECT COUNT(*) FROM {relation.name:s} AS row "
            f"{self._GetWhere(relation, table_name, holders):s}"
        ).fetchone()
        return number_of_rows

    def CountState(self, state, table_names):
        """Counts the rows of a state that can be read.

        Args:
          state (DatabaseState): state.
          table_names (list[str]): names of the tables.

        Returns:
          dict[str, int]: number of rows per table.

        Raises:
          OSError: if a temporary file cannot be written.
          sqlite3.DatabaseError: if the rows cannot be read.
        """
        if state.reader.damage:
            self.Detach(state)
            state.MakeSound(table_names)
        for is_last in (False, True):
            try:
                return {
                    table_name: self._connection.execute(
                        f"SELECT COUNT(*) FROM {relation.name:s} NOT INDEXED"
                    ).fetchone()[0]
                    for table_name in table_names
                    if (relation := self._GetRelation(state, table_name))
                }
            except sqlite_reader.READ_ERRORS:
                if is_last:
                    raise
                self.Detach(state)
                state.MakeSound(table_names)
        return {}

    def _CheckKeys(self, state, table_names):
        """Makes a state sound of which not every row is found by its key.

        SQLite finds no row, and tells of no error, where keys of a damaged page are out
        of order, though it comes across the row when it reads all of them.

        Args:
          state (DatabaseState): state.
          table_names (list[str]): names of the tables.

        Raises:
          OSError: if a temporary file cannot be written.
          sqlite3.DatabaseError: if the state cannot be read.
        """
        if state.has_checked_keys:
            return
        state.has_checked_keys = True
        try:
            for table_name in table_names:
                relation = self._GetRelation(state, table_name)
                condition = self._GetCondition(relation, relation) if relation else None
                if (
                    condition
                    and self._connection.execute(
                        f"SELECT 1 FROM {relation.name:s} AS row NOT INDEXED WHERE "
                        f"NOT EXISTS (SELECT 1 FROM {relation.name:s} AS other "
                        f"WHERE {condition:s}) LIMIT 1"
                    ).fetchone()
                ):
                    break
            else:
                return
        except sqlite_reader.READ_ERRORS:
            pass
        self.Detach(state)
        state.MakeSound(table_names)

    def HasRow(self, row_set, table_name, column, value, holders=()):
        """Determines if a row of a set that no other state or set holds has a value.

        Args:
          row_set (RowSet): set.
          table_name (str): name of the table.
          column (str): name of the column.
          value (object): value.
          holders (Optional[list[DatabaseState|RowSet]]): states and sets.

        Returns:
          bool: True if there is such a row.

        Raises:
          sqlite3.DatabaseError: if the rows cannot be read.
        """
        relation = row_set.relations.get(table_name)
        if not relation or column not in relation.columns:
            return False
        return bool(
            self._connection.execute(
                f"SELECT 1 FROM {relation.name:s} AS row "
                f"{self._GetWhere(relation, table_name, holders):s} "
                f"AND row.{sqlite_reader.Quote(column):s} = ? LIMIT 1",
                (value,),
            ).fetchone()
        )

    def _GetWhere(self, relation, table_name, holders):
        """Writes which rows no other state or set holds.

        Args:
          relation (Relation): where the rows are.
          table_name (str): name of the table.
          holders (list[DatabaseState|RowSet]): states and sets.

        Returns:
          str: WHERE clause.

        Raises:
          sqlite3.DatabaseError: if a state cannot be attached.
        """
        conditions = [
            self._GetIsNotHeld(relation, self._GetRelation(holder, table_name))
            for holder in holders
        ]
        return f"WHERE {' AND '.join(conditions) or '1':s}"

    def Read(self, row_set, table_name, columns, holders=()):
        """Reads the rows of a set that no other state or set holds.

        Args:
          row_set (RowSet): set.
          table_name (str): name of the table.
          columns (list[str]): names of the columns, where those that the table does not
              have are None.
          holders (Optional[list[DatabaseState|RowSet]]): states and sets.

        Yields:
          tuple[int, tuple[object, ...]]: row identifier and values of the columns, in
              the order of the table.

        Raises:
          sqlite3.DatabaseError: if the rows cannot be read.
        """
        relation = row_set.relations.get(table_name)
        if not relation:
            return
        for row in self._connection.execute(
            f"SELECT row.{relation.row_identifier:s}, "
            f"{self._GetSelect('row', relation, columns):s} "
            f"FROM {relation.name:s} AS row "
            f"{self._GetWhere(relation, table_name, holders):s} "
            f"ORDER BY row.{relation.row_identifier:s}"
        ):
            yield row[0], row[1:]

    def _GetSelect(self, name, relation, columns):
        """Writes the columns of a query.

        Args:
          name (str): name by which SQL knows where the rows are.
          relation (Relation): where the rows are.
          columns (list[str]): names of the columns.

        Returns:
          str: SELECT clause.
        """
        return ", ".join(
            (
                f"{name:s}.{sqlite_reader.Quote(column):s}"
                if column in relation.columns
                else "NULL"
            )
            for column in columns
        )

    def ReadVersions(self, row_set, table_name, columns, row_identifier, holders):
        """Reads the versions of a row that other states and sets hold.

        Args:
          row_set (RowSet): set that has the row.
          table_name (str): name of the table.
          columns (list[str]): names of the columns.
          row_identifier (int): row identifier.
          holders (list[DatabaseState|RowSet]): states and sets.

        Yields:
          tuple[object, ...]: values of the columns.

        Raises:
          sqlite3.DatabaseError: if the rows cannot be read.
        """
        relation = row_set.relations[table_name]
        for holder in holders:
            other = self._GetRelation(holder, table_name)
            condition = self._GetCondition(relation, other) if other else None
            if condition:
                yield from self._connection.execute(
                    f"SELECT {self._GetSelect('other', other, columns):s} "
                    f"FROM {relation.name:s} AS row, {other.name:s} AS other "
                    f"WHERE row.{relation.row_identifier:s} = ? AND {condition:s}",
                    (row_identifier,),
                ).fetchall()

    def Remove(self, row_set):
        """Removes a set.

        Args:
          row_set (RowSet): set.

        Raises:
          sqlite3.DatabaseError: if the set is in use.
        """
        for relation in row_set.relations.values():
            self._connection.execute(f"DROP TABLE {relation.name:s}")
        row_set.relations = {}


class AllRows:
    """All rows of a database.

    Attributes:
      number_of_holders (int): 0 if the database is known to be the first of its home,
          None if it was not compared with others.
      number_of_rows (dict[str, int]): number of rows of the current state that were
          read per table.
    """

    def __init__(self, current, main, table_names, temporary_directory, warn):
        """Initializes the rows of a database.

        Args:
          current (DatabaseState): current state.
          main (DatabaseState): state of the main file alone or None if there is no
              write-ahead log.
          table_names (list[str]): names of the tables that are read.
          temporary_directory (str): path of the directory for temporary files or None
              for that of the system.
          warn (callable): function that takes the message of a warning.
        """
        super().__init__()
        self._current = current
        self._main = main
        self._main_set = None
        self._sets = None
        self._table_names = table_names
        self._temporary_directory = temporary_directory
        self._warn = warn
        self._warnings = set()
        self.number_of_holders = None
        self.number_of_rows = {}

    def __enter__(self):
        """Enters a with statement.

        Returns:
          AllRows: the rows.
        """
        return self

    def __exit__(self, exception_type, value, traceback):
        """Exits a with statement."""
        if self._sets:
            self._sets.Close()

    def _ProduceWarning(self, message):
        """Produces a warning, once.

        Args:
          message (str): message of the warning.
        """
        if message not in self._warnings:
            self._warnings.add(message)
            self._warn(message)

    def GetNumberOfUniqueRows(self, table_name):
        """Determines how many rows no database before this one holds.

        Args:
          table_name (str): name of the table.

        Returns:
          int: number of rows or None if that is not known.
        """
        if self.number_of_holders is None:
            return None
        return self.number_of_rows.get(table_name, 0)

    def HasReplaced(self, table_name, column, value):
        """Determines if one of the rows that the write-ahead log replaced has a value.

        Args:
          table_name (str): name of the table.
          column (str): name of the column.
          value (object): value.

        Returns:
          bool: True if there is such a row.
        """
        return self._sets.HasRow(self._main_set, table_name, column, value)

    def ReadCurrent(self, table_name, columns):
        """Reads the rows of the current state.

        Args:
          table_name (str): name of the table.
          columns (list[str]): names of the columns.

        Yields:
          tuple[int, tuple[object, ...], callable]: row identifier, values of the
              columns, and function that returns no other version.
        """
        self.number_of_rows[table_name] = 0
        for row_identifier, row in self._current.reader.ReadRows(
            table_name, columns, self._ProduceWarning
        ):
            self.number_of_rows[table_name] += 1
            yield row_identifier, row, tuple

    def ReadReplaced(self, table_name, columns):
        """Reads the rows that the write-ahead log replaced.

        Args:
          table_name (str): name of the table.
          columns (list[str]): names of the columns.

        Yields:
          tuple[int, tuple[object, ...], callable]: row identifier, values of the
              columns, and function that returns the values of the current version.

        Raises:
          OSError: if a temporary file cannot be written.
          sqlite3.DatabaseError: if the rows cannot be compared.
        """
        if not self._sets:
            self._sets = RowSets(self._temporary_directory)
            self._main_set = self._sets.Add(
                self._main, self._table_names, [self._current]
            )
            for message in self._main.warnings:
                self._ProduceWarning(message)

        for row_identifier, row in self._sets.Read(self._main_set, table_name, columns):

            def ReadVersions(row_identifier=row_identifier):
                """Reads the current version of the row.

                Args:
                  row_identifier (int): row identifier.

                Returns:
                  iterator[tuple[object, ...]]: values of the columns.
                """
                return self._sets.ReadVersions(
                    self._main_set, table_name, columns, row_identifier, [self._current]
                )

            yield row_identifier, row, ReadVersions

"""Rows that are too many for memory, in a temporary database."""

import sqlite3

_BATCH_SIZE = 4096


class TemporaryDatabase:
    """Temporary database that SQLite keeps on disk, and removes.

    Most rows go into one table, many at once.
    """

    def __init__(self, schema, insert):
        """Initializes a temporary database.

        Args:
          schema (str): SQL statements that create the tables.
          insert (str): SQL statement that adds a row to the table of most rows.
        """
        super().__init__()
        # A database without a name is temporary.
        self._connection = sqlite3.connect("")
        self._connection.executescript(schema)
        self._insert = insert
        self._rows = []

    def Close(self):
        """Closes the database."""
        self._connection.close()

    def Execute(self, query, parameters=()):
        """Executes an SQL statement, after the rows that were added.

        Args:
          query (str): SQL statement.
          parameters (Optional[tuple[object]]): its parameters.

        Returns:
          sqlite3.Cursor: cursor of the results.
        """
        self._Flush()
        return self._connection.execute(query, parameters)

    def Insert(self, row):
        """Adds a row to the table of most rows.

        Args:
          row (tuple[object]): values.
        """
        self._rows.append(row)
        if len(self._rows) >= _BATCH_SIZE:
            self._Flush()

    def _Flush(self):
        """Writes the rows that wait."""
        if self._rows:
            self._connection.executemany(self._insert, self._rows)
            self._rows = []

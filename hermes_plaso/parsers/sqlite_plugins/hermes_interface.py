"""Shared functionality of the SQLite parser plugins of Hermes Agent databases."""

import abc
import contextlib
import os
import sqlite3

from dfvfs.lib import errors as dfvfs_errors
from dfvfs.path import factory as path_spec_factory

from plaso.parsers.sqlite_plugins import interface

from hermes_plaso.formats import records
from hermes_plaso.parsers import event_producer
from hermes_plaso.parsers import paths
from hermes_plaso.parsers import sqlite_reader

_WAL_SUFFIX = "-wal"

# Value of "recovery_source" of a row version that only the main file holds.
_RECOVERY_SOURCE_MAIN = "main_before_wal"


class HermesSQLitePlugin(interface.SQLitePlugin):
    """SQLite parser plugin of a Hermes Agent database.

    Plaso parses a database that has a write-ahead log twice, without and with the log.
    Both states are read in the first pass, so that the current state comes once and
    what the log replaced comes once, marked as recovered.
    """

    # True if a row version that tells nothing else than the current one is left out.
    _SKIPS_EQUAL_VERSIONS = False

    def __init__(self):
        """Initializes a SQLite parser plugin."""
        super().__init__()
        # Location of the write-ahead log of the database that the first pass has read.
        self._parsed_log = None

    @abc.abstractmethod
    def _CreateDecoder(self, reader):
        """Creates a decoder of the rows of a database.

        Args:
          reader (SQLiteReader): reader of the database.

        Returns:
          object: decoder, with the methods GetTables and Decode.
        """

    def _CreateEarlierDecoder(self, decoder, earlier):
        """Creates a decoder of the rows that a write-ahead log replaced.

        Args:
          decoder (object): decoder of the database with its log.
          earlier (SQLiteReader): reader of the database without its log.

        Returns:
          object: decoder.
        """
        return self._CreateDecoder(earlier)

    def _GetCarried(self, decoder, reader, table_name):
        """Retrieves which rows of a table compaction carried over.

        Args:
          decoder (object): decoder of the database.
          reader (SQLiteReader): reader of the database.
          table_name (str): name of the table.

        Returns:
          OrderedIdentifiers: row identifiers.
        """
        return OrderedIdentifiers()

    @abc.abstractmethod
    def _Locate(self, evidence_path):
        """Determines what the path of a database says about it.

        Args:
          evidence_path (str): path of the database.

        Returns:
          Location: location.
        """

    def _ProduceSummary(self, producer, location, number_of_rows):
        """Produces the event data about a database as a whole.

        Args:
          producer (HermesEventProducer): event producer.
          location (Location): location of the database.
          number_of_rows (dict[str, int]): number of rows of the current state per
              table.
        """

    def _Decode(self, decoder, table_name, columns, row_identifier, row, carried):
        """Decodes a row, whatever it holds.

        Args:
          decoder (object): decoder of the database.
          table_name (str): name of the table.
          columns (list[str]): names of the columns.
          row_identifier (int): row identifier.
          row (tuple[object, ...]): values of the columns.
          carried (bool): True if the row is a message that compaction carried over.

        Returns:
          list[Record]: records of the row.
        """
        values = dict(zip(columns, row))
        try:
            return decoder.Decode(table_name, values, row_identifier, carried=carried)
        except Exception as exception:  # pylint: disable=broad-except
            return [
                records.Unparsed(
                    f"{table_name:s}: {exception!s}", repr(values), row_identifier
                )
            ]

    def _GetDatabasePath(self, database):
        """Determines the path of the temporary copy that Plaso made of the database.

        Args:
          database (SQLiteDatabase): database.

        Returns:
          str: path.

        Raises:
          ValueError: if the path is not known.
        """
        for _, name, path in database.Query("PRAGMA database_list"):
            if name == "main" and path:
                return path
        raise ValueError("Missing path of the copy of the database.")

    def _GetLogIdentifier(self, file_entry, suffix=""):
        """Determines what tells a write-ahead log from every other one.

        Args:
          file_entry (dfvfs.FileEntry): file entry of the log, or of the database.
          suffix (Optional[str]): what to add to the location of the file entry.

        Returns:
          tuple[str, str]: comparable of the parent path specification and location of
              the log.
        """
        path_spec = file_entry.path_spec
        parent = getattr(path_spec.parent, "comparable", None)
        return parent, f"{getattr(path_spec, 'location', None)!s}{suffix:s}"

    def _GetWALFileEntry(self, file_entry):
        """Retrieves the file entry of the write-ahead log of a database.

        Args:
          file_entry (dfvfs.FileEntry): file entry of the database.

        Returns:
          dfvfs.FileEntry: file entry of the log or None if there is none, or an empty
              one.
        """
        path_spec = file_entry.path_spec
        location = getattr(path_spec, "location", None)
        if not location:
            return None

        file_system = file_entry.GetFileSystem()
        try:
            wal_path_spec = path_spec_factory.Factory.NewPathSpec(
                file_system.type_indicator,
                parent=path_spec.parent,
                location=f"{location:s}{_WAL_SUFFIX:s}",
            )
            wal_file_entry = file_system.GetFileEntryByPathSpec(wal_path_spec)
            if wal_file_entry and wal_file_entry.IsFile() and wal_file_entry.size:
                return wal_file_entry
        except (OSError, dfvfs_errors.Error):
            pass
        return None

    def _HasLog(self, database_path):
        """Determines if a copy of a database has a write-ahead log beside it.

        SQLite creates an empty one where a database that is in WAL mode has none.

        Args:
          database_path (str): path of the copy.

        Returns:
          bool: True if there is a log.
        """
        try:
            return os.path.getsize(f"{database_path:s}{_WAL_SUFFIX:s}") > 0
        except OSError:
            return False

    def _ParseCurrentRows(self, parser_mediator, reader, decoder, producer):
        """Parses the rows of the current state of a database.

        Args:
          parser_mediator (ParserMediator): mediates interactions between parsers and
              other components, such as storage and dfVFS.
          reader (SQLiteReader): reader of the database.
          decoder (object): decoder of the database.
          producer (HermesEventProducer): event producer.

        Returns:
          dict[str, int]: number of rows that were read per table.
        """
        number_of_rows = {}
        for table_name, columns in decoder.GetTables():
            carried = self._GetCarried(decoder, reader, table_name)

            number_of_rows[table_name] = 0
            for row_identifier, row in reader.ReadRows(
                table_name, columns, producer.ProduceWarning
            ):
                if parser_mediator.abort:
                    return number_of_rows

                number_of_rows[table_name] += 1
                for record in self._Decode(
                    decoder,
                    table_name,
                    columns,
                    row_identifier,
                    row,
                    carried.Contains(row_identifier),
                ):
                    producer.Produce(record)
        return number_of_rows

    def _ParseReplacedRows(self, parser_mediator, reader, decoder, earlier, producer):
        """Parses the row versions that the write-ahead log replaced.

        Args:
          parser_mediator (ParserMediator): mediates interactions between parsers and
              other components, such as storage and dfVFS.
          reader (SQLiteReader): reader of the database with its log.
          decoder (object): decoder of the database with its log.
          earlier (SQLiteReader): reader of the database without its log.
          producer (HermesEventProducer): event producer.
        """
        earlier_decoder = self._CreateEarlierDecoder(decoder, earlier)
        for table_name, earlier_columns in earlier_decoder.GetTables():
            current_columns = set(reader.columns_per_table.get(table_name, ()))
            columns = [name for name in earlier_columns if name in current_columns]
            if not columns:
                continue

            carried = self._GetCarried(earlier_decoder, earlier, table_name)

            for row_identifier, row, current_row in reader.ReadChangedRows(
                table_name,
                columns,
                earlier.columns_per_table[table_name],
                producer.ProduceWarning,
            ):
                if parser_mediator.abort:
                    return

                row_records = self._Decode(
                    earlier_decoder,
                    table_name,
                    columns,
                    row_identifier,
                    row,
                    carried.Contains(row_identifier),
                )
                current_records = []
                if current_row:
                    current_records = self._Decode(
                        decoder, table_name, columns, row_identifier, current_row, False
                    )
                if self._SKIPS_EQUAL_VERSIONS and row_records == current_records:
                    continue
                # What follows from a row, such as its model, comes with the current
                # version where both versions say the same.
                for index, record in enumerate(row_records):
                    if not index or record not in current_records:
                        producer.Produce(record, recovery_source=_RECOVERY_SOURCE_MAIN)

    def _ParseStates(self, parser_mediator, database_path, wal_file_entry, producer):
        """Parses a database and its write-ahead log.

        Args:
          parser_mediator (ParserMediator): mediates interactions between parsers and
              other components, such as storage and dfVFS.
          database_path (str): path of a copy of the database.
          wal_file_entry (dfvfs.FileEntry): file entry of the write-ahead log or None.
          producer (HermesEventProducer): event producer.

        Returns:
          dict[str, int]: number of rows of the current state per table.

        Raises:
          sqlite3.DatabaseError: if the database cannot be read.
        """
        if wal_file_entry:
            with contextlib.ExitStack() as stack:
                try:
                    path = stack.enter_context(
                        sqlite_reader.MergedCopy(
                            database_path,
                            wal_file_entry.GetFileObject(),
                            parser_mediator.temporary_directory,
                        )
                    )
                    reader = stack.enter_context(sqlite_reader.SQLiteReader())
                    reader.Open(path, read_wal=True)
                    decoder = self._CreateDecoder(reader)
                    earlier = stack.enter_context(sqlite_reader.SQLiteReader())
                    earlier.Open(database_path)
                    reader.AttachEarlier(database_path)
                except (OSError, dfvfs_errors.Error, sqlite3.Error) as exception:
                    producer.ProduceWarning(
                        f"write-ahead log cannot be read: {exception!s}"
                    )
                else:
                    number_of_rows = self._ParseCurrentRows(
                        parser_mediator, reader, decoder, producer
                    )
                    self._ParseReplacedRows(
                        parser_mediator, reader, decoder, earlier, producer
                    )
                    return number_of_rows

        with sqlite_reader.SQLiteReader() as reader:
            reader.Open(database_path, read_wal=self._HasLog(database_path))
            decoder = self._CreateDecoder(reader)
            return self._ParseCurrentRows(parser_mediator, reader, decoder, producer)

    def ParseDatabase(
        self, parser_mediator, database_path, evidence_path, wal_file_entry=None
    ):
        """Parses a database, of which the content is that of Hermes.

        Args:
          parser_mediator (ParserMediator): mediates interactions between parsers and
              other components, such as storage and dfVFS.
          database_path (str): path of a copy of the database.
          evidence_path (str): path of the database inside the evidence.
          wal_file_entry (Optional[dfvfs.FileEntry]): file entry of the write-ahead
              log or None if there is none, or if it is beside the copy.

        Raises:
          sqlite3.DatabaseError: if the database cannot be read.
        """
        location = self._Locate(evidence_path)
        producer = event_producer.HermesEventProducer(parser_mediator, location)
        number_of_rows = self._ParseStates(
            parser_mediator, database_path, wal_file_entry, producer
        )
        self._ProduceSummary(producer, location, number_of_rows)

    # pylint: disable=arguments-differ
    def Process(self, parser_mediator, cache=None, database=None, **kwargs):
        """Extracts events from a database.

        Args:
          parser_mediator (ParserMediator): mediates interactions between parsers and
              other components, such as storage and dfVFS.
          cache (Optional[SQLiteCache]): cache.
          database (Optional[SQLiteDatabase]): database.

        Raises:
          ValueError: if the cache or database is missing.
        """
        super().Process(parser_mediator, cache=cache, database=database, **kwargs)

        database_path = self._GetDatabasePath(database)
        file_entry = parser_mediator.GetFileEntry()
        evidence_path = paths.GetEvidencePath(file_entry.path_spec)

        # Plaso's second pass follows the first at once, with the file entry of the log.
        parsed_log, self._parsed_log = self._parsed_log, None
        if parsed_log == self._GetLogIdentifier(file_entry):
            return

        wal_file_entry = None
        if not self._HasLog(database_path):
            wal_file_entry = self._GetWALFileEntry(file_entry)
            self._parsed_log = self._GetLogIdentifier(file_entry, suffix=_WAL_SUFFIX)
        elif evidence_path.endswith(_WAL_SUFFIX):
            # The first pass did not come to this plugin: the schema is in the log.
            evidence_path = evidence_path[: -len(_WAL_SUFFIX)]

        try:
            self.ParseDatabase(
                parser_mediator, database_path, evidence_path, wal_file_entry
            )
        except sqlite3.Error:
            # Nothing was read, which the second pass may be able to.
            self._parsed_log = None
            raise


class OrderedIdentifiers:
    """Answers which of ascending row identifiers an ascending query returns."""

    def __init__(self, identifiers=()):
        """Initializes ordered identifiers.

        Args:
          identifiers (Optional[iterator[int]]): identifiers in ascending order.
        """
        super().__init__()
        self._identifiers = iter(identifiers)
        self._next = next(self._identifiers, None)

    def Contains(self, identifier):
        """Determines if an identifier is one of them.

        Args:
          identifier (int): identifier, which must not be less than that of the call
              before.

        Returns:
          bool: True if it is one of them.
        """
        while self._next is not None and self._next < identifier:
            self._next = next(self._identifiers, None)
        return self._next == identifier

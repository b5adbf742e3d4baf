"""Shared functionality of the SQLite parser plugins of Hermes Agent databases."""

import abc
import contextlib
import os
import sqlite3

from plaso.parsers.sqlite_plugins import interface

from hermes_plaso.formats import records
from hermes_plaso.parsers import database_state
from hermes_plaso.parsers import event_producer
from hermes_plaso.parsers import paths
from hermes_plaso.parsers import row_sets
from hermes_plaso.parsers import sqlite_logs
from hermes_plaso.parsers import sqlite_reader

# Value of "recovery_source" of a row version that only the main file holds.
_RECOVERY_SOURCE_MAIN = "main_before_wal"

_NO_MARKS = frozenset()


class HermesSQLitePlugin(interface.SQLitePlugin):
    """SQLite parser plugin of a Hermes Agent database.

    Plaso parses a database that has a write-ahead log twice, without and with the log.
    Both states are read in the first pass, so that the current state comes once and
    what the log replaced comes once, marked as recovered.

    Attributes:
      number_of_databases (int): number of databases that Plaso gave the plugin.
    """

    # Message of the warning about a database of the right name and place that lacks the
    # tables, None where other programs use both.
    _UNKNOWN_WARNING = None

    # True if a row version that tells nothing else than the current one is left out.
    _SKIPS_EQUAL_VERSIONS = False

    def __init__(self):
        """Initializes a SQLite parser plugin."""
        super().__init__()
        # Location of the write-ahead log of the database that the first pass has read.
        self._parsed_log = None
        self.number_of_databases = 0

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

    def _GetMarks(self, decoder, reader, table_name):
        """Retrieves what other rows tell of the rows of a table.

        Args:
          decoder (object): decoder of the database.
          reader (SQLiteReader): reader of the database.
          table_name (str): name of the table.

        Returns:
          dict[str, OrderedIdentifiers]: identifiers of the rows that have a mark, per
              mark of the decoder.
        """
        return {}

    def _GetWarnings(self, decoder):
        """Determines what an analyst must be told about a database as a whole.

        Args:
          decoder (object): decoder of the database.

        Returns:
          list[str]: messages of warnings.
        """
        return []

    def _IsKnown(self, reader):
        """Determines if a database is one that is read.

        Plaso gives a plugin the databases that have all that is required. What others
        are is told by their name and place.

        Args:
          reader (SQLiteReader): reader of the database.

        Returns:
          bool: True if it has one of the tables, with the columns that are required.
        """
        return any(
            columns.issubset(reader.columns_per_table.get(table_name, ()))
            for table_name, columns in self.REQUIRED_STRUCTURE.items()
        )

    def _WarnOfMissing(self, reader, produce_warning):
        """Warns of what is required and missing of a database.

        Args:
          reader (SQLiteReader): reader of the database.
          produce_warning (callable): function that takes the message of a warning.
        """
        for table_name, required_columns in self.REQUIRED_STRUCTURE.items():
            columns = reader.columns_per_table.get(table_name)
            if columns is not None:
                missing_columns = sorted(required_columns.difference(columns))
                if missing_columns:
                    names = ", ".join(missing_columns)
                    produce_warning(f"{table_name:s}: no columns named {names:s}")
            elif reader.damage and reader.damage.has_damaged_schema:
                produce_warning(
                    f"{table_name:s}: rows cannot be read: what defines the table is "
                    f"damaged"
                )
            else:
                produce_warning(f"{table_name:s}: no such table")

    @abc.abstractmethod
    def _Locate(self, evidence_path):
        """Determines what the path of a database says about it.

        Args:
          evidence_path (str): path of the database.

        Returns:
          Location: location.
        """

    def _ProduceSummary(self, producer, location, rows):
        """Produces the event data about a database as a whole.

        Args:
          producer (HermesEventProducer): event producer.
          location (Location): location of the database.
          rows (AllRows|DistinctRows): rows of the database.
        """

    def _Decode(self, decoder, table_name, columns, row_identifier, row, marks):
        """Decodes a row, whatever it holds.

        Args:
          decoder (object): decoder of the database.
          table_name (str): name of the table.
          columns (list[str]): names of the columns.
          row_identifier (int): row identifier.
          row (tuple[object, ...]): values of the columns.
          marks (frozenset[str]): what other rows tell of the row.

        Returns:
          list[Record]: records of the row.
        """
        values = dict(zip(columns, row))
        try:
            return decoder.Decode(table_name, values, row_identifier, marks=marks)
        except MemoryError:
            return [
                records.Unparsed(
                    f"{table_name:s}: too large for memory", None, row_identifier
                )
            ]
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

    def _ParseRows(
        self,
        parser_mediator,
        reader,
        decoder,
        read_rows,
        producer,
        recovery_source=None,
    ):
        """Parses rows of a database.

        Args:
          parser_mediator (ParserMediator): mediates interactions between parsers and
              other components, such as storage and dfVFS.
          reader (SQLiteReader): reader of the database.
          decoder (object): decoder of the database.
          read_rows (callable): function that takes the name of a table and the names of
              its columns, and returns its rows.
          producer (HermesEventProducer): event producer.
          recovery_source (Optional[str]): where rows that are not the current state
              were found.
        """
        for table_name, columns in decoder.GetTables():
            identifiers_per_mark = self._GetMarks(decoder, reader, table_name)
            for row_identifier, row, read_versions in read_rows(table_name, columns):
                if parser_mediator.abort:
                    return

                marks = _NO_MARKS
                if identifiers_per_mark:
                    marks = frozenset(
                        mark
                        for mark, identifiers in identifiers_per_mark.items()
                        if identifiers.Contains(row_identifier)
                    )
                row_records = self._Decode(
                    decoder, table_name, columns, row_identifier, row, marks
                )
                version_records = []
                if len(row_records) > 1 or self._SKIPS_EQUAL_VERSIONS:
                    for version in read_versions():
                        records_of_version = self._Decode(
                            decoder,
                            table_name,
                            columns,
                            row_identifier,
                            version,
                            marks,
                        )
                        if (
                            self._SKIPS_EQUAL_VERSIONS
                            and records_of_version == row_records
                        ):
                            row_records = []
                        version_records.extend(records_of_version)

                # What follows from a row, such as its model, comes with the version
                # before where both versions say the same.
                for index, record in enumerate(row_records):
                    if not index or record not in version_records:
                        producer.Produce(record, recovery_source=recovery_source)

    @contextlib.contextmanager
    def _SelectRows(
        self, parser_mediator, evidence_path, current, main, decoders, producer
    ):
        """Selects the rows of a database that are to be parsed.

        Args:
          parser_mediator (ParserMediator): mediates interactions between parsers and
              other components, such as storage and dfVFS.
          evidence_path (str): path of the database inside the evidence.
          current (DatabaseState): current state of the database.
          main (DatabaseState): state of the main file alone or None if there is no
              write-ahead log.
          decoders (list[object]): decoders of the states.
          producer (HermesEventProducer): event producer.

        Yields:
          AllRows: the rows.
        """
        table_names = {
            table_name: None
            for decoder in decoders
            for table_name, _ in decoder.GetTables()
        }
        with row_sets.AllRows(
            current,
            main,
            list(table_names),
            parser_mediator.temporary_directory,
            producer.ProduceWarning,
        ) as rows:
            yield rows

    def ParseDatabase(self, parser_mediator, database_path, evidence_path, companions):
        """Parses a database.

        Args:
          parser_mediator (ParserMediator): mediates interactions between parsers and
              other components, such as storage and dfVFS.
          database_path (str): path of a copy of the database.
          evidence_path (str): path of the database inside the evidence.
          companions (dict[str, dfvfs.FileEntry]): file entries of the logs of the
              database per suffix of their names, see database_state.

        Returns:
          bool: False if the database is that of another program.

        Raises:
          sqlite3.DatabaseError: if the database cannot be read.
        """
        location = self._Locate(evidence_path)
        producer = event_producer.HermesEventProducer(parser_mediator, location)
        with contextlib.ExitStack() as stack:
            current, main = database_state.OpenStates(
                stack,
                database_path,
                companions,
                self._IsKnown,
                parser_mediator.temporary_directory,
                producer.ProduceWarning,
            )
            if not self._IsKnown(current.reader):
                return False
            damage = current.reader.damage
            if damage and damage.number_of_lost_leaves:
                producer.ProduceWarning(
                    f"rows in {damage.number_of_lost_leaves:d} pages cannot be read: "
                    f"the table they are of is not known"
                )
            self._WarnOfMissing(current.reader, producer.ProduceWarning)
            if damage and damage.has_damaged_free_list:
                producer.ProduceWarning(
                    "list of free pages is damaged: rows that have lost their place "
                    "are not looked for"
                )
            decoders = [self._CreateDecoder(current.reader)]
            for message in self._GetWarnings(decoders[0]):
                producer.ProduceWarning(message)
            if main:
                decoders.append(self._CreateEarlierDecoder(decoders[0], main.reader))
            rows = stack.enter_context(
                self._SelectRows(
                    parser_mediator, evidence_path, current, main, decoders, producer
                )
            )
            self._ParseRows(
                parser_mediator, current.reader, decoders[0], rows.ReadCurrent, producer
            )
            if main:
                try:
                    self._ParseRows(
                        parser_mediator,
                        main.reader,
                        decoders[1],
                        rows.ReadReplaced,
                        producer,
                        recovery_source=_RECOVERY_SOURCE_MAIN,
                    )
                except (OSError, sqlite3.Error) as exception:
                    producer.ProduceWarning(
                        f"rows that the write-ahead log replaced cannot be read: "
                        f"{exception!s}"
                    )
            for query in sorted(
                current.reader.slow_queries
                | (main.reader.slow_queries if main else set())
            ):
                producer.ProduceWarning(
                    f"what rows refer to is not looked up everywhere, since an index "
                    f"is missing: {query:s}"
                )
            self._ProduceSummary(producer, location, rows)
            return True

    def ParseUnopened(self, parser_mediator, file_entry):
        """Parses a database that Plaso's SQLite parser could not open.

        The write-ahead log can hold what the main file lost.

        Args:
          parser_mediator (ParserMediator): mediates interactions between parsers and
              other components, such as storage and dfVFS.
          file_entry (dfvfs.FileEntry): file entry of the database, or of a write-ahead
              log whose database is missing.
        """
        evidence_path = paths.GetEvidencePath(file_entry.path_spec).removesuffix(
            sqlite_logs.LOG_SUFFIX
        )
        producer = event_producer.HermesEventProducer(
            parser_mediator, self._Locate(evidence_path)
        )
        with sqlite_reader.CreateTemporaryDirectory(
            parser_mediator.temporary_directory
        ) as directory:
            path = os.path.join(directory, "database")
            try:
                files = database_state.GetFiles(file_entry, producer.ProduceWarning)
                files.Copy(path)
                is_known = self.ParseDatabase(
                    parser_mediator, path, evidence_path, files.companions
                )
                if not is_known and file_entry.size:
                    # SQLite takes a file of a few bytes for a database of no tables.
                    if not sum(sqlite_reader.ReadSize(path)) or not (
                        sqlite_reader.CanOpen(path)
                    ):
                        raise sqlite3.DatabaseError("no tables can be read")
                    if self._UNKNOWN_WARNING:
                        producer.ProduceWarning(self._UNKNOWN_WARNING)
            except sqlite3.Error:
                producer.ProduceWarning(database_state.NOT_A_DATABASE)
            except Exception as exception:  # pylint: disable=broad-except
                producer.ProduceWarning(f"unable to read file: {exception!s}")

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
        self.number_of_databases += 1

        database_path = self._GetDatabasePath(database)
        file_entry = parser_mediator.GetFileEntry()
        evidence_path = paths.GetEvidencePath(file_entry.path_spec)

        # Plaso's second pass follows the first at once, with the file entry of the log.
        parsed_log, self._parsed_log = self._parsed_log, None
        if parsed_log == self._GetLogIdentifier(file_entry):
            return

        companions = {}
        if not sqlite_logs.HasLog(database_path):
            companions = database_state.GetCompanions(
                file_entry, parser_mediator.ProduceWarning
            )
            self._parsed_log = self._GetLogIdentifier(
                file_entry, suffix=sqlite_logs.LOG_SUFFIX
            )
        elif evidence_path.endswith(sqlite_logs.LOG_SUFFIX):
            # The first pass did not come to this plugin: the schema is in the log.
            evidence_path = evidence_path[: -len(sqlite_logs.LOG_SUFFIX)]

        try:
            if not self.ParseDatabase(
                parser_mediator, database_path, evidence_path, companions
            ):
                # Plaso found the names of the tables, in the schema.
                parser_mediator.ProduceWarning(
                    "unable to read tables, which are virtual ones or damaged"
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

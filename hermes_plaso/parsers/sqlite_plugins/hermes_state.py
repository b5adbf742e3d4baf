"""SQLite parser plugin for Hermes Agent state database files."""

import collections
import contextlib
import functools

from plaso.parsers import sqlite

from hermes_plaso import run_scope
from hermes_plaso.formats import homes
from hermes_plaso.formats import state
from hermes_plaso.parsers import home_copies
from hermes_plaso.parsers.sqlite_plugins import hermes_interface

# Number of homes of which copies are kept at hand: those of the profiles of a home can
# come in turn.
_MAXIMUM_NUMBER_OF_HOMES = 4


class HermesStatePlugin(hermes_interface.HermesSQLitePlugin):
    """SQLite parser plugin for Hermes Agent state database files.

    The state.db database is typically stored in:
    $HOME/.hermes/state.db
    $HOME/.hermes/profiles/<name>/state.db
    %LOCALAPPDATA%\\hermes\\state.db

    Older copies of it are stored in .hermes/state-snapshots/<identifier>/state.db and
    beside it. A database is recognised by its tables, so that a copy of another name is
    read as well.
    """

    NAME = "hermes_state"
    DATA_FORMAT = "Hermes Agent session database (state.db) file"

    REQUIRED_STRUCTURE = state.REQUIRED_STRUCTURE

    _UNKNOWN_WARNING = "no sessions or no messages table"

    def __init__(self):
        """Initializes a SQLite parser plugin."""
        super().__init__()
        self._copies_per_home = collections.OrderedDict()

    def _CreateDecoder(self, reader):
        """Creates a decoder of the rows of a database.

        Args:
          reader (SQLiteReader): reader of the database.

        Returns:
          StateDecoder: decoder.
        """
        return state.StateDecoder(reader.columns_per_table, reader.QueryFirst)

    def _GetMarks(self, decoder, reader, table_name):
        """Retrieves what other rows tell of the rows of a table.

        Args:
          decoder (StateDecoder): decoder of the database.
          reader (SQLiteReader): reader of the database.
          table_name (str): name of the table.

        Returns:
          dict[str, OrderedIdentifiers]: identifiers of the rows that have a mark, per
              mark of the decoder.
        """
        row_identifier = reader.GetRowIdentifierColumn(table_name)
        if table_name != "messages" or not row_identifier:
            return {}
        return {
            mark: hermes_interface.OrderedIdentifiers(reader.QueryRowIdentifiers(query))
            for mark, query in decoder.GetMarkQueries(row_identifier).items()
        }

    def _GetWarnings(self, decoder):
        """Determines what an analyst must be told about a database as a whole.

        Args:
          decoder (StateDecoder): decoder of the database.

        Returns:
          list[str]: messages of warnings.
        """
        version = decoder.schema_version
        if version and version > state.LATEST_SCHEMA_VERSION:
            return [
                f"version {version:d} of the schema is later than the latest that is "
                f"known, {state.LATEST_SCHEMA_VERSION:d}: what it adds is not read"
            ]
        return []

    def _Locate(self, evidence_path):
        """Determines what the path of a database says about it.

        Args:
          evidence_path (str): path of the database.

        Returns:
          Location: location.
        """
        return homes.LocateDatabase(evidence_path)

    def _GetHomeCopies(self, parser_mediator, evidence_path):
        """Retrieves the copies of the home that a copy belongs to.

        Args:
          parser_mediator (ParserMediator): mediates interactions between parsers and
              other components, such as storage and dfVFS.
          evidence_path (str): path of the copy inside the evidence.

        Returns:
          HomeCopies: copies or None if it is not certain that they are read in the same
              run.
        """
        scope = run_scope.Get()
        file_entry = parser_mediator.GetFileEntry()
        holders = home_copies.FindHolders(file_entry, evidence_path, scope)
        if evidence_path not in [holder.evidence_path for holder in holders]:
            return None

        key = (
            getattr(file_entry.path_spec.parent, "comparable", None),
            tuple(holder.evidence_path for holder in holders),
        )
        copies = self._copies_per_home.pop(key, None)
        if not copies:
            copies = home_copies.HomeCopies(
                holders,
                [table.name for table in state.TABLES],
                self._IsKnown,
                scope.temporary_directory or parser_mediator.temporary_directory,
            )
            if len(self._copies_per_home) >= _MAXIMUM_NUMBER_OF_HOMES:
                _, oldest_copies = self._copies_per_home.popitem(last=False)
                oldest_copies.Close()
        self._copies_per_home[key] = copies
        return copies

    def _ProduceSummary(self, producer, location, rows):
        """Produces the event data about a copy as a whole.

        Args:
          producer (HermesEventProducer): event producer.
          location (Location): location of the database.
          rows (AllRows|DistinctRows): rows of the database.
        """
        if location.copy_identifier:
            producer.Produce(
                state.Snapshot(
                    location.copy_identifier,
                    homes.GetCopyTime(location),
                    rows.number_of_rows.get("messages", 0),
                    rows.number_of_rows.get("sessions", 0),
                    number_of_unique_messages=rows.GetNumberOfUniqueRows("messages"),
                    number_of_holders=rows.number_of_holders,
                )
            )

    @contextlib.contextmanager
    def _SelectRows(
        self, parser_mediator, evidence_path, current, main, decoders, producer
    ):
        """Selects the rows of a database that are to be parsed.

        A copy has only those parsed that no other database of the home holds, which
        is asked before it: see home_copies.

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
          AllRows|DistinctRows: the rows.
        """
        with contextlib.ExitStack() as stack:
            is_compared = False
            rows = None
            if (
                self._Locate(evidence_path).copy_identifier
                and run_scope.GetCopies() != run_scope.COPIES_ALL
            ):
                try:
                    copies = self._GetHomeCopies(parser_mediator, evidence_path)
                    if copies:
                        rows = stack.enter_context(
                            copies.Select(evidence_path, current, main)
                        )
                        is_compared = True
                except Exception as exception:  # pylint: disable=broad-except
                    producer.ProduceWarning(
                        f"rows that other copies hold as well cannot be told: "
                        f"{exception!s}"
                    )
            if rows:
                for warning in rows.warnings:
                    producer.ProduceWarning(warning)
                decoders[0].is_session_read = functools.partial(
                    rows.HasCurrent, "sessions", "id"
                )
            else:
                rows = stack.enter_context(
                    super()._SelectRows(
                        parser_mediator,
                        evidence_path,
                        current,
                        main,
                        decoders,
                        producer,
                    )
                )
                if is_compared:
                    rows.number_of_holders = 0
            if main:
                decoders[1].is_session_read = functools.partial(
                    rows.HasReplaced, "sessions", "id"
                )
            yield rows


sqlite.SQLiteParser.RegisterPlugin(HermesStatePlugin)

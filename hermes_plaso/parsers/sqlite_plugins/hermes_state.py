"""SQLite parser plugin for Hermes Agent state database files."""

from plaso.parsers import sqlite

from hermes_plaso.formats import homes
from hermes_plaso.formats import state
from hermes_plaso.parsers.sqlite_plugins import hermes_interface


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

    def _CreateDecoder(self, reader):
        """Creates a decoder of the rows of a database.

        Args:
          reader (SQLiteReader): reader of the database.

        Returns:
          StateDecoder: decoder.
        """
        return state.StateDecoder(reader.columns_per_table, reader.QueryFirst)

    def _GetCarried(self, decoder, reader, table_name):
        """Retrieves which rows of a table compaction carried over.

        Args:
          decoder (StateDecoder): decoder of the database.
          reader (SQLiteReader): reader of the database.
          table_name (str): name of the table.

        Returns:
          OrderedIdentifiers: row identifiers.
        """
        query = decoder.GetCarriedQuery() if table_name == "messages" else None
        if not query:
            return hermes_interface.OrderedIdentifiers()
        return hermes_interface.OrderedIdentifiers(reader.QueryRowIdentifiers(query))

    def _Locate(self, evidence_path):
        """Determines what the path of a database says about it.

        Args:
          evidence_path (str): path of the database.

        Returns:
          Location: location.
        """
        return homes.LocateDatabase(evidence_path)

    def _ProduceSummary(self, producer, location, number_of_rows):
        """Produces the event data about a copy as a whole.

        Args:
          producer (HermesEventProducer): event producer.
          location (Location): location of the database.
          number_of_rows (dict[str, int]): number of rows of the current state per
              table.
        """
        if location.copy_identifier:
            producer.Produce(
                state.Snapshot(
                    location.copy_identifier,
                    homes.GetCopyTime(location),
                    number_of_rows.get("messages", 0),
                    number_of_rows.get("sessions", 0),
                )
            )


sqlite.SQLiteParser.RegisterPlugin(HermesStatePlugin)

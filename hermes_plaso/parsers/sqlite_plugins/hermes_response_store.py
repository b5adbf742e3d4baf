"""SQLite parser plugin for Hermes Agent API server response store files."""

from plaso.parsers import sqlite

from hermes_plaso.formats import homes
from hermes_plaso.formats import response_store
from hermes_plaso.parsers.sqlite_plugins import hermes_interface


class HermesResponseStorePlugin(hermes_interface.HermesSQLitePlugin):
    """SQLite parser plugin for Hermes Agent API server response store files.

    The database is typically stored in:
    $HOME/.hermes/response_store.db
    $HOME/.hermes/profiles/<name>/response_store.db
    %LOCALAPPDATA%\\hermes\\response_store.db

    Copies of it are stored in .hermes/state-snapshots/<identifier>/response_store.db.
    """

    NAME = "hermes_response_store"
    DATA_FORMAT = "Hermes Agent API server response store (response_store.db) file"

    REQUIRED_STRUCTURE = response_store.REQUIRED_STRUCTURE

    _UNKNOWN_WARNING = "no responses table"

    # Hermes changes the time of the last access whenever it reads a response.
    _SKIPS_EQUAL_VERSIONS = True

    def _CreateDecoder(self, reader):
        """Creates a decoder of the rows of a database.

        Args:
          reader (SQLiteReader): reader of the database.

        Returns:
          ResponseStoreDecoder: decoder.
        """
        return response_store.ResponseStoreDecoder(reader.columns_per_table)

    def _CreateEarlierDecoder(self, decoder, earlier):
        """Retrieves the decoder of the rows that a write-ahead log replaced.

        Args:
          decoder (ResponseStoreDecoder): decoder of the database with its log.
          earlier (SQLiteReader): reader of the database without its log.

        Returns:
          ResponseStoreDecoder: the same decoder, which knows the messages of the
              current state.
        """
        return decoder

    def _Locate(self, evidence_path):
        """Determines what the path of a database says about it.

        Args:
          evidence_path (str): path of the database.

        Returns:
          Location: location.
        """
        return homes.LocateStore(evidence_path, homes.STORE_RESPONSE_STORE)


sqlite.SQLiteParser.RegisterPlugin(HermesResponseStorePlugin)

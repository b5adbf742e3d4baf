"""SQLite parser plugin for Hermes Agent RetainDB queue files."""

from plaso.parsers import sqlite

from hermes_plaso.formats import homes
from hermes_plaso.formats import retaindb
from hermes_plaso.parsers.sqlite_plugins import hermes_interface


class HermesRetainDBPlugin(hermes_interface.HermesSQLitePlugin):
    """SQLite parser plugin for Hermes Agent RetainDB queue files.

    The database is typically stored in:
    $HOME/.hermes/retaindb_queue.db
    $HOME/.hermes/profiles/<name>/retaindb_queue.db
    %LOCALAPPDATA%\\hermes\\retaindb_queue.db
    """

    NAME = "hermes_retaindb"
    DATA_FORMAT = "Hermes Agent RetainDB queue (retaindb_queue.db) file"

    REQUIRED_STRUCTURE = retaindb.REQUIRED_STRUCTURE

    def _CreateDecoder(self, reader):
        """Creates a decoder of the rows of a database.

        Args:
          reader (SQLiteReader): reader of the database.

        Returns:
          RetainDBDecoder: decoder.
        """
        return retaindb.RetainDBDecoder(reader.columns_per_table)

    def _Locate(self, evidence_path):
        """Determines what the path of a database says about it.

        Args:
          evidence_path (str): path of the database.

        Returns:
          Location: location.
        """
        return homes.LocateStore(evidence_path, homes.STORE_RETAINDB)


sqlite.SQLiteParser.RegisterPlugin(HermesRetainDBPlugin)

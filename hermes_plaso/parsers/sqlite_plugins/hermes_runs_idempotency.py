"""SQLite parser plugin for Hermes Agent API server runs files."""

from plaso.parsers import sqlite

from hermes_plaso.formats import homes
from hermes_plaso.formats import runs_idempotency
from hermes_plaso.parsers.sqlite_plugins import hermes_interface


class HermesRunsIdempotencyPlugin(hermes_interface.HermesSQLitePlugin):
    """SQLite parser plugin for Hermes Agent API server runs files.

    The database is typically stored in:
    $HOME/.hermes/runs_idempotency.db
    $HOME/.hermes/profiles/<name>/runs_idempotency.db
    %LOCALAPPDATA%\\hermes\\runs_idempotency.db
    """

    NAME = "hermes_runs_idempotency"
    DATA_FORMAT = "Hermes Agent API server runs (runs_idempotency.db) file"

    REQUIRED_STRUCTURE = runs_idempotency.REQUIRED_STRUCTURE

    def _CreateDecoder(self, reader):
        """Creates a decoder of the rows of a database.

        Args:
          reader (SQLiteReader): reader of the database.

        Returns:
          RunsDecoder: decoder.
        """
        return runs_idempotency.RunsDecoder(reader.columns_per_table)

    def _Locate(self, evidence_path):
        """Determines what the path of a database says about it.

        Args:
          evidence_path (str): path of the database.

        Returns:
          Location: location.
        """
        return homes.LocateStore(evidence_path, homes.STORE_RUNS_IDEMPOTENCY)


sqlite.SQLiteParser.RegisterPlugin(HermesRunsIdempotencyPlugin)

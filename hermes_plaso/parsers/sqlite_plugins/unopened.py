"""Databases that Plaso's SQLite parser cannot open, or is not called for.

A file with the signature of SQLite is given to that parser, which warns and stops where
SQLite cannot open it. A file without the signature is given to no plugin of it.
"""

from plaso.containers import events

from hermes_plaso.formats import homes
from hermes_plaso.parsers import database_state
from hermes_plaso.parsers import files_interface
from hermes_plaso.parsers import hermes_files
from hermes_plaso.parsers import sqlite_logs
from hermes_plaso.parsers.sqlite_plugins import hermes_response_store
from hermes_plaso.parsers.sqlite_plugins import hermes_state

_PLUGIN_CLASSES = {
    homes.STORE_RESPONSE_STORE: hermes_response_store.HermesResponseStorePlugin,
    homes.STORE_STATE: hermes_state.HermesStatePlugin,
}


class HermesUnopenedDatabasePlugin(files_interface.HermesFilePlugin):
    """Hermes files parser plugin for databases without the signature of SQLite.

    What a write-ahead log beside the file holds is read, or one that is left of a
    database. Databases of NULs or of no size were seen after a loss of power, and
    directories that hold a retired write-ahead log have one beside it that is only a
    header.
    """

    NAME = "hermes_unopened_database"
    DATA_FORMAT = "Hermes Agent database file without a header"

    STORES = frozenset(_PLUGIN_CLASSES)

    READS_EMPTY_FILES = True

    def __init__(self):
        """Initializes a plugin."""
        super().__init__()
        self._plugins_per_store = {
            store: plugin_class() for store, plugin_class in _PLUGIN_CLASSES.items()
        }

    def _ParseFile(self, parser_mediator, file_entry, location, producer):
        """Parses a file.

        Args:
          parser_mediator (ParserMediator): mediates interactions between parsers and
              other components, such as storage and dfVFS.
          file_entry (dfvfs.FileEntry): file entry.
          location (Location): what the path of the file says about it.
          producer (HermesEventProducer): event producer.
        """
        # A write-ahead log is read with its database, if that is there.
        if file_entry.name.endswith(
            sqlite_logs.LOG_SUFFIX
        ) and not database_state.IsLogAlone(file_entry):
            return
        self._plugins_per_store[location.store].ParseUnopened(
            parser_mediator, file_entry
        )


def _GetPlugin(parser, file_entry):
    """Retrieves the plugin that a database is for, by its name and place.

    Args:
      parser (SQLiteParser): parser.
      file_entry (dfvfs.FileEntry): file entry.

    Returns:
      HermesSQLitePlugin: plugin or None if the database is that of another program or
          the plugin is not in use.
    """
    try:
        location = hermes_files.GetLocator().Locate(file_entry)
    except Exception:  # pylint: disable=broad-except
        return None
    plugin_class = _PLUGIN_CLASSES.get(location.store) if location else None
    if not plugin_class:
        return None
    # pylint: disable=protected-access
    return parser._plugins_per_name.get(plugin_class.NAME)


def ParseFileEntry(original, parser, parser_mediator, file_entry):
    """Parses a file with Plaso's SQLite parser, and what that could not open.

    Args:
      original (callable): method that parses a file.
      parser (SQLiteParser): parser.
      parser_mediator (ParserMediator): mediates interactions between parsers and other
          components, such as storage and dfVFS.
      file_entry (dfvfs.FileEntry): file entry.
    """
    plugin = _GetPlugin(parser, file_entry)
    number_of_databases = plugin.number_of_databases if plugin else 0
    original(parser_mediator, file_entry)
    if not plugin or plugin.number_of_databases != number_of_databases:
        return

    if parser_mediator.GetFileEntry() is not file_entry:
        # Plaso leaves the mediator with the write-ahead log.
        parser_mediator.SetFileEntry(file_entry)
        event_data_stream = events.EventDataStream()
        event_data_stream.path_spec = file_entry.path_spec
        parser_mediator.ProduceEventDataStream(event_data_stream)

    parser_mediator.AppendToParserChain(plugin.NAME)
    try:
        plugin.ParseUnopened(parser_mediator, file_entry)
    finally:
        parser_mediator.PopFromParserChain()


hermes_files.HermesFilesParser.RegisterPlugin(HermesUnopenedDatabasePlugin)

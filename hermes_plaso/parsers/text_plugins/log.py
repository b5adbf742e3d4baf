"""Hermes files parser plugin for log files."""

from hermes_plaso.formats import homes
from hermes_plaso.formats import logs
from hermes_plaso.parsers import files_interface
from hermes_plaso.parsers import hermes_files


class HermesLogPlugin(files_interface.HermesFilePlugin):
    """Hermes files parser plugin for log files.

    The logs are agent.log, errors.log, gateway.log and gui.log in the logs directory of
    a home, and the rotated ones beside them. Other programs write the same format, so
    a log is read in a home only.
    """

    NAME = "hermes_log"
    DATA_FORMAT = "Hermes Agent log file"

    STORES = frozenset([homes.STORE_LOG])

    def _ParseFile(self, parser_mediator, file_entry, location, producer):
        """Parses a file.

        Args:
          parser_mediator (ParserMediator): mediates interactions between parsers and
              other components, such as storage and dfVFS.
          file_entry (dfvfs.FileEntry): file entry.
          location (Location): what the path of the file says about it.
          producer (HermesEventProducer): event producer.
        """
        for record in logs.LogDecoder().Decode(self.ReadLines(file_entry)):
            if parser_mediator.abort:
                return
            producer.Produce(record)


hermes_files.HermesFilesParser.RegisterPlugin(HermesLogPlugin)

"""Hermes files parser plugin for the documents of scheduled runs."""

from hermes_plaso.formats import cron_runs
from hermes_plaso.formats import documents
from hermes_plaso.formats import homes
from hermes_plaso.parsers import files_interface
from hermes_plaso.parsers import hermes_files


class HermesCronRunPlugin(files_interface.HermesFilePlugin):
    """Hermes files parser plugin for the documents of scheduled runs.

    The documents are cron/output/<job>/<YYYY-mm-dd_HH-MM-SS>.md below a home. They
    outlive the session of the run.
    """

    NAME = "hermes_cron_run"
    DATA_FORMAT = "Hermes Agent scheduled run document file"

    STORES = frozenset([homes.STORE_CRON_OUTPUT])

    USES_CONFIGURED_TIME_ZONE = True

    def CheckContent(self, head, location):
        """Determines if a file looks like a store of this kind.

        Args:
          head (bytes): first 64 KiB of the file, never empty.
          location (Location): what the path of the file says about it.

        Returns:
          bool: False if the file is that of another program.
        """
        if location.is_home and "/" in location.name:
            return True
        return cron_runs.IsDocument(head)

    def _ParseFile(self, parser_mediator, file_entry, location, producer):
        """Parses a file.

        Args:
          parser_mediator (ParserMediator): mediates interactions between parsers and
              other components, such as storage and dfVFS.
          file_entry (dfvfs.FileEntry): file entry.
          location (Location): what the path of the file says about it.
          producer (HermesEventProducer): event producer.
        """
        maximum_size = documents.MAXIMUM_DOCUMENT_SIZE
        data = self.ReadDocument(file_entry, maximum_size)
        if data is None:
            producer.ProduceWarning(f"document is larger than {maximum_size:d} bytes")
            return

        name, job_identifier = cron_runs.SplitPath(location.name)
        for record in cron_runs.Decode(data, name, job_identifier):
            producer.Produce(record)


hermes_files.HermesFilesParser.RegisterPlugin(HermesCronRunPlugin)

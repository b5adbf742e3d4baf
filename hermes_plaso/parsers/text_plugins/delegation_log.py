"""Hermes files parser plugin for live transcripts of delegated runs."""

from hermes_plaso.formats import delegation_log
from hermes_plaso.formats import homes
from hermes_plaso.parsers import files_interface
from hermes_plaso.parsers import hermes_files


class HermesDelegationLogPlugin(files_interface.HermesFilePlugin):
    """Hermes files parser plugin for live transcripts of delegated runs.

    The transcripts are cache/delegation/live/<identifier>/task-<number>.log below a
    home. They outlive the deletion of the session.
    """

    NAME = "hermes_delegation_log"
    DATA_FORMAT = "Hermes Agent delegation transcript file"

    STORES = frozenset([homes.STORE_DELEGATION_LOG])

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
        return delegation_log.IsTranscript(head)

    def _ParseFile(self, parser_mediator, file_entry, location, producer):
        """Parses a file.

        Args:
          parser_mediator (ParserMediator): mediates interactions between parsers and
              other components, such as storage and dfVFS.
          file_entry (dfvfs.FileEntry): file entry.
          location (Location): what the path of the file says about it.
          producer (HermesEventProducer): event producer.
        """
        decoder = delegation_log.DelegationLogDecoder(
            *delegation_log.SplitPath(location.name)
        )
        for record in decoder.Decode(self.ReadLines(file_entry)):
            if parser_mediator.abort:
                return
            producer.Produce(record)


hermes_files.HermesFilesParser.RegisterPlugin(HermesDelegationLogPlugin)

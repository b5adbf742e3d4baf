"""Hermes files parser plugin for prompt history files."""

from hermes_plaso.formats import homes
from hermes_plaso.formats import prompt_history
from hermes_plaso.parsers import files_interface
from hermes_plaso.parsers import hermes_files


class HermesPromptHistoryPlugin(files_interface.HermesFilePlugin):
    """Hermes files parser plugin for prompt history files.

    The .hermes_history file is in the home, or in that of a profile. The classic CLI
    and the TUI share it, and nothing that deletes a session touches it.
    """

    NAME = "hermes_prompt_history"
    DATA_FORMAT = "Hermes Agent prompt history (.hermes_history) file"

    STORES = frozenset([homes.STORE_PROMPT_HISTORY])

    def CheckContent(self, head, location):
        """Determines if a file looks like a store of this kind.

        Args:
          head (bytes): first 64 KiB of the file, never empty.
          location (Location): what the path of the file says about it.

        Returns:
          bool: False if the file is that of another program.
        """
        return location.is_home or prompt_history.IsHistory(head)

    def _ParseFile(self, parser_mediator, file_entry, location, producer):
        """Parses a file.

        Args:
          parser_mediator (ParserMediator): mediates interactions between parsers and
              other components, such as storage and dfVFS.
          file_entry (dfvfs.FileEntry): file entry.
          location (Location): what the path of the file says about it.
          producer (HermesEventProducer): event producer.
        """
        decoder = prompt_history.PromptHistoryDecoder()
        for record in decoder.Decode(self.ReadBuffers(file_entry)):
            if parser_mediator.abort:
                return
            producer.Produce(record)


hermes_files.HermesFilesParser.RegisterPlugin(HermesPromptHistoryPlugin)

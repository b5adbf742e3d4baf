"""Interface of the plugins of the Hermes files parser."""

import abc

from plaso.parsers import plugins

from hermes_plaso.parsers import file_reader


class HermesFilePlugin(plugins.BasePlugin):
    """Plugin of the Hermes files parser, for one kind of store.

    The parser asks three questions, the cheapest first: is the file a store of this
    kind by its path (STORES), does it look like one (CheckContent), and what does it
    hold (Process).
    """

    # Kinds of store the plugin reads, see the STORE values of formats.homes.
    STORES = frozenset()

    # True if a file of no size is of interest.
    READS_EMPTY_FILES = False

    # True if Hermes writes the times of the store in the zone of its configuration.
    USES_CONFIGURED_TIME_ZONE = False

    def CheckContent(self, head, location):
        """Determines if a file looks like a store of this kind.

        Args:
          head (bytes): first 64 KiB of the file, only empty if the plugin reads empty
              files.
          location (Location): what the path of the file says about it.

        Returns:
          bool: False if the file is that of another program.
        """
        return True

    def ReadDocument(self, file_entry, maximum_size):
        """Reads a file as a whole.

        Args:
          file_entry (dfvfs.FileEntry): file entry.
          maximum_size (int): number of bytes above which the file is not read.

        Returns:
          bytes: content or None if the file is larger.
        """
        data = file_reader.ReadHead(file_entry.GetFileObject(), maximum_size + 1)
        if len(data) > maximum_size:
            return None
        return data

    def ReadBuffers(self, file_entry):
        """Reads a file in buffers.

        Args:
          file_entry (dfvfs.FileEntry): file entry.

        Yields:
          bytes: buffers, none of which is empty.
        """
        yield from file_reader.ReadBuffers(file_entry.GetFileObject())

    def ReadLines(self, file_entry):
        """Reads the lines of a file, which end with a line feed and nothing else.

        Args:
          file_entry (dfvfs.FileEntry): file entry.

        Yields:
          tuple[int, bytes]: number of the line, counted from 1, and the line without
              its line feed.
        """
        yield from file_reader.ReadLines(file_entry.GetFileObject())

    # pylint: disable=arguments-differ
    def Process(
        self, parser_mediator, file_entry=None, location=None, producer=None, **kwargs
    ):
        """Extracts events from a file.

        Args:
          parser_mediator (ParserMediator): mediates interactions between parsers and
              other components, such as storage and dfVFS.
          file_entry (Optional[dfvfs.FileEntry]): file entry.
          location (Optional[Location]): what the path of the file says about it.
          producer (Optional[HermesEventProducer]): event producer.

        Raises:
          ValueError: if the file entry, location or producer is missing.
        """
        if not file_entry or not location or not producer:
            raise ValueError("Missing file entry, location or producer.")

        super().Process(parser_mediator, **kwargs)
        self._ParseFile(parser_mediator, file_entry, location, producer)

    @abc.abstractmethod
    def _ParseFile(self, parser_mediator, file_entry, location, producer):
        """Parses a file.

        Args:
          parser_mediator (ParserMediator): mediates interactions between parsers and
              other components, such as storage and dfVFS. Its abort attribute is to
              be checked where a file has many records.
          file_entry (dfvfs.FileEntry): file entry.
          location (Location): what the path of the file says about it.
          producer (HermesEventProducer): event producer.
        """

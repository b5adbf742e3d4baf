"""Plugins for the stores of which each line is a JSON document."""

import abc

from hermes_plaso.formats import diverts
from hermes_plaso.formats import documents
from hermes_plaso.formats import homes
from hermes_plaso.formats import trajectories
from hermes_plaso.parsers import files_interface
from hermes_plaso.parsers import hermes_files


class JSONLinesPlugin(files_interface.HermesFilePlugin):
    """Shared functionality of the plugins for JSON lines."""

    @abc.abstractmethod
    def _CreateDecoder(self, location):
        """Creates the decoder of a file.

        Args:
          location (Location): what the path of the file says about it.

        Returns:
          object: decoder with a Decode method.
        """

    @abc.abstractmethod
    def _IsRecord(self, value):
        """Determines if a value is a record of the store, where no place tells.

        Args:
          value (object): value that came from JSON.

        Returns:
          bool: True if it is one.
        """

    @abc.abstractmethod
    def _IsStartOfRecord(self, line):
        """Determines if a line looks like a record, where it cannot be read as JSON.

        Args:
          line (bytes): line, or as much of it as is at hand.

        Returns:
          bool: True if it does.
        """

    def CheckContent(self, head, location):
        """Determines if a file looks like a store of this kind.

        Args:
          head (bytes): first 64 KiB of the file, never empty.
          location (Location): what the path of the file says about it.

        Returns:
          bool: False if the file is that of another program.
        """
        if location.is_home:
            return True
        if not head.strip(b"\x00"):
            # A loss of power left zero bytes: the name is all there is to go by.
            return True
        for line in head.split(b"\n"):
            value, reason = documents.FromBytes(line.strip(b"\x00"))
            # A line can be longer than what is at hand, and it can be damaged.
            if self._IsStartOfRecord(line) if reason else self._IsRecord(value):
                return True
        return False

    def _ParseFile(self, parser_mediator, file_entry, location, producer):
        """Parses a file.

        Args:
          parser_mediator (ParserMediator): mediates interactions between parsers and
              other components, such as storage and dfVFS.
          file_entry (dfvfs.FileEntry): file entry.
          location (Location): what the path of the file says about it.
          producer (HermesEventProducer): event producer.
        """
        decoder = self._CreateDecoder(location)
        for line_number, line in self.ReadLines(file_entry):
            if parser_mediator.abort:
                return
            # A loss of power leaves zero bytes where lines were to be.
            stripped = line.strip(b"\x00")
            number_of_zero_bytes = len(line) - len(stripped)
            if number_of_zero_bytes:
                producer.Produce(
                    documents.UnparsedLine(
                        f"{number_of_zero_bytes:d} zero bytes", b"", line_number
                    )
                )
            if stripped.strip():
                for record in decoder.Decode(stripped, line_number):
                    producer.Produce(record)


class HermesDivertPlugin(JSONLinesPlugin):
    """Plugin for the messages that Hermes could not store in its database.

    They are stored in .hermes/sessions/<session identifier>.jsonl.
    """

    NAME = "hermes_divert"
    DATA_FORMAT = "Hermes Agent diverted messages JSON-L file"

    STORES = frozenset([homes.STORE_DIVERT])

    def _CreateDecoder(self, location):
        """Creates the decoder of a file.

        Args:
          location (Location): what the path of the file says about it.

        Returns:
          DivertDecoder: decoder.
        """
        name = location.file_name
        return diverts.DivertDecoder(diverts.GetSessionIdentifier(name))

    def _IsRecord(self, value):
        """Determines if a value is a record of the store.

        Args:
          value (object): value that came from JSON.

        Returns:
          bool: True if it is one.
        """
        return diverts.IsFlatMessage(value)

    def _IsStartOfRecord(self, line):
        """Determines if a line looks like a record, where it cannot be read as JSON.

        Args:
          line (bytes): line, or as much of it as is at hand.

        Returns:
          bool: True if it does.
        """
        return diverts.IsStartOfMessage(line)


class HermesTrajectoryPlugin(JSONLinesPlugin):
    """Plugin for the runs that Hermes saves with --save-trajectories.

    They are stored in the working directory, in trajectory_samples.jsonl and
    failed_trajectories.jsonl.
    """

    NAME = "hermes_trajectory"
    DATA_FORMAT = "Hermes Agent trajectories JSON-L file"

    STORES = frozenset([homes.STORE_TRAJECTORY])

    def _CreateDecoder(self, location):
        """Creates the decoder of a file.

        Args:
          location (Location): what the path of the file says about it.

        Returns:
          TrajectoryDecoder: decoder.
        """
        name = location.file_name
        return trajectories.TrajectoryDecoder(name, location.home)

    def _IsRecord(self, value):
        """Determines if a value is a record of the store.

        Args:
          value (object): value that came from JSON.

        Returns:
          bool: True if it is one.
        """
        return trajectories.IsRun(value)

    def _IsStartOfRecord(self, line):
        """Determines if a line looks like a record, where it cannot be read as JSON.

        Args:
          line (bytes): line, or as much of it as is at hand.

        Returns:
          bool: True if it does.
        """
        return trajectories.IsStartOfRun(line)


hermes_files.HermesFilesParser.RegisterPlugins(
    [HermesDivertPlugin, HermesTrajectoryPlugin]
)

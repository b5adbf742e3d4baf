"""Parser for the files of a Hermes Agent home that are not SQLite databases."""

import collections
import functools
import weakref

import pytz

from plaso.parsers import interface
from plaso.parsers import manager

from hermes_plaso.formats import config
from hermes_plaso.formats import homes
from hermes_plaso.formats import stores
from hermes_plaso.parsers import event_producer
from hermes_plaso.parsers import file_reader
from hermes_plaso.parsers import paths

_CONTAINER_TIME_ZONE = "UTC"

_STORES_OF_ANY_DIRECTORY = frozenset(
    [homes.STORE_PROMPT_HISTORY, homes.STORE_TRAJECTORY]
)

_HEAD_SIZE = 65536

_SQLITE_SIGNATURE = b"SQLite format 3\x00"

# Number of directories of which is remembered what they say about their files.
_MAXIMUM_REMEMBERED = 64


class HermesFileEntryFilter(interface.BaseFileEntryFilter):
    """File entry filter of files that Hermes names as it does."""

    def Match(self, file_entry):
        """Determines if a file entry matches the filter.

        Args:
          file_entry (dfvfs.FileEntry): a file entry.

        Returns:
          bool: True if the file entry matches the filter.
        """
        # This is asked of every file of the evidence, whatever its name and type.
        try:
            return (
                stores.IsCandidate(file_entry.name)
                and file_entry.IsFile()
                and stores.LocateFile(paths.GetEvidencePath(file_entry.path_spec))
                is not None
            )
        except Exception:  # pylint: disable=broad-except
            return False


class _Cache(collections.OrderedDict):
    """Dictionary that forgets its oldest entries."""

    def __setitem__(self, key, value):
        """Sets a value.

        Args:
          key (object): key.
          value (object): value.
        """
        super().__setitem__(key, value)
        if len(self) > _MAXIMUM_REMEMBERED:
            self.popitem(last=False)


class HermesFilesParser(interface.FileEntryParser):
    """Parser for the files of a Hermes Agent home that are not SQLite databases.

    The files are known by their names and places, see formats.stores, and by their
    content, which is asked of each plugin.
    """

    NAME = "hermes_files"
    DATA_FORMAT = "Hermes Agent file"

    FILTERS = frozenset([HermesFileEntryFilter()])

    _plugin_classes = {}

    def __init__(self):
        """Initializes a parser."""
        super().__init__()
        self._file_entry_reference = None
        self._is_home_per_directory = _Cache()
        self._time_zone_per_directory = _Cache()

    def _GetDirectoryKey(self, file_entry, number_of_levels):
        """Determines what tells a directory that holds a file from every other one.

        Args:
          file_entry (dfvfs.FileEntry): file entry of the file.
          number_of_levels (int): how far up the directory is.

        Returns:
          tuple[str, str, str]: key.
        """
        path_spec = file_entry.path_spec
        segments = file_entry.GetFileSystem().SplitPath(
            getattr(path_spec, "location", None) or ""
        )
        return (
            path_spec.type_indicator,
            getattr(path_spec.parent, "comparable", ""),
            "/".join(segments[:-number_of_levels]),
        )

    def _GetLevels(self, location):
        """Determines how far up the home of a file is.

        Args:
          location (Location): what the path of the file says about it.

        Returns:
          list[int]: number of levels to the home, or to the copy and then to the home
              where the file is in a copy.
        """
        levels = [location.name.count("/") + 1]
        if location.copy_identifier:
            levels.append(levels[0] + 2)
        return levels

    def _IsHome(self, file_entry, location):
        """Determines if a file is in a home that was copied under another name.

        Args:
          file_entry (dfvfs.FileEntry): file entry of the file.
          location (Location): what the path of the file says about it.

        Returns:
          bool: True if what lies beside the file tells so.
        """
        for number_of_levels in self._GetLevels(location):
            key = self._GetDirectoryKey(file_entry, number_of_levels)
            is_home = self._is_home_per_directory.get(key)
            if is_home is None:
                directory = paths.GetFileEntryAbove(file_entry, number_of_levels)
                names = set()
                if directory and directory.IsDirectory():
                    names = {entry.name for entry in directory.sub_file_entries}
                is_home = stores.IsHomeContents(names)
                self._is_home_per_directory[key] = is_home
            if is_home:
                return True
        return False

    def _ReadTimeZone(self, file_entry, number_of_levels):
        """Reads the time zone that Hermes is set to.

        Args:
          file_entry (dfvfs.FileEntry): file entry of a file of the home.
          number_of_levels (int): how far up the home is.

        Returns:
          str: name of the time zone or None if there is no valid one.
        """
        # Nothing of a configuration that cannot be read is told here: it holds
        # credentials, and has a plugin of its own that warns.
        try:
            config_file_entry = paths.GetFileEntryAbove(
                file_entry, number_of_levels, name=config.FILE_NAME
            )
            if not config_file_entry or not config_file_entry.IsFile():
                return None
            time_zone = config.GetTimeZone(
                file_reader.ReadHead(
                    config_file_entry.GetFileObject(), config.MAXIMUM_SIZE + 1
                )
            )
            return pytz.timezone(time_zone.strip()).zone if time_zone else None
        except Exception:  # pylint: disable=broad-except
            return None

    def _GetTimeZone(self, file_entry, location, plugin):
        """Determines the time zone of local times in a file.

        Args:
          file_entry (dfvfs.FileEntry): file entry of the file.
          location (Location): what the path of the file says about it.
          plugin (HermesFilePlugin): plugin that reads the file.

        Returns:
          str: name of the time zone or None if it is that of the host.
        """
        if plugin.USES_CONFIGURED_TIME_ZONE and (
            location.is_home or "/" in location.name
        ):
            for number_of_levels in self._GetLevels(location):
                key = self._GetDirectoryKey(file_entry, number_of_levels)
                if key not in self._time_zone_per_directory:
                    self._time_zone_per_directory[key] = self._ReadTimeZone(
                        file_entry, number_of_levels
                    )
                time_zone = self._time_zone_per_directory[key]
                if time_zone:
                    return time_zone
        return _CONTAINER_TIME_ZONE if location.in_container else None

    def _ParseWithPlugin(self, parser_mediator, file_entry, location, head, plugin):
        """Parses a file with a plugin.

        Args:
          parser_mediator (ParserMediator): mediates interactions between parsers and
              other components, such as storage and dfVFS.
          file_entry (dfvfs.FileEntry): file entry.
          location (Location): what the path of the file says about it.
          head (bytes): first bytes of the file.
          plugin (HermesFilePlugin): plugin.
        """
        producer = event_producer.HermesEventProducer(parser_mediator, location)
        # An exception that is let out stops the parsers after this one.
        try:
            if not plugin.CheckContent(head, location):
                return
            producer = event_producer.HermesEventProducer(
                parser_mediator,
                location,
                time_zone_hint=self._GetTimeZone(file_entry, location, plugin),
            )
            plugin.UpdateChainAndProcess(
                parser_mediator,
                file_entry=file_entry,
                location=location,
                producer=producer,
            )
        except Exception as exception:  # pylint: disable=broad-except
            # What an exception says can quote a file that holds credentials.
            producer.ProduceWarning(
                f"{plugin.NAME:s} unable to read file: {type(exception).__name__:s}"
            )

    def Locate(self, file_entry):
        """Determines which store a file is, if it is one of Hermes.

        Args:
          file_entry (dfvfs.FileEntry): file entry.

        Returns:
          Location: what the path of the file says about it or None if it is the file
              of another program.

        Raises:
          OSError: if what lies beside the file cannot be read.
        """
        location = stores.LocateFile(paths.GetEvidencePath(file_entry.path_spec))
        if not location or location.is_home:
            return location
        if self._IsHome(file_entry, location):
            # Files that can lie in any directory tell by themselves.
            is_home = location.store not in _STORES_OF_ANY_DIRECTORY
            return location._replace(is_home=is_home)
        return None if location.needs_home else location

    def ParseFileEntry(self, parser_mediator, file_entry):
        """Parses a file entry.

        Args:
          parser_mediator (ParserMediator): mediates interactions between parsers and
              other components, such as storage and dfVFS.
          file_entry (dfvfs.FileEntry): a file entry to parse.
        """
        # Plaso comes once per data stream, always with the file entry.
        reference = self._file_entry_reference
        if reference and reference() is file_entry:
            return
        self._file_entry_reference = weakref.ref(file_entry)

        try:
            location = self.Locate(file_entry)
            if not location:
                return
            plugins = [
                plugin
                for plugin in self._plugins_per_name.values()
                if location.store in plugin.STORES
            ]
            if not plugins:
                return
            file_object = file_entry.GetFileObject()
            head = b""
            if file_object:
                head = next(file_reader.ReadBuffers(file_object, _HEAD_SIZE), b"")
        except Exception as exception:  # pylint: disable=broad-except
            parser_mediator.ProduceWarning(
                f"unable to read file: {type(exception).__name__:s}"
            )
            return

        if head.startswith(_SQLITE_SIGNATURE):
            return
        if not head:
            plugins = [plugin for plugin in plugins if plugin.READS_EMPTY_FILES]
        for plugin in plugins:
            if parser_mediator.abort:
                return
            self._ParseWithPlugin(parser_mediator, file_entry, location, head, plugin)


@functools.lru_cache(maxsize=1)
def GetLocator():
    """Retrieves what knows whether a file lies in a home.

    Returns:
      HermesFilesParser: parser.
    """
    return HermesFilesParser()


manager.ParsersManager.RegisterParser(HermesFilesParser)

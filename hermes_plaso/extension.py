"""The only place that touches Plaso's registries.

Each function here adds to one module of Plaso. What is wrapped has had the same
signature for years, arguments are passed on as they come all the same.
"""

import atexit
import functools
import logging
import os
import shutil
import sys
import tempfile
import types

from hermes_plaso import run_scope

_PACKAGE_PATH = os.path.dirname(os.path.abspath(__file__))

# The data of the package, and where a source tree has it.
_DATA_PATHS = (
    os.path.join(_PACKAGE_PATH, "data"),
    os.path.join(_PACKAGE_PATH, "formatters"),
    os.path.join(os.path.dirname(_PACKAGE_PATH), "formatters"),
)

ARTIFACTS_FILE_NAME = os.path.join("artifacts", "hermes.yaml")
FILTER_FILE_NAME = "filter_hermes.yaml"
FORMATTERS_FILE_NAME = "hermes.yaml"
TAGGING_FILE_NAME = "tag_hermes.txt"
_TIMELINER_FILE_NAME = "timeliner.yaml"

ANALYSIS_PLUGINS = ("hermes_pairing", "hermes_sessions")

# Parsers and plugins of the preset "hermes". A preset that holds its own name never
# ends, so no parser is called hermes.
PRESET_NAME = "hermes"
PRESET_PARSERS = (
    "hermes_files",
    "sqlite/hermes_response_store",
    "sqlite/hermes_retaindb",
    "sqlite/hermes_runs_idempotency",
    "sqlite/hermes_state",
)

# Attributes that are a number in one event and not in another one, of ours or of
# Plaso's: text in an index, as Timesketch has the version and the user identifier.
FIELDS_OF_MIXED_TYPES = (
    "hidden",
    "process_identifier",
    "record_identifier",
    "sequence_number",
    "task_number",
    "thread_identifier",
    "user_identifier",
)

# A zone must not be guessed silently.
_TIME_ZONE_NOTICE = (
    "Hermes Agent has local times in logs and histories, which are taken for UTC: name "
    "the time zone of the machine with --timezone.\n"
)

# Larger numbers are none for OpenSearch.
_MAXIMUM_BITS = 63

# Presets that Plaso picks by operating system are extended, and those of which the
# name tells that they are for a system Hermes runs on.
_EXTENDED_PRESET_NAMES = frozenset(
    ["linux", "macos", "win7", "win7_slow", "win_gen", "winxp", "winxp_slow"]
)


def GetDataPath(name):
    """Determines the path of a data file of the package.

    Args:
      name (str): name of the file.

    Returns:
      str: path.

    Raises:
      FileNotFoundError: if the package has no such file.
    """
    for directory in _DATA_PATHS:
        path = os.path.join(directory, name)
        if os.path.isfile(path):
            return path
    raise FileNotFoundError(f"hermes_plaso has no data file: {name:s}")


def _Wrap(owner, name, function):
    """Replaces a method, once.

    Args:
      owner (type): class of the method.
      name (str): name of the method.
      function (callable): function that takes the original method, bound as it is
          called, and its arguments.
    """
    original = owner.__dict__[name]
    is_class_method = isinstance(original, classmethod)
    method = original.__func__ if is_class_method else original
    if getattr(method, "hermes_plaso", False):
        return

    @functools.wraps(method)
    def Wrapper(instance, *args, **kwargs):
        """Calls the function with the original method.

        Args:
          instance (object): instance or class the method is called on.
          args (list[object]): arguments.
          kwargs (dict[str, object]): keyword arguments.

        Returns:
          object: what the function returns.
        """
        return function(functools.partial(method, instance), instance, *args, **kwargs)

    Wrapper.hermes_plaso = True
    setattr(owner, name, classmethod(Wrapper) if is_class_method else Wrapper)


def IsExtended(owner, name):
    """Determines if a method has been replaced.

    Args:
      owner (type): class of the method.
      name (str): name of the method.

    Returns:
      bool: True if it has.
    """
    return getattr(owner.__dict__[name], "hermes_plaso", False)


def _ShowAtEnd(tool, message):
    """Shows a message after the summary of the extraction, and logs it.

    The status view clears the screen of what is written before it.

    Args:
      tool (ExtractionTool): extraction tool.
      message (str): message.
    """
    # pylint: disable=protected-access
    print_summary = tool._status_view.PrintExtractionSummary

    def PrintExtractionSummary(*args, **kwargs):
        """Prints the summary of the extraction and the message.

        Args:
          args (list[object]): arguments.
          kwargs (dict[str, object]): keyword arguments.
        """
        print_summary(*args, **kwargs)
        tool._output_writer.Write(message)

    tool._status_view.PrintExtractionSummary = PrintExtractionSummary
    logging.warning(message.rstrip())


def _ExtendExtractionTool(module):
    """Lets an extraction tool tell its workers what the run reads.

    Args:
      module (module): plaso.cli.extraction_tool.
    """
    # pylint: disable=import-outside-toplevel
    from dfvfs.lib import definitions as dfvfs_definitions

    from plaso.lib import errors

    def CreateConfiguration(original, tool, *args, **kwargs):
        """Creates a processing configuration, before workers are started.

        Args:
          original (callable): original method.
          tool (ExtractionTool): extraction tool.
          args (list[object]): arguments.
          kwargs (dict[str, object]): keyword arguments.

        Returns:
          ProcessingConfiguration: what the original method returns.

        Raises:
          BadConfigOption: if what the user wants of copies is not known.
        """
        configuration = original(*args, **kwargs)
        try:
            run_scope.CheckCopies()
        except ValueError as exception:
            raise errors.BadConfigOption(str(exception)) from exception

        # pylint: disable=protected-access
        is_directory = tool._source_type == dfvfs_definitions.SOURCE_TYPE_DIRECTORY
        is_storage_media = tool._source_type in (
            dfvfs_definitions.SOURCE_TYPE_STORAGE_MEDIA_DEVICE,
            dfvfs_definitions.SOURCE_TYPE_STORAGE_MEDIA_IMAGE,
        )
        try:
            temporary_directory = tempfile.mkdtemp(
                prefix="hermes-", dir=configuration.temporary_directory
            )
        except OSError:
            temporary_directory = None
        else:
            # Workers can be ended without a chance to remove their files.
            atexit.register(shutil.rmtree, temporary_directory, ignore_errors=True)

        parsers = [
            name.strip().lower()
            for name in (configuration.parser_filter_expression or "").split(",")
            if name.strip()
        ]
        # An image tells its time zone.
        if not is_storage_media and not configuration.preferred_time_zone:
            if not parsers or any(PRESET_NAME in name for name in parsers):
                _ShowAtEnd(tool, _TIME_ZONE_NOTICE)

        run_scope.Set(
            run_scope.RunScope(
                parsers=parsers,
                reads_all_files=(is_directory or is_storage_media)
                and not configuration.filter_file
                and not configuration.artifact_filters,
                source_path=tool._source_path if is_directory else None,
                temporary_directory=temporary_directory,
            )
        )
        return configuration

    _Wrap(
        module.ExtractionTool,
        "_CreateExtractionProcessingConfiguration",
        CreateConfiguration,
    )


def _ExtendFormatters(module):
    """Adds our message formatters to those of Plaso's data directory.

    Args:
      module (module): plaso.output.mediator.
    """
    # pylint: disable=import-outside-toplevel
    from hermes_plaso import formatter_helpers  # noqa: F401

    def ReadMessageFormatters(original, mediator, *args, **kwargs):
        """Reads our message formatters after those of a data directory.

        Args:
          original (callable): original method.
          mediator (OutputMediator): output mediator.
          args (list[object]): arguments.
          kwargs (dict[str, object]): keyword arguments.
        """
        original(*args, **kwargs)
        # Custom formatters of the user come last, with an override, and win.
        if not kwargs.get("override_existing"):
            mediator.ReadMessageFormattersFromFile(
                GetDataPath(FORMATTERS_FILE_NAME), override_existing=True
            )

    # A data directory has a directory of formatters or a single file.
    for name in (
        "ReadMessageFormattersFromDirectory",
        "ReadMessageFormattersFromFile",
    ):
        _Wrap(module.OutputMediator, name, ReadMessageFormatters)


def _ExtendOpenSearch(module):
    """Lets OpenSearch, and so Timesketch, take each of our events.

    OpenSearch refuses a document of which a field has another type than the first one
    it saw, and Plaso goes on without the event.

    Args:
      module (module): plaso.output.shared_opensearch.
    """
    # pylint: disable=import-outside-toplevel
    from hermes_plaso import containers

    def GetFieldValues(original, _, *args, **kwargs):
        """Retrieves field values, each of one type.

        Args:
          original (callable): original method.
          args (list[object]): arguments.
          kwargs (dict[str, object]): keyword arguments.

        Returns:
          dict[str, object]: field values per name.
        """
        field_values = original(*args, **kwargs)
        data_type = str(field_values.get("data_type"))
        if data_type.startswith(containers.DATA_TYPE_PREFIX):
            for name in FIELDS_OF_MIXED_TYPES:
                if field_values.get(name) is not None:
                    field_values[name] = str(field_values[name])
            for name, value in field_values.items():
                if isinstance(value, int) and value.bit_length() > _MAXIMUM_BITS:
                    field_values[name] = None
        return field_values

    _Wrap(module.SharedOpenSearchOutputModule, "GetFieldValues", GetFieldValues)


class _CountedReportsReader:
    """Storage reader whose analysis reports have the counts that pinfo expects."""

    def __init__(self, storage_reader):
        """Initializes a storage reader.

        Args:
          storage_reader (StorageReader): storage reader.
        """
        super().__init__()
        self._storage_reader = storage_reader

    def __getattr__(self, name):
        """Retrieves an attribute of the storage reader.

        Args:
          name (str): name of the attribute.

        Returns:
          object: attribute.
        """
        return getattr(self._storage_reader, name)

    def GetAttributeContainers(self, *args, **kwargs):
        """Retrieves attribute containers.

        Args:
          args (list[object]): arguments.
          kwargs (dict[str, object]): keyword arguments.

        Yields:
          AttributeContainer: attribute container.
        """
        for container in self._storage_reader.GetAttributeContainers(*args, **kwargs):
            counter = getattr(container, "analysis_counter", None)
            if counter and all(isinstance(value, int) for value in counter.values()):
                container.analysis_counter = {
                    name: types.SimpleNamespace(number_of_events=value)
                    for name, value in counter.items()
                }
            yield container


def _ExtendPinfo(module):
    """Lets pinfo show all warnings, and the reports beside one that counts.

    It ends with an exception where the warnings are of several paths, and over the
    report of the tagging analysis plugin, and shows nothing of what comes after it.

    Args:
      module (module): plaso.cli.pinfo_tool.
    """
    # pylint: disable=import-outside-toplevel
    from plaso.containers import counts

    def IsFewer(warning_count, other):
        """Determines if a count is lower than another one.

        Args:
          warning_count (WarningCount): count.
          other (WarningCount): other count.

        Returns:
          bool: True if it is.
        """
        return warning_count.number_of_events < other.number_of_events

    # It asks which paths have the most warnings.
    if "__lt__" not in vars(counts.WarningCount):
        counts.WarningCount.__lt__ = IsFewer

    def PrintAnalysisReportsDetails(original, _, storage_reader, *args, **kwargs):
        """Prints the details of the analysis reports.

        Args:
          original (callable): original method.
          storage_reader (StorageReader): storage reader.
          args (list[object]): arguments.
          kwargs (dict[str, object]): keyword arguments.
        """
        original(_CountedReportsReader(storage_reader), *args, **kwargs)

    _Wrap(module.PinfoTool, "_PrintAnalysisReportsDetails", PrintAnalysisReportsDetails)


def _ExtendPresets(module):
    """Adds our preset to those of Plaso's presets file.

    Args:
      module (module): plaso.parsers.presets.
    """

    def ReadFromFile(original, presets_manager, *args, **kwargs):
        """Adds our preset after those of a file.

        Args:
          original (callable): original method.
          presets_manager (ParserPresetsManager): presets manager.
          args (list[object]): arguments.
          kwargs (dict[str, object]): keyword arguments.
        """
        original(*args, **kwargs)

        # pylint: disable=protected-access
        definitions = presets_manager._definitions
        definitions.setdefault(
            PRESET_NAME, module.ParserPreset(PRESET_NAME, list(PRESET_PARSERS))
        )
        for name, preset in definitions.items():
            if name in _EXTENDED_PRESET_NAMES or preset.operating_systems:
                preset.parsers = list(preset.parsers) + [
                    parser for parser in PRESET_PARSERS if parser not in preset.parsers
                ]

    _Wrap(module.ParserPresetsManager, "ReadFromFile", ReadFromFile)


def _ExtendSQLiteParser(module):
    """Lets what Plaso's SQLite parser cannot open be read all the same.

    Args:
      module (module): plaso.parsers.sqlite.
    """

    def ParseFileEntry(original, parser, *args, **kwargs):
        """Parses a file.

        Args:
          original (callable): original method.
          parser (SQLiteParser): parser.
          args (list[object]): arguments.
          kwargs (dict[str, object]): keyword arguments.
        """
        # pylint: disable=import-outside-toplevel
        from hermes_plaso.parsers.sqlite_plugins import unopened

        unopened.ParseFileEntry(original, parser, *args, **kwargs)

    _Wrap(module.SQLiteParser, "ParseFileEntry", ParseFileEntry)


def _ExtendTagging(module):
    """Lets psort find our tagging file by its name alone.

    Args:
      module (module): plaso.cli.helpers.tagging_analysis.
    """

    def ParseOptions(original, _, options, *args, **kwargs):
        """Replaces the name of our tagging file by its path.

        Args:
          original (callable): original method.
          options (argparse.Namespace): parser options.
          args (list[object]): arguments.
          kwargs (dict[str, object]): keyword arguments.

        Returns:
          object: what the original method returns.
        """
        if getattr(options, "tagging_file", None) == TAGGING_FILE_NAME and not (
            os.path.isfile(TAGGING_FILE_NAME)
        ):
            options.tagging_file = GetDataPath(TAGGING_FILE_NAME)
        return original(options, *args, **kwargs)

    _Wrap(module.TaggingAnalysisArgumentsHelper, "ParseOptions", ParseOptions)


def _ExtendSerializers(_):
    """Lets psort read where events of a LUKS volume come from.

    dfVFS registers this type of path specification only where it opens such a volume,
    so that psort ends with a KeyError.

    Args:
      module (module): plaso.storage.serializers.
    """
    # pylint: disable=import-outside-toplevel
    from dfvfs.path import luksde_path_spec  # noqa: F401


def _ExtendTimeliner(module):
    """Adds our attribute mappings to those of Plaso's timeliner file.

    Args:
      module (module): plaso.engine.timeliner.
    """

    def ReadConfigurationFile(original, timeliner, *args, **kwargs):
        """Reads our attribute mappings after those of the file.

        Args:
          original (callable): original method.
          timeliner (EventDataTimeliner): timeliner.
          args (list[object]): arguments.
          kwargs (dict[str, object]): keyword arguments.
        """
        original(*args, **kwargs)

        configuration_file = module.yaml_timeliner_file.YAMLTimelinerConfigurationFile()
        # pylint: disable=protected-access
        for definition in configuration_file.ReadFromFile(
            GetDataPath(_TIMELINER_FILE_NAME)
        ):
            timeliner._attribute_mappings[definition.data_type] = (
                definition.attribute_mappings
            )
            if definition.place_holder_event:
                timeliner._place_holder_event.add(definition.data_type)

    _Wrap(module.EventDataTimeliner, "_ReadConfigurationFile", ReadConfigurationFile)


def _RegisterAnalysisPlugins(_):
    """Registers our analysis plugins.

    Args:
      module (module): plaso.analysis.
    """
    # pylint: disable=import-outside-toplevel
    from hermes_plaso import analysis  # noqa: F401


def _RegisterArguments(_):
    """Registers the arguments of our analysis plugins.

    Args:
      module (module): plaso.cli.helpers.
    """
    # pylint: disable=import-outside-toplevel
    from hermes_plaso.analysis import sessions_arguments  # noqa: F401


def _RegisterParsers(_):
    """Registers our parsers and plugins.

    Args:
      module (module): plaso.parsers.
    """
    # pylint: disable=import-outside-toplevel
    from hermes_plaso import parsers  # noqa: F401


_REGISTER_FUNCTIONS = {
    "plaso.analysis": _RegisterAnalysisPlugins,
    "plaso.cli.extraction_tool": _ExtendExtractionTool,
    "plaso.cli.helpers": _RegisterArguments,
    "plaso.cli.helpers.tagging_analysis": _ExtendTagging,
    "plaso.cli.pinfo_tool": _ExtendPinfo,
    "plaso.engine.timeliner": _ExtendTimeliner,
    "plaso.output.mediator": _ExtendFormatters,
    "plaso.output.shared_opensearch": _ExtendOpenSearch,
    "plaso.parsers": _RegisterParsers,
    "plaso.parsers.presets": _ExtendPresets,
    "plaso.parsers.sqlite": _ExtendSQLiteParser,
    "plaso.storage.serializers": _ExtendSerializers,
}


def Register(name):
    """Adds to a module of Plaso.

    Args:
      name (str): name of the module, which has been imported.
    """
    _REGISTER_FUNCTIONS[name](sys.modules[name])

"""Describes what a process that only runs Plaso sees of Hermes.

Run as a program by "hermes-plaso check", in a new interpreter: nothing here installs
the extension, so what it prints is what the stock tools see.
"""

import argparse
import json
import os

import plaso
from plaso import parsers  # noqa: F401
from plaso.analysis import manager as analysis_manager
from plaso.cli import extraction_tool
from plaso.cli import tools
from plaso.cli.helpers import data_location
from plaso.cli.helpers import tagging_analysis
from plaso.engine import timeliner
from plaso.lib import errors
from plaso.output import mediator
from plaso.parsers import manager as parsers_manager
from plaso.parsers import presets
from plaso.parsers import sqlite

from hermes_plaso import extension


def _CanReadTaggingFile(data_path):
    """Determines if the tagging analysis plugin finds our tagging file by its name.

    Args:
      data_path (str): path of the data files of Plaso.

    Returns:
      bool: True if the file was read.
    """
    options = argparse.Namespace(
        data_location=data_path, tagging_file=extension.TAGGING_FILE_NAME
    )
    analysis_plugin = tagging_analysis.tagging.TaggingAnalysisPlugin()
    try:
        tagging_analysis.TaggingAnalysisArgumentsHelper.ParseOptions(
            options, analysis_plugin
        )
    except errors.BadConfigOption:
        return False
    return True


def Main():
    """Prints what Plaso sees, as a JSON object."""
    tool = tools.CLITool()
    data_location.DataLocationArgumentsHelper.ParseOptions(argparse.Namespace(), tool)
    data_path = tool._data_location  # pylint: disable=protected-access

    elements, _ = parsers_manager.ParsersManager.CheckFilterExpression(None)

    presets_manager = presets.ParserPresetsManager()
    presets_manager.ReadFromFile(os.path.join(data_path, "presets.yaml"))
    preset_definitions = [
        presets_manager.GetPresetByName(name) for name in presets_manager.GetNames()
    ]

    output_mediator = mediator.OutputMediator(None, data_location=data_path)
    output_mediator.ReadMessageFormattersFromDirectory(
        os.path.join(data_path, "formatters")
    )
    event_timeliner = timeliner.EventDataTimeliner(data_location=data_path)

    # pylint: disable=protected-access
    print(
        json.dumps(
            {
                "analysis_plugins": sorted(
                    analysis_manager.AnalysisPluginManager._plugin_classes
                ),
                "databases": {
                    "damaged databases": extension.IsExtended(
                        sqlite.SQLiteParser, "ParseFileEntry"
                    ),
                    "distinct copies": extension.IsExtended(
                        extraction_tool.ExtractionTool,
                        "_CreateExtractionProcessingConfiguration",
                    ),
                },
                "formatters": sorted(output_mediator._message_formatters),
                "parsers": sorted(elements),
                "presets": {
                    preset.name: preset.parsers for preset in preset_definitions
                },
                "presets_by_operating_system": [
                    preset.name
                    for preset in preset_definitions
                    if preset.operating_systems
                ],
                "tagging_file": _CanReadTaggingFile(data_path),
                "timeliner": sorted(event_timeliner._attribute_mappings),
                "version": plaso.__version__,
            }
        )
    )


if __name__ == "__main__":
    Main()

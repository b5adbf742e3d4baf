"""Arguments of the hermes_sessions analysis plugin."""

import os

from plaso.cli.helpers import interface
from plaso.cli.helpers import manager
from plaso.lib import errors

from hermes_plaso.analysis import hermes_sessions


class HermesSessionsAnalysisArgumentsHelper(interface.ArgumentsHelper):
    """Hermes sessions analysis plugin CLI arguments helper."""

    NAME = "hermes_sessions"
    CATEGORY = "analysis"
    DESCRIPTION = "Argument helper for the hermes_sessions analysis plugin."

    @classmethod
    def AddArguments(cls, argument_group):
        """Adds command line arguments to an argument group.

        Args:
          argument_group (argparse._ArgumentGroup|argparse.ArgumentParser): argparse
              group.
        """
        argument_group.add_argument(
            "--hermes-sessions-file",
            "--hermes_sessions_file",
            action="store",
            dest="hermes_sessions_file",
            help=(
                "Path of a JSON file to which the hermes_sessions analysis plugin "
                "writes the sessions, which must not exist."
            ),
            metavar="PATH",
            type=str,
        )

    @classmethod
    def ParseOptions(
        cls, options, analysis_plugin
    ):  # pylint: disable=arguments-renamed
        """Parses and validates options.

        Args:
          options (argparse.Namespace): parser options.
          analysis_plugin (AnalysisPlugin): analysis plugin to configure.

        Raises:
          BadConfigObject: if the analysis plugin is another one.
          BadConfigOption: if the file exists or its directory does not.
        """
        if not isinstance(
            analysis_plugin, hermes_sessions.HermesSessionsAnalysisPlugin
        ):
            raise errors.BadConfigObject(
                "Analysis plugin is not an instance of HermesSessionsAnalysisPlugin"
            )

        path = cls._ParseStringOption(options, "hermes_sessions_file")
        if not path:
            return
        if os.path.lexists(path):
            raise errors.BadConfigOption(f"Sessions file already exists: {path:s}")
        if not os.path.isdir(os.path.dirname(os.path.abspath(path))):
            raise errors.BadConfigOption(f"No directory of sessions file: {path:s}")
        analysis_plugin.SetPath(os.path.abspath(path))


manager.ArgumentHelperManager.RegisterHelper(HermesSessionsAnalysisArgumentsHelper)

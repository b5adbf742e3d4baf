"""The hermes-plaso command."""

import argparse
import importlib
import json
import subprocess
import sys

# Imported first, and at import: worker processes that are spawned import this module
# again and must know the parsers before they are given work.
from hermes_plaso import startup  # noqa: F401

import hermes_plaso
from hermes_plaso import extension

_DATA_FILES = {
    "artifacts": (extension.ARTIFACTS_FILE_NAME, "artifact definitions"),
    "filter": (extension.FILTER_FILE_NAME, "file filter"),
    "formatters": (extension.FORMATTERS_FILE_NAME, "message formatters"),
}

_TOOLS = ("image_export", "log2timeline", "pinfo", "psort", "psteal")

# Versions of Plaso that the extension was tested with, oldest and newest.
_OLDEST_PLASO_VERSION = "20250918"
_TESTED_PLASO_VERSION = "20260720"


def _GetPlasoState():
    """Determines what a new process that only runs Plaso sees.

    Returns:
      tuple[dict[str, object], str]: what it sees, None if it failed, and what it wrote
          to stderr.
    """
    result = subprocess.run(
        [sys.executable, "-m", "hermes_plaso.plaso_state"],
        capture_output=True,
        check=False,
        text=True,
    )
    if result.returncode:
        return None, result.stderr
    return json.loads(result.stdout), result.stderr


def Check():
    """Verifies that the stock Plaso tools know Hermes.

    Returns:
      int: exit code, 0 if nothing is missing.
    """
    # pylint: disable=import-outside-toplevel
    from hermes_plaso import containers

    failures = []

    def Report(what, missing):
        """Reports what of something is seen.

        Args:
          what (str): what was looked for.
          missing (list[str]): what is missing of it.
        """
        if missing:
            failures.append(what)
            print(f"MISSING  {what:s}: {', '.join(missing):s}")
        else:
            print(f"ok       {what:s}")

    print(f"hermes-plaso {hermes_plaso.__version__:s}")
    if startup.IsDisabled():
        print("MISSING  the extension is turned off by HERMES_PLASO_DISABLE")
        return 1

    state, errors = _GetPlasoState()
    if errors:
        print(errors.rstrip(), file=sys.stderr)
    if state is None:
        print("MISSING  Plaso cannot be imported or used by this Python")
        return 1

    version = state["version"]
    missing = []
    if not version.isdigit() or version < _OLDEST_PLASO_VERSION:
        missing.append(f"{version:s} is older than {_OLDEST_PLASO_VERSION:s}")
    Report(f"Plaso version {version:s}", missing)
    if version > _TESTED_PLASO_VERSION:
        print(f"note     tested with Plaso up to {_TESTED_PLASO_VERSION:s}")

    parsers = set(state["parsers"])
    Report(
        "parsers and plugins",
        [
            name
            for name in extension.PRESET_PARSERS
            if name not in parsers
            and not any(element.startswith(f"{name:s}/") for element in parsers)
        ],
    )

    Report(
        "analysis plugins",
        sorted(set(extension.ANALYSIS_PLUGINS).difference(state["analysis_plugins"])),
    )

    data_types = sorted(containers.EVENT_DATA_CLASSES)
    for what, key in (
        ("message formatters", "formatters"),
        ("timeliner entries", "timeliner"),
    ):
        Report(what, sorted(set(data_types).difference(state[key])))

    presets = state["presets"]
    Report(
        "presets",
        [
            name
            for name in [extension.PRESET_NAME] + state["presets_by_operating_system"]
            if not set(extension.PRESET_PARSERS).issubset(presets.get(name, ()))
        ],
    )
    Report(
        "tagging file",
        [] if state["tagging_file"] else [extension.TAGGING_FILE_NAME],
    )

    Report(
        "databases",
        sorted(name for name, is_seen in state["databases"].items() if not is_seen),
    )

    if failures:
        print("The stock Plaso tools do not know all of Hermes.")
        return 1
    print("The stock Plaso tools know Hermes.")
    return 0


def _Merge(paths, output_path):
    """Merges timelines.

    Args:
      paths (list[str]): paths of the inputs.
      output_path (str): path of the output.

    Returns:
      int: exit code.
    """
    # pylint: disable=import-outside-toplevel
    from hermes_plaso.merging import errors
    from hermes_plaso.merging import merge

    try:
        messages = merge.Merge(paths, output_path)
    except errors.MergeError as exception:
        _Print(f"hermes-plaso merge: {exception!s}", sys.stderr)
        return 1
    except errors.MergeInterrupted as exception:
        _Print("hermes-plaso merge: interrupted, nothing was written", sys.stderr)
        # As a shell has it.
        return 128 + exception.signal_number

    for message in messages:
        is_note = message.startswith("note: ")
        _Print(message, sys.stderr if is_note else sys.stdout)
    return 0


def _Print(text, file_object):
    """Prints text that can hold names of files in any encoding.

    Args:
      text (str): text.
      file_object (file): file object.
    """
    encoding = file_object.encoding or "utf-8"
    text = text.encode(encoding, "backslashreplace").decode(encoding)
    print(text, file=file_object)


def _RunTool(name, arguments):
    """Runs a stock Plaso tool with the extension installed.

    Args:
      name (str): name of the tool.
      arguments (list[str]): arguments of the tool.

    Returns:
      int: exit code.
    """
    sys.argv = [name] + arguments
    module = importlib.import_module(f"plaso.scripts.{name:s}")
    result = module.Main()
    # The tools return True for success or an exit code.
    return int(not result) if isinstance(result, bool) else int(result or 0)


def Main(arguments=None):
    """Runs the command.

    Args:
      arguments (Optional[list[str]]): arguments, None for those of the process.

    Returns:
      int: exit code.
    """
    if arguments is None:
        arguments = sys.argv[1:]

    # The arguments of a tool are the tool's own, --help among them.
    if arguments and arguments[0] in _TOOLS:
        return _RunTool(arguments[0], arguments[1:])

    argument_parser = argparse.ArgumentParser(
        prog="hermes-plaso",
        description="Plaso parsers for Hermes Agent evidence.",
    )
    argument_parser.add_argument(
        "--version",
        action="version",
        version=f"hermes-plaso {hermes_plaso.__version__}",
    )
    subparsers = argument_parser.add_subparsers(dest="command", required=True)
    subparsers.add_parser(
        "check", help="verify that the stock Plaso tools know Hermes, exit 1 if not"
    )
    for name, (_, description) in _DATA_FILES.items():
        subparsers.add_parser(name, help=f"print the path of the {description:s}")
    merge_parser = subparsers.add_parser(
        "merge",
        help="merge storage files, or exports of psort, into a new file",
        description=(
            "Merges storage files into a new storage file, or exports that psort made "
            "with -o l2tcsv, dynamic or json_line into a new export. What several "
            "inputs hold is there once, no input is changed."
        ),
    )
    merge_parser.add_argument("existing", metavar="EXISTING", help="existing timeline")
    merge_parser.add_argument(
        "new", metavar="NEW", nargs="+", help="timeline to add to it"
    )
    merge_parser.add_argument(
        "--output", metavar="MERGED", required=True, help="path of the new file"
    )
    for name in _TOOLS:
        subparsers.add_parser(name, help=f"run {name:s} with the extension installed")

    options = argument_parser.parse_args(arguments)
    if options.command in _DATA_FILES:
        file_name, _ = _DATA_FILES[options.command]
        print(extension.GetDataPath(file_name))
        return 0
    if options.command == "merge":
        return _Merge([options.existing, *options.new], options.output)
    return Check()


if __name__ == "__main__":
    sys.exit(Main())

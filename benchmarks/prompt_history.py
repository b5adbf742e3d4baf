"""Measures how fast a prompt history is read, beside a pyparsing text plugin.

Usage: python benchmarks/prompt_history.py [--size MEBIBYTES] [--rounds NUMBER]

Writes a prompt history, reads it with the plugin of hermes_files and with a text plugin
of Plaso's own kind, whose grammar is as simple as the format allows, and prints how
long each took and the ratio. Both read the same file, produce the same number of events
and hand them to a mediator that counts them, so that Plaso's storage is not measured.
"""

import argparse
import os
import sys
import tempfile
import time

import pyparsing

from dfdatetime import time_elements as dfdatetime_time_elements
from dfvfs.lib import definitions as dfvfs_definitions
from dfvfs.path import factory as path_spec_factory
from dfvfs.resolver import resolver as path_spec_resolver

from plaso.containers import events
from plaso.parsers.text_plugins import interface

from hermes_plaso.parsers import hermes_files

_PROMPTS = (
    "how many lines in index.html?",
    "/model anthropic/claude-opus-4.1",
    "Fix the navigation: it covers the heading on small screens.\nKeep the old layout.",
    "why does the second test fail?\n\nTraceback (most recent call last):\n  line 7",
    "Grüße, 日本語 and an emoji \U0001f9ea in a prompt",
)


class _Mediator:
    """Parser mediator that counts.

    Attributes:
      abort (bool): False, so that parsers go on.
      number_of_events (int): number of event data objects.
      number_of_warnings (int): number of warnings.
    """

    def __init__(self, file_entry):
        """Initializes a mediator.

        Args:
          file_entry (dfvfs.FileEntry): file entry.
        """
        super().__init__()
        self._file_entry = file_entry
        self.abort = False
        self.number_of_events = 0
        self.number_of_warnings = 0

    def GetFileEntry(self):
        """Retrieves the file entry.

        Returns:
          dfvfs.FileEntry: file entry.
        """
        return self._file_entry

    def ProduceEventData(self, unused_event_data):
        """Counts event data."""
        self.number_of_events += 1

    def ProduceWarning(self, unused_message):
        """Counts a warning."""
        self.number_of_warnings += 1

    # pylint: disable=missing-function-docstring
    ProduceExtractionWarning = ProduceWarning

    def AppendToParserChain(self, unused_name): ...

    def GetCodePage(self):
        return "utf-8"

    def GetParserChain(self):
        return ""

    def PopFromParserChain(self): ...

    def SampleStartTiming(self, unused_name): ...

    def SampleStopTiming(self, unused_name): ...


class _HistoryEventData(events.EventData):
    """Prompt history event data of the pyparsing plugin."""

    def __init__(self):
        """Initializes event data."""
        super().__init__(data_type="benchmark:prompt_history:entry")
        self.recorded_time = None
        self.text = None


class _PyparsingPlugin(interface.TextPlugin):
    """Text plugin that reads a prompt history as Plaso's own text plugins would."""

    NAME = "benchmark_prompt_history"
    DATA_FORMAT = "Prompt history file"
    ENCODING = "utf-8"

    _INTEGER = pyparsing.Word(pyparsing.nums).set_parse_action(
        lambda tokens: int(tokens[0], 10)
    )

    _DATE_TIME = (
        pyparsing.Suppress("# ")
        + _INTEGER
        + pyparsing.Suppress("-")
        + _INTEGER
        + pyparsing.Suppress("-")
        + _INTEGER
        + _INTEGER
        + pyparsing.Suppress(":")
        + _INTEGER
        + pyparsing.Suppress(":")
        + _INTEGER
        + pyparsing.Suppress(".")
        + pyparsing.Word(pyparsing.nums)
    ).set_results_name("date_time")

    _END_OF_LINE = pyparsing.Suppress(pyparsing.LineEnd())

    _ENTRY = (
        _DATE_TIME
        + _END_OF_LINE
        + pyparsing.OneOrMore(
            pyparsing.Suppress("+") + pyparsing.Regex(r"[^\n]*") + _END_OF_LINE
        ).set_results_name("lines")
        + pyparsing.ZeroOrMore(_END_OF_LINE)
    )

    _LINE_STRUCTURES = [("entry", _ENTRY)]

    VERIFICATION_GRAMMAR = _ENTRY

    def _ParseRecord(self, parser_mediator, key, structure):
        """Parses a pyparsing structure.

        Args:
          parser_mediator (ParserMediator): mediates interactions between parsers and
              other components, such as storage and dfVFS.
          key (str): name of the parsed structure.
          structure (pyparsing.ParseResults): tokens from a parsed log line.
        """
        year, month, day, hours, minutes, seconds, fraction = structure["date_time"]
        date_time = dfdatetime_time_elements.TimeElementsInMicroseconds(
            time_elements_tuple=(
                *(year, month, day, hours, minutes, seconds),
                int(fraction.ljust(6, "0"), 10),
            )
        )
        date_time.is_local_time = len(fraction) != 3

        event_data = _HistoryEventData()
        event_data.recorded_time = date_time
        event_data.text = "\n".join(structure["lines"])
        parser_mediator.ProduceEventData(event_data)

    def CheckRequiredFormat(self, parser_mediator, text_reader):
        """Checks if the log record has the minimal structure required.

        Args:
          parser_mediator (ParserMediator): mediates interactions between parsers and
              other components, such as storage and dfVFS.
          text_reader (EncodedTextReader): text reader.

        Returns:
          bool: True, the file is ours.
        """
        return True


def _WriteHistory(path, size):
    """Writes a prompt history.

    Args:
      path (str): path of the file.
      size (int): number of bytes.

    Returns:
      tuple[int, int]: number of bytes and number of entries.
    """
    written_size = 0
    number = 0
    with open(path, "wb") as file_object:
        while written_size < size:
            days, seconds = divmod(number * 17, 86400)
            hours, seconds = divmod(seconds, 3600)
            minutes, seconds = divmod(seconds, 60)
            months, days = divmod(days, 28)
            years, months = divmod(months, 12)
            fraction = f"{number % 1000:03d}" if number % 2 else f"{number:06d}"[-6:]
            lines = _PROMPTS[number % len(_PROMPTS)].replace("\n", "\n+")
            separator = "\n" if number else ""
            written_size += file_object.write(
                f"{separator:s}# {2026 + years:04d}-{months + 1:02d}-{days + 1:02d} "
                f"{hours:02d}:{minutes:02d}:{seconds:02d}.{fraction:s}\n"
                f"+{lines:s}\n".encode()
            )
            number += 1
    return written_size, number


def _MeasureHermesFiles(file_entry):
    """Reads the file with our parser.

    Args:
      file_entry (dfvfs.FileEntry): file entry.

    Returns:
      tuple[int, float]: number of events and number of seconds.
    """
    mediator = _Mediator(file_entry)
    parser = hermes_files.HermesFilesParser()
    start_time = time.perf_counter()
    parser.Parse(mediator)
    return mediator.number_of_events, time.perf_counter() - start_time


def _MeasurePyparsing(file_entry):
    """Reads the file with the pyparsing text plugin.

    Args:
      file_entry (dfvfs.FileEntry): file entry.

    Returns:
      tuple[int, float]: number of events and number of seconds.
    """
    mediator = _Mediator(file_entry)
    file_object = file_entry.GetFileObject()
    plugin = _PyparsingPlugin()
    start_time = time.perf_counter()
    plugin.Process(mediator, file_object=file_object)
    return mediator.number_of_events, time.perf_counter() - start_time


def Main():
    """Measures.

    Returns:
      int: exit code, 1 if not every entry was read.
    """
    argument_parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    argument_parser.add_argument("--size", type=float, default=50.0)
    argument_parser.add_argument("--rounds", type=int, default=3)
    options = argument_parser.parse_args()

    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, ".hermes", ".hermes_history")
        os.mkdir(os.path.dirname(path))
        size, number_of_entries = _WriteHistory(path, int(options.size * 1048576))
        print(f"file: {size:d} bytes, {number_of_entries:d} entries")

        path_spec = path_spec_factory.Factory.NewPathSpec(
            dfvfs_definitions.TYPE_INDICATOR_OS, location=path
        )
        seconds_per_name = {}
        for name, function, rounds in (
            ("hermes_files", _MeasureHermesFiles, options.rounds),
            ("pyparsing", _MeasurePyparsing, 1),
        ):
            seconds = []
            for _ in range(rounds):
                file_entry = path_spec_resolver.Resolver.OpenFileEntry(path_spec)
                number_of_events, duration = function(file_entry)
                if number_of_events != number_of_entries:
                    print(f"{name:s}: {number_of_events:d} events", file=sys.stderr)
                    return 1
                seconds.append(duration)
            seconds_per_name[name] = min(seconds)
            print(
                f"{name:s}: {min(seconds):.2f} s, "
                f"{size / 1048576 / min(seconds):.2f} MiB/s, "
                f"{number_of_entries / min(seconds):.0f} entries/s"
            )

    ratio = seconds_per_name["pyparsing"] / seconds_per_name["hermes_files"]
    print(f"ratio: {ratio:.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(Main())

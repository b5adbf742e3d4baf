"""Measures the reading of a state database beside what Plaso needs at the least.

Usage: python benchmarks/state.py [--messages NUMBER] [--rounds NUMBER]
           [--sizes NUMBER,NUMBER ...]

Reads the same messages with the plugin hermes_state and with two minimal plugins of the
kind Plaso has, which make one event of each row of messages, with the attributes ours
have or with five of them, one after the other in each round, and prints the ratios of
events per second: in a single process, and with a worker as log2timeline has by itself,
whose events the main process merges. A profile of ours tells which share of the time is
our own code. With --sizes it also prints time and peak memory of log2timeline, and time
of psort, per number of messages.
"""

import argparse
import os
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

import benchmark_lib

_TEXT = (
    "I read the file and found {0:d} lines that mention the header. The test in "
    "tests/test_{0:d}.py fails since the import was moved; run it again after the fix. "
)
_CALL = (
    '[{{"id": "call_{0:d}", "type": "function", "function": {{"name": "terminal", '
    '"arguments": "{{\\"command\\": \\"grep -n header src/file_{0:d}.py\\"}}"}}}}]'
)

# Runs log2timeline with a minimal plugin at hand, and with a profile if asked for.
_PROGRAM = r'''
import collections
import os
import sys
import threading
import time

import hermes_plaso
import plaso

from dfdatetime import posix_time
from plaso.containers import events
from plaso.engine import timeliner
from plaso.parsers import sqlite
from plaso.parsers.sqlite_plugins import interface
from plaso.scripts import log2timeline

from hermes_plaso import containers


class MinimalEventData(events.EventData):
    """Event data of a message."""

    DATA_TYPE = "benchmark:message"

    def __init__(self):
        """Initializes event data."""
        super().__init__(data_type=self.DATA_TYPE)
        self.identifier = None
        self.recorded_time = None
        self.role = None
        self.session = None
        self.text = None


class MinimalPlugin(interface.SQLitePlugin):
    """Plugin that reads messages and nothing else."""

    NAME = "benchmark_messages"
    DATA_FORMAT = "benchmark"
    REQUIRED_STRUCTURE = {"messages": frozenset(["id", "content", "timestamp"])}
    QUERIES = [
        ("SELECT id, session_id, role, content, timestamp FROM messages", "ParseRow")
    ]

    def ParseRow(self, parser_mediator, query, row, **_):
        """Parses a row."""
        query_hash = hash(query)
        event_data = MinimalEventData()
        event_data.identifier = self._GetRowValue(query_hash, row, "id")
        event_data.role = self._GetRowValue(query_hash, row, "role")
        event_data.session = self._GetRowValue(query_hash, row, "session_id")
        event_data.text = self._GetRowValue(query_hash, row, "content")
        event_data.recorded_time = posix_time.PosixTimeInMicroseconds(
            timestamp=int(self._GetRowValue(query_hash, row, "timestamp") * 1000000)
        )
        parser_mediator.ProduceEventData(event_data)


class FullPlugin(interface.SQLitePlugin):
    """Plugin that reads messages alone, and gives them the attributes ours have."""

    NAME = "benchmark_attributes"
    DATA_FORMAT = "benchmark"
    REQUIRED_STRUCTURE = {"messages": frozenset(["id", "content", "timestamp"])}
    QUERIES = [
        (
            "SELECT messages.id AS id, session_id, role, content, tool_calls, "
            "tool_call_id, tool_name, active, timestamp, model, cwd "
            "FROM messages LEFT JOIN sessions ON sessions.id = session_id",
            "ParseRow",
        )
    ]

    def ParseRow(self, parser_mediator, query, row, **_):
        """Parses a row."""
        query_hash = hash(query)
        event_data = containers.HermesMessageEventData()
        event_data.active = self._GetRowValue(query_hash, row, "active")
        event_data.model = self._GetRowValue(query_hash, row, "model")
        event_data.profile = "default"
        event_data.project_path = self._GetRowValue(query_hash, row, "cwd")
        event_data.record_identifier = self._GetRowValue(query_hash, row, "id")
        event_data.role = self._GetRowValue(query_hash, row, "role")
        event_data.session_identifier = self._GetRowValue(query_hash, row, "session_id")
        event_data.store = "state"
        event_data.text = self._GetRowValue(
            query_hash, row, "content"
        ) or self._GetRowValue(query_hash, row, "tool_calls")
        event_data.tier = "primary"
        event_data.tool_call_identifier = self._GetRowValue(
            query_hash, row, "tool_call_id"
        )
        event_data.tool_name = self._GetRowValue(query_hash, row, "tool_name")
        event_data.turn_type = event_data.role
        event_data.recorded_time = posix_time.PosixTimeInMicroseconds(
            timestamp=int(self._GetRowValue(query_hash, row, "timestamp") * 1000000)
        )
        parser_mediator.ProduceEventData(event_data)


sqlite.SQLiteParser.RegisterPlugins([FullPlugin, MinimalPlugin])
original = timeliner.EventDataTimeliner._ReadConfigurationFile


def ReadConfigurationFile(self, *arguments, **keywords):
    """Adds the mapping of the minimal plugin."""
    original(self, *arguments, **keywords)
    self._attribute_mappings["benchmark:message"] = {"recorded_time": "Recorded Time"}


timeliner.EventDataTimeliner._ReadConfigurationFile = ReadConfigurationFile

paths = [os.path.dirname(module.__file__) + os.sep for module in (hermes_plaso, plaso)]
counter = collections.Counter()


def Sample(main_thread):
    """Samples whose code the main thread runs."""
    while True:
        time.sleep(0.002)
        frame = sys._current_frames().get(main_thread)
        while frame:
            path = frame.f_code.co_filename
            owners = [index for index in range(2) if path.startswith(paths[index])]
            if owners:
                counter[owners[0]] += 1
                break
            frame = frame.f_back


if os.environ.get("BENCHMARK_SHARE"):
    thread = threading.Thread(
        target=Sample, args=(threading.get_ident(),), daemon=True
    )
    thread.start()
log2timeline.Main()
if counter:
    print("share", counter[0] / sum(counter.values()))
'''


def _MakeDatabase(path, number_of_messages):
    """Makes a state database, of which every fourth message is a tool call.

    Args:
      path (str): path of the database.
      number_of_messages (int): number of messages.
    """
    connection = benchmark_lib.CreateStateDatabase(path, number_of_messages)
    roles = ("user", "assistant", "tool", "assistant")
    connection.executemany(
        "INSERT INTO messages (session_id, timestamp, role, content, tool_calls, "
        "tool_call_id, tool_name) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            (
                *benchmark_lib.GetPlace(number),
                roles[number % 4],
                (_TEXT.format(number) * 6)[:1024] if number % 4 != 1 else "",
                _CALL.format(number) if number % 4 == 1 else None,
                f"call_{number - 1:d}" if number % 4 == 2 else None,
                "terminal" if number % 4 == 2 else None,
            )
            for number in range(number_of_messages)
        ),
    )
    connection.commit()
    connection.close()


def _Run(source, directory, parsers, environment=None, has_worker=False):
    """Runs log2timeline.

    Args:
      source (str): path of the database.
      directory (str): path of a directory for what it writes.
      parsers (str): parsers to use.
      environment (Optional[dict[str, str]]): additional environment variables.
      has_worker (Optional[bool]): True if a process of its own is to parse.

    Returns:
      tuple[int, float, str]: number of events, seconds of processor time, which other
          load changes less than the time that passes, and what it printed.
    """
    storage_file = os.path.join(directory, "benchmark.plaso")
    benchmark_lib.RemoveFile(storage_file)
    elapsed, output = benchmark_lib.MeasureProcessorTime(
        [
            sys.executable,
            "-c",
            _PROGRAM,
            *benchmark_lib.GetToolArguments(directory),
            *(("--workers", "1") if has_worker else ("--single-process",)),
            "--parsers",
            parsers,
            "--storage-file",
            storage_file,
            source,
        ],
        environment or {},
    )
    connection = sqlite3.connect(storage_file)
    ((number_of_events,),) = connection.execute("SELECT COUNT(*) FROM event")
    connection.close()
    return number_of_events, elapsed, output


def _MeasureRate(directory, number_of_messages, number_of_rounds):
    """Measures events per second, beside a minimal plugin.

    Args:
      directory (str): path of a directory.
      number_of_messages (int): number of messages.
      number_of_rounds (int): number of rounds.
    """
    source = os.path.join(directory, "state.db")
    _MakeDatabase(source, number_of_messages)
    empty = os.path.join(directory, "empty.db")
    _MakeDatabase(empty, 0)

    for has_worker in (False, True):
        rates = {
            "sqlite/hermes_state": [],
            "sqlite/benchmark_attributes": [],
            "sqlite/benchmark_messages": [],
        }
        for _ in range(number_of_rounds):
            _, start_time, _ = _Run(
                empty, directory, "sqlite/hermes_state", has_worker=has_worker
            )
            for parsers, parser_rates in rates.items():
                number_of_events, elapsed, _ = _Run(
                    source, directory, parsers, has_worker=has_worker
                )
                parser_rates.append(number_of_events / (elapsed - start_time))
                print(
                    f"{parsers:28s} {number_of_events:d} events {elapsed:.1f} s, "
                    f"{parser_rates[-1]:.0f} events/s without the start"
                )
        ours, full, minimal = (statistics.median(values) for values in rates.values())
        print(
            f"{'a worker' if has_worker else 'a single process':s}: events per second "
            f"of processor time, beside a plugin that sets as many attributes: "
            f"{ours / full:.2f}, beside one that sets five: {ours / minimal:.2f}"
        )

    _, _, output = _Run(
        source, directory, "sqlite/hermes_state", {"BENCHMARK_SHARE": "1"}
    )
    share = float(output.rsplit("share", maxsplit=1)[1])
    print(f"share of our own code in the time of log2timeline: {100 * share:.1f} %")


def _MeasureSizes(directory, sizes):
    """Measures time and memory per number of messages.

    Args:
      directory (str): path of a directory.
      sizes (list[int]): numbers of messages.
    """
    for size in sizes:
        source = os.path.join(directory, "state.db")
        benchmark_lib.RemoveFile(source)
        _MakeDatabase(source, size)
        # What is measured of children is the largest so far: sizes are to ascend.
        number_of_events, elapsed, _ = _Run(source, directory, "sqlite/hermes_state")
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
        start = time.monotonic()
        subprocess.run(
            [
                benchmark_lib.GetToolPath("psort"),
                *benchmark_lib.GetToolArguments(directory),
                "-o",
                "null",
                os.path.join(directory, "benchmark.plaso"),
            ],
            check=True,
            capture_output=True,
        )
        print(
            f"{size:8d} messages: {number_of_events:d} events, log2timeline "
            f"{elapsed:.1f} s ({1e6 * elapsed / size:.0f} us each), {memory:d} MiB, "
            f"psort {time.monotonic() - start:.1f} s"
        )


def Main():
    """Runs the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--messages", type=int, default=20000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sizes", default="")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        _MeasureRate(directory, options.messages, options.rounds)
        _MeasureSizes(
            directory, [int(size) for size in options.sizes.split(",") if size]
        )


if __name__ == "__main__":
    Main()

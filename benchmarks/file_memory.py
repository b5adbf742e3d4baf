"""Measures the memory that reading large files of a home takes.

Usage: python benchmarks/file_memory.py [--size MEBIBYTES] [--line MEBIBYTES]

Writes a prompt history, a log, a divert and a trajectory file of the size, each of
short records and one record of a long line, has hermes_files read each in a process of
its own, and prints the peak of its resident size, above that of a process that reads a
small file of the same kind. Event data is counted and let go, so that Plaso's storage
is not measured.
"""

import argparse
import json
import multiprocessing
import os
import resource
import sys
import tempfile
import time

from dfvfs.lib import definitions as dfvfs_definitions
from dfvfs.path import factory as path_spec_factory
from dfvfs.resolver import resolver as path_spec_resolver

from plaso.containers import events
from plaso.parsers import manager as parsers_manager
from plaso.parsers import mediator as parsers_mediator
from plaso.storage.fake import writer as fake_writer


class _Mediator(parsers_mediator.ParserMediator):
    """Parser mediator that counts.

    Attributes:
      number_of_events (int): number of event data objects.
    """

    def __init__(self):
        """Initializes a mediator."""
        super().__init__()
        self.number_of_events = 0

    def ProduceEventData(self, event_data):
        """Counts event data.

        Args:
          event_data (EventData): event data.
        """
        self.number_of_events += 1


def _MakeHistory(size):
    """Makes a record of the prompt history.

    Args:
      size (int): number of characters of the text.

    Returns:
      str: record.
    """
    return f"\n# 2026-10-29 09:30:15.123456\n+{'x' * size:s}\n"


def _MakeLog(size):
    """Makes a record of a log.

    Args:
      size (int): number of characters of the text.

    Returns:
      str: record.
    """
    return f"2026-10-29 09:30:15,123 INFO [s1] agent: {'x' * size:s}\n"


def _MakeDivert(size):
    """Makes a record of a divert.

    Args:
      size (int): number of characters of the text.

    Returns:
      str: record.
    """
    message = {"role": "user", "content": "x" * size, "timestamp": 1793266215.5}
    return f"{json.dumps(message):s}\n"


def _MakeTrajectory(size):
    """Makes a record of a trajectory file.

    Args:
      size (int): number of characters of the text.

    Returns:
      str: record.
    """
    run = {
        "conversations": [
            {"from": "human", "value": "x" * size},
            {"from": "gpt", "value": "<think>t</think>done"},
        ],
        "completed": True,
        "model": "m",
        "timestamp": "2026-10-29T09:30:15.123456",
    }
    return f"{json.dumps(run):s}\n"


_STORES = (
    (".hermes/.hermes_history", _MakeHistory),
    (".hermes/logs/agent.log", _MakeLog),
    (".hermes/sessions/20261028_201500_b41c0de7.jsonl", _MakeDivert),
    ("project/trajectory_samples.jsonl", _MakeTrajectory),
)


def _Parse(path, queue):
    """Parses a file and tells how much memory that took.

    Args:
      path (str): path of the file.
      queue (Queue): what takes the number of events and the size in bytes.
    """
    file_entry = path_spec_resolver.Resolver.OpenFileEntry(
        path_spec_factory.Factory.NewPathSpec(
            dfvfs_definitions.TYPE_INDICATOR_OS, location=path
        )
    )
    storage_writer = fake_writer.FakeStorageWriter()
    storage_writer.Open()
    parser_mediator = _Mediator()
    parser_mediator.SetStorageWriter(storage_writer)
    parser_mediator.SetFileEntry(file_entry)
    event_data_stream = events.EventDataStream()
    event_data_stream.path_spec = file_entry.path_spec
    parser_mediator.ProduceEventDataStream(event_data_stream)
    (parser,) = parsers_manager.ParsersManager.GetParserObjects(
        parser_filter_expression="hermes_files"
    ).values()
    parser.Parse(parser_mediator)
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    queue.put((parser_mediator.number_of_events, size))


def _Measure(path):
    """Measures a file in a process of its own.

    Args:
      path (str): path of the file.

    Returns:
      tuple[int, int]: number of events and peak of the resident size in bytes.
    """
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    process = context.Process(target=_Parse, args=(path, queue))
    process.start()
    result = queue.get()
    process.join()
    return result


def _Write(path, function, size, line_size):
    """Writes a file.

    Args:
      path (str): path of the file.
      function (callable): function that makes a record of a size.
      size (int): number of bytes of the file, 0 for a single record.
      line_size (int): number of bytes of the one long line, 0 for none.
    """
    os.makedirs(os.path.dirname(path), exist_ok=True)
    record = function(400)
    block = record * (1 + (1 << 20) // len(record))
    with open(path, "w", encoding="utf-8") as file_object:
        file_object.write(record)
        if line_size:
            file_object.write(function(line_size))
        while file_object.tell() < size:
            file_object.write(block)


def Main():
    """Runs the benchmark.

    Returns:
      int: exit code.
    """
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--size", type=int, default=1024, metavar="MEBIBYTES")
    parser.add_argument("--line", type=int, default=50, metavar="MEBIBYTES")
    options = parser.parse_args()

    for name, function in _STORES:
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, name)
            _Write(path, function, 0, 0)
            _, base_size = _Measure(path)
            _Write(path, function, 0, options.line << 20)
            _, line_size = _Measure(path)
            _Write(path, function, options.size << 20, 0)
            start_time = time.monotonic()
            number_of_events, size = _Measure(path)
            elapsed_time = time.monotonic() - start_time
            print(
                f"{os.path.basename(name):36s} {options.size:5d} MiB: "
                f"+{(size - base_size) / 2**20:.0f} MiB, {number_of_events:d} events "
                f"in {elapsed_time:.0f} s; one line of {options.line:d} MiB: "
                f"+{(line_size - base_size) / 2**20:.0f} MiB",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(Main())

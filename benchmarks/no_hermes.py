"""Measures what hermes-plaso costs a run over evidence without any Hermes data.

Usage: python benchmarks/no_hermes.py [SOURCE] [--rounds NUMBER]

Runs the stock log2timeline over the source, with the extension and with it turned off
by HERMES_PLASO_DISABLE, one after the other in each round, and prints the ratio of the
processor time of all processes. Without a source it makes a tree of small files of many
names, among them SQLite databases and JSON files of other programs.
"""

import argparse
import json
import os
import sqlite3
import statistics
import tempfile

import benchmark_lib

_NAMES = (
    "config.yaml",
    "index.html",
    "main.py",
    "manifest.json",
    "notes.md",
    "sessions.json",
    "syslog",
)

_NUMBER_OF_DIRECTORIES = 400


def _MakeTree(path):
    """Makes a tree of files of other programs.

    Args:
      path (str): path of the tree.
    """
    for number in range(_NUMBER_OF_DIRECTORIES):
        directory = os.path.join(path, f"project{number:d}", "src")
        os.makedirs(directory)
        for name in _NAMES:
            with open(
                os.path.join(directory, name), "w", encoding="utf-8"
            ) as file_object:
                if name.endswith(".json"):
                    json.dump({"name": name, "values": list(range(200))}, file_object)
                else:
                    file_object.write(f"line of {name:s}\n" * 100)
        if number % 10 == 0:
            connection = sqlite3.connect(os.path.join(directory, "state.db"))
            connection.execute("CREATE TABLE settings (name TEXT, value TEXT)")
            connection.executemany(
                "INSERT INTO settings VALUES (?, ?)",
                ((f"n{index:d}", "v" * 100) for index in range(500)),
            )
            connection.commit()
            connection.close()


def _Measure(source, directory, is_disabled):
    """Runs log2timeline.

    Args:
      source (str): path of the source.
      directory (str): path of a directory for what it writes.
      is_disabled (bool): True to turn the extension off.

    Returns:
      float: seconds of processor time.
    """
    storage_file = os.path.join(directory, "benchmark.plaso")
    benchmark_lib.RemoveFile(storage_file)
    elapsed, _ = benchmark_lib.MeasureProcessorTime(
        [
            benchmark_lib.GetToolPath("log2timeline"),
            *benchmark_lib.GetToolArguments(directory),
            "--single-process",
            "--storage-file",
            storage_file,
            source,
        ],
        {"HERMES_PLASO_DISABLE": "1" if is_disabled else "0"},
    )
    return elapsed


def Main():
    """Runs the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("source", nargs="?")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        source = options.source
        if not source:
            source = os.path.join(directory, "source")
            _MakeTree(source)
        ratios = []
        for _ in range(options.rounds):
            without = _Measure(source, directory, True)
            with_extension = _Measure(source, directory, False)
            ratios.append(with_extension / without)
            print(
                f"{with_extension:.1f} s beside {without:.1f} s of processor time: "
                f"{ratios[-1]:.3f}"
            )
        print(f"median of the ratios: {statistics.median(ratios):.3f}")


if __name__ == "__main__":
    Main()

"""Measures what the copies of a home cost, beside its state database alone.

Usage: python benchmarks/copies.py [--messages NUMBER] [--snapshots NUMBER]
           [--difference PERCENT] [--workers NUMBER]

Makes a home with a state database in WAL mode, whose log holds the last changes, and
snapshots that each differ from it by some messages. Runs log2timeline over that home
and over the same database alone, without its log, and prints the ratio of the two of
elapsed time and of peak memory: the largest process, and all processes together.
"""

import argparse
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

import benchmark_lib

_MESSAGE_SIZE = 1024


class _Sampler(threading.Thread):
    """Samples the memory of a process and its descendants, of Linux only.

    Attributes:
      largest_process (int): largest resident size of one process in bytes.
      largest_sum (int): largest sum of the proportional sizes of all processes in
          bytes.
    """

    def __init__(self, process):
        """Initializes a sampler.

        Args:
          process (Popen): process.
        """
        super().__init__(daemon=True)
        self._process = process
        self.largest_process = 0
        self.largest_sum = 0

    def _GetProcessIdentifiers(self):
        """Lists the process and its descendants.

        Returns:
          list[int]: process identifiers.
        """
        children = {}
        for name in os.listdir("/proc"):
            if name.isdigit():
                try:
                    with open(f"/proc/{name:s}/stat", encoding="utf-8") as file_object:
                        fields = file_object.read().rpartition(")")[2].split()
                except OSError:
                    continue
                children.setdefault(int(fields[1]), []).append(int(name))
        identifiers = [self._process.pid]
        for identifier in identifiers:
            identifiers.extend(children.get(identifier, ()))
        return identifiers

    def _GetSizes(self, identifier):
        """Retrieves the sizes of a process.

        Args:
          identifier (int): process identifier.

        Returns:
          tuple[int, int]: resident and proportional size in bytes.
        """
        sizes = {}
        try:
            path = f"/proc/{identifier:d}/smaps_rollup"
            with open(path, encoding="utf-8") as file_object:
                for line in file_object:
                    name, _, value = line.partition(":")
                    if name in ("Pss", "Rss"):
                        sizes[name] = int(value.split()[0]) * 1024
        except OSError:
            pass
        return sizes.get("Rss", 0), sizes.get("Pss", 0)

    def run(self):
        """Samples until the process ends."""
        while self._process.poll() is None:
            sizes = [self._GetSizes(pid) for pid in self._GetProcessIdentifiers()]
            self.largest_process = max(
                self.largest_process, max((rss for rss, _ in sizes), default=0)
            )
            self.largest_sum = max(self.largest_sum, sum(pss for _, pss in sizes))
            time.sleep(0.2)


def _MakeDatabase(path, number_of_messages):
    """Makes a state database.

    Args:
      path (str): path of the database.
      number_of_messages (int): number of messages.
    """
    connection = benchmark_lib.CreateStateDatabase(path, number_of_messages)
    connection.executemany(
        "INSERT INTO messages (session_id, timestamp, role, content) "
        "VALUES (?, ?, ?, ?)",
        (
            (
                *benchmark_lib.GetPlace(number),
                "assistant" if number % 2 else "user",
                f"message {number:d} ".ljust(_MESSAGE_SIZE, "x"),
            )
            for number in range(number_of_messages)
        ),
    )
    connection.commit()
    connection.close()


def _MakeHome(home, database_path, number_of_snapshots, step):
    """Makes a home with a write-ahead log and snapshots.

    Args:
      home (str): path of the home.
      database_path (str): path of its state database.
      number_of_snapshots (int): number of snapshots.
      step (int): every how many messages a snapshot differs.
    """
    os.makedirs(home)
    for number in range(number_of_snapshots):
        directory = os.path.join(
            home, "state-snapshots", f"20260918-{number // 60:02d}{number % 60:02d}00"
        )
        os.makedirs(directory)
        path = os.path.join(directory, "state.db")
        shutil.copyfile(database_path, path)
        connection = sqlite3.connect(path)
        connection.execute(
            "UPDATE messages SET content = content || ? WHERE id % ? = ?",
            (f" of snapshot {number:d}", step, number % step),
        )
        connection.commit()
        connection.close()

    live_path = os.path.join(home, "state.db")
    shutil.copyfile(database_path, live_path)
    connection = sqlite3.connect(live_path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.execute("UPDATE messages SET active = 0 WHERE id % ? = 0", (step * 4,))
    connection.commit()
    # Closed, SQLite would apply the log and remove it.
    log_path = f"{live_path:s}-wal"
    with open(log_path, "rb") as file_object:
        log = file_object.read()
    with open(live_path, "rb") as file_object:
        database = file_object.read()
    connection.close()
    with open(live_path, "wb") as file_object:
        file_object.write(database)
    with open(log_path, "wb") as file_object:
        file_object.write(log)


def _Measure(source, directory, arguments):
    """Runs log2timeline.

    Args:
      source (str): path of the source.
      directory (str): path of a directory for the storage file.
      arguments (list[str]): other arguments of log2timeline.

    Returns:
      tuple[float, int, int, int]: elapsed time in seconds, size of the largest process
          and of all processes together in bytes, and size of the storage file in bytes.
    """
    storage_file = os.path.join(directory, "case.plaso")
    benchmark_lib.RemoveFile(storage_file)
    start_time = time.monotonic()
    with subprocess.Popen(
        [
            benchmark_lib.GetToolPath("log2timeline"),
            *benchmark_lib.GetToolArguments(directory),
            "--parsers",
            "hermes",
            "--storage-file",
            storage_file,
            *arguments,
            source,
        ],
        stdout=subprocess.DEVNULL,
    ) as process:
        sampler = _Sampler(process)
        sampler.start()
        process.wait()
        elapsed_time = time.monotonic() - start_time
        sampler.join()
    return (
        elapsed_time,
        sampler.largest_process,
        sampler.largest_sum,
        os.path.getsize(storage_file),
    )


def Main():
    """Runs the benchmark.

    Returns:
      int: exit code.
    """
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--messages", type=int, default=200000, metavar="NUMBER")
    parser.add_argument("--snapshots", type=int, default=20, metavar="NUMBER")
    parser.add_argument("--difference", type=float, default=1.0, metavar="PERCENT")
    parser.add_argument("--workers", type=int, metavar="NUMBER")
    options = parser.parse_args()
    arguments = []
    if options.workers:
        arguments = ["--workers", str(options.workers)]

    with tempfile.TemporaryDirectory() as directory:
        alone = os.path.join(directory, "alone", "home", "user", ".hermes")
        os.makedirs(alone)
        database_path = os.path.join(alone, "state.db")
        _MakeDatabase(database_path, options.messages)
        home = os.path.join(directory, "all", "home", "user", ".hermes")
        _MakeHome(
            home,
            database_path,
            options.snapshots,
            max(1, round(100 / options.difference)),
        )
        results = []
        for name, source in (
            ("state.db alone", os.path.join(directory, "alone")),
            (
                f"WAL and {options.snapshots:d} snapshots",
                os.path.join(directory, "all"),
            ),
        ):
            result = _Measure(source, directory, arguments)
            results.append(result)
            print(
                f"{name:24s} {result[0]:7.1f} s, largest process "
                f"{result[1] / 2**20:.0f} MiB, all processes "
                f"{result[2] / 2**20:.0f} MiB, storage file "
                f"{result[3] / 2**20:.0f} MiB",
                flush=True,
            )
    first, second = results
    print(
        f"ratio: time {second[0] / first[0]:.2f}, largest process "
        f"{second[1] / first[1]:.2f}, all processes {second[2] / first[2]:.2f}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(Main())

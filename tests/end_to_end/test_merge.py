"""Tests of super-timelines that are merged of storage files and of exports.

What one run over all evidence gives is what a merge of two runs has to give.
"""

import collections
import itertools
import json
import os
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import unittest
from concurrent import futures

from plaso.storage import factory as storage_factory

from tests import test_lib
from tests.end_to_end import tool_lib

_OTHER_PARSERS = (
    "sqlite/chrome_27_history",
    "text/bash_history",
    "text/syslog_traditional",
    "utmp",
)

# Seconds between January 1, 1601 and January 1, 1970.
_CHROME_EPOCH = 11644473600

# October 29, 2026, the day of the bundled Hermes database.
_START_TIME = 1793266200

_CHROME_SCHEMA = """
CREATE TABLE downloads (
    id INTEGER PRIMARY KEY, current_path TEXT, target_path TEXT, start_time INTEGER,
    received_bytes INTEGER, total_bytes INTEGER, state INTEGER, danger_type INTEGER,
    interrupt_reason INTEGER, end_time INTEGER, opened INTEGER);
CREATE TABLE downloads_url_chains (id INTEGER, chain_index INTEGER, url TEXT);
CREATE TABLE urls (
    id INTEGER PRIMARY KEY, url TEXT, title TEXT, visit_count INTEGER,
    typed_count INTEGER, last_visit_time INTEGER, hidden INTEGER);
CREATE TABLE visits (
    id INTEGER PRIMARY KEY, url INTEGER, visit_time INTEGER, from_visit INTEGER,
    transition INTEGER);
"""


def MakeOtherEvidence(path):
    """Makes evidence that is not of Hermes.

    Args:
      path (str): path of the directory.
    """
    log_path = os.path.join(path, "var", "log")
    home_path = os.path.join(path, "home", "casey")
    os.makedirs(log_path)
    os.makedirs(home_path)

    # Lines of a log without years have a helper of their own.
    syslog_path = os.path.join(log_path, "syslog")
    with open(syslog_path, "w", encoding="utf-8") as file_object:
        for index in range(40):
            file_object.write(
                f"Oct 29 09:{index:02d}:{index:02d} workstation "
                f"sshd[{100 + index:d}]: message {index:d} of the log\n"
            )
    os.utime(syslog_path, (_START_TIME, _START_TIME))

    with open(os.path.join(log_path, "wtmp"), "wb") as file_object:
        for index in range(5):
            file_object.write(
                struct.pack(
                    "<iI32sI32s256shhiii16s20s",
                    7,
                    1000 + index,
                    b"pts/0",
                    0,
                    b"casey",
                    b"client",
                    0,
                    0,
                    0,
                    _START_TIME + 60 * index,
                    index,
                    bytes(16),
                    bytes(20),
                )
            )

    history_path = os.path.join(home_path, ".bash_history")
    with open(history_path, "w", encoding="utf-8") as file_object:
        for index in range(20):
            file_object.write(f"#{_START_TIME + 30 * index:d}\necho {index:d}, done\n")

    for name in ("Default", "Profile 1"):
        browser_path = os.path.join(home_path, ".config", "google-chrome", name)
        os.makedirs(browser_path)
        MakeHistory(os.path.join(browser_path, "History"), name == "Default")


def MakeHistory(path, has_sources):
    """Makes the history of a browser.

    Args:
      path (str): path of the history.
      has_sources (bool): True if it has a table without which Plaso warns.
    """
    connection = sqlite3.connect(path)
    connection.executescript(_CHROME_SCHEMA)
    if has_sources:
        connection.execute(
            "CREATE TABLE visit_source (id INTEGER PRIMARY KEY, source INTEGER)"
        )
    for index in range(1, 11):
        time = (_START_TIME + 45 * index + _CHROME_EPOCH) * 1000000
        connection.execute(
            "INSERT INTO urls VALUES (?, ?, ?, 1, 0, ?, 0)",
            (index, f"https://example.org/{index:d}", f'"Page" {index:d}', time),
        )
        connection.execute(
            "INSERT INTO visits VALUES (?, ?, ?, 0, 0)", (index, index, time)
        )
    connection.execute(
        "INSERT INTO downloads VALUES (1, '/a', '/a', ?, 1, 1, 1, 0, 0, ?, 1)",
        (time, time),
    )
    connection.execute(
        "INSERT INTO downloads_url_chains VALUES (1, 0, 'https://example.org/a')"
    )
    connection.commit()
    connection.close()


class MergeTest(tool_lib.ToolTestCase):
    """Tests of super-timelines that are merged."""

    @classmethod
    def setUpClass(cls):
        """Makes storage files of both kinds of evidence, apart and together."""
        super().setUpClass()
        temporary_directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary_directory.cleanup)
        evidence = os.path.join(temporary_directory.name, "evidence")
        MakeOtherEvidence(os.path.join(evidence, "other"))
        home = os.path.join(evidence, "hermes", "home", "casey", ".hermes")
        os.makedirs(home)
        shutil.copyfile(
            os.path.join(test_lib.TEST_DATA_PATH, "state.db"),
            os.path.join(home, "state.db"),
        )

        tools = tool_lib.ToolTestCase()
        tools.temporary_path = temporary_directory.name
        parsers = ",".join(("hermes", *_OTHER_PARSERS))
        # The tools wait more than they work.
        with futures.ThreadPoolExecutor() as executor:
            cls.both, cls.hermes, cls.other = executor.map(
                lambda name: tools.Extract(
                    os.path.join(evidence, name),
                    "--parsers",
                    parsers,
                    "--logfile",
                    os.path.join(tools.temporary_path, f"{name:s}.log.gz"),
                    name=f"{name or 'both':s}.plaso",
                ),
                ("", "hermes", "other"),
            )
        cls.expected = tools.Export(cls.both)

        cls.tagged = os.path.join(temporary_directory.name, "tagged.plaso")
        shutil.copyfile(cls.hermes, cls.tagged)
        cls.expected_tagged = tools.Export(
            cls.tagged, "--analysis", "tagging", "--tagging-file", "tag_hermes.txt"
        )

    def Merge(self, *paths, name="merged.plaso", **kwargs):
        """Runs a merge.

        Args:
          paths (list[str]): paths of the inputs.
          name (Optional[str]): name of the output.

        Returns:
          str: path of the output.
        """
        path = os.path.join(self.temporary_path, name)
        self.Run(
            sys.executable,
            "-m",
            "hermes_plaso.cli",
            "merge",
            *paths,
            "--output",
            path,
            **kwargs,
        )
        return path

    def CheckEvents(self, events, expected):
        """Checks events.

        Args:
          events (list[dict[str, object]]): events in the order that psort gave.
          expected (list[dict[str, object]]): expected events.
        """
        timestamps = [event["timestamp"] for event in events]
        self.assertEqual(timestamps, sorted(timestamps))
        self.assertEqual(
            sorted(json.dumps(event, sort_keys=True) for event in events),
            sorted(json.dumps(event, sort_keys=True) for event in expected),
        )

    def GetCounts(self, path):
        """Determines what pinfo counts.

        Args:
          path (str): path of the storage file.

        Returns:
          dict[str, object]: counts, and number of sessions.
        """
        result = self.Run("pinfo", "--output_format", "json", path)
        # pinfo does not escape the line breaks of paths that it warns of.
        information = json.loads(result.stdout, strict=False)
        counts = {
            name: value
            for name, value in information["storage_counters"].items()
            if value
        }
        # All sessions have the same name.
        return counts, result.stdout.count('"__container_type__": "session"')

    def GetNumbers(self, path):
        """Determines the number of attribute containers.

        Args:
          path (str): path of the storage file.

        Returns:
          dict[str, int]: number per container type.
        """
        reader = storage_factory.StorageFactory.CreateStorageReaderForFile(path)
        self.addCleanup(reader.Close)
        return {
            container_type: len(list(reader.GetAttributeContainers(container_type)))
            for container_type in (
                "date_less_log_helper",
                "event",
                "event_data",
                "event_data_stream",
            )
        }

    def testSuperTimeline(self):
        """Tests that a merge of two runs is what one run over all evidence gives."""
        data_types = collections.Counter(event["data_type"] for event in self.expected)
        self.assertEqual(data_types["syslog:line"], 40)
        self.assertEqual(data_types["bash:history:entry"], 20)
        self.assertEqual(data_types["linux:utmp:event"], 5)
        self.assertEqual(data_types["chrome:history:page_visited"], 10)
        self.assertGreater(data_types["hermes:message:entry"], 10)

        merged = self.Merge(self.other, self.hermes)
        self.CheckEvents(self.Export(merged), self.expected)

        # Neither is anything of theirs there twice.
        self.assertEqual(self.GetNumbers(merged), self.GetNumbers(self.both))
        counts, number_of_sessions = self.GetCounts(merged)
        expected_counts, _ = self.GetCounts(self.both)
        self.assertEqual(counts, expected_counts)
        self.assertEqual(number_of_sessions, 2)
        self.assertGreater(counts["parsers"]["total"], 100)
        self.assertEqual(
            counts["warnings_by_parser"],
            {"sqlite/chrome_27_history": 1},
        )

    def testOverlap(self):
        """Tests that events of evidence that was read twice are there once."""
        for paths in ((self.both, self.hermes), (self.hermes, self.both)):
            merged = self.Merge(*paths)
            self.assertEqual(self.GetNumbers(merged), self.GetNumbers(self.both))
            counts, number_of_sessions = self.GetCounts(merged)
            self.assertEqual(counts, self.GetCounts(self.both)[0])
            self.assertEqual(number_of_sessions, 2)
            os.remove(merged)

    def testTags(self):
        """Tests that tags of one of the inputs are on the events of the output."""
        labels = {
            json.dumps({**event, "tag": None}, sort_keys=True): event["tag"]["labels"]
            for event in self.expected_tagged
            if "tag" in event
        }
        self.assertGreater(len(labels), 5)

        for paths, expected in (
            ((self.both, self.tagged), self.expected),
            ((self.tagged, self.other), self.expected),
        ):
            merged = self.Merge(*paths)
            events = self.Export(merged)
            merged_labels = {
                json.dumps({**event, "tag": None}, sort_keys=True): event.pop("tag")[
                    "labels"
                ]
                for event in events
                if "tag" in event
            }
            self.assertEqual(merged_labels, labels)
            self.CheckEvents(events, expected)

            reader = storage_factory.StorageFactory.CreateStorageReaderForFile(merged)
            counts = {
                label: container.number_of_events
                for label, container in reader.GetEventLabelsCounter().items()
            }
            reader.Close()
            numbers = collections.Counter(
                label for names in labels.values() for label in names
            )
            self.assertEqual(counts, {**numbers, "total": sum(numbers.values())})
            os.remove(merged)

    def testExports(self):
        """Tests that merged exports are the export of merged storage files."""
        storage_files = {
            "merged": self.Merge(self.other, self.hermes),
            "hermes": self.hermes,
            "other": self.other,
        }

        def Export(values):
            """Runs psort.

            Args:
              values (tuple[str, str]): name of the storage file and output format.
            """
            name, output_format = values
            tools = tool_lib.ToolTestCase()
            tools.temporary_path = os.path.join(self.temporary_path, *values)
            os.makedirs(tools.temporary_path)
            tools.Export(storage_files[name], output_format=output_format)

        output_formats = ("dynamic", "json_line", "l2tcsv")
        with futures.ThreadPoolExecutor() as executor:
            list(executor.map(Export, itertools.product(storage_files, output_formats)))

        for output_format in output_formats:
            merged, hermes, other = (
                os.path.join(self.temporary_path, name, output_format, "timeline.out")
                for name in ("merged", "hermes", "other")
            )
            output = self.Merge(other, hermes, name=output_format)
            lines = []
            for path in (output, merged):
                with open(path, "rb") as file_object:
                    lines.append(file_object.read().split(b"\n"))
            if output_format != "json_line":
                self.assertEqual(lines[0][0], lines[1][0])
            self.assertGreater(len(lines[0]), 100)
            self.assertEqual(sorted(lines[0]), sorted(lines[1]), output_format)

            # What was merged is in order, also where psort gave none.
            output = self.Merge(output, merged, name=f"{output_format:s}.again")
            with open(output, "rb") as file_object:
                self.assertEqual(file_object.read().split(b"\n"), lines[0])

    def testInterruption(self):
        """Tests that a merge that is ended by a signal leaves nothing."""
        program = (
            "import os, sys; from hermes_plaso import cli; "
            "from hermes_plaso.merging import storage_files; "
            "original = storage_files.StorageFileMerger._GetKey; "
            "storage_files.StorageFileMerger._GetKey = lambda *arguments: "
            "os.kill(os.getpid(), int(sys.argv[1])) or original(*arguments); "
            "sys.exit(cli.Main(sys.argv[2:]))"
        )
        output = os.path.join(self.temporary_path, "merged.plaso")
        for signal_number in (signal.SIGINT, signal.SIGTERM):
            result = subprocess.run(
                [
                    sys.executable,
                    "-c",
                    program,
                    f"{signal_number:d}",
                    "merge",
                    self.other,
                    self.hermes,
                    "--output",
                    output,
                ],
                capture_output=True,
                check=False,
                # A job in the background of a shell has it ignored.
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
                text=True,
            )
            self.assertEqual(result.returncode, 128 + signal_number, result.stderr)
            self.assertEqual(
                result.stderr,
                "hermes-plaso merge: interrupted, nothing was written\n",
            )
            self.assertEqual(os.listdir(self.temporary_path), [])

    def testVersion(self):
        """Tests that a storage file of another version is refused in one sentence."""
        path = os.path.join(self.temporary_path, "old.plaso")
        shutil.copyfile(self.hermes, path)
        connection = sqlite3.connect(path)
        connection.execute(
            "UPDATE metadata SET value = '20230327' WHERE key = 'format_version'"
        )
        connection.commit()
        connection.close()
        result = self.Run(
            sys.executable,
            "-m",
            "hermes_plaso.cli",
            "merge",
            self.other,
            path,
            "--output",
            os.path.join(self.temporary_path, "merged.plaso"),
            expected=1,
        )
        self.assertEqual(result.stdout, "")
        self.assertEqual(result.stderr.count("\n"), 1)
        self.assertIn("storage format version 20230327", result.stderr)
        self.assertEqual(os.listdir(self.temporary_path), ["old.plaso"])

    def testAppend(self):
        """Tests what log2timeline does that is given a storage file that exists."""
        source = os.path.join(os.path.dirname(self.both), "evidence", "hermes")

        def Append(name):
            """Runs log2timeline.

            Args:
              name (str): name of the storage file.

            Returns:
              str: path of the storage file.
            """
            path = os.path.join(self.temporary_path, f"{name:s}.plaso")
            shutil.copyfile(getattr(self, name), path)
            log_path = os.path.join(self.temporary_path, f"{name:s}.log.gz")
            return self.Extract(
                source,
                "--parsers",
                "hermes",
                "--logfile",
                log_path,
                name=os.path.basename(path),
            )

        with futures.ThreadPoolExecutor() as executor:
            other, hermes = executor.map(Append, ("other", "hermes"))

        self.assertEqual(self.GetNumbers(other), self.GetNumbers(self.both))
        self.assertEqual(self.GetCounts(other)[0], self.GetCounts(self.both)[0])

        # A source that is read again doubles its events, unlike a merge.
        number_of_events = self.GetNumbers(self.hermes)["event"]
        self.assertEqual(self.GetNumbers(hermes)["event"], 2 * number_of_events)


if __name__ == "__main__":
    unittest.main()

"""Tests that the copies of a home give each row version once, with the stock tools."""

import collections
import contextlib
import os
import shutil
import sqlite3
import unittest

from tests import test_lib
from tests.end_to_end import tool_lib

_NEWER = "20261021-081200"
_OLDER = "20261020-081200-before-refactor"

_FILTER_FILE = """description: copies of state.db
type: include
path_separator: '/'
paths:
- '/home/u/.hermes/state-snapshots/.+/state[.]db'
"""

_ARTIFACT_DEFINITION = """name: HermesCopies
doc: Copies of state.db.
sources:
- type: FILE
  attributes:
    paths: ['/home/*/.hermes/state-snapshots/*/state.db']
supported_os: [Linux]
"""


@test_lib.requires_shared
class CopiesTest(tool_lib.ToolTestCase):
    """Tests of the cases with copies, through log2timeline and psort."""

    def setUp(self):
        """Makes the cases."""
        super().setUp()
        self.cases = test_lib.MakeCases(self.temporary_path)
        self.case = os.path.join(self.cases, "10-snapshots")

    def FindPath(self, *names):
        """Finds a file of the case.

        Args:
          names (list[str]): last components of the path.

        Returns:
          str: path.
        """
        suffix = os.path.join(*names)
        for directory, _, file_names in os.walk(self.case):
            for name in file_names:
                path = os.path.join(directory, name)
                if path.endswith(os.sep + suffix):
                    return path
        raise FileNotFoundError(suffix)

    def Count(self, source, *arguments, environment=None):
        """Extracts and counts the message events per copy.

        Args:
          source (str): path of the source.
          arguments (list[str]): other arguments of log2timeline.
          environment (Optional[dict[str, str]]): additional environment variables.

        Returns:
          tuple[dict[str, int], dict[str, tuple[int, int]]]: number of messages per
              copy identifier, and number of messages and of unique messages that the
              event of each copy says.
        """
        storage_file = self.Extract(
            source, "--parsers", "hermes", *arguments, environment=environment
        )
        events = self.Export(storage_file)
        os.remove(storage_file)
        for event in events:
            self.assertNotIn("recovered", event)
        numbers = collections.Counter(
            event.get("copy_identifier")
            for event in events
            if event["data_type"] == "hermes:message:entry"
        )
        copies = {
            event["copy_identifier"]: (
                event["number_of_messages"],
                event.get("number_of_unique_messages"),
            )
            for event in events
            if event["data_type"] == "hermes:snapshot:entry"
        }
        return dict(numbers), copies

    def testTree(self):
        """Tests the case as a directory, with one and several workers."""
        for arguments in (
            ("--single-process",),
            ("--workers", "1"),
            ("--workers", "3"),
        ):
            self.assertEqual(
                self.Count(self.case, *arguments),
                ({None: 10, _NEWER: 11}, {_NEWER: (20, 11), _OLDER: (20, 0)}),
            )

    def testAll(self):
        """Tests the case where every row of every copy is wanted."""
        self.assertEqual(
            self.Count(
                self.case,
                "--single-process",
                environment={"HERMES_PLASO_COPIES": "all"},
            ),
            (
                {None: 10, _NEWER: 20, _OLDER: 20},
                {_NEWER: (20, None), _OLDER: (20, None)},
            ),
        )

    def testUnknownWish(self):
        """Tests that a wish that is none is told, before anything is read."""
        result = self.Run(
            "log2timeline",
            "--unattended",
            "--storage-file",
            "case.plaso",
            self.case,
            expected=1,
            environment={"HERMES_PLASO_COPIES": "al"},
        )
        self.assertIn(
            "Unsupported HERMES_PLASO_COPIES value: al, use all or distinct.",
            result.stdout + result.stderr,
        )

    def testSingleFile(self):
        """Tests a copy that is given alone as a file."""
        for identifier in (_NEWER, _OLDER):
            path = self.FindPath("state-snapshots", identifier, "state.db")
            self.assertEqual(
                self.Count(path, "--single-process"),
                ({identifier: 20}, {identifier: (20, None)}),
            )

    def testPartOfHome(self):
        """Tests that what is not read in the same run is not held against a copy."""
        directory = os.path.dirname(
            os.path.dirname(self.FindPath("state-snapshots", _NEWER, "state.db"))
        )
        self.assertEqual(
            self.Count(directory, "--single-process"),
            ({_NEWER: 20}, {_NEWER: (20, 20), _OLDER: (20, 0)}),
        )
        self.assertEqual(
            self.Count(os.path.join(directory, _OLDER), "--single-process"),
            ({_OLDER: 20}, {_OLDER: (20, 20)}),
        )

    def testFilterFile(self):
        """Tests that a collection filter has every copy give all rows."""
        path = os.path.join(self.temporary_path, "filter.yaml")
        with open(path, "w", encoding="utf-8") as file_object:
            file_object.write(_FILTER_FILE)
        self.assertEqual(
            self.Count(self.case, "--single-process", "--file-filter", path),
            (
                {_NEWER: 20, _OLDER: 20},
                {_NEWER: (20, None), _OLDER: (20, None)},
            ),
        )

    def testArtifactFilter(self):
        """Tests that artifact definitions have every copy give all rows."""
        path = os.path.join(self.temporary_path, "artifacts.yaml")
        with open(path, "w", encoding="utf-8") as file_object:
            file_object.write(_ARTIFACT_DEFINITION)
        self.assertEqual(
            self.Count(
                self.case,
                "--single-process",
                "--custom-artifact-definitions",
                path,
                "--artifact-filters",
                "HermesCopies",
            ),
            (
                {_NEWER: 20, _OLDER: 20},
                {_NEWER: (20, None), _OLDER: (20, None)},
            ),
        )

    def testDistinct(self):
        """Tests a copy alone, of which only its own rows are wanted."""
        path = self.FindPath("state-snapshots", _NEWER, "state.db")
        self.assertEqual(
            self.Count(
                path,
                "--single-process",
                environment={"HERMES_PLASO_COPIES": "distinct"},
            ),
            ({_NEWER: 11}, {_NEWER: (20, 11)}),
        )

    def testDamagedLiveDatabase(self):
        """Tests that rows come from the copies where the live database is lost."""
        with open(self.FindPath(".hermes", "state.db"), "r+b") as file_object:
            file_object.write(b"\xff" * 8192)
        self.assertEqual(
            self.Count(self.case, "--workers", "2"),
            ({_NEWER: 20}, {_NEWER: (20, 20), _OLDER: (20, 0)}),
        )

    def testTemporaryFiles(self):
        """Tests that no temporary file is left."""
        directory = os.path.join(self.temporary_path, "temporary")
        os.mkdir(directory)
        for arguments in (("--single-process",), ("--workers", "2")):
            self.Count(self.case, "--temporary-directory", directory, *arguments)
            self.assertEqual(
                [name for name in os.listdir(directory) if "hermes" in name], []
            )


@test_lib.requires_shared
class EvidenceCopiesTest(tool_lib.ToolTestCase):
    """Tests a home that the real program wrote, with a log and two snapshots."""

    _COPIES = (
        (None, "state.db"),
        ("20260822-120000", "state-snapshots/20260822-120000/state.db"),
        (
            "20260821-120000-before-refactor",
            "state-snapshots/20260821-120000-before-refactor/state.db",
        ),
    )

    # What tells the events of the rows of a table: the data types, the attribute that
    # identifies the row, and the column that it has.
    _TABLES = {
        "async_delegations": (
            ("hermes:delegation:entry",),
            "delegation_identifier",
            "delegation_id",
        ),
        "gateway_routing": (("hermes:gateway:route",), "session_key", "session_key"),
        "messages": (
            (
                "hermes:message:entry",
                "hermes:message:reasoning",
                "hermes:message:tool_call",
                "hermes:model:switch",
            ),
            "record_identifier",
            "id",
        ),
        "sessions": (("hermes:session:entry",), "session_identifier", "id"),
    }

    def ReadRows(self, path, table, with_log=True):
        """Reads the rows of a table.

        Args:
          path (str): path of the database.
          table (str): name of the table.
          with_log (Optional[bool]): True if the write-ahead log should be applied.

        Returns:
          dict[tuple[object, ...], object]: value that identifies the row per row.
        """
        copy_path = os.path.join(self.temporary_path, "copy.db")
        for suffix in ("", "-wal", "-shm"):
            if os.path.exists(copy_path + suffix):
                os.remove(copy_path + suffix)
        shutil.copyfile(path, copy_path)
        if with_log and os.path.exists(f"{path:s}-wal"):
            shutil.copyfile(f"{path:s}-wal", f"{copy_path:s}-wal")
        with contextlib.closing(sqlite3.connect(copy_path)) as connection:
            connection.row_factory = sqlite3.Row
            column = self._TABLES[table][2]
            return {
                tuple(row): row[column]
                for row in connection.execute(f"SELECT * FROM {table:s}")
            }

    def testCopies(self):
        """Tests that each row version comes from its first holder, and only from it."""
        home_path = test_lib.ExtractEvidence(self.temporary_path)
        home = os.path.join(home_path, ".hermes")
        expected = collections.defaultdict(set)
        for table in self._TABLES:
            held = set()
            for copy_identifier, name in self._COPIES:
                path = os.path.join(home, name)
                current = self.ReadRows(path, table)
                main = self.ReadRows(path, table, with_log=False)
                for rows, recovered in ((current, False), (main, True)):
                    for row, identifier in rows.items():
                        if row not in held:
                            expected[table, copy_identifier, recovered].add(identifier)
                    held.update(rows)

        storage_file = self.Extract(
            os.path.join(self.temporary_path, "home"), "--parsers", "hermes"
        )
        events = [
            event
            for event in self.Export(storage_file)
            if event.get("profile") == "default"
            and event["store"] in ("state", "snapshot")
        ]
        found = collections.defaultdict(set)
        for table, (data_types, attribute, _) in self._TABLES.items():
            for event in events:
                if event["data_type"] in data_types:
                    key = (
                        table,
                        event.get("copy_identifier"),
                        bool(event.get("recovered")),
                    )
                    found[key].add(event[attribute])
        self.assertEqual(dict(found), dict(expected))
        # The older snapshot has sessions that are in no other database.
        self.assertEqual(
            len(found["sessions", "20260821-120000-before-refactor", False]), 2
        )


if __name__ == "__main__":
    unittest.main()

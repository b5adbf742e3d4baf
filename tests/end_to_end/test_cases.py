"""Tests of small inputs that have failed tools on real machines, all at once.

The cases are in one tree, as several workers come across them. No file of them may
change, and a file system that cannot be written to must do.
"""

import collections
import hashlib
import os
import subprocess
import unittest

from plaso.storage import factory as storage_factory

from tests import test_lib
from tests.end_to_end import tool_lib

# Message events, where what was recovered is counted apart.
EXPECTED_NUMBER_OF_MESSAGES = {
    "02-time-cells": 12,
    "03-corrupt-page": 989,
    "04-bad-text": 10,
    "05-tool-calls": 11,
    "06-no-session-rows": 50,
    "07-old-schema": 2,
    "08-wal": 8,
    "08-wal recovered": 2,
    "09-everything-in-wal": 1,
    "10-snapshots": 21,
    "11-long-lines": 8,
    "13-json-stores": 3,
}

EXPECTED_NUMBER_OF_OTHER_EVENTS = {
    "02-time-cells": {"hermes:model:usage": 1, "hermes:session:entry": 1},
    "03-corrupt-page": {"hermes:model:usage": 1, "hermes:session:entry": 1},
    "04-bad-text": {"hermes:model:usage": 1, "hermes:session:entry": 1},
    "05-tool-calls": {
        "hermes:model:usage": 1,
        "hermes:session:entry": 1,
        "hermes:unparsed:entry": 4,
    },
    "06-no-session-rows": {"hermes:model:usage": 1, "hermes:session:entry": 1},
    "07-old-schema": {"hermes:session:entry": 1},
    "08-wal": {"hermes:model:usage": 1, "hermes:session:entry": 1},
    "08-wal recovered": {"hermes:session:entry": 1},
    "09-everything-in-wal": {"hermes:model:usage": 1, "hermes:session:entry": 1},
    "10-snapshots": {
        "hermes:model:usage": 2,
        "hermes:session:deletion": 1,
        "hermes:session:entry": 2,
        "hermes:snapshot:entry": 2,
    },
    "11-long-lines": {"hermes:trajectory:run": 1, "hermes:unparsed:entry": 4},
    "12-history": {"hermes:prompt_history:entry": 9, "hermes:unparsed:entry": 1},
    "13-json-stores": {
        "hermes:cron:run": 2,
        "hermes:paste:entry": 3,
        "hermes:permission:setting": 7,
        "hermes:unparsed:entry": 2,
    },
}

EXPECTED_NUMBER_OF_WARNINGS = {
    "01-not-a-database": 1,
    "02-time-cells": 9,
    "03-corrupt-page": 1,
    "05-tool-calls": 4,
    "11-long-lines": 4,
    "12-history": 3,
    "13-json-stores": 6,
}


@test_lib.requires_shared
class CasesTest(tool_lib.ToolTestCase):
    """Tests of small inputs that have failed tools on real machines."""

    def setUp(self):
        """Makes the cases."""
        super().setUp()
        self.cases = test_lib.MakeCases(self.temporary_path)

    def GetCase(self, path):
        """Determines the case that a path belongs to.

        Args:
          path (str): path.

        Returns:
          str: name of the case.
        """
        return os.path.relpath(path, self.cases).split(os.sep, maxsplit=1)[0]

    def HashFiles(self):
        """Hashes the files of the cases.

        Returns:
          dict[str, str]: SHA-256 per path.
        """
        hashes = {}
        for directory, _, names in os.walk(self.cases):
            for name in names:
                path = os.path.join(directory, name)
                with open(path, "rb") as file_object:
                    hashes[path] = hashlib.sha256(file_object.read()).hexdigest()
        return hashes

    def CheckTree(self, *arguments):
        """Checks what the cases give as one tree.

        Args:
          arguments (list[str]): other arguments of log2timeline.
        """
        storage_file = self.Extract(self.cases, "--parsers", "hermes", *arguments)
        number_of_messages = collections.Counter()
        number_of_events = collections.defaultdict(collections.Counter)
        for event in self.Export(storage_file):
            case = self.GetCase(event["display_name"].partition(":")[2])
            if event.get("recovered"):
                case = f"{case:s} recovered"
            if event["data_type"].startswith(
                ("hermes:message:", "hermes:model:switch")
            ):
                number_of_messages[case] += 1
            else:
                number_of_events[case][event["data_type"]] += 1
            # No time lands at the start of the epoch.
            self.assertFalse(0 < event["timestamp"] < 1000000000000000)
        self.assertEqual(dict(number_of_messages), EXPECTED_NUMBER_OF_MESSAGES)
        self.assertEqual(
            {case: dict(numbers) for case, numbers in number_of_events.items()},
            EXPECTED_NUMBER_OF_OTHER_EVENTS,
        )

        reader = storage_factory.StorageFactory.CreateStorageReaderForFile(storage_file)
        warnings = list(reader.GetAttributeContainers("extraction_warning"))
        self.assertEqual(
            dict(
                collections.Counter(
                    self.GetCase(warning.path_spec.location) for warning in warnings
                )
            ),
            EXPECTED_NUMBER_OF_WARNINGS,
        )
        messages = {warning.message for warning in warnings}
        self.assertIn("not a SQLite database", messages)
        self.assertIn(
            "messages: rows with identifiers 496 to 506 cannot be read: database disk "
            "image is malformed",
            messages,
        )
        reader.Close()
        os.remove(storage_file)

    def testTree(self):
        """Tests the cases as one tree, which does not change."""
        hashes = self.HashFiles()
        for arguments in (("--single-process",), ("--workers", "3")):
            self.CheckTree(*arguments)
        self.assertEqual(self.HashFiles(), hashes)

    def testReadOnly(self):
        """Tests the cases on a file system that cannot be written to."""
        commands = (
            ("mount", "--bind", self.cases, self.cases),
            ("mount", "-o", "remount,bind,ro", self.cases),
        )
        for command in commands:
            try:
                subprocess.run(command, check=True, capture_output=True)
            except (OSError, subprocess.CalledProcessError):
                self.skipTest("a read-only file system takes the right to mount")
            if command == commands[0]:
                self.addCleanup(subprocess.run, ["umount", self.cases], check=False)
        with self.assertRaises(OSError):
            with open(os.path.join(self.cases, "new"), "wb"):
                pass
        self.CheckTree("--workers", "2")


if __name__ == "__main__":
    unittest.main()

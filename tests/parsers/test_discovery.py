"""Tests which homes are found, and whose each is said to be, per operating system."""

import os
import shutil
import unittest

from tests import test_lib

_HISTORY = "\n# 2026-10-29 09:30:15.123456\n+hello\n"
_CONFIG = "approvals:\n  mode: manual\n"
_CONNECTIONS = (
    '{"version": 2, "connections": [{"id": "r1", "kind": "remote", "label": "Lab", '
    '"url": "https://lab.example"}]}'
)

# Directory of a home, and the username and profile that its path tells.
_HOMES = (
    # Linux and macOS.
    ("home/u/.hermes", "u", "default"),
    ("home/u/.hermes-channel-build-canary", "u", "default"),
    ("home/u/.hermes/profiles/work", "u", "work"),
    ("root/.hermes", "root", "default"),
    ("Users/u/.hermes", "u", "default"),
    ("Users/u/.hermes/profiles/work", "u", "work"),
    # Windows, both forms.
    ("Users/u/AppData/Local/hermes", "u", "default"),
    ("Users/u/AppData/Local/hermes-canary/profiles/work", "u", "work"),
    # Volumes, layers and bind mounts of containers.
    ("var/lib/docker/volumes/hermes-data/_data", None, "default"),
    ("var/lib/docker/volumes/hermes-data/_data/profiles/work", None, "work"),
    ("home/u/.local/share/docker/volumes/h/_data", None, "default"),
    ("var/lib/containers/storage/volumes/h/_data", None, "default"),
    ("home/u/.local/share/containers/storage/volumes/h/_data", None, "default"),
    ("var/lib/docker/overlay2/0a1b/diff/opt/data", None, "default"),
    ("var/lib/containers/storage/overlay/0a1b/diff/opt/data", None, "default"),
    ("opt/data", None, "default"),
    # A home that was extracted under another name.
    ("evidence/case 7/alice", None, "default"),
    ("evidence/case 7/alice/profiles/work", None, "work"),
)

_DESKTOP_DIRECTORIES = (
    ("home/u/.config/Hermes", "u"),
    ("home/u/.config/Hermes-canary", "u"),
    ("root/.config/Hermes", "root"),
    ("Users/u/Library/Application Support/Hermes", "u"),
    ("Users/u/AppData/Roaming/Hermes", "u"),
    ("evidence/.config/Hermes", None),
)


class DiscoveryTest(test_lib.ParserTestCase):
    """Tests which homes are found, and whose each is said to be."""

    def Write(self, *names, text=""):
        """Writes a file.

        Args:
          names (list[str]): components of the path.
          text (Optional[str]): text.

        Returns:
          str: path.
        """
        path = os.path.join(self.temporary_path, "tree", *names)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file_object:
            file_object.write(text)
        return path

    def CopyDatabase(self, *names):
        """Copies a state database.

        Args:
          names (list[str]): components of the path.

        Returns:
          str: path.
        """
        path = self.Write(*names)
        shutil.copyfile(os.path.join(test_lib.TEST_DATA_PATH, "state_oldest.db"), path)
        return path

    def CheckAttributes(self, result, number_of_events, expected):
        """Checks the attributes that the path tells.

        Args:
          result (ParseResult): what was produced.
          number_of_events (int): expected number of event data.
          expected (tuple[str, ...]): expected username, profile, store and identifier
              of the copy.
        """
        self.assertEqual(result.warnings, [])
        self.assertEqual(len(result.event_data), number_of_events)
        self.assertEqual(
            {
                (
                    event_data.username,
                    event_data.profile,
                    event_data.store,
                    event_data.copy_identifier,
                )
                for event_data in result.event_data
            },
            {expected},
        )

    def testHomes(self):
        """Tests the database, a copy and other stores of each home."""
        identifier = "20260918-120000-label"
        for home, username, profile in _HOMES:
            database_path = self.CopyDatabase(home, "state.db")
            copy_path = self.CopyDatabase(
                home, "state-snapshots", identifier, "state.db"
            )
            history_path = self.Write(home, ".hermes_history", text=_HISTORY)
            config_path = self.Write(home, "config.yaml", text=_CONFIG)
            with self.subTest(home=home):
                self.CheckAttributes(
                    self.Parse(database_path, "sqlite/hermes_state"),
                    3,
                    (username, profile, "state", None),
                )
                self.CheckAttributes(
                    self.Parse(copy_path, "sqlite/hermes_state"),
                    4,
                    (username, profile, "snapshot", identifier),
                )
                self.CheckAttributes(
                    self.Parse(history_path, "hermes_files"),
                    1,
                    (username, profile, "prompt_history", None),
                )
                self.CheckAttributes(
                    self.Parse(config_path, "hermes_files"),
                    1,
                    (username, profile, "config", None),
                )

    def testDesktop(self):
        """Tests the data of the desktop application on each system."""
        for directory, username in _DESKTOP_DIRECTORIES:
            path = self.Write(directory, "connections.json", text=_CONNECTIONS)
            with self.subTest(directory=directory):
                self.CheckAttributes(
                    self.Parse(path, "hermes_files"),
                    1,
                    (username, None, "desktop", None),
                )

    def testManagedSettings(self):
        """Tests the settings of a system."""
        path = self.Write("etc", "hermes", "config.yaml", text=_CONFIG)
        self.CheckAttributes(
            self.Parse(path, "hermes_files"), 1, (None, None, "config", None)
        )

    def testSingleFiles(self):
        """Tests files that were copied out of their home, under any name."""
        path = self.CopyDatabase("exports", "alice.sqlite")
        self.CheckAttributes(
            self.Parse(path, "sqlite/hermes_state"), 3, (None, "default", "state", None)
        )
        path = self.Write("exports", ".hermes_history", text=_HISTORY)
        self.CheckAttributes(
            self.Parse(path, "hermes_files"),
            1,
            (None, "default", "prompt_history", None),
        )


if __name__ == "__main__":
    unittest.main()

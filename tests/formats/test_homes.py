"""Tests for the places of Hermes' files."""

import unittest

from hermes_plaso.formats import homes


class HomesTest(unittest.TestCase):
    """Tests for the places of Hermes' files."""

    def testTiers(self):
        """Tests that how certain a store is was decided for each."""
        self.assertEqual(
            set(homes.TIER_PER_STORE),
            {value for name, value in vars(homes).items() if name.startswith("STORE_")},
        )

    def testLocateDatabase(self):
        """Tests what the path of a state database tells."""
        for path, profile, username, store, copy_identifier in (
            ("/home/u/.hermes/state.db", "default", "u", "state", None),
            ("/home/u/.hermes-canary/state.db", "default", "u", "state", None),
            ("/root/.hermes/state.db", "default", "root", "state", None),
            ("/Users/u/.hermes/profiles/work/state.db", "work", "u", "state", None),
            ("/Users/u/.HERMES/state.db", "default", "u", "state", None),
            (
                "/var/lib/docker/overlay2/abc/diff/root/.hermes/state.db",
                "default",
                None,
                "state",
                None,
            ),
            (
                "\\Users\\u\\AppData\\Local\\hermes\\state.db",
                "default",
                "u",
                "state",
                None,
            ),
            (
                "/var/lib/docker/volumes/hermes-data/_data/state.db",
                "default",
                None,
                "state",
                None,
            ),
            (
                "/home/u/.hermes/state-snapshots/20260918-120000-label/state.db",
                "default",
                "u",
                "snapshot",
                "20260918-120000-label",
            ),
            (
                "/home/u/.hermes/state-snapshots/.20260918-120000-2.77.partial/state.db",
                "default",
                "u",
                "snapshot",
                "20260918-120000-2",
            ),
            (
                "/home/u/.hermes/profiles/p/state-snapshots/20260918-120000/state.db",
                "p",
                "u",
                "snapshot",
                "20260918-120000",
            ),
            (
                "/home/u/.hermes/state.db.pre-update-emergency-"
                "2026-09-18T12-00-00-000001Z-77.bak",
                "default",
                "u",
                "emergency",
                "2026-09-18T12-00-00-000001Z",
            ),
            (
                "/home/u/.hermes/state.db.malformed-backup-20260918_120000_2",
                "default",
                "u",
                "malformed",
                "20260918_120000_2",
            ),
            (
                "/home/u/.hermes/state.db.retired-wal-20260918-120000-77/state.db",
                "default",
                "u",
                "retired_wal",
                "20260918-120000-77",
            ),
            (
                "/home/u/.hermes/backups/b1.zip/state.db",
                "default",
                "u",
                "backup",
                "b1",
            ),
            ("/evidence/copied.sqlite", "default", None, "state", None),
        ):
            location = homes.LocateDatabase(path)
            self.assertEqual(
                (
                    location.profile,
                    location.username,
                    location.store,
                    location.copy_identifier,
                ),
                (profile, username, store, copy_identifier),
                path,
            )
            self.assertEqual(
                location.tier, "primary" if store == "state" else "secondary"
            )

    def testGetCopyTime(self):
        """Tests when a copy was made."""
        for path, microseconds, is_local_time in (
            (
                "/h/.hermes/state-snapshots/20260821-120000-label/state.db",
                1787313600000000,
                False,
            ),
            (
                "/h/.hermes/state.db.pre-update-emergency-"
                "2026-08-21T12-00-00-000001Z-77.bak",
                1787313600000001,
                False,
            ),
            (
                "/h/.hermes/state.db.malformed-backup-20260821_120000",
                1787313600000000,
                True,
            ),
        ):
            timestamp = homes.GetCopyTime(homes.LocateDatabase(path))
            self.assertEqual(timestamp.microseconds, microseconds)
            self.assertEqual(timestamp.is_local_time, is_local_time)

        location = homes.LocateDatabase("/h/.hermes/state-snapshots/latest/state.db")
        self.assertIsNone(homes.GetCopyTime(location))


if __name__ == "__main__":
    unittest.main()

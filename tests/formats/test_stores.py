"""Tests for the names and places of the stores."""

import unittest

from hermes_plaso.formats import homes
from hermes_plaso.formats import stores


class StoresTest(unittest.TestCase):
    """Tests for the names and places of the stores."""

    def testLocateFile(self):
        """Tests every store, in homes of every kind."""
        for path, expected in (
            ("/home/u/.hermes/.hermes_history", "prompt_history u default secondary"),
            ("/Users/u/.hermes/.hermes_history", "prompt_history u default secondary"),
            ("/root/.hermes/.hermes_history", "prompt_history root default secondary"),
            (
                "/home/u/.hermes/profiles/w/.hermes_history",
                "prompt_history u w secondary",
            ),
            ("/home/u/.hermes-canary/pastes/pending.json", "pastes u default log"),
            (
                "C:\\Users\\u\\AppData\\Local\\hermes\\cron\\output\\j"
                "\\2026-10-29_09-30-16.md",
                "cron_output u default secondary",
            ),
            ("/home/u/.hermes/cron/jobs.json", "cron_jobs u default log"),
            (
                "/home/u/.hermes/sessions/20261028_201500_b41c0de7.jsonl",
                "divert u default secondary",
            ),
            ("/home/u/.hermes/sessions/any.jsonl", "divert u default secondary"),
            (
                "/home/u/.hermes/sessions/session_any.json",
                "session_json u default secondary",
            ),
            ("/home/u/.hermes/sessions/sessions.json", "sessions_index u default log"),
            ("/home/u/.hermes/config.yaml", "config u default settings"),
            ("/etc/hermes/config.yaml", "config None None settings"),
            (
                "/home/u/.hermes/platforms/pairing/discord-approved.json",
                "pairing u default settings",
            ),
            ("/home/u/.hermes/pairing/x-approved.json", "pairing u default settings"),
            ("/home/u/.hermes/gateway_state.json", "gateway_state u default log"),
            ("/home/u/.hermes/processes.json", "processes u default log"),
            ("/home/u/.hermes/logs/gateway.log.3", "log u default log"),
            (
                "/home/u/.hermes/cache/delegation/live/d/task-12.log",
                "delegation_log u default log",
            ),
            (
                "/home/u/.hermes/cache/delegation/live/d/manifest.json",
                "delegation_manifest u default log",
            ),
            ("/home/u/.config/Hermes/connections.json", "desktop u None settings"),
            (
                "/Users/u/Library/Application Support/Hermes-x/connections.json",
                "desktop u None settings",
            ),
            (
                "/Users/u/AppData/Roaming/Hermes/connections.json.corrupt-1",
                "desktop u None settings",
            ),
            (
                "/home/u/work/site/trajectory_samples.jsonl",
                "trajectory u None secondary",
            ),
            ("/srv/x/failed_trajectories.jsonl", "trajectory None None secondary"),
        ):
            with self.subTest(path=path):
                location = stores.LocateFile(path)
                self.assertEqual(
                    f"{location.store} {location.username} {location.profile} "
                    f"{location.tier}",
                    expected,
                )
                # The directory of a project tells nothing.
                self.assertEqual(location.is_home, location.store != "trajectory")
                self.assertFalse(location.in_container)
                self.assertIsNone(location.copy_identifier)
                self.assertTrue(stores.IsCandidate(homes.Split(path)[-1]))

    def testLocateFileInContainer(self):
        """Tests volumes and layers of containers, which have no owner."""
        for path, is_home in (
            ("/var/lib/docker/volumes/hermes-data/_data/config.yaml", True),
            ("/var/lib/docker/volumes/data/_data/config.yaml", False),
            (
                "/home/u/.local/share/containers/storage/volumes/hermes/_data"
                "/logs/agent.log",
                True,
            ),
            ("/var/lib/docker/overlay2/abc/diff/opt/data/config.yaml", True),
            ("/var/lib/docker/overlay2/abc/merged/opt/data/config.yaml", True),
            ("/opt/data/config.yaml", True),
            ("/opt/data/profiles/w/config.yaml", True),
        ):
            with self.subTest(path=path):
                location = stores.LocateFile(path)
                self.assertTrue(location.in_container)
                self.assertEqual(location.is_home, is_home)
                self.assertIsNone(location.username)

    def testLocateFileCopy(self):
        """Tests files of snapshots and backups, and copies beside the file."""
        for path, store, profile, copy_identifier in (
            (
                "/home/u/.hermes/state-snapshots/20260821-120000-x/cron/jobs.json",
                *("cron_jobs", "default", "20260821-120000-x"),
            ),
            (
                "/home/u/.hermes/state-snapshots/20260821-120000/manifest.json",
                *("snapshot_manifest", "default", "20260821-120000"),
            ),
            (
                "/home/u/.hermes/profiles/w/state-snapshots/.a-1.7.partial/config.yaml",
                *("config", "w", "a-1"),
            ),
            (
                "/home/u/.hermes/backups/b.zip/profiles/w/.hermes_history",
                *("prompt_history", "w", "b"),
            ),
            (
                "/home/u/.hermes/config.yaml.bak-20260101",
                *("config", "default", "bak-20260101"),
            ),
            (
                "/home/u/.hermes/backups/config/config.yaml.good.2",
                *("config", "default", "2"),
            ),
        ):
            with self.subTest(path=path):
                location = stores.LocateFile(path)
                self.assertEqual(location.home, "home/u/.hermes")
                self.assertEqual(location.store, store)
                self.assertEqual(location.profile, profile)
                self.assertEqual(location.copy_identifier, copy_identifier)
                self.assertEqual(location.username, "u")

    def testLocateFileElsewhere(self):
        """Tests files outside of a home."""
        for path, store, needs_home in (
            ("/x/.hermes_history", "prompt_history", False),
            ("/x/2026-10-29_09-30-16.md", "cron_output", False),
            ("/x/20261028_201500_b41c0de7.jsonl", "divert", False),
            ("/x/sessions/any.jsonl", "divert", True),
            ("/x/session_20261028_201500_b41c0de7.json", "session_json", False),
            ("/x/discord-approved.json", "pairing", False),
            ("/x/task-0.log", "delegation_log", False),
            ("/x/connections.json", "desktop", False),
            ("/x/config.yaml", "config", True),
            ("/x/state.db-wal", "state", True),
            ("/x/response_store.db-wal", "response_store", True),
            ("/x/pastes/pending.json", "pastes", True),
            ("/x/logs/agent.log", "log", True),
            ("/x/cron/jobs.json", "cron_jobs", True),
            ("/x/jobs.json", "cron_jobs", False),
            ("/x/sessions/sessions.json", "sessions_index", True),
            ("/x/sessions.json", "sessions_index", False),
            ("/x/manifest.json", "snapshot_manifest", False),
            ("/x/app/.config/Hermes/connections.json", "desktop", False),
            ("/x/state.db", "state", True),
            ("/x/state.db.malformed-backup-20260918-120000_1", "state", False),
            ("/x/response_store.db", "response_store", True),
        ):
            with self.subTest(path=path):
                location = stores.LocateFile(path)
                self.assertEqual(location.store, store)
                self.assertEqual(location.needs_home, needs_home)
                self.assertEqual(location.is_home, ".config" in path)
                self.assertIsNone(location.username)

    def testLocateFileOther(self):
        """Tests files that are no store."""
        for path in (
            *("", "/", "/home/u/.hermes/state.db-shm", "/home/u/.hermes/.env"),
            *("/x/run.jsonl", "/x/agent.log", "/x/pending.json"),
            *("/home/u/.hermes/pairing/x-pending.json", "/x/notes.md"),
            *("/home/u/.hermes/pairing/_rate_limits.json", "/x/session_notes.json"),
            *("/home/u/.hermes/logs/other.log", "/x/logs/agent.log.gz"),
            *("/home/u/.hermes/cron/output/j/notes.md", "/x/task-0.log.txt"),
        ):
            with self.subTest(path=path):
                self.assertIsNone(stores.LocateFile(path))

    def testIsHomeContents(self):
        """Tests what tells a home that was copied under another name."""
        self.assertTrue(stores.IsHomeContents({"state.db", "SOUL.md", "x"}))
        self.assertTrue(stores.IsHomeContents({".hermes_history", "sessions"}))
        self.assertFalse(stores.IsHomeContents({"state.db", "config.yaml", "pairing"}))
        self.assertFalse(stores.IsHomeContents({"sessions", "cron", "SOUL.md"}))
        self.assertFalse(stores.IsHomeContents(set()))


if __name__ == "__main__":
    unittest.main()

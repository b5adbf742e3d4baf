"""End-to-end test: a home that the real program wrote, against its own database.

What each row must give is worked out here a second time, from the rows themselves and
the event model, with nothing of the package.
"""

import collections
import fractions
import itertools
import json
import os
import shutil
import sqlite3
import tarfile
import unittest

from tests import test_lib
from tests.end_to_end import tool_lib

EVIDENCE_PATH = os.path.join(test_lib.SHARED_PATH, "evidence")

DATABASES = {
    ".hermes/profiles/odd/state.db": ("odd", "state", None),
    ".hermes/profiles/work/state.db": ("work", "state", None),
    ".hermes/state-snapshots/20260821-120000-before-refactor/state.db": (
        "default",
        "snapshot",
        "20260821-120000-before-refactor",
    ),
    ".hermes/state-snapshots/20260822-120000/state.db": (
        "default",
        "snapshot",
        "20260822-120000",
    ),
    ".hermes/state.db": ("default", "state", None),
}

TURN_TYPES = {"assistant": "assistant", "tool": "tool_result", "user": "user"}


def GetMicroseconds(seconds):
    """Rounds seconds to the nearest microsecond.

    Args:
      seconds (float): seconds since the epoch.

    Returns:
      int: microseconds since the epoch.
    """
    return int(fractions.Fraction(seconds) * 1000000 + fractions.Fraction(1, 2))


def ReadRows(path, query):
    """Reads rows of a database.

    Args:
      path (str): path of a copy of the database.
      query (str): SQL query.

    Returns:
      list[sqlite3.Row]: rows.
    """
    connection = sqlite3.connect(path)
    connection.row_factory = sqlite3.Row
    rows = connection.execute(query).fetchall()
    connection.close()
    return rows


@test_lib.requires_shared
class EvidenceTest(tool_lib.ToolTestCase):
    """End-to-end test: a home that the real program wrote."""

    def setUp(self):
        """Unpacks the home, and a second time for the databases to be read."""
        super().setUp()
        self.home_path = os.path.join(self.temporary_path, "home", "alice")
        archive_path = os.path.join(EVIDENCE_PATH, "home-0.19.0.tar.xz")
        with tarfile.open(archive_path) as archive:
            archive.extractall(self.home_path, filter="data")
        self.copy_path = os.path.join(self.temporary_path, "copy")
        shutil.copytree(self.home_path, self.copy_path)
        with open(
            os.path.join(EVIDENCE_PATH, "home-0.19.0.truth.json"), encoding="utf-8"
        ) as file_object:
            self.truth = json.load(file_object)

    def CheckMessages(self, rows, events):
        """Checks that each message row gives what it must, once.

        Args:
          rows (list[sqlite3.Row]): rows of messages.
          events (list[dict[str, object]]): events of the database.
        """
        by_row = collections.defaultdict(list)
        for event in events:
            if event["data_type"].startswith(
                ("hermes:message:", "hermes:model:switch")
            ):
                by_row[event["record_identifier"]].append(event)
        self.assertEqual(set(by_row), {row["id"] for row in rows})

        for row in rows:
            row_events = by_row[row["id"]]
            for event in row_events:
                self.assertEqual(event["timestamp"], GetMicroseconds(row["timestamp"]))
                self.assertEqual(event["session_identifier"], row["session_id"])

            counter = collections.Counter(event["data_type"] for event in row_events)
            calls = json.loads(row["tool_calls"]) if row["tool_calls"] else []
            if isinstance(calls, dict):
                calls = [calls]
            calls = [call for call in calls if isinstance(call, dict)]
            self.assertEqual(counter["hermes:message:tool_call"], len(calls))
            self.assertEqual(
                counter["hermes:message:reasoning"],
                int(bool(row["reasoning"] or row["reasoning_content"])),
            )
            content = row["content"]
            if isinstance(content, str) and content.startswith(
                "[System: The active mod"
            ):
                self.assertEqual(counter, {"hermes:model:switch": 1})
                continue
            self.assertEqual(
                counter["hermes:message:entry"],
                int(
                    row["role"] != "assistant"
                    or bool(content)
                    or len(row_events) == 0
                    or set(counter) == {"hermes:message:entry"}
                ),
            )
            for event in row_events:
                if event["data_type"] != "hermes:message:entry":
                    continue
                self.assertEqual(event["role"], row["role"])
                if isinstance(content, str) and content.startswith("[CONTEXT COMP"):
                    self.assertEqual(event["turn_type"], "system")
                    self.assertEqual(event["text"], f"compaction summary: {content:s}")
                    continue
                self.assertEqual(
                    event["turn_type"], TURN_TYPES.get(row["role"], "system")
                )
                if isinstance(content, bytes):
                    content = content.decode("utf-8", "backslashreplace")
                if content is not None and not content.startswith("\x00json:"):
                    self.assertEqual(event["text"], content)

    def testHome(self):
        """Tests the databases of the home, each row of each table."""
        storage_file = self.Extract(
            os.path.join(self.temporary_path, "home"),
            "--parsers",
            "sqlite/hermes_state",
            environment={"HERMES_PLASO_COPIES": "all"},
        )
        events = self.Export(storage_file)
        self.assertEqual({event["username"] for event in events}, {"alice"})

        by_database = collections.defaultdict(list)
        for event in events:
            key = (event["profile"], event["store"], event.get("copy_identifier"))
            if not event.get("recovered"):
                by_database[key].append(event)
        self.assertEqual(set(by_database), set(DATABASES.values()))

        for name, key in DATABASES.items():
            path = os.path.join(self.copy_path, name)
            database_events = by_database[key]
            truth = self.truth["databases"][name]
            counts = truth.get("with_wal", truth["main_only"])["counts"]

            rows = ReadRows(path, "SELECT * FROM messages")
            self.assertEqual(len(rows), counts["messages"])
            self.CheckMessages(rows, database_events)

            identifiers = {
                data_type: {
                    event["record_identifier"]
                    for event in database_events
                    if event["data_type"] == data_type
                }
                for data_type in (
                    "hermes:delegation:entry",
                    "hermes:gateway:route",
                    "hermes:session:entry",
                )
            }
            for data_type, table in (
                ("hermes:delegation:entry", "async_delegations"),
                ("hermes:gateway:route", "gateway_routing"),
                ("hermes:session:entry", "sessions"),
            ):
                self.assertEqual(len(identifiers[data_type]), counts[table], table)

            for row in ReadRows(path, "SELECT * FROM sessions"):
                session_events = [
                    event
                    for event in database_events
                    if event["data_type"] == "hermes:session:entry"
                    and event["session_identifier"] == row["id"]
                ]
                expected = {("Start Time", GetMicroseconds(row["started_at"]))}
                if row["ended_at"] is not None:
                    expected.add(("End Time", GetMicroseconds(row["ended_at"])))
                self.assertEqual(
                    {
                        (event["timestamp_desc"], event["timestamp"])
                        for event in session_events
                    },
                    expected,
                )
                self.assertEqual(len(session_events), len(expected))

            usage_events = [
                event
                for event in database_events
                if event["data_type"] == "hermes:model:usage"
                and "api_call_count" in event
            ]
            self.assertEqual(len(usage_events), 2 * counts["session_model_usage"])

        self.CheckStory(events)

        # A home of malformed records on purpose is the only one that warns.
        result = self.Run("pinfo", "-v", storage_file)
        self.assertEqual(result.stdout.count("unparseable record"), 1)
        self.assertIn("odd/state.db", result.stdout)
        self.assertEqual(
            [
                event["value"]
                for event in events
                if event["data_type"] == "hermes:unparsed:entry"
            ],
            ['["not an object", {"id": "c2"}]'],
        )

    def CheckStory(self, events):
        """Checks what became of the scenarios of the home.

        Args:
          events (list[dict[str, object]]): events.
        """
        identifiers = self.truth["ids"]["ids"]
        live = [
            event
            for event in events
            if event["store"] == "state" and event["profile"] == "default"
        ]

        def GetTexts(session, data_type):
            """Retrieves the texts of a session of the live database.

            Args:
              session (str): name of the scenario.
              data_type (str): data type.

            Returns:
              list[str]: messages.
            """
            return [
                event["message"]
                for event in live
                if event.get("session_identifier") == identifiers[session]
                and event["data_type"] == data_type
            ]

        self.assertEqual(
            [
                text.split(" ", 3)[2]
                for text in GetTexts("approvals", "hermes:permission:decision")
            ],
            ["approved", "approved", "blocked", "blocked", "blocked", "approved"],
        )
        self.assertEqual(
            GetTexts("pending", "hermes:permission:decision"),
            [
                "permission decision: pending pattern=recursive delete "
                "smart_denied=false command: rm -rf /home/alice/work/doomed/p1"
            ],
        )
        self.assertEqual(
            GetTexts("tui", "hermes:model:switch"),
            [
                "model: openai/gpt-5.1 -> anthropic/claude-opus-4.1 provider=custom",
                "model: anthropic/claude-opus-4.1 -> openai/gpt-5.1",
            ],
        )
        self.assertEqual(
            [
                text.split(" ", 1)[0]
                for text in GetTexts("rewind", "hermes:message:entry")
            ],
            ["user:", "assistant:"] + ["[rewound]"] * 4 + ["user:", "assistant:"],
        )
        self.assertEqual(
            {
                (event["session_identifier"], event["parent_relation"])
                for event in live
                if event.get("parent_relation") and not event.get("recovered")
            },
            {
                (identifiers["branch_child"], "branch"),
                (identifiers["comp_child"], "compression"),
                *(
                    (event["session_identifier"], "delegate")
                    for event in live
                    if event.get("session_source") == "subagent"
                ),
            },
        )

        # Copies that compaction made have its time, a microsecond after each other.
        rows = collections.defaultdict(list)
        for row in self.truth["databases"][".hermes/state.db"]["with_wal"]["messages"]:
            rows[row["session_id"]].append((row["id"], row["timestamp"]))
        expected = set()
        for session_rows in rows.values():
            session_rows.sort()
            for (first, time), (second, next_time) in itertools.pairwise(session_rows):
                if 0 < round((next_time - time) * 1000000) <= 1:
                    expected.update((first, second))
        self.assertEqual(len(expected), 24)
        # So have those that a branch begins with, of its four messages before.
        branch_rows = sorted(rows[identifiers["branch_child"]])[:4]
        self.assertLess(branch_rows[3][1] - branch_rows[0][1], 1)
        expected.update(identifier for identifier, _ in branch_rows)
        bulk_written = [event for event in live if event.get("bulk_written")]
        self.assertEqual(
            {event["record_identifier"] for event in bulk_written}, expected
        )
        for event in bulk_written:
            self.assertIn("[written in bulk] ", event["message"])

        # What only the log has is current, what it deleted is recovered.
        self.assertEqual(
            {
                bool(event.get("recovered"))
                for event in live
                if event.get("session_identifier") == identifiers["wal_only"]
            },
            {False},
        )
        deleted = [
            event
            for event in live
            if event.get("session_identifier") == identifiers["deleted_in_wal"]
        ]
        self.assertTrue(deleted)
        self.assertEqual({bool(event.get("recovered")) for event in deleted}, {True})


if __name__ == "__main__":
    unittest.main()

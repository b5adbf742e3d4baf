"""End-to-end tests: storage media images through the stock Plaso tools."""

import collections
import json
import os
import pathlib
import shutil
import tarfile
import unittest

from test_data import make_test_data
from tests import test_lib
from tests.end_to_end import tool_lib

# Events of the image's homes per data type, where an event data object can have
# several times. The live database has a write-ahead log.
EXPECTED_COUNT = {
    "hermes:conversation:generation": 1,
    "hermes:delegation:entry": 4,
    "hermes:gateway:heartbeat": 2,
    "hermes:gateway:route": 2,
    "hermes:message:entry": 22,
    "hermes:message:reasoning": 1,
    "hermes:message:tool_call": 6,
    "hermes:model:switch": 3,
    "hermes:model:usage": 8,
    "hermes:permission:decision": 3,
    "hermes:permission:setting": 3,
    "hermes:room:deletion": 1,
    "hermes:room:entry": 3,
    "hermes:room:event": 2,
    "hermes:session:admission": 1,
    "hermes:session:deletion": 2,
    "hermes:session:entry": 15,
    "hermes:session:mutation": 1,
    "hermes:session:relay": 1,
    "hermes:session:scratch_directory": 2,
    "hermes:snapshot:entry": 1,
    "hermes:store:creation": 1,
}

# Messages of the records, in the words of the event model.
EXPECTED_MESSAGES = (
    "session: cli Count lines again in /home/casey/work/site branch fix-nav model "
    "anthropic/claude-opus-4.1 ended user_exit id 20261029_093015_5c7e19a2 | "
    "archived=1",
    "[recovered from main_before_wal] session: cli Count lines in "
    "/home/casey/work/site branch fix-nav model anthropic/claude-opus-4.1 ended "
    "user_exit id 20261029_093015_5c7e19a2 | archived=1",
    "[recovered from main_before_wal] assistant: index.html has 212 lines.",
    "session: claude-code id 20261029_100200_00001a02 | imported from claude-code "
    "/home/casey/.claude/projects/p/s.jsonl session 11111111-2222",
    "user: how many lines in index.html?",
    "[rewound] user: a question that was taken back",
    "[compacted] user: old question",
    "[carried] user: carried question",
    "user: look at this \U0001f4f7 [image]",
    "user: only in the log",
    "[copy 20261029-100000-before-refactor] user: upload the customer list",
    "state snapshot 20261029-100000-before-refactor: older copy of state.db, 22 "
    "messages, 8 sessions, 2 unique messages",
    "system: process_complete: [background finished]",
    "tool_result write_file: written",
    "thinking: Count with wc.",
    "tool call: terminal: wc -l index.html",
    "tool call: write_file: a.txt",
    "permission decision: approved (Command required approval (recursive delete) and "
    "was approved by the user.) command: rm -rf build/",
    "permission decision: blocked Command denied: recursive delete. "
    "user_summary=rm -rf build/",
    "permission decision: pending pattern=sudo rm smart_denied=false command: sudo rm "
    "/etc/hosts",
    "permission setting: yolo_mode=true (from state.db sessions.model_config, "
    "started_at)",
    "model: openai/gpt-5.1 provider=openrouter",
    "model: openai/gpt-5.1 -> anthropic/claude-opus-4.1 provider=openrouter",
    "model: openai/gpt-5.1-mini task=title_generation",
    "session relayed: discord chat 55102 type channel user 88213 name ops_kim display "
    "build-alerts (from state.db sessions, started_at)",
    "scratch directory: /home/casey/work/site/.worktrees/nav (git worktree the agent "
    "created in /home/casey/work/site, branch hermes/nav)",
    "session deleted: 20261020_081200_77aa01fe (from state.db state_meta "
    "gateway.retired_session.v1, retired_at) sweep",
    "session deleted: 20260101_000000_00000001 (from state.db state_meta "
    "gateway.retired_session.v1, retired_at)",
    "relay peer: discord agent:main:discord:channel:55102 generation 3 (from state.db "
    "conversation_generations)",
    "bot mode room Launch (room-1) seq 2 message.user actor user:u1 (Casey): write the "
    "announcement",
    'bot mode room Launch (room-1) seq 1 room.created actor system:gateway: {"name": '
    '"Launch"}',
    "session changed: rename 20261029_093015_5c7e19a2 revision 2 "
    '{"session_id": "20261029_093015_5c7e19a2", "operation": "rename", "revision": 2, '
    '"title": "Count lines"}',
    "state database created (from state.db state_meta store_created_at_utc)",
    "delegated: List the files state completed session 20261029_093015_5c7e19a2 result "
    "index.html",
    "gateway heartbeat: backend-1 process 815 profile default host workstation",
    "session admission: queue queued by human to 20261028_201500_b41c0de7: deploy to "
    "production",
    "bot mode room deleted: room-0",
)


def CountHermes(events):
    """Counts the Hermes events per data type.

    Args:
      events (list[dict[str, object]]): events.

    Returns:
      dict[str, int]: number of events.
    """
    return dict(
        collections.Counter(
            event["data_type"]
            for event in events
            if event["data_type"].startswith("hermes:")
        )
    )


class ImagesTest(tool_lib.ToolTestCase):
    """End-to-end tests: storage media images through the stock Plaso tools."""

    def testNoParserOption(self):
        """Tests that Hermes is found in an image without a parser option."""
        storage_file = self.Extract(self.GetTestDataPath("linux_ext4.qcow2"))
        events = self.Export(storage_file)

        self.assertEqual(CountHermes(events), EXPECTED_COUNT)
        # Other parsers of the preset did their work beside ours.
        self.assertIn("fs:stat", {event["data_type"] for event in events})

        messages = {event["message"] for event in events}
        for message in EXPECTED_MESSAGES:
            self.assertIn(message, messages)

        self.assertEqual(
            dict(
                collections.Counter(
                    (event.get("username"), event.get("profile"), event["store"])
                    for event in events
                    if event["data_type"] == "hermes:message:entry"
                )
            ),
            {
                ("casey", "default", "snapshot"): 2,
                ("casey", "default", "state"): 18,
                ("casey", "work", "state"): 1,
                ("root", "default", "state"): 1,
            },
        )
        self.assertEqual(
            [
                (event["message"], event["recovery_source"])
                for event in events
                if event.get("recovered")
                and event["data_type"] == "hermes:message:entry"
            ],
            [
                (
                    "[recovered from main_before_wal] assistant: index.html has 212 "
                    "lines.",
                    "main_before_wal",
                )
            ],
        )

        # The entry of a route tells no zone: that of the image applies.
        self.assertEqual(
            {
                event["timestamp"]
                for event in events
                if event["data_type"] == "hermes:gateway:route"
                and event["timestamp_desc"] == "Creation Time"
            },
            {1793222100000001},
        )

        result = self.Run("pinfo", "--output-format", "json", storage_file)
        self.assertEqual(
            json.loads(result.stdout).get("warnings_by_parser_chain") or {}, {}
        )

    def testRawImage(self):
        """Tests the raw image with each way of running workers."""
        source = self.GetTestDataPath("linux_ext4.raw")
        for number, (arguments, start_method) in enumerate(
            (
                (("--single-process",), None),
                (("--workers", "1"), None),
                (("--workers", "2"), "spawn"),
                (("--workers", "2"), "forkserver"),
            )
        ):
            storage_file = self.Extract(
                source,
                "--parsers",
                "hermes",
                *arguments,
                name=f"{number:d}.plaso",
                start_method=start_method,
            )
            self.assertEqual(
                CountHermes(self.Export(storage_file)), EXPECTED_COUNT, arguments
            )

    def testOtherFormats(self):
        """Tests that the write-ahead log is found in each kind of image and archive."""
        tree = os.path.join(self.temporary_path, "tree")
        make_test_data.MakeHome(pathlib.Path(tree, "home", "casey", ".hermes"))
        tar_path = os.path.join(self.temporary_path, "home.tar")
        with tarfile.open(tar_path, "w") as archive:
            archive.add(tree, arcname=".")
        compressed_tar_path = os.path.join(self.temporary_path, "home.tgz")
        with tarfile.open(compressed_tar_path, "w:gz") as archive:
            archive.add(tree, arcname="evidence")
        zip_path = shutil.make_archive(tree, "zip", tree)

        for number, (source, arguments, number_of_messages, is_home_read) in enumerate(
            (
                (self.GetTestDataPath("linux_ext4.E01"), (), 22, True),
                (self.GetTestDataPath("windows_ntfs.raw"), (), 20, True),
                (tree, (), 20, True),
                # Every member of an archive has all its rows.
                (tar_path, ("--archives", "tar"), 37, False),
                (compressed_tar_path, ("--archives", "tar"), 37, False),
                (zip_path, ("--archives", "zip"), 37, False),
            )
        ):
            storage_file = self.Extract(
                source, "--parsers", "hermes", *arguments, name=f"{number:d}.plaso"
            )
            events = self.Export(storage_file)
            messages = [
                event
                for event in events
                if event["data_type"] == "hermes:message:entry"
            ]
            self.assertEqual(len(messages), number_of_messages, source)
            self.assertEqual(
                [event.get("text") for event in messages if event.get("recovered")],
                ["index.html has 212 lines."],
                source,
            )
            self.assertEqual(
                [event.get("text") for event in messages].count("only in the log"), 1
            )
            self.assertLessEqual(
                {event.get("username") for event in messages}, {"casey", "root"}
            )
            (snapshot,) = [
                event
                for event in events
                if event["data_type"] == "hermes:snapshot:entry"
            ]
            self.assertEqual(
                snapshot.get("number_of_unique_messages"), 2 if is_home_read else None
            )

    def testContainers(self):
        """Tests homes in volumes and layers, which tell no user."""
        storage_file = self.Extract(
            self.GetTestDataPath("containers_ext4.qcow2"), "--parsers", "hermes"
        )
        messages = [
            event
            for event in self.Export(storage_file)
            if event["data_type"] == "hermes:message:entry"
        ]
        number_per_path = collections.Counter(
            event["display_name"].partition(":/")[2] for event in messages
        )
        self.assertEqual(
            dict(number_per_path),
            {
                "home/casey/.local/share/containers/storage/volumes/hermes/_data/"
                "state.db": 1,
                "var/lib/containers/storage/volumes/hermes/_data/state.db": 1,
                "var/lib/docker/overlay2/0a1b2c/diff/opt/data/state.db": 1,
                "var/lib/docker/volumes/hermes-data/_data/state-snapshots/"
                "20261029-100000-before-refactor/state.db": 2,
                "var/lib/docker/volumes/hermes-data/_data/state.db": 18,
            },
        )
        self.assertEqual(
            {(event.get("username"), event["profile"]) for event in messages},
            {(None, "default")},
        )

    def testFilters(self):
        """Tests the filters that the README shows."""
        storage_file = self.Extract(
            self.GetTestDataPath("linux_ext4.raw"), "--parsers", "hermes"
        )
        for number, (_, filter_expression) in zip(
            (43, 3, 1, 63, 11, 0, 3, 4, 5), GetReadmeFilters()
        ):
            events = self.Export(storage_file, filter_expression)
            self.assertEqual(len(events), number, filter_expression)

    def testReadmeHasNineFilters(self):
        """Tests that no filter of the README is left out above."""
        self.assertEqual(len(GetReadmeFilters()), 9)

    def testTagging(self):
        """Tests that psort finds our tagging file by its name."""
        storage_file = self.Extract(
            self.GetTestDataPath("linux_ext4.raw"), "--parsers", "hermes"
        )
        events = self.Export(
            storage_file, "--analysis", "tagging", "--tagging-file", "tag_hermes.txt"
        )
        counter = collections.Counter()
        for event in events:
            counter.update((event.get("tag") or {}).get("labels", []))
        self.assertEqual(
            dict(counter),
            {
                "application_execution": 3,
                "hermes_approvals_off": 2,
                "hermes_command_approved": 1,
                "hermes_command_pending": 1,
                "hermes_command_refused": 1,
                "hermes_deletion": 3,
                "hermes_destructive_command": 2,
                "hermes_file_write": 1,
                "hermes_hidden_context": 1,
                "hermes_imported_session": 1,
                "hermes_network_access": 1,
                "hermes_privilege_change": 2,
                "hermes_recovered": 4,
                "hermes_remote_relay": 1,
            },
        )

    def testAppend(self):
        """Tests that a storage file of other evidence can be appended to."""
        storage_file = self.Extract(
            self.GetTestDataPath("state_oldest.db"), "--parsers", "hermes"
        )
        self.assertEqual(len(self.Export(storage_file)), 3)
        self.Extract(self.GetTestDataPath("linux_ext4.raw"), "--parsers", "hermes")
        self.assertEqual(
            len(self.Export(storage_file)), 3 + sum(EXPECTED_COUNT.values())
        )

    def testShortMessages(self):
        """Tests the short messages, as the l2t_csv output has them."""
        storage_file = self.Extract(
            self.GetTestDataPath("linux_ext4.raw"), "--parsers", "hermes"
        )
        lines = self.Export(storage_file, output_format="l2tcsv")
        short_messages = {line.split(",")[9] for line in lines[1:]}
        for message in (
            "permission approved: rm -rf build/ Command required approval (recursive "
            "delet...",
            "tool call: terminal: sudo rm /etc/hosts",
            "session: cli Count lines again /home/casey/work/site",
            "relayed: discord chat 55102 name ops_kim display build-alerts",
        ):
            self.assertIn(message, short_messages)
        for message in short_messages:
            self.assertLessEqual(len(message), 80)

    def testWithoutExtension(self):
        """Tests psort where only the formatters are at hand, and a run without us."""
        storage_file = self.Extract(
            self.GetTestDataPath("state_oldest.db"), "--parsers", "hermes"
        )
        events = self.Export(
            storage_file,
            "--custom-formatter-definitions",
            os.path.join(test_lib.PROJECT_PATH, "formatters", "hermes.yaml"),
            environment={"HERMES_PLASO_DISABLE": "1"},
        )
        self.assertEqual(
            sorted(event["message"] for event in events),
            ["model: a/b", "session: cli id s1", "user: hello"],
        )

        # Without the extension the preset is unknown, which is told.
        result = self.Run(
            "log2timeline",
            "--quiet",
            "--unattended",
            "--status-view",
            "none",
            "--parsers",
            "hermes",
            "--storage-file",
            "off.plaso",
            self.GetTestDataPath("state_oldest.db"),
            environment={"HERMES_PLASO_DISABLE": "1"},
            expected=None,
        )
        self.assertIn("hermes", result.stdout + result.stderr)
        self.assertNotEqual(result.returncode, 0)


def GetReadmeFilters():
    """Retrieves the psort filters that the README shows.

    Returns:
      list[tuple[str, str]]: description and filter.
    """
    filters = []
    description = None
    path = os.path.join(test_lib.PROJECT_PATH, "README.md")
    with open(path, encoding="utf-8") as file_object:
        for line in file_object:
            if line.startswith("# "):
                description = line[2:].strip()
            elif line.startswith("psort -w timeline.csv case.plaso "):
                _, _, expression = line.strip().partition("case.plaso ")
                filters.append((description, expression.strip('"')))
    return filters


if __name__ == "__main__":
    unittest.main()

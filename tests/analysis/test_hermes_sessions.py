"""Tests for the hermes_sessions analysis plugin."""

import argparse
import json
import os
import unittest

from plaso.lib import errors

from hermes_plaso.analysis import hermes_sessions
from hermes_plaso.analysis import sessions_arguments

from tests.analysis import analysis_lib

_TIME = 1793266213000000


class HermesSessionsAnalysisPluginTest(analysis_lib.AnalysisTestCase):
    """Tests for the hermes_sessions analysis plugin."""

    def AddSession(self):
        """Adds the events of a session and of its child."""
        session = {
            "input_tokens": 10,
            "message_count": 6,
            "model": "m",
            "output_tokens": 5,
            "project_path": "/p",
            "session_source": "cli",
            "title": "New",
            "turn_type": None,
            "username": "casey",
        }
        self.AddEvent("hermes:session:entry", _TIME, "Start Time", **session)
        self.AddEvent("hermes:session:entry", _TIME + 9, "End Time", **session)
        # What it was before counts for nothing.
        self.AddEvent(
            "hermes:session:entry",
            _TIME,
            "Start Time",
            recovered=True,
            **{**session, "title": "Old", "end_reason": "crash"},
        )
        for index, reason in enumerate((None, "rewound", "carried")):
            self.AddEvent(
                "hermes:message:entry",
                _TIME + index,
                text="hello",
                inactive_reason=reason,
                record_identifier=index,
            )
        # The version of a row before it was rewound is the same turn.
        self.AddEvent("hermes:message:entry", _TIME + 1, text="hello", recovered=True)
        self.AddEvent(
            "hermes:message:entry", None, text="hello", store="response_store"
        )
        for index in range(2):
            self.AddEvent(
                "hermes:message:tool_call",
                _TIME + 10 * _TIME + index,
                arguments='{"command": "ls"}',
                command="ls",
                record_identifier=f"7:{index:d}",
                tool_name="terminal",
                turn_type="tool_use",
            )
        self.AddEvent(
            "hermes:message:tool_call",
            _TIME,
            arguments="{}",
            path="/p/a",
            record_identifier="8:0",
            turn_type="tool_use",
        )
        self.AddEvent(
            "hermes:permission:decision",
            _TIME,
            command="rm -r /",
            decided_by="hardline",
            outcome="blocked",
        )
        usage = {"model": "m", "provider": "p", "turn_type": None}
        self.AddEvent(
            "hermes:model:usage", _TIME, input_tokens=4, recovered=True, **usage
        )
        for description in ("First Access Time", "Last Used Time"):
            self.AddEvent(
                "hermes:model:usage", _TIME, description, input_tokens=10, **usage
            )
        self.AddEvent(
            "hermes:session:entry",
            _TIME + 20,
            "Start Time",
            parent_relation="branch",
            parent_session_identifier="s",
            session_identifier="child",
            turn_type=None,
        )
        self.AddEvent(
            "hermes:message:entry",
            _TIME - 5,
            copy_identifier="1",
            session_identifier="deleted",
            store="snapshot",
            text="gone",
        )
        self.AddEvent(
            "hermes:session:deletion",
            _TIME + 30,
            session_identifier="deleted",
            turn_type=None,
        )
        self.AddEvent(
            "hermes:prompt_history:entry",
            _TIME,
            session_identifier=None,
            store="prompt_history",
            text="hello",
        )

    def testFile(self):
        """Tests the file and the report."""
        self.AddSession()
        path = os.path.join(self.temporary_path, "sessions.json")
        plugin = hermes_sessions.HermesSessionsAnalysisPlugin()
        plugin.SetPath(path)
        report = self.Analyze(plugin)
        self.assertEqual(self.GetWarnings(), [])

        with open(path, encoding="utf-8") as file_object:
            document = json.load(file_object)
        self.assertEqual(document["events_without_session"], {"prompt_history": 1})
        self.assertEqual(
            [session["session_identifier"] for session in document["sessions"]],
            ["deleted", "s", "child"],
        )
        deleted, session, child = document["sessions"]

        self.assertEqual(
            {
                name: value
                for name, value in session.items()
                if name not in ("commands", "stores")
            },
            {
                "children": [
                    {
                        "parent_relation": "branch",
                        "session_identifier": "child",
                        "time": "2026-10-29T09:30:13.000020+00:00",
                    }
                ],
                "decisions": [
                    {
                        "command": "rm -r /",
                        "count": 1,
                        "decided_by": "hardline",
                        "outcome": "blocked",
                        "time": "2026-10-29T09:30:13.000000+00:00",
                    }
                ],
                "end_time": "2026-10-29T09:30:13.000009+00:00",
                "files": [
                    {
                        "count": 1,
                        "path": "/p/a",
                        "time": "2026-10-29T09:30:13.000000+00:00",
                        "tool_name": None,
                    }
                ],
                "in_live_store": True,
                "inactive_turns": {"rewound": 1},
                "input_tokens": 10,
                "message_count": 6,
                "messages_read": 5,
                "model": "m",
                "models": [
                    {
                        "input_tokens": 10,
                        "model": "m",
                        "provider": "p",
                        "time": "2026-10-29T09:30:13.000000+00:00",
                    }
                ],
                "output_tokens": 5,
                "project_path": "/p",
                "session_identifier": "s",
                "evidence": "",
                "home": "home/a/.hermes",
                "profile": "default",
                "session_source": "cli",
                "start_time": "2026-10-29T09:30:13.000000+00:00",
                "title": "New",
                "tools": {"terminal": 2, "unknown": 1},
                "turns": {"user": 2},
                "username": "casey",
            },
        )
        (command,) = session["commands"]
        self.assertEqual((command["command"], command["count"]), ("ls", 2))
        self.assertEqual(
            [
                (store["store"], store["events"], store["duplicates"])
                for store in session["stores"]
                if not store.get("recovered")
            ],
            [("response_store", 1, 1), ("state", 11, 0)],
        )
        self.assertFalse(deleted["in_live_store"])
        self.assertEqual(
            deleted["deletions"], [{"time": "2026-10-29T09:30:13.000030+00:00"}]
        )
        self.assertTrue(child["in_live_store"])

        self.assertIn("3 sessions, 2 in a live store.", report.text)
        self.assertIn(
            's: cli, of casey, "New", in /p, m, from 2026-10-29T09:30:13.000000+00:00, '
            "to 2026-10-29T09:30:13.000009+00:00, 2 user turns, "
            "5 of 6 messages in the live store, 3 tool calls (unknown 1, terminal 2), "
            "1 blocked, 1 path, 1 child, 15 tokens",
            report.text,
        )
        self.assertIn(
            "deleted 2026-10-29T09:30:13.000030+00:00, not in the live store, "
            "1 event only copies hold.",
            report.text,
        )

    def testCompactionCopies(self):
        """Tests that copies that compaction stamped anew are no turns."""
        step = 20000000
        # Said twice, and compacted.
        for index, turn_type in enumerate(("user", "assistant") * 2):
            self.AddEvent(
                "hermes:message:entry",
                _TIME + index * step,
                text="hello",
                inactive_reason="compacted",
                turn_type=turn_type,
            )
        self.AddEvent(
            "hermes:message:tool_call",
            _TIME,
            arguments="{}",
            inactive_reason="compacted",
            tool_name="terminal",
            turn_type="tool_use",
        )
        # The copies, the first of which was compacted a second time.
        for index, (turn_type, text, reason) in enumerate(
            (
                ("user", "hello", "compacted"),
                ("assistant", "compaction summary: hello", None),
                ("user", "hello", None),
                ("assistant", "hello", None),
            )
        ):
            self.AddEvent(
                "hermes:message:entry",
                _TIME + 9 * step + index,
                bulk_written=1,
                text=text,
                inactive_reason=reason,
                turn_type=turn_type,
            )
        self.AddEvent(
            "hermes:message:tool_call",
            _TIME + 9 * step + 2,
            arguments="{}",
            bulk_written=1,
            tool_name="terminal",
            turn_type="tool_use",
        )
        # Said again after it.
        self.AddEvent(
            "hermes:message:entry", _TIME + 10 * step, text="hello", turn_type="user"
        )

        path = os.path.join(self.temporary_path, "sessions.json")
        plugin = hermes_sessions.HermesSessionsAnalysisPlugin()
        plugin.SetPath(path)
        self.Analyze(plugin)
        with open(path, encoding="utf-8") as file_object:
            (session,) = json.load(file_object)["sessions"]
        self.assertEqual(session["turns"], {"assistant": 3, "user": 3})
        self.assertEqual(session["tools"], {"terminal": 1})
        self.assertEqual(session["inactive_turns"], {"compacted": 4})

    def testManySessions(self):
        """Tests that the text of the report is limited and the file is not."""
        for index in range(1005):
            self.AddEvent(
                "hermes:message:entry",
                index + 1,
                session_identifier=f"s{index:d}",
                text="hello",
            )
        path = os.path.join(self.temporary_path, "sessions.json")
        plugin = hermes_sessions.HermesSessionsAnalysisPlugin()
        plugin.SetPath(path)
        report = self.Analyze(plugin)
        self.assertIn("1005 sessions, 1005 in a live store.", report.text)
        self.assertIn("5 more sessions", report.text)
        with open(path, encoding="utf-8") as file_object:
            self.assertEqual(len(json.load(file_object)["sessions"]), 1005)

    def testUnwritableFile(self):
        """Tests a file that cannot be written."""
        self.AddSession()
        plugin = hermes_sessions.HermesSessionsAnalysisPlugin()
        plugin.SetPath(os.path.join(self.temporary_path, "missing", "sessions.json"))
        report = self.Analyze(plugin)
        self.assertIn("3 sessions", report.text)
        (warning,) = self.GetWarnings()
        self.assertIn("unable to write sessions file", warning)

    def testNothing(self):
        """Tests that there are no events of Hermes."""
        path = os.path.join(self.temporary_path, "sessions.json")
        plugin = hermes_sessions.HermesSessionsAnalysisPlugin()
        plugin.SetPath(path)
        report = self.Analyze(plugin)
        self.assertEqual(report.text, "No sessions, 0 in a live store.")
        with open(path, encoding="utf-8") as file_object:
            self.assertEqual(
                json.load(file_object), {"events_without_session": {}, "sessions": []}
            )

    def testArguments(self):
        """Tests the arguments."""
        helper = sessions_arguments.HermesSessionsAnalysisArgumentsHelper
        plugin = hermes_sessions.HermesSessionsAnalysisPlugin()
        options = argparse.Namespace(hermes_sessions_file=None)
        helper.ParseOptions(options, plugin)

        for path in (self.temporary_path, "/does/not/exist/sessions.json"):
            options = argparse.Namespace(hermes_sessions_file=path)
            with self.assertRaises(errors.BadConfigOption):
                helper.ParseOptions(options, plugin)
        with self.assertRaises(errors.BadConfigObject):
            helper.ParseOptions(options, object())

    def testHomes(self):
        """Tests that a session of one identifier in two homes is two sessions."""
        for user in "ab":
            self.AddEvent(
                "hermes:message:entry",
                _TIME,
                location=f"/home/{user:s}/.hermes/state.db",
                text=user,
            )
        self.AddEvent(
            "hermes:message:entry",
            _TIME,
            location="/home/a/.hermes/profiles/work/sessions/20260101_000000_ab.jsonl",
            store="divert",
            text="a",
        )
        # The logs of a home name sessions of its profiles.
        self.AddEvent(
            "hermes:log:line",
            _TIME,
            location="/home/a/.hermes/logs/agent.log",
            session_identifier="t",
            store="log",
            tier="log",
        )
        self.AddEvent(
            "hermes:message:entry",
            _TIME + 1,
            location="/home/a/.hermes/profiles/work/state.db",
            session_identifier="t",
            text="a",
        )
        path = os.path.join(self.temporary_path, "sessions.json")
        plugin = hermes_sessions.HermesSessionsAnalysisPlugin()
        plugin.SetPath(path)
        self.Analyze(plugin)
        with open(path, encoding="utf-8") as file_object:
            sessions = json.load(file_object)["sessions"]
        self.assertEqual(
            [
                (session["home"], session["profile"], session["in_live_store"])
                for session in sessions
            ],
            [
                ("home/a/.hermes", "default", True),
                ("home/a/.hermes", "work", False),
                ("home/b/.hermes", "default", True),
                ("home/a/.hermes", "work", True),
            ],
        )
        self.assertEqual(
            [store["store"] for store in sessions[-1]["stores"]], ["log", "state"]
        )


if __name__ == "__main__":
    unittest.main()

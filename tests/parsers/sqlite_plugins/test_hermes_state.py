"""Tests for the SQLite parser plugin for Hermes Agent state database files."""

import contextlib
import json
import os
import shutil
import sqlite3
import unittest
from unittest import mock

from hermes_plaso.parsers import sqlite_reader
from tests import test_lib

SESSION = "20261029_093015_5c7e19a2"


class HermesStatePluginTest(test_lib.ParserTestCase):
    """Tests for the SQLite parser plugin for Hermes Agent state database files."""

    # pylint: disable=protected-access

    def ParseState(self, path):
        """Parses a state database.

        Args:
          path (str): path, relative to the test data if it is not absolute.

        Returns:
          ParseResult: what the plugin produced.
        """
        path = os.path.join(test_lib.TEST_DATA_PATH, path)
        return self.Parse(path, "sqlite/hermes_state")

    def testProcess(self):
        """Tests the Process function on a database of schema 32."""
        result = self.ParseState("state.db")

        self.assertEqual(result.warnings, [])
        self.assertEqual(result.recovery_warnings, [])
        self.assertEqual(
            result.Count(),
            {
                "hermes:conversation:generation": 1,
                "hermes:delegation:entry": 1,
                "hermes:gateway:heartbeat": 1,
                "hermes:gateway:route": 1,
                "hermes:message:entry": 17,
                "hermes:message:reasoning": 1,
                "hermes:message:tool_call": 6,
                "hermes:model:switch": 1,
                "hermes:model:usage": 4,
                "hermes:permission:decision": 3,
                "hermes:permission:setting": 3,
                "hermes:room:deletion": 1,
                "hermes:room:entry": 1,
                "hermes:room:event": 2,
                "hermes:session:admission": 1,
                "hermes:session:deletion": 2,
                "hermes:session:entry": 7,
                "hermes:session:mutation": 1,
                "hermes:session:relay": 1,
                "hermes:session:scratch_directory": 2,
                "hermes:store:creation": 1,
            },
        )

    def testSessions(self):
        """Tests the records of sessions."""
        result = self.ParseState("state.db")

        sessions = result.Get("hermes:session:entry")
        self.CheckEventData(
            sessions[0],
            {
                "archived": 1,
                "auto_archived": None,
                "created_source": "cli",
                "end_reason": "user_exit",
                "end_time": "2026-10-29T09:40:15.250000+00:00",
                "estimated_cost_usd": 0.0125,
                "git_branch": "fix-nav",
                "input_tokens": 1600,
                "last_active_time": "2026-10-29T09:40:14.500000+00:00",
                "message_count": 17,
                "model": "anthropic/claude-opus-4.1",
                "pinned": 1,
                "profile": "default",
                "project_path": "/home/casey/work/site",
                "record_identifier": 1,
                "recovered": None,
                "schema_version": 32,
                "session_identifier": SESSION,
                "session_source": "cli",
                "start_time": "2026-10-29T09:30:15.000000+00:00",
                "store": "state",
                "tier": "primary",
                "time_value": None,
                "title": "Count lines",
                "tool_call_count": 6,
            },
        )
        self.assertEqual(
            [
                (session.parent_session_identifier, session.parent_relation)
                for session in sessions
            ],
            [
                (None, None),
                (None, None),
                (SESSION, "branch"),
                (SESSION, "delegate"),
                (None, None),
                (None, None),
                (None, None),
            ],
        )
        self.CheckEventData(
            sessions[4],
            {
                "imported_path": "/home/casey/.claude/projects/p/s.jsonl",
                "imported_session_identifier": "11111111-2222",
                "imported_tool": "claude-code",
            },
        )
        self.CheckEventData(
            result.Get("hermes:session:relay")[0],
            {
                "chat_display_name": "build-alerts",
                "chat_identifier": "55102",
                "chat_type": "channel",
                "session_identifier": "20261028_201500_b41c0de7",
                "session_source": "discord",
                "start_time": "2026-10-28T20:15:00.000000+00:00",
                "user_identifier": "88213",
                "user_name": "ops_kim",
            },
        )
        self.assertEqual(
            [
                (event_data.path, event_data.repository, event_data.git_branch)
                for event_data in result.Get("hermes:session:scratch_directory")
            ],
            [
                (
                    "/home/casey/work/site/.worktrees/nav",
                    "/home/casey/work/site",
                    "hermes/nav",
                ),
                (
                    "/home/casey/work/site/.worktrees/classic",
                    "/home/casey/work/site",
                    None,
                ),
            ],
        )
        self.assertEqual(
            sessions[6].local_policy_path, "/home/casey/work/site/.worktrees/classic"
        )

        deletions = result.Get("hermes:session:deletion")
        self.CheckEventData(
            deletions[0],
            {
                "deletion_time": "2026-10-28T23:11:40.250000+00:00",
                "session_identifier": "20261020_081200_77aa01fe",
                "sweep": 1,
            },
        )
        # A marker without a time is a deletion all the same.
        self.CheckEventData(
            deletions[1],
            {
                "deletion_time": None,
                "session_identifier": "20260101_000000_00000001",
                "sweep": None,
            },
        )
        self.CheckEventData(
            result.Get("hermes:session:mutation")[0],
            {
                "operation": "rename",
                "session_identifier": SESSION,
                "session_revision": 2,
            },
        )

    def testMessages(self):
        """Tests the records of messages."""
        result = self.ParseState("state.db")

        self.assertEqual(
            [
                (
                    event_data.record_identifier,
                    event_data.turn_type,
                    event_data.inactive_reason,
                    event_data.text[:40] if event_data.text else None,
                )
                for event_data in result.Get("hermes:message:entry")
            ],
            [
                (1, "user", None, "how many lines in index.html?"),
                (3, "tool_result", None, '{"output": "212 index.html", "exit_code"'),
                (4, "assistant", None, "Three calls at once."),
                (5, "tool_result", None, '{"output": "", "exit_code": 0, "error": '),
                (6, "tool_result", None, "written"),
                (8, "tool_result", None, '{"output": "", "exit_code": -1, "error":'),
                (10, "system", None, "process_complete: [background finished]"),
                (11, "assistant", None, "index.html has 212 lines."),
                (12, "user", "rewound", "a question that was taken back"),
                (13, "user", "compacted", "old question"),
                (14, "user", "carried", "carried question"),
                (15, "user", None, "carried question"),
                (16, "system", None, "compaction summary: [CONTEXT COMPACTION "),
                (17, "user", None, "look at this \U0001f4f7\n[image]"),
                (18, "tool_result", None, '{"output": "", "exit_code": -1, "error":'),
                (19, "system", None, None),
                (20, "user", None, "a message whose session row is gone"),
            ],
        )
        messages = result.Get("hermes:message:entry")
        self.CheckEventData(
            messages[0],
            {
                "active": 1,
                "api_content": "how many lines in index.html?\n\n[memory: prefers wc]",
                "recorded_time": "2026-10-29T09:30:16.400000+00:00",
                "role": "user",
                "session_identifier": SESSION,
            },
        )
        self.CheckEventData(
            messages[13], {"recorded_time": "2026-10-29T09:30:48.123456+00:00"}
        )
        self.CheckEventData(
            messages[16],
            {"project_path": None, "session_identifier": "20261001_000000_00000000"},
        )
        self.CheckEventData(
            result.Get("hermes:message:reasoning")[0],
            {
                "finish_reason": "tool_calls",
                "record_identifier": 2,
                "recorded_time": "2026-10-29T09:30:17.900000+00:00",
                "text": "Count with wc.",
                "token_count": 12,
                "turn_type": "thinking",
            },
        )
        self.assertEqual(
            [
                (event_data.tool_name, event_data.text, event_data.tool_call_identifier)
                for event_data in result.Get("hermes:message:tool_call")
            ],
            [
                ("terminal", "wc -l index.html", "call_1"),
                ("terminal", "rm -rf build/", "call_2"),
                ("write_file", "a.txt", "call_3"),
                ("web_extract", "https://example.com/page", "call_4"),
                ("terminal", "sudo rm /etc/hosts", "call_5"),
                ("search", "line count", "call_6"),
            ],
        )

    def testPermissions(self):
        """Tests the records of permissions."""
        result = self.ParseState("state.db")

        decisions = result.Get("hermes:permission:decision")
        self.assertEqual(
            [(decision.outcome, decision.command) for decision in decisions],
            [
                ("approved", "rm -rf build/"),
                ("pending", "sudo rm /etc/hosts"),
                ("blocked", None),
            ],
        )
        self.CheckEventData(
            decisions[1],
            {
                "allow_permanent": 1,
                "description": "privileged delete",
                "pattern_key": "sudo rm",
                "recorded_time": "2026-10-29T09:30:24.000000+00:00",
                "smart_denied": None,
                "text": "pending pattern=sudo rm smart_denied=false",
                "tool_call_identifier": "call_5",
            },
        )
        self.assertEqual(decisions[2].user_summary, "rm -rf build/")
        self.assertEqual(
            [
                (setting.setting, setting.value, setting.origin)
                for setting in result.Get("hermes:permission:setting")
            ],
            [
                ("yolo_mode", "true", "state.db sessions.model_config, started_at"),
                ("yolo_mode", "false", "state.db sessions.model_config, started_at"),
                ("yolo", "true", "state.db gateway_routing, updated_at"),
            ],
        )

    def testModels(self):
        """Tests the records of models."""
        result = self.ParseState("state.db")

        self.assertEqual(
            [
                (usage.previous_model, usage.model, usage.provider, usage.task)
                for usage in result.Get("hermes:model:usage")
            ],
            [
                # The session without usage rows comes first, with its own row.
                (None, "openai/gpt-5.1", None, None),
                (None, "openai/gpt-5.1", "openrouter", None),
                (
                    "openai/gpt-5.1",
                    "anthropic/claude-opus-4.1",
                    "openrouter",
                    None,
                ),
                (None, "openai/gpt-5.1-mini", None, "title_generation"),
            ],
        )
        self.CheckEventData(
            result.Get("hermes:model:switch")[0],
            {
                "display_kind": "model_switch",
                "model": "anthropic/claude-opus-4.1",
                "previous_model": "openai/gpt-5.1",
                "provider": "openrouter",
                "recorded_time": "2026-10-29T09:30:30.000000+00:00",
                "text": "model: openai/gpt-5.1 -> anthropic/claude-opus-4.1 "
                "provider=openrouter",
                "turn_type": "system",
            },
        )

    def testGatewayAndRooms(self):
        """Tests the records of the gateway, the runtime and rooms."""
        result = self.ParseState("state.db")

        route = result.Get("hermes:gateway:route")[0]
        self.CheckEventData(
            route,
            {
                "chat_identifier": "55102",
                "session_identifier": "20261028_201500_b41c0de7",
                "session_key": "agent:main:discord:channel:55102",
                "session_source": "discord",
                "update_time": "2026-10-28T20:26:54.500000+00:00",
                "user_name": "ops_kim",
            },
        )
        # The entry tells no zone.
        self.assertTrue(route.creation_time.is_local_time)

        self.CheckEventData(
            result.Get("hermes:session:admission")[0],
            {
                "admission_status": "queued",
                "intent": "queue",
                "payload_keys": ["attachments", "text"],
                "principal_identifier": "human",
                "text": "deploy to production",
            },
        )
        self.CheckEventData(
            result.Get("hermes:delegation:entry")[0],
            {
                "delivery_time": "2026-10-29T09:31:57.000000+00:00",
                "end_time": "2026-10-29T09:31:56.500000+00:00",
                "live_transcripts": ["/home/casey/.hermes/cache/task-0.log"],
                "result": "index.html",
                "start_time": "2026-10-29T09:31:55.000000+00:00",
                "text": "List the files",
            },
        )
        self.CheckEventData(
            result.Get("hermes:gateway:heartbeat")[0],
            {
                "backend_identifier": "backend-1",
                "gateway_host": "workstation",
                "last_active_time": "2026-10-29T09:30:16.000000+00:00",
                "process_identifier": 815,
            },
        )
        self.CheckEventData(
            result.Get("hermes:conversation:generation")[0],
            {
                "generation": 3,
                "session_key": "agent:main:discord:channel:55102",
                "session_source": "discord",
            },
        )
        self.CheckEventData(
            result.Get("hermes:room:entry")[0],
            {
                "creation_time": "2026-10-29T09:30:25.000000+00:00",
                "end_time": "2026-10-29T09:30:27.000000+00:00",
                "room_name": "Launch",
            },
        )
        self.CheckEventData(
            result.Get("hermes:room:deletion")[0],
            {
                "deletion_time": "2026-10-29T09:30:28.000000+00:00",
                "room_identifier": "room-0",
            },
        )
        self.CheckEventData(
            result.Get("hermes:room:event")[1],
            {
                "actor_identifier": "u1",
                "actor_kind": "user",
                "actor_name": "Casey",
                "event_kind": "message.user",
                "room_name": "Launch",
                "sequence_number": 2,
                "text": "write the\nannouncement",
            },
        )
        self.CheckEventData(
            result.Get("hermes:store:creation")[0],
            {"creation_time": "2026-10-03T12:57:08.896246+00:00"},
        )

    def testResults(self):
        """Tests what is kept of the requests of a session that was deleted."""
        result = self.ParseState("state_runtime.db")

        self.assertEqual(result.warnings, [])
        self.assertEqual(
            result.Count(),
            {
                "hermes:message:entry": 1,
                "hermes:session:admission": 2,
                "hermes:session:entry": 1,
                "hermes:session:result": 2,
                "hermes:session:system_prompt": 2,
            },
        )
        kept, live = result.Get("hermes:session:admission")[::-1]
        if kept.retired is None:
            kept, live = live, kept
        self.CheckEventData(
            kept,
            {
                "admission_identifier": "adm-0",
                "admission_status": "terminal",
                "outcome": "completed",
                "principal_identifier": "human",
                "request_identifier": "req-0",
                "retired": 1,
                "session_identifier": "20261020_081200_77aa01fe",
                "text": None,
            },
        )
        self.CheckEventData(live, {"retired": None, "text": "say it again"})

        deleted, live = result.Get("hermes:session:result")
        self.CheckEventData(
            deleted,
            {
                "admission_identifier": "adm-0",
                "api_call_count": 2,
                "completed": 1,
                "error": None,
                "estimated_cost_usd": 0.0125,
                "exit_reason": "text_response",
                "input_tokens": 900,
                "model": "openai/gpt-5.1",
                "output_tokens": 40,
                "session_identifier": "20261020_081200_77aa01fe",
                "text": "The tunnel to 203.0.113.9 is open.",
            },
        )
        self.assertIn('"content": "open the tunnel"', deleted.turn_messages)
        # The messages of a session that is there are read where they are.
        self.CheckEventData(
            live,
            {
                "completed": None,
                "error": "interrupted",
                "session_identifier": "s1",
                "text": None,
                "turn_messages": None,
            },
        )

    def testSystemPrompts(self):
        """Tests what the model was told before anything else."""
        result = self.ParseState("state_runtime.db")

        used, unused = result.Get("hermes:session:system_prompt")
        self.CheckEventData(
            used,
            {
                "prompt_hash": "5e11",
                "session_identifier": "s1",
                "start_time": "2026-10-29T09:30:15.000000+00:00",
                "text": "You are Hermes.\n\nAGENTS.md: always deploy on Fridays.",
            },
        )
        # A list of the names of tools is none, and is not told.
        self.CheckEventData(
            unused,
            {
                "prompt_hash": "dead",
                "session_identifier": None,
                "start_time": None,
                "text": "You are Hermes, asked by somebody who is gone.",
            },
        )

        # Older builds keep the prompt with the session.
        path = os.path.join(self.temporary_path, "state.db")
        test_lib.CreateDatabase(
            path,
            [
                "CREATE TABLE sessions (id TEXT, source TEXT, started_at REAL, "
                "system_prompt TEXT)",
                "CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, "
                "role TEXT, content TEXT, timestamp REAL)",
                "INSERT INTO sessions VALUES ('s1', 'cli', 1793266215.5, 'Be kind.')",
            ],
        )
        (prompt,) = self.ParseState(path).Get("hermes:session:system_prompt")
        self.CheckEventData(
            prompt,
            {
                "prompt_hash": None,
                "session_identifier": "s1",
                "start_time": "2026-10-29T09:30:15.500000+00:00",
                "text": "Be kind.",
            },
        )

    def testSystemPromptsOfOddHashes(self):
        """Tests prompts that no session has, whatever names them."""
        for encoding in ("UTF-8", "UTF-16le"):
            self.CheckOddHashes(encoding)

    def CheckOddHashes(self, encoding):
        """Checks prompts that no session has.

        Args:
          encoding (str): encoding of the database.
        """
        path = os.path.join(self.temporary_path, f"{encoding:s}.db")
        test_lib.CreateDatabase(
            path,
            [
                f"PRAGMA encoding = '{encoding:s}'",
                "CREATE TABLE sessions (id TEXT, source TEXT, started_at REAL, "
                "system_prompt_hash)",
                "CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, "
                "role TEXT, content TEXT, timestamp REAL)",
                "CREATE TABLE system_prompts (hash, prompt)",
                "INSERT INTO system_prompts VALUES (NULL, '1'), (x'00ff', '2'), "
                "('', '3'), (1e20, '4'), (9e999, '5'), (CAST(x'61ff' AS TEXT), '6'), "
                "(CAST(x'6100' AS TEXT), '7'), ('é', '8'), ('abc', '9')",
            ],
        )
        prompts = self.ParseState(path).Get("hermes:session:system_prompt")
        self.assertEqual(
            [event_data.text for event_data in prompts],
            [str(number) for number in range(1, 10)],
        )

    def testOldestStructure(self):
        """Tests the smallest structure that identifies a state database."""
        result = self.ParseState("state_oldest.db")

        self.assertEqual(result.warnings, [])
        self.assertEqual(
            result.Count(),
            {
                "hermes:message:entry": 1,
                "hermes:model:switch": 1,
                "hermes:session:entry": 1,
            },
        )
        self.assertEqual(result.Get("hermes:model:switch")[0].text, "model: a/b")

    def testMalformedRecords(self):
        """Tests that a record that cannot be decoded costs no other."""
        result = self.ParseState("state_malformed.db")

        self.assertEqual(
            result.Count(),
            {
                "hermes:gateway:route": 1,
                "hermes:message:entry": 6,
                "hermes:room:event": 1,
                "hermes:session:entry": 1,
                "hermes:session:result": 1,
                "hermes:store:creation": 1,
                "hermes:unparsed:entry": 12,
            },
        )
        self.assertEqual(len(result.warnings), 15)
        self.assertEqual(
            [event_data.text for event_data in result.Get("hermes:message:entry")],
            [
                "\\x89PNG\x00",
                "42",
                "lone \\ud800",
                "\x00json:{broken",
                "h\\xe9 \\xff",
                "\\ud800 lone",
            ],
        )
        self.CheckEventData(
            result.Get("hermes:session:entry")[0],
            {"start_time": None, "time_value": "soon; 5e+246"},
        )
        unparsed = result.Get("hermes:unparsed:entry")
        self.assertEqual(
            [event_data.value for event_data in unparsed],
            [
                "{broken",
                "[1]",
                "[",
                "{broken",
                "gone",
                "7",
                "[]",
                "{broken",
                "[",
                "nobody",
                "[]",
                "not JSON",
            ],
        )
        self.assertEqual(
            [event_data.session_identifier for event_data in unparsed],
            ["s1", "s1", "s1", "s1", "s2", None, None, None, "s3", None, None, None],
        )
        for event_data in unparsed:
            self.assertIn(
                f"{event_data.reason:s}: {event_data.value:s}", result.warnings
            )

    def testBulkWritten(self):
        """Tests messages that were written several at a time."""
        path = os.path.join(self.temporary_path, "state.db")
        shutil.copyfile(os.path.join(test_lib.TEST_DATA_PATH, "state_oldest.db"), path)
        with contextlib.closing(sqlite3.connect(path)) as connection:
            connection.execute("DELETE FROM messages")
            calls = json.dumps([{"id": "c", "function": {"name": "terminal"}}])
            for identifier, session, role, time in (
                (1, "s1", "user", 0.25),
                (2, "s1", "assistant", 0.25 + 4e-6),
                (3, "s1", "user", 20.25),
                (4, "s2", "user", 20.250001),
                (5, "s1", "assistant", 20.250001),
                (6, "s1", "user", 20.250002),
                (7, "s2", "assistant", 20.250001),
                (8, "s1", "user", "text"),
            ):
                connection.execute(
                    "INSERT INTO messages (id, session_id, role, content, tool_calls, "
                    "timestamp) VALUES (?, ?, ?, 'x', ?, ?)",
                    (
                        identifier,
                        session,
                        role,
                        calls if identifier in (2, 5) else None,
                        1793266213 + time if isinstance(time, float) else time,
                    ),
                )
            connection.commit()
        result = self.ParseState(path)
        self.assertEqual(
            [
                (event_data.data_type.split(":")[2], event_data.record_identifier)
                for event_data in result.event_data
                if getattr(event_data, "bulk_written", None)
            ],
            [("entry", 3), ("entry", 5), ("tool_call", 5), ("entry", 6)],
        )

    def testBranches(self):
        """Tests the copies of messages that a branch begins with."""
        path = os.path.join(self.temporary_path, "state.db")
        shutil.copyfile(os.path.join(test_lib.TEST_DATA_PATH, "state.db"), path)
        time = 1793266213
        with contextlib.closing(sqlite3.connect(path)) as connection:
            connection.execute("DELETE FROM messages")
            connection.execute("DELETE FROM sessions")
            for identifier, parent, start, model_config, end_reason in (
                ("parent", None, 0, None, "branched"),
                ("branch", "parent", 100, {"_branched_from": "parent"}, None),
                ("older", "parent", 200, None, None),
                ("delegate", "parent", 300, {"_delegate_from": "parent"}, None),
                ("later_build", "parent", 400, {"_branched_from": "parent"}, None),
                ("new", "other", 500, {"_reset_from": "other"}, None),
            ):
                connection.execute(
                    "INSERT INTO sessions (id, source, started_at, parent_session_id, "
                    "model_config, end_reason) VALUES (?, 'cli', ?, ?, ?, ?)",
                    (
                        identifier,
                        time + start,
                        parent,
                        model_config and json.dumps(model_config),
                        end_reason,
                    ),
                )
            for session, content, seconds in (
                ("parent", "a", 1),
                ("parent", "b\0c", 2),
                ("parent", "a", 3),
                ("branch", "a", 100.001),
                ("branch", "b\0c", 100.002),
                # Not of the parent, and said again.
                ("branch", "other", 100.003),
                ("branch", "a", 103),
                ("older", "a", 200.5),
                ("older", "b\0c", 202.5),
                ("older", "a", 202.6),
                ("delegate", "a", 300.001),
                ("later_build", "a", 1),
                ("later_build", "b\0c", 2),
                ("new", "a", 500.001),
            ):
                connection.execute(
                    "INSERT INTO messages (session_id, role, content, timestamp) "
                    "VALUES (?, 'user', ?, ?)",
                    (session, content, time + seconds),
                )
            connection.commit()
        result = self.ParseState(path)
        self.assertEqual(
            [
                (event_data.session_identifier, event_data.text)
                for event_data in result.Get("hermes:message:entry")
                if event_data.bulk_written
            ],
            [("branch", "a"), ("branch", "b\0c"), ("older", "a")],
        )

    def testMissingIndex(self):
        """Tests that looking rows up without an index comes to an end."""
        expected = self.ParseState("state.db").Count()
        with mock.patch.multiple(
            sqlite_reader, _MAXIMUM_SECONDS=0.0, _SLOW_SECONDS=0.0
        ):
            result = self.ParseState("state.db")
        # What follows from rows that are looked up is left out, no row is.
        count = result.Count()
        for data_type, number in expected.items():
            if data_type not in (
                "hermes:permission:setting",
                "hermes:session:scratch_directory",
            ):
                self.assertEqual(count[data_type], number, data_type)
        self.assertTrue(result.warnings)
        for warning in result.warnings:
            self.assertIn("is not looked up everywhere, since an index", warning)

    def testWriteAheadLog(self):
        """Tests that the current state comes once, and what it replaced once."""
        path = self.CreateWAL()
        result = self.ParseState(path)

        self.assertEqual(result.warnings, [])
        self.assertEqual(
            [
                (event_data.text, event_data.active, event_data.recovery_source)
                for event_data in result.Get("hermes:message:entry")
            ],
            [
                ("kept", 1, None),
                ("changed", 0, None),
                ("added", 1, None),
                ("changed", 1, "main_before_wal"),
                ("deleted", 1, "main_before_wal"),
            ],
        )
        self.assertEqual(
            [
                (event_data.title, event_data.recovered)
                for event_data in result.Get("hermes:session:entry")
            ],
            [("new", None), ("old", True)],
        )
        # The model follows from both versions, and is told once.
        self.assertEqual(len(result.Get("hermes:model:usage")), 1)

    def testEmptyWriteAheadLog(self):
        """Tests that a log without frames repeats nothing."""
        path = self.CreateWAL()
        for data in (b"", b"\0" * 4096, b"\x37\x7f\x06\x82"):
            with open(f"{path:s}-wal", "wb") as file_object:
                file_object.write(data)
            result = self.ParseState(path)
            self.assertEqual(
                [event_data.text for event_data in result.Get("hermes:message:entry")],
                ["kept", "changed", "deleted"],
            )
            self.assertEqual(len(result.Get("hermes:session:entry")), 1)

    def testSchemaInWriteAheadLog(self):
        """Tests a young database of which everything is in the log."""
        path = os.path.join(self.temporary_path, ".hermes", "state.db")
        os.makedirs(os.path.dirname(path))
        connection = test_lib.CreateDatabase(f"{path:s}.live", STATEMENTS, wal=True)
        for suffix in ("", "-wal"):
            shutil.copy(f"{path:s}.live{suffix:s}", f"{path:s}{suffix:s}")
        connection.close()

        result = self.ParseState(path)
        self.assertEqual(
            result.Count(),
            {
                "hermes:message:entry": 3,
                "hermes:model:usage": 1,
                "hermes:session:entry": 1,
            },
        )
        self.assertIsNone(result.Get("hermes:message:entry")[0].recovered)

    def testOtherDatabases(self):
        """Tests that other programs' databases of the same name are left alone."""
        path = os.path.join(self.temporary_path, "state.db")
        test_lib.CreateDatabase(
            path,
            [
                "CREATE TABLE sessions (id INTEGER, user TEXT)",
                "CREATE VIEW messages AS SELECT 1 AS id, 2 AS session_id, 3 AS role, "
                "4 AS content, 5 AS timestamp",
                "INSERT INTO sessions VALUES (1, 'u')",
            ],
        ).close()
        result = self.ParseState(path)
        self.assertEqual(result.event_data, [])
        self.assertEqual(result.warnings, [])

    def testEvidenceIsNotChanged(self):
        """Tests that the files, and what lies beside them, stay as they are."""
        path = self.CreateWAL()
        directory = os.path.dirname(path)

        def ReadAll():
            """Reads the files of the directory.

            Returns:
              dict[str, bytes]: contents per name.
            """
            contents = {}
            for name in sorted(os.listdir(directory)):
                with open(os.path.join(directory, name), "rb") as file_object:
                    contents[name] = file_object.read()
            return contents

        contents = ReadAll()
        self.ParseState(path)
        self.assertEqual(ReadAll(), contents)
        # Nor is anything of ours left where temporary files go.
        self.assertEqual(
            [name for name in os.listdir(self.temporary_path) if "hermes" in name], []
        )

    def CreateWAL(self):
        """Creates a database of which the last changes are in its log.

        Returns:
          str: path of the database.
        """
        path = os.path.join(self.temporary_path, "home", ".hermes", "state.db")
        os.makedirs(os.path.dirname(path))
        test_lib.CreateDatabase(f"{path:s}.live", STATEMENTS).close()

        connection = sqlite3.connect(f"{path:s}.live", isolation_level=None)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        for statement in (
            "DELETE FROM messages WHERE content = 'deleted'",
            "UPDATE messages SET active = 0 WHERE content = 'changed'",
            "UPDATE sessions SET title = 'new'",
            "INSERT INTO messages VALUES (4, 's1', 'user', 'added', 1793266219.0, 1)",
        ):
            connection.execute(statement)
        for suffix in ("", "-wal"):
            shutil.copy(f"{path:s}.live{suffix:s}", f"{path:s}{suffix:s}")
        connection.close()
        for suffix in ("", "-wal", "-shm"):
            if os.path.exists(f"{path:s}.live{suffix:s}"):
                os.remove(f"{path:s}.live{suffix:s}")
        return path


STATEMENTS = [
    "CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT, model TEXT, "
    "started_at REAL, title TEXT)",
    "CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, "
    "content TEXT, timestamp REAL, active INTEGER)",
    "INSERT INTO sessions VALUES ('s1', 'cli', 'm', 1793266215.0, 'old')",
    "INSERT INTO messages VALUES (1, 's1', 'user', 'kept', 1793266216.0, 1)",
    "INSERT INTO messages VALUES (2, 's1', 'user', 'changed', 1793266217.0, 1)",
    "INSERT INTO messages VALUES (3, 's1', 'user', 'deleted', 1793266218.0, 1)",
]


if __name__ == "__main__":
    unittest.main()

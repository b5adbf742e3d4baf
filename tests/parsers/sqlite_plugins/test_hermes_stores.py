"""Tests for the SQLite plugins of the stores beside state.db."""

import json
import os
import shutil
import unittest

from tests import test_lib

_RESPONSES = (
    "CREATE TABLE responses (response_id TEXT PRIMARY KEY, data TEXT NOT NULL, "
    "accessed_at REAL NOT NULL)"
)
_CONVERSATIONS = (
    "CREATE TABLE conversations (name TEXT PRIMARY KEY, response_id TEXT NOT NULL)"
)


def _Response(identifier, history, session_identifier="s1", **values):
    """Creates the statement that stores a response.

    Args:
      identifier (str): response identifier.
      history (list[object]): conversation history.
      session_identifier (Optional[str]): session identifier.
      values (dict[str, object]): other values of the envelope.

    Returns:
      tuple[str, tuple]: SQL statement and parameters.
    """
    response = {"created_at": 1793266215, "model": "m", "status": "completed"}
    response.update(values)
    data = {
        "conversation_history": history,
        "response": response,
        "session_id": session_identifier,
    }
    return (
        "INSERT OR REPLACE INTO responses VALUES (?, ?, 1793266216.5)",
        (identifier, json.dumps(data)),
    )


class HermesResponseStorePluginTest(test_lib.ParserTestCase):
    """Tests for the response store."""

    _PARSER = "sqlite/hermes_response_store"

    def _Create(self, statements, wal=False):
        """Creates a response store.

        Args:
          statements (list[object]): SQL statements.
          wal (Optional[bool]): True if the database should be in WAL mode.

        Returns:
          tuple[str, sqlite3.Connection]: path and connection.
        """
        path = os.path.join(self.temporary_path, "home", "u", ".hermes")
        os.makedirs(path)
        path = os.path.join(path, "response_store.db")
        connection = test_lib.CreateDatabase(
            path, [_RESPONSES, _CONVERSATIONS] + statements, wal=wal
        )
        return path, connection

    def testProcess(self):
        """Tests that a message comes once, and what later builds add to it."""
        question = {"content": "q", "role": "user"}
        answer = {
            "_row_id": 12,
            "content": "a",
            "role": "assistant",
            "timestamp": 1793266217.9,
        }
        path, connection = self._Create(
            [
                _Response("r1", [question, answer]),
                _Response("r2", [dict(question, _db_persisted=True), answer, question]),
                _Response("r3", [question], session_identifier="s2"),
                _Response("r4", [question, 7], session_identifier=None),
                ("INSERT INTO responses VALUES ('r5', '{\"cut', 0)", ()),
                ("INSERT INTO conversations VALUES ('c', 'r2')", ()),
            ]
        )
        connection.close()
        result = self.Parse(path, self._PARSER)

        self.assertEqual(
            result.Count(),
            {
                "hermes:api_response:entry": 4,
                "hermes:message:entry": 5,
                "hermes:unparsed:entry": 2,
            },
        )
        self.assertEqual(
            result.warnings,
            [
                "unparseable record 4 (responses.data conversation_history 1: not an "
                "object): 7",
                "unparseable record 5 (responses.data: not valid JSON: Unterminated "
                'string at character 1): {"cut',
            ],
        )
        self.assertEqual(result.recovery_warnings, [])
        self.CheckEventData(
            result.Get("hermes:api_response:entry")[1],
            {
                "conversation_name": "c",
                "creation_time": "2026-10-29T09:30:15.000000+00:00",
                "model": "m",
                "profile": "default",
                "record_identifier": 2,
                "response_identifier": "r2",
                "response_status": "completed",
                "session_identifier": "s1",
                "store": "response_store",
                "tier": "secondary",
                "username": "u",
            },
        )
        messages = result.Get("hermes:message:entry")
        self.CheckEventData(
            messages[1],
            {
                "record_identifier": 12,
                "recorded_time": "2026-10-29T09:30:17.900000+00:00",
                "session_identifier": "s1",
                "text": "a",
            },
        )
        self.CheckEventData(
            messages[2],
            {"record_identifier": "r2 2", "recorded_time": None, "text": "q"},
        )

    def testProcessWithoutSession(self):
        """Tests that only a response that names another is known to go on from it."""
        answer = {"role": "assistant", "content": "a"}
        question = {"role": "user", "content": "q"}
        first = [question, answer]
        second = first + [{"role": "user", "content": "q2"}]
        path, connection = self._Create(
            [
                _Response("r1", first, None),
                # Another conversation that began with the same words.
                _Response("r2", second, None),
                _Response("r3", second, None, previous_response_id="r1"),
                _Response("r4", second + [answer], None, previous_response_id="r3"),
                _Response("r5", first, None, previous_response_id="gone"),
            ]
        )
        connection.close()
        result = self.Parse(path, self._PARSER)
        self.assertEqual(result.warnings, [])
        self.assertEqual(
            result.Count(),
            {"hermes:api_response:entry": 5, "hermes:message:entry": 9},
        )
        self.assertEqual(
            [
                event_data.record_identifier
                for event_data in result.Get("hermes:message:entry")
            ],
            ["r1 0", "r1 1", "r2 0", "r2 1", "r2 2", "r3 2", "r4 3", "r5 0", "r5 1"],
        )

    def testProcessWithoutHistory(self):
        """Tests responses that tell by their output only, or are none."""
        output = [
            {"type": "reasoning"},
            {
                "arguments": '{"command": "ls"}',
                "call_id": "c1",
                "name": "terminal",
                "type": "function_call",
            },
            {
                "content": [{"text": "answer", "type": "output_text"}],
                "role": "assistant",
                "type": "message",
            },
        ]
        path, connection = self._Create(
            [
                _Response("r1", [], output=output),
                (
                    "INSERT INTO responses VALUES ('r2', ?, 1793266216.5)",
                    ('{"response": "text", "session_id": "s"}',),
                ),
            ]
        )
        connection.close()
        result = self.Parse(path, self._PARSER)
        self.assertEqual(
            result.Count(),
            {
                "hermes:api_response:entry": 2,
                "hermes:message:entry": 1,
                "hermes:message:tool_call": 1,
                "hermes:unparsed:entry": 1,
            },
        )
        self.assertEqual(result.Get("hermes:message:entry")[0].text, "answer")
        self.assertEqual(result.Get("hermes:message:tool_call")[0].command, "ls")
        self.assertEqual(result.Get("hermes:unparsed:entry")[0].value, "text")

    def testProcessWithLog(self):
        """Tests what a write-ahead log adds and replaces."""
        first = {"content": "first", "role": "user"}
        path, connection = self._Create([_Response("r1", [first])], wal=True)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute(*_Response("r2", [first, {"content": "x", "role": "user"}]))
        connection.execute("UPDATE responses SET accessed_at = 1 WHERE rowid = 1")
        copy_path = os.path.join(self.temporary_path, "response_store.db")
        for suffix in ("", "-wal"):
            shutil.copyfile(f"{path:s}{suffix:s}", f"{copy_path:s}{suffix:s}")
        connection.close()

        result = self.Parse(copy_path, self._PARSER)
        self.assertEqual(
            result.Count(),
            {"hermes:api_response:entry": 2, "hermes:message:entry": 2},
        )
        self.assertEqual(result.warnings, [])
        self.assertFalse(any(event.recovered for event in result.event_data))

    def testProcessReplaced(self):
        """Tests that a history the write-ahead log replaced is recovered."""
        path, connection = self._Create(
            [_Response("r1", [{"content": "gone", "role": "user"}])], wal=True
        )
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("DELETE FROM responses")
        copy_path = os.path.join(self.temporary_path, "response_store.db")
        for suffix in ("", "-wal"):
            shutil.copyfile(f"{path:s}{suffix:s}", f"{copy_path:s}{suffix:s}")
        connection.close()

        result = self.Parse(copy_path, self._PARSER)
        self.assertEqual(
            result.Count(),
            {"hermes:api_response:entry": 1, "hermes:message:entry": 1},
        )
        for event_data in result.event_data:
            self.CheckEventData(
                event_data,
                {"recovered": True, "recovery_source": "main_before_wal"},
            )

    @test_lib.requires_shared
    def testProcessEvidence(self):
        """Tests the response store of a real build, the copies of a snapshot too."""
        evidence_path = test_lib.ExtractEvidence(self.temporary_path)
        for name, copy_identifier in (
            ("response_store.db", None),
            ("state-snapshots/20260822-120000/response_store.db", "20260822-120000"),
        ):
            result = self.Parse(
                os.path.join(evidence_path, ".hermes", name), self._PARSER
            )
            self.assertEqual(
                result.Count(),
                {
                    "hermes:api_response:entry": 3,
                    "hermes:message:entry": 14,
                    "hermes:message:reasoning": 2,
                    "hermes:message:tool_call": 2,
                },
            )
            self.assertEqual(result.warnings + result.recovery_warnings, [])
            for event_data in result.event_data:
                self.CheckEventData(
                    event_data,
                    {"copy_identifier": copy_identifier, "store": "response_store"},
                )


class HermesRetainDBPluginTest(test_lib.ParserTestCase):
    """Tests for the RetainDB queue."""

    def testProcess(self):
        """Tests turns that were not uploaded yet."""
        path = os.path.join(self.temporary_path, "retaindb_queue.db")
        insert = "INSERT INTO pending VALUES (?, 'u', 's1', ?, ?, ?)"
        test_lib.CreateDatabase(
            path,
            [
                "CREATE TABLE pending (id INTEGER PRIMARY KEY, user_id TEXT, "
                "session_id TEXT, messages_json TEXT, created_at TEXT, "
                "last_error TEXT)",
                (
                    insert,
                    (
                        1,
                        '[{"role": "user", "content": "q"}, '
                        '{"role": "assistant", "content": "a"}]',
                        "2026-10-29T09:30:15.5+00:00",
                        "timed out",
                    ),
                ),
                (insert, (2, '[{"role', None, None)),
                (insert, (3, '{"role": "assistant", "tool_calls": [1]}', None, None)),
            ],
        ).close()
        result = self.Parse(path, "sqlite/hermes_retaindb")

        self.assertEqual(
            result.Count(), {"hermes:retaindb:entry": 3, "hermes:unparsed:entry": 1}
        )
        self.assertEqual(len(result.warnings), 3)
        self.assertEqual(
            result.Get("hermes:retaindb:entry")[2].text,
            'assistant: {"tool_calls": [1]}',
        )
        self.CheckEventData(
            result.event_data[0],
            {
                "creation_time": "2026-10-29T09:30:15.500000+00:00",
                "last_error": "timed out",
                "record_identifier": 1,
                "session_identifier": "s1",
                "store": "retaindb",
                "text": "user: q\nassistant: a",
                "tier": "secondary",
                "user_identifier": "u",
            },
        )


class HermesRunsIdempotencyPluginTest(test_lib.ParserTestCase):
    """Tests for the runs of the API server."""

    def testProcess(self):
        """Tests a run and one of which the state is damaged."""
        path = os.path.join(self.temporary_path, "runs_idempotency.db")
        insert = (
            "INSERT INTO run_idempotency VALUES ('default', ?, 'f', ?, ?, 7, 0, NULL, "
            "1793266215.0, 1793266216.0)"
        )
        test_lib.CreateDatabase(
            path,
            [
                "CREATE TABLE run_idempotency (scope TEXT, idempotency_key TEXT, "
                "fingerprint TEXT, run_id TEXT, status_json TEXT, owner_pid INTEGER, "
                "retention_until REAL, acknowledged_at REAL, created_at REAL, "
                "updated_at REAL, PRIMARY KEY (scope, idempotency_key))",
                (
                    insert,
                    (
                        "k1",
                        "run1",
                        '{"status": "completed", "session_id": "s1", "output": "o", '
                        '"error": "e"}',
                    ),
                ),
                (insert, ("k2", "run2", "[]")),
            ],
        ).close()
        result = self.Parse(path, "sqlite/hermes_runs_idempotency")

        self.assertEqual(
            result.Count(), {"hermes:api_run:entry": 2, "hermes:unparsed:entry": 1}
        )
        self.assertEqual(
            result.warnings,
            [
                "unparseable record 2 (run_idempotency.status_json: not a JSON "
                "object): []"
            ],
        )
        self.CheckEventData(
            result.event_data[0],
            {
                "creation_time": "2026-10-29T09:30:15.000000+00:00",
                "idempotency_key": "k1",
                "process_identifier": 7,
                "run_identifier": "run1",
                "run_status": "completed",
                "session_identifier": "s1",
                "store": "runs_idempotency",
                "text": "o\ne",
                "tier": "log",
                "update_time": "2026-10-29T09:30:16.000000+00:00",
            },
        )


if __name__ == "__main__":
    unittest.main()

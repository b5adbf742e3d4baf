"""Tests for trajectories."""

import json
import time
import unittest

from hermes_plaso.formats import times
from hermes_plaso.formats import trajectories


class TrajectoriesTest(unittest.TestCase):
    """Tests for the lines of a trajectory file."""

    def _Decode(self, conversations, **values):
        """Decodes a line.

        Args:
          conversations (list[object]): turns.
          values (dict[str, object]): other values of the run.

        Returns:
          list[Record]: records of the line.
        """
        run = {
            "completed": True,
            "conversations": conversations,
            "model": "m",
            "timestamp": "2026-10-29T09:30:16.123456",
        }
        run.update(values)
        decoder = trajectories.TrajectoryDecoder("trajectory_samples.jsonl", "/p")
        return decoder.Decode(json.dumps(run).encode("utf-8"), 7)

    def testDecode(self):
        """Tests a run and its turns."""
        records = self._Decode(
            [
                {"from": "system", "value": "w"},
                {"from": "human", "value": "q\u2028r"},
                {"from": "gpt", "value": "<think>\nt\n</think>\na"},
                {"from": "tool", "value": "r"},
            ]
        )
        self.assertEqual(
            [
                (
                    record.data_type,
                    record.values.get("turn_type"),
                    record.values.get("text"),
                )
                for record in records
            ],
            [
                ("hermes:trajectory:run", None, None),
                ("hermes:message:entry", "system", "trajectory system prompt: w"),
                ("hermes:message:entry", "user", "q\u2028r"),
                ("hermes:message:entry", "assistant", "a"),
                ("hermes:message:reasoning", "thinking", "t"),
                ("hermes:message:entry", "tool_result", "r"),
            ],
        )
        self.assertEqual(
            records[0].times,
            {"recorded_time": times.FromISO8601("2026-10-29T09:30:16.123456")},
        )
        self.assertTrue(records[0].times["recorded_time"].is_local_time)
        self.assertEqual(records[0].values["completed"], "true")
        self.assertEqual(records[0].values["record_identifier"], 7)
        for record in records:
            self.assertEqual(record.values["project_path"], "/p")
        for record in records[1:]:
            self.assertEqual(record.times, {})
            self.assertRegex(record.values["record_identifier"], "^7:[0-9]+$")

    def testDecodeRepeatedTurns(self):
        """Tests that no two records of a line are equal, which would be one event."""
        call = '<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>\n'
        response = "<tool_response>\nr\n</tool_response>\n"
        records = self._Decode(
            [
                {"from": "human", "value": "q"},
                {"from": "human", "value": "q"},
                {"from": "gpt", "value": call * 2},
                {"from": "tool", "value": response * 2},
            ]
        )
        self.assertEqual(
            [
                (record.data_type, record.values["record_identifier"])
                for record in records[1:]
            ],
            [
                ("hermes:message:entry", "7:1"),
                ("hermes:message:entry", "7:2"),
                ("hermes:message:tool_call", "7:3"),
                ("hermes:message:tool_call", "7:3:2"),
                ("hermes:message:entry", "7:4"),
                ("hermes:message:entry", "7:4:2"),
            ],
        )

    def testDecodeMarkup(self):
        """Tests calls and results in markup."""
        records = self._Decode(
            [
                {
                    "from": "gpt",
                    "value": "<think>\n</think>\nTwo.\n<tool_call>\n"
                    '{"name": "terminal", "arguments": {"command": "id"}}\n'
                    "</tool_call>\n"
                    "<tool_call>\nnot a call\n</tool_call>",
                },
                {
                    "from": "tool",
                    "value": '<tool_response>\n{"tool_call_id": "c1", '
                    '"name": "terminal",'
                    ' "content": {"output": "x", "exit_code": -1, "error": "no", '
                    '"status": "blocked"}}\n</tool_response>\n<tool_response>\n'
                    '{"tool_call_id": "c2", "name": "f", "content": "y"}\n'
                    "</tool_response>",
                },
            ]
        )
        self.assertEqual(
            [record.data_type for record in records],
            [
                "hermes:trajectory:run",
                "hermes:message:entry",
                "hermes:message:tool_call",
                "hermes:message:entry",
                "hermes:permission:decision",
                "hermes:message:entry",
            ],
        )
        self.assertEqual(
            records[1].values["text"],
            "Two.\n<tool_call>\nnot a call\n</tool_call>",
        )
        self.assertEqual(records[2].values["command"], "id")
        self.assertEqual(
            records[3].values["text"],
            '{"output": "x", "exit_code": -1, "error": "no", "status": "blocked"}',
        )
        self.assertEqual(records[3].values["tool_call_identifier"], "c1")
        self.assertEqual(records[4].values["outcome"], "blocked")
        self.assertEqual(records[5].values["text"], "y")

    def testDecodeBadLine(self):
        """Tests lines and turns that cannot be decoded."""
        decoder = trajectories.TrajectoryDecoder("failed_trajectories.jsonl", None)
        for line, reason in (
            (b'{"no": "conversations"}', "no conversations list"),
            (b"[]", "not an object"),
            (b'{"conversations": [', "not valid JSON: Expecting value at line 1 "),
        ):
            (record,) = decoder.Decode(line, 2)
            self.assertEqual(record.data_type, "hermes:unparsed:entry")
            self.assertEqual(record.values["value"], line.decode())
            self.assertIn(f"unparseable line 2 ({reason:s}", record.warnings[0])

        records = self._Decode(
            ["x", {"from": "human", "value": "q"}, {}, {"from": "human", "text": "t"}],
            timestamp=None,
        )
        self.assertEqual(len(records[0].warnings), 1)
        self.assertEqual(records[1].data_type, "hermes:unparsed:entry")
        self.assertEqual(records[2].values["text"], "q")
        self.assertEqual(records[4].data_type, "hermes:unparsed:entry")
        self.assertEqual(records[4].values["value"], '{"from": "human", "text": "t"}')
        self.assertEqual(len(records), 5)

        records = decoder.Decode(b'{"conversations": 1, "conversations": []}', 3)
        self.assertEqual(
            [record.data_type for record in records],
            ["hermes:trajectory:run", "hermes:unparsed:entry"],
        )

    def testDecodeHostileMarkup(self):
        """Tests that time grows with the size of the markup alone."""
        start = time.process_time()
        for value in (
            "<tool_call>{" * 300000,
            "<tool_response>" * 300000,
            "<think>" * 300000,
        ):
            for origin in ("gpt", "tool"):
                records = self._Decode([{"from": origin, "value": value}])
                self.assertEqual(records[1].values["text"], value)
        self.assertLess(time.process_time() - start, 10)


if __name__ == "__main__":
    unittest.main()

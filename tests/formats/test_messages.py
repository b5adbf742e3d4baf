"""Tests for the decoder of messages."""

import json
import unittest

from hermes_plaso.formats import messages
from hermes_plaso.formats import times

BASE = {"model": "m", "session_identifier": "s1"}


def Decode(decoder=None, carried=False, timestamp=1793266216.4, **message):
    """Decodes a message.

    Args:
      decoder (Optional[MessageDecoder]): decoder.
      carried (Optional[bool]): True if the message was carried over.
      timestamp (Optional[object]): time cell.
      message (dict[str, object]): values of the message.

    Returns:
      list[Record]: records.
    """
    row_times = times.RowTimes("messages row 7")
    row_times.Add("recorded_time", timestamp, "timestamp", required=True)
    decoder = decoder or messages.MessageDecoder()
    return decoder.Decode(message, BASE, row_times, 7, carried=carried)


class MessageDecoderTest(unittest.TestCase):
    """Tests for the decoder of messages."""

    def CheckTurn(self, records, data_type, turn_type, text):
        """Checks that a message became one record.

        Args:
          records (list[Record]): records.
          data_type (str): expected data type.
          turn_type (str): expected turn type.
          text (str): expected text.
        """
        self.assertEqual([record.data_type for record in records], [data_type])
        self.assertEqual(records[0].values["turn_type"], turn_type)
        self.assertEqual(records[0].values["text"], text)
        self.assertEqual(records[0].values["session_identifier"], "s1")
        self.assertEqual(records[0].values["record_identifier"], 7)

    def testRoles(self):
        """Tests the turn types of the roles."""
        for role, turn_type in (
            ("user", "user"),
            ("assistant", "assistant"),
            ("tool", "tool_result"),
            ("system", "system"),
            ("developer", "system"),
            ("session_meta", "system"),
            (None, "system"),
        ):
            self.CheckTurn(
                Decode(role=role, content="c"), "hermes:message:entry", turn_type, "c"
            )

    def testReasoningItems(self):
        """Tests reasoning that only the items of the provider hold."""
        items = [
            {"type": "reasoning.summary", "summary": "First."},
            {"type": "reasoning.encrypted", "data": "gAAA"},
            {"summary": [{"type": "summary_text", "text": "Then."}]},
        ]
        for values in (
            {"reasoning_details": json.dumps(items)},
            {"reasoning_details": items, "codex_reasoning_items": '[{"text": "x"}]'},
            {"codex_reasoning_items": json.dumps(items), "reasoning": ""},
        ):
            self.CheckTurn(
                Decode(role="assistant", **values),
                "hermes:message:reasoning",
                "thinking",
                "First.\n\nThen.",
            )
        self.CheckTurn(
            Decode(role="assistant", reasoning="r", reasoning_details=items),
            "hermes:message:reasoning",
            "thinking",
            "r",
        )
        self.CheckTurn(
            Decode(
                role="assistant",
                content="",
                codex_message_items='[{"type": "message", "content": [{"type": '
                '"output_text", "text": "Said."}]}]',
            ),
            "hermes:message:entry",
            "assistant",
            "Said.",
        )
        self.CheckTurn(
            Decode(
                role="assistant", content="c", codex_message_items='[{"text": "x"}]'
            ),
            "hermes:message:entry",
            "assistant",
            "c",
        )
        self.CheckTurn(
            Decode(role="assistant", reasoning_details="[{broken"),
            "hermes:message:reasoning",
            "thinking",
            "[{broken",
        )
        for values in ("", "null", "7", "[]", '[{"data": "gAAA"}]', None, 7, [7]):
            self.CheckTurn(
                Decode(role="assistant", content="c", reasoning_details=values),
                "hermes:message:entry",
                "assistant",
                "c",
            )

    def testInjectedNotice(self):
        """Tests that what nobody typed is no user turn."""
        self.CheckTurn(
            Decode(role="user", content="c", display_kind="steer"),
            "hermes:message:entry",
            "system",
            "steer: c",
        )

    def testCompactionSummary(self):
        """Tests that a summary is no turn of the conversation."""
        for values in (
            {"role": "assistant", "content": "[CONTEXT COMPACTION] x"},
            {"role": "user", "content": "[CONTEXT COMPACTION] x"},
        ):
            self.CheckTurn(
                Decode(**values),
                "hermes:message:entry",
                "system",
                "compaction summary: [CONTEXT COMPACTION] x",
            )
        self.CheckTurn(
            Decode(role="assistant", content="x", _compressed_summary=1),
            "hermes:message:entry",
            "system",
            "compaction summary: x",
        )

    def testInactiveReason(self):
        """Tests why a message is not part of the conversation."""
        for values, reason in (
            ({"active": 1}, None),
            ({}, None),
            ({"active": 0}, "rewound"),
            ({"active": 0, "carried": True}, "carried"),
            ({"active": 0, "compacted": 1, "carried": True}, "compacted"),
        ):
            record = Decode(role="user", content="c", **values)[0]
            self.assertEqual(record.values["inactive_reason"], reason)

    def testModelSwitch(self):
        """Tests the markers of model switches, and what came before them."""
        prefix = "[System: The active model for this chat has changed to "
        decoder = messages.MessageDecoder(previous_model=lambda *_: "first")
        for content, values, expected_text, expected_model in (
            (
                f"{prefix}a/b-1.2 via provider p. From this point forward, x]",
                {},
                "model: first -> a/b-1.2 provider=p",
                "a/b-1.2",
            ),
            (f"{prefix}c. From this point forward]", {}, "model: a/b-1.2 -> c", "c"),
            (f"{prefix}c.]", {"active": 0}, "model: c", "c"),
            (
                "switched",
                {"display_kind": "model_switch"},
                "model_switch: switched",
                "m",
            ),
        ):
            records = Decode(decoder=decoder, role="user", content=content, **values)
            self.CheckTurn(records, "hermes:model:switch", "system", expected_text)
            self.assertEqual(records[0].values["model"], expected_model)
            self.assertNotIn("inactive_reason", records[0].values)

    def testModelSwitchTextOfAnotherRole(self):
        """Tests that only a user row is a marker."""
        content = (
            "[System: The active model for this chat has changed to a. From this point"
        )
        records = Decode(role="assistant", content=content)
        self.CheckTurn(records, "hermes:message:entry", "assistant", content)

    def testAssistant(self):
        """Tests which records an assistant row gives."""
        call = json.dumps([{"id": "c1", "function": {"name": "t", "arguments": "{}"}}])
        for values, data_types in (
            ({"content": "c"}, ["entry"]),
            ({"content": ""}, ["entry"]),
            ({"content": None, "reasoning": "r"}, ["reasoning"]),
            ({"content": "", "tool_calls": call}, ["tool_call"]),
            (
                {"content": "c", "reasoning_content": "r", "tool_calls": call},
                ["entry", "reasoning", "tool_call"],
            ),
        ):
            records = Decode(role="assistant", **values)
            self.assertEqual(
                [record.data_type.rsplit(":", 1)[-1] for record in records], data_types
            )

        records = Decode(
            role="assistant", content="", reasoning="a", reasoning_content="b"
        )
        self.assertEqual(records[0].values["text"], "a")
        self.assertEqual(records[0].values["reasoning_content"], "b")
        self.assertEqual(records[0].values["turn_type"], "thinking")

    def testMalformedToolCalls(self):
        """Tests that what is not a call is told once and costs no call."""
        records = Decode(
            role="assistant", content="", tool_calls='["x", {"id": "c2"}, null]'
        )
        self.assertEqual(
            [record.data_type for record in records],
            ["hermes:message:tool_call", "hermes:unparsed:entry"],
        )
        self.assertEqual(
            records[1].values["reason"],
            "unparseable record 7 (tool_calls entry is not an object)",
        )
        self.assertEqual(records[1].values["value"], '["x", {"id": "c2"}, null]')
        self.assertEqual(
            records[1].warnings,
            [
                "unparseable record 7 (tool_calls entry is not an object): "
                '["x", {"id": "c2"}, null]'
            ],
        )

        records = Decode(role="assistant", content="", tool_calls="7")
        self.assertEqual(
            [record.data_type for record in records],
            ["hermes:message:entry", "hermes:unparsed:entry"],
        )

    def testToolCallText(self):
        """Tests what of its arguments says best what a call does."""
        for arguments, expected in (
            ('{"path": "p", "command": "c"}', "c"),
            ('{"url": "u", "file_path": "f"}', "f"),
            ('{"url": "u", "path": "p"}', "p"),
            ('{"query": "q", "url": "u"}', "u"),
            ('{"query": "q"}', "q"),
            ('{"code": "x"}', '{"code": "x"}'),
            ('{"path": "p", "con', '{"path": "p", "con'),
            ('{"command": ["ls", "-l"]}', '["ls", "-l"]'),
            ({"command": "c"}, "c"),
            (None, None),
        ):
            records = Decode(
                role="assistant",
                tool_calls=[{"function": {"name": "t", "arguments": arguments}}],
            )
            self.assertEqual(records[0].values["text"], expected)

    def testToolCallOfOtherShape(self):
        """Tests that a call is shown as it is where it is not as Hermes writes it."""
        for tool_call, name in (
            ({"function": ["terminal", "id"]}, None),
            ({"zz": {"function": {"name": "terminal", "arguments": "{}"}}}, None),
            ({"type": "custom", "custom": {"name": "terminal", "input": "id"}}, None),
            ({"name": "terminal", "input": {"command": "id"}}, "terminal"),
        ):
            (record,) = Decode(role="assistant", tool_calls=[tool_call])
            self.assertEqual(record.values["tool_name"], name)
            self.assertEqual(record.values["text"], json.dumps(tool_call))
            self.assertEqual(record.values["arguments"], json.dumps(tool_call))

    def testRepeatedNames(self):
        """Tests tool calls of which JSON readers show one part or another."""
        tool_calls = (
            '[{"id": "c", "function": {"name": "a", "arguments": "1"}, '
            '"function": {"name": "b", "arguments": "2"}}]'
        )
        records = Decode(role="assistant", tool_calls=tool_calls)
        self.assertEqual(
            [record.data_type for record in records],
            ["hermes:message:tool_call", "hermes:unparsed:entry"],
        )
        self.assertEqual(records[0].values["tool_name"], "b")
        self.assertEqual(records[1].values["value"], tool_calls)
        self.assertIn("more than once", records[1].warnings[0])

    def testPermissionDecision(self):
        """Tests the decisions that results of the terminal tool record."""
        decoder = messages.MessageDecoder()
        Decode(
            decoder=decoder,
            role="assistant",
            tool_calls=[
                {
                    "id": "c1|fc1",
                    "function": {"name": "terminal", "arguments": {"command": "rm x"}},
                }
            ],
        )
        for result, outcome, text in (
            (
                {"exit_code": 0, "approval": "Command required approval (rm)"},
                "approved",
                "approved (Command required approval (rm))",
            ),
            (
                {"status": "blocked", "error": "BLOCKED: no", "user_summary": "rm"},
                "blocked",
                "blocked BLOCKED: no user_summary=rm",
            ),
            ({"status": "blocked", "error": "E"}, "blocked", "blocked E"),
            (
                {"status": "pending_approval", "pattern_key": "k", "error": ""},
                "pending",
                "pending pattern=k smart_denied=false",
            ),
            (
                {"status": "pending_approval", "smart_denied": True},
                "pending",
                "pending smart_denied=true",
            ),
        ):
            records = Decode(
                decoder=decoder,
                role="tool",
                content=json.dumps(result),
                tool_call_id="c1",
                tool_name="terminal",
            )
            self.assertEqual(
                [record.data_type for record in records],
                ["hermes:message:entry", "hermes:permission:decision"],
            )
            values = records[1].values
            self.assertEqual(values["outcome"], outcome)
            self.assertEqual(values["text"], text)
            self.assertEqual(values["command"], "rm x")

    def testNoPermissionDecision(self):
        """Tests results that record no decision."""
        for content, tool_name in (
            ('{"status": "running"}', "terminal"),
            ('{"approval": null}', "terminal"),
            ('[{"approval": "x"}]', "terminal"),
            ('{"approval": "cut', "terminal"),
            ('{"approval": "x"}', "read_file"),
        ):
            records = Decode(role="tool", content=content, tool_name=tool_name)
            self.assertEqual(len(records), 1)

    def testAPIContent(self):
        """Tests that what the model saw is kept where it differs."""
        self.assertNotIn(
            "api_content", Decode(role="user", content="c", api_content="c")[0].values
        )
        record = Decode(role="user", content="c", api_content="c\nmore")[0]
        self.assertEqual(record.values["api_content"], "c\nmore")

    def testTimeValue(self):
        """Tests that a bad time is told once for all records of a row."""
        records = Decode(role="assistant", content="c", reasoning="r", timestamp="soon")
        self.assertEqual([record.times for record in records], [{}, {}])
        self.assertEqual(
            [record.values["time_value"] for record in records], ["soon", "soon"]
        )
        self.assertEqual(
            [record.warnings for record in records],
            [["no usable time in messages row 7 (timestamp): soon"], []],
        )


if __name__ == "__main__":
    unittest.main()

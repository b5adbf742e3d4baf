"""Tests for text and JSON."""

import json
import unittest

from hermes_plaso.formats import text


class TextTest(unittest.TestCase):
    """Tests for text and JSON."""

    def testDecodeContent(self):
        """Tests the content of a message."""
        for content, expected in (
            (None, None),
            ("", ""),
            ("plain", "plain"),
            ("nul\x00inside", "nul\x00inside"),
            (b"h\xe9", "h\\xe9"),
            (42, "42"),
            (1.5, "1.5"),
            ('\x00json:[{"type": "text", "text": "a"}, "b"]', "a\nb"),
            ('\x00json:[{"type": "image_url"}]', "[image]"),
            ('\x00json:{"type": "dict", "k": 1}', '{"type": "dict", "k": 1}'),
            ('\x00json:"\\u0000json: literal"', "\x00json: literal"),
            ("\x00json:{broken", "\x00json:{broken"),
            ("\x00json:" + "[" * 100000, "\x00json:" + "[" * 100000),
            ("\x00json:null", "\x00json:null"),
            ("\x00json:" + "9" * 5000, "\x00json:" + "9" * 5000),
            ("__HERMES_CONTENT_V2__:x", "__HERMES_CONTENT_V2__:x"),
            (
                [{"type": "text", "text": "part"}, {"type": "input_image"}],
                "part\n[image]",
            ),
            ([{"type": "text", "text": None}], '{"type": "text", "text": null}'),
            ({"text": "lone"}, "lone"),
            ('\x00json:[{"type": ["x"], "text": "hi"}]', "hi"),
        ):
            self.assertEqual(text.DecodeContent(content), expected)

    def testEscapeSurrogates(self):
        """Tests that no lone surrogate is left."""
        self.assertEqual(text.EscapeSurrogates("a"), "a")
        self.assertEqual(
            text.EscapeSurrogates("\u00e9 \U0001f4f7"), "\u00e9 \U0001f4f7"
        )
        self.assertEqual(text.EscapeSurrogates("x\ud800y\udfff"), "x\\ud800y\\udfff")

    def testFromJSON(self):
        """Tests that the reason of a failure does not quote the text."""
        value, reason = text.FromJSON('{"token": sk-SECRET}')
        self.assertIsNone(value)
        self.assertNotIn("SECRET", reason)
        self.assertEqual(text.FromJSON("[1]"), ([1], None))
        self.assertEqual(text.FromJSON("[" * 100000), (None, "nested too deep"))

    def testFromJSONReason(self):
        """Tests that the reason is plain and quotes nothing."""
        for value, expected in (
            ('["cut', "Unterminated string at character 1"),
            ('{"a": 1', "Expecting ',' delimiter at character 7"),
            ('["\\z"]', "Invalid \\escape at character 2"),
            ('["\x01"]', "Invalid control character at character 2"),
        ):
            self.assertEqual(text.FromJSON(value), (None, expected))

    def testFromJSONManyValues(self):
        """Tests JSON of which each byte takes many of memory."""
        value, reason = text.FromJSON("[" + "{}," * 1400000 + "1]")
        self.assertIsNone(reason)
        self.assertEqual(len(value), 1400001)

        self.assertEqual(
            text.FromJSON("[" + "{}," * 1500000 + "1]"),
            (None, "more than 3000000 values"),
        )
        self.assertEqual(
            text.FromJSON('["' + "a" * (32 << 20) + '"]'),
            (None, "more than 33554432 characters"),
        )
        # A long text is one value.
        value, reason = text.FromJSON('["' + "a" * 4000000 + '"]')
        self.assertIsNone(reason)
        self.assertEqual(len(value[0]), 4000000)

    def testObjectFromJSON(self):
        """Tests which cells hold a JSON object."""
        for cell, expected in (
            (None, (None, None)),
            ("", (None, None)),
            ('{"a": 1}', ({"a": 1}, None)),
            (b'{"a": 1}', ({"a": 1}, None)),
            ("[1]", (None, "not a JSON object")),
            (7, (None, "not a JSON object")),
        ):
            self.assertEqual(text.ObjectFromJSON(cell), expected)
        _, reason = text.ObjectFromJSON("{")
        self.assertTrue(reason.startswith("not valid JSON: "))

    def testFlag(self):
        """Tests that only what is true is set."""
        for value in (None, 0, "", "0", "false", False, 0.0):
            self.assertIsNone(text.Flag(value))
        for value in (1, "1", True, "yes", 2):
            self.assertEqual(text.Flag(value), 1)

    def testNumber(self):
        """Tests counters, whatever type they have."""
        for value, expected in (
            (None, None),
            (0, 0),
            (5, 5),
            (1.5, 1.5),
            ("many", "many"),
            (b"\xff", "\\xff"),
            (1 << 70, str(1 << 70)),
            (float("nan"), "nan"),
            (float("inf"), "inf"),
            (True, 1),
        ):
            self.assertEqual(text.Number(value), expected)

    def testToText(self):
        """Tests values that JSON can hold."""
        self.assertEqual(text.ToText({"a": [1, None]}), '{"a": [1, null]}')
        self.assertEqual(text.ToText(False), "false")
        nested = json.loads("[" * 500 + "]" * 500)
        self.assertEqual(text.ToText(nested), "[" * 500 + "]" * 500)

    def testToJSON(self):
        """Tests values that the json module does not write."""
        nested = 1
        for _ in range(100000):
            nested = [nested]
        expected = "[" * 100000 + "1" + "]" * 100000
        self.assertEqual(text.ToJSON(nested), expected)

        # One number is written otherwise, and all around it as the module does.
        value = [1, True, None, "\u00e9\n", 0.5, {}, [], {"b": {"c": []}, "d": "e"}]
        number = 10**5000
        self.assertEqual(
            text.ToJSON({"a": number, "value": value}),
            f'{{"a": {hex(number):s}, '
            f'"value": {json.dumps(value, ensure_ascii=False):s}}}',
        )


if __name__ == "__main__":
    unittest.main()

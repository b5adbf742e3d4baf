"""Tests for the formatter helpers."""

import unittest

from hermes_plaso import formatter_helpers


class HermesPlainTextFormatterHelperTest(unittest.TestCase):
    """Tests for the helper that shows text in one line."""

    def testFormatEventValues(self):
        """Tests what is shown otherwise, and what is not."""
        helper = formatter_helpers.HermesPlainTextFormatterHelper()
        for text, expected in (
            ("a\r\nb\nc\rd", "a b c d"),
            ("\x1b[2J\x07\x9b\x7f", "\\x1b[2J\\x07\\x9b\\x7f"),
            ("\u202egpj.exe\u2066\u2028", "\\u202egpj.exe\\u2066\\u2028"),
            # Tabulators, letters of any script and joined signs are text.
            ("a\tb", "a\tb"),
            ("\u05d0\u200f \U0001f469\u200d\U0001f4bb", None),
            ("\\ud800 plain", None),
            ("", None),
            (1, None),
            (None, None),
            (["a\nb"], None),
        ):
            event_values = {"text": text}
            helper.FormatEventValues(None, event_values)
            self.assertEqual(
                event_values, {"text": text if expected is None else expected}
            )

    def testLargeValue(self):
        """Tests that of what nobody reads to its end the start is shown."""
        helper = formatter_helpers.HermesPlainTextFormatterHelper()
        for character, shown in (("x", "x"), ("\x00", "\\x00")):
            event_values = {"text": character * (1024 * 1024 + 3)}
            helper.FormatEventValues(None, event_values)
            self.assertEqual(
                event_values["text"],
                f"{shown * 1024 * 1024:s}... [3 more characters]",
            )


if __name__ == "__main__":
    unittest.main()

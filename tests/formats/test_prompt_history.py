"""Tests for the prompt history."""

import random
import unittest
from unittest import mock

from hermes_plaso.formats import prompt_history
from hermes_plaso.formats import times


class PromptHistoryDecoderTest(unittest.TestCase):
    """Tests for the decoder of a prompt history."""

    def _Decode(self, data, buffer_size=None):
        """Decodes a history.

        Args:
          data (bytes): history.
          buffer_size (Optional[int]): number of bytes of a buffer.

        Returns:
          list[Record]: records.
        """
        buffer_size = buffer_size or len(data) or 1
        buffers = (
            data[start : start + buffer_size]
            for start in range(0, len(data), buffer_size)
        )
        return list(prompt_history.PromptHistoryDecoder().Decode(buffers))

    def testDecode(self):
        """Tests entries of both writers."""
        history_records = self._Decode(
            b"\n# 2026-10-29 09:30:16.400\n+how many lines?\n"
            b"\n# 2026-10-29 10:02:44.918203\n+/snapshot before-refactor\n"
        )
        self.assertEqual(len(history_records), 2)

        record = history_records[0]
        self.assertEqual(record.data_type, "hermes:prompt_history:entry")
        self.assertEqual(
            record.values,
            {
                "record_identifier": 2,
                "text": "how many lines?",
                "turn_type": "user",
            },
        )
        self.assertEqual(
            record.times, {"recorded_time": times.Timestamp(1793266216400000)}
        )
        self.assertEqual(record.warnings, [])

        record = history_records[1]
        self.assertEqual(
            record.values,
            {
                "command": "/snapshot before-refactor",
                "record_identifier": 5,
                "text": "/snapshot before-refactor",
                "turn_type": "system",
            },
        )
        self.assertEqual(
            record.times,
            {"recorded_time": times.Timestamp(1793268164918203, is_local_time=True)},
        )

    def testDecodeFractions(self):
        """Tests every number of digits of the fraction of a second."""
        for fraction, microseconds, is_local_time in (
            (b"", 0, True),
            (b".4", 400000, True),
            (b".004", 4000, False),
            (b".0004", 400, True),
            (b".000004", 4, True),
            (b".000004999", 4, True),
        ):
            with self.subTest(fraction=fraction):
                (record,) = self._Decode(b"\n# 1980-01-01 00:00:01%s\n+x\n" % fraction)
                self.assertEqual(
                    record.times["recorded_time"],
                    times.Timestamp(315532801000000 + microseconds, is_local_time),
                )
                self.assertEqual(record.warnings, [])

    def testDecodeLines(self):
        """Tests what is a line, and what is not."""
        for lines, text in (
            (b"+a\n+\n+b\n", "a\n\nb"),
            (b"+\n", ""),
            (b"+a\n+\n", "a\n"),
            (b"++a\n", "+a"),
            (b"+# a\n", "# a"),
            (b"+a\r\n+b\n", "a\r\nb"),
            (b"+a\rb\xe2\x80\xa8c\x0bd\x85\n", "a\rb\u2028c\x0bd\\x85"),
            (b"+a\x00b\n", "a\x00b"),
            (b"+\xff\xfe\n", "\\xff\\xfe"),
            (b"+" + b"a" * 70000 + b"\n", "a" * 70000),
            (b"+a\n" * 2000, "\n".join(["a"] * 2000)),
            (b"+no newline", "no newline"),
            (b"", ""),
        ):
            with self.subTest(lines=lines[:20]):
                (record,) = self._Decode(b"\n# 2026-10-29 10:00:00\n" + lines)
                self.assertEqual(record.values["text"], text)
                self.assertEqual(record.warnings, [])

    def testDecodeWithoutTime(self):
        """Tests entries whose time cannot be read."""
        for header, time_value in (
            (b"# not a time\n", "not a time"),
            (b"# 2026-02-30 10:05:00\n", "2026-02-30 10:05:00"),
            (b"# 2026-10-29 24:00:00\n", "2026-10-29 24:00:00"),
            (b"# 1970-10-29 10:00:00\n", "1970-10-29 10:00:00"),
            (b"#\n", ""),
            (b"# \xff\n", "\\xff"),
        ):
            with self.subTest(header=header):
                first, record, last = self._Decode(
                    b"\n# 2026-10-29 10:00:00\n+a\n\n"
                    + header
                    + b"+b\n+c\n\n# 2026-10-29 10:00:00\n+d\n"
                )
                self.assertEqual(first.values["text"], "a")
                self.assertEqual(last.values["text"], "d")
                self.assertEqual(last.values["record_identifier"], 9)
                self.assertEqual(record.values["text"], "b\nc")
                self.assertEqual(record.values["record_identifier"], 5)
                self.assertEqual(record.values["time_value"], time_value)
                self.assertEqual(record.times, {"recorded_time": None})
                self.assertEqual(len(record.warnings), 1)

    def testDecodeStrayLines(self):
        """Tests lines that have no business in the file."""
        history_records = self._Decode(
            b"cut\n+off\n\n# 2026-10-29 10:00:00\n+a\nstray \xff\n"
            b"\x00\x00\x00\n# 2026-10-29 10:00:01\n+b\n"
        )
        self.assertEqual(
            [
                (record.data_type, record.values.get("text"), record.warnings)
                for record in history_records
            ],
            [
                (
                    "hermes:unparsed:entry",
                    None,
                    ["unparseable line 1 (not a FileHistory line): cut"],
                ),
                (
                    "hermes:prompt_history:entry",
                    "off",
                    ["no usable time in line 2: no line with a time"],
                ),
                ("hermes:prompt_history:entry", "a", []),
                (
                    "hermes:unparsed:entry",
                    None,
                    ["unparseable line 6 (not a FileHistory line): stray \\xff"],
                ),
                (
                    "hermes:unparsed:entry",
                    None,
                    ["unparseable line 7 (3 zero bytes): "],
                ),
                ("hermes:prompt_history:entry", "b", []),
            ],
        )
        self.assertEqual(history_records[3].values["value"], "stray \\xff")
        self.assertEqual(history_records[5].values["record_identifier"], 8)

    def testDecodePieces(self):
        """Tests that a line in pieces is one line."""
        data = b"\n# 2026-10-29 10:00:00\n+a\n" + b"x" * 100 + b"\n"
        data += b"\n# 2026-10-29 10:00:01\n+b\n"
        with mock.patch.object(prompt_history, "_MAXIMUM_LINE_SIZE", 32):
            history_records = list(
                prompt_history.PromptHistoryDecoder().Decode(
                    iter([data[index : index + 8] for index in range(0, len(data), 8)])
                )
            )
        self.assertEqual(
            [
                (record.values.get("text"), record.values["record_identifier"])
                for record in history_records
                if record.data_type == "hermes:prompt_history:entry"
            ],
            [("a", 2), ("b", 6)],
        )
        pieces = [
            record.values
            for record in history_records
            if record.data_type == "hermes:unparsed:entry"
        ]
        self.assertGreater(len(pieces), 1)
        self.assertEqual("".join(piece["value"] for piece in pieces), "x" * 100)
        self.assertEqual({piece["record_identifier"] for piece in pieces}, {4})

    def testDecodeBuffers(self):
        """Tests that where a buffer ends makes no difference."""
        generator = random.Random(3)
        pieces = (
            *(b"\n", b"\n", b"+a\n", b"+\n", b"+long line\n", b"x\n", b"\r\n", b"\x00"),
            *(b"# 2026-10-29 10:00:00\n", b"\n# 2026-10-29 10:00:00.123\n+b\n"),
            *(b"\n# 2026-10-29 10:00:00.123456\n+b\n+c\n", b"# 2026\n", b"+", b"#"),
        )
        for _ in range(200):
            data = b"".join(generator.choices(pieces, k=12))
            expected_records = self._Decode(data)
            for buffer_size in (1, 2, 7, 31):
                self.assertEqual(self._Decode(data, buffer_size), expected_records)

    def testDecodeNothingLost(self):
        """Tests that each byte but the markup comes back."""
        generator = random.Random(4)
        pieces = (
            *(b"\n", b"+aa\n", b"x\n", b"# 2026-10-29 10:00:00\n", b"# !\n", b"+b"),
            b"\n# 2026-10-29 10:00:00.123\n+c\n",
        )
        for _ in range(200):
            data = b"".join(generator.choices(pieces, k=12))
            text = "\n".join(
                record.values.get("text") or record.values.get("value") or ""
                for record in self._Decode(data)
            )
            for letter in "abcx":
                self.assertEqual(
                    text.count(letter),
                    data.decode().count(letter),
                    data,
                )


if __name__ == "__main__":
    unittest.main()

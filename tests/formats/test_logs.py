"""Tests for the logs."""

import unittest

from hermes_plaso.formats import logs
from hermes_plaso.formats import times


class LogDecoderTest(unittest.TestCase):
    """Tests for the decoder of a log."""

    def _Decode(self, data):
        """Decodes a log.

        Args:
          data (bytes): log.

        Returns:
          list[Record]: records.
        """
        return list(logs.LogDecoder().Decode(enumerate(data.split(b"\n"), 1)))

    def testDecode(self):
        """Tests lines with and without a session, and a message of many lines."""
        log_records = self._Decode(
            b"2026-10-29 09:30:16,123 INFO [20261029_093015_5c7e] run_agent: hello: x\n"
            b"2026-10-29 09:30:16,124 ERROR cron.scheduler: Job failed\n"
            b'Traceback (most recent call last):\n  File "x", line 1\n\nError: [y] z'
        )
        self.assertEqual(
            [record.values for record in log_records],
            [
                {
                    "level": "INFO",
                    "logger_name": "run_agent",
                    "record_identifier": 1,
                    "session_identifier": "20261029_093015_5c7e",
                    "text": "hello: x",
                },
                {
                    "level": "ERROR",
                    "logger_name": "cron.scheduler",
                    "record_identifier": 2,
                    "text": (
                        "Job failed\nTraceback (most recent call last):\n"
                        '  File "x", line 1\n\nError: [y] z'
                    ),
                },
            ],
        )
        self.assertEqual(
            log_records[0].times,
            {"recorded_time": times.Timestamp(1793266216123000, is_local_time=True)},
        )

    def testDecodeBadLines(self):
        """Tests lines that are no log lines, and what surrounds them."""
        log_records = self._Decode(
            b"cut off \xff\n2026-02-30 09:30:16,123 INFO a: b\r\n"
            b"\x00\x00\x002026-10-29 09:30:17,000 INFO a: c\x00d"
        )
        self.assertEqual(
            [(record.data_type, record.warnings) for record in log_records],
            [
                (
                    "hermes:unparsed:entry",
                    ["unparseable line 1 (not a log line): cut off \\xff"],
                ),
                (
                    "hermes:log:line",
                    ["no usable time in line 2: 2026-02-30 09:30:16,123"],
                ),
                ("hermes:log:line", ["3 zero bytes before line 3"]),
            ],
        )
        self.assertEqual(log_records[0].values["value"], "cut off \\xff")
        self.assertEqual(log_records[1].values["text"], "b")
        self.assertEqual(log_records[1].values["time_value"], "2026-02-30 09:30:16,123")
        self.assertEqual(log_records[2].values["text"], "c\x00d")

    def testDecodeBlankLines(self):
        """Tests blank lines, with the line ends of either system."""
        self.assertEqual(self._Decode(b"\n\r\n\n\r\n"), [])
        (record,) = self._Decode(
            b"\r\n2026-10-29 09:30:16,123 INFO run_agent: hello\r\n"
        )
        self.assertTrue(record.values["text"].startswith("hello"))
        self.assertEqual(record.warnings, [])

    def testDecodeReturns(self):
        """Tests lines that a carriage return is before."""
        log_records = self._Decode(
            b"2026-10-29 09:30:16,123 INFO a: b\n\r2026-02-30 09:30:17,000 INFO c: d\n"
            b"\r  0 %\r 10 %\n"
        )
        self.assertEqual(
            [
                (record.values["record_identifier"], record.values["text"])
                for record in log_records
            ],
            [(1, "b"), (2, "d\n\r  0 %\r 10 %\n")],
        )
        self.assertEqual(log_records[1].values["time_value"], "2026-02-30 09:30:17,000")

    def testDecodeUnusualLines(self):
        """Tests lines without a logger, and with a bracket in the message."""
        for line, logger_name, session_identifier, text in (
            (b"WARNING root: [x] y", "root", None, "[x] y"),
            (b"INFO a b c", None, None, "a b c"),
            (b"INFO [s] a: ", "a", "s", ""),
            (b"INFO a:", "a", None, ""),
        ):
            with self.subTest(line=line):
                (record,) = self._Decode(b"2026-10-29 09:30:16,123 " + line)
                self.assertEqual(record.values.get("logger_name"), logger_name)
                self.assertEqual(
                    record.values.get("session_identifier"), session_identifier
                )
                self.assertEqual(record.values["text"], text)


class ZeroBytesTest(unittest.TestCase):
    """Tests for what a power loss leaves."""

    def testDecode(self):
        """Tests that zero bytes in place of the end of a line join no two messages."""
        decoder = logs.LogDecoder()
        first = b"2026-10-29 09:30:16,123 INFO hermes: one"
        second = b"2026-10-29 09:30:17,123 ERROR hermes: two"
        results = list(
            decoder.Decode([(1, first + b"\x00" * 9 + second), (2, b"\x00" * 7)])
        )
        self.assertEqual(
            [record.values.get("text") for record in results],
            ["one", "two", None],
        )
        self.assertEqual(
            [record.warnings for record in results],
            [
                [],
                ["9 zero bytes before line 1"],
                ["unparseable line 2 (7 zero bytes): "],
            ],
        )


if __name__ == "__main__":
    unittest.main()

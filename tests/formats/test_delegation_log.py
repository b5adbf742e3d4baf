"""Tests for the live transcripts of delegated runs."""

import time
import unittest

from hermes_plaso.formats import delegation_log
from hermes_plaso.formats import times

_HEADER = (
    b"=== Hermes subagent live transcript ===\ndelegation: d1   task: 0\n"
    b"goal: List\nthe files\nstarted: 2026-08-15 23:59:58\n"
    b"(append-only; streams while the subagent runs)\n"
    b"========================================\n"
)
_START = 1786838398000000


class DelegationLogDecoderTest(unittest.TestCase):
    """Tests for the decoder of a live transcript."""

    def _Decode(self, data, *args):
        """Decodes a transcript.

        Args:
          data (bytes): transcript.
          args (list[str]): what the path says.

        Returns:
          list[Record]: records.
        """
        decoder = delegation_log.DelegationLogDecoder(*args)
        return list(decoder.Decode(enumerate(data.split(b"\n"), 1)))

    def testDecode(self):
        """Tests a transcript that runs past midnight."""
        line_records = self._Decode(
            _HEADER + b"23:59:58 user     | kickoff: List\n23:59:59 think    | a | b\n"
            b"more\n\n00:00:01 assistant| done\n00:00:00 final    | \xff\n"
        )
        self.assertEqual(
            [
                (
                    record.values["line_kind"],
                    record.values["text"],
                    record.values["record_identifier"],
                    record.times["recorded_time"],
                )
                for record in line_records
            ],
            [
                ("user", "kickoff: List", 8, times.Timestamp(_START, True)),
                ("think", "a | b\nmore\n", 9, times.Timestamp(_START + 1000000, True)),
                ("assistant", "done", 12, times.Timestamp(_START + 3000000, True)),
                ("final", "\\xff\n", 13, times.Timestamp(_START + 2000000, True)),
            ],
        )
        self.assertEqual(line_records[0].values["delegation_identifier"], "d1")
        self.assertEqual(line_records[0].values["goal"], "List\nthe files")
        self.assertEqual(line_records[0].values["task_number"], "0")
        self.assertIsNone(line_records[1].values["goal"])

    def testDecodeWithoutLines(self):
        """Tests a transcript that has a header only."""
        (record,) = self._Decode(_HEADER)
        self.assertEqual(record.values["text"], "List\nthe files")
        self.assertEqual(record.times["recorded_time"], times.Timestamp(_START, True))

    def testDecodeWithoutDate(self):
        """Tests a transcript that lost its header."""
        (record,) = self._Decode(b"06:00:00 final | x", "d2", "3")
        self.assertEqual(record.values["delegation_identifier"], "d2")
        self.assertEqual(record.values["task_number"], "3")
        self.assertEqual(record.values["time_value"], "06:00:00")
        self.assertEqual(
            record.warnings,
            ["no usable time in line 1: 06:00:00, no usable date in the header"],
        )

    def testDecodeUnknownLines(self):
        """Tests that no line of a header is left out without a word."""
        line_records = self._Decode(b"\x00\x00\x00\n\x07binary\n" + _HEADER)
        self.assertEqual(
            [record.warnings for record in line_records],
            [
                ["unparseable line 1 (3 zero bytes): "],
                ["unparseable line 2 (not a transcript line): \x07binary"],
                [],
            ],
        )
        self.assertEqual(line_records[2].values["text"], "List\nthe files")

    def testDecodeHeaderAlone(self):
        """Tests that a header that was cut off tells of the delegation."""
        (record,) = self._Decode(b"delegation: d7   task: 4\n")
        self.assertEqual(record.values["delegation_identifier"], "d7")
        self.assertEqual(record.values["line_kind"], "started")
        self.assertEqual(self._Decode(b"\n"), [])
        # A line that follows tells it.
        (record,) = self._Decode(b"delegation: d7   task: 4\n06:00:00 final | x")
        self.assertEqual(record.values["line_kind"], "final")

    def testDecodeGoalLikeTranscript(self):
        """Tests a goal whose lines look like those of a header or a transcript."""
        records = self._Decode(
            b"delegation: d7   task: 4\n"
            b"goal: Write it\n========\n06:00:00 tool | x\ndelegation: EVIL task: 9\n"
            b"started: 2026-10-29 09:30:13\n==========\n09:30:14 tool | ls"
        )
        (record,) = records
        self.assertEqual(record.warnings, [])
        self.assertEqual(record.values["delegation_identifier"], "d7")
        self.assertEqual(record.values["task_number"], "4")
        self.assertEqual(record.values["text"], "ls")
        self.assertEqual(
            record.values["goal"],
            "Write it\n========\n06:00:00 tool | x\ndelegation: EVIL task: 9",
        )
        self.assertIsNotNone(record.times["recorded_time"])

    def testDecodeLongGoal(self):
        """Tests that time grows with the size of a goal alone."""
        start = time.process_time()
        (record,) = self._Decode(b"delegation: d\ngoal: g\n" + b"x\n" * 500000)
        self.assertLess(time.process_time() - start, 10)
        self.assertEqual(len(record.values["text"]), 1000002)

    def testIsTranscript(self):
        """Tests the content check."""
        self.assertTrue(delegation_log.IsTranscript(_HEADER))
        self.assertFalse(delegation_log.IsTranscript(b"task-1.log of another program"))


if __name__ == "__main__":
    unittest.main()

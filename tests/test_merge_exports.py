"""Tests for merging exports."""

import csv
import io
import json
import os
import random
import tempfile
import unittest
from unittest import mock

from hermes_plaso.merging import errors
from hermes_plaso.merging import exports
from hermes_plaso.merging import merge

_DYNAMIC_HEADER = "datetime,timestamp_desc,source,message"
_L2TCSV_HEADER = (
    "date,time,timezone,MACB,source,sourcetype,type,user,host,short,desc,version,"
    "filename,inode,notes,format,extra"
)


def MakeDynamic(*values, header=_DYNAMIC_HEADER):
    """Makes an export of dynamic.

    Args:
      values (list[tuple[str, str]]): time and message of each event.
      header (Optional[str]): header.

    Returns:
      str: text.
    """
    lines = [header]
    lines.extend(f"{time:s},Test Time,TEST,{message:s}" for time, message in values)
    return "\n".join(lines) + "\n"


def MakeJSON(*values):
    """Makes an export of json_line.

    Args:
      values (list[tuple[int, str]]): timestamp and message of each event.

    Returns:
      str: text.
    """
    return "".join(
        json.dumps(
            {"__container_type__": "event", "message": message, "timestamp": timestamp}
        )
        + "\n"
        for timestamp, message in values
    )


def MakeL2TCSV(*values):
    """Makes an export of l2tcsv.

    Args:
      values (list[tuple[str, str, str]]): date, time and message of each event.

    Returns:
      str: text.
    """
    lines = [_L2TCSV_HEADER]
    for date, time, message in values:
        time_zone = "-" if date == "00/00/0000" else "UTC"
        lines.append(
            f"{date:s},{time:s},{time_zone:s},....,TEST,Test,Test Time,-,-,{message:s},"
            f"{message:s},2,/1,-,-,test,-"
        )
    return "\n".join(lines) + "\n"


class ExportsTest(unittest.TestCase):
    """Tests for merging exports."""

    maxDiff = None

    def setUp(self):
        """Creates a temporary directory."""
        temporary_directory = tempfile.TemporaryDirectory()
        self.addCleanup(temporary_directory.cleanup)
        self.temporary_path = temporary_directory.name
        self.messages = None

    def Merge(self, *contents):
        """Merges exports.

        Args:
          contents (list[bytes|str]): contents of the exports.

        Returns:
          bytes: content of the output.
        """
        paths = []
        for index, content in enumerate(contents):
            if isinstance(content, str):
                content = content.encode("utf-8")
            paths.append(os.path.join(self.temporary_path, f"{index:d}.txt"))
            with open(paths[-1], "wb") as file_object:
                file_object.write(content)
        output_path = os.path.join(self.temporary_path, "merged")
        if os.path.exists(output_path):
            os.remove(output_path)
        self.messages = merge.Merge(paths, output_path)
        with open(output_path, "rb") as file_object:
            return file_object.read()

    def CheckMerge(self, expected, *contents):
        """Checks what a merge gives.

        Args:
          expected (str): expected content.
          contents (list[bytes|str]): contents of the exports.
        """
        self.assertEqual(self.Merge(*contents).decode("utf-8"), expected)

    def CheckRefusal(self, text, *contents):
        """Checks that a merge is refused in one sentence and leaves nothing.

        Args:
          text (str): text of the sentence.
          contents (list[bytes|str]): contents of the exports.
        """
        with self.assertRaises(errors.MergeError) as context:
            self.Merge(*contents)
        self.assertIn(text, str(context.exception))
        self.assertNotIn("\n", str(context.exception))
        self.assertEqual(
            [name for name in os.listdir(self.temporary_path) if "merged" in name], []
        )

    def testJSON(self):
        """Tests exports of json_line."""
        self.CheckMerge(
            MakeJSON((-5, "a"), (0, "b"), (0, "c"), (7, "d"), (7, "e"), (8, "f")),
            MakeJSON((0, "b"), (7, "d"), (8, "f")),
            MakeJSON((-5, "a"), (0, "c"), (7, "e")),
        )

    def testDynamic(self):
        """Tests exports of dynamic, of which each has its own time zone."""
        rows = [
            ("1969-12-31T23:59:59.000000+00:00", "a"),
            ("0000-00-00T00:00:00.000000+00:00", "b"),
            ("2026-10-29T02:30:00.000000+02:00", "c"),
            ("2026-10-29T00:30:00.500000+00:00", "d"),
            ("2026-10-29T00:30:00.600000+00:00", "e"),
            ("2026-10-28T19:30:01.000000-05:00", "f"),
            ("2026-10-29T00:30:01.000001+00:00", "g"),
        ]
        self.CheckMerge(
            MakeDynamic(*rows), MakeDynamic(*rows[::2]), MakeDynamic(*rows[1::2])
        )
        self.assertNotIn("sorted", "".join(self.messages))

    def testDynamicFraction(self):
        """Tests that an order that a fraction hides is kept."""
        # The first one was .000072.
        rows = [
            ("2026-10-29T00:30:00.720000+00:00", "a"),
            ("2026-10-29T00:30:00.500000+00:00", "b"),
            ("2026-10-29T00:30:02.500000+00:00", "c"),
        ]
        self.CheckMerge(
            MakeDynamic(*rows[:2], ("2026-10-29T00:30:01.100000+00:00", "x"), rows[2]),
            MakeDynamic(*rows),
            MakeDynamic(("2026-10-29T00:30:01.100000+00:00", "x"), rows[2]),
        )
        self.assertNotIn("sorted", "".join(self.messages))

    def testL2TCSV(self):
        """Tests exports of l2tcsv."""
        rows = [
            ("12/31/1969", "23:59:59", "a"),
            ("00/00/0000", "--:--:--", "b"),
            ("02/28/2024", "23:59:59", "c"),
            ("02/29/2024", "00:00:00", "d"),
            ("03/01/2024", "00:00:00", "e"),
            ("01/01/2026", "00:00:00", "f"),
            ("01/01/12026", "00:00:00", "g"),
        ]
        self.CheckMerge(
            MakeL2TCSV(*rows), MakeL2TCSV(*rows[::2]), MakeL2TCSV(*rows[1::2])
        )

    def testNumberOfDays(self):
        """Tests the calendar."""
        for date, expected in (
            ((1970, 1, 1), 0),
            ((1969, 12, 31), -1),
            ((2000, 2, 29), 11016),
            ((2000, 3, 1), 11017),
            ((1900, 3, 1), -25508),
            ((2026, 10, 29), 20755),
            ((1, 1, 1), -719162),
        ):
            self.assertEqual(exports._GetNumberOfDays(*date), expected, date)

    def testSame(self):
        """Tests that a record is as often there as in the input with most of it."""
        for make in (
            lambda *texts: MakeJSON(*((7, text) for text in texts)),
            lambda *texts: MakeDynamic(
                *(("2026-10-29T00:30:00.500000+00:00", text) for text in texts)
            ),
            lambda *texts: MakeL2TCSV(
                *(("01/01/2026", "00:00:00", text) for text in texts)
            ),
        ):
            self.CheckMerge(
                make("a", "b", "c", "b"), make("a", "b"), make("c", "b", "b")
            )
            self.CheckMerge(make("b", "b", "a"), make("b", "b"), make("a", "b"))
            self.CheckMerge(make("a", "b", "a"), make("a"), make("b"), make("a", "a"))
            self.CheckMerge(make("a", "a"), make("a", "a"), make("a"))

    def testUnsorted(self):
        """Tests exports that are in no order."""
        values = [(index // 3, f"{index:d}") for index in range(300)]
        shuffled = list(values)
        random.Random(1).shuffle(shuffled)
        # Records of the same time stay in the order of their input.
        expected = sorted(shuffled, key=lambda value: value[0])
        self.CheckMerge(
            MakeJSON((-1, "x"), *expected), MakeJSON(*shuffled), MakeJSON((-1, "x"))
        )
        self.assertIn("sorted by time", self.messages[0])
        self.assertNotIn("sorted by time", self.messages[1])

        rows = [(f"2026-10-29T00:00:{index:02d}.5+00:00", "x") for index in range(60)]
        self.CheckMerge(
            MakeDynamic(*rows), MakeDynamic(*rows[::-2]), MakeDynamic(*rows[::2])
        )

    def testQuotes(self):
        """Tests records that another tool quoted, whose bytes stay as they are."""
        rows = [
            (f"2026-10-29T00:00:0{index:d}.5+00:00", message)
            for index, message in enumerate(
                (
                    '"a, b"',
                    '"a\nb, ""c"""',
                    "plain",
                    '"2026-10-29T00:00:00.5+00:00,x,y,z\n2026-10-29,x,y,z"',
                    '""',
                )
            )
        ]
        content = MakeDynamic(*rows)
        self.assertEqual({len(row) for row in csv.reader(io.StringIO(content))}, {4})
        self.CheckMerge(content, MakeDynamic(*rows[::2]), MakeDynamic(*rows[1::2]))
        self.assertEqual([m.split()[1] for m in self.messages], ["3", "2"])

        header = ",".join(f'"{name:s}"' for name in _DYNAMIC_HEADER.split(","))
        self.CheckMerge(
            content.replace(_DYNAMIC_HEADER, header),
            MakeDynamic(*rows[::2], header=header),
            MakeDynamic(*rows[1::2]),
        )

    def testNoQuotes(self):
        """Tests records of psort, which has quotes that are none."""
        rows = [
            (f"2026-10-29T00:00:0{index:d}.5+00:00", message)
            for index, message in enumerate(
                (
                    'say "hello',
                    '"start',
                    'end"',
                    '"a" b',
                    "a\nb",
                    '{"a": "b"  "c": 1}',
                    '"',
                    "last",
                )
            )
        ]
        self.CheckMerge(
            MakeDynamic(*rows), MakeDynamic(*rows[::2]), MakeDynamic(*rows[1::2])
        )
        self.assertEqual([m.split()[1] for m in self.messages], ["4", "4"])

        # All of it could be one record with quotes.
        rows = rows[1:3]
        self.CheckMerge(MakeDynamic(*rows), MakeDynamic(*rows), MakeDynamic(rows[1]))
        self.assertIn("2 records", self.messages[0])
        self.assertIn("0 records, 1 others", self.messages[1])

    def testLineBreaks(self):
        """Tests a byte order mark and line breaks of Windows."""
        rows = [
            ("2026-10-29T00:00:01.5+00:00", "a"),
            ("2026-10-29T00:00:02.5+00:00", '"b\n\u00e9"'),
            ("2026-10-29T00:00:03.5+00:00", "c"),
        ]
        changed = "\ufeff" + MakeDynamic(*rows[1:]).replace("\n", "\r\n")
        expected = MakeDynamic(*rows)
        self.assertEqual(
            self.Merge(MakeDynamic(*rows[::2]), changed).decode("utf-8"),
            expected.replace('"b\n', '"b\r\n'),
        )
        self.assertEqual(
            self.Merge(changed, MakeDynamic(*rows[::2])).decode("utf-8"),
            expected.replace("\n", "\r\n"),
        )

        content = MakeJSON((1, "a"), (2, "b"))
        self.CheckMerge(
            content, content, "\ufeff" + content.replace("\n", "\r\n") + "\r\n"
        )

    def testNoLastLineBreak(self):
        """Tests exports that do not end with a line break, or end with several."""
        content = MakeDynamic(("2026-10-29T00:00:01.5+00:00", "a"))
        self.CheckMerge(content, content[:-1], content + "\n\n")

    def testNotUTF8(self):
        """Tests that text in another encoding stays as it is."""
        content = MakeDynamic(("2026-10-29T00:00:01.5+00:00", "a\u00e9"))
        content = content.encode("latin-1")
        self.assertEqual(self.Merge(content, content), content)

    def testHeaders(self):
        """Tests that exports of other fields or formats are refused."""
        dynamic = MakeDynamic(("2026-10-29T00:00:01.5+00:00", "a"))
        self.CheckRefusal(
            "other fields", dynamic, MakeDynamic(header=_DYNAMIC_HEADER + ",tag")
        )
        self.CheckRefusal("other fields", dynamic, dynamic.replace(",", "\t"))
        self.CheckRefusal("export both in one format", dynamic, MakeJSON((1, "a")))
        self.CheckRefusal("export both in one format", MakeL2TCSV(), dynamic)
        self.CheckRefusal("no export", dynamic, "a,b,c\n1,2,3\n")
        self.CheckRefusal("no export", dynamic, b"\xff\xfe\x00x\n")
        self.CheckRefusal("is empty", dynamic, "")

        # A header that several exports left in one is no record.
        self.CheckMerge(dynamic, dynamic + _DYNAMIC_HEADER + "\n", dynamic)

    def testDamaged(self):
        """Tests exports that are cut short."""
        content = MakeJSON((1, "a"), (2, "b"))
        self.CheckRefusal("line 2", content, content[:-10])
        self.CheckRefusal("line 1", content, '{"timestamp": "1"}\n')
        self.CheckRefusal("line 1", content, '{"event_0": {"timestamp": 1}}\n')
        content = MakeDynamic(("2026-10-29T00:00:01.5+00:00", "a"), ("2026-10-29", "b"))
        self.CheckRefusal("line 3", content, content.rpartition(",")[0])

    def testTimeZone(self):
        """Tests that local times of which the offset is not told are refused."""
        content = MakeL2TCSV(("01/01/2026", "00:00:00", "a"))
        self.CheckRefusal(
            "--output_time_zone UTC", content, content.replace(",UTC,", ",CET,")
        )

    def testInputs(self):
        """Tests that inputs stay as they are."""
        contents = [MakeJSON((2, "a"), (1, "b")), MakeJSON((2, "a"))]
        self.Merge(*contents)
        self.assertEqual(
            sorted(os.listdir(self.temporary_path)), ["0.txt", "1.txt", "merged"]
        )
        for index, content in enumerate(contents):
            path = os.path.join(self.temporary_path, f"{index:d}.txt")
            with open(path, encoding="utf-8") as file_object:
                self.assertEqual(file_object.read(), content)

    def testInterruption(self):
        """Tests that an interrupted merge leaves nothing."""
        with mock.patch(
            "hermes_plaso.merging.exports.ExportMerger._MergeRecords",
            side_effect=errors.MergeInterrupted(15),
        ):
            with self.assertRaises(errors.MergeInterrupted):
                self.Merge(MakeJSON((1, "a")), MakeJSON((2, "b")))
        self.assertEqual(sorted(os.listdir(self.temporary_path)), ["0.txt", "1.txt"])


if __name__ == "__main__":
    unittest.main()

"""Tests for the time values."""

import unittest

from hermes_plaso.formats import times


class TimesTest(unittest.TestCase):
    """Tests for the time values."""

    def testFromSecondsRoundsToNearestMicrosecond(self):
        """Tests that a double becomes the microsecond nearest to it."""
        for seconds, microseconds in (
            (1793266216.4, 1793266216400000),
            (1793266215, 1793266215000000),
            # The product with 1e6 is ....833374.5, the double less than that.
            (1787216400.0026197, 1787216400002620),
            (315532800.0, 315532800000000),
        ):
            self.assertEqual(times.FromSeconds(seconds).microseconds, microseconds)

    def testFromSecondsIsExact(self):
        """Tests that a product with 1e6 would round some doubles the wrong way."""
        seconds = 1786874681.6791768
        exact = 1786874681679177
        self.assertEqual(times.FromSeconds(seconds).microseconds, exact)

    def testFromCellRefuses(self):
        """Tests the cells that hold no time."""
        for cell in (
            None,
            True,
            "",
            "soon",
            "1e10",
            "nan",
            "1_793_266_216",
            b"\x00\x01",
            b"1793266216.4",
            0,
            -1,
            5e246,
            -5e246,
            float("inf"),
            float("nan"),
            1793266216400,
            10**30,
            "9" * 400,
            "2026-02-30T00:00:00Z",
            "1970-01-01T00:00:00Z",
            "2100-01-01T00:00:00Z",
        ):
            self.assertIsNone(times.FromCell(cell), cell)

    def testFromCellReads(self):
        """Tests the cells that hold a time."""
        for cell, expected in (
            (1793266216.4, (1793266216400000, False)),
            ("1793266216.4", (1793266216400000, False)),
            ("2026-10-29T09:30:16+00:00", (1793266216000000, False)),
            ("2026-10-29 09:30:16Z", (1793266216000000, False)),
            ("2026-10-29T10:30:16.25+01:00", (1793266216250000, False)),
            ("2026-10-29T04:00:16-0530", (1793266216000000, False)),
            ("2026-10-29T09:30:16.9999996Z", (1793266217000000, False)),
            # No zone: local time, never written as UTC.
            ("2026-10-29T09:30:16.400000", (1793266216400000, True)),
        ):
            timestamp = times.FromCell(cell)
            self.assertEqual(
                (timestamp.microseconds, timestamp.is_local_time), expected
            )

    def testCellToString(self):
        """Tests how a cell without a time is kept."""
        for cell, expected in (
            (None, "NULL"),
            ("", ""),
            (b"\x00\xff", "\x00\\xff"),
            (5e246, "5e+246"),
            (float("inf"), "inf"),
        ):
            self.assertEqual(times.CellToString(cell), expected)

    def testRowTimes(self):
        """Tests the times of a row."""
        row_times = times.RowTimes("sessions row 1")
        self.assertIsNotNone(row_times.Add("start_time", 1793266215.0, "started_at"))
        self.assertIsNone(row_times.Add("end_time", None, "ended_at"))
        self.assertEqual(row_times.warnings, [])
        self.assertIsNone(row_times.time_value)

        row_times.Add("end_time", "soon", "ended_at")
        row_times.Add("last_active_time", None, "last_activity_at", required=True)
        self.assertEqual(list(row_times.times), ["start_time"])
        self.assertEqual(row_times.time_value, "soon; NULL")
        self.assertEqual(
            row_times.warnings,
            [
                "no usable time in sessions row 1 (ended_at): soon",
                "no usable time in sessions row 1 (last_activity_at): NULL",
            ],
        )


class ZoneTest(unittest.TestCase):
    """Tests for the zones of ISO 8601 strings."""

    def testFromISO8601(self):
        """Tests that a zone that there is not shifts no time."""
        self.assertIsNone(times.FromISO8601("2026-10-29T09:30:13+99:99"))
        self.assertIsNone(times.FromISO8601("2026-10-29T09:30:13+05:60"))
        self.assertEqual(
            times.FromISO8601("2026-10-29T09:30:13+05:45"),
            times.FromISO8601("2026-10-29T03:45:13Z"),
        )


if __name__ == "__main__":
    unittest.main()

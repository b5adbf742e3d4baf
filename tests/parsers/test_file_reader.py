"""Tests for the reading of files of any size."""

import codecs
import io
import unittest

from hermes_plaso.parsers import file_reader


class FileReaderTest(unittest.TestCase):
    """Tests for the reading of files."""

    def _ReadLines(self, data, **kwargs):
        """Reads lines.

        Args:
          data (bytes): content of the file.
          kwargs (dict[str, object]): arguments.

        Returns:
          list[tuple[int, bytes]]: lines and their numbers.
        """
        file_object = io.BytesIO(data)
        file_object.seek(len(data) // 2)
        return list(file_reader.ReadLines(file_object, **kwargs))

    def testReadLines(self):
        """Tests that only a line feed ends a line, wherever a buffer ends."""
        data = b"a\rb\n\n\xe2\x80\xa8c\x0b\x0c\x85\x00\nlast"
        expected_lines = [
            (1, b"a\rb"),
            (2, b""),
            (3, b"\xe2\x80\xa8c\x0b\x0c\x85\x00"),
            (4, b"last"),
        ]
        for buffer_size in range(1, len(data) + 2):
            self.assertEqual(
                self._ReadLines(data, buffer_size=buffer_size), expected_lines
            )

        self.assertEqual(self._ReadLines(b""), [])
        self.assertEqual(self._ReadLines(b"\n"), [(1, b"")])
        self.assertEqual(self._ReadLines(b"a\n"), [(1, b"a")])

    def testReadMarkedLines(self):
        """Tests files with a byte order mark, wherever a buffer ends."""
        text = "a\u00e9\U0001f98a\u2028\n\n\u0a0a last"
        expected_lines = [(1, "a\u00e9\U0001f98a\u2028"), (2, ""), (3, "\u0a0a last")]
        for data in (
            text.encode("utf-8-sig"),
            codecs.BOM_UTF16_LE + text.encode("utf-16-le"),
            codecs.BOM_UTF16_BE + text.encode("utf-16-be"),
        ):
            for buffer_size in (1, 2, 3, 5, 100):
                self.assertEqual(
                    self._ReadLines(data, buffer_size=buffer_size),
                    [(number, line.encode()) for number, line in expected_lines],
                )

        # What is damaged or cut stays visible, a mark in front of UTF-8 is no mark.
        data = codecs.BOM_UTF16_LE + "ab".encode("utf-16-le") + b"\x00\xd8c\x00d"
        self.assertEqual(self._ReadLines(data), [(1, b"ab\\x00\\xd8c\\x64")])
        data = codecs.BOM_UTF16_LE + b"plain text"
        self.assertEqual(self._ReadLines(data), [(1, data)])
        self.assertEqual(self._ReadLines(codecs.BOM_UTF8), [])

    def testReadLinesOfAnySize(self):
        """Tests a long line, whole and in pieces."""
        data = b"x" * 5000 + b"\ny"
        self.assertEqual(
            self._ReadLines(data, buffer_size=7), [(1, b"x" * 5000), (2, b"y")]
        )
        lines = self._ReadLines(data, buffer_size=1000, maximum_line_size=2000)
        self.assertEqual(
            lines,
            [(1, b"x" * 2000), (1, b"x" * 2000), (1, b"x" * 1000), (2, b"y")],
        )


if __name__ == "__main__":
    unittest.main()

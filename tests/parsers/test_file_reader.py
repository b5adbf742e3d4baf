"""Tests for the reading of files of any size."""

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

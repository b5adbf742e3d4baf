"""Reading of files of any size, buffer by buffer."""

import os

_BUFFER_SIZE = 1024 * 1024

# A line is held in memory as a whole. One that is longer than any that Hermes writes,
# such as the zero bytes that a power loss leaves, is handed out in pieces.
_MAXIMUM_LINE_SIZE = 128 * 1024 * 1024


def ReadBuffers(file_object, buffer_size=_BUFFER_SIZE):
    """Reads a file from its start.

    Args:
      file_object (dfvfs.FileIO): file-like object.
      buffer_size (Optional[int]): number of bytes to read at once.

    Yields:
      bytes: buffers, none of which is empty.
    """
    # dfVFS hands out the same object again, at the position it was left at.
    file_object.seek(0, os.SEEK_SET)
    while True:
        data = file_object.read(buffer_size)
        if not data:
            return
        yield data


def ReadLines(
    file_object, buffer_size=_BUFFER_SIZE, maximum_line_size=_MAXIMUM_LINE_SIZE
):
    """Reads the lines of a file, which end with a line feed and nothing else.

    Args:
      file_object (dfvfs.FileIO): file-like object.
      buffer_size (Optional[int]): number of bytes to read at once.
      maximum_line_size (Optional[int]): number of bytes after which a line is handed
          out in pieces, each with the number of the line.

    Yields:
      tuple[int, bytes]: number of the line, counted from 1, and the line without its
          line feed.
    """
    line_number = 1
    pieces = []
    size = 0

    for data in ReadBuffers(file_object, buffer_size=buffer_size):
        lines = data.split(b"\n")
        if len(lines) > 1:
            pieces.append(lines[0])
            yield line_number, b"".join(pieces)
            line_number += 1
            for line in lines[1:-1]:
                yield line_number, line
                line_number += 1
            pieces = []
            size = 0

        if lines[-1]:
            pieces.append(lines[-1])
            size += len(lines[-1])
            if size >= maximum_line_size:
                yield line_number, b"".join(pieces)
                pieces = []
                size = 0

    if pieces:
        yield line_number, b"".join(pieces)

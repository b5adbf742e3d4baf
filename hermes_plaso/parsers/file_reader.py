"""Reading of files of any size, buffer by buffer."""

import codecs
import os

_BUFFER_SIZE = 1024 * 1024

# A line is held in memory as a whole. One that is longer than any that Hermes writes,
# such as the zero bytes that a power loss leaves, is handed out in pieces.
_MAXIMUM_LINE_SIZE = 128 * 1024 * 1024


# Number of bytes that tell how a file is encoded.
_HEAD_SIZE = 1024


def _GetEncoding(head):
    """Determines how a file is encoded that is not plain UTF-8.

    Args:
      head (bytes): first bytes of the file.

    Returns:
      tuple[int, str]: size of the byte order mark and name of the encoding, which is
          None for UTF-8.
    """
    if head.startswith(codecs.BOM_UTF8):
        return len(codecs.BOM_UTF8), None
    for mark, encoding, position in (
        (codecs.BOM_UTF16_LE, "utf-16-le", 1),
        (codecs.BOM_UTF16_BE, "utf-16-be", 0),
    ):
        # A mark can be damage. What Hermes writes is made of ASCII to a good part.
        zeros = head[len(mark) + position :: 2]
        if head.startswith(mark) and 4 * zeros.count(0) > len(zeros):
            return len(mark), encoding
    return 0, None


def ReadHead(file_object, size):
    """Reads the first bytes of a file.

    Args:
      file_object (dfvfs.FileIO): file-like object.
      size (int): number of bytes.

    Returns:
      bytes: first bytes, fewer if the file is smaller.

    Raises:
      OSError: if the file cannot be read.
    """
    # dfVFS hands out the same object again, at the position it was left at.
    file_object.seek(0, os.SEEK_SET)
    return file_object.read(size)


def ReadRawBuffers(file_object, offset=0, buffer_size=_BUFFER_SIZE):
    """Reads a file as it is.

    Args:
      file_object (dfvfs.FileIO): file-like object.
      offset (Optional[int]): offset of the first byte.
      buffer_size (Optional[int]): number of bytes to read at once.

    Yields:
      bytes: buffers, none of which is empty.

    Raises:
      OSError: if the file cannot be read.
    """
    file_object.seek(offset, os.SEEK_SET)
    data = file_object.read(buffer_size)
    while data:
        yield data
        data = file_object.read(buffer_size)


def ReadBuffers(file_object, buffer_size=_BUFFER_SIZE):
    """Reads a file from its start, as UTF-8 where it is marked as UTF-16.

    Args:
      file_object (dfvfs.FileIO): file-like object.
      buffer_size (Optional[int]): number of bytes to read at once.

    Yields:
      bytes: buffers, none of which is empty.
    """
    mark_size, encoding = _GetEncoding(ReadHead(file_object, _HEAD_SIZE))
    buffers = ReadRawBuffers(file_object, offset=mark_size, buffer_size=buffer_size)
    if not encoding:
        yield from buffers
        return

    for text in codecs.iterdecode(buffers, encoding, errors="backslashreplace"):
        yield text.encode("utf-8")


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

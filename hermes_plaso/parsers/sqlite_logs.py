"""Logs of SQLite databases: write-ahead logs and rollback journals."""

import contextlib
import os
import shutil
import sqlite3
import struct

from hermes_plaso import sqlite_uri
from hermes_plaso.parsers import sqlite_pages
from hermes_plaso.parsers import sqlite_reader

LOG_SUFFIX = "-wal"
JOURNAL_SUFFIX = "-journal"

# Begins a rollback journal, and ends one that names a super-journal.
JOURNAL_SIGNATURE = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"

# Header of a rollback journal, or of a part of one: signature, number of records, seed
# of the checksums, size of the database in pages, and sizes of a sector and of a page.
_JOURNAL_HEADER = struct.Struct(">8sIIIII")

# How large SQLite may make a database where a journal says so, in bytes and as a factor
# of what is there: pages that held nothing are in neither.
_MAXIMUM_SIZE = 64 * 1024 * 1024
_MAXIMUM_SIZE_FACTOR = 4

# Number of records of a journal that does not say how many it has.
_ALL_RECORDS = 0xFFFFFFFF

# The checksum of a record adds up every so many bytes of a page, from its end.
_CHECKSUM_STEP = 200

# Header of a write-ahead log: signature, version, size of a page, number of the
# checkpoint, two salts and two checksums.
_LOG_HEADER = struct.Struct(">IIIIIIII")

# The last bit tells the byte order of what the checksums add up.
_LOG_SIGNATURE = 0x377F0682

# Header of a frame: number of the page, size of the database in pages where the frame
# ends a transaction and 0 otherwise, two salts and two checksums.
_FRAME_HEADER = struct.Struct(">IIIIII")


def _CheckSuperJournal(path):
    """Checks that a log names no super-journal.

    SQLite looks for the file that a rollback journal names at its end, by its path on
    this machine, and deletes it after the roll back. Hermes attaches no database, so
    that none of its journals names one.

    Args:
      path (str): path of the copy of the log.

    Raises:
      OSError: if the copy cannot be read.
      sqlite3.DatabaseError: if the log names a super-journal.
    """
    with open(path, "rb") as file_object:
        size = file_object.seek(0, os.SEEK_END)
        file_object.seek(max(size - len(JOURNAL_SIGNATURE), 0))
        if file_object.read() == JOURNAL_SIGNATURE:
            raise sqlite3.DatabaseError("rollback journal names a super-journal")


def _LimitJournal(database_path):
    """Limits how large a rollback journal says that the database was.

    SQLite gives a database the size that the header of the journal says, which nothing
    protects and which can be that of a disk.

    Args:
      database_path (str): path of the copy of the database, beside the journal.

    Returns:
      int: number of pages the journal said, None if that can be.

    Raises:
      OSError: if a file cannot be read or written.
    """
    path = f"{database_path:s}{JOURNAL_SUFFIX:s}"
    with open(path, "r+b") as file_object:
        header = file_object.read(_JOURNAL_HEADER.size)
        if len(header) < _JOURNAL_HEADER.size:
            return None
        *fields, number_of_pages, sector_size, page_size = _JOURNAL_HEADER.unpack(
            header
        )
        size = os.path.getsize(database_path) + os.path.getsize(path)
        if number_of_pages * page_size <= max(
            _MAXIMUM_SIZE, _MAXIMUM_SIZE_FACTOR * size
        ):
            return None
        file_object.seek(0)
        file_object.write(
            _JOURNAL_HEADER.pack(*fields, size // page_size, sector_size, page_size)
        )
    return number_of_pages


def _AddToChecksum(sums, byte_order, data):
    """Adds data to the checksum of a write-ahead log.

    Args:
      sums (tuple[int, int]): checksum of what is before the data.
      byte_order (str): byte order, as struct has it.
      data (bytes): data.

    Returns:
      tuple[int, int]: checksum.
    """
    first_sum, second_sum = sums
    for first, second in struct.iter_unpack(f"{byte_order:s}II", data):
        first_sum = (first_sum + first + second_sum) & 0xFFFFFFFF
        second_sum = (second_sum + second + first_sum) & 0xFFFFFFFF
    return first_sum, second_sum


def _GetByteOrder(signature):
    """Determines the byte order of what the checksums of a write-ahead log add up.

    Args:
      signature (int): signature of the log.

    Returns:
      str: byte order, as struct has it.
    """
    return ">" if signature & 1 else "<"


def _LimitLog(database_path):
    """Limits how large a write-ahead log says that the database is.

    SQLite applies nothing of a log that makes the database larger than both together,
    though it reads its pages.

    Args:
      database_path (str): path of the copy of the database, beside the log.

    Returns:
      int: number of pages the log said, None if that can be, or it is no log.

    Raises:
      OSError: if a file cannot be read or written.
    """
    path = f"{database_path:s}{LOG_SUFFIX:s}"
    size = os.path.getsize(path)
    with open(path, "r+b") as file_object:
        header = file_object.read(_LOG_HEADER.size)
        if len(header) < _LOG_HEADER.size or not _HasValidHeader(header):
            return None
        signature, _, page_size, _, *log_salts, first_sum, second_sum = (
            _LOG_HEADER.unpack(header)
        )
        if page_size not in sqlite_reader.PAGE_SIZES:
            return None
        frame_size = _FRAME_HEADER.size + page_size
        maximum = (os.path.getsize(database_path) + size) // page_size
        offsets = range(_LOG_HEADER.size, size - frame_size + 1, frame_size)
        for offset in offsets:
            file_object.seek(offset)
            _, number_of_pages, *salts, _, _ = _FRAME_HEADER.unpack(
                file_object.read(_FRAME_HEADER.size)
            )
            if number_of_pages > maximum and salts == log_salts:
                break
        else:
            return None

        # Each checksum is one of all that is before it.
        largest = 0
        byte_order = _GetByteOrder(signature)
        sums = new_sums = (first_sum, second_sum)
        for offset in offsets:
            file_object.seek(offset)
            frame = file_object.read(frame_size)
            page = frame[_FRAME_HEADER.size :]
            page_number, number_of_pages, *salts, first_sum, second_sum = (
                _FRAME_HEADER.unpack(frame[: _FRAME_HEADER.size])
            )
            sums = _AddToChecksum(sums, byte_order, frame[:8] + page)
            if sums != (first_sum, second_sum) or salts != log_salts:
                break
            largest = max(largest, number_of_pages)
            start = struct.pack(">II", page_number, min(number_of_pages, maximum))
            new_sums = _AddToChecksum(new_sums, byte_order, start + page)
            file_object.seek(offset)
            file_object.write(start + struct.pack(">IIII", *salts, *new_sums))
    return largest if largest > maximum else None


def _HasValidHeader(header):
    """Determines if the header of a write-ahead log is one.

    Args:
      header (bytes): header.

    Returns:
      bool: True if it is one.
    """
    signature, _, _, _, _, _, *checksums = _LOG_HEADER.unpack(header)
    if signature & ~1 != _LOG_SIGNATURE:
        return False
    sums = _AddToChecksum((0, 0), _GetByteOrder(signature), header[:24])
    return sums == tuple(checksums)


def _DescribeDamage(path, number_of_frames):
    """Describes which transactions SQLite did not read of a write-ahead log.

    It stops, without a word, at the first frame that does not follow from those before
    it. That is where the log ends, since it is written over from its start with other
    salts, unless a frame with the same salts comes after it that ends a transaction.

    Args:
      path (str): path of the log.
      number_of_frames (int): number of frames that SQLite read.

    Returns:
      str: description or None if there is nothing that was not read.

    Raises:
      OSError: if the log cannot be read.
    """
    with open(path, "rb") as file_object:
        size = file_object.seek(0, os.SEEK_END)
        file_object.seek(0)
        header = file_object.read(_LOG_HEADER.size)
        if not size:
            return None
        if len(header) < _LOG_HEADER.size:
            return "it ends within its header"
        if not number_of_frames and not _HasValidHeader(header):
            return "its header is damaged" if header.strip(b"\x00") else "zero bytes"

        _, _, page_size, _, *salts, _, _ = _LOG_HEADER.unpack(header)
        frame_size = _FRAME_HEADER.size + page_size
        last_frame = 0
        is_cut = False
        first_offset = _LOG_HEADER.size + number_of_frames * frame_size
        for offset in range(first_offset, size, frame_size):
            file_object.seek(offset)
            frame_header = file_object.read(_FRAME_HEADER.size)
            if len(frame_header) < _FRAME_HEADER.size:
                break
            _, database_size, *frame_salts, _, _ = _FRAME_HEADER.unpack(frame_header)
            if frame_salts != salts:
                continue
            is_cut = offset + frame_size > size
            if is_cut or database_size:
                last_frame = 1 + (offset - _LOG_HEADER.size) // frame_size
    if not last_frame:
        return None
    if is_cut:
        return f"it ends within frame {last_frame:d}"
    return (
        f"frames {number_of_frames + 1:d} to {last_frame:d} do not follow from those "
        "before them"
    )


def _DescribeJournalDamage(path):
    """Describes from where on SQLite takes nothing back with a rollback journal.

    It stops, without a word, at the first record whose checksum is wrong.

    Args:
      path (str): path of the journal.

    Returns:
      str: description or None if all of it is taken back.

    Raises:
      OSError: if the journal cannot be read.
    """
    number = 0
    with open(path, "rb") as file_object:
        size = file_object.seek(0, os.SEEK_END)
        offset = 0
        while offset + _JOURNAL_HEADER.size <= size:
            file_object.seek(offset)
            signature, number_of_records, seed, _, sector_size, page_size = (
                _JOURNAL_HEADER.unpack(file_object.read(_JOURNAL_HEADER.size))
            )
            if signature != JOURNAL_SIGNATURE:
                break
            if not (
                sqlite_pages.SMALLEST_PAGE <= page_size <= sqlite_pages.LARGEST_PAGE
                and 32 <= sector_size <= sqlite_pages.LARGEST_PAGE
            ):
                return "its header is damaged"
            record_size = page_size + 8
            offset += sector_size
            if number_of_records == _ALL_RECORDS:
                number_of_records = (size - offset) // record_size
            file_object.seek(offset)
            for _ in range(number_of_records):
                number += 1
                record = file_object.read(record_size)
                if len(record) < record_size:
                    return f"it ends within record {number:d}"
                page = record[4:-4]
                checksum = seed + sum(
                    page[page_size - _CHECKSUM_STEP : 0 : -_CHECKSUM_STEP]
                )
                if checksum & 0xFFFFFFFF != int.from_bytes(record[-4:], "big"):
                    return f"record {number:d} is damaged"
            offset += number_of_records * record_size
            offset += -offset % sector_size
    return None


def HasLog(database_path):
    """Determines if a copy of a database has a write-ahead log beside it.

    SQLite creates an empty one where a database that is in WAL mode has none.

    Args:
      database_path (str): path of the copy.

    Returns:
      bool: True if there is a log.
    """
    try:
        return os.path.getsize(f"{database_path:s}{LOG_SUFFIX:s}") > 0
    except OSError:
        return False


@contextlib.contextmanager
def MergedCopy(database_path, companions, temporary_directory, produce_warning):
    """Makes a copy of a database to which its logs have been applied.

    SQLite itself does so, and checks which parts of a log are valid.

    Args:
      database_path (str): path of a copy of the database alone.
      companions (dict[str, dfvfs.FileIO]): file-like objects of the logs per suffix of
          their names.
      temporary_directory (str): path of the directory for temporary files or None for
          that of the system.
      produce_warning (callable): function that takes the message of a warning.

    Yields:
      str: path of the copy.

    Raises:
      OSError: if a log cannot be read or the copy cannot be written.
      sqlite3.DatabaseError: if a log cannot be applied, or must not be.
    """
    with sqlite_reader.CreateTemporaryDirectory(temporary_directory) as directory:
        path = os.path.join(directory, "database")
        shutil.copyfile(database_path, path)
        page_size, _ = sqlite_reader.ReadSize(path)
        if os.path.getsize(path) < max(page_size, sqlite_pages.SMALLEST_PAGE):
            # SQLite removes the log of an empty database, which may hold all of it.
            os.truncate(path, sqlite_pages.LARGEST_PAGE)
        elif page_size:
            sqlite_reader.TrimPartOfPage(path, page_size)
        for suffix, file_object in companions.items():
            sqlite_reader.CopyFile(file_object, f"{path:s}{suffix:s}")
            _CheckSuperJournal(f"{path:s}{suffix:s}")
        if JOURNAL_SUFFIX in companions:
            number_of_pages = _LimitJournal(path)
            if number_of_pages:
                produce_warning(
                    f"rollback journal says that the database had {number_of_pages:d} "
                    f"pages, which is not possible"
                )
            damage = _DescribeJournalDamage(f"{path:s}{JOURNAL_SUFFIX:s}")
            if damage:
                produce_warning(
                    f"rollback journal cannot be read: {damage:s}, so that rows can be "
                    f"there that were never committed"
                )
        if LOG_SUFFIX in companions:
            number_of_pages = _LimitLog(path)
            if number_of_pages:
                produce_warning(
                    f"write-ahead log says that the database has {number_of_pages:d} "
                    f"pages, which is not possible"
                )
        with contextlib.closing(
            sqlite3.connect(sqlite_uri.GetURI(path, "mode=rw"), uri=True)
        ) as connection:
            if LOG_SUFFIX in companions:
                # What has to wait for nothing leaves the log as it is.
                _, number_of_frames, _ = connection.execute(
                    "PRAGMA wal_checkpoint(PASSIVE)"
                ).fetchone()
                damage = _DescribeDamage(
                    f"{path:s}{LOG_SUFFIX:s}", max(number_of_frames, 0)
                )
                if damage:
                    produce_warning(f"write-ahead log cannot be read: {damage:s}")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        yield path

"""Merges timelines: storage files, or exports of psort."""

import os
import sqlite3
import zlib

from hermes_plaso.merging import errors
from hermes_plaso.merging import exports
from hermes_plaso.merging import output_file
from hermes_plaso.merging import storage_files
from hermes_plaso.merging import storage_input


def _CheckPaths(paths, output_path):
    """Checks that inputs and output are different files.

    Args:
      paths (list[str]): paths of the inputs.
      output_path (str): path of the output.

    Raises:
      MergeError: if they are not.
    """
    for index, path in enumerate(paths):
        if not os.path.exists(path):
            raise errors.MergeError(f"{path:s} does not exist")
        if not os.path.isfile(path):
            raise errors.MergeError(f"{path:s} is not a file")
        if os.path.exists(output_path) and os.path.samefile(path, output_path):
            raise errors.MergeError(
                f"{output_path:s} is an input, which is never changed: name another "
                "output file"
            )
        for other_path in paths[:index]:
            if os.path.samefile(path, other_path):
                raise errors.MergeError(
                    f"{path:s} and {other_path:s} are the same file: name it once"
                )

    if os.path.lexists(output_path):
        raise errors.MergeError(f"{output_path:s} exists: name another output file")


def _GetMerger(paths):
    """Determines what merges the inputs.

    Args:
      paths (list[str]): paths of the inputs.

    Returns:
      ExportMerger|StorageFileMerger: merger.

    Raises:
      MergeError: if the inputs cannot be merged.
    """
    are_databases = [storage_input.IsDatabase(path) for path in paths]
    if all(are_databases):
        return storage_files.StorageFileMerger(paths)
    if any(are_databases):
        raise errors.MergeError(
            f"{paths[are_databases.index(True)]:s} is a database and "
            f"{paths[are_databases.index(False)]:s} is not: merge storage files, or "
            "exports, but not both"
        )
    return exports.ExportMerger(paths)


def Merge(paths, output_path):
    """Merges timelines into a new file.

    Args:
      paths (list[str]): paths of storage files, or of exports of one format.
      output_path (str): path of the output, which does not exist.

    Returns:
      list[str]: what was merged and what there is to note, in sentences.

    Raises:
      MergeError: if there is no merge.
      MergeInterrupted: if a signal came.
    """
    _CheckPaths(paths, output_path)

    try:
        with output_file.Create(output_path) as (temporary_path, interruption):
            try:
                merger = _GetMerger(paths)
                return merger.Merge(temporary_path, interruption)
            except sqlite3.Error as exception:
                if interruption.HasHappened():
                    raise errors.MergeInterrupted(
                        interruption.signal_number
                    ) from exception
                raise

    except OSError as exception:
        raise errors.MergeError(
            f"{exception.filename or output_path:s} cannot be read or written: "
            f"{exception.strerror or exception!s}"
        ) from exception
    except (sqlite3.Error, ValueError, zlib.error) as exception:
        raise errors.MergeError(
            f"the inputs cannot be merged, one of them is damaged or there is no room "
            f"for the output: {exception!s}"
        ) from exception

"""Measures which evidence formats and operating systems Hermes is found in.

Usage: python docs/evidence_formats.py

Runs log2timeline and psort over each image of the test data and over archives and a
directory of the same homes, and prints a Markdown table of the number of Hermes events
that are expected and found. Exits 1 if they are not all equal.
"""

import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
from typing import NamedTuple

_PROJECT_PATH = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, _PROJECT_PATH)

# pylint: disable=wrong-import-position
from test_data import make_test_data  # noqa: E402

_TEST_DATA_PATH = os.path.join(_PROJECT_PATH, "test_data")

# Events of a home with a write-ahead log and a snapshot, and of the oldest database.
_HOME = 79
_OLDEST = 3
_LINUX = _HOME + 2 * _OLDEST

# Every member of an archive has all rows, so that those of the snapshot come twice, but
# for what the log replaced, what only the snapshot has, and two records of deletions.
_ARCHIVED_HOME = 147


class Evidence(NamedTuple):
    """Evidence that is read.

    Attributes:
      name (str): name of the image, archive or directory.
      description (str): format, and what is in it.
      system (str): operating system of the homes.
      number_of_events (int): number of Hermes events that are expected.
      arguments (tuple[str, ...]): other arguments of log2timeline.
    """

    name: str
    description: str
    system: str
    number_of_events: int
    arguments: tuple = ()


EVIDENCE = (
    Evidence("linux_ext4.raw", "raw, ext4", "Linux", _LINUX),
    Evidence("linux_ext4.qcow2", "qcow2, ext4", "Linux", _LINUX),
    Evidence("linux_ext4.E01", "E01, ext4", "Linux", _LINUX),
    Evidence("linux_mbr.vmdk", "VMDK, MBR partition, ext4", "Linux", _LINUX),
    Evidence("linux_gpt.vhd", "VHD, GPT partition, ext4", "Linux", _LINUX),
    Evidence("linux_xfs.qcow2", "qcow2, XFS", "Linux", _LINUX),
    Evidence(
        "linux_lvm.qcow2", "qcow2, LVM, ext4", "Linux", _LINUX, ("--volumes", "all")
    ),
    Evidence(
        "linux_luks.raw",
        "raw, LUKS, ext4",
        "Linux",
        _LINUX,
        ("--credential", "password:password"),
    ),
    Evidence("windows_ntfs.raw", "raw, NTFS", "Windows", _HOME),
    Evidence("windows_fat.raw", "raw, FAT", "Windows", _HOME),
    Evidence(
        "containers_ext4.qcow2",
        "qcow2, ext4: Docker and Podman volumes, an overlay layer",
        "Linux containers",
        _HOME + 3 * _OLDEST,
    ),
    Evidence("directory", "directory", "macOS", _HOME),
    Evidence(
        "volume", "directory: a container volume alone", "Linux containers", _HOME
    ),
    Evidence(
        "home.tar", "tar, ./ prefixes", "macOS", _ARCHIVED_HOME, ("--archives", "tar")
    ),
    Evidence("home.tar.gz", "tar.gz", "macOS", _ARCHIVED_HOME, ("--archives", "tar")),
    Evidence("home.zip", "zip", "macOS", _ARCHIVED_HOME, ("--archives", "zip")),
)


def MakeEvidence(path):
    """Makes the directories and archives.

    Args:
      path (str): path of a directory.
    """
    directory = pathlib.Path(path, "directory")
    make_test_data.MakeHome(directory / "Users" / "casey" / ".hermes")
    make_test_data.MakeHome(pathlib.Path(path, "volume", "hermes", "_data"))
    for name, mode in (("home.tar", "w"), ("home.tar.gz", "w:gz")):
        with tarfile.open(os.path.join(path, name), mode) as archive:
            archive.add(directory, arcname=".")
    shutil.make_archive(os.path.join(path, "home"), "zip", directory)


def GetPath(evidence, path):
    """Determines the path of evidence.

    Args:
      evidence (Evidence): evidence.
      path (str): path of the directory of what was made.

    Returns:
      str: path.
    """
    for directory in (_TEST_DATA_PATH, path):
        evidence_path = os.path.join(directory, evidence.name)
        if os.path.exists(evidence_path):
            return evidence_path
    raise FileNotFoundError(evidence.name)


def _RunTool(name, directory, *arguments):
    """Runs a stock tool.

    Args:
      name (str): name of the tool.
      directory (str): path of a directory for its log.
      arguments (list[str]): arguments.
    """
    subprocess.run(
        [
            os.path.join(os.path.dirname(sys.executable), name),
            *("--quiet", "--unattended", "--status-view", "none", "--logfile"),
            os.path.join(directory, f"{name:s}.log.gz"),
            *arguments,
        ],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def Count(evidence, path, *arguments):
    """Counts the Hermes events of evidence.

    Args:
      evidence (Evidence): evidence.
      path (str): path of the directory of what was made.
      arguments (list[str]): other arguments of log2timeline.

    Returns:
      dict[str, int]: number of events per data type.
    """
    counter = collections.Counter()
    with tempfile.TemporaryDirectory() as directory:
        storage_file = os.path.join(directory, "case.plaso")
        _RunTool(
            "log2timeline",
            directory,
            *("--parsers", "hermes", "--storage-file", storage_file),
            *evidence.arguments,
            *arguments,
            GetPath(evidence, path),
        )
        timeline = os.path.join(directory, "timeline.jsonl")
        _RunTool("psort", directory, "-o", "json_line", "-w", timeline, storage_file)
        with open(timeline, encoding="utf-8") as file_object:
            for line in file_object:
                data_type = json.loads(line)["data_type"]
                if data_type.startswith("hermes:"):
                    counter[data_type] += 1
    return dict(counter)


def FormatRow(evidence, number_of_events):
    """Formats a row of the table.

    Args:
      evidence (Evidence): evidence.
      number_of_events (int): number of Hermes events that were found.

    Returns:
      str: row.
    """
    return (
        f"| {evidence.description:s} | {evidence.system:s} | "
        f"{evidence.number_of_events:d} | {number_of_events:d} |"
    )


def Main():
    """Prints the table.

    Returns:
      int: exit code.
    """
    exit_code = 0
    print("| evidence | operating system | expected | found |")
    print("|---|---|---|---|")
    with tempfile.TemporaryDirectory() as path:
        MakeEvidence(path)
        for evidence in EVIDENCE:
            number_of_events = sum(Count(evidence, path).values())
            if number_of_events != evidence.number_of_events:
                exit_code = 1
            print(FormatRow(evidence, number_of_events), flush=True)
    return exit_code


if __name__ == "__main__":
    sys.exit(Main())

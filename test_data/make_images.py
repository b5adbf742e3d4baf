"""Makes the storage media images of other formats and file systems.

Usage: python test_data/make_images.py [OUTPUT]

Needs root and, of Debian: cryptsetup-bin, dosfstools, fdisk, lvm2, mtools, qemu-utils
and xfsprogs. The images are committed, so that the tests need none of these.
"""

import argparse
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tempfile

import pycaes

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# pylint: disable=wrong-import-position
from test_data import make_test_data  # noqa: E402

MEBIBYTE = 1024 * 1024
SECTOR_SIZE = 512

LUKS_PASSWORD = "password"
_LUKS_HEADER_SIZE = 2 * MEBIBYTE

# Where a logical volume is, which device-mapper would be needed to make.
_LOGICAL_VOLUME = """
    logical_volumes {
        home {
            id = "aaaaaa-aaaa-aaaa-aaaa-aaaa-aaaa-aaaaaa"
            status = ["READ", "WRITE", "VISIBLE"]
            flags = []
            creation_time = 1793266215
            creation_host = "workstation"
            segment_count = 1
            segment1 {
                start_extent = 0
                extent_count = 4
                type = "striped"
                stripe_count = 1
                stripes = [ "pv0", 0 ]
            }
        }
    }
"""


def Run(*command, **kwargs):
    """Runs a command.

    Args:
      command (list[str]): command and its arguments.
      kwargs (dict[str, object]): arguments of subprocess.run.

    Returns:
      bytes: what the command printed.
    """
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, **kwargs).stdout


def Convert(raw_path, path, output_format):
    """Converts a raw image.

    Args:
      raw_path (pathlib.Path): path of the raw image.
      path (pathlib.Path): path of the image to make.
      output_format (str): format, as qemu-img names it.
    """
    path.unlink(missing_ok=True)
    Run("qemu-img", "convert", "-O", output_format, str(raw_path), str(path))


def MakePartitioned(file_system, raw_path, label):
    """Makes a raw image of a disk with one partition.

    Args:
      file_system (bytes): content of the partition.
      raw_path (pathlib.Path): path of the image.
      label (str): partition table, "dos" or "gpt".
    """
    size = len(file_system) + 2 * MEBIBYTE
    raw_path.write_bytes(bytes(size))
    number_of_sectors = len(file_system) // SECTOR_SIZE
    Run(
        "sfdisk",
        "--quiet",
        str(raw_path),
        input=f"label: {label:s}\nstart=2048, size={number_of_sectors:d}, type=linux\n",
        text=True,
    )
    with open(raw_path, "r+b") as file_object:
        file_object.seek(MEBIBYTE)
        file_object.write(file_system)


def MakeFAT(raw_path):
    """Makes a FAT file system with a Windows home.

    Args:
      raw_path (pathlib.Path): path of the image.
    """
    raw_path.write_bytes(bytes(2 * MEBIBYTE))
    Run("mkfs.vfat", str(raw_path))
    with tempfile.TemporaryDirectory() as directory:
        make_test_data.MakeHome(
            pathlib.Path(directory, "Users", "casey", "AppData", "Local", "hermes")
        )
        Run("mcopy", "-s", "-i", str(raw_path), f"{directory:s}/Users", "::")


def MakeXFS(tree, raw_path):
    """Makes an XFS file system.

    Args:
      tree (pathlib.Path): path of the tree.
      raw_path (pathlib.Path): path of the image.
    """

    def WriteEntries(path):
        """Writes the entries of a directory, as mkfs.xfs reads them.

        Args:
          path (pathlib.Path): path of the directory.

        Yields:
          str: lines.
        """
        for entry in sorted(path.iterdir()):
            if entry.is_dir():
                yield f"{entry.name:s} d--755 0 0"
                yield from WriteEntries(entry)
                yield "$"
            else:
                mode = stat.S_IMODE(entry.stat().st_mode)
                yield f"{entry.name:s} ---{mode:03o} 0 0 {entry!s}"

    raw_path.write_bytes(b"")
    os.truncate(raw_path, 20 * MEBIBYTE)
    with tempfile.NamedTemporaryFile("w", suffix=".proto") as proto:
        proto.write("/dev/null\n0 0\nd--755 0 0\n")
        proto.writelines(f"{line:s}\n" for line in WriteEntries(tree))
        proto.write("$\n")
        proto.flush()
        Run(
            "mkfs.xfs",
            "-q",
            "-f",
            "--unsupported",
            "-p",
            proto.name,
            str(raw_path),
            stderr=subprocess.DEVNULL,
        )


def MakeLVM(file_system, raw_path):
    """Makes a physical volume with one logical volume.

    Args:
      file_system (bytes): content of the logical volume, of 4 MiB.
      raw_path (pathlib.Path): path of the image.
    """
    raw_path.write_bytes(bytes(6 * MEBIBYTE))
    device = Run("losetup", "--find", "--show", str(raw_path), text=True).strip()
    try:
        Run("pvcreate", "-q", "-ff", "-y", "--dataalignment", "1m", device)
        Run("vgcreate", "-q", "-s", "1m", "hermes", device)
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory, "metadata")
            Run("vgcfgbackup", "-q", "-f", str(path), "hermes")
            text = path.read_text(encoding="utf-8")
            end = text.rindex("\n}")
            path.write_text(
                f"{text[:end]:s}\n{_LOGICAL_VOLUME:s}{text[end:]:s}", encoding="utf-8"
            )
            Run("vgcfgrestore", "-q", "-f", str(path), "hermes")
    finally:
        Run("losetup", "--detach", device)
    with open(raw_path, "r+b") as file_object:
        file_object.seek(MEBIBYTE)
        file_object.write(file_system)


def MakeLUKS(file_system, raw_path):
    """Makes an encrypted volume.

    Args:
      file_system (bytes): content of the volume.
      raw_path (pathlib.Path): path of the image.
    """
    raw_path.write_bytes(bytes(_LUKS_HEADER_SIZE + len(file_system)))
    password = LUKS_PASSWORD.encode("ascii")
    Run(
        *("cryptsetup", "luksFormat", "--batch-mode", "--type", "luks1"),
        *("--cipher", "aes-xts-plain64", "--key-size", "512", "--hash", "sha256"),
        *("--pbkdf-force-iterations", "1000", str(raw_path), "-"),
        input=password,
    )
    output = Run(
        *("cryptsetup", "luksDump", "--batch-mode", "--dump-volume-key"),
        *("--key-file", "-", str(raw_path)),
        input=password,
    )
    _, _, key_dump = output.decode("ascii").partition("MK dump:")
    key = bytes.fromhex(re.sub(r"\s", "", key_dump))
    context = pycaes.tweaked_context()
    mode = pycaes.crypt_modes.ENCRYPT
    context.set_keys(mode, key[:32], key[32:])
    with open(raw_path, "r+b") as file_object:
        file_object.seek(_LUKS_HEADER_SIZE)
        for number in range(len(file_system) // SECTOR_SIZE):
            offset = number * SECTOR_SIZE
            file_object.write(
                pycaes.crypt_xts(
                    context,
                    mode,
                    number.to_bytes(16, "little"),
                    file_system[offset : offset + SECTOR_SIZE],
                )
            )


def MakeContainerTree(path):
    """Makes a tree of a host with homes in volumes and layers of containers.

    Args:
      path (pathlib.Path): path of the root of the system.
    """
    (path / "etc").mkdir()
    (path / "etc" / "os-release").write_text("ID=debian\n", encoding="utf-8")
    make_test_data.MakeHome(path / "var/lib/docker/volumes/hermes-data/_data")
    for name in (
        "home/casey/.local/share/containers/storage/volumes/hermes/_data",
        "var/lib/containers/storage/volumes/hermes/_data",
        "var/lib/docker/overlay2/0a1b2c/diff/opt/data",
    ):
        (path / name).mkdir(parents=True)
        make_test_data.MakeOldestStateDatabase(path / name / "state.db")


def Main():
    """Makes the images."""
    argument_parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    argument_parser.add_argument(
        "output", nargs="?", default=os.path.dirname(os.path.abspath(__file__))
    )
    output = pathlib.Path(argument_parser.parse_args().output)
    output.mkdir(parents=True, exist_ok=True)

    with tempfile.TemporaryDirectory() as directory:
        work = pathlib.Path(directory)
        tree = work / "tree"
        tree.mkdir()
        make_test_data.MakeTree(tree)
        make_test_data.MakeExt4Image(tree, work / "ext4")
        file_system = (work / "ext4").read_bytes()

        for label, name, output_format in (
            ("dos", "linux_mbr.vmdk", "vmdk"),
            ("gpt", "linux_gpt.vhd", "vpc"),
        ):
            MakePartitioned(file_system, work / "disk", label)
            Convert(work / "disk", output / name, output_format)

        MakeXFS(tree, work / "xfs")
        Convert(work / "xfs", output / "linux_xfs.qcow2", "qcow2")
        MakeLVM(file_system, work / "lvm")
        Convert(work / "lvm", output / "linux_lvm.qcow2", "qcow2")
        # What is encrypted cannot be compressed in the repository.
        make_test_data.MakeExt4Image(tree, work / "small", size="2M")
        MakeLUKS((work / "small").read_bytes(), output / "linux_luks.raw")
        MakeFAT(output / "windows_fat.raw")

        shutil.rmtree(tree)
        tree.mkdir()
        MakeContainerTree(tree)
        make_test_data.MakeExt4Image(tree, work / "ext4")
        make_test_data.MakeQCOW2Image(work / "ext4", output / "containers_ext4.qcow2")


if __name__ == "__main__":
    Main()

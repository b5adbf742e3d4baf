"""Runs the stock Plaso tools, as an analyst would."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

from tests import test_lib

# Runs a tool with another start method of worker processes than the default.
_START_METHOD_PROGRAM = """
import multiprocessing
import sys
from plaso.scripts import log2timeline

if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv.pop(1))
    sys.exit(log2timeline.Main())
"""


class ToolTestCase(unittest.TestCase):
    """Test case of the stock Plaso tools."""

    maxDiff = None

    def setUp(self):
        """Creates a temporary directory."""
        temporary_directory = tempfile.TemporaryDirectory()
        self.addCleanup(temporary_directory.cleanup)
        self.temporary_path = temporary_directory.name

    def GetTestDataPath(self, name):
        """Determines the path of a file of the test data.

        Args:
          name (str): name of the file.

        Returns:
          str: path.
        """
        return os.path.join(test_lib.TEST_DATA_PATH, name)

    def Run(self, *arguments, expected=0, environment=None):
        """Runs a tool.

        Args:
          arguments (list[str]): name of the tool and its arguments.
          expected (Optional[int]): expected exit code, None for any.
          environment (Optional[dict[str, str]]): additional environment variables.

        Returns:
          CompletedProcess: result.
        """
        path = os.path.join(os.path.dirname(sys.executable), arguments[0])
        if not os.path.exists(path):
            path = arguments[0]
        result = subprocess.run(
            (path, *arguments[1:]),
            capture_output=True,
            check=False,
            cwd=self.temporary_path,
            env={**os.environ, **(environment or {})},
            text=True,
            timeout=300,
        )
        if expected is not None:
            self.assertEqual(result.returncode, expected, result.stdout + result.stderr)
        self.assertNotIn("Traceback", result.stdout + result.stderr)
        return result

    def Extract(
        self, source, *arguments, name="case.plaso", start_method=None, **kwargs
    ):
        """Runs log2timeline.

        Args:
          source (str): path of the source.
          arguments (list[str]): other arguments.
          name (Optional[str]): name of the storage file.
          start_method (Optional[str]): start method of worker processes, None for the
              default.

        Returns:
          str: path of the storage file.
        """
        storage_file = os.path.join(self.temporary_path, name)
        command = ["log2timeline"]
        if start_method:
            program = os.path.join(self.temporary_path, "start.py")
            with open(program, "w", encoding="utf-8") as file_object:
                file_object.write(_START_METHOD_PROGRAM)
            command = [sys.executable, program, start_method]
        self.Run(
            *command,
            "--quiet",
            "--unattended",
            "--status-view",
            "none",
            "--logfile",
            os.path.join(self.temporary_path, "log2timeline.log.gz"),
            "--storage-file",
            storage_file,
            *arguments,
            source,
            **kwargs,
        )
        return storage_file

    def Export(self, storage_file, *arguments, output_format="json_line", **kwargs):
        """Runs psort.

        Args:
          storage_file (str): path of the storage file.
          arguments (list[str]): other arguments, such as a filter.
          output_format (Optional[str]): name of the output module.

        Returns:
          list[object]: events as dictionaries, or lines for another output module.
        """
        path = os.path.join(self.temporary_path, "timeline.out")
        if os.path.exists(path):
            os.remove(path)
        self.Run(
            "psort",
            "--quiet",
            "--unattended",
            "--status-view",
            "none",
            "--logfile",
            os.path.join(self.temporary_path, "psort.log.gz"),
            "-o",
            output_format,
            "-w",
            path,
            storage_file,
            *arguments,
            **kwargs,
        )
        with open(path, encoding="utf-8") as file_object:
            lines = file_object.read().split("\n")[:-1]
        if output_format == "json_line":
            return [json.loads(line) for line in lines]
        return lines

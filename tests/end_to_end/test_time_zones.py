"""Tests of the time zones of local times, with Plaso's own commands."""

import json
import os
import shutil
import subprocess
import sys
import unittest

from tests import test_lib

_HISTORY = (
    b"\n# 2026-10-29 09:30:16.400\n+tui\n\n# 2026-10-29 09:30:16.000004\n+classic\n"
)
_LOG = b"2026-10-29 09:30:16,123 INFO run_agent: log\n"
_RUN = b"# Cron Job: n\n\n## Prompt\n\nprompt\n\n## Response\n\nresponse\n"

_VOLUME = "var/lib/docker/volumes/hermes-data/_data"

# Hours of UTC per zone at 09:30:16 of this day.
_UTC = "09"
_EASTERN = "13"
_PARIS = "08"

_TOOLS_PATH = os.path.dirname(sys.executable)


@unittest.skipUnless(
    os.path.exists(os.path.join(_TOOLS_PATH, "log2timeline")),
    "Plaso's commands are not beside the interpreter",
)
class TimeZonesTest(test_lib.ParserTestCase):
    """Tests of the time zones of local times."""

    def _WriteHome(self, path, time_zone=None):
        """Writes a home.

        Args:
          path (str): path of the home in the tree.
          time_zone (Optional[str]): time zone of its configuration.
        """
        for name, data in (
            (".hermes_history", _HISTORY),
            ("cron/output/j/2026-10-29_09-30-16.md", _RUN),
            ("logs/agent.log", _LOG),
            ("config.yaml", f"timezone: {time_zone or '':s}\n".encode()),
        ):
            file_path = os.path.join(self.temporary_path, "tree", path, name)
            os.makedirs(os.path.dirname(file_path), exist_ok=True)
            with open(file_path, "wb") as file_object:
                file_object.write(data)

    def _Run(self, *arguments):
        """Runs a command.

        Args:
          arguments (list[str]): arguments.

        Returns:
          str: what it printed.
        """
        return subprocess.run(
            arguments,
            capture_output=True,
            check=True,
            cwd=self.temporary_path,
            text=True,
        ).stdout

    def _GetHours(self, source, *arguments):
        """Extracts events and determines their hours.

        Args:
          source (str): path of the image or directory.
          arguments (list[str]): arguments of log2timeline.

        Returns:
          dict[str, dict[str, str]]: hour in UTC per text per owner of the home.
        """
        self._Run(
            *(os.path.join(_TOOLS_PATH, "log2timeline"), "-q", "--unattended"),
            *("--status_view", "none", "--partitions", "all", "--parsers"),
            *("hermes_files", "--storage_file", "out.plaso", *arguments, source),
        )
        self._Run(
            *(os.path.join(_TOOLS_PATH, "psort"), "-q", "--unattended"),
            *("--status_view", "none", "-o", "json_line", "-w", "out.json"),
            "out.plaso",
        )
        hours = {}
        path = os.path.join(self.temporary_path, "out.json")
        with open(path, encoding="utf-8") as file_object:
            for line in file_object:
                event = json.loads(line)
                if event["data_type"] in ("hermes:config:setting", "hermes:cron:run"):
                    continue
                seconds = event["timestamp"] // 1000000
                self.assertEqual(seconds % 3600, 30 * 60 + 16)
                hours.setdefault(event.get("username"), {})[
                    event["text"]
                ] = f"{seconds // 3600 % 24:02d}"
        os.remove(os.path.join(self.temporary_path, "out.plaso"))
        os.remove(path)
        return hours

    def _GetExpectedHours(self, host, scheduled):
        """Determines which hours are expected.

        Args:
          host (str): hour of local times.
          scheduled (str): hour of the times of scheduled runs.

        Returns:
          dict[str, str]: hour per text.
        """
        return {
            "classic": host,
            "log": host,
            "prompt": scheduled,
            "response": scheduled,
            "tui": _UTC,
        }

    def testDirectory(self):
        """Tests a directory, whose zone the analyst gives."""
        self._WriteHome("home/a/.hermes")
        self._WriteHome("home/b/.hermes", "EST5EDT")
        self._WriteHome(_VOLUME)
        self.assertEqual(
            self._GetHours("tree", "--timezone", "Europe/Paris"),
            {
                None: self._GetExpectedHours(_UTC, _UTC),
                "a": self._GetExpectedHours(_PARIS, _PARIS),
                "b": self._GetExpectedHours(_PARIS, _EASTERN),
            },
        )

    def testNotice(self):
        """Tests that log2timeline says where it takes local times for UTC."""
        self._WriteHome("home/a/.hermes")
        for number, (arguments, expected) in enumerate(
            (
                (("--parsers", "hermes"), True),
                (("--parsers", "hermes_files/hermes_log"), True),
                (("--parsers", "hermes", "--timezone", "UTC"), False),
                (("--parsers", "filestat"), False),
            )
        ):
            output = self._Run(
                *(os.path.join(_TOOLS_PATH, "log2timeline"), "-q", "--unattended"),
                *("--status_view", "none", "--storage_file", f"{number:d}.plaso"),
                *(*arguments, "tree"),
            )
            # What stands before the end is cleared by the status view.
            _, _, end = output.partition("Processing completed.")
            self.assertEqual("which are taken for UTC" in end, expected, arguments)
            self.assertEqual(output.count("taken for UTC"), int(expected))

    @unittest.skipUnless(shutil.which("mke2fs"), "mke2fs is missing")
    def testImage(self):
        """Tests an image that says its zone, and one that does not."""
        self._WriteHome("home/a/.hermes")
        self._WriteHome("home/b/.hermes", "Europe/Paris")
        self._WriteHome(_VOLUME)
        self._Run("mke2fs", "-q", "-t", "ext4", "-d", "tree", "none.raw", "8M")
        self.assertEqual(
            self._GetHours("none.raw"),
            {
                None: self._GetExpectedHours(_UTC, _UTC),
                "a": self._GetExpectedHours(_UTC, _UTC),
                "b": self._GetExpectedHours(_UTC, _PARIS),
            },
        )

        path = os.path.join(self.temporary_path, "tree", "etc")
        os.mkdir(path)
        with open(os.path.join(path, "timezone"), "wb") as file_object:
            file_object.write(b"EST5EDT\n")
        self._Run("mke2fs", "-q", "-t", "ext4", "-d", "tree", "zone.raw", "8M")
        self.assertEqual(
            self._GetHours("zone.raw"),
            {
                None: self._GetExpectedHours(_UTC, _UTC),
                "a": self._GetExpectedHours(_EASTERN, _EASTERN),
                "b": self._GetExpectedHours(_EASTERN, _PARIS),
            },
        )


if __name__ == "__main__":
    unittest.main()

"""Tests for the hermes-plaso command and the extension of Plaso."""

import os
import subprocess
import sys
import unittest

from hermes_plaso import extension
from hermes_plaso import startup
from tests import test_lib


def Run(*arguments, **environment):
    """Runs a program with the Python of the tests.

    Args:
      arguments (list[str]): arguments of Python.
      environment (dict[str, str]): additional environment variables.

    Returns:
      CompletedProcess: result.
    """
    return subprocess.run(
        (sys.executable, *arguments),
        capture_output=True,
        check=False,
        cwd=os.path.join(test_lib.PROJECT_PATH, "test_data"),
        env={**os.environ, **environment},
        text=True,
    )


class CommandTest(unittest.TestCase):
    """Tests for the hermes-plaso command."""

    def testCheck(self):
        """Tests that a process that only runs Plaso sees everything."""
        result = Run("-m", "hermes_plaso.cli", "check")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertNotIn("MISSING", result.stdout)
        for what in (
            "parsers and plugins",
            "message formatters",
            "timeliner entries",
            "presets",
            "tagging file",
        ):
            self.assertIn(f"ok       {what:s}", result.stdout)

    def testCheckDisabled(self):
        """Tests that a check says that the extension is turned off."""
        result = Run("-m", "hermes_plaso.cli", "check", HERMES_PLASO_DISABLE="1")
        self.assertEqual(result.returncode, 1)
        self.assertIn("HERMES_PLASO_DISABLE", result.stdout)

    def testCheckWithoutHook(self):
        """Tests that a check says what a process that has no hook does not see."""
        program = (
            "import os, sys; from hermes_plaso import cli, startup; "
            "startup.IsDisabled = lambda: False; "
            "os.environ['HERMES_PLASO_DISABLE'] = '1'; sys.exit(cli.Check())"
        )
        result = Run("-c", program)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn(
            f"MISSING  parsers and plugins: {', '.join(extension.PRESET_PARSERS):s}",
            result.stdout,
        )
        self.assertIn("MISSING  message formatters: hermes:", result.stdout)
        self.assertIn("MISSING  timeliner entries: hermes:", result.stdout)
        self.assertIn("MISSING  presets: hermes, linux, macos", result.stdout)
        self.assertIn("MISSING  tagging file", result.stdout)
        self.assertIn(
            "MISSING  databases: damaged databases, distinct copies", result.stdout
        )

    def testTool(self):
        """Tests that a tool runs with the extension where .pth files are off."""
        program = (
            "import sys; sys.path[:] = sys.argv.pop(1).split('|'); "
            "from hermes_plaso import cli; "
            "sys.exit(cli.Main(['log2timeline', '--info']))"
        )
        result = Run("-S", "-c", program, "|".join(sys.path))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("hermes_state", result.stdout)

        result = Run(
            "-S", "-c", program.replace("--info", "--nonsense"), "|".join(sys.path)
        )
        self.assertNotEqual(result.returncode, 0)

    def testFormatters(self):
        """Tests that the path of the formatters is that of a file."""
        result = Run("-m", "hermes_plaso.cli", "formatters")
        self.assertTrue(os.path.isfile(result.stdout.strip()))


class StartupTest(unittest.TestCase):
    """Tests for the import hook."""

    def testImportsNothing(self):
        """Tests that an interpreter that does not use Plaso pays for nothing."""
        result = Run(
            "-c",
            "import sys; print([name for name in sys.modules if name.startswith("
            "('plaso', 'dfvfs', 'yaml', 'importlib.abc', 'hermes_plaso.'))])",
        )
        self.assertEqual(result.stdout.strip(), "['hermes_plaso.startup']")

    def testDisabled(self):
        """Tests the values of the variable that turns the extension off."""
        program = (
            "from plaso.parsers import manager; import plaso.parsers; "
            "print('hermes_state' in "
            "manager.ParsersManager._parser_classes['sqlite'].GetPluginNames())"
        )
        for value, expected in (("1", "False"), ("0", "True"), ("", "True")):
            result = Run("-c", program, HERMES_PLASO_DISABLE=value)
            self.assertEqual(result.stdout.strip(), expected, result.stderr)

    def testFailure(self):
        """Tests that a hook that fails prints one line and lets Plaso run."""
        program = (
            "from hermes_plaso import extension; "
            "extension._REGISTER_FUNCTIONS['plaso.parsers'] = lambda _: 1 / 0; "
            "from plaso.parsers import manager; import plaso.parsers; "
            "print(len(manager.ParsersManager._parser_classes) > 10)"
        )
        result = Run("-c", program)
        self.assertEqual(result.stdout.strip(), "True")
        self.assertEqual(
            result.stderr,
            "hermes-plaso: cannot extend plaso.parsers, Hermes evidence will not be "
            "parsed: division by zero\n",
        )

    def testInstallTwice(self):
        """Tests that a second installation changes nothing."""
        number_of_finders = len(sys.meta_path)
        startup.Install()
        self.assertEqual(len(sys.meta_path), number_of_finders)


class ExtensionTest(unittest.TestCase):
    """Tests for the extension of Plaso."""

    def testGetDataPath(self):
        """Tests the paths of data files."""
        self.assertTrue(os.path.isfile(extension.GetDataPath("tag_hermes.txt")))
        with self.assertRaises(FileNotFoundError):
            extension.GetDataPath("nonsense")

    def testPresetsTwice(self):
        """Tests that presets that are read again hold our parsers once."""
        # pylint: disable=import-outside-toplevel
        from plaso.parsers import presets

        path = os.path.join(os.path.dirname(presets.__file__), "..", "data")
        manager = presets.ParserPresetsManager()
        for _ in range(2):
            manager.ReadFromFile(os.path.join(path, "presets.yaml"))
        for name in ("hermes", "linux", "macos", "win7", "winxp"):
            parsers = manager.GetParsersByPreset(name)
            for parser in extension.PRESET_PARSERS:
                self.assertEqual(parsers.count(parser), 1, name)
        self.assertNotIn("sqlite/hermes_state", manager.GetParsersByPreset("webhist"))


if __name__ == "__main__":
    unittest.main()

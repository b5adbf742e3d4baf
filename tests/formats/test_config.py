"""Tests for the approval part and the time zone of config.yaml."""

import unittest

from hermes_plaso.formats import config
from hermes_plaso.formats import times

_TIME = times.Timestamp(1793266215000000)


class ConfigTest(unittest.TestCase):
    """Tests for the settings."""

    def _Decode(self, data):
        """Decodes settings.

        Args:
          data (bytes|str): content of a config.yaml.

        Returns:
          tuple[list[tuple[str, str]], list[str]]: settings and warnings.
        """
        if isinstance(data, str):
            data = data.encode("utf-8")
        settings = []
        warnings = []
        for result in config.Decode(data, _TIME):
            if isinstance(result, str):
                warnings.append(result)
                self.assertNotIn("SECRET", result)
            else:
                settings.append((result.values["setting"], result.values["value"]))
                self.assertNotIn("SECRET", repr(result))
        return settings, warnings

    def testDecode(self):
        """Tests every kind of setting, and a list with an entry that is none."""
        settings, warnings = self._Decode(
            'model:\n  api_key: SECRET\napprovals:\n  mode: "off"\n  cron_mode: deny\n'
            "  deny:\n    - \"rm -rf *\"\ncommand_allowlist:\n  - 'it''s'\n  - folded\n"
            "    onto two\n  - {a: SECRET}\n  - yes\n"
        )
        self.assertEqual(
            settings,
            [
                ("approvals.mode", "off"),
                ("approvals.cron_mode", "deny"),
                ("approvals.deny", "rm -rf *"),
                ("command_allowlist", "it's"),
                ("command_allowlist", "folded onto two"),
                ("command_allowlist", "yes"),
            ],
        )
        self.assertEqual(
            warnings,
            ["config.yaml command_allowlist is not a flat list (12: not a scalar)"],
        )

    def testDecodeRecords(self):
        """Tests the records of settings."""
        setting, time_zone = config.Decode(
            b"approvals: {mode: manual}\ntimezone: Europe/Berlin\n", _TIME
        )
        self.assertEqual(setting.data_type, "hermes:permission:setting")
        self.assertEqual(
            setting.values,
            {
                "origin": "config.yaml, file mtime",
                "record_identifier": 1,
                "setting": "approvals.mode",
                "value": "manual",
            },
        )
        self.assertEqual(setting.times, {"modification_time": _TIME})
        self.assertEqual(time_zone.data_type, "hermes:config:setting")
        self.assertEqual(time_zone.values["value"], "Europe/Berlin")

    def testDecodeNothing(self):
        """Tests documents without a setting."""
        for data in (
            "",
            "\n",
            "# nothing\n",
            "null\n",
            "a: b\n",
            "approvals:\ncommand_allowlist: []\n",
            "approvals2: {mode: SECRET}\ncommand_allowlist_url: SECRET\n",
            "x: {approvals: {mode: SECRET}}\n",
        ):
            self.assertEqual(self._Decode(data), ([], []), data)

    def testDecodeZeroBytes(self):
        """Tests what a loss of power leaves."""
        warning = "config.yaml starts with 4096 zero bytes"
        self.assertEqual(self._Decode("\x00" * 4096), ([], [warning]))
        self.assertEqual(
            self._Decode("\x00" * 4096 + "approvals:\n  mode: off\n"),
            ([("approvals.mode", "off")], [warning]),
        )

    def testDecodeBadDocument(self):
        """Tests documents that are no YAML, which keep what comes before."""
        self.assertEqual(
            self._Decode("approvals:\n  mode: off\ntoken: 'SECRET\n  x: ["),
            ([("approvals.mode", "off")], ["config.yaml is not valid YAML (line 4)"]),
        )
        for data in ("*SECRET", "a: *SECRET", "!SECRET!x a", "a: b: SECRET", "@SECRET"):
            settings, warnings = self._Decode(data)
            self.assertEqual(settings, [])
            self.assertLessEqual(len(warnings), 1)
        self.assertEqual(
            self._Decode("- SECRET"), ([], ["config.yaml is not a mapping (line 1)"])
        )

    def testDecodeUndecodable(self):
        """Tests that a byte that is no text costs nothing else."""
        settings, warnings = self._Decode(
            b"key: \xff\x01 SECRET\napprovals: {mode: 'o\xfef'}\n"
        )
        self.assertEqual(settings, [("approvals.mode", "o\\xfef")])
        self.assertEqual(warnings, [])

    def testDecodeHostile(self):
        """Tests nesting, aliases and tags."""
        settings, warnings = self._Decode(
            "key: &s SECRET\nmap: &m {mode: SECRET}\n"
            "approvals: {a: *s, <<: *m, b: &x ok, c: *x, d: !!python/object:x y}\n"
        )
        self.assertEqual(
            settings,
            [("approvals.b", "ok"), ("approvals.c", "ok"), ("approvals.d", "y")],
        )
        self.assertEqual(len(warnings), 2)

        bombs = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\napprovals: *c\n"
        self.assertEqual(len(self._Decode(bombs)[1]), 1)
        for opening in ("[", "{a: ", "? ", "- "):
            _, warnings = self._Decode("approvals:\n " + opening * 200000)
            self.assertIn("config.yaml is nested too deep (line 2)", warnings)
        self.assertEqual(
            self._Decode("#" * (config.MAXIMUM_SIZE + 1)),
            ([], ["config.yaml is larger than 1048576 bytes"]),
        )

    def testGetTimeZone(self):
        """Tests the time zone."""
        self.assertEqual(config.GetTimeZone(b"timezone: 'Asia/Tokyo'\n"), "Asia/Tokyo")
        self.assertIsNone(config.GetTimeZone(b"timezone:\n"))
        self.assertIsNone(config.GetTimeZone(b"x: {timezone: Asia/Tokyo}\n"))
        self.assertIsNone(config.GetTimeZone(b"timezone: [a]\n"))


class DamagedConfigTest(unittest.TestCase):
    """Tests for documents that are odd at one place."""

    def testCharacterNumber(self):
        """Tests a character that there is not."""
        results = list(
            config.Decode(b'approvals:\n  mode: smart\na: "\\UFFFFFFFF"\n', None)
        )
        self.assertEqual(
            [result for result in results if isinstance(result, str)],
            ["config.yaml is not valid YAML"],
        )
        self.assertEqual(len(results), 2)

    def testSecondDocument(self):
        """Tests that a second document is not left out without a word."""
        results = list(
            config.Decode(b"approvals:\n  mode: smart\n---\na: SECRET\n", None)
        )
        self.assertEqual(
            [result for result in results if isinstance(result, str)],
            ["config.yaml is more than a document (line 4)"],
        )
        self.assertEqual(len(results), 2)


if __name__ == "__main__":
    unittest.main()

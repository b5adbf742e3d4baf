"""Tests for the parser of the files of a Hermes Agent home."""

import os
import shutil
import sqlite3
import unittest
from unittest import mock

from dfvfs.lib import definitions as dfvfs_definitions
from dfvfs.path import factory as path_spec_factory
from dfvfs.resolver import resolver as path_spec_resolver

from plaso.parsers import manager

from hermes_plaso.formats import homes
from hermes_plaso.parsers import files_interface
from hermes_plaso.parsers import hermes_files
from tests import test_lib

_HISTORY = b"\n# 2026-10-29 09:30:16.400\n+hello\n"
_LOG = b"2026-10-29 09:30:16,123 INFO run_agent: hello\n"
_RUN = b"# Cron Job: n\n\n**Job ID:** j\n\nnothing to do\n"


class _BrokenPlugin(files_interface.HermesFilePlugin):
    """Plugin that raises."""

    NAME = "broken"
    DATA_FORMAT = "None"
    STORES = frozenset(["prompt_history"])

    exception = None

    def _ParseFile(self, parser_mediator, file_entry, location, producer):
        """Raises."""
        raise self.exception


class HermesFilesParserTest(test_lib.ParserTestCase):
    """Tests for the parser of the files of a Hermes Agent home."""

    def _Write(self, path, data):
        """Writes a file.

        Args:
          path (str): path below the temporary directory.
          data (bytes): content.

        Returns:
          str: path.
        """
        path = os.path.join(self.temporary_path, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file_object:
            file_object.write(data)
        return path

    def testRegistration(self):
        """Tests that Plaso knows the parser and its plugins."""
        parser_objects = manager.ParsersManager.GetParserObjects("hermes_files")
        self.assertEqual(list(parser_objects), ["hermes_files"])

    def testPlugins(self):
        """Tests that each store of a file is read by a plugin, and by one."""
        (parser,) = manager.ParsersManager.GetParserObjects("hermes_files").values()
        parser.EnablePlugins([])
        file_stores = [
            store
            for _, plugin_class in parser.GetPlugins()
            for store in plugin_class.STORES
        ]
        self.assertEqual(len(file_stores), len(set(file_stores)))
        database_stores = homes.STATE_STORES | {
            homes.STORE_RETAINDB,
            homes.STORE_RUNS_IDEMPOTENCY,
        }
        self.assertEqual(set(file_stores) | database_stores, set(homes.TIER_PER_STORE))
        plugin_names = set(hermes_files.HermesFilesParser.GetPluginNames())
        self.assertLessEqual(
            {
                "hermes_cron_run",
                "hermes_delegation_log",
                "hermes_log",
                "hermes_prompt_history",
            },
            plugin_names,
        )

    def testFilter(self):
        """Tests that the filter takes nothing that is no store, and never raises."""
        file_filter = hermes_files.HermesFileEntryFilter()
        for path, expected in (
            ("home/u/.hermes/.hermes_history", True),
            ("home/u/.hermes/other", False),
            ("home/u/run.jsonl", False),
        ):
            path_spec = self.GetPathSpec(self._Write(path, b"x"))
            file_entry = path_spec_resolver.Resolver.OpenFileEntry(path_spec)
            self.assertEqual(file_filter.Match(file_entry), expected)

        # A link is not read: what it leads to is, where that is evidence.
        target_path = os.path.join(
            self.temporary_path, "home/u/.hermes/.hermes_history"
        )
        link_path = os.path.join(self.temporary_path, "link", ".hermes_history")
        os.mkdir(os.path.dirname(link_path))
        os.symlink(target_path, link_path)
        file_entry = path_spec_resolver.Resolver.OpenFileEntry(
            self.GetPathSpec(link_path)
        )
        self.assertFalse(file_filter.Match(file_entry))
        self.assertEqual(self.Parse(link_path, "hermes_files").Count(), {})

        os.mkdir(os.path.join(self.temporary_path, "config.yaml"))
        path_spec = self.GetPathSpec(os.path.join(self.temporary_path, "config.yaml"))
        file_entry = path_spec_resolver.Resolver.OpenFileEntry(path_spec)
        self.assertFalse(file_filter.Match(file_entry))
        self.assertFalse(file_filter.Match(None))
        self.assertFalse(file_filter.Match(mock.Mock(name=None)))

    def testParse(self):
        """Tests the attributes that come from the place of a file."""
        path = self._Write(
            "home/u/.hermes/profiles/w/state-snapshots/20260821-120000/.hermes_history",
            _HISTORY,
        )
        result = self.Parse(path, "hermes_files")
        self.assertEqual(result.warnings, [])
        self.assertEqual(len(result.event_data), 1)
        self.CheckEventData(
            result.event_data[0],
            {
                "copy_identifier": "20260821-120000",
                "data_type": "hermes:prompt_history:entry",
                "profile": "w",
                "recorded_time": "2026-10-29T09:30:16.400000+00:00",
                "store": "prompt_history",
                "text": "hello",
                "tier": "secondary",
                "username": "u",
            },
        )

    def testParseNothing(self):
        """Tests an empty file, a database and a file that is not there."""
        path = self._Write("home/u/.hermes/.hermes_history", b"")
        result = self.Parse(path, "hermes_files")
        self.assertEqual((result.event_data, result.warnings), ([], []))

        os.remove(path)
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE t (x)")
        connection.close()
        result = self.Parse(path, "hermes_files")
        self.assertEqual((result.event_data, result.warnings), ([], []))

    def testParseDataStreams(self):
        """Tests that a file is read once, however often Plaso comes with it."""
        path = self._Write("home/u/.hermes/.hermes_history", _HISTORY)
        file_entry = path_spec_resolver.Resolver.OpenFileEntry(self.GetPathSpec(path))
        mediator = mock.Mock(abort=False)
        mediator.GetFileEntry.return_value = file_entry
        parser = hermes_files.HermesFilesParser()
        parser.Parse(mediator)
        parser.Parse(mediator)
        self.assertEqual(mediator.ProduceEventData.call_count, 1)

    def testParseWithExceptions(self):
        """Tests that what a plugin raises is one warning and stops nothing else."""
        path = self._Write("home/u/.hermes/.hermes_history", _HISTORY)
        hermes_files.HermesFilesParser.RegisterPlugin(_BrokenPlugin)
        self.addCleanup(hermes_files.HermesFilesParser.DeregisterPlugin, _BrokenPlugin)
        for exception in (OSError("secret"), ValueError("secret"), RecursionError()):
            _BrokenPlugin.exception = exception
            result = self.Parse(path, "hermes_files")
            self.assertEqual(
                result.warnings,
                [f"broken unable to read file: {type(exception).__name__:s}"],
            )
            self.assertEqual(len(result.event_data), 1)

        with mock.patch(
            "dfvfs.vfs.os_file_entry.OSFileEntry.GetFileObject", side_effect=OSError
        ):
            result = self.Parse(path, "hermes_files")
        self.assertEqual(result.warnings, ["unable to read file: OSError"])

    def testParseNeedsHome(self):
        """Tests files of which other programs have the like."""
        path = self._Write("app/logs/agent.log", _LOG)
        self._Write("app/state.db", b"x")
        self.assertEqual(self.Parse(path, "hermes_files").Count(), {})

        self._Write("app/SOUL.md", b"x")
        result = self.Parse(path, "hermes_files")
        self.assertEqual(result.Count(), {"hermes:log:line": 1})

        path = self._Write("app/profiles/w/logs/agent.log", _LOG)
        self._Write("app/profiles/w/.hermes_history", _HISTORY)
        self._Write("app/profiles/w/sessions/x", _HISTORY)
        (event_data,) = self.Parse(path, "hermes_files").event_data
        self.assertEqual(event_data.profile, "w")

    def testParseFlat(self):
        """Tests files that were copied out of a home, under their own names."""
        for name, data, data_type in (
            (".hermes_history", _HISTORY, "hermes:prompt_history:entry"),
            ("2026-10-29_09-30-16.md", _RUN, "hermes:cron:run"),
            (
                "task-0.log",
                b"delegation: d   task: 0\nstarted: 2026-08-15 06:00:00\n"
                b"06:00:00 final | x\n",
                "hermes:delegation:line",
            ),
        ):
            result = self.Parse(self._Write(f"flat/{name:s}", data), "hermes_files")
            self.assertEqual(result.Count(), {data_type: 1})
            self.assertEqual(result.warnings, [])

        for name in ("2026-10-29_09-30-17.md", "task-1.log"):
            path = self._Write(f"flat/{name:s}", b"another program's\n")
            result = self.Parse(path, "hermes_files")
            self.assertEqual((result.Count(), result.warnings), ({}, []))

    def testTimeZoneHints(self):
        """Tests in which zone the local times of a file are."""
        names = (
            (".hermes_history", b"\n# 2026-10-29 09:30:16\n+x\n", "recorded_time"),
            ("logs/agent.log", _LOG, "recorded_time"),
            ("cron/output/j/2026-10-29_09-30-16.md", _RUN, "run_time"),
        )
        for home, configuration, expected_hints in (
            ("home/a/.hermes", None, [None, None, None]),
            ("home/b/.hermes", b"timezone: EST5EDT\n", [None, None, "EST5EDT"]),
            ("home/c/.hermes", b"timezone: Mars/Base\n", [None, None, None]),
            ("home/d/.hermes", b"timezone: [\n", [None, None, None]),
            ("home/e/.hermes/profiles/w", b"timezone: UTC\n", [None, None, "UTC"]),
            ("volumes/hermes/_data", None, ["UTC", "UTC", "UTC"]),
            (
                "volumes/hermes2/_data",
                b"timezone: Europe/Paris\n",
                ["UTC", "UTC", "Europe/Paris"],
            ),
        ):
            if configuration:
                self._Write(f"{home:s}/config.yaml", configuration)
            hints = []
            for name, data, attribute_name in names:
                path = self._Write(f"{home:s}/{name:s}", data)
                result = self.Parse(path, "hermes_files")
                self.assertEqual(result.warnings, [])
                date_time = getattr(result.event_data[0], attribute_name)
                self.assertTrue(date_time.is_local_time)
                self.assertEqual(
                    date_time.CopyToDateTimeString()[:19], "2026-10-29 09:30:16"
                )
                hints.append(date_time.time_zone_hint)
            self.assertEqual(hints, expected_hints, home)

    def testTimeZoneHintOfSnapshot(self):
        """Tests that a file of a snapshot has the zone of the snapshot, or the home."""
        home = "home/u/.hermes"
        snapshot = f"{home:s}/state-snapshots/20260821-120000"
        name = "cron/output/j/2026-10-29_09-30-16.md"
        path = self._Write(f"{snapshot:s}/{name:s}", _RUN)
        self._Write(f"{home:s}/config.yaml", b"timezone: EST5EDT\n")
        (event_data,) = self.Parse(path, "hermes_files").event_data
        self.assertEqual(event_data.run_time.time_zone_hint, "EST5EDT")

        self._Write(f"{snapshot:s}/config.yaml", b"timezone: Europe/Paris\n")
        (event_data,) = self.Parse(path, "hermes_files").event_data
        self.assertEqual(event_data.run_time.time_zone_hint, "Europe/Paris")

    def testParseMemberOfArchive(self):
        """Tests a file of a backup, whose zone is that of its settings."""
        self._Write("b/cron/output/j/2026-10-29_09-30-16.md", _RUN)
        self._Write("b/config.yaml", b"timezone: EST5EDT\n")
        archive_path = os.path.join(self.temporary_path, "home/u/.hermes/backups/b")
        os.makedirs(os.path.dirname(archive_path))
        shutil.make_archive(archive_path, "zip", os.path.join(self.temporary_path, "b"))
        path_spec = path_spec_factory.Factory.NewPathSpec(
            dfvfs_definitions.TYPE_INDICATOR_ZIP,
            location="/cron/output/j/2026-10-29_09-30-16.md",
            parent=self.GetPathSpec(f"{archive_path:s}.zip"),
        )
        (event_data,) = self.Parse(path_spec, "hermes_files").event_data
        self.assertEqual(event_data.copy_identifier, "b")
        self.assertEqual(event_data.username, "u")
        self.assertEqual(event_data.run_time.time_zone_hint, "EST5EDT")

    def testParseHomeByContents(self):
        """Tests that a home that only its contents tell hides no damage."""
        home = os.path.join(self.temporary_path, "opt", "hermes")
        os.makedirs(os.path.join(home, "sessions"))
        for name in ("state.db", "SOUL.md", "config.yaml", "auth.json"):
            with open(os.path.join(home, name), "w", encoding="utf-8"):
                pass
        for name in (
            "gateway_state.json",
            "processes.json",
            "sessions/20261029_093015_5c7e19a2.jsonl",
        ):
            path = os.path.join(home, name)
            with open(path, "w", encoding="utf-8") as file_object:
                file_object.write("damaged")
            result = self.Parse(path, "hermes_files")
            self.assertEqual(len(result.warnings), 1, name)

    def testParseEmptyDocuments(self):
        """Tests that a document of no value is told, and an empty one is not."""
        directory = os.path.join(self.temporary_path, "home", "u", ".hermes")
        os.makedirs(directory)
        path = os.path.join(directory, "gateway_state.json")
        for text, number_of_warnings in (("null", 1), ("0", 1), ('""', 1), ("{}", 0)):
            with open(path, "w", encoding="utf-8") as file_object:
                file_object.write(text)
            result = self.Parse(path, "hermes_files")
            self.assertEqual(len(result.warnings), number_of_warnings, text)

    def testParseForeignLines(self):
        """Tests lines of another agent that are longer than what is looked at."""
        path = os.path.join(
            self.temporary_path, "0b1d4d36-95d1-4c1b-9f1a-7e6f4c2b8a90.jsonl"
        )
        with open(path, "w", encoding="utf-8") as file_object:
            for _ in range(2):
                file_object.write(
                    '{"parentUuid": null, "type": "user", "message": {"role": "user", '
                    f'"content": "{"x" * 70000:s}"}}}}\n'
                )
        result = self.Parse(path, "hermes_files")
        self.assertEqual((result.Count(), result.warnings), ({}, []))

    def testParseRunAfterOthers(self):
        """Tests runs of a project that follow what is none."""
        path = os.path.join(self.temporary_path, "trajectory_samples.jsonl")
        value = "x" * 70000
        run = (
            f'{{"conversations": [{{"from": "human", "value": "{value:s}"}}], '
            '"model": "m", "timestamp": "2026-10-29T09:30:13", "completed": true}\n'
        )
        for start in ("{}\n", "null\n", "\x00" * 70000 + "\n"):
            with open(path, "w", encoding="utf-8") as file_object:
                file_object.write(start + run)
            result = self.Parse(path, "hermes_files")
            self.assertEqual(result.Count().get("hermes:trajectory:run"), 1, start[:5])
            self.assertEqual(len(result.warnings), 1, start[:5])

    def testParseEqualCalls(self):
        """Tests that equal calls without an identifier are told from each other."""
        directory = os.path.join(
            self.temporary_path, "home", "u", ".hermes", "sessions"
        )
        os.makedirs(directory)
        path = os.path.join(directory, "20261029_093015_5c7e19a2.jsonl")
        call = '{"function": {"name": "terminal", "arguments": "{}"}}'
        with open(path, "w", encoding="utf-8") as file_object:
            file_object.write(
                f'{{"role": "assistant", "content": "", "tool_calls": [{call:s}, '
                f"{call:s}]}}\n"
            )
        result = self.Parse(path, "hermes_files")
        self.assertEqual(
            [
                event_data.record_identifier
                for event_data in result.Get("hermes:message:tool_call")
            ],
            [1, "1:2"],
        )

    def testParseNestedLines(self):
        """Tests that a line that is nested too deep costs no other line."""
        directory = os.path.join(
            self.temporary_path, "home", "u", ".hermes", "sessions"
        )
        os.makedirs(directory)
        path = os.path.join(directory, "20261029_093015_5c7e19a2.jsonl")
        line = '{"role": "user", "content": "hello"}\n'
        for depth in range(900, 1010, 3):
            with open(path, "w", encoding="utf-8") as file_object:
                nested = "[" * depth + "]" * depth
                file_object.write(
                    f'{line:s}{{"role": "user", "content": {nested:s}}}\n{line:s}'
                )
            result = self.Parse(path, "hermes_files")
            self.assertEqual(len(result.event_data), 3, depth)
            # The parts of the list that the content is are joined as text.
            self.assertIn(nested[1:-1], str(vars(result.event_data[1])), depth)

    @test_lib.requires_shared
    def testParseDecoys(self):
        """Tests other programs' files of the same names (case 14)."""
        path = test_lib.MakeCases(self.temporary_path)
        number_of_files = 0
        for directory, _, names in os.walk(os.path.join(path, "14-decoys")):
            for name in names:
                number_of_files += 1
                result = self.Parse(os.path.join(directory, name), "hermes_files")
                self.assertEqual((result.Count(), result.warnings), ({}, []), name)
        self.assertEqual(number_of_files, 8)


if __name__ == "__main__":
    unittest.main()

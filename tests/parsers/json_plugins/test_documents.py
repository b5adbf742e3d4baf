"""Tests for the plugins for JSON and YAML, on the shared cases and evidence."""

import json
import os
import tarfile
import unittest

from tests import test_lib

_HISTORY_TYPE = "hermes:prompt_history:entry"

# Other agents name their files by such an identifier as well.
_UUID = "9842a758-d07a-4a60-b881-4c11b5bf8ab3"


class FlatCopiesTest(test_lib.ParserTestCase):
    """Tests for documents that were copied out of their home."""

    def ParseDocument(self, name, document):
        """Parses a document that nothing lies beside.

        Args:
          name (str): name of the file.
          document (object): document, or the text of the file.

        Returns:
          ParseResult: what the plugins produced.
        """
        path = os.path.join(self.temporary_path, name)
        with open(path, "w", encoding="utf-8") as file_object:
            if isinstance(document, str):
                file_object.write(document)
            else:
                json.dump(document, file_object)
        return self.Parse(path, "hermes_files")

    def testHermes(self):
        """Tests documents that tell what they are."""
        job = {
            "id": "j1",
            "created_at": "2026-10-29T09:30:15+00:00",
            "prompt": "p",
            "schedule": {"display": "every 1h"},
        }
        route = {
            "session_id": "20261028_201500_b41c0de7",
            "updated_at": "2026-10-29T09:30:15",
        }
        manifest = {
            "id": "20261029-093015",
            "timestamp": "20261029-093015",
            "file_count": 1,
            "files": {"state.db": 4096},
        }
        for name, document, data_type in (
            ("jobs.json", {"jobs": [job]}, "hermes:cron:job"),
            (
                "sessions.json",
                {"_README": "x", "agent:main:telegram:dm:1": route},
                "hermes:gateway:route",
            ),
            (
                "processes.json",
                [
                    {
                        "command": "make",
                        "pid": 7,
                        "session_id": "proc_0123456789ab",
                        "session_key": "agent:main:telegram:dm:1",
                        "started_at": 1793266215.0,
                    }
                ],
                "hermes:gateway:state",
            ),
            (
                "gateway_state.json",
                {"gateway_state": "running", "kind": "hermes-gateway"},
                "hermes:gateway:state",
            ),
            (
                "connections.json",
                {"connections": [{"kind": "ssh", "host": "h"}], "version": 2},
                "hermes:desktop:connection",
            ),
            (
                "discord-approved.json",
                {"88213": {"user_name": "u", "approved_at": 1793210400.0}},
                "hermes:permission:setting",
            ),
            (
                "session_20261028_201500_b41c0de7.json",
                {"messages": [], "session_id": "20261028_201500_b41c0de7"},
                "hermes:session:entry",
            ),
            (
                "20261028_201500_b41c0de7.jsonl",
                '{"role": "user", "content": "q", "timestamp": 1793266215.5}\n',
                "hermes:message:entry",
            ),
            (
                "trajectory_samples.jsonl",
                '{"conversations": [], "timestamp": "2026-10-29T09:30:16"}\n',
                "hermes:trajectory:run",
            ),
            (".hermes_history", "\n# 2026-10-29 09:30:16\n+q\n", _HISTORY_TYPE),
            ("manifest.json", manifest, "hermes:snapshot:manifest"),
        ):
            result = self.ParseDocument(name, document)
            self.assertEqual(result.warnings, [])
            self.assertEqual(result.Count(), {data_type: 1})
        self.assertEqual(result.event_data[0].copy_identifier, "20261029-093015")

    def testOtherPrograms(self):
        """Tests documents of other programs, which give nothing, whatever they hold."""
        for name, document in (
            ("jobs.json", {"jobs": [{"id": 1, "name": "build"}]}),
            ("jobs.json", [{"id": 1, "schedule": "daily"}]),
            ("jobs.json", []),
            ("jobs.json", '{"cut": '),
            ("sessions.json", {"abc": {"session_id": "1", "user": "u"}}),
            ("sessions.json", {}),
            ("sessions.json", "no JSON"),
            ("manifest.json", {"id": "app", "timestamp": 1, "files": ["a.js"]}),
            ("manifest.json", {"name": "extension", "manifest_version": 3}),
            ("manifest.json", ""),
            ("processes.json", [{"pid": 1}]),
            (
                "processes.json",
                [{"command": "x", "pid": 1, "session_id": "s", "started_at": 1}],
            ),
            ("processes.json", []),
            ("gateway_state.json", {"state": "up"}),
            ("gateway_state.json", "no JSON"),
            ("connections.json", {"connections": [{"host": "db"}]}),
            ("connections.json", '// comment\n{"connections": []}'),
            ("x-approved.json", {"document": {"status": "approved"}}),
            ("x-approved.json", {"document": {"approved_at": "yesterday"}}),
            (f"{_UUID:s}.jsonl", '{"type": "system", "content": "c", "uuid": "u"}\n'),
            (f"{_UUID:s}.jsonl", '{"role": "user", "content": "c", "id": "1"}\n'),
            (f"{_UUID:s}.jsonl", '{"type": "queue-operation", "content": "c"}\n'),
            (f"session_{_UUID:s}.json", {"messages": [], "id": "s"}),
            ("trajectory_samples.jsonl", '{"x": 1, "y": [0.5]}\n'),
            ("trajectory_samples.jsonl", "1 2 3\n4 5 6\n"),
            (".hermes_history", "ls\nmake\n"),
        ):
            result = self.ParseDocument(name, document)
            self.assertEqual((result.Count(), result.warnings), ({}, []), name)

    def testLongFirstLine(self):
        """Tests that a long first line does not hide what a file is."""
        turn = {"from": "human", "value": "q" * 100000}
        run = {"conversations": [turn], "timestamp": "2026-10-29T09:30:16"}
        for prefix in ("", '{"cut": \n'):
            result = self.ParseDocument(
                "trajectory_samples.jsonl", f"{prefix:s}{json.dumps(run):s}\n"
            )
            self.assertEqual(result.Count()["hermes:trajectory:run"], 1)
            self.assertEqual(len(result.warnings), int(bool(prefix)))


class ZeroBytesTest(test_lib.ParserTestCase):
    """Tests for lines that a loss of power damaged."""

    def testLines(self):
        """Tests that zero bytes cost no line that they are beside."""
        path = os.path.join(self.temporary_path, "home", "u", ".hermes", "sessions")
        os.makedirs(path)
        path = os.path.join(path, "20261028_201500_b41c0de7.jsonl")
        line = b'{"role": "user", "content": "q"}'
        with open(path, "wb") as file_object:
            file_object.write(b"%s\n\x00\x00%s\n\n%s\x00" % (line, line, line))
            file_object.write(b"\n" + b"\x00" * 70000)
        result = self.Parse(path, "hermes_files")
        self.assertEqual(
            result.Count(), {"hermes:message:entry": 3, "hermes:unparsed:entry": 3}
        )
        self.assertEqual(
            result.warnings,
            [
                "unparseable line 2 (2 zero bytes): ",
                "unparseable line 4 (1 zero bytes): ",
                "unparseable line 5 (70000 zero bytes): ",
            ],
        )
        self.assertEqual(
            [
                event_data.record_identifier
                for event_data in result.Get("hermes:message:entry")
            ],
            [1, 2, 4],
        )


class UnknownContentTest(test_lib.ParserTestCase):
    """Tests for documents of a home that are not as Hermes writes them."""

    def testUnknownContent(self):
        """Tests that what is not understood is one warning, but nothing if empty."""
        home_path = os.path.join(self.temporary_path, "home", "u", ".hermes")
        os.makedirs(os.path.join(home_path, "cron"))
        for name in ("cron/jobs.json", "gateway_state.json", "processes.json"):
            path = os.path.join(home_path, name)
            for document, warnings in (
                ("{}", []),
                ("[]", []),
                ('{"other": "SECRET"}', ["file cannot be read: unknown content"]),
                ('"SECRET"', ["file cannot be read: unknown content"]),
            ):
                with open(path, "w", encoding="utf-8") as file_object:
                    file_object.write(document)
                result = self.Parse(path, "hermes_files")
                self.assertEqual((result.Count(), result.warnings), ({}, warnings))

    def testConnections(self):
        """Tests a registry in its place, whose entries need not tell what it is."""
        path = os.path.join(self.temporary_path, "home", "u", ".config", "Hermes")
        os.makedirs(path)
        path = os.path.join(path, "connections.json")
        with open(path, "w", encoding="utf-8") as file_object:
            json.dump(
                {"connections": ["SECRET", {"id": "r"}], "version": 2}, file_object
            )
        result = self.Parse(path, "hermes_files")
        self.assertEqual(result.Count(), {"hermes:desktop:connection": 1})
        self.assertEqual(
            result.warnings, ["unparseable record 1 (connections: not an object)"]
        )


@test_lib.requires_shared
class SharedFilesTest(test_lib.ParserTestCase):
    """Tests for the plugins for JSON and YAML, on the shared cases and evidence."""

    def ParseTree(self, path):
        """Parses the files of a tree.

        Args:
          path (str): path of the tree.

        Returns:
          dict[str, ParseResult]: what was produced per path below the tree.
        """
        results = {}
        for directory, _, names in os.walk(path):
            for name in names:
                file_path = os.path.join(directory, name)
                result = self.Parse(file_path, "hermes_files")
                if result.event_data or result.warnings:
                    results[os.path.relpath(file_path, path)] = result
        return results

    def MakeCase(self, prefix):
        """Makes a shared case.

        Args:
          prefix (str): start of the name of the case.

        Returns:
          str: path of the tree of the case.
        """
        path = test_lib.MakeCases(self.temporary_path)
        for name in os.listdir(path):
            if name.startswith(prefix):
                return os.path.join(path, name)
        raise ValueError(f"Missing case: {prefix:s}")

    def testLongLines(self):
        """Tests case 11: lines over 64 KiB, and broken ones."""
        results = self.ParseTree(self.MakeCase("11"))

        divert = results["home/u/.hermes/sessions/20261028_201500_b41c0de7.jsonl"]
        self.assertEqual(
            divert.Count(),
            {
                "hermes:message:entry": 2,
                "hermes:message:tool_call": 1,
                "hermes:unparsed:entry": 3,
            },
        )
        self.assertEqual(len(divert.warnings), 3)
        messages = divert.Get("hermes:message:entry")
        self.assertEqual(len(messages[0].text), 200000)
        self.CheckEventData(
            messages[0],
            {
                "record_identifier": 1,
                "recorded_time": "2026-10-29T09:30:15.000000+00:00",
                "session_identifier": "20261028_201500_b41c0de7",
                "store": "divert",
                "tier": "secondary",
                "username": "u",
            },
        )
        self.assertIsNone(messages[1].recorded_time)

        runs = results["home/u/p/trajectory_samples.jsonl"]
        self.assertEqual(
            runs.Count(),
            {
                "hermes:message:entry": 4,
                "hermes:message:reasoning": 1,
                "hermes:trajectory:run": 1,
                "hermes:unparsed:entry": 1,
            },
        )
        self.assertEqual(len(runs.warnings), 1)
        run = runs.Get("hermes:trajectory:run")[0]
        self.assertTrue(run.recorded_time.is_local_time)
        self.assertTrue(run.project_path.endswith("home/u/p"))
        self.assertIn(
            "q\u2028r", [message.text for message in runs.Get("hermes:message:entry")]
        )

    def testDocuments(self):
        """Tests case 13: documents with bad entries."""
        results = self.ParseTree(self.MakeCase("13"))
        counts = {
            name: (result.Count(), len(result.warnings))
            for name, result in results.items()
            if not name.endswith(".md")
        }
        home = "home/u/.hermes"
        self.assertEqual(
            counts,
            {
                f"{home:s}/config.yaml": ({"hermes:permission:setting": 4}, 1),
                f"{home:s}/pairing/discord-approved.json": (
                    {"hermes:permission:setting": 3},
                    2,
                ),
                f"{home:s}/pastes/pending.json": (
                    {"hermes:paste:entry": 2, "hermes:unparsed:entry": 2},
                    2,
                ),
                f"{home:s}/platforms/pairing/telegram-approved.json": ({}, 1),
            },
        )
        settings = results[f"{home:s}/config.yaml"].Get("hermes:permission:setting")
        self.assertEqual(
            sorted((setting.setting, setting.value) for setting in settings),
            [
                ("approvals.deny", "rm -rf *"),
                ("approvals.mode", "off"),
                ("command_allowlist", "folded onto two"),
                ("command_allowlist", "it's"),
            ],
        )
        pastes = results[f"{home:s}/pastes/pending.json"].Get("hermes:paste:entry")
        self.CheckEventData(
            pastes[0],
            {
                "expiration_time": "2026-10-29T16:00:00.500000+00:00",
                "upload_time": "2026-10-29T10:00:00.500000+00:00",
            },
        )
        self.CheckEventData(pastes[1], {"expiration_time": None, "upload_time": None})

    def testDecoys(self):
        """Tests case 14: other programs' files of the same names."""
        self.assertEqual(self.ParseTree(self.MakeCase("14")), {})

    def testEvidence(self):
        """Tests the documents of the home that the real program wrote."""
        path = os.path.join(self.temporary_path, "home", "alice")
        archive_path = os.path.join(
            test_lib.SHARED_PATH, "evidence", "home-0.19.0.tar.xz"
        )
        with tarfile.open(archive_path) as archive:
            archive.extractall(path, filter="data")
        results = self.ParseTree(path)

        self.assertEqual([name for name in results if results[name].warnings], [])
        expected = {
            ".config/Hermes/connections.json": {"hermes:desktop:connection": 4},
            ".hermes/config.yaml": {"hermes:permission:setting": 10},
            ".hermes/cron/jobs.json": {"hermes:cron:job": 5},
            ".hermes/gateway_state.json": {"hermes:gateway:state": 2},
            ".hermes/pastes/pending.json": {"hermes:paste:entry": 2},
            ".hermes/platforms/pairing/discord-approved.json": {
                "hermes:permission:setting": 1
            },
            ".hermes/profiles/work/pairing/slack-approved.json": {
                "hermes:permission:setting": 1
            },
            ".hermes/sessions/session_20260817_073000_b485ef.json": {
                "hermes:message:entry": 2,
                "hermes:session:entry": 1,
                "hermes:session:system_prompt": 1,
            },
            ".hermes/sessions/sessions.json": {"hermes:gateway:route": 3},
            ".hermes/state-snapshots/20260822-120000/manifest.json": {
                "hermes:snapshot:manifest": 1
            },
            "work/site/trajectory_samples.jsonl": {
                "hermes:message:entry": 42,
                "hermes:message:reasoning": 7,
                "hermes:message:tool_call": 15,
                "hermes:trajectory:run": 4,
            },
        }
        self.assertEqual({name: results[name].Count() for name in expected}, expected)
        self.assertEqual(
            {
                event_data.username
                for name, result in results.items()
                if not name.startswith("work/")
                for event_data in result.event_data
            },
            {"alice"},
        )


if __name__ == "__main__":
    unittest.main()

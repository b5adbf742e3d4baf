"""Tests for the other JSON stores: values in, records out."""

import json
import time
import unittest

from hermes_plaso.formats import connections
from hermes_plaso.formats import cron_jobs
from hermes_plaso.formats import diverts
from hermes_plaso.formats import gateway
from hermes_plaso.formats import pairing
from hermes_plaso.formats import pastes
from hermes_plaso.formats import run_state
from hermes_plaso.formats import session_json
from hermes_plaso.formats import snapshots
from hermes_plaso.formats import times


class DivertsTest(unittest.TestCase):
    """Tests for diverts."""

    def testDecode(self):
        """Tests lines with and without time, calls and reasoning."""
        decoder = diverts.DivertDecoder("s1")
        (record,) = decoder.Decode(
            b'{"role": "user", "content": "q\xff", "timestamp": 1793266216.4}', 1
        )
        self.assertEqual(record.values["text"], "q\\xff")
        self.assertEqual(record.values["session_identifier"], "s1")
        self.assertEqual(record.values["record_identifier"], 1)
        self.assertEqual(record.times["recorded_time"].microseconds, 1793266216400000)

        records = decoder.Decode(
            b'{"role": "assistant", "content": [{"type": "text", "text": "a"}, '
            b'{"type": "image_url"}], "reasoning": "r", "tool_calls": [{"id": "c", '
            b'"function": {"name": "terminal", "arguments": "{\\"command\\": \\"id\\"}"'
            b"}}, 7]}",
            2,
        )
        self.assertEqual(
            [(record.data_type, record.values.get("text")) for record in records],
            [
                ("hermes:message:entry", "a\n[image]"),
                ("hermes:message:reasoning", "r"),
                ("hermes:message:tool_call", "id"),
                ("hermes:unparsed:entry", None),
            ],
        )
        self.assertEqual(
            records[3].values["reason"],
            "unparseable record 2 (tool_calls entry is not an object)",
        )
        self.assertEqual(records[0].warnings, [])
        self.assertEqual(records[0].times, {})

        (record,) = decoder.Decode(b'{"content": "no role"}', 3)
        self.assertEqual(record.values["turn_type"], "system")

    def testDecodeBadLine(self):
        """Tests lines that are no message."""
        decoder = diverts.DivertDecoder("s1")
        for line in (b"[1, 2]", b'{"role": "user", "content": "cut', b"\x00" * 9):
            (record,) = decoder.Decode(line, 4)
            self.assertEqual(record.data_type, "hermes:unparsed:entry")
            self.assertEqual(record.values["session_identifier"], "s1")
            self.assertEqual(len(record.warnings), 1)

        (record,) = decoder.Decode(b'{"zz": {"content": "x"}}', 5)
        self.assertEqual(record.values["value"], '{"zz": {"content": "x"}}')
        self.assertIn("unparseable line 5 (no content, but zz)", record.warnings[0])
        (record,) = decoder.Decode(
            b'{"role": "assistant", "content": null, "observed": true, "refusal": ""}',
            6,
        )
        self.assertEqual(record.data_type, "hermes:message:entry")
        self.assertEqual(record.warnings, [])

        records = decoder.Decode(b'{"role": "user", "content": 1, "content": 2}', 7)
        self.assertEqual(records[0].values["text"], "2")
        self.assertEqual(records[1].data_type, "hermes:unparsed:entry")
        self.assertIn("more than once", records[1].warnings[0])

    def testIsMessage(self):
        """Tests what is told from another program's lines."""
        self.assertTrue(diverts.IsMessage({"role": "user"}))
        self.assertFalse(diverts.IsMessage({"type": "x"}))
        self.assertFalse(diverts.IsMessage([]))


class SessionJSONTest(unittest.TestCase):
    """Tests for transcripts."""

    def testDecode(self):
        """Tests a transcript with a bad message."""
        document = {
            "last_updated": "2026-08-17T07:30:00.318490",
            "messages": [{"role": "user", "content": "q"}, 3, {"text": "t"}],
            "model": "m",
            "platform": "cli",
            "session_id": "s1",
            "session_start": "2026-08-17T07:30:00.251862",
            "system_prompt": "You are Hermes",
        }
        self.assertTrue(session_json.IsTranscript(document))
        self.assertFalse(session_json.IsTranscript({"messages": []}))
        records = list(session_json.Decode(document, "name"))
        self.assertEqual(
            [record.data_type for record in records],
            [
                "hermes:session:entry",
                "hermes:session:system_prompt",
                "hermes:message:entry",
                "hermes:unparsed:entry",
                "hermes:unparsed:entry",
            ],
        )
        self.assertTrue(records[0].times["start_time"].is_local_time)
        self.assertEqual(records[0].values["session_source"], "cli")
        self.assertEqual(records[1].values["text"], "You are Hermes")
        self.assertEqual(
            records[1].times, {"start_time": records[0].times["start_time"]}
        )
        self.assertEqual(records[2].values["session_identifier"], "s1")
        self.assertEqual(records[2].times, {})
        self.assertIn("no content, but text", records[4].warnings[0])


class PairingTest(unittest.TestCase):
    """Tests for lists of approved users."""

    def testDecode(self):
        """Tests entries that lack values, and entries that are none."""
        data = json.dumps(
            {
                "88213": {"user_name": "ops", "approved_at": 1793210400.0},
                "1": {},
                "2": ["SECRET"],
                "3": {"approved_at": "SECRET", "user_name": {"SECRET": 1}},
            },
            indent=2,
        ).encode("utf-8")
        results = list(pairing.Decode(data, "discord", "pairing/discord-approved.json"))
        settings = [result for result in results if not isinstance(result, str)]
        self.assertEqual(
            [record.values["setting"] for record in settings],
            ["pairing.discord.88213", "pairing.discord.1", "pairing.discord.3"],
        )
        self.assertEqual(
            settings[0].values,
            {
                "origin": "pairing/discord-approved.json, approved_at",
                "record_identifier": "88213",
                "setting": "pairing.discord.88213",
                "user_name": "ops",
                "value": None,
            },
        )
        self.assertEqual(
            settings[0].times, {"approval_time": times.FromSeconds(1793210400)}
        )
        self.assertEqual(
            [result for result in results if isinstance(result, str)],
            [
                "pairing/discord-approved.json: unparseable record 3 (line 7): "
                "not an object",
                "pairing/discord-approved.json: no usable time in record 4 (line 10) "
                "(approved_at)",
            ],
        )
        self.assertNotIn("SECRET", repr(results))

    def testDecodeBadDocument(self):
        """Tests a document that is cut."""
        self.assertEqual(
            list(pairing.Decode(b'{"SECRET": ', "x", "pairing/x-approved.json")),
            [
                "pairing/x-approved.json cannot be read: not valid JSON: Expecting "
                "value at line 1 character 12"
            ],
        )

    def testDecodeManyUsers(self):
        """Tests that time grows with the number of users alone."""
        users = {f"{number:d}": number for number in range(100000)}
        start = time.process_time()
        results = list(pairing.Decode(json.dumps(users, indent=1).encode(), "x", "x"))
        self.assertLess(time.process_time() - start, 10)
        self.assertEqual(len(results), 100000)
        self.assertEqual(
            results[-1], "x: unparseable record 100000 (line 100001): not an object"
        )

    def testDecodeMoreThanADocument(self):
        """Tests that what follows a document does not cost its users."""
        data = b'{"1": {"approved_at": 1793210400.0}}'
        warning, setting = pairing.Decode(data + b"\x00\x00", "x", "x-approved.json")
        self.assertEqual(
            warning, "x-approved.json holds more than a document: 2 zero bytes"
        )
        self.assertEqual(setting.values["setting"], "pairing.x.1")

    def testGetPlatform(self):
        """Tests which files are lists of approved users."""
        self.assertEqual(pairing.GetPlatform("discord-approved.json"), "discord")
        self.assertIsNone(pairing.GetPlatform("discord-pending.json"))
        self.assertIsNone(pairing.GetPlatform("_rate_limits.json"))
        self.assertIsNone(pairing.GetPlatform("-approved.json"))


class PastesTest(unittest.TestCase):
    """Tests for pastes."""

    def testDecode(self):
        """Tests entries of every kind."""
        records = list(
            pastes.Decode(
                [
                    {"url": "https://paste.rs/Xq3vT", "expire_at": 1793289600.5},
                    {"expire_at": 1},
                    "text",
                    {"url": "https://paste.rs/none"},
                ]
            )
        )
        self.assertEqual(
            [record.data_type for record in records],
            [
                "hermes:paste:entry",
                "hermes:unparsed:entry",
                "hermes:unparsed:entry",
                "hermes:paste:entry",
            ],
        )
        self.assertEqual(
            records[0].times,
            {
                "expiration_time": times.FromSeconds(1793289600.5),
                "upload_time": times.FromSeconds(1793268000.5),
            },
        )
        self.assertEqual(records[1].values["value"], '{"expire_at": 1}')
        self.assertEqual(
            records[2].warnings, ["unparseable record 3 (not an object): text"]
        )
        self.assertEqual(records[3].times, {})


class ConnectionsTest(unittest.TestCase):
    """Tests for the desktop app's registry."""

    def testDecode(self):
        """Tests every kind of connection, the quarantine and bad entries."""
        document = {
            "connections": [
                {"id": "local", "kind": "local"},
                {
                    "headers": {"X": "SECRET"},
                    "id": "r",
                    "kind": "remote",
                    "label": "Lab",
                    "token": {"value": "SECRET"},
                    "url": "https://u:SECRET@lab.example:9119/?k=SECRET",
                },
                {"host": "h", "id": "s", "kind": "ssh", "port": 22, "user": "u:SECRET"},
                {"kind": "cloud", "label": ["SECRET"], "name": "n", "org": "o"},
                {"host": "bob:SECRET@h", "id": "t", "kind": "ssh"},
                "SECRET",
                {"id": {"SECRET": 1}},
            ],
            "lastUsed": "r",
            "quarantined": [
                {
                    "entry": {"id": "q", "token": "SECRET", "url": "SECRET"},
                    "reason": "bad url",
                },
                {
                    "entry": "SECRET",
                    "reason": "https://u:SECRET@h is bad, 'SECRET' in \"SECRET\"",
                },
                "SECRET",
            ],
            "version": 2,
        }
        self.assertTrue(connections.IsRegistry(document))
        results = list(connections.Decode(document, None))
        self.assertNotIn("SECRET", repr(results))
        self.assertEqual(
            [
                (record.values.get("connection_kind"), record.values.get("address"))
                for record in results
                if not isinstance(record, str)
            ],
            [
                ("remote", "https://u@lab.example:9119/?..."),
                ("ssh", "u@h:22"),
                ("cloud", None),
                ("ssh", "bob@h"),
                ("-", None),
                (None, None),
                (None, None),
            ],
        )
        self.assertEqual(results[0].values["last_used"], 1)
        self.assertEqual(results[6].values["quarantine_reason"], "bad url")
        self.assertEqual(
            [result for result in results if isinstance(result, str)],
            [
                "unparseable record 6 (connections: not an object)",
                "unparseable record 3 (quarantined: not an object)",
            ],
        )

    def testIsRegistry(self):
        """Tests another program's file of the same name."""
        self.assertFalse(connections.IsRegistry({"connections": {"db": "x"}}))
        self.assertFalse(connections.IsRegistry({"connections": [{"host": "x"}]}))
        self.assertFalse(connections.IsRegistry([]))

    def testCleanURL(self):
        """Tests that no credentials stay in a URL."""
        for url, expected in (
            ("https://h:80/p", "https://h:80/p"),
            ("https://u:p@h/p", "https://u@h/p"),
            ("https://u:p@q@h/p#x", "https://u@h/p?..."),
            ("https://TOKEN@h/p", "https://h/p"),
            ("ssh://u@h", "ssh://u@h"),
            ("u:p@h:1", "u@h:1"),
            ("https://u:p/q@h", "https://u:...@h"),
            ("https://u:p#q@h/x?y", "https://u:...@h/x?..."),
            ("https://u:p@s/w@h/", "https://u:...@h/"),
            ("HTTPS:///u:p@h/", "HTTPS://...@h/"),
            ("https://to/ken@h/", "https://...@h/"),
            # What is no credential goes with what can be one.
            ("https://h/a@b", "https://...@b"),
            ("https://h/a?x=a@b", "https://h/a?..."),
            ("", ""),
        ):
            self.assertEqual(connections.CleanURL(url), expected)


class OtherStoresTest(unittest.TestCase):
    """Tests for manifests, jobs and run-time state."""

    def testSnapshots(self):
        """Tests a manifest."""
        (record,) = snapshots.Decode(
            {
                "failed_dbs": ["kanban.db"],
                "file_count": 1,
                "files": {"state.db": 2},
                "id": "20260821-120000-x",
                "label": "x",
                "timestamp": "20260821-120000",
                "total_size": 2,
            },
            None,
        )
        self.assertEqual(
            record.times, {"backup_time": times.FromISO8601("2026-08-21T12:00:00Z")}
        )
        self.assertEqual(record.values["failed_databases"], "kanban.db")
        self.assertEqual(record.values["files"], ["state.db"])

    def testOtherShapes(self):
        """Tests that what has another shape than Hermes writes is read all the same."""
        (record,) = run_state.DecodeDelegationManifest(
            {"delegation_id": "d", "tasks": {"1": {"goal": "g"}}}
        )
        self.assertEqual(record.values["text"], "g")
        (record,) = snapshots.Decode(
            {
                "failed_dbs": "kanban.db",
                "files": {},
                "id": "20260821-120000",
                "timestamp": "20260821-120000",
            },
            None,
        )
        self.assertEqual(record.values["failed_databases"], "kanban.db")

    def testNamedCronJobs(self):
        """Tests jobs whose identifiers are names in an object."""
        jobs = cron_jobs.GetJobs({"jobs": {"j1": {"name": "n"}, "j2": {"id": "x"}}})
        self.assertEqual(
            [record.values["job_identifier"] for record in cron_jobs.Decode(jobs)],
            ["j1", "x"],
        )

    def testCronJobs(self):
        """Tests a job and an entry that is none."""
        records = list(
            cron_jobs.Decode(
                cron_jobs.GetJobs(
                    {
                        "jobs": [
                            {
                                "created_at": "2026-08-19T02:00:00-04:00",
                                "enabled": False,
                                "id": "j",
                                "last_run_at": "bad",
                                "name": "n",
                                "schedule": {"display": "every 5m"},
                                "state": "scheduled",
                            },
                            7,
                            {"zz": {"prompt": "p"}},
                            {},
                        ]
                    }
                )
            )
        )
        self.assertEqual(
            records[0].times,
            {"creation_time": times.FromISO8601("2026-08-19T06:00:00Z")},
        )
        self.assertEqual(records[0].values["time_value"], "bad")
        self.assertEqual(len(records[0].warnings), 1)
        self.assertEqual(records[0].values["job_state"], "disabled")
        self.assertEqual(records[0].values["schedule"], "every 5m")
        self.assertEqual(records[1].data_type, "hermes:unparsed:entry")
        self.assertEqual(records[2].values["value"], '{"zz": {"prompt": "p"}}')
        self.assertIn("nothing that a job has", records[2].warnings[0])
        self.assertEqual(records[3].data_type, "hermes:cron:job")
        self.assertIsNone(cron_jobs.GetJobs("x"))

    def testRunState(self):
        """Tests the state of a gateway, processes and a delegation."""
        records = list(
            run_state.DecodeGatewayState(
                {
                    "argv": ["SECRET"],
                    "gateway_state": "running",
                    "platforms": {
                        "x": {"state": "up", "updated_at": None},
                        "y": ["SECRET"],
                    },
                    "updated_at": "2026-08-19T12:01:31.272147+00:00",
                }
            )
        )
        self.assertNotIn("SECRET", repr(records))
        self.assertEqual(len(records), 3)
        self.assertEqual(records[1].values["platform"], "x")
        self.assertEqual(records[2], "gateway_state.json platform y: not an object")

        process = {
            "command": "c",
            "session_id": "proc_0123456789ab",
            "session_key": "agent:main:telegram:dm:1",
            "started_at": 1793266215.0,
        }
        records = list(run_state.DecodeProcesses([process, 1, {"zz": "c"}]))
        self.assertEqual(records[0].times["start_time"], times.FromSeconds(1793266215))
        self.assertEqual(records[0].values["record_identifier"], process["session_id"])
        self.assertEqual(records[0].values["session_key"], process["session_key"])
        self.assertNotIn("session_identifier", records[0].values)
        self.assertIn("nothing that a process has", records[2].warnings[0])
        self.assertEqual(len(records), 3)

        (record,) = run_state.DecodeDelegationManifest(
            {
                "delegation_id": "d",
                "started": "2026-08-15 06:00:00",
                "tasks": [{"goal": "g", "log": "/l", "status": "completed"}],
            }
        )
        self.assertTrue(record.times["start_time"].is_local_time)
        self.assertEqual(record.values["text"], "g")

    def testRoutingIndex(self):
        """Tests a mirror of gateway_routing."""
        document = {
            "_README": "x",
            "k": {
                "origin": {"chat_id": "c", "platform": "telegram"},
                "session_id": "s",
                "updated_at": "2026-08-18T04:36:31.112652",
                "yolo": True,
            },
            "l": 1,
        }
        self.assertTrue(gateway.IsRoutingIndex(document))
        self.assertFalse(gateway.IsRoutingIndex({"a": {"b": 1}}))
        records = list(gateway.DecodeRoutingIndex(document))
        self.assertEqual(
            [record.data_type for record in records],
            [
                "hermes:gateway:route",
                "hermes:permission:setting",
                "hermes:unparsed:entry",
            ],
        )
        self.assertEqual(records[0].values["session_source"], "telegram")
        self.assertTrue(records[0].times["update_time"].is_local_time)
        self.assertEqual(
            records[1].values["origin"], "sessions/sessions.json, updated_at"
        )


if __name__ == "__main__":
    unittest.main()

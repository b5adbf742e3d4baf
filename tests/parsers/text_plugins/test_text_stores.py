"""Tests for the plugins of the text stores, on evidence and on cases."""

import collections
import contextlib
import json
import os
import re
import sqlite3
import unittest

from tests import test_lib


@test_lib.requires_shared
class EvidenceTest(test_lib.ParserTestCase):
    """Tests on the evidence home, against what is known of it."""

    @classmethod
    def setUpClass(cls):
        """Reads what is known of the evidence home."""
        path = os.path.join(test_lib.SHARED_PATH, "evidence", "home-0.19.0.truth.json")
        with open(path, encoding="utf-8") as file_object:
            cls.truth = json.load(file_object)

    def setUp(self):
        """Extracts the evidence home."""
        super().setUp()
        home_path = test_lib.ExtractEvidence(self.temporary_path)
        self._home_path = os.path.join(home_path, ".hermes")

    def _Parse(self, name):
        """Parses a file of the home.

        Args:
          name (str): path below the home.

        Returns:
          ParseResult: what the parser produced, which is checked for warnings and for
              attributes that all event data have.
        """
        result = self.Parse(os.path.join(self._home_path, name), "hermes_files")
        self.assertEqual(result.warnings, [])
        self.assertEqual(result.recovery_warnings, [])
        for event_data in result.event_data:
            self.assertEqual(event_data.username, "alice")
            self.assertIsNone(event_data.copy_identifier)
        return result

    def _GetTexts(self, source, role):
        """Retrieves what messages of the state database say.

        Args:
          source (str): source of the sessions.
          role (str): role of the messages.

        Returns:
          set[str]: texts.
        """
        connection = sqlite3.connect(os.path.join(self._home_path, "state.db"))
        with contextlib.closing(connection):
            return {
                content
                for (content,) in connection.execute(
                    "SELECT content FROM messages JOIN sessions "
                    "ON sessions.id = session_id WHERE source = ? AND role = ?",
                    (source, role),
                )
            }

    def testPromptHistory(self):
        """Tests the prompt history of the home."""
        result = self._Parse(".hermes_history")
        self.assertEqual(result.Count(), {"hermes:prompt_history:entry": 17})
        self.assertEqual(
            [event_data.text for event_data in result.event_data],
            self.truth["history_entries_prompt_toolkit_reader"],
        )
        # The last five are the TUI's.
        self.assertEqual(
            [
                event_data.recorded_time.is_local_time
                for event_data in result.event_data
            ],
            [True] * 12 + [False] * 5,
        )
        self.assertEqual(
            [event_data.text for event_data in result.event_data if event_data.command],
            [
                "/model anthropic/claude-opus-4.1",
                "/yolo",
                "/snapshot before-refactor",
                "/model x",
            ],
        )
        self.CheckEventData(
            result.event_data[1],
            {
                "command": "/model anthropic/claude-opus-4.1",
                "data_type": "hermes:prompt_history:entry",
                "profile": "default",
                "record_identifier": 5,
                "recorded_time": "2026-08-20T12:02:02.000072",
                "session_identifier": None,
                "store": "prompt_history",
                "text": "/model anthropic/claude-opus-4.1",
                "tier": "secondary",
                "time_value": None,
                "turn_type": "system",
            },
        )
        self.CheckEventData(
            result.event_data[13],
            {
                "command": None,
                "record_identifier": 45,
                "recorded_time": "2026-08-20T16:13:13.135000+00:00",
                "text": "tui multi\nline \U0001f9ea",
                "turn_type": "user",
            },
        )

    def testPromptHistoryOfProfile(self):
        """Tests the prompt history of a profile."""
        (event_data,) = self._Parse("profiles/work/.hermes_history").event_data
        self.CheckEventData(
            event_data,
            {
                "profile": "work",
                "recorded_time": "2026-08-21T05:00:00.357915",
                "text": "work profile question",
            },
        )

    def testCronRuns(self):
        """Tests every document of a scheduled run."""
        directory = os.path.join(self._home_path, "cron", "output")
        names = sorted(
            os.path.join("cron", "output", job, name)
            for job in os.listdir(directory)
            for name in os.listdir(os.path.join(directory, job))
        )
        self.assertEqual(len(names), 8)

        count = collections.Counter()
        event_data_per_name = {}
        for name in names:
            result = self._Parse(name)
            count.update(result.Count())
            event_data_per_name[name] = result.event_data
        # One document is empty.
        self.assertEqual(count, {"hermes:cron:run": 7, "hermes:message:entry": 7})

        run, prompt, response = event_data_per_name[
            "cron/output/08b8ac41ce73/2026-08-19_02-00-00.md"
        ]
        self.CheckEventData(
            run,
            {
                "error": None,
                "job_identifier": "08b8ac41ce73",
                "job_name": 'Status "daily" \u2705',
                "profile": "default",
                "run_status": None,
                "run_time": "2026-08-19T02:00:00.000000",
                "schedule": "every 60m",
                "store": "cron_output",
                "text": None,
                "tier": "secondary",
                "turn_type": "system",
            },
        )
        self.assertTrue(run.run_time.is_local_time)
        self.assertTrue(prompt.recorded_time.is_local_time)
        self.assertTrue(prompt.text.endswith("\n\nquoted heading in the prompt"))
        self.CheckEventData(
            response,
            {
                "recorded_time": "2026-08-19T02:00:00.000000",
                "role": "assistant",
                "session_identifier": None,
                "text": "All good.\n\n## Response\nquoted again",
                "turn_type": "assistant",
            },
        )

        run, prompt = event_data_per_name[
            "cron/output/08b8ac41ce73/2026-08-19_04-00-00.md"
        ]
        self.CheckEventData(
            run,
            {
                "error": "```\nRuntimeError: provider exploded\nline 2\n```",
                "job_name": 'Status "daily" \u2705',
                "run_status": "failed",
            },
        )
        self.assertEqual(prompt.turn_type, "user")

        (run,) = event_data_per_name["cron/output/bad0bad0bad0/2026-08-19_04-05-01.md"]
        self.assertEqual(run.run_status, "blocked")
        self.assertTrue(run.text.startswith("# Cron Job: Injected\n"))

    def testCronRunsPairWithSessions(self):
        """Tests that prompts and responses are those of the sessions of the runs."""
        for name in ("02-00-00", "03-00-00", "04-00-00"):
            result = self._Parse(f"cron/output/08b8ac41ce73/2026-08-19_{name:s}.md")
            for event_data in result.Get("hermes:message:entry"):
                self.assertIn(event_data.text, self._GetTexts("cron", event_data.role))

    def testLogs(self):
        """Tests the logs, of which each line with a time is a message."""
        for name, number_of_lines in (("agent.log", 633), ("errors.log", 40)):
            result = self._Parse(f"logs/{name:s}")
            self.assertEqual(result.Count(), {"hermes:log:line": number_of_lines})

            path = os.path.join(self._home_path, "logs", name)
            with open(path, encoding="utf-8", newline="\n") as file_object:
                data = file_object.read()
            self.assertEqual(
                [
                    event_data.recorded_time.CopyToDateTimeString()[:23]
                    for event_data in result.event_data
                ],
                [
                    time.replace(",", ".")
                    for time in re.findall(r"(?m)^(\d{4}-\S+ \d\S+,\d{3}) ", data)
                ],
            )
            # Nothing of the file is left out.
            self.assertEqual(
                "\n".join(
                    event_data.recorded_time.CopyToDateTimeString()[:23].replace(
                        ".", ","
                    )
                    + f" {event_data.level:s} "
                    + (
                        f"[{event_data.session_identifier:s}] "
                        if event_data.session_identifier
                        else ""
                    )
                    + f"{event_data.logger_name:s}: {event_data.text:s}"
                    for event_data in result.event_data
                ),
                data.rstrip("\n"),
            )

        self.CheckEventData(
            result.event_data[30],
            {
                "level": "ERROR",
                "logger_name": "cron.scheduler",
                "record_identifier": 31,
                "recorded_time": "2026-08-19T04:00:00.961000",
                "session_identifier": "20260818_043631_e81f4cfb",
                "store": "log",
                "tier": "log",
                "turn_type": None,
            },
        )
        self.assertIn(
            "\nTraceback (most recent call last):\n", result.event_data[30].text
        )
        self.assertTrue(result.event_data[30].text.endswith("\nline 2"))

    def testDelegationLog(self):
        """Tests the live transcript of a delegated run."""
        result = self._Parse("cache/delegation/live/deleg_224faf78/task-0.log")
        self.assertEqual(result.Count(), {"hermes:delegation:line": 6})
        self.assertEqual(
            [event_data.line_kind for event_data in result.event_data],
            ["user", "start", "think", "assistant", "final", "final"],
        )
        self.CheckEventData(
            result.event_data[0],
            {
                "delegation_identifier": "deleg_224faf78",
                "goal": "List the files",
                "line_kind": "user",
                "record_identifier": 7,
                "recorded_time": "2026-08-15T06:00:00.000000",
                "store": "delegation_log",
                "task_number": "0",
                "text": (
                    "kickoff: List the files | context: repo at "
                    "/home/alice/work/site"
                ),
                "tier": "log",
            },
        )


@test_lib.requires_shared
class CasesTest(test_lib.ParserTestCase):
    """Tests on the cases."""

    def setUp(self):
        """Builds the cases."""
        super().setUp()
        self._cases_path = test_lib.MakeCases(self.temporary_path)

    def testPromptHistory(self):
        """Tests a history in every style (case 12)."""
        result = self.Parse(
            os.path.join(self._cases_path, "12-history/home/u/.hermes/.hermes_history"),
            "hermes_files",
        )
        self.assertEqual(
            result.Count(),
            {"hermes:prompt_history:entry": 9, "hermes:unparsed:entry": 1},
        )
        self.assertEqual(
            result.warnings,
            [
                "no usable time in line 15: not a time",
                "unparseable line 17 (not a FileHistory line): stray line",
                "no usable time in line 19: 2026-02-30 10:05:00.000001",
            ],
        )
        self.assertEqual(
            [
                (
                    event_data.recorded_time
                    and event_data.recorded_time.CopyToDateTimeStringISO8601(),
                    event_data.text,
                )
                for event_data in result.Get("hermes:prompt_history:entry")
            ],
            [
                ("2026-10-29T09:30:16.400000+00:00", "from the TUI"),
                ("2026-10-29T10:02:44.918203", "/snapshot before"),
                ("2026-10-29T10:03:00.000000", "no fraction\n\nsecond \\xff\\xfe line"),
                ("2026-10-29T10:04:00.000001", ""),
                (None, "after a bad header"),
                (None, "impossible day"),
                ("2026-10-29T10:06:00.000001", "nul\x00and \u2028 separator\r"),
                ("2026-10-29T10:07:00.000001", "\n".join(["k" * 9000] * 30)),
                ("2026-10-29T10:08:00.000001", "last, no newline"),
            ],
        )
        (event_data,) = result.Get("hermes:unparsed:entry")
        self.CheckEventData(
            event_data,
            {
                "reason": "unparseable line (not a FileHistory line)",
                "record_identifier": 17,
                "store": "prompt_history",
                "value": "stray line",
            },
        )

    def testCronRuns(self):
        """Tests a framed, a failed and an empty document (case 13)."""
        texts = {}
        for name in ("09-30-16", "10-30-16", "11-30-16"):
            result = self.Parse(
                os.path.join(
                    *(self._cases_path, "13-json-stores/home/u/.hermes/cron/output"),
                    f"job1/2026-10-29_{name:s}.md",
                ),
                "hermes_files",
            )
            self.assertEqual(result.warnings, [])
            texts[name] = [
                (
                    event_data.data_type,
                    event_data.text or getattr(event_data, "error", None),
                )
                for event_data in result.event_data
            ]
        self.assertEqual(
            texts,
            {
                "09-30-16": [
                    ("hermes:cron:run", None),
                    ("hermes:message:entry", "Quote:\n## Response\n\nx\ny"),
                    ("hermes:message:entry", "done"),
                ],
                "10-30-16": [
                    ("hermes:cron:run", "boom"),
                    ("hermes:message:entry", "Quote:\n## Response\n\nx"),
                ],
                "11-30-16": [],
            },
        )


if __name__ == "__main__":
    unittest.main()

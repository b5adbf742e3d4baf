"""End-to-end test: the stores beside the databases that the real program wrote.

What each record must give is worked out here from the files themselves, with nothing of
the package.
"""

import collections
import datetime
import json
import os
import re
import unittest
import zoneinfo

from tests import test_lib
from tests.end_to_end import tool_lib

# The zone of the machine that the home comes from, which nothing in it tells.
TIME_ZONE = "EST5EDT"

_LOG_LINE_RE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{8},[0-9]{3} ")


def GetMicroseconds(text, is_local_time=True):
    """Determines the point in time of a date and time.

    Args:
      text (str): date and time in ISO 8601.
      is_local_time (Optional[bool]): True if a date and time without a zone is that of
          the machine, False if it is UTC.

    Returns:
      int: microseconds since the epoch.
    """
    date_time = datetime.datetime.fromisoformat(text)
    if not date_time.tzinfo:
        date_time = date_time.replace(
            tzinfo=(
                zoneinfo.ZoneInfo(TIME_ZONE) if is_local_time else datetime.timezone.utc
            )
        )
    epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    return (date_time - epoch) // datetime.timedelta(microseconds=1)


@test_lib.requires_shared
class EvidenceStoresTest(tool_lib.ToolTestCase):
    """End-to-end test: the stores beside the databases."""

    def setUp(self):
        """Extracts the events of the home."""
        super().setUp()
        self.home = test_lib.ExtractEvidence(self.temporary_path)
        storage_file = self.Extract(
            os.path.join(self.temporary_path, "home"),
            "--parsers",
            "hermes_files,sqlite/hermes_response_store",
            "--timezone",
            TIME_ZONE,
        )
        self.events = collections.defaultdict(list)
        for event in self.Export(storage_file):
            path = event["display_name"].partition(":")[2]
            self.events[os.path.relpath(path, self.home)].append(event)

    def Read(self, name):
        """Reads a file of the evidence.

        Args:
          name (str): path below the directory of the user.

        Returns:
          str: content.
        """
        path = os.path.join(self.home, name)
        with open(path, encoding="utf-8", newline="") as file_object:
            return file_object.read()

    def GetEvents(self, name, *data_types):
        """Retrieves the events of a file.

        Args:
          name (str): path below the directory of the user.
          data_types (list[str]): data types, none for all.

        Returns:
          list[dict[str, object]]: events.
        """
        return [
            event
            for event in self.events[name]
            if not data_types or event["data_type"] in data_types
        ]

    def CheckHistory(self):
        """Checks the prompt history, of which times of three digits are UTC."""
        expected = []
        for name in (
            ".hermes/.hermes_history",
            ".hermes/profiles/work/.hermes_history",
        ):
            for line in self.Read(name).split("\n"):
                if line.startswith("# "):
                    text = line[2:].replace(" ", "T")
                    is_utc = len(text.partition(".")[2]) == 3
                    expected.append([GetMicroseconds(text, not is_utc), []])
                elif line.startswith("+"):
                    expected[-1][1].append(line[1:])
        found = [
            (event["timestamp"], event.get("text", ""))
            for name in self.events
            if name.endswith(".hermes_history")
            for event in self.events[name]
        ]
        self.assertEqual(
            sorted(found), sorted((time, "\n".join(lines)) for time, lines in expected)
        )
        self.assertEqual(len(found), 18)

    def CheckLogs(self):
        """Checks the logs: each line that has a time, with those that go on from it."""
        for name, number_of_lines in (
            (".hermes/logs/agent.log", 633),
            (".hermes/logs/errors.log", 40),
        ):
            entries = []
            for line in self.Read(name).split("\n"):
                if _LOG_LINE_RE.match(line):
                    time = line[:23].replace(" ", "T").replace(",", ".")
                    entries.append([GetMicroseconds(time), line])
                elif line or entries:
                    entries[-1][1] += f"\n{line:s}"
            events = self.GetEvents(name)
            self.assertEqual(len(events), number_of_lines)
            self.assertEqual(
                sorted(event["timestamp"] for event in events),
                sorted(time for time, _ in entries),
            )
            lines = collections.Counter(
                (time, line.rstrip("\n")) for time, line in entries
            )
            for event in events:
                match = [
                    key
                    for key in lines
                    if key[0] == event["timestamp"]
                    and key[1].endswith(event["text"])
                    and lines[key]
                ]
                self.assertTrue(match, event["text"])
                lines[match[0]] -= 1

    def CheckScheduledRuns(self):
        """Checks the documents of scheduled runs and the jobs."""
        runs = {}
        for name in self.events:
            if name.startswith(".hermes/cron/output/"):
                (run,) = self.GetEvents(name, "hermes:cron:run")
                stamp = os.path.basename(name)[:-3]
                date, _, time = stamp.partition("_")
                self.assertEqual(
                    run["timestamp"],
                    GetMicroseconds(f"{date:s}T{time.replace('-', ':'):s}"),
                )
                document = self.Read(name)
                if "\n## Prompt\n" in document:
                    self.assertNotIn("text", run)
                    self.assertTrue(run["message"].startswith("cron run: job "))
                    # Each line of the document is in the prompt, the response or the
                    # error.
                    body = document.partition("## Prompt\n\n")[2]
                    texts = [
                        event["text"]
                        for event in self.GetEvents(name, "hermes:message:entry")
                    ] + [run.get("error", "")]
                    for line in body.split("\n"):
                        if line not in ("## Response", "## Error"):
                            self.assertTrue(any(line in text for text in texts), line)
                else:
                    self.assertEqual(run["text"], document.rstrip("\n"))
                    self.assertTrue(run["message"].startswith("cron run output: # "))
                    self.assertNotIn("cron run: job", run["message"])
                runs[name] = len(self.GetEvents(name, "hermes:message:entry"))
        self.assertEqual(sorted(runs.values()), [0, 0, 0, 1, 2, 2, 2])

        expected = set()
        for job in json.loads(self.Read(".hermes/cron/jobs.json"))["jobs"]:
            for key, description in (
                ("created_at", "Creation Time"),
                ("last_run_at", "Last Time Executed"),
                ("next_run_at", "Scheduled to start"),
                ("paused_at", "Pause Time"),
            ):
                if job.get(key):
                    expected.add((job["id"], description, GetMicroseconds(job[key])))
        self.assertEqual(
            {
                (event["job_identifier"], event["timestamp_desc"], event["timestamp"])
                for event in self.GetEvents(".hermes/cron/jobs.json")
            },
            expected,
        )

    def CheckPermissions(self):
        """Checks the approved users and the settings."""
        for name in (
            ".hermes/platforms/pairing/discord-approved.json",
            ".hermes/platforms/pairing/telegram-approved.json",
            ".hermes/platforms/pairing/whatsapp-approved.json",
            ".hermes/profiles/work/pairing/slack-approved.json",
        ):
            platform = os.path.basename(name).partition("-")[0]
            ((identifier, user),) = json.loads(self.Read(name)).items()
            (event,) = self.GetEvents(name)
            self.assertEqual(event["setting"], f"pairing.{platform:s}.{identifier:s}")
            self.assertEqual(event["user_name"], user["user_name"])
            self.assertEqual(event["timestamp_desc"], "Added Time")
            self.assertLess(abs(event["timestamp"] - user["approved_at"] * 1e6), 1)

        settings = collections.Counter(
            event["setting"] for event in self.GetEvents(".hermes/config.yaml")
        )
        self.assertEqual(sum(settings.values()), 10)
        text = self.Read(".hermes/config.yaml")
        self.assertEqual(
            settings["command_allowlist"],
            len(re.findall(r"^ +- ", text.partition("command_allowlist:")[2], re.M)),
        )

    def CheckDocuments(self):
        """Checks the documents that have records of their own."""
        expected = set()
        for paste in json.loads(self.Read(".hermes/pastes/pending.json")):
            expiration = round(paste["expire_at"] * 1000000)
            expected.add((paste["url"], "Expiration Time", expiration))
            expected.add((paste["url"], "Creation Time", expiration - 21600000000))
        self.assertEqual(
            {
                (event["url"], event["timestamp_desc"], event["timestamp"])
                for event in self.GetEvents(".hermes/pastes/pending.json")
            },
            expected,
        )

        for identifier in ("20260821-120000-before-refactor", "20260822-120000"):
            name = f".hermes/state-snapshots/{identifier:s}/manifest.json"
            manifest = json.loads(self.Read(name))
            (event,) = self.GetEvents(name)
            self.assertEqual(event["copy_identifier"], identifier)
            self.assertEqual(event["number_of_files"], manifest["file_count"])
            self.assertEqual(event["size"], manifest["total_size"])

        index = json.loads(self.Read(".hermes/sessions/sessions.json"))
        self.assertEqual(
            {
                event["session_key"]
                for event in self.GetEvents(".hermes/sessions/sessions.json")
            },
            {key for key in index if not key.startswith("_")},
        )

        state = json.loads(self.Read(".hermes/gateway_state.json"))
        self.assertEqual(
            {
                event["timestamp"]
                for event in self.GetEvents(".hermes/gateway_state.json")
            },
            {
                GetMicroseconds(state["updated_at"]),
                GetMicroseconds(state["platforms"]["api_server"]["updated_at"]),
            },
        )

        name = ".hermes/cache/delegation/live/deleg_224faf78/task-0.log"
        lines = [
            line for line in self.Read(name).split("\n") if re.match("[0-9:]{8} ", line)
        ]
        events = self.GetEvents(name)
        self.assertEqual(
            sorted(event["text"] for event in events),
            sorted(line.partition("| ")[2] for line in lines),
        )
        self.assertEqual(
            {event["timestamp"] for event in events},
            {GetMicroseconds("2026-08-15T06:00:00")},
        )

        (name,) = [
            name for name in self.events if name.startswith(".hermes/sessions/session_")
        ]
        session = json.loads(self.Read(name))
        self.assertEqual(
            [
                (event["role"], event["text"])
                for event in sorted(
                    self.GetEvents(name, "hermes:message:entry"),
                    key=lambda event: event["record_identifier"],
                )
            ],
            [(turn["role"], turn["content"]) for turn in session["messages"]],
        )
        self.assertEqual(
            {
                event["timestamp"]
                for event in self.GetEvents(name, "hermes:session:entry")
            },
            {
                GetMicroseconds(session["session_start"]),
                GetMicroseconds(session["last_updated"]),
            },
        )

    def CheckTrajectories(self):
        """Checks the turns of each saved run."""
        path = os.path.join(test_lib.SHARED_PATH, "evidence", "home-0.19.0.truth.json")
        with open(path, encoding="utf-8") as file_object:
            truth = json.load(file_object)["trajectory_samples.jsonl"]
        name = "work/site/trajectory_samples.jsonl"
        self.assertEqual(
            sorted(
                event["timestamp"]
                for event in self.GetEvents(name, "hermes:trajectory:run")
            ),
            sorted(GetMicroseconds(run["timestamp"]) for run in truth),
        )
        turns = [
            turn
            for line in self.Read(name).split("\n")
            if line
            for turn in json.loads(line)["conversations"]
        ]
        self.assertEqual(len(turns), sum(len(run["froms"]) for run in truth))
        events = self.GetEvents(name)
        self.assertEqual(
            {event["project_path"] for event in events},
            {os.path.join(self.home, "work", "site")},
        )
        for role, turn_type, prefix in (
            ("human", "user", ""),
            ("system", "system", "trajectory system prompt: "),
        ):
            self.assertEqual(
                sorted(
                    event["text"]
                    for event in events
                    if event["data_type"] == "hermes:message:entry"
                    and event["turn_type"] == turn_type
                ),
                sorted(
                    f"{prefix:s}{turn['value']:s}"
                    for turn in turns
                    if turn["from"] == role
                ),
            )
        text = "".join(turn["value"] for turn in turns if turn["from"] == "gpt")
        number_of_calls = len(
            [event for event in events if event["data_type"].endswith(":tool_call")]
        )
        self.assertEqual(number_of_calls, text.count("<tool_call>"))
        thoughts = re.findall("<think>\n?(.*?)\n?</think>", text, re.DOTALL)
        self.assertEqual(
            sorted(
                event["text"]
                for event in events
                if event["data_type"] == "hermes:message:reasoning"
            ),
            sorted(thought.strip() for thought in thoughts if thought.strip()),
        )

    def testStores(self):
        """Tests every store that the home has beside its databases."""
        self.CheckHistory()
        self.CheckLogs()
        self.CheckScheduledRuns()
        self.CheckPermissions()
        self.CheckDocuments()
        self.CheckTrajectories()

        # The backend of the machine itself is no remote one.
        name = ".config/Hermes/connections.json"
        connections = json.loads(self.Read(name))
        self.assertEqual(
            sorted(event["connection_identifier"] for event in self.GetEvents(name)),
            sorted(
                connection["id"]
                for connection in connections["connections"]
                + [entry["entry"] for entry in connections["quarantined"]]
                if connection["kind"] != "local"
            ),
        )


if __name__ == "__main__":
    unittest.main()

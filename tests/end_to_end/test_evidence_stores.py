"""End-to-end test: the stores beside the databases that the real program wrote.

What each record must give is worked out here from the files themselves, with nothing of
the package.
"""

import collections
import datetime
import fractions
import json
import os
import re
import shutil
import sqlite3
import unittest
import zoneinfo

import yaml

from tests import test_lib
from tests.end_to_end import tool_lib

# Attributes that are compared per data type, beside the time and its description.
ATTRIBUTES = {
    "hermes:api_response:entry": (
        "conversation_name",
        "input_tokens",
        "instructions",
        "model",
        "output_tokens",
        "response_identifier",
        "response_status",
        "session_identifier",
    ),
    "hermes:cron:job": (
        "delivery",
        "job_identifier",
        "job_name",
        "job_state",
        "model",
        "record_identifier",
        "schedule",
        "script",
        "text",
    ),
    "hermes:cron:run": (
        "error",
        "job_identifier",
        "job_name",
        "message",
        "run_status",
        "schedule",
        "text",
    ),
    "hermes:delegation:entry": (
        "delegation_identifier",
        "delegation_state",
        "live_transcripts",
        "text",
    ),
    "hermes:delegation:line": (
        "delegation_identifier",
        "goal",
        "line_kind",
        "record_identifier",
        "task_number",
        "text",
    ),
    "hermes:desktop:connection": ("connection_identifier", "message"),
    "hermes:gateway:route": (
        "chat_display_name",
        "chat_identifier",
        "chat_type",
        "record_identifier",
        "session_identifier",
        "session_source",
        "thread_identifier",
        "user_identifier",
        "user_name",
    ),
    "hermes:gateway:state": ("gateway_state", "platform", "process_identifier"),
    "hermes:log:line": (
        "level",
        "logger_name",
        "record_identifier",
        "session_identifier",
        "text",
    ),
    "hermes:message:entry": (
        "record_identifier",
        "role",
        "session_identifier",
        "text",
        "tool_call_identifier",
        "tool_name",
        "turn_type",
    ),
    "hermes:message:reasoning": ("record_identifier", "session_identifier", "text"),
    "hermes:message:tool_call": (
        "arguments",
        "record_identifier",
        "session_identifier",
        "text",
        "tool_call_identifier",
        "tool_name",
    ),
    "hermes:paste:entry": ("record_identifier", "url"),
    "hermes:permission:setting": ("setting", "user_name", "value"),
    "hermes:prompt_history:entry": (
        "command",
        "record_identifier",
        "text",
        "turn_type",
    ),
    "hermes:session:entry": (
        "message_count",
        "model",
        "session_identifier",
        "session_source",
    ),
    "hermes:session:system_prompt": ("model", "session_identifier", "text"),
    "hermes:snapshot:manifest": (
        "copy_identifier",
        "files",
        "number_of_files",
        "size",
        "snapshot_label",
    ),
    "hermes:trajectory:run": (
        "completed",
        "model",
        "number_of_turns",
        "project_path",
        "record_identifier",
    ),
}

# Zone of the machine that the home was written on.
TIME_ZONE = "EST5EDT"

PLACE_HOLDER = ("Not a time", 0)

TURN_TYPES = {"assistant": "assistant", "tool": "tool_result", "user": "user"}


def GetMicroseconds(seconds):
    """Rounds seconds to the nearest microsecond.

    Args:
      seconds (float): seconds since the epoch.

    Returns:
      int: microseconds since the epoch.
    """
    return int(fractions.Fraction(seconds) * 1000000 + fractions.Fraction(1, 2))


def ReadRows(path, query):
    """Reads rows of a database.

    Args:
      path (str): path of a copy of the database.
      query (str): SQL query.

    Returns:
      list[sqlite3.Row]: rows.
    """
    connection = sqlite3.connect(path)
    connection.row_factory = sqlite3.Row
    rows = connection.execute(query).fetchall()
    connection.close()
    return rows


def GetLocalMicroseconds(value):
    """Converts a date and time without a zone, as the machine had it.

    Args:
      value (str): ISO 8601 date and time.

    Returns:
      int: microseconds since the epoch.
    """
    date_time = datetime.datetime.fromisoformat(value.replace(",", "."))
    if date_time.tzinfo is None:
        date_time = date_time.replace(tzinfo=zoneinfo.ZoneInfo(TIME_ZONE))
    epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    return (date_time - epoch) // datetime.timedelta(microseconds=1)


@test_lib.requires_shared
class EvidenceStoresTest(tool_lib.ToolTestCase):
    """End-to-end test: what lies beside the databases of a home.

    What each file must give is worked out from the file itself, event by event.
    """

    def setUp(self):
        """Unpacks the home, and a second time for its files to be read."""
        super().setUp()
        self.home_path = test_lib.ExtractEvidence(self.temporary_path)
        self.copy_path = os.path.join(self.temporary_path, "copy")
        shutil.copytree(self.home_path, self.copy_path)
        truth_path = os.path.join(
            test_lib.SHARED_PATH, "evidence", "home-0.19.0.truth.json"
        )
        with open(truth_path, encoding="utf-8") as file_object:
            self.truth = json.load(file_object)
        # Per path, what is expected: data type, description and time, and values.
        self.expected = collections.defaultdict(collections.Counter)

    def Expect(self, path, data_type, times, **values):
        """Adds events that are expected.

        Args:
          path (str): path of the file below the home directory of the user.
          data_type (str): data type.
          times (list[tuple[str, int]]): descriptions and times, one event each, where
              one without a time is expected if there are none.
          values (dict[str, object]): attribute values, which have no others.
        """
        self.assertLessEqual(set(values), set(ATTRIBUTES[data_type]))
        for description, timestamp in times or (PLACE_HOLDER,):
            key = (data_type, description, timestamp) + tuple(
                repr(values.get(name)) for name in ATTRIBUTES[data_type]
            )
            self.expected[path][key] += 1

    def ExpectMessage(self, path, message, times, record_identifier, **base):
        """Adds the events of a message that are expected.

        Args:
          path (str): path of the file below the home directory of the user.
          message (dict[str, object]): message, as OpenAI's chat completions have it.
          times (list[tuple[str, int]]): descriptions and times.
          record_identifier (int|str): what finds the message.
          base (dict[str, object]): attribute values of its session.
        """
        base["record_identifier"] = record_identifier
        reasoning = message.get("reasoning") or message.get("reasoning_content")
        calls = message.get("tool_calls") or []
        if message["content"] or message["role"] != "assistant":
            self.Expect(
                path,
                "hermes:message:entry",
                times,
                role=message["role"],
                text=message["content"],
                tool_call_identifier=message.get("tool_call_id"),
                tool_name=message.get("tool_name"),
                turn_type=TURN_TYPES.get(message["role"], "system"),
                **base,
            )
        if reasoning:
            self.Expect(path, "hermes:message:reasoning", times, text=reasoning, **base)
        for number, call in enumerate(calls, 1):
            if number > 1:
                base["record_identifier"] = f"{record_identifier!s}:{number:d}"
            arguments = json.loads(call["function"]["arguments"])
            texts = [
                arguments[name]
                for name in ("command", "path", "file_path", "url", "query")
                if name in arguments
            ]
            self.Expect(
                path,
                "hermes:message:tool_call",
                times,
                arguments=call["function"]["arguments"],
                text=texts[0] if texts else call["function"]["arguments"],
                tool_call_identifier=call.get("id"),
                tool_name=call["function"]["name"],
                **base,
            )

    def Read(self, path):
        """Reads a file of the home.

        Args:
          path (str): path below the home directory of the user.

        Returns:
          str: content.
        """
        with open(
            os.path.join(self.copy_path, path), encoding="utf-8", newline="\n"
        ) as file_object:
            return file_object.read()

    def ExpectHistory(self, path, texts):
        """Adds what a prompt history must give.

        Args:
          path (str): path of the file below the home directory of the user.
          texts (list[str]): entries as prompt_toolkit reads them.
        """
        lines = self.Read(path).split("\n")
        headers = [
            (number, line[2:])
            for number, line in enumerate(lines, 1)
            if line.startswith("# ")
        ]
        self.assertEqual(len(headers), len(texts))
        for (number, date_time), text in zip(headers, texts):
            if len(date_time.partition(".")[2]) == 3:
                date_time = f"{date_time:s}+00:00"
            is_command = text.startswith("/")
            self.Expect(
                path,
                "hermes:prompt_history:entry",
                [("Recorded Time", GetLocalMicroseconds(date_time))],
                command=text if is_command else None,
                record_identifier=number,
                text=text,
                turn_type="system" if is_command else "user",
            )

    def ExpectCronRun(self, path):
        """Adds what the document of a scheduled run must give.

        Args:
          path (str): path of the file below the home directory of the user.
        """
        document = self.Read(path)
        if not document:
            return
        _, job, name = path.rsplit("/", 2)
        date, _, time = name.removesuffix(".md").partition("_")
        timestamp = GetLocalMicroseconds(f"{date:s}T{time.replace('-', ':'):s}")
        fields = dict(re.findall(r"(?m)^\*\*([A-Z][A-Za-z ]*):\*\* (.*)$", document))
        title = document.partition("\n")[0].removeprefix("# Cron Job: ")
        values = {
            "job_identifier": job,
            "job_name": title.removesuffix(" (FAILED)"),
            "run_status": fields.get("Status", "").lower() or None,
            "schedule": fields.get("Schedule"),
        }
        message = (
            f"cron run: job {job:s} (from cron/output, file name time, host-local)"
        )
        _, heading, sections = document.partition("\n## Prompt\n\n")
        if not heading:
            values["text"] = document.removesuffix("\n")
            message = f"cron run output: {values['text']:s}"
        elif title.endswith(" (FAILED)"):
            prompt, _, values["error"] = sections.rpartition("\n\n## Error\n\n")
            values["error"] = values["error"].removesuffix("\n")
            values["run_status"] = "failed"
            response = None
        else:
            prompt, _, response = sections.rpartition("\n\n## Response\n\n")
            response = response.removesuffix("\n")
        if values["run_status"]:
            message = f"{message:s} status={values['run_status']:s}"
        if values.get("error"):
            message = f"{message:s} error={values['error']:s}"
        self.Expect(
            path,
            "hermes:cron:run",
            [("Last Time Executed", timestamp)],
            message=message.replace("\n", " "),
            **values,
        )
        if heading:
            times = [("Recorded Time", timestamp)]
            message = {"content": prompt, "role": "user"}
            self.ExpectMessage(path, message, times, "prompt")
            if response:
                message = {"content": response, "role": "assistant"}
                self.ExpectMessage(path, message, times, "response")

    def ExpectJobs(self, path):
        """Adds what scheduled jobs must give.

        Args:
          path (str): path of the file below the home directory of the user.
        """
        for number, job in enumerate(json.loads(self.Read(path))["jobs"], 1):
            self.Expect(
                path,
                "hermes:cron:job",
                [
                    (description, GetLocalMicroseconds(job[name]))
                    for name, description in (
                        ("created_at", "Creation Time"),
                        ("last_run_at", "Last Time Executed"),
                        ("next_run_at", "Scheduled to start"),
                    )
                    if job[name]
                ],
                delivery=job["deliver"],
                job_identifier=job["id"],
                job_name=job["name"],
                job_state=job["state"],
                model=job["model_snapshot"],
                record_identifier=number,
                schedule=job["schedule_display"],
                script=job["script"],
                text=job["prompt"] or None,
            )

    def ExpectSettings(self, path):
        """Adds what settings must give.

        Args:
          path (str): path of the file below the home directory of the user.
        """
        settings = yaml.load(self.Read(path), Loader=yaml.BaseLoader)
        times = [
            (
                "Content Modification Time",
                GetMicroseconds(self.truth["files"][path]["mtime"]),
            )
        ]
        self.assertNotIn("timezone", settings)
        for name, value in settings.get("approvals", {}).items():
            self.Expect(
                path,
                "hermes:permission:setting",
                times,
                setting=f"approvals.{name:s}",
                value=value,
            )
        for value in settings["command_allowlist"]:
            self.Expect(
                path,
                "hermes:permission:setting",
                times,
                setting="command_allowlist",
                value=value,
            )

    def ExpectPairing(self, path):
        """Adds what approved users must give.

        Args:
          path (str): path of the file below the home directory of the user.
        """
        platform = os.path.basename(path).removesuffix("-approved.json")
        for identifier, user in json.loads(self.Read(path)).items():
            self.Expect(
                path,
                "hermes:permission:setting",
                [("Added Time", GetMicroseconds(user["approved_at"]))],
                setting=f"pairing.{platform:s}.{identifier:s}",
                user_name=user["user_name"] or None,
            )

    def ExpectRunState(self, directory):
        """Adds what the state of the gateway must give.

        Args:
          directory (str): path of the home or a snapshot of it.
        """
        path = f"{directory:s}/gateway_state.json"
        state = json.loads(self.Read(path))
        platforms = dict(state["platforms"])
        platforms[None] = {
            "state": state["gateway_state"],
            "updated_at": state["updated_at"],
        }
        for name, platform in platforms.items():
            self.Expect(
                path,
                "hermes:gateway:state",
                [("Update Time", GetLocalMicroseconds(platform["updated_at"]))],
                gateway_state=platform["state"],
                platform=name,
                process_identifier=state["pid"],
            )
        self.assertEqual(json.loads(self.Read(f"{directory:s}/processes.json")), [])

    def ExpectRoutes(self, path):
        """Adds what the mirror of the routes must give.

        Args:
          path (str): path of the file below the home directory of the user.
        """
        for key, entry in json.loads(self.Read(path)).items():
            if key == "_README":
                continue
            chat = entry["origin"]
            self.Expect(
                path,
                "hermes:gateway:route",
                [
                    ("Creation Time", GetLocalMicroseconds(entry["created_at"])),
                    ("Update Time", GetLocalMicroseconds(entry["updated_at"])),
                ],
                chat_display_name=entry["display_name"],
                chat_identifier=chat["chat_id"],
                chat_type=entry["chat_type"],
                record_identifier=key,
                session_identifier=entry["session_id"],
                session_source=entry["platform"],
                thread_identifier=chat["thread_id"],
                user_identifier=chat["user_id"],
                user_name=chat["user_name"],
            )

    def ExpectTranscript(self, path):
        """Adds what an opt-in transcript must give.

        Args:
          path (str): path of the file below the home directory of the user.
        """
        document = json.loads(self.Read(path))
        identifier = document["session_id"]
        self.Expect(
            path,
            "hermes:session:entry",
            [
                (description, GetLocalMicroseconds(document[name]))
                for name, description in (
                    ("last_updated", "Last Active Time"),
                    ("session_start", "Start Time"),
                )
            ],
            message_count=document["message_count"],
            model=document["model"],
            session_identifier=identifier,
            session_source=document["platform"],
        )
        self.Expect(
            path,
            "hermes:session:system_prompt",
            [("Start Time", GetLocalMicroseconds(document["session_start"]))],
            model=document["model"],
            session_identifier=identifier,
            text=document["system_prompt"],
        )
        for number, message in enumerate(document["messages"], 1):
            self.ExpectMessage(
                path, message, None, number, session_identifier=identifier
            )

    def ExpectTrajectories(self, path):
        """Adds what trajectories must give.

        Args:
          path (str): path of the file below the home directory of the user.
        """
        lines = self.Read(path).split("\n")[:-1]
        self.assertEqual(len(lines), len(self.truth["trajectory_samples.jsonl"]))
        for number, line in enumerate(lines, 1):
            run = json.loads(line)
            self.Expect(
                path,
                "hermes:trajectory:run",
                [("Recorded Time", GetLocalMicroseconds(run["timestamp"]))],
                completed=str(run["completed"]).lower(),
                model=run["model"],
                number_of_turns=len(run["conversations"]),
                project_path=os.path.join(self.home_path, os.path.dirname(path)),
                record_identifier=number,
            )
            for turn_number, turn in enumerate(run["conversations"], 1):
                identifier = f"{number:d}:{turn_number:d}"
                for index, message in enumerate(self.SplitTurn(**turn)):
                    suffix = f":{index + 1:d}" if index else ""
                    self.ExpectMessage(path, message, None, f"{identifier:s}{suffix:s}")

    # pylint: disable=redefined-builtin
    def SplitTurn(self, value, **turn):
        """Splits a turn of a trajectory into messages.

        Args:
          value (str): value of the turn.
          turn (dict[str, str]): who it is from.

        Returns:
          list[dict[str, object]]: messages.
        """
        origin = turn["from"]
        if origin == "system":
            text = f"trajectory system prompt: {value:s}"
            return [{"content": text, "role": "system"}]
        if origin == "human":
            return [{"content": value, "role": "user"}]
        if origin == "tool":
            results = []
            for response in re.findall(
                r"<tool_response>\n(.*?)\n</tool_response>", value, re.DOTALL
            ):
                result = json.loads(response)
                content = result["content"]
                if not isinstance(content, str):
                    content = json.dumps(content, ensure_ascii=False)
                results.append(
                    {
                        "content": content,
                        "role": "tool",
                        "tool_call_id": result["tool_call_id"],
                        "tool_name": result["name"],
                    }
                )
            return results

        thought, _, value = value.removeprefix("<think>\n").partition("</think>\n")
        content, *calls = value.split("<tool_call>\n")
        return [
            {
                "content": content.rstrip("\n") if calls else content,
                "reasoning": thought.rstrip("\n"),
                "role": "assistant",
                "tool_calls": [
                    {
                        "function": {
                            "arguments": json.dumps(
                                call["arguments"], ensure_ascii=False
                            ),
                            "name": call["name"],
                        }
                    }
                    for call in (
                        json.loads(call.partition("\n</tool_call>")[0])
                        for call in calls
                    )
                ],
            }
        ]

    def ExpectDelegation(self, directory):
        """Adds what a delegation must give.

        Args:
          directory (str): path of the directory of the delegation.
        """
        path = f"{directory:s}/manifest.json"
        manifest = json.loads(self.Read(path))
        identifier = manifest["delegation_id"]
        (task,) = manifest["tasks"]
        self.Expect(
            path,
            "hermes:delegation:entry",
            [
                ("End Time", GetLocalMicroseconds(manifest["completed"])),
                ("Start Time", GetLocalMicroseconds(manifest["started"])),
            ],
            delegation_identifier=identifier,
            delegation_state=task["status"],
            live_transcripts=[task["log"]],
            text=task["goal"],
        )

        path = f"{directory:s}/task-0.log"
        goal = task["goal"]
        for number, line in enumerate(self.Read(path).split("\n"), 1):
            match = re.fullmatch(r"(\d\d:\d\d:\d\d) (\S+) *\| (.*)", line)
            if match:
                date = manifest["started"].partition(" ")[0]
                timestamp = GetLocalMicroseconds(f"{date:s}T{match.group(1):s}")
                self.Expect(
                    path,
                    "hermes:delegation:line",
                    [("Recorded Time", timestamp)],
                    delegation_identifier=identifier,
                    goal=goal,
                    line_kind=match.group(2),
                    record_identifier=number,
                    task_number="0",
                    text=match.group(3),
                )
                goal = None

    def ExpectLog(self, path):
        """Adds what a log must give.

        Args:
          path (str): path of the file below the home directory of the user.
        """
        messages = []
        for number, line in enumerate(self.Read(path).split("\n")[:-1], 1):
            match = re.fullmatch(
                r"(\S+ \S+,\d{3}) ([A-Z]+) (?:\[(\S+)\] )?([\w.]+): (.*)", line
            )
            if match:
                messages.append([number, *match.groups()])
            else:
                messages[-1][-1] += f"\n{line:s}"
        for number, date_time, level, session, logger, text in messages:
            self.Expect(
                path,
                "hermes:log:line",
                [("Recorded Time", GetLocalMicroseconds(date_time))],
                level=level,
                logger_name=logger,
                record_identifier=number,
                session_identifier=session,
                text=text,
            )

    def ExpectResponses(self, path):
        """Adds what a response store must give.

        Args:
          path (str): path of the file below the home directory of the user.
        """
        copy_path = os.path.join(self.copy_path, path)
        names = {
            row["response_id"]: row["name"]
            for row in ReadRows(copy_path, "SELECT * FROM conversations")
        }
        databases = self.truth["databases"][path]
        truth = databases.get("with_wal", databases["main_only"])["responses"]
        rows = ReadRows(copy_path, "SELECT * FROM responses ORDER BY rowid")
        self.assertEqual(
            [row["response_id"] for row in rows], [row["response_id"] for row in truth]
        )

        seen = set()
        for row, known in zip(rows, truth):
            data = json.loads(row["data"])
            response = data["response"]
            session = data["session_id"]
            self.assertEqual(session, known["session_id"])
            self.assertEqual(len(data["conversation_history"]), known["n_history"])
            self.Expect(
                path,
                "hermes:api_response:entry",
                [("Creation Time", GetMicroseconds(known["created_at"]))],
                conversation_name=names.get(row["response_id"]),
                input_tokens=response["usage"]["input_tokens"],
                instructions=data["instructions"],
                model=response["model"],
                output_tokens=response["usage"]["output_tokens"],
                response_identifier=row["response_id"],
                response_status=known["status"],
                session_identifier=session,
            )
            for index, message in enumerate(data["conversation_history"]):
                message.pop("_db_persisted", None)
                key = (session, index, json.dumps(message, sort_keys=True))
                if key not in seen:
                    seen.add(key)
                    self.ExpectMessage(
                        path,
                        message,
                        None,
                        f"{row['response_id']:s} {index:d}",
                        session_identifier=session,
                    )

    def ExpectOthers(self):
        """Adds what the files of which there is one must give."""
        path = ".hermes/pastes/pending.json"
        for number, entry in enumerate(json.loads(self.Read(path)), 1):
            timestamp = GetMicroseconds(entry["expire_at"])
            self.Expect(
                path,
                "hermes:paste:entry",
                [
                    ("Creation Time", timestamp - 21600 * 1000000),
                    ("Expiration Time", timestamp),
                ],
                record_identifier=number,
                url=entry["url"],
            )

        path = ".config/Hermes/connections.json"
        timestamp = GetMicroseconds(self.truth["files"][path]["mtime"])
        origin = "(from connections.json, file mtime)"
        for identifier, message in (
            (
                "r1",
                f'remote backend: remote Lab "box" https://lab.example:9119 {origin}',
            ),
            (
                "s1",
                f"remote backend: ssh ssh u@build.example:2222 {origin} profile=work",
            ),
            (
                "c1",
                f"remote backend: cloud Cloud https://x.hermes.cloud {origin} "
                "org=acme name=box1",
            ),
            ("q", f"remote backend quarantined by the app: bad url {origin}"),
        ):
            self.Expect(
                path,
                "hermes:desktop:connection",
                [("Content Modification Time", timestamp)],
                connection_identifier=identifier,
                message=message,
            )

    def ExpectSnapshot(self, identifier):
        """Adds what a snapshot must give.

        Args:
          identifier (str): identifier of the snapshot.
        """
        directory = f".hermes/state-snapshots/{identifier:s}"
        path = f"{directory:s}/manifest.json"
        manifest = json.loads(self.Read(path))
        date_time = datetime.datetime.strptime(identifier[:15], "%Y%m%d-%H%M%S")
        self.Expect(
            path,
            "hermes:snapshot:manifest",
            [("Backup Time", GetLocalMicroseconds(f"{date_time!s}+00:00"))],
            copy_identifier=identifier,
            files=list(manifest["files"]),
            snapshot_label=manifest["label"],
            number_of_files=manifest["file_count"],
            size=manifest["total_size"],
        )
        self.ExpectRunState(directory)

    def testStores(self):
        """Tests each record of each store beside the state databases."""
        storage_file = self.Extract(
            os.path.join(self.temporary_path, "home"),
            "--parsers",
            "hermes_files,sqlite/hermes_response_store",
            "--timezone",
            TIME_ZONE,
            environment={"HERMES_PLASO_COPIES": "all"},
        )
        events = self.Export(storage_file)
        self.assertNotIn("SECRET", json.dumps(events))

        self.ExpectHistory(
            ".hermes/.hermes_history",
            self.truth["history_entries_prompt_toolkit_reader"],
        )
        self.ExpectHistory(
            ".hermes/profiles/work/.hermes_history", ["work profile question"]
        )
        for path in self.truth["files"]:
            name = os.path.basename(path)
            if "/cron/output/" in path:
                self.ExpectCronRun(path)
            elif "/logs/" in path:
                self.ExpectLog(path)
            elif name == "config.yaml":
                self.ExpectSettings(path)
            elif name == "jobs.json":
                self.ExpectJobs(path)
            elif name == "response_store.db":
                self.ExpectResponses(path)
            elif name == "trajectory_samples.jsonl":
                self.ExpectTrajectories(path)
            elif name.endswith("-approved.json"):
                self.ExpectPairing(path)
        self.ExpectDelegation(".hermes/cache/delegation/live/deleg_224faf78")
        self.ExpectOthers()
        self.ExpectRoutes(".hermes/sessions/sessions.json")
        self.ExpectRunState(".hermes")
        self.ExpectTranscript(
            ".hermes/sessions/session_20260817_073000_b485ef.json",
        )
        for identifier in os.listdir(
            os.path.join(self.copy_path, ".hermes", "state-snapshots")
        ):
            self.ExpectSnapshot(identifier)

        actual = collections.defaultdict(collections.Counter)
        for event in events:
            path = event["display_name"].partition(":")[2]
            path = os.path.relpath(path, self.home_path)
            names = ATTRIBUTES[event["data_type"]]
            actual[path][
                (event["data_type"], event["timestamp_desc"], event["timestamp"])
                + tuple(repr(event.get(name)) for name in names)
            ] += 1
            self.assertEqual(event["username"], "alice")
            self.assertEqual(
                event.get("copy_identifier"),
                path.split("/")[2] if "/state-snapshots/" in path else None,
            )
            if path.startswith(".hermes/"):
                profile = "work" if "/profiles/work/" in path else "default"
                self.assertEqual(event["profile"], profile)

        self.assertEqual(set(actual), set(self.expected))
        for path, counter in self.expected.items():
            self.assertEqual(
                (list(actual[path] - counter), list(counter - actual[path])),
                ([], []),
                path,
            )
        self.assertEqual(len(events), 942)
        self.assertIn("No warnings", self.Run("pinfo", storage_file).stdout)


if __name__ == "__main__":
    unittest.main()

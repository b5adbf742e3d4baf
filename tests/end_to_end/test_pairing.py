"""End-to-end test: what repeats what, of a home that the real program wrote.

The pairs are worked out here a second time, by comparing each record with each row of
the live databases, with nothing of the package.
"""

import collections
import datetime
import json
import os
import re
import sqlite3

from tests import test_lib
from tests.end_to_end import test_evidence
from tests.end_to_end import tool_lib

_DATABASES = (
    ".hermes/state.db",
    ".hermes/profiles/odd/state.db",
    ".hermes/profiles/work/state.db",
)

_SNAPSHOTS = ("20260821-120000-before-refactor", "20260822-120000")

_SECOND = 1000000


class Turn:
    """Turn of a live database.

    Attributes:
      kind (str): user, assistant, tool_result, system, thinking or tool_use.
      project (str): directory of the session.
      session (str): session identifier.
      text (str): what was said, of a call its name and arguments.
      time (float): time in seconds.
    """

    def __init__(self, kind, project, session, text, time):
        """Initializes a turn.

        Args:
          kind (str): user, assistant, tool_result, system, thinking or tool_use.
          project (str): directory of the session.
          session (str): session identifier.
          text (str): what was said.
          time (float): time in seconds.
        """
        self.kind = kind
        self.project = project
        self.session = session
        self.text = text.strip()
        self.time = time


def GetText(content):
    """Retrieves the text of the content of a row.

    Args:
      content (object): content.

    Returns:
      str: text.
    """
    if isinstance(content, str) and content.startswith("\x00json:"):
        value = json.loads(content[len("\x00json:") :])
        if isinstance(value, str):
            return value
        return "\n".join(
            part["text"] if part["type"] == "text" else "[image]"
            for part in value
            if isinstance(part, dict)
        )
    return content if isinstance(content, str) else ""


def FormatCall(name, arguments):
    """Formats a call for comparison.

    Args:
      name (str): name of the tool.
      arguments (str): arguments as JSON.

    Returns:
      str: call.
    """
    return f"{name!s} {json.dumps(json.loads(arguments), sort_keys=True):s}"


def ReadTurns(path):
    """Reads the turns of a database.

    Args:
      path (str): path of the database.

    Returns:
      list[Turn]: turns.
    """
    connection = sqlite3.connect(path)
    connection.row_factory = sqlite3.Row
    turns = []
    for row in connection.execute(
        "SELECT messages.*, sessions.cwd AS cwd FROM messages "
        "LEFT JOIN sessions ON sessions.id = messages.session_id"
    ):

        def Add(kind, text, row=row):
            """Adds a turn of the row.

            Args:
              kind (str): kind of turn.
              text (str): what was said.
              row (Optional[sqlite3.Row]): row.
            """
            turns.append(
                Turn(kind, row["cwd"], row["session_id"], text, row["timestamp"])
            )

        Add(
            test_evidence.TURN_TYPES.get(row["role"], "system"), GetText(row["content"])
        )
        reasoning = row["reasoning"] or row["reasoning_content"]
        if reasoning:
            Add("thinking", reasoning)
        try:
            calls = json.loads(row["tool_calls"] or "[]")
            for call in calls:
                function = call["function"]
                Add("tool_use", FormatCall(function["name"], function["arguments"]))
        except (AttributeError, KeyError, TypeError, ValueError):
            pass
    connection.close()
    return turns


@test_lib.requires_shared
class PairingTest(tool_lib.ToolTestCase):
    """End-to-end test: what repeats what."""

    def setUp(self):
        """Unpacks the home, tags the events of it and reads the turns of a copy."""
        super().setUp()
        home_path = test_lib.ExtractEvidence(self.temporary_path)
        copy_path = test_lib.ExtractEvidence(os.path.join(self.temporary_path, "copy"))
        with open(
            os.path.join(test_lib.SHARED_PATH, "evidence", "home-0.19.0.truth.json"),
            encoding="utf-8",
        ) as file_object:
            self.truth = json.load(file_object)
        self.sources = os.path.dirname(home_path)
        self.turns = []
        for name in _DATABASES:
            self.turns.extend(ReadTurns(os.path.join(copy_path, name)))

    def Tag(self, name, **kwargs):
        """Extracts and tags events.

        Args:
          name (str): name of the storage file.

        Returns:
          list[dict[str, object]]: events that are tagged or secondary.
        """
        storage_file = self.Extract(
            self.sources,
            "--parsers",
            "hermes",
            "--timezone",
            "EST5EDT",
            name=name,
            **kwargs,
        )
        self.Export(storage_file, "--analysis", "hermes_pairing")
        events = self.Export(storage_file)
        for event in events:
            event["labels"] = (event.get("tag") or {}).get("labels") or []
        return events

    def HasTwin(self, event):
        """Determines if a live database holds what an event of a turn says.

        Args:
          event (dict[str, object]): event of a store other than a database.

        Returns:
          bool: True if it does.
        """
        store = event["store"]
        kind = event["turn_type"]
        if event["data_type"] == "hermes:message:tool_call":
            text = FormatCall(event["tool_name"], event["arguments"])
        else:
            text = event.get("text", "").strip()
        if not text or event["message"].startswith("slash command"):
            return False

        for turn in self.turns:
            if turn.kind != kind or turn.text != text:
                continue
            distance = abs(event["timestamp"] - turn.time * _SECOND)
            if store in ("response_store", "session_json"):
                if turn.session == event["session_identifier"]:
                    return True
            elif store == "trajectory":
                if (event["project_path"] or "/").endswith(turn.project or "\x00"):
                    return True
            elif store == "prompt_history":
                # The evidence was read with the time zone of the home.
                if distance <= 2 * _SECOND:
                    return True
            elif store == "cron_output":
                match = re.fullmatch(r"cron_(.+)_(\d{8}_\d{6})", turn.session)
                if match and match.group(1) == event["job_identifier"]:
                    # The document of a run of the mock model has the time its session
                    # started.
                    local_time = datetime.datetime.fromtimestamp(
                        event["timestamp"] // _SECOND,
                        datetime.timezone(datetime.timedelta(hours=-4)),
                    )
                    if local_time.strftime("%Y%m%d_%H%M%S") == match.group(2):
                        return True
        return False

    def testPairs(self):
        """Tests which events are tagged as duplicates and only copies."""
        events = self.Tag("all.plaso", environment={"HERMES_PLASO_COPIES": "all"})
        checked = collections.Counter()

        databases = self.truth["databases"]
        # What the log deleted is recovered from below it.
        live_rows = {
            (row["session_id"], row["id"], row["timestamp"])
            for name in _DATABASES
            for rows in databases[name].values()
            if isinstance(rows, dict)
            for row in rows["messages"]
        }
        snapshot_rows = {
            identifier: {
                str(row["id"]): (row["session_id"], row["id"], row["timestamp"])
                for row in databases[
                    f".hermes/state-snapshots/{identifier:s}/state.db"
                ]["main_only"]["messages"]
            }
            for identifier in _SNAPSHOTS
        }

        # The events of a response, a run or a trajectory, and what a session names.
        others = collections.Counter()
        for event in events:
            data_type = event["data_type"]
            store = event["store"]
            labels = event["labels"]
            if event["tier"] != "secondary" and not event.get("recovered"):
                self.assertEqual(labels, [], event["message"])
                continue
            if data_type == "hermes:snapshot:entry":
                self.assertEqual(labels, [])
                continue
            self.assertEqual(len(labels), 1, event["message"])
            has_twin = labels == ["hermes_duplicate"]
            self.assertEqual(has_twin, labels != ["hermes_only_copy"])

            if data_type.startswith("hermes:message:") and store == "snapshot":
                rows = snapshot_rows[event["copy_identifier"]]
                row = rows[str(event["record_identifier"])]
                expected = row in live_rows or (
                    # The copies of a deleted session collapse to one.
                    event["copy_identifier"] != _SNAPSHOTS[1]
                    and row in snapshot_rows[_SNAPSHOTS[1]].values()
                )
            elif store in ("state", "snapshot"):
                others[data_type, has_twin] += 1
                continue
            elif data_type.startswith(("hermes:message:", "hermes:prompt_history:")):
                expected = self.HasTwin(event)
                if store == "response_store" and event.get("copy_identifier"):
                    # The live response store holds the same.
                    expected = True
            else:
                others[data_type, has_twin] += 1
                continue
            self.assertEqual(has_twin, expected, (store, event["message"]))
            checked[store, has_twin] += 1

        self.assertEqual(
            checked,
            {
                ("cron_output", False): 2,
                ("cron_output", True): 5,
                ("prompt_history", False): 17,
                ("prompt_history", True): 1,
                ("response_store", False): 2,
                ("response_store", True): 52,
                ("session_json", True): 2,
                ("snapshot", False): 6,
                ("snapshot", True): 508,
                ("trajectory", False): 4,
                ("trajectory", True): 60,
            },
        )
        self.assertEqual(
            others["hermes:session:entry", False], 8, "of deleted and changed rows"
        )
        self.CheckDeletedSessions(events)

        # Whether or not all copies are read, the only copies are the same.
        only_copies = self.CountOnlyCopies(events)
        self.assertEqual(self.CountOnlyCopies(self.Tag("distinct.plaso")), only_copies)

    def CountOnlyCopies(self, events):
        """Counts the events that are tagged as only copies.

        Args:
          events (list[dict[str, object]]): events.

        Returns:
          collections.Counter: number of events per record and time.
        """
        return collections.Counter(
            (
                event["data_type"],
                event["store"],
                event.get("copy_identifier"),
                str(event.get("record_identifier")),
                event["timestamp"],
                event["timestamp_desc"],
            )
            for event in events
            if event["labels"] == ["hermes_only_copy"]
        )

    def CheckDeletedSessions(self, events):
        """Checks what is left of the sessions that were deleted.

        Args:
          events (list[dict[str, object]]): events.
        """

        identifiers = self.truth["ids"]["ids"]
        for name, number in (("deleted", 9), ("deleted_in_wal", 9), ("pruned", 7)):
            session_events = [
                event
                for event in events
                if event.get("session_identifier") == identifiers[name]
                and event["tier"] not in ("log", "settings")
            ]
            # What several copies hold is the only copy once: times of the session, its
            # system prompt, usage and turns.
            self.assertEqual(
                sum(
                    event["labels"] == ["hermes_only_copy"] for event in session_events
                ),
                number,
                name,
            )
            self.assertEqual(
                {
                    (event["data_type"], event["timestamp"], event.get("text"))
                    for event in session_events
                    if event["labels"] == ["hermes_only_copy"]
                },
                {
                    (event["data_type"], event["timestamp"], event.get("text"))
                    for event in session_events
                },
                name,
            )

    def testSessions(self):
        """Tests the report of sessions against the rows of the databases."""
        storage_file = self.Extract(
            self.sources, "--parsers", "hermes", "--timezone", "EST5EDT"
        )
        path = os.path.join(self.temporary_path, "sessions.json")
        self.Export(
            storage_file,
            "--analysis",
            "hermes_sessions",
            "--hermes-sessions-file",
            path,
        )
        with open(path, encoding="utf-8") as file_object:
            report = json.load(file_object)
        sessions = {
            session["session_identifier"]: session for session in report["sessions"]
        }
        self.assertEqual(len(sessions), len(report["sessions"]))

        databases = self.truth["databases"]
        rows = {}
        messages = collections.Counter()
        for name in _DATABASES:
            database = databases[name].get("with_wal", databases[name]["main_only"])
            rows.update((row["id"], row) for row in database["sessions"])
            messages.update(row["session_id"] for row in database["messages"])
        self.assertEqual(
            {name for name, session in sessions.items() if session["in_live_store"]},
            set(rows),
        )
        for identifier, row in rows.items():
            session = sessions[identifier]
            for name, column in (
                ("title", "title"),
                ("session_source", "source"),
                ("end_reason", "end_reason"),
                ("parent_session_identifier", "parent_session_id"),
                ("message_count", "message_count"),
            ):
                value = row[column] if row[column] != "None" else None
                self.assertEqual(str(session.get(name)), str(value), (identifier, name))
            self.assertEqual(
                session.get("messages_read", 0), messages[identifier], identifier
            )

        # Turns that are typed, of each session that was not compacted or branched.
        identifiers = self.truth["ids"]["ids"]
        typed = collections.Counter(
            turn.session for turn in self.turns if turn.kind == "user"
        )
        for name in ("approvals", "smart", "yolo", "delegator", "profile_work"):
            session = sessions[identifiers[name]]
            self.assertEqual(session["turns"]["user"], typed[identifiers[name]], name)
            commands = [
                json.loads(turn.text.split(" ", 1)[1])["command"]
                for turn in self.turns
                if turn.session == identifiers[name]
                and turn.kind == "tool_use"
                and turn.text.startswith("terminal ")
            ]
            self.assertEqual(
                collections.Counter(
                    {
                        command["command"]: command["count"]
                        for command in session["commands"]
                    }
                ),
                collections.Counter(commands),
                name,
            )
        self.assertEqual(
            sorted(
                decision["outcome"]
                for decision in sessions[identifiers["approvals"]]["decisions"]
                for _ in range(decision["count"])
            ),
            ["approved"] * 3 + ["blocked"] * 3,
        )
        self.assertEqual(
            [
                (child["session_identifier"], child["parent_relation"])
                for child in sessions[identifiers["branch_parent"]]["children"]
            ],
            [(identifiers["branch_child"], "branch")],
        )
        for name in ("deleted", "deleted_in_wal", "pruned"):
            session = sessions[identifiers[name]]
            self.assertFalse(session["in_live_store"], name)
            self.assertEqual(session["turns"]["user"], 1, name)
            self.assertGreater(
                sum(store["only_copies"] for store in session["stores"]), 0
            )

        # The file is not written over.
        result = self.Run(
            "psort",
            "--unattended",
            "-o",
            "null",
            "--analysis",
            "hermes_sessions",
            "--hermes-sessions-file",
            path,
            storage_file,
            expected=None,
        )
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("already exists", result.stdout + result.stderr)

        # The report of another analysis hides none.
        self.Export(
            storage_file, "--analysis", "tagging", "--tagging-file", "tag_hermes.txt"
        )
        result = self.Run("pinfo", storage_file)
        self.assertIn("hermes_command_refused : ", result.stdout)
        self.assertIn(f"{len(sessions):d} sessions", result.stdout)
        for identifier in sessions:
            self.assertIn(identifier, result.stdout)

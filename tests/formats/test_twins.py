"""Tests for the twins of records of secondary stores."""

import unittest

from dfdatetime import posix_time

from hermes_plaso import containers
from hermes_plaso.formats import twins

_SECOND = 1000000
_MINUTE = 60 * _SECOND
_HOUR = 60 * _MINUTE


class TwinFinderTest(unittest.TestCase):
    """Tests for the finder of twins."""

    def setUp(self):
        """Creates a finder."""
        self.finder = twins.TwinFinder()
        self.addCleanup(self.finder.Close)
        self.names = []

    def Add(
        self,
        name,
        time,
        text,
        store="state",
        data_type="hermes:message:entry",
        description="Recorded Time",
        is_local=False,
        root="",
        **values,
    ):
        """Adds a record.

        Args:
          name (str): name of the record in the results.
          time (int): time in microseconds.
          text (str): text.
          store (Optional[str]): kind of file.
          data_type (Optional[str]): data type.
          description (Optional[str]): what the time is of the record.
          is_local (Optional[bool]): True if the time is local time.
          root (Optional[str]): what tells the machine.
          values (dict[str, object]): other values.
        """
        event_data = containers.EVENT_DATA_CLASSES[data_type]()
        event_data.store = store
        event_data.tier = "primary" if store == "state" else "secondary"
        event_data.text = text
        event_data.turn_type = values.pop("turn_type", "user")
        if is_local:
            event_data.recorded_time = posix_time.PosixTimeInMicroseconds(
                timestamp=time
            )
            event_data.recorded_time.is_local_time = True
        for attribute_name, value in values.items():
            setattr(event_data, attribute_name, value)
        self.names.append(name)
        self.finder.Add(event_data, time, description, len(self.names) - 1, root=root)

    def AddLive(self, name, time, text, session="s", **values):
        """Adds a record of the live database.

        Args:
          name (str): name of the record in the results.
          time (int): time in microseconds.
          text (str): text.
          session (Optional[str]): session identifier.
          values (dict[str, object]): other values.
        """
        self.Add(name, time, text, session_identifier=session, **values)

    def AddPrompt(self, name, time, text, **values):
        """Adds an entry of the prompt history.

        Args:
          name (str): name of the record in the results.
          time (int): time in microseconds.
          text (str): text.
          values (dict[str, object]): other values.
        """
        self.Add(
            name,
            time,
            text,
            store="prompt_history",
            data_type="hermes:prompt_history:entry",
            **values,
        )

    def CheckTwins(self, **expected):
        """Checks which records have a twin.

        Args:
          expected (dict[str, bool]): True per name of a record that has a twin.
        """
        results = [
            (self.names[number], has_twin)
            for number, has_twin, _ in self.finder.FindTwins()
        ]
        self.assertEqual(len(results), len(dict(results)))
        self.assertEqual(dict(results), expected)

    def testSession(self):
        """Tests the text within the session and two seconds."""
        self.AddLive("live", 100 * _SECOND, "hello")
        base = {"session_identifier": "s", "store": "divert"}
        self.Add("same", 102 * _SECOND, "hello", **base)
        self.Add("white", 98 * _SECOND, " hello\n", **base)
        self.Add("late", 102 * _SECOND + 1, "hello", **base)
        self.Add("untimed", None, "hello", **base)
        self.Add("text", 100 * _SECOND, "hello!", **base)
        self.Add("role", 100 * _SECOND, "hello", **{**base, "turn_type": "assistant"})
        self.Add(
            "session", 100 * _SECOND, "hello", **{**base, "session_identifier": "t"}
        )
        self.Add("none", 100 * _SECOND, "hello", store="divert")
        self.CheckTwins(
            same=True,
            white=True,
            late=False,
            untimed=True,
            text=False,
            role=False,
            session=False,
            none=False,
        )

    def testEmpty(self):
        """Tests that turns that say nothing are not twins for that."""
        self.AddLive("live", 100, None, record_identifier=1, finish_reason="stop")
        self.Add("empty", 100, None, store="divert", session_identifier="s")
        self.AddPrompt("prompt", 100, " ")
        self.CheckTwins(empty=False, prompt=False)

    def testBetterCopies(self):
        """Tests that a record is held against all better stores, not worse ones."""
        for copy_identifier in ("20260101-000000", "20260102-000000"):
            self.Add(
                copy_identifier[:8],
                5 * _SECOND,
                "gone",
                store="snapshot",
                copy_identifier=copy_identifier,
                session_identifier="s",
            )
        base = {"session_identifier": "s"}
        self.Add("divert", 5 * _SECOND, "gone", store="divert", **base)
        self.Add("response", None, "gone", store="response_store", **base)
        self.Add("response_only", None, "new", store="response_store", **base)
        self.Add(
            "response_copy",
            None,
            "new",
            store="response_store",
            copy_identifier="20260101-000000",
            **base,
        )
        # The newest copy is the one that is kept.
        self.CheckTwins(
            **{"20260101": True, "20260102": False},
            divert=True,
            response=True,
            response_only=False,
            response_copy=True,
        )

    def testRecovered(self):
        """Tests what the live database no longer shows."""
        self.AddLive("live", 5, "edited")
        base = {"recovered": True, "session_identifier": "s"}
        self.Add("superseded", 5, "edited", **base)
        self.Add("deleted", 5, "deleted", **base)
        self.Add("copy", 5, "deleted", store="snapshot", copy_identifier="1", **base)
        self.CheckTwins(superseded=True, deleted=False, copy=True)

    def testMarker(self):
        """Tests a message that was rewound after a copy was made."""
        self.AddLive("live", 5, "hello", inactive_reason="rewound")
        base = {"session_identifier": "s"}
        self.Add("copy", 5, "hello", store="snapshot", copy_identifier="1", **base)
        self.Add("divert", 5, "hello", store="divert", **base)
        self.AddPrompt("prompt", 5, "hello")
        self.CheckTwins(copy=False, divert=True, prompt=True)

    def testRows(self):
        """Tests rows that are no turns."""
        base = {
            "data_type": "hermes:session:entry",
            "description": "Start Time",
            "session_identifier": "s",
            "text": None,
            "time": 5,
        }
        self.Add("live", title="new", **base)
        copy = {"copy_identifier": "1", "store": "snapshot"}
        self.Add("equal", title="new", **copy, **base)
        self.Add("older", title="old", **copy, **base)
        self.Add("end", title="new", **copy, **{**base, "description": "End Time"})
        self.Add(
            "transcript",
            store="session_json",
            model="m",
            **{**base, "description": "Last Active Time", "time": 99 * _HOUR},
        )
        self.Add(
            "transcript_only",
            store="session_json",
            **{**base, "session_identifier": "t"},
        )
        self.CheckTwins(
            equal=True, older=False, end=False, transcript=True, transcript_only=False
        )

    def testSystemPrompts(self):
        """Tests system prompts, of which a transcript has another time."""
        base = {
            "data_type": "hermes:session:system_prompt",
            "description": "Start Time",
            "session_identifier": "s",
            "turn_type": None,
        }
        self.Add("live", 5, "You are Hermes", model="m", **base)
        self.Add("transcript", 9 * _SECOND, "You are Hermes", "session_json", **base)
        self.Add("changed", 5, "You are Hermes, and evil", "session_json", **base)
        copy = {"copy_identifier": "1", "store": "snapshot"}
        self.Add("copy", 5, "You are Hermes", **copy, **base)
        base["session_identifier"] = "t"
        self.Add("other_session", 5, "You are Hermes", **copy, **base)
        self.CheckTwins(transcript=True, changed=False, copy=True, other_session=False)

    def testToolCalls(self):
        """Tests calls, whose arguments stores write down in different ways."""
        base = {
            "data_type": "hermes:message:tool_call",
            "session_identifier": "s",
            "text": "ls",
            "time": 5,
            "tool_name": "terminal",
            "turn_type": "tool_use",
        }
        self.Add("live", arguments='{"command": "ls", "timeout": 5}', **base)
        self.Add("live2", arguments='{"command": "pwd', **base)
        base["store"] = "divert"
        self.Add("same", arguments='{"timeout":5,"command":"ls"}', **base)
        self.Add("other", arguments='{"timeout":6,"command":"ls"}', **base)
        self.Add("cut", arguments='{"command": "pwd', **base)
        self.Add("deep", arguments="[" * 100000, **base)
        self.Add("digits", arguments="9" * 5000, **base)
        self.CheckTwins(same=True, other=False, cut=True, deep=False, digits=False)

    def testPrompts(self):
        """Tests prompts, of which each is typed once."""
        # The one of 10:00 was deleted with its session.
        self.AddLive("live", 12 * _HOUR + _SECOND, "yes", session="b")
        self.AddLive("branch", 12 * _HOUR + _SECOND, "yes", session="c")
        self.AddPrompt("ten", 10 * _HOUR, "yes", is_local=True)
        self.AddPrompt("twelve", 12 * _HOUR, "yes", is_local=True)
        self.AddPrompt("tui", 12 * _HOUR + 10 * _SECOND, "yes")
        self.AddPrompt("slash", 12 * _HOUR, "yes", turn_type="system")
        self.CheckTwins(ten=False, twelve=True, tui=False, slash=False)

    def testPromptsOfUnknownZone(self):
        """Tests prompts with local time of a zone that is not known."""
        self.AddLive("live", 20 * _HOUR, "yes")
        self.AddPrompt("far", 5 * _HOUR, "yes", is_local=True)
        self.AddPrompt("offset", 15 * _HOUR, "yes", is_local=True)
        self.AddPrompt("other", 15 * _HOUR, "yes", is_local=True, root="image2")
        self.AddPrompt("bob", 15 * _HOUR, "yes", is_local=True, username="bob")
        self.AddPrompt("tui", 15 * _HOUR, "yes")
        self.CheckTwins(far=False, offset=True, other=False, bob=False, tui=False)

    def testCronRuns(self):
        """Tests runs of a job, of which each has the same prompt."""
        base = {"text": "report", "is_local": True}
        for hour in (1, 3):
            self.AddLive(
                f"live{hour:d}",
                hour * _HOUR,
                "report",
                session=f"cron_job1_20260101_{hour:02d}0000",
            )
        # Each document is written after its run.
        for hour in (1, 2, 3):
            self.Add(
                f"run{hour:d}",
                hour * _HOUR + 5 * _MINUTE,
                store="cron_output",
                job_identifier="job1",
                **base,
            )
        self.Add("job2", 3 * _HOUR, store="cron_output", job_identifier="job2", **base)
        self.CheckTwins(run1=True, run2=False, run3=True, job2=False)

    def testCronRunsOfUnifiedRuntime(self):
        """Tests runs whose sessions are not named after the job."""
        self.AddLive("live", 0, "report", session="local-1")
        self.AddLive("chat", 0, "other", session="local-2")
        self.Add(
            "session",
            0,
            None,
            data_type="hermes:session:entry",
            session_identifier="local-1",
            session_source="cron",
        )
        base = {"store": "cron_output", "job_identifier": "job1"}
        self.Add("run", _MINUTE, "report", is_local=True, **base)
        self.Add("no_run", _MINUTE, "other", is_local=True, **base)
        self.CheckTwins(run=True, no_run=False)

    def testTrajectories(self):
        """Tests turns of trajectories, which have a project only."""
        self.AddLive("live", 5, "hello", project_path="/home/alice/site")
        self.AddLive("windows", 5, "hallo", project_path="C:\\Users\\bob\\site")
        base = {"store": "trajectory", "time": None}
        self.Add("same", text="hello", project_path="/home/alice/site", **base)
        self.Add("below", text="hello", project_path="/mnt/home/alice/site", **base)
        self.Add("drive", text="hallo", project_path="/Users/Bob/site", **base)
        self.Add("other", text="hello", project_path="/home/alice/app", **base)
        self.Add("moved", text="hello", project_path="/evidence/alice/site", **base)
        self.Add("same_name", text="hello", project_path="/evidence/site", **base)
        self.Add("root", text="hello", project_path="/", **base)
        self.Add("none", text="hello", **base)
        self.CheckTwins(
            same=True,
            below=True,
            drive=True,
            other=False,
            moved=True,
            same_name=False,
            root=False,
            none=False,
        )

    def testMany(self):
        """Tests that what says the same many times takes no more than linear time."""
        number = 20000
        for index in range(number):
            self.AddLive("live", index * _SECOND, "yes")
            base = {"session_identifier": "s", "store": "divert"}
            self.Add(f"d{index:d}", index * _SECOND, "yes", **base)
            self.AddPrompt(f"p{index:d}", index * _SECOND, "yes", is_local=True)
        results = [has_twin for _, has_twin, _ in self.finder.FindTwins()]
        self.assertEqual(results, [True] * 2 * number)


if __name__ == "__main__":
    unittest.main()

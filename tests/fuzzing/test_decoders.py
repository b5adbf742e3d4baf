"""Fuzz tests of every decoder: nothing raises, no record goes without a word."""

import unittest

import hypothesis
from hypothesis import strategies

from hermes_plaso.formats import config
from hermes_plaso.formats import connections
from hermes_plaso.formats import cron_jobs
from hermes_plaso.formats import cron_runs
from hermes_plaso.formats import delegation_log
from hermes_plaso.formats import diverts
from hermes_plaso.formats import documents
from hermes_plaso.formats import gateway
from hermes_plaso.formats import indicators
from hermes_plaso.formats import logs
from hermes_plaso.formats import messages
from hermes_plaso.formats import pairing
from hermes_plaso.formats import pastes
from hermes_plaso.formats import permissions
from hermes_plaso.formats import prompt_history
from hermes_plaso.formats import response_store
from hermes_plaso.formats import retaindb
from hermes_plaso.formats import run_state
from hermes_plaso.formats import runs_idempotency
from hermes_plaso.formats import session_json
from hermes_plaso.formats import sessions
from hermes_plaso.formats import snapshots
from hermes_plaso.formats import state
from hermes_plaso.formats import state_meta
from hermes_plaso.formats import times
from hermes_plaso.formats import tool_calls
from hermes_plaso.formats import trajectories

from tests.fuzzing import fuzz_lib

_MODIFICATION_TIME = times.FromSeconds(1793266213)

# Tables of which a row can be told by the event of another, or is none of ours.
_TABLES_OF_OTHERS = frozenset(["conversations", "state_meta"])

_LINES = strategies.lists(
    strategies.one_of(
        strategies.binary(max_size=60),
        strategies.sampled_from(
            [
                b"# 2026-10-29 09:30:13.123",
                b"# 2026-10-29 09:30:13.123456",
                b"# 2026-13-40 25:61:61",
                b"+prompt",
                b"+/model x",
                b"",
                b"\x00" * 9,
                b"\xef\xbb\xbf",
                b"2026-10-29 09:30:13,123 INFO [s] logger: text",
                b"2026-10-29 09:30:13,123 X",
                b'  File "x", line 1',
                b"delegation: d   task: 1",
                b"goal: g",
                b"started: 2026-10-29 09:30:13",
                b"==========",
                b"09:30:14 tool | x",
                b"99:99:99 tool | x",
                b"# Cron Job: x",
                b"**Job ID:** x",
                b"## Prompt",
                b"## Response",
                b"## Error",
                b"<!-- hermes:prompt 5 -->",
                b"approvals:",
                b"  mode: off",
                b"command_allowlist:",
                b"  - x",
                b"  - [*a, &a {}]",
                b"timezone: Europe/Amsterdam",
                b"a: !!python/object:os.system x",
            ]
        ),
    ),
    max_size=12,
)


class DecodersTest(unittest.TestCase):
    """Fuzz tests of every decoder."""

    @fuzz_lib.SETTINGS
    @hypothesis.given(
        fuzz_lib.Objects(
            diverts, messages, tool_calls, permissions, trajectories, session_json
        ),
        strategies.integers(1, 9),
    )
    def testLinesOfJSON(self, value, line_number):
        """Tests diverts and trajectories."""
        line = fuzz_lib.Serialize(value)
        for decoder in (
            diverts.DivertDecoder("s"),
            trajectories.TrajectoryDecoder("t.jsonl", "/p"),
        ):
            produced = fuzz_lib.Produce(decoder.Decode(line, line_number))
            self.assertGreater(produced.number_of_events, 0)
            # Cut where a line is, it is no JSON.
            produced = fuzz_lib.Produce(decoder.Decode(line[:-1], line_number))
            self.assertEqual(
                (produced.number_of_events, len(produced.warnings)), (1, 1)
            )

    @fuzz_lib.SETTINGS
    @hypothesis.given(
        fuzz_lib.Objects(
            connections,
            cron_jobs,
            gateway,
            messages,
            pairing,
            pastes,
            run_state,
            session_json,
            snapshots,
        ),
        fuzz_lib.SCALARS,
    )
    def testDocuments(self, document, other_document):
        """Tests documents of JSON."""
        for value in (document, [document], other_document, {"x": document}):
            for results in (
                (
                    connections.Decode(value, _MODIFICATION_TIME)
                    if connections.IsRegistry(value, is_home=True)
                    else ()
                ),
                cron_jobs.Decode(cron_jobs.GetJobs(value) or []),
                (
                    gateway.DecodeRoutingIndex(value)
                    if gateway.IsRoutingIndex(value)
                    else ()
                ),
                pastes.Decode(value) if isinstance(value, list) else (),
                (
                    run_state.DecodeGatewayState(value)
                    if run_state.IsGatewayState(value)
                    else ()
                ),
                run_state.DecodeProcesses(run_state.GetProcesses(value) or []),
                (
                    run_state.DecodeDelegationManifest(value)
                    if run_state.IsDelegationManifest(value)
                    else ()
                ),
                (
                    session_json.Decode(value, "s")
                    if session_json.IsTranscript(value)
                    else ()
                ),
                (
                    snapshots.Decode(value, "20261029-093013")
                    if snapshots.IsManifest(value)
                    else ()
                ),
            ):
                fuzz_lib.Produce(results or ())
            data = fuzz_lib.Serialize(value)
            fuzz_lib.Produce(pairing.Decode(data, "telegram", "pairing/x"))
            for cut in (data, data[:-1], data + b"x", b"\x00" + data):
                documents.DocumentFromBytes(cut)

    @fuzz_lib.SETTINGS
    @hypothesis.given(_LINES)
    def testLines(self, lines):
        """Tests stores of lines of text."""
        data = b"\n".join(lines)
        numbered = list(enumerate(lines, 1))
        for results in (
            config.Decode(data, _MODIFICATION_TIME),
            cron_runs.Decode(data, "2026-10-29_09-30-13.md", "job"),
            cron_runs.Decode(data, "x.md", None),
            delegation_log.DelegationLogDecoder("d", "1").Decode(iter(numbered)),
            logs.LogDecoder().Decode(iter(numbered)),
            prompt_history.PromptHistoryDecoder().Decode(iter([data])),
        ):
            fuzz_lib.Produce(results)
        config.GetTimeZone(data)

        # However the lines are cut into buffers, the history is the same.
        buffers = [data[index : index + 7] for index in range(0, len(data), 7)]
        self.assertEqual(
            list(prompt_history.PromptHistoryDecoder().Decode(iter(buffers))),
            list(prompt_history.PromptHistoryDecoder().Decode(iter([data]))),
        )

    def CheckRow(self, data, decoder, text):
        """Checks a row of one of the tables of a database.

        Args:
          data (hypothesis.strategies.DataObject): what draws the row.
          decoder (object): decoder.
          text (str): text that some of the cells hold.
        """
        cells = strategies.one_of(fuzz_lib.CELLS, strategies.just(text))
        table_name, names = data.draw(
            strategies.sampled_from(list(decoder.GetTables()))
        )
        row = {name: data.draw(cells) for name in names}
        for marks in (
            frozenset(),
            frozenset([state.MARK_BULK_WRITTEN, state.MARK_CARRIED]),
        ):
            produced = fuzz_lib.Produce(decoder.Decode(table_name, row, 1, marks=marks))
            if table_name not in _TABLES_OF_OTHERS:
                self.assertGreater(produced.number_of_events, 0, table_name)

    @fuzz_lib.SETTINGS
    @hypothesis.given(
        strategies.data(),
        fuzz_lib.Objects(messages, sessions, state_meta, gateway, tool_calls),
    )
    def testStateRows(self, data, value):
        """Tests rows of the state database."""
        columns = {table.name: list(table.columns) for table in state.TABLES}
        decoder = state.StateDecoder(columns, lambda query, parameters: None)
        self.CheckRow(data, decoder, fuzz_lib.Serialize(value).decode("ascii"))

    @fuzz_lib.SETTINGS
    @hypothesis.given(
        strategies.data(),
        fuzz_lib.Objects(response_store, messages, retaindb, runs_idempotency),
        strategies.sampled_from(
            [
                (response_store.ResponseStoreDecoder, response_store),
                (retaindb.RetainDBDecoder, retaindb),
                (runs_idempotency.RunsDecoder, runs_idempotency),
            ]
        ),
    )
    def testOtherRows(self, data, value, decoder):
        """Tests rows of the other databases."""
        decoder_class, module = decoder
        columns = fuzz_lib.GetNames(module)
        decoder = decoder_class(dict.fromkeys(columns, columns))
        self.CheckRow(data, decoder, fuzz_lib.Serialize(value).decode("ascii"))

    @fuzz_lib.SETTINGS
    @hypothesis.given(fuzz_lib.TEXTS, fuzz_lib.CELLS)
    def testValues(self, text, cell):
        """Tests indicators and times."""
        indicators.FromCall("terminal", text, text, text)
        indicators.FromMessage("tool_result", text, True)
        timestamp = times.FromCell(cell)
        if timestamp:
            self.assertGreaterEqual(timestamp.microseconds, 315532800 * 1000000)
        self.assertIsInstance(times.CellToString(cell), (str, type(None)))


if __name__ == "__main__":
    unittest.main()

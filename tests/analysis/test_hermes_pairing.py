"""Tests for the hermes_pairing analysis plugin."""

import unittest

from hermes_plaso.analysis import hermes_pairing

from tests.analysis import analysis_lib


class HermesPairingAnalysisPluginTest(analysis_lib.AnalysisTestCase):
    """Tests for the hermes_pairing analysis plugin."""

    def testLabels(self):
        """Tests the labels and the report."""
        self.AddEvent("hermes:message:entry", 5, text="hello")
        self.AddEvent("hermes:message:entry", 5, text="hello", store="divert")
        self.AddEvent("hermes:message:entry", None, text="hello", store="divert")
        self.AddEvent("hermes:message:entry", 5, text="gone", store="divert")
        self.AddEvent(
            "hermes:message:entry",
            5,
            text="gone",
            store="snapshot",
            copy_identifier="20260101-000000",
        )
        self.AddEvent("hermes:snapshot:entry", 5, store="snapshot")
        self.AddEvent("hermes:log:line", 5, store="log", tier="log")

        report = self.Analyze(hermes_pairing.HermesPairingAnalysisPlugin())
        self.assertEqual(
            self.GetLabels(),
            {
                1: ["hermes_duplicate"],
                2: ["hermes_duplicate"],
                3: ["hermes_duplicate"],
                4: ["hermes_only_copy"],
            },
        )
        self.assertEqual(report.plugin_name, "hermes_pairing")
        self.assertIsNone(report.analysis_counter)
        self.assertEqual(
            report.text,
            "Events of Hermes Agent per store: divert 3 hermes_duplicate, "
            "0 hermes_only_copy; snapshot 0 hermes_duplicate, 1 hermes_only_copy.",
        )

    def testMachines(self):
        """Tests prompts of two images, and of a directory."""
        prompt = {"store": "prompt_history", "text": "yes", "session_identifier": None}
        self.AddEvent("hermes:message:entry", 5, text="yes", image="/cases/1.raw")
        for image in ("/cases/1.raw", "/cases/2.raw", None):
            self.AddEvent("hermes:prompt_history:entry", 5, image=image, **prompt)
        self.Analyze(hermes_pairing.HermesPairingAnalysisPlugin())
        self.assertEqual(
            self.GetLabels(),
            {
                1: ["hermes_duplicate"],
                2: ["hermes_only_copy"],
                3: ["hermes_only_copy"],
            },
        )

    def testHomes(self):
        """Tests one session identifier in homes, profiles and images."""
        home = "/home/a/.hermes"
        live = {"text": "yes", "location": f"{home:s}/state.db"}
        divert = {"text": "yes", "store": "divert"}
        self.AddEvent("hermes:message:entry", 5, **live)
        for location in (
            f"{home:s}/sessions/20260101_000000_ab.jsonl",
            f"{home:s}/profiles/work/sessions/20260101_000000_ab.jsonl",
            "/home/b/.hermes/sessions/20260101_000000_ab.jsonl",
            "/home/a/.hermes-canary/sessions/20260101_000000_ab.jsonl",
        ):
            self.AddEvent("hermes:message:entry", 5, location=location, **divert)
        self.AddEvent("hermes:message:entry", 5, image="/cases/2.raw", **divert)
        self.AddEvent(
            "hermes:message:entry",
            5,
            text="yes",
            location=f"{home:s}/state-snapshots/20260101-000000/state.db",
            store="snapshot",
            copy_identifier="20260101-000000",
        )
        self.Analyze(hermes_pairing.HermesPairingAnalysisPlugin())
        self.assertEqual(
            self.GetLabels(),
            {
                1: ["hermes_duplicate"],
                **dict.fromkeys(range(2, 6), ["hermes_only_copy"]),
                6: ["hermes_duplicate"],
            },
        )

    def testNothing(self):
        """Tests events of other parsers only."""
        self.AddEvent("hermes:message:entry", 5, text="hello", data_type="syslog:line")
        report = self.Analyze(hermes_pairing.HermesPairingAnalysisPlugin())
        self.assertEqual(self.GetLabels(), {})
        self.assertIn("No events", report.text)


if __name__ == "__main__":
    unittest.main()

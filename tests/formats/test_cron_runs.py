"""Tests for the documents of scheduled runs."""

import unittest

from hermes_plaso.formats import cron_runs
from hermes_plaso.formats import times

_NAME = "2026-10-29_09-30-16.md"
_TIME = times.Timestamp(1793266216000000, is_local_time=True)

_HEADER = (
    "# Cron Job: n\n\n**Job ID:** job1\n**Run Time:** 2026-10-29 09:30:16\n"
    "**Schedule:** every 1h\n\n"
)


class CronRunsTest(unittest.TestCase):
    """Tests for the documents."""

    def _Decode(self, document, name=_NAME, job_identifier="job1"):
        """Decodes a document.

        Args:
          document (bytes|str): document.
          name (Optional[str]): name of the file.
          job_identifier (Optional[str]): identifier of the job in the path.

        Returns:
          tuple[Record, str, str]: record of the run, prompt and response.
        """
        if isinstance(document, str):
            document = document.encode("utf-8")
        run, *message_records = cron_runs.Decode(document, name, job_identifier)
        texts = {}
        for record in message_records:
            self.assertEqual(record.data_type, "hermes:message:entry")
            self.assertEqual(record.times, {"recorded_time": _TIME})
            texts[record.values["role"]] = record.values["text"]
        self.assertEqual(run.data_type, "hermes:cron:run")
        return run, texts.get("user"), texts.get("assistant")

    def _Frame(self, prompt, response):
        """Creates a document as builds of today write it.

        Args:
          prompt (str): prompt.
          response (str): response.

        Returns:
          str: document.
        """
        return (
            f"{_HEADER:s}**Prompt Characters:** {len(prompt):d}\n## Prompt\n\n"
            f"{prompt:s}\n\n**Response Characters:** {len(response):d}\n## Response\n\n"
            f"{response:s}\n"
        )

    def testDecodeFramed(self):
        """Tests a document whose sections are framed by their lengths."""
        for prompt, response in (
            ("p", "r"),
            ("Quote:\n## Response\n\nx\ny", "done"),
            (
                "a\n\n**Response Characters:** 1\n## Response\n\nb\n",
                "c\n\n## Response\n\n",
            ),
            ("Grüße 🧪", "日本語\n"),
            ("", ""),
            ("ends\n\n", "ends\n\n"),
        ):
            with self.subTest(prompt=prompt):
                run, *texts = self._Decode(self._Frame(prompt, response))
                self.assertEqual(texts, [prompt, response])
                self.assertIsNone(run.values.get("text"))
                self.assertIsNone(run.values["run_status"])

        self.assertEqual(run.times, {"run_time": _TIME})
        self.assertEqual(run.values["job_identifier"], "job1")
        self.assertEqual(run.values["job_name"], "n")
        self.assertEqual(run.values["schedule"], "every 1h")
        self.assertEqual(run.values["turn_type"], "system")

    def testDecodeDamagedFrame(self):
        """Tests lengths that do not fit, line ends and bytes of another kind."""
        document = self._Frame("prompt\n## Response\n\nquoted", "response")
        expected_texts = ["prompt\n## Response\n\nquoted", "response"]

        _, *texts = self._Decode(document.replace(" 27\n", " 26\n"))
        self.assertEqual(texts, expected_texts)
        _, *texts = self._Decode(document.replace("\n", "\r\n"))
        self.assertEqual(texts, expected_texts)
        _, *texts = self._Decode(
            document.encode("utf-8").replace(b"quoted", b"q\xffoted")
        )
        self.assertEqual(texts, ["prompt\n## Response\n\nq\\xffoted", "response"])
        _, *texts = self._Decode(document[:-5])
        self.assertEqual(texts, ["prompt\n## Response\n\nquoted", "resp"])

    def testDecodeLegacy(self):
        """Tests a document of builds that wrote no frames."""
        _, *texts = self._Decode(
            f"{_HEADER:s}## Prompt\n\np\n\n## Response\n\nquoted\n\n## Response\n\n"
            "All good.\n\n## Response\nquoted again\n"
        )
        self.assertEqual(
            texts,
            ["p\n\n## Response\n\nquoted", "All good.\n\n## Response\nquoted again"],
        )

        _, *texts = self._Decode(f"{_HEADER:s}## Prompt\n\ncut off")
        self.assertEqual(texts, ["cut off", None])

    def testDecodeFailed(self):
        """Tests the document of a run that failed."""
        run, *texts = self._Decode(
            _HEADER.replace("Job: n", "Job: n (FAILED)")
            + "## Prompt\n\nQuote:\n## Response\n\nx\n\n## Error\n\nboom\n"
        )
        self.assertEqual(texts, ["Quote:\n## Response\n\nx", None])
        self.assertEqual(run.values["error"], "boom")
        self.assertEqual(run.values["job_name"], "n")
        self.assertEqual(run.values["run_status"], "failed")

        run, *texts = self._Decode("# Cron Job: n (FAILED)\n\n## Error\n\nboom\n")
        self.assertEqual(texts, [None, None])
        self.assertEqual(
            run.values["text"], "# Cron Job: n (FAILED)\n\n## Error\n\nboom"
        )

    def testDecodeWithoutPrompt(self):
        """Tests documents that have no prompt section."""
        for document in (
            "# Cron Job: Gated\n\n**Job ID:** j\n\nScript gate: `wakeAgent=false`",
            "# Cron Job: W\n\n**Mode:** no_agent (script)\n\n---\n\n## Prompt\n\nnone",
            "# Cron Job: \n",
            "other",
        ):
            with self.subTest(document=document):
                run, *texts = self._Decode(document, job_identifier=None)
                self.assertEqual(texts, [None, None])
                self.assertEqual(run.values["text"], document.rstrip("\n"))

        run, *_ = self._Decode("# Cron Job: B\n\n**Status:** BLOCKED\n\nno\n")
        self.assertEqual(run.values["run_status"], "blocked")

    def testDecodeZeroBytes(self):
        """Tests a document that a loss of power left, of which the run is known."""
        (run,) = cron_runs.Decode(b"\x00" * 9, "2026-10-29_09-30-16.md", "job1")
        self.assertEqual(run.values["agent_job_identifier"], "job1")
        self.assertNotIn("text", run.values)
        self.assertEqual(run.warnings, ["document of 9 zero bytes"])

    def testDecodeMarked(self):
        """Tests documents with a byte order mark."""
        document = f"{_HEADER:s}## Prompt\n\np\u00e9\n\n## Response\n\nr\n"
        for encoding in ("utf-8-sig", "utf-16"):
            records = list(
                cron_runs.Decode(
                    document.encode(encoding), "2026-10-29_09-30-16.md", "job1"
                )
            )
            self.assertEqual(
                [record.values.get("text") for record in records],
                [None, "p\u00e9", "r"],
            )

    def testDecodeWithoutTime(self):
        """Tests a file whose name holds no time."""
        run = next(cron_runs.Decode(b"x", "2026-02-30_09-30-16.md", "job1"))
        self.assertEqual(run.values["time_value"], "2026-02-30_09-30-16.md")
        self.assertEqual(run.times, {"run_time": None})
        self.assertEqual(
            run.warnings,
            ["no usable time in the name of the file: 2026-02-30_09-30-16.md"],
        )


if __name__ == "__main__":
    unittest.main()

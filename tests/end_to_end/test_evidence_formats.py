"""End-to-end tests: each evidence format that the documentation names."""

import importlib.util
import os
import tempfile
import unittest

from tests import test_lib
from tests.end_to_end import test_images


def _ImportScript(name):
    """Imports a script of the documentation.

    Args:
      name (str): name of the script.

    Returns:
      module: the script.
    """
    path = os.path.join(test_lib.PROJECT_PATH, "docs", f"{name:s}.py")
    specification = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


class EvidenceFormatsTest(unittest.TestCase):
    """Tests of each evidence format that the documentation names."""

    maxDiff = None

    def testFormats(self):
        """Tests that the same homes give the same events, whatever holds them."""
        evidence_formats = _ImportScript("evidence_formats")
        count_per_number = {}
        with tempfile.TemporaryDirectory() as path:
            evidence_formats.MakeEvidence(path)
            for index, evidence in enumerate(evidence_formats.EVIDENCE):
                count = evidence_formats.Count(
                    evidence, path, "--workers", str(1 + index % 2)
                )
                with self.subTest(evidence=evidence.description):
                    self.assertEqual(sum(count.values()), evidence.number_of_events)
                    expected_count = count_per_number.setdefault(
                        evidence.number_of_events, count
                    )
                    self.assertEqual(count, expected_count)
        self.assertEqual(
            count_per_number[sum(test_images.EXPECTED_COUNT.values())],
            test_images.EXPECTED_COUNT,
        )

    def testDocumentation(self):
        """Tests that the table of the documentation names each format."""
        evidence_formats = _ImportScript("evidence_formats")
        path = os.path.join(test_lib.PROJECT_PATH, "docs", "evidence_formats.md")
        with open(path, encoding="utf-8") as file_object:
            lines = file_object.read().split("\n")
        rows = [line for line in lines if line.startswith("| ")][1:]
        self.assertEqual(
            rows,
            [
                evidence_formats.FormatRow(evidence, evidence.number_of_events)
                for evidence in evidence_formats.EVIDENCE
            ],
        )


if __name__ == "__main__":
    unittest.main()

"""End-to-end tests: what the artifact definitions and the file filter collect."""

import collections
import os
import sys
import unittest

from artifacts.scripts import validator

from test_data import make_test_data
from tests import test_lib
from tests.end_to_end import tool_lib


class CollectionTest(tool_lib.ToolTestCase):
    """Tests what is collected of an image, and what is not, by list."""

    def setUp(self):
        """Determines the paths of the files."""
        super().setUp()
        self.image = self.GetTestDataPath("collection_ext4.qcow2")
        self.artifacts = self.Run("hermes-plaso", "artifacts").stdout.strip()
        self.filter = self.Run("hermes-plaso", "filter").stdout.strip()

    def ExportImage(self, *arguments):
        """Runs image_export.

        Args:
          arguments (list[str]): what selects the files.

        Returns:
          list[str]: paths of the files that were exported.
        """
        directory = os.path.join(self.temporary_path, "export")
        self.Run(
            "image_export",
            "--quiet",
            "--no-hashes",
            "--unattended",
            "--logfile",
            os.path.join(self.temporary_path, "image_export.log.gz"),
            "--write",
            directory,
            *arguments,
            self.image,
        )
        paths = [
            os.path.relpath(os.path.join(parent, name), directory)
            for parent, _, names in os.walk(directory)
            for name in names
        ]
        return sorted(paths)

    def ReadFiles(self, *arguments):
        """Runs log2timeline with the parser of file entries.

        Args:
          arguments (list[str]): what selects the files.

        Returns:
          dict[str, int]: how often a file was read per path.
        """
        storage_file = self.Extract(self.image, "--parsers", "filestat", *arguments)
        counter = collections.Counter()
        for event in self.Export(storage_file):
            if event["file_entry_type"] == "file":
                path = event["display_name"].partition(":/")[2]
                if event["timestamp_desc"] == "Content Modification Time":
                    counter[path] += 1
        os.remove(storage_file)
        return dict(counter)

    def testDefinitions(self):
        """Tests that the definitions are valid, and those that the script writes."""
        self.assertTrue(
            validator.ArtifactDefinitionsValidator().CheckFile(self.artifacts)
        )

        script = os.path.join(test_lib.PROJECT_PATH, "docs", "make_collection.py")
        self.Run(sys.executable, script, self.temporary_path)
        for path in (self.artifacts, self.filter):
            name = os.path.relpath(path, os.path.dirname(self.filter))
            with open(path, encoding="utf-8") as file_object:
                text = file_object.read()
            with open(
                os.path.join(self.temporary_path, name), encoding="utf-8"
            ) as file_object:
                self.assertEqual(file_object.read(), text)

    def testArtifacts(self):
        """Tests both groups, of which each file is in one, and is read once."""
        for names, expected in (
            ("HermesAgent", make_test_data.COLLECTED_FILES),
            ("HermesAgentCredentials", make_test_data.CREDENTIAL_FILES),
            (
                "HermesAgent,HermesAgentCredentials",
                make_test_data.COLLECTED_FILES + make_test_data.CREDENTIAL_FILES,
            ),
        ):
            files = self.ReadFiles(
                "--custom-artifact-definitions",
                self.artifacts,
                "--artifact-filters",
                names,
            )
            self.assertEqual(sorted(files), sorted(expected))
            self.assertEqual(set(files.values()), {1})

    def testWarnings(self):
        """Tests that pinfo shows the warnings of all files."""
        storage_file = self.Extract(self.image, "--parsers", "hermes")
        output = self.Run("pinfo", "-v", storage_file).stdout
        self.assertIn("Path specifications with most extraction warnings", output)
        self.assertIn("Extraction warning: 33", output)
        self.assertIn("No analysis reports stored", output)

    def testArtifactsExport(self):
        """Tests that image_export exports the same files."""
        self.assertEqual(
            self.ExportImage(
                "--custom-artifact-definitions",
                self.artifacts,
                "--artifact-filters",
                "HermesAgent",
            ),
            sorted(make_test_data.COLLECTED_FILES),
        )

    def testFilter(self):
        """Tests that the file filter takes homes without programs and caches."""
        in_homes = [
            path
            for path in make_test_data.COLLECTED_FILES + make_test_data.CREDENTIAL_FILES
            # A project lies anywhere, and two directories are left out as a whole.
            if "/work/" not in path.replace("/profiles/work/", "")
            and "/browser-profile/" not in path
            and "/hermes-agent/" not in path
        ]
        files = self.ReadFiles("--file-filter", self.filter)
        self.assertEqual(sorted(files), sorted(in_homes))
        self.assertEqual(set(files.values()), {1})
        exported_files = self.ExportImage("--file-filter", self.filter)
        self.assertEqual(
            set(
                make_test_data.EXCLUDED_FILES + make_test_data.OTHER_FILES
            ).intersection(exported_files),
            set(),
        )

    def testOtherSystems(self):
        """Tests homes of Windows and of containers, of which copies give all rows."""
        artifacts = (
            "--custom-artifact-definitions",
            self.artifacts,
            "--artifact-filters",
            "HermesAgent",
        )
        for name, number_of_messages in (
            ("windows_ntfs.raw", 37),
            ("windows_fat.raw", 37),
            ("containers_ext4.qcow2", 40),
        ):
            for arguments in (artifacts, ("--file-filter", self.filter)):
                storage_file = self.Extract(
                    self.GetTestDataPath(name), "--parsers", "hermes", *arguments
                )
                events = self.Export(storage_file)
                os.remove(storage_file)
                data_types = [event["data_type"] for event in events]
                self.assertEqual(
                    data_types.count("hermes:message:entry"), number_of_messages
                )
                self.assertEqual(data_types.count("hermes:snapshot:entry"), 1)


if __name__ == "__main__":
    unittest.main()

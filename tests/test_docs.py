"""Tests for the documentation: links, filters and what is written from the code."""

import glob
import os
import re
import subprocess
import sys
import tempfile
import unittest

import yaml

from plaso.filters import event_filter as event_filters

from hermes_plaso import containers
from hermes_plaso import extension
from hermes_plaso.formats import homes
from hermes_plaso.formats import indicators

from tests import test_lib

_DOCS_PATH = os.path.join(test_lib.PROJECT_PATH, "docs")

# Attributes that filters know of all events.
_FILTER_NAMES = frozenset(["data_type", "tag", "timestamp", "timestamp_desc"])


class DocsTest(unittest.TestCase):
    """Tests for the documentation."""

    def setUp(self):
        """Reads the documents."""
        paths = glob.glob(os.path.join(_DOCS_PATH, "*.md"))
        paths.extend(glob.glob(os.path.join(test_lib.PROJECT_PATH, "*.md")))
        self.documents = {}
        for path in paths:
            with open(path, encoding="utf-8") as file_object:
                self.documents[path] = file_object.read()

    def testLinks(self):
        """Tests that files that are linked to exist."""
        number_of_links = 0
        for path, document in self.documents.items():
            for link in re.findall(r"\]\(([^)#]+)[^)]*\)", document):
                if "://" in link:
                    continue
                number_of_links += 1
                target = os.path.join(os.path.dirname(path), link)
                self.assertTrue(os.path.exists(target), f"{path:s}: {link:s}")
        self.assertGreater(number_of_links, 20)

    def testNavigation(self):
        """Tests that each page is in the navigation."""
        path = os.path.join(test_lib.PROJECT_PATH, "mkdocs.yml")
        with open(path, encoding="utf-8") as file_object:
            configuration = yaml.safe_load(file_object)
        self.assertEqual(
            sorted(configuration["nav"]),
            sorted(
                os.path.basename(path)
                for path in self.documents
                if os.path.dirname(path) == _DOCS_PATH
            ),
        )

    def testEvents(self):
        """Tests that the event reference is that of the code."""
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "events.md")
            subprocess.run(
                [sys.executable, os.path.join(_DOCS_PATH, "make_events.py"), path],
                check=True,
            )
            with open(path, encoding="utf-8") as file_object:
                self.assertEqual(
                    file_object.read(),
                    self.documents[os.path.join(_DOCS_PATH, "events.md")],
                )

    def testFilters(self):
        """Tests the syntax and the attributes of the filters of the cookbook."""
        document = self.documents[os.path.join(_DOCS_PATH, "cookbook.md")]
        filters = re.findall(r"^\| [^|`]+ \| `(.+)` \|$", document, re.MULTILINE)
        self.assertEqual(len(filters), 35)
        names = {
            name
            for event_data_class in containers.EVENT_DATA_CLASSES.values()
            for name in vars(event_data_class())
        }
        with open(
            extension.GetDataPath(extension.TAGGING_FILE_NAME), encoding="utf-8"
        ) as file_object:
            labels = set(re.findall(r"^(\w+)$", file_object.read(), re.MULTILINE))
        labels.update(["hermes_duplicate", "hermes_only_copy"])
        for text in filters:
            event_filter = event_filters.EventObjectFilter()
            event_filter.CompileFilter(text)
            without_texts = re.sub(r"'[^']*'", "''", text)
            used = re.findall(
                r"(\w+) (?:is|contains|not contains|regexp|[<>])", without_texts
            )
            self.assertTrue(used, text)
            self.assertLessEqual(set(used), names | _FILTER_NAMES, text)
            for data_type in re.findall(r"data_type is '([^']+)'", text):
                self.assertIn(data_type, containers.EVENT_DATA_CLASSES)
            for label in re.findall(r"tag (?:not )?contains '([^']+)'", text):
                self.assertIn(label, labels)
            for indicator in re.findall(r"indicators contains '([^']+)'", text):
                self.assertIn(indicator, vars(indicators).values())

    def testStores(self):
        """Tests that each store is on the page of stores."""
        document = self.documents[os.path.join(_DOCS_PATH, "stores.md")]
        for name, store in vars(homes).items():
            if name.startswith("STORE_"):
                self.assertIn(f"`{store:s}`", document)


if __name__ == "__main__":
    unittest.main()

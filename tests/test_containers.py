"""Tests for the event data, and what Plaso is told of them."""

import inspect
import os
import re
import unittest

import yaml

from plaso.lib import definitions

from hermes_plaso import containers
from hermes_plaso import extension
from tests import test_lib

# Names that an output field, a filter or Timesketch uses already.
RESERVED_NAMES = frozenset(
    (
        "source source_short source_long display_name filename message parser tag "
        "timestamp timestamp_desc datetime date time type user host hostname zone "
        "timezone values inode query offset pathspec"
    ).split()
)

BASE_CLASS = containers.HermesEventData


def GetAttributeNames(event_data_class):
    """Retrieves the names of the attributes of event data.

    Args:
      event_data_class (type): event data class.

    Returns:
      list[str]: names in the order in which they are set.
    """
    return [name for name in event_data_class().__dict__ if not name.startswith("_")]


def ReadYAML(path):
    """Reads a YAML file of documents with a data type.

    Args:
      path (str): path.

    Returns:
      dict[str, dict]: documents per data type.
    """
    with open(path, encoding="utf-8") as file_object:
        documents = list(yaml.safe_load_all(file_object))
    return {document["data_type"]: document for document in documents}


class ContainersTest(unittest.TestCase):
    """Tests for the event data, and what Plaso is told of them."""

    def setUp(self):
        """Reads what Plaso is told of the event data."""
        self.formatters = ReadYAML(
            os.path.join(test_lib.PROJECT_PATH, "formatters", "hermes.yaml")
        )
        self.timeliner = ReadYAML(extension.GetDataPath("timeliner.yaml"))

    def testNames(self):
        """Tests that no attribute takes a name that means something else."""
        for event_data_class in containers.EVENT_DATA_CLASSES.values():
            names = GetAttributeNames(event_data_class)
            self.assertEqual(RESERVED_NAMES.intersection(names), frozenset())
            for name in names:
                self.assertFalse(name == "id" or name.endswith("_id"), name)

    def testDocumentation(self):
        """Tests that each attribute is documented, in alphabetical order."""
        for event_data_class in (BASE_CLASS, *containers.EVENT_DATA_CLASSES.values()):
            parent_class = event_data_class.__mro__[1]
            names = GetAttributeNames(event_data_class)
            if event_data_class is not BASE_CLASS:
                inherited = GetAttributeNames(parent_class)
                names = [name for name in names if name not in inherited]
            else:
                names.remove("data_type")
            documented = re.findall(
                r"^  ([a-z_]+) \(",
                inspect.getdoc(event_data_class),
                flags=re.MULTILINE,
            )
            self.assertEqual(documented, names, event_data_class)
            self.assertEqual(documented, sorted(documented), event_data_class)

    def testCoverage(self):
        """Tests that each data type has a formatter and a timeliner entry."""
        data_types = set(containers.EVENT_DATA_CLASSES)
        self.assertEqual(set(self.formatters), data_types)
        self.assertEqual(set(self.timeliner), data_types)

        classes = [
            event_data_class
            for _, event_data_class in inspect.getmembers(containers, inspect.isclass)
            if event_data_class is not BASE_CLASS
            and issubclass(event_data_class, BASE_CLASS)
        ]
        self.assertEqual(len(classes), len(data_types))

    def testTimeliner(self):
        """Tests that each time has a description of Plaso's, and no other has one."""
        descriptions = {
            value
            for name, value in vars(definitions).items()
            if name.startswith("TIME_DESCRIPTION_")
        }
        for data_type, document in self.timeliner.items():
            names = GetAttributeNames(containers.EVENT_DATA_CLASSES[data_type])
            mappings = document.get("attribute_mappings", [])
            self.assertEqual(
                sorted(mapping["name"] for mapping in mappings),
                sorted(name for name in names if name.endswith("_time")),
                data_type,
            )
            for mapping in mappings:
                self.assertIn(mapping["description"], descriptions)
            self.assertTrue(document["place_holder_event"])

    def testFormatters(self):
        """Tests that formatters use attributes that exist, one a piece."""
        for data_type, document in self.formatters.items():
            names = set(GetAttributeNames(containers.EVENT_DATA_CLASSES[data_type]))
            for helper in document.get("enumeration_helpers", []):
                self.assertIn(helper["input_attribute"], names)
                names.add(helper["output_attribute"])
            for piece in document["message"] + document["short_message"]:
                attributes = re.findall(r"{([a-z_]+)}", piece)
                self.assertLessEqual(len(attributes), 1, piece)
                self.assertLessEqual(set(attributes), names, data_type)
            self.assertEqual(
                document["custom_helpers"], [{"identifier": "hermes_plain_text"}]
            )


if __name__ == "__main__":
    unittest.main()

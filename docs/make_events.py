"""Writes the event reference, docs/events.md, from the code.

Usage: python docs/make_events.py [OUTPUT]
"""

import inspect
import os
import re
import sys

import yaml

from hermes_plaso import containers
from hermes_plaso import extension

_OUTPUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "events.md")

_ATTRIBUTE_RE = re.compile(
    r"^  (\w+) \((.+?)\): (.*?)(?=^  \w+ \(|\Z)", re.DOTALL | re.MULTILINE
)

_HEAD = """# Events

Written by `docs/make_events.py` from the code. Each data type of event data has the
attributes below beside those that all share; one that Hermes does not record is not
set.
Filters and outputs of psort, and Timesketch, know them by these names.
"""


def _ReadYAML(name):
    """Reads a YAML file of documents with a data type.

    Args:
      name (str): name of a data file of the package.

    Returns:
      dict[str, dict[str, object]]: documents per data type.
    """
    with open(extension.GetDataPath(name), encoding="utf-8") as file_object:
        return {
            document["data_type"]: document
            for document in yaml.safe_load_all(file_object)
        }


def _GetAttributes(event_data_class):
    """Retrieves the attributes that a class documents.

    Args:
      event_data_class (type): event data class.

    Returns:
      dict[str, tuple[str, str]]: type and description per name, of the class and of
          those it is derived from, but what all share.
    """
    attributes = {}
    for base_class in reversed(event_data_class.__mro__):
        if not issubclass(base_class, containers.HermesEventData) or (
            base_class is containers.HermesEventData
            and event_data_class is not containers.HermesEventData
        ):
            continue
        # Python 3.13 and later remove the indentation themselves.
        text = inspect.cleandoc(base_class.__doc__ or "")
        _, _, text = text.partition("Attributes:\n")
        for name, value_type, description in _ATTRIBUTE_RE.findall(text):
            attributes[name] = (value_type, " ".join(description.split()))
    return dict(sorted(attributes.items()))


def _WriteAttributes(attributes, mappings=()):
    """Writes a table of attributes.

    Args:
      attributes (dict[str, tuple[str, str]]): type and description per name.
      mappings (Optional[list[dict[str, str]]]): mappings of the timeliner.

    Yields:
      str: lines.
    """
    descriptions = {mapping["name"]: mapping["description"] for mapping in mappings}
    yield "| attribute | type | |"
    yield "|---|---|---|"
    for name, (value_type, description) in attributes.items():
        if name in descriptions:
            value_type = f"time: {descriptions[name]:s}"
        cells = (f"`{name:s}`", value_type, description.replace("<", "\\<"))
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells):s} |"


def Write():
    """Writes the event reference.

    Yields:
      str: lines.
    """
    formatters = _ReadYAML(extension.FORMATTERS_FILE_NAME)
    timeliner = _ReadYAML("timeliner.yaml")

    yield _HEAD
    yield "## All events"
    yield ""
    yield from _WriteAttributes(_GetAttributes(containers.HermesEventData))

    for data_type, event_data_class in sorted(containers.EVENT_DATA_CLASSES.items()):
        formatter = formatters[data_type]
        mappings = timeliner[data_type].get("attribute_mappings", [])
        separator = formatter.get("separator", " ")
        message = separator.join(formatter["message"])
        yield ""
        yield f"## {data_type:s}"
        yield ""
        yield f"{formatter['source']:s}. Message: `{message:s}`"
        if not mappings:
            yield ""
            yield "Hermes records no time of it."
        attributes = _GetAttributes(event_data_class)
        if attributes:
            yield ""
            yield from _WriteAttributes(attributes, mappings)


def Main():
    """Writes the event reference to a file."""
    path = sys.argv[1] if len(sys.argv) > 1 else _OUTPUT
    with open(path, "w", encoding="utf-8") as file_object:
        for line in Write():
            file_object.write(f"{line.rstrip():s}\n")


if __name__ == "__main__":
    Main()

"""Plugins of the Hermes files parser for stores of JSON and YAML."""

from hermes_plaso.parsers.json_plugins import documents
from hermes_plaso.parsers.json_plugins import lines

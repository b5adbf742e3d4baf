"""Doors: parsers and plugins that recognise a Hermes file and read it safely.

Importing this package registers them with Plaso.
"""

from hermes_plaso.parsers import hermes_files
from hermes_plaso.parsers import json_plugins
from hermes_plaso.parsers import sqlite_plugins
from hermes_plaso.parsers import text_plugins

"""SQLite parser plugins for Hermes databases."""

from hermes_plaso.parsers.sqlite_plugins import hermes_state

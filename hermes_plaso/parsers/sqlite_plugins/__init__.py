"""SQLite parser plugins for Hermes databases."""

from hermes_plaso.parsers.sqlite_plugins import hermes_response_store
from hermes_plaso.parsers.sqlite_plugins import hermes_retaindb
from hermes_plaso.parsers.sqlite_plugins import hermes_runs_idempotency
from hermes_plaso.parsers.sqlite_plugins import hermes_state
from hermes_plaso.parsers.sqlite_plugins import unopened

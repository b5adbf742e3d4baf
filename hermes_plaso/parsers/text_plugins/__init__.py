"""Plugins of the text stores: prompt history, cron runs, logs and transcripts."""

from hermes_plaso.parsers.text_plugins import cron_run
from hermes_plaso.parsers.text_plugins import delegation_log
from hermes_plaso.parsers.text_plugins import log
from hermes_plaso.parsers.text_plugins import prompt_history

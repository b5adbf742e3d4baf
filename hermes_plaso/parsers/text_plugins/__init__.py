"""Plugins of the text stores: prompt history, cron runs, logs and transcripts."""

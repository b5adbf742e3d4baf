"""Plaso parsers, plugins and formatters for Hermes Agent evidence."""

__version__ = "20261201"

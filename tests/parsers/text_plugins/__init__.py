"""Tests for the plugins of the text stores."""

"""Shared functionality of the tests."""

import os
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
import unittest

from dfvfs.lib import definitions as dfvfs_definitions
from dfvfs.path import factory as path_spec_factory
from dfvfs.resolver import resolver as path_spec_resolver

from plaso.containers import events
from plaso.parsers import manager as parsers_manager
from plaso.parsers import mediator as parsers_mediator
from plaso.storage.fake import writer as fake_writer

PROJECT_PATH = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TEST_DATA_PATH = os.path.join(PROJECT_PATH, "test_data")

# Cases and evidence that are not part of the repository, where they are at hand.
SHARED_PATH = os.path.join(os.path.dirname(PROJECT_PATH), "shared")

requires_shared = unittest.skipUnless(
    os.path.isdir(SHARED_PATH),
    "the shared cases and evidence are not beside the project",
)


def CreateDatabase(path, statements, wal=False):
    """Creates a SQLite database.

    Args:
      path (str): path of the database.
      statements (list[str|tuple[str, tuple]]): SQL statements, with their parameters.
      wal (Optional[bool]): True if the database should be in WAL mode.

    Returns:
      sqlite3.Connection: connection, which the caller closes.
    """
    connection = sqlite3.connect(path, isolation_level=None)
    if wal:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA wal_autocheckpoint = 0")
    for statement in statements:
        if isinstance(statement, str):
            statement = (statement, ())
        connection.execute(*statement)
    return connection


def ExtractEvidence(path):
    """Extracts the evidence home.

    Args:
      path (str): path of a directory.

    Returns:
      str: path of the home directory of the user of the evidence.
    """
    home_path = os.path.join(path, "home", "alice")
    os.makedirs(home_path, exist_ok=True)
    archive_path = os.path.join(SHARED_PATH, "evidence", "home-0.19.0.tar.xz")
    with tarfile.open(archive_path) as archive:
        archive.extractall(home_path)
    return home_path


def MakeCases(path):
    """Makes the shared cases.

    Args:
      path (str): path of a directory.

    Returns:
      str: path of the directory of the cases.
    """
    cases_path = os.path.join(path, "cases")
    script_path = os.path.join(SHARED_PATH, "cases", "make_cases.py")
    subprocess.run(
        [sys.executable, script_path, cases_path], capture_output=True, check=True
    )
    return cases_path


class ParserTestCase(unittest.TestCase):
    """Test case of parsers and plugins, through Plaso's own parser and mediator."""

    maxDiff = None

    def setUp(self):
        """Creates a temporary directory."""
        temporary_directory = tempfile.TemporaryDirectory()
        self.addCleanup(temporary_directory.cleanup)
        self.temporary_path = temporary_directory.name

    def CheckEventData(self, event_data, expected_values):
        """Checks values of event data.

        Args:
          event_data (EventData): event data.
          expected_values (dict[str, object]): expected values per attribute name,
              where date and time values are in the form of CopyToDateTimeStringISO8601.
        """
        values = {}
        for name in expected_values:
            value = getattr(event_data, name, None)
            if hasattr(value, "CopyToDateTimeStringISO8601"):
                value = value.CopyToDateTimeStringISO8601()
            values[name] = value
        self.assertEqual(values, expected_values)

    def GetPathSpec(self, path):
        """Creates the path specification of a file of the file system.

        Args:
          path (str): path.

        Returns:
          dfvfs.PathSpec: path specification.
        """
        return path_spec_factory.Factory.NewPathSpec(
            dfvfs_definitions.TYPE_INDICATOR_OS, location=path
        )

    def Parse(self, path, parser_filter_expression, time_zone=None):
        """Parses a file with parsers of Plaso's registry.

        Args:
          path (str|dfvfs.PathSpec): path or path specification of the file.
          parser_filter_expression (str): parsers and plugins to use.
          time_zone (Optional[str]): not used here, times are as the parser gives them.

        Returns:
          ParseResult: what the parser produced.
        """
        path_spec = self.GetPathSpec(path) if isinstance(path, str) else path
        file_entry = path_spec_resolver.Resolver.OpenFileEntry(path_spec)

        storage_writer = fake_writer.FakeStorageWriter()
        storage_writer.Open()
        parser_mediator = parsers_mediator.ParserMediator()
        parser_mediator.SetStorageWriter(storage_writer)
        parser_mediator.SetTemporaryDirectory(self.temporary_path)

        for parser in parsers_manager.ParsersManager.GetParserObjects(
            parser_filter_expression=parser_filter_expression
        ).values():
            parser_mediator.SetFileEntry(file_entry)
            event_data_stream = events.EventDataStream()
            event_data_stream.path_spec = path_spec
            parser_mediator.ProduceEventDataStream(event_data_stream)
            parser_mediator.ClearParserChain()
            if parser.FILTERS and not any(
                file_filter.Match(file_entry) for file_filter in parser.FILTERS
            ):
                continue
            parser.Parse(parser_mediator)
        return ParseResult(storage_writer)


class ParseResult:
    """What a parser produced.

    Attributes:
      event_data (list[EventData]): event data in the order of production.
      recovery_warnings (list[str]): messages of the recovery warnings.
      warnings (list[str]): messages of the extraction warnings.
    """

    def __init__(self, storage_writer):
        """Initializes a result.

        Args:
          storage_writer (StorageWriter): storage writer.
        """
        super().__init__()
        self.event_data = list(storage_writer.GetAttributeContainers("event_data"))
        self.recovery_warnings = [
            warning.message
            for warning in storage_writer.GetAttributeContainers("recovery_warning")
        ]
        self.warnings = [
            warning.message
            for warning in storage_writer.GetAttributeContainers("extraction_warning")
        ]

    def Get(self, *data_types):
        """Retrieves the event data of data types.

        Args:
          data_types (list[str]): data types.

        Returns:
          list[EventData]: event data.
        """
        return [
            event_data
            for event_data in self.event_data
            if event_data.data_type in data_types
        ]

    def Count(self):
        """Counts the event data per data type.

        Returns:
          dict[str, int]: number of event data.
        """
        count = {}
        for event_data in self.event_data:
            count[event_data.data_type] = count.get(event_data.data_type, 0) + 1
        return count

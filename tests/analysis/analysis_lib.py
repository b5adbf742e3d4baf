"""Shared functionality of the tests of analysis plugins."""

import tempfile
import unittest

from dfvfs.lib import definitions as dfvfs_definitions
from dfvfs.path import factory as path_spec_factory

from plaso.analysis import mediator
from plaso.containers import events
from plaso.lib import definitions
from plaso.storage.fake import writer as fake_writer

from hermes_plaso import containers


class AnalysisTestCase(unittest.TestCase):
    """Test case of analysis plugins, through Plaso's own mediator."""

    maxDiff = None

    def setUp(self):
        """Creates a storage writer and a temporary directory."""
        temporary_directory = tempfile.TemporaryDirectory()
        self.addCleanup(temporary_directory.cleanup)
        self.temporary_path = temporary_directory.name
        self.events = []
        self.storage_writer = fake_writer.FakeStorageWriter()
        self.storage_writer.Open()
        self.addCleanup(self.storage_writer.Close)

    def AddEvent(
        self,
        class_data_type,
        timestamp,
        description=None,
        image=None,
        location="/home/a/.hermes/x",
        **values,
    ):
        """Adds an event.

        Args:
          class_data_type (str): data type of the class of the event data.
          timestamp (int): time in microseconds, None for a place-holder event.
          description (Optional[str]): what the time is of the record.
          image (Optional[str]): path of an image the event is from.
          location (Optional[str]): path of the file the event is from.
          values (dict[str, object]): attribute values.
        """
        event_data = containers.EVENT_DATA_CLASSES[class_data_type]()
        event_data.session_identifier = "s"
        event_data.store = "state"
        event_data.turn_type = "user"
        for name, value in values.items():
            setattr(event_data, name, value)
        if "tier" not in values:
            is_state = event_data.store == "state"
            event_data.tier = "primary" if is_state else "secondary"

        path_spec = path_spec_factory.Factory.NewPathSpec(
            dfvfs_definitions.TYPE_INDICATOR_OS, location=image or location
        )
        if image:
            path_spec = path_spec_factory.Factory.NewPathSpec(
                dfvfs_definitions.TYPE_INDICATOR_RAW, parent=path_spec
            )
            path_spec = path_spec_factory.Factory.NewPathSpec(
                dfvfs_definitions.TYPE_INDICATOR_EXT,
                location=location,
                parent=path_spec,
            )
        event_data_stream = events.EventDataStream()
        event_data_stream.path_spec = path_spec

        event = events.EventObject()
        event.timestamp = timestamp or 0
        event.timestamp_desc = description or definitions.TIME_DESCRIPTION_RECORDED
        if timestamp is None:
            event.timestamp_desc = definitions.TIME_DESCRIPTION_NOT_A_TIME
        self.storage_writer.AddAttributeContainer(event)
        self.events.append((event, event_data, event_data_stream))

    def Analyze(self, plugin):
        """Analyzes the events.

        Args:
          plugin (AnalysisPlugin): analysis plugin.

        Returns:
          AnalysisReport: report.
        """
        analysis_mediator = mediator.AnalysisMediator()
        analysis_mediator.SetStorageWriter(self.storage_writer)
        for event, event_data, event_data_stream in self.events:
            plugin.ExamineEvent(analysis_mediator, event, event_data, event_data_stream)
        analysis_mediator.ProduceAnalysisReport(plugin)
        (report,) = self.storage_writer.GetAttributeContainers("analysis_report")
        return report

    def GetLabels(self):
        """Retrieves the labels of the events.

        Returns:
          dict[int, list[str]]: labels per index of an event.
        """
        indexes = {
            event.GetIdentifier().CopyToString(): index
            for index, (event, _, _) in enumerate(self.events)
        }
        return {
            indexes[event_tag.GetEventIdentifier().CopyToString()]: event_tag.labels
            for event_tag in self.storage_writer.GetAttributeContainers("event_tag")
        }

    def GetWarnings(self):
        """Retrieves the analysis warnings.

        Returns:
          list[str]: messages.
        """
        return [
            warning.message
            for warning in self.storage_writer.GetAttributeContainers(
                "analysis_warning"
            )
        ]

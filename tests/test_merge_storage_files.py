"""Tests for merging storage files."""

import collections
import hashlib
import io
import os
import signal
import sqlite3
import tempfile
import unittest
from unittest import mock

from acstore.containers import manager as containers_manager
from dfdatetime import posix_time as dfdatetime_posix_time
from dfvfs.lib import definitions as dfvfs_definitions
from dfvfs.path import factory as path_spec_factory
from plaso.containers import artifacts
from plaso.containers import counts
from plaso.containers import event_sources
from plaso.containers import events
from plaso.containers import reports
from plaso.containers import sessions
from plaso.containers import warnings
from plaso.storage import factory as storage_factory
from plaso.storage.sqlite import sqlite_file

from hermes_plaso import cli
from hermes_plaso.merging import errors
from hermes_plaso.merging import merge
from hermes_plaso.merging import storage_files

# Attribute containers that no storage file holds on their own.
_NOT_STORED = frozenset(["analyzer_result", "event_tripple", "task"])


def MakePathSpec(location):
    """Makes a path specification.

    Args:
      location (str): location.

    Returns:
      PathSpec: path specification.
    """
    return path_spec_factory.Factory.NewPathSpec(
        dfvfs_definitions.TYPE_INDICATOR_FAKE, location=location
    )


class MergeTestCase(unittest.TestCase):
    """Test case of storage files that the test writes."""

    maxDiff = None

    def setUp(self):
        """Creates a temporary directory."""
        temporary_directory = tempfile.TemporaryDirectory()
        self.addCleanup(temporary_directory.cleanup)
        self.temporary_path = temporary_directory.name
        self.output_path = os.path.join(self.temporary_path, "output", "merged.plaso")
        os.mkdir(os.path.dirname(self.output_path))

    def GetPath(self, name):
        """Determines the path of a file in the temporary directory.

        Args:
          name (str): name of the file.

        Returns:
          str: path.
        """
        return os.path.join(self.temporary_path, name)

    def MakeStorageFile(
        self,
        name,
        event_values=(),
        containers=(),
        compression_format=None,
        completion_time=2,
    ):
        """Makes a storage file.

        Args:
          name (str): name of the storage file.
          event_values (Optional[list[tuple[str, list[int], list[str]]]]): text and path
              of event data, timestamps of events and labels of the first of them.
          containers (Optional[list[AttributeContainer]]): other attribute containers.
          compression_format (Optional[str]): compression format.
          completion_time (Optional[int]): completion time of the session.

        Returns:
          str: path of the storage file.
        """
        store = sqlite_file.SQLiteStorageFile()
        if compression_format:
            store.compression_format = compression_format
        path = self.GetPath(name)
        store.Open(path=path, read_only=False)

        session = sessions.Session()
        session.identifier = hashlib.md5(name.encode("utf-8")).hexdigest()
        session.completion_time = completion_time
        session.start_time = 1
        store.AddAttributeContainer(session)

        streams = {}
        numbers = collections.Counter()
        for text, location, timestamps, labels in event_values:
            stream = streams.get(location)
            if stream is None:
                stream = events.EventDataStream()
                stream.path_spec = MakePathSpec(location)
                store.AddAttributeContainer(stream)
                streams[location] = stream

            event_data = events.EventData(data_type="test:event")
            event_data.text = text
            event_data._parser_chain = "test/plugin"
            event_data._event_values_hash = events.CalculateEventValuesHash(
                event_data, stream
            )
            event_data.SetEventDataStreamIdentifier(stream.GetIdentifier())
            store.AddAttributeContainer(event_data)

            for timestamp in timestamps:
                event = events.EventObject()
                event.date_time = dfdatetime_posix_time.PosixTimeInMicroseconds(
                    timestamp=timestamp
                )
                event.timestamp = timestamp
                event.timestamp_desc = "Test Time"
                event.SetEventDataIdentifier(event_data.GetIdentifier())
                store.AddAttributeContainer(event)
                numbers["plugin"] += 1
                numbers["total"] += 1
                if labels:
                    event_tag = events.EventTag()
                    event_tag.SetEventIdentifier(event.GetIdentifier())
                    event_tag.AddLabels(labels)
                    store.AddAttributeContainer(event_tag)
                    for label in (*labels, "total"):
                        numbers["label", label] += 1
                    labels = ()

        for key, number in numbers.items():
            if isinstance(key, tuple):
                container = counts.EventLabelCount(
                    label=key[1], number_of_events=number
                )
            else:
                container = counts.ParserCount(name=key, number_of_events=number)
            store.AddAttributeContainer(container)

        for container in containers:
            if callable(container):
                container = container(store)
            store.AddAttributeContainer(container)
        store.Close()
        return path

    def Merge(self, *paths):
        """Merges storage files.

        Args:
          paths (list[str]): paths of the storage files.

        Returns:
          list[str]: messages.
        """
        if os.path.exists(self.output_path):
            os.remove(self.output_path)
        return merge.Merge(list(paths), self.output_path)

    def OpenStorageFile(self, path=None):
        """Opens a storage file as psort does.

        Args:
          path (Optional[str]): path, None for that of the output.

        Returns:
          StorageReader: storage reader.
        """
        reader = storage_factory.StorageFactory.CreateStorageReaderForFile(
            path or self.output_path
        )
        self.addCleanup(reader.Close)
        return reader

    def ReadEvents(self, path=None):
        """Reads the events of a storage file in the order of psort.

        Args:
          path (Optional[str]): path, None for that of the output.

        Returns:
          list[tuple[int, str, str, tuple[str]]]: timestamp, text, path and labels.
        """
        reader = self.OpenStorageFile(path)
        result = []
        for event in reader.GetSortedEvents():
            event_data = reader.GetAttributeContainerByIdentifier(
                "event_data", event.GetEventDataIdentifier()
            )
            stream = reader.GetAttributeContainerByIdentifier(
                "event_data_stream", event_data.GetEventDataStreamIdentifier()
            )
            tags = list(
                reader.GetAttributeContainers(
                    "event_tag",
                    filter_expression=(
                        f"_event_identifier == "
                        f'"{event.GetIdentifier().CopyToString():s}"'
                    ),
                )
                if reader.HasAttributeContainers("event_tag")
                else []
            )
            self.assertLessEqual(len(tags), 1)
            self.assertEqual(event.date_time.timestamp, event.timestamp)
            result.append(
                (
                    event.timestamp,
                    event_data.text,
                    stream.path_spec.location,
                    tuple(tags[0].labels) if tags else (),
                )
            )
        return result

    def ReadContainers(self, container_type, path=None):
        """Reads attribute containers.

        Args:
          container_type (str): container type.
          path (Optional[str]): path, None for that of the output.

        Returns:
          list[str]: values of each.
        """
        reader = self.OpenStorageFile(path)
        result = []
        for container in reader.GetAttributeContainers(container_type):
            path_spec = getattr(container, "path_spec", None)
            if path_spec:
                container.path_spec = path_spec.comparable
            for name in ("hostname", "user_accounts"):
                value = getattr(container, name, None)
                if value:
                    value = value[0] if isinstance(value, list) else value
                    setattr(container, name, value.GetAttributeValuesString())
            result.append(container.GetAttributeValuesString())
        return result

    def ReadCounts(self, container_type, path=None):
        """Reads counts.

        Args:
          container_type (str): container type.
          path (Optional[str]): path, None for that of the output.

        Returns:
          dict[str, int]: number of events per name.
        """
        reader = self.OpenStorageFile(path)
        containers = list(reader.GetAttributeContainers(container_type))
        result = {
            getattr(container, "name", None)
            or getattr(container, "label", None): container.number_of_events
            for container in containers
        }
        self.assertEqual(len(result), len(containers))
        self.assertEqual(
            reader.GetNumberOfAttributeContainers(container_type), len(containers)
        )
        return result

    def CheckRefusal(self, text, *paths):
        """Checks that a merge is refused in one sentence and leaves nothing.

        Args:
          text (str): text of the sentence.
          paths (list[str]): paths of the storage files.
        """
        with self.assertRaises(errors.MergeError) as context:
            self.Merge(*paths)
        self.assertIn(text, str(context.exception))
        self.assertNotIn("\n", str(context.exception))
        self.assertEqual(os.listdir(os.path.dirname(self.output_path)), [])


class EventsTest(MergeTestCase):
    """Tests for the merge of events."""

    def testDifferent(self):
        """Tests events that no other storage file holds."""
        paths = [
            self.MakeStorageFile(
                "1", [("a", "/1", [10, 30], ()), ("b", "/1", [5], ())]
            ),
            self.MakeStorageFile(
                "2", [("c", "/2", [20, 40], ()), ("d", "/1", [1], ())]
            ),
            self.MakeStorageFile("3", [("e", "/3", [25], ())]),
        ]
        messages = self.Merge(*paths)
        self.assertEqual(
            self.ReadEvents(),
            [
                (1, "d", "/1", ()),
                (5, "b", "/1", ()),
                (10, "a", "/1", ()),
                (20, "c", "/2", ()),
                (25, "e", "/3", ()),
                (30, "a", "/1", ()),
                (40, "c", "/2", ()),
            ],
        )
        # The stream of a path that two of them hold is there once.
        self.assertEqual(len(self.ReadContainers("event_data_stream")), 3)
        self.assertEqual(self.ReadCounts("parser_count"), {"plugin": 7, "total": 7})
        self.assertEqual(len(self.ReadContainers("session")), 3)
        self.assertEqual(
            messages,
            [
                f"{paths[0]:s}: 3 events",
                f"{paths[1]:s}: 3 events, 0 others were there already",
                f"{paths[2]:s}: 1 events, 0 others were there already",
            ],
        )

    def testSame(self):
        """Tests that an event is as often there as in the input that has most of it."""
        once = self.MakeStorageFile("1", [("a", "/1", [10], ())])
        twice = self.MakeStorageFile("2", [("a", "/1", [10], ())] * 2)
        thrice = self.MakeStorageFile("3", [("a", "/1", [10], ())] * 3)
        for paths, expected in (
            ((once, twice), 2),
            ((twice, once), 2),
            ((once, twice, thrice), 3),
            ((thrice, once, twice), 3),
        ):
            self.Merge(*paths)
            self.assertEqual(self.ReadEvents(), [(10, "a", "/1", ())] * expected)
            self.assertEqual(len(self.ReadContainers("event_data")), expected)
            self.assertEqual(
                self.ReadCounts("parser_count"),
                {"plugin": expected, "total": expected},
            )

    def testNearlySame(self):
        """Tests that events that differ in time, text or path are others."""
        self.Merge(
            self.MakeStorageFile("1", [("a", "/1", [10], ())]),
            self.MakeStorageFile(
                "2",
                [("a", "/1", [11], ()), ("b", "/1", [10], ()), ("a", "/2", [10], ())],
            ),
        )
        self.assertEqual(len(self.ReadEvents()), 4)

    def testDescription(self):
        """Tests that events of different timestamp descriptions are others."""
        paths = [self.MakeStorageFile(name, [("a", "/1", [10], ())]) for name in "12"]
        connection = sqlite3.connect(paths[1])
        connection.execute("UPDATE event SET timestamp_desc = 'Other Time'")
        connection.commit()
        connection.close()
        self.Merge(*paths)
        self.assertEqual(len(self.ReadEvents()), 2)

    def testPartOfEventData(self):
        """Tests event data of which one of two events is there already."""
        self.Merge(
            self.MakeStorageFile("1", [("a", "/1", [10], ())]),
            self.MakeStorageFile("2", [("a", "/1", [10, 20], ())]),
        )
        self.assertEqual(self.ReadEvents(), [(10, "a", "/1", ()), (20, "a", "/1", ())])
        self.assertEqual(len(self.ReadContainers("event_data")), 2)

    def testNoValuesHash(self):
        """Tests event data without a values hash, for which psort takes all alike."""

        def MakeEventData(text):
            """Makes event data.

            Args:
              text (str): text.

            Returns:
              list[AttributeContainer]: event data and an event.
            """
            event_data = events.EventData(data_type="test:event")
            event_data.text = text
            identifiers = []

            def AddEvent(_):
                """Makes an event.

                Returns:
                  EventObject: event.
                """
                event = events.EventObject()
                event.timestamp = 10
                event.timestamp_desc = "Test Time"
                event.SetEventDataIdentifier(event_data.GetIdentifier())
                return event

            identifiers.append(event_data)
            return [event_data, AddEvent]

        self.Merge(
            self.MakeStorageFile("1", containers=MakeEventData("a")),
            self.MakeStorageFile(
                "2", containers=MakeEventData("a") + MakeEventData("b")
            ),
        )
        self.assertEqual(
            [values.rpartition(" ")[2] for values in self.ReadContainers("event_data")],
            ["a", "b"],
        )
        self.assertEqual(len(self.ReadContainers("event")), 2)

    def testEventDataWithoutEvents(self):
        """Tests that event data without a date or time are kept, once."""
        self.Merge(
            self.MakeStorageFile("1", [("a", "/1", [], ()), ("b", "/1", [1], ())]),
            self.MakeStorageFile("2", [("a", "/1", [], ()), ("c", "/1", [], ())]),
        )
        self.assertEqual(
            sorted(
                values.rpartition(" ")[2]
                for values in self.ReadContainers("event_data")
            ),
            ["a", "b", "c"],
        )

    def testEventTags(self):
        """Tests that tags of an event that is there already go to that event."""
        for index, (labels, new_labels, expected) in enumerate(
            (
                ((), ("x",), ("x",)),
                (("x",), ("x", "y"), ("x", "y")),
                (("x", "y"), ("y",), ("x", "y")),
                (("x",), (), ("x",)),
            )
        ):
            self.Merge(
                self.MakeStorageFile(f"1{index:d}", [("a", "/1", [10], labels)]),
                self.MakeStorageFile(
                    f"2{index:d}",
                    [("b", "/1", [5], ("z",)), ("a", "/1", [10], new_labels)],
                ),
            )
            self.assertEqual(
                self.ReadEvents(), [(5, "b", "/1", ("z",)), (10, "a", "/1", expected)]
            )
            self.assertEqual(
                self.ReadCounts("event_label_count"),
                {"total": 1 + len(expected), "z": 1, **dict.fromkeys(expected, 1)},
            )

    def testEventTagsOfOneEvent(self):
        """Tests that several tags of one event become one."""

        def AddTag(_):
            """Makes a tag of the first event.

            Returns:
              EventTag: tag.
            """
            event_tag = events.EventTag()
            identifier = events.EventObject().GetIdentifier()
            identifier.sequence_number = 1
            event_tag.SetEventIdentifier(identifier)
            event_tag.AddLabels(["second"])
            return event_tag

        values = [("a", "/1", [10], ("first",)), ("b", "/1", [20], ("x",))]
        tagged = self.MakeStorageFile("1", values, containers=[AddTag])
        other = self.MakeStorageFile("2", [("c", "/1", [30], ("y",))])
        for paths in ((tagged, other), (other, tagged)):
            self.Merge(*paths)
            self.assertEqual(
                self.ReadEvents(),
                [
                    (10, "a", "/1", ("first", "second")),
                    (20, "b", "/1", ("x",)),
                    (30, "c", "/1", ("y",)),
                ],
            )
            reader = self.OpenStorageFile()
            self.assertEqual(reader.GetNumberOfAttributeContainers("event_tag"), 3)

    def testCompression(self):
        """Tests storage files of which one is not compressed."""
        paths = [
            self.MakeStorageFile("1", [("a", "/1", [10], ()), ("c", "/1", [30], ())]),
            self.MakeStorageFile(
                "2",
                [("b", "/2", [20], ()), ("a", "/1", [10], ())],
                compression_format="none",
            ),
        ]
        for names in (paths, paths[::-1]):
            self.Merge(*names)
            self.assertEqual(
                self.ReadEvents(),
                [(10, "a", "/1", ()), (20, "b", "/2", ()), (30, "c", "/1", ())],
            )

    def testAppend(self):
        """Tests that Plaso can add to what was merged."""
        self.Merge(
            self.MakeStorageFile("1", [("a", "/1", [10], ())]),
            self.MakeStorageFile("2", [("b", "/1", [20], ()), ("c", "/1", [30], ())]),
        )
        store = sqlite_file.SQLiteStorageFile()
        store.Open(path=self.output_path, read_only=False)
        event = events.EventObject()
        event.timestamp = 40
        store.AddAttributeContainer(event)
        self.assertEqual(event.GetIdentifier().CopyToString(), "event.4")
        store.Close()


class ContainersTest(MergeTestCase):
    """Tests for the merge of other attribute containers."""

    def testAllTypes(self):
        """Tests that attribute containers of all types are kept, and once."""
        manager = containers_manager.AttributeContainersManager
        container_types = sorted(set(manager.GetContainerTypes()) - _NOT_STORED)

        def MakeContainers():
            """Makes an attribute container of each type, that names nothing.

            Returns:
              list[AttributeContainer]: attribute containers.
            """
            result = []
            for container_type in container_types:
                # Others are tested with what they name.
                if container_type in ("event", "event_data", "event_tag", "session"):
                    continue
                container = manager.CreateAttributeContainer(container_type)
                for name, data_type in manager.GetSchema(container_type).items():
                    value = {
                        "bool": True,
                        "dfvfs.PathSpec": MakePathSpec("/x"),
                        "int": 7,
                        "List[int]": [1, 2],
                        "List[str]": ["v"],
                        "str": "v",
                    }.get(data_type)
                    setattr(container, name, value)
                if container_type == "analysis_report":
                    container.analysis_counter = collections.Counter({"v": 3})
                    container.plugin_name = "v"
                if container_type == "system_configuration":
                    container.hostname = artifacts.HostnameArtifact(name="v")
                    container.user_accounts = [
                        artifacts.UserAccountArtifact(username="v")
                    ]
                result.append(container)
            return result

        path = self.MakeStorageFile("1", containers=MakeContainers())
        first = self.MakeStorageFile("0", [("a", "/1", [10], ())])
        second = self.MakeStorageFile("2", containers=MakeContainers())
        for paths in ((first, path), (path, first), (first, path, second)):
            self.Merge(*paths)
            for container_type in container_types:
                if container_type in (
                    "event",
                    "event_data",
                    "event_label_count",
                    "event_tag",
                    "session",
                ) or container_type.endswith("_count"):
                    continue
                expected = self.ReadContainers(container_type, path)
                self.assertEqual(len(expected), 1, container_type)
                if container_type == "system_configuration" and second in paths:
                    # One for each session.
                    expected *= 2
                result = self.ReadContainers(container_type)
                if container_type == "event_data_stream":
                    result = [values for values in result if "/x" in values]
                self.assertEqual(result, expected, container_type)

    def testReferences(self):
        """Tests that attribute containers name what they named before."""

        def MakeContainers(name, number):
            """Makes attribute containers that name each other.

            Args:
              name (str): name they hold.
              number (int): number of others that come first.

            Returns:
              list[AttributeContainer]: attribute containers.
            """
            result = []
            for index in range(number):
                result.extend(
                    [
                        artifacts.WindowsEventLogMessageFileArtifact(path=f"{index:d}"),
                        artifacts.SystemConfigurationArtifact(code_page=f"{index:d}"),
                        events.EventDataStream(),
                    ]
                )
                result[-1].md5_hash = f"{name:s}{index:d}"

            message_file = artifacts.WindowsEventLogMessageFileArtifact(path=name)
            message_string = artifacts.WindowsEventLogMessageStringArtifact(5, name)
            template_event = artifacts.WindowsWevtTemplateEvent(
                identifier=9, message_identifier=5, provider_identifier=name, version=1
            )
            system_configuration = artifacts.SystemConfigurationArtifact(code_page=name)
            provider = artifacts.WindowsEventLogProviderArtifact(identifier=name)
            stream = events.EventDataStream()
            stream.path_spec = MakePathSpec(name)
            helper = events.DateLessLogHelper()
            helper.earliest_date = [2026, 1, 1]

            def SetMessageFile(container):
                """Names the message file.

                Args:
                  container (AttributeContainer): attribute container.

                Returns:
                  callable: what makes the attribute container when it is added.
                """

                def Make(_):
                    """Makes the attribute container.

                    Returns:
                      AttributeContainer: attribute container.
                    """
                    container.SetMessageFileIdentifier(message_file.GetIdentifier())
                    return container

                return Make

            # Plaso does not store message tables.
            message_table = artifacts.WindowsEventLogMessageTableArtifact(1033)
            message_table.GetIdentifier().sequence_number = 3
            message_string.SetMessageTableIdentifier(message_table.GetIdentifier())

            def MakeProvider(_):
                """Makes the provider.

                Returns:
                  AttributeContainer: attribute container.
                """
                provider._system_configuration_identifier = (
                    system_configuration.GetIdentifier()
                )
                return provider

            def MakeHelper(_):
                """Makes the helper of a log without years.

                Returns:
                  AttributeContainer: attribute container.
                """
                helper.SetEventDataStreamIdentifier(stream.GetIdentifier())
                return helper

            return [
                *result,
                message_file,
                message_string,
                SetMessageFile(template_event),
                system_configuration,
                MakeProvider,
                stream,
                MakeHelper,
            ]

        paths = [
            self.MakeStorageFile("1", containers=MakeContainers("one", 3)),
            self.MakeStorageFile("2", containers=MakeContainers("two", 1)),
            self.MakeStorageFile("3", containers=MakeContainers("one", 5)),
        ]
        self.Merge(*paths)

        reader = self.OpenStorageFile()

        def GetNamed(container_type, name, other_type):
            """Determines what attribute containers name.

            Args:
              container_type (str): container type.
              name (str): name of the identifier.
              other_type (str): container type of what they name.

            Yields:
              tuple[AttributeContainer, AttributeContainer]: both.
            """
            for container in reader.GetAttributeContainers(container_type):
                yield container, reader.GetAttributeContainerByIdentifier(
                    other_type, getattr(container, name)
                )

        self.assertEqual(
            [
                (container.string, container.GetMessageTableIdentifier().CopyToString())
                for container in reader.GetAttributeContainers(
                    "windows_eventlog_message_string"
                )
            ],
            [
                ("one", "windows_eventlog_message_table.3"),
                ("two", "windows_eventlog_message_table.3"),
            ],
        )
        for container_type, name, other_type, attribute, other_attribute in (
            (
                "windows_wevt_template_event",
                "_message_file_identifier",
                "windows_eventlog_message_file",
                "provider_identifier",
                "path",
            ),
            (
                "windows_eventlog_provider",
                "_system_configuration_identifier",
                "system_configuration",
                "identifier",
                "code_page",
            ),
        ):
            pairs = [
                (getattr(container, attribute), getattr(other, other_attribute))
                for container, other in GetNamed(container_type, name, other_type)
            ]
            self.assertEqual(
                sorted(set(pairs)), [("one", "one"), ("two", "two")], container_type
            )
        self.assertEqual(
            [
                stream.path_spec.location
                for _, stream in GetNamed(
                    "date_less_log_helper",
                    "_event_data_stream_identifier",
                    "event_data_stream",
                )
            ],
            ["one", "two"],
        )

    def testWarnings(self):
        """Tests that what several storage files warn of is there once."""
        containers = [
            container_class(message=message, path_spec=MakePathSpec("/1"))
            for container_class in (
                warnings.ExtractionWarning,
                warnings.PreprocessingWarning,
                warnings.RecoveryWarning,
                warnings.TimeliningWarning,
            )
            for message in ("a", "b", "b")
        ]
        sources = [event_sources.EventSource(path_spec=MakePathSpec(p)) for p in "12"]
        self.Merge(
            self.MakeStorageFile("1", containers=containers[::2] + sources[:1]),
            self.MakeStorageFile("2", containers=containers + sources),
        )
        for container_type in (
            "extraction_warning",
            "preprocessing_warning",
            "recovery_warning",
            "timelining_warning",
        ):
            self.assertEqual(len(self.ReadContainers(container_type)), 3)
        self.assertEqual(len(self.ReadContainers("event_source")), 2)

    def testSharedSession(self):
        """Tests storage files that were copies of one and were added to."""
        base = self.MakeStorageFile("1", [("a", "/1", [10], ())])
        with open(base, "rb") as file_object:
            content = file_object.read()
        paths = []
        for name in "23":
            paths.append(self.GetPath(name))
            with open(paths[-1], "wb") as file_object:
                file_object.write(content)
            store = sqlite_file.SQLiteStorageFile()
            store.Open(path=paths[-1], read_only=False)
            session = sessions.Session()
            session.completion_time = 1
            store.AddAttributeContainer(session)
            report = reports.AnalysisReport(plugin_name=name)
            store.AddAttributeContainer(report)
            store.Close()
        self.Merge(*paths)
        self.assertEqual(len(self.ReadContainers("session")), 3)
        self.assertEqual(len(self.ReadContainers("analysis_report")), 2)
        self.assertEqual(self.ReadCounts("parser_count"), {"plugin": 1, "total": 1})

    def testHostNames(self):
        """Tests that different host names are noted."""
        paths = []
        for name in ("one", "two", "two "):
            container = artifacts.SystemConfigurationArtifact()
            container.hostname = artifacts.HostnameArtifact(name=name.strip())
            paths.append(self.MakeStorageFile(name, containers=[container]))
        self.assertIn("different hosts (one, two)", self.Merge(*paths[:2])[-1])
        self.assertNotIn("host", self.Merge(*paths[1:])[-1])


class RefusalTest(MergeTestCase):
    """Tests for what is refused."""

    def setUp(self):
        """Makes a storage file."""
        super().setUp()
        self.path = self.MakeStorageFile("1", [("a", "/1", [10], ())])

    def MakeChanged(self, *statements):
        """Makes a storage file and changes it.

        Args:
          statements (list[str]): SQL.

        Returns:
          str: path of the storage file.
        """
        path = self.MakeStorageFile("2", [("b", "/1", [10, 20], ("x",))])
        connection = sqlite3.connect(path)
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        connection.close()
        return path

    def testFormat(self):
        """Tests other versions and formats."""
        for key, value, expected in (
            ("format_version", "20230327", "storage format version 20230327"),
            ("format_version", "99991231", "process its source again"),
            ("serialization_format", "xml", "serialization format xml"),
            ("compression_format", "lzma", "compression format lzma"),
        ):
            path = self.MakeChanged(
                f"UPDATE metadata SET value = '{value:s}' WHERE key = '{key:s}'"
            )
            self.CheckRefusal(expected, self.path, path)
            self.CheckRefusal(expected, path, self.path)
            os.remove(path)

    def testUnfinished(self):
        """Tests storage files that a tool did not complete."""
        path = self.MakeStorageFile("2", completion_time=None)
        self.CheckRefusal("has no completion time", self.path, path)

        path = self.GetPath("3")
        store = sqlite_file.SQLiteStorageFile()
        store.Open(path=path, read_only=False)
        store.Close()
        self.CheckRefusal("holds no session", self.path, path)

        path = self.MakeStorageFile("4")
        with open(f"{path:s}-journal", "wb") as file_object:
            file_object.write(b"x")
        self.CheckRefusal("4-journal", self.path, path)

    def testAborted(self):
        """Tests that a session that was aborted is noted."""
        path = self.MakeChanged("UPDATE session SET aborted = 1")
        self.assertIn("was aborted", self.Merge(self.path, path)[-1])

    def testDamaged(self):
        """Tests storage files that do not hold what they name."""
        for statement, expected in (
            ("DELETE FROM event_data WHERE _identifier = 1", "wrote its event_data"),
            ("INSERT INTO event_data VALUES (99, x'00')", "damaged"),
            ("UPDATE sqlite_sequence SET seq = 1 WHERE name = 'event'", "its event "),
            (
                "UPDATE event SET _event_data_identifier = 'event_data.9'",
                "event_data.9",
            ),
            ("UPDATE event SET _event_data_identifier = 'nonsense.1'", "nonsense.1"),
            ("UPDATE event SET _event_data_identifier = NULL", "names nothing"),
            (
                "UPDATE event_data_stream SET _identifier = 2",
                "its event_data_stream was killed",
            ),
            ("DELETE FROM event WHERE _identifier = 1", "names event.1"),
        ):
            path = self.MakeChanged(statement)
            self.CheckRefusal(expected, self.path, path)
            os.remove(path)

        path = self.MakeChanged(
            "UPDATE event_data_stream SET _identifier = 2",
            "UPDATE sqlite_sequence SET seq = 2 WHERE name = 'event_data_stream'",
        )
        self.CheckRefusal("name event data stream 1", self.path, path)

        with open(self.path, "rb") as file_object:
            content = file_object.read()
        path = self.GetPath("3")
        with open(path, "wb") as file_object:
            file_object.write(content[:5000])
        self.CheckRefusal("is damaged", self.path, path)

    def testUnknownType(self):
        """Tests a type of attribute containers that Plaso does not know."""
        statement = "CREATE TABLE from_the_future (_identifier INTEGER PRIMARY KEY)"
        path = self.MakeChanged(statement, "INSERT INTO from_the_future DEFAULT VALUES")
        self.CheckRefusal("from_the_future", self.path, path)

        # Plaso leaves empty tables where it cannot write.
        os.remove(path)
        path = self.MakeChanged(statement)
        for paths in ((self.path, path), (path, self.path)):
            self.Merge(*paths)
            self.assertEqual(len(self.ReadEvents()), 3)

    def testPaths(self):
        """Tests files that are no inputs, or are the output."""
        self.CheckRefusal("does not exist", self.path, self.GetPath("nonsense"))
        self.CheckRefusal("is not a file", self.path, self.temporary_path)
        self.CheckRefusal("the same file", self.path, self.path)

        link = self.GetPath("link")
        os.symlink(self.path, link)
        self.CheckRefusal("the same file", self.path, link)
        os.remove(link)
        os.link(self.path, link)
        self.CheckRefusal("the same file", self.path, link)

        other = self.MakeStorageFile("2")
        for output_path, expected in (
            (link, "is an input"),
            (other, "is an input"),
            (self.MakeStorageFile("3"), "exists"),
            (self.GetPath("no/merged"), "cannot be written"),
        ):
            with self.assertRaises(errors.MergeError) as context:
                merge.Merge([self.path, other], output_path)
            self.assertIn(expected, str(context.exception))

        path = self.GetPath("other.db")
        connection = sqlite3.connect(path)
        connection.execute("CREATE TABLE t (x)")
        connection.close()
        self.CheckRefusal("not a storage file", self.path, path)

        # A trigger would go with the copy, and act on what is added to it.
        path = self.MakeStorageFile("4")
        connection = sqlite3.connect(path)
        connection.execute(
            "CREATE TRIGGER t AFTER INSERT ON metadata BEGIN DELETE FROM metadata; END"
        )
        connection.close()
        self.CheckRefusal("not a storage file", path, self.path)
        self.CheckRefusal("not a storage file", self.path, path)

        path = self.GetPath("text")
        with open(path, "w", encoding="utf-8") as file_object:
            file_object.write("text\n")
        self.CheckRefusal("storage files, or exports", self.path, path)

    def testMissingEvent(self):
        """Tests that an output that lacks an event is no output."""
        path = self.MakeStorageFile("2", [("b", "/1", [20], ())])
        with mock.patch(
            "hermes_plaso.merging.storage_files.StorageFileMerger._MapEventData"
        ):
            self.CheckRefusal("missing in the output", self.path, path)

    def testCommand(self):
        """Tests that the command prints one sentence and no traceback."""
        with mock.patch("sys.stderr", io.StringIO()) as error_output:
            result = cli.Main(
                ["merge", self.path, self.path, "--output", self.output_path]
            )
        self.assertEqual(result, 1)
        self.assertEqual(error_output.getvalue().count("\n"), 1)


class OutputTest(MergeTestCase):
    """Tests for the files that a merge touches."""

    def setUp(self):
        """Makes storage files."""
        super().setUp()
        self.paths = [
            self.MakeStorageFile("1", [("a", "/1", [10], ("x",))]),
            self.MakeStorageFile("2", [("a", "/1", [10], ()), ("b", "/1", [20], ())]),
        ]

    def GetState(self):
        """Determines all there is in the temporary directory.

        Returns:
          dict[str, tuple[str, int]]: hash and modification time per path.
        """
        result = {}
        for directory, _, names in os.walk(self.temporary_path):
            for name in names:
                path = os.path.join(directory, name)
                with open(path, "rb") as file_object:
                    digest = hashlib.sha256(file_object.read()).hexdigest()
                result[path] = (digest, os.stat(path).st_mtime_ns)
        return result

    def testInputs(self):
        """Tests that inputs stay as they are, also those of a log that is ahead."""
        connection = sqlite3.connect(self.paths[1])
        connection.execute("PRAGMA journal_mode=WAL")
        connection.close()
        os.chmod(self.temporary_path, 0o555)
        self.addCleanup(os.chmod, self.temporary_path, 0o755)

        state = self.GetState()
        original = storage_files.StorageFileMerger._AddStorageFile

        def AddStorageFile(merger):
            """Adds a storage file, and looks for what is beside the inputs.

            Args:
              merger (StorageFileMerger): merger.

            Returns:
              tuple[int, int]: what the original method returns.
            """
            result = original(merger)
            self.assertEqual(
                sorted(os.listdir(self.temporary_path)), ["1", "2", "output"]
            )
            return result

        for paths in (self.paths, self.paths[::-1]):
            with mock.patch.object(
                storage_files.StorageFileMerger, "_AddStorageFile", AddStorageFile
            ):
                self.Merge(*paths)
            self.assertEqual(len(self.ReadEvents()), 2)
            os.remove(self.output_path)
            self.assertEqual(self.GetState(), state)

    def testInterruption(self):
        """Tests that an interrupted merge leaves nothing."""
        # A job in the background of a shell has it ignored.
        original = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, original)
        state = self.GetState()
        for signal_number in (signal.SIGINT, signal.SIGTERM):
            handler = signal.getsignal(signal_number)
            for name in ("_AddEventTags", "_GetKey", "_ReadEventDataKeys"):

                def Interrupt(*args, number=signal_number, **kwargs):
                    """Sends a signal.

                    Returns:
                      list[object]: nothing.
                    """
                    os.kill(os.getpid(), number)
                    return []

                with mock.patch(
                    f"hermes_plaso.merging.storage_files.StorageFileMerger.{name:s}",
                    Interrupt,
                ):
                    with mock.patch("sys.stderr", io.StringIO()) as error_output:
                        result = cli.Main(
                            ["merge", *self.paths[::-1], "--output", self.output_path]
                        )
                self.assertEqual(result, 128 + signal_number, name)
                self.assertIn("nothing was written", error_output.getvalue())
                self.assertEqual(self.GetState(), state)
                self.assertEqual(signal.getsignal(signal_number), handler)

    def testFailure(self):
        """Tests that a merge that fails leaves nothing."""
        state = self.GetState()
        for exception in (sqlite3.OperationalError("disk is full"), OSError("x")):
            with mock.patch(
                "hermes_plaso.merging.storage_files.StorageFileMerger._AddEventTags",
                side_effect=exception,
            ):
                with self.assertRaises(errors.MergeError):
                    self.Merge(self.paths[1], self.paths[0])
            self.assertEqual(self.GetState(), state)

    def testOutputAppears(self):
        """Tests that an output that another process wrote meanwhile is kept."""

        def Write(*_):
            """Writes the output."""
            with open(self.output_path, "w", encoding="utf-8") as file_object:
                file_object.write("x")

        with mock.patch(
            "hermes_plaso.merging.storage_files.StorageFileMerger._AddEventTags", Write
        ):
            with self.assertRaises(errors.MergeError):
                self.Merge(self.paths[1], self.paths[0])
        self.assertEqual(os.path.getsize(self.output_path), 1)
        self.assertEqual(
            os.listdir(os.path.dirname(self.output_path)), ["merged.plaso"]
        )

    def testMode(self):
        """Tests that an output can be read by those who can read other new files."""
        self.Merge(*self.paths)
        with open(self.GetPath("3"), "wb"):
            pass
        self.assertEqual(
            os.stat(self.output_path).st_mode, os.stat(self.GetPath("3")).st_mode
        )


if __name__ == "__main__":
    unittest.main()

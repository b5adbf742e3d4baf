"""Tests for the event producer."""

import unittest
from unittest import mock

from hermes_plaso.formats import homes
from hermes_plaso.formats import records
from hermes_plaso.parsers import event_producer


class HermesEventProducerTest(unittest.TestCase):
    """Tests for the event producer."""

    def Produce(self, *produced):
        """Produces records.

        Args:
          produced (list[Record]): records.

        Returns:
          tuple[list[HermesEventData], list[str]]: event data and warnings.
        """
        mediator = mock.Mock(spec=["ProduceEventData", "ProduceWarning"])
        producer = event_producer.HermesEventProducer(
            mediator, homes.LocateDatabase("/home/u/.hermes/state.db")
        )
        for record in produced:
            producer.Produce(record)
        return (
            [call.args[0] for call in mediator.ProduceEventData.call_args_list],
            [call.args[0] for call in mediator.ProduceWarning.call_args_list],
        )

    def testAttributes(self):
        """Tests which attributes event data has, and that others can be asked for."""
        event_data, warnings = self.Produce(
            records.Record(
                "hermes:message:entry",
                {"model": None, "text": "a\ud800", "role": "user"},
            ),
            records.Record("hermes:message:entry", {"text": "b"}, warnings=["w"]),
        )
        self.assertEqual(warnings, ["w"])
        self.assertEqual(
            dict(event_data[0].GetAttributes()),
            {
                "data_type": "hermes:message:entry",
                "profile": "default",
                "role": "user",
                "store": "state",
                "text": "a\\ud800",
                "tier": "primary",
                "username": "u",
            },
        )
        self.assertIsNone(event_data[0].model)
        self.assertIsNone(event_data[1].role)
        self.assertNotEqual(
            event_data[0].GetIdentifier().CopyToString(),
            event_data[1].GetIdentifier().CopyToString(),
        )

    def testLargeValue(self):
        """Tests that of a value that Plaso cannot store the start is kept."""
        with mock.patch.object(event_producer, "_MAXIMUM_VALUE_SIZE", 10):
            (event_data,), warnings = self.Produce(
                records.Record(
                    "hermes:message:entry",
                    {"record_identifier": 7, "text": "x" * 11, "tool_name": "y" * 10},
                )
            )
        self.assertEqual(event_data.text, "x" * 10)
        self.assertEqual(event_data.tool_name, "y" * 10)
        self.assertEqual(
            warnings, ["record 7: of text only the first 10 characters are kept"]
        )


if __name__ == "__main__":
    unittest.main()

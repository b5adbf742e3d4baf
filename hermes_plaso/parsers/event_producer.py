"""The one door out: records become event data and warnings."""

from acstore.containers import interface

from dfdatetime import posix_time as dfdatetime_posix_time

from hermes_plaso import containers
from hermes_plaso.formats import text

# Number of characters of a value that are kept. Hermes writes none of this size. Plaso
# needs many times the size of an event to store it, and writes on after it had not
# enough memory, so that the storage file cannot be read any more.
_MAXIMUM_VALUE_SIZE = 32 * 1024 * 1024


class HermesEventProducer:
    """Produces event data of the records of one Hermes file."""

    def __init__(self, parser_mediator, location, time_zone_hint=None):
        """Initializes an event producer.

        Args:
          parser_mediator (ParserMediator): mediates interactions between parsers and
              other components, such as storage and dfVFS.
          location (Location): what the path of the file says about it.
          time_zone_hint (Optional[str]): name of the time zone of local times in the
              file, None if it is that of the host.
        """
        super().__init__()
        self._base_values = {
            name: text.EscapeSurrogates(value)
            for name, value in (
                ("copy_identifier", location.copy_identifier),
                ("profile", location.profile),
                ("store", location.store),
                ("tier", location.tier),
                ("username", location.username),
            )
            if value
        }
        self._parser_mediator = parser_mediator
        self._prototypes = {}
        self._time_zone_hint = time_zone_hint

    def _CreateDateTime(self, timestamp):
        """Creates a date and time value.

        Args:
          timestamp (Timestamp): point in time.

        Returns:
          dfdatetime.DateTimeValues: date and time value.
        """
        date_time = dfdatetime_posix_time.PosixTimeInMicroseconds(
            timestamp=timestamp.microseconds
        )
        if timestamp.is_local_time:
            date_time.is_local_time = True
            date_time.time_zone_hint = timestamp.time_zone_hint or self._time_zone_hint
        return date_time

    def _Cut(self, record, name, value):
        """Cuts a value that is too large to be stored.

        Args:
          record (Record): record.
          name (str): name of the attribute.
          value (str): value.

        Returns:
          str: start of the value.
        """
        self.ProduceWarning(
            f"record {record.values.get('record_identifier')!s}: of {name:s} only the "
            f"first {_MAXIMUM_VALUE_SIZE:d} characters are kept"
        )
        return value[:_MAXIMUM_VALUE_SIZE]

    def _CreateEventData(self, record):
        """Creates event data of a record.

        Args:
          record (Record): record.

        Returns:
          HermesEventData: event data.
        """
        prototype = self._prototypes.get(record.data_type)
        if not prototype:
            prototype = self._CreatePrototype(record.data_type)
        event_data_class, prototype_values = prototype

        # The attributes are copied all at once: constructors that set one after the
        # other take a quarter of the time of a small record.
        event_data = event_data_class.__new__(event_data_class)
        values = prototype_values.copy()
        event_data.__dict__ = values
        # Every container has an identifier of its own.
        interface.AttributeContainer.__init__(event_data)

        for name, value in record.values.items():
            if isinstance(value, str):
                if len(value) > _MAXIMUM_VALUE_SIZE:
                    value = self._Cut(record, name, value)
                # This is asked of every value: most have nothing to escape.
                if not value.isascii():
                    value = text.EscapeSurrogates(value)
            elif value is None:
                continue
            elif isinstance(value, list):
                value = [text.EscapeSurrogates(element) for element in value]
            values[name] = value

        for name, timestamp in record.times.items():
            if timestamp is not None:
                values[name] = self._CreateDateTime(timestamp)

        return event_data

    def _CreatePrototype(self, data_type):
        """Creates what all event data of a type starts with.

        Args:
          data_type (str): data type.

        Returns:
          tuple[type, dict[str, object]]: class and attribute values.
        """
        event_data_class = containers.EVENT_DATA_CLASSES[data_type]
        values = dict(self._base_values)
        for name, value in event_data_class().__dict__.items():
            # Plaso goes through all attributes of each event data some times, the ones
            # that are not set as well: those are left to the class.
            if value is None and not name.startswith("_"):
                setattr(event_data_class, name, None)
            else:
                values[name] = value
        self._prototypes[data_type] = (event_data_class, values)
        return self._prototypes[data_type]

    def Produce(self, record, recovery_source=None):
        """Produces the event data and the warnings of a record.

        Args:
          record (Record): record.
          recovery_source (Optional[str]): where a record that is not the current
              state was found.
        """
        for warning in record.warnings:
            self.ProduceWarning(warning)

        event_data = self._CreateEventData(record)
        if recovery_source:
            event_data.recovered = True
            event_data.recovery_source = recovery_source
        self._parser_mediator.ProduceEventData(event_data)

    def ProduceWarning(self, message):
        """Produces an extraction warning.

        Args:
          message (str): message of the warning.
        """
        self._parser_mediator.ProduceWarning(text.EscapeSurrogates(message))

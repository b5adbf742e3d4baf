"""The record: what a decoder makes of one Hermes row, line or document."""

UNPARSED = "hermes:unparsed:entry"


class Record:
    """Values of one future event data object, free of Plaso types.

    Attributes:
      data_type (str): data type of the event data, such as "hermes:message:entry".
      times (dict[str, Timestamp]): date and time values per attribute name, where a
          value of None is ignored.
      values (dict[str, object]): attribute values per name, where a value of None is
          ignored.
      warnings (list[str]): what an analyst must be told about the row the record came
          from, each becomes one extraction warning.
    """

    __slots__ = ("data_type", "times", "values", "warnings")

    def __init__(self, data_type, values, times=None, warnings=None):
        """Initializes a record.

        Args:
          data_type (str): data type of the event data.
          values (dict[str, object]): attribute values per name.
          times (Optional[dict[str, Timestamp]]): date and time values per attribute
              name.
          warnings (Optional[list[str]]): extraction warnings.
        """
        self.data_type = data_type
        self.times = times or {}
        self.values = values
        self.warnings = warnings or []

    def __eq__(self, other):
        """Determines if two records say the same.

        Args:
          other (Record): record to compare with.

        Returns:
          bool: True if the data types, values and times are equal.
        """
        return (
            isinstance(other, Record)
            and self.data_type == other.data_type
            and self.times == other.times
            and self.values == other.values
        )

    __hash__ = None

    def IsEmpty(self):
        """Determines if the record says nothing but where it is.

        Returns:
          bool: True if no value was found for it.
        """
        return not self.times and all(
            value is None
            for name, value in self.values.items()
            if name != "record_identifier"
        )

    def __repr__(self):
        """Describes the record, for test failures.

        Returns:
          str: description.
        """
        return f"Record({self.data_type!r}, {self.values!r}, {self.times!r})"


def Unparsed(reason, value, record_identifier, values=None):
    """Creates the record of a value that could not be decoded.

    The wording of the warning is that of the format reference, "Bad-line rows".

    Args:
      reason (str): why the value could not be decoded.
      value (object): the value as stored, where None means it must not be shown.
      record_identifier (int|str): what finds the value again in its file.
      values (Optional[dict[str, object]]): other attribute values, such as the
          session identifier.

    Returns:
      Record: hermes:unparsed:entry record, which carries its own warning.
    """
    values = dict(values or {})
    values["reason"] = f"unparseable record {record_identifier!s} ({reason:s})"
    values["record_identifier"] = record_identifier
    values["value"] = value

    warning = values["reason"]
    if value is not None:
        warning = f"{warning:s}: {Shorten(str(value)):s}"
    return Record(UNPARSED, values, warnings=[warning])


def Shorten(text, size=512):
    """Shortens text for a warning: the whole of it is in the event.

    Args:
      text (str): text.
      size (Optional[int]): maximum number of characters.

    Returns:
      str: the text, with an ellipsis where it was cut.
    """
    if len(text) <= size:
        return text
    return f"{text[:size]:s}..."

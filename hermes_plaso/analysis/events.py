"""What analysis plugins ask of an event."""

from plaso.lib import definitions

_DATA_TYPE_PREFIX = "hermes:"


def IsHermes(event_data):
    """Determines if an event is one of ours.

    Args:
      event_data (EventData): event data.

    Returns:
      bool: True if it is.
    """
    return event_data.data_type.startswith(_DATA_TYPE_PREFIX)


def GetTime(event):
    """Determines the time of an event.

    Args:
      event (EventObject): event.

    Returns:
      int: microseconds since 1970, UTC, or None for a place-holder event.
    """
    if event.timestamp_desc == definitions.TIME_DESCRIPTION_NOT_A_TIME:
        return None
    return event.timestamp


def GetRoot(event_data_stream):
    """Determines which image, volume or archive an event comes from.

    Args:
      event_data_stream (EventDataStream): event data stream or None.

    Returns:
      str: location of what the file is in, empty for a file of a directory.
    """
    path_spec = getattr(event_data_stream, "path_spec", None)
    if path_spec is None or not path_spec.parent:
        return ""
    while path_spec.parent:
        path_spec = path_spec.parent
    return getattr(path_spec, "location", None) or ""

"""What the analysis plugins share: which events they take, and the twins of these."""

import abc

from plaso.analysis import interface
from plaso.lib import definitions

from hermes_plaso import containers
from hermes_plaso.formats import twins


def _GetRoot(event_data_stream):
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


class HermesAnalysisPlugin(interface.AnalysisPlugin):
    """Analysis plugin that asks which records repeat a record of a better store."""

    def __init__(self):
        """Initializes the analysis plugin."""
        super().__init__()
        # Created where it is used: a plugin is sent to another process.
        self._twin_finder = None

    def ExamineEvent(self, analysis_mediator, event, event_data, event_data_stream):
        """Remembers an event of Hermes.

        Args:
          analysis_mediator (AnalysisMediator): mediates interactions between analysis
              plugins and other components, such as storage and dfVFS.
          event (EventObject): event.
          event_data (EventData): event data.
          event_data_stream (EventDataStream): event data stream.
        """
        if not event_data.data_type.startswith(containers.DATA_TYPE_PREFIX):
            return
        if self._twin_finder is None:
            self._twin_finder = twins.TwinFinder()
        time = event.timestamp
        if event.timestamp_desc == definitions.TIME_DESCRIPTION_NOT_A_TIME:
            time = None
        self._ExamineHermesEvent(event, event_data, time)
        self._twin_finder.Add(
            event_data,
            time,
            event.timestamp_desc,
            event.GetIdentifier().sequence_number,
            root=_GetRoot(event_data_stream),
        )

    @abc.abstractmethod
    def _ExamineHermesEvent(self, event, event_data, time):
        """Remembers what else the plugin needs of an event.

        Args:
          event (EventObject): event.
          event_data (HermesEventData): event data.
          time (int): time of the event in microseconds since 1970, UTC, or None for a
              place-holder event.
        """

    def _FindTwins(self):
        """Finds the twins of the events, and forgets the events.

        Yields:
          tuple[int, bool, str]: number of an event, True if a better store holds the
              record, and the store the record came from.
        """
        if self._twin_finder is not None:
            yield from self._twin_finder.FindTwins()
            self._twin_finder.Close()
            self._twin_finder = None

    def _CompileTextReport(self, analysis_mediator, text):
        """Compiles a report.

        Args:
          analysis_mediator (AnalysisMediator): mediates interactions between analysis
              plugins and other components, such as storage and dfVFS.
          text (str): text of the report.

        Returns:
          AnalysisReport: report.
        """
        analysis_report = super().CompileReport(analysis_mediator)
        # pinfo shows a counter in place of the text, or ends with an exception.
        analysis_report.analysis_counter = None
        analysis_report.text = text
        return analysis_report

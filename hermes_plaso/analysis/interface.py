"""What the analysis plugins share: which events they take, and the twins of these."""

import abc
import functools
from typing import NamedTuple

from plaso.analysis import interface
from plaso.lib import definitions

from hermes_plaso import containers
from hermes_plaso.formats import homes
from hermes_plaso.formats import stores
from hermes_plaso.formats import text
from hermes_plaso.formats import twins
from hermes_plaso.parsers import paths


class Home(NamedTuple):
    """Home of Hermes that an event is of, or a profile of one.

    Attributes:
      root (str): location of the image, volume or archive that the home is in, empty
          for a directory.
      path (str): path of the home.
      profile (str): name of the profile.
    """

    root: str
    path: str
    profile: str


_NO_HOME = Home("", "", "")


# Events come in the order of their times, those of a file between those of others.
@functools.lru_cache(maxsize=1024)
def _GetHome(path_spec):
    """Determines the home that a file is in.

    Args:
      path_spec (dfvfs.PathSpec): path specification of the file.

    Returns:
      Home: home.
    """
    evidence_path = paths.GetEvidencePath(path_spec)
    location = stores.LocateFile(evidence_path) or homes.LocateDatabase(evidence_path)
    root = ""
    if path_spec.parent:
        while path_spec.parent:
            path_spec = path_spec.parent
        root = getattr(path_spec, "location", None) or ""
    return Home(
        *map(
            text.EscapeSurrogates,
            (root, location.home.strip("/"), location.profile or "default"),
        )
    )


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
        path_spec = getattr(event_data_stream, "path_spec", None)
        home = _GetHome(path_spec) if path_spec else _NO_HOME
        self._ExamineHermesEvent(event, event_data, time, home)
        self._twin_finder.Add(
            event_data,
            time,
            event.timestamp_desc,
            event.GetIdentifier().sequence_number,
            root=home.root,
            home="\x00".join(home),
        )

    @abc.abstractmethod
    def _ExamineHermesEvent(self, event, event_data, time, home):
        """Remembers what else the plugin needs of an event.

        Args:
          event (EventObject): event.
          event_data (HermesEventData): event data.
          time (int): time of the event in microseconds since 1970, UTC, or None for a
              place-holder event.
          home (Home): home that the event is of.
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

    def _CompileTextReport(self, analysis_mediator, report_text):
        """Compiles a report.

        Args:
          analysis_mediator (AnalysisMediator): mediates interactions between analysis
              plugins and other components, such as storage and dfVFS.
          report_text (str): text of the report.

        Returns:
          AnalysisReport: report.
        """
        analysis_report = super().CompileReport(analysis_mediator)
        # pinfo shows a counter in place of the text, or ends with an exception.
        analysis_report.analysis_counter = None
        analysis_report.text = report_text
        return analysis_report

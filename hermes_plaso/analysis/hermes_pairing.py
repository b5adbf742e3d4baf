"""Analysis plugin that pairs records of secondary stores with those of better ones."""

import collections

from acstore.containers import interface as containers_interface

from plaso.analysis import definitions
from plaso.analysis import manager
from plaso.containers import events as events_containers

from hermes_plaso.analysis import interface

DUPLICATE_LABEL = "hermes_duplicate"
ONLY_COPY_LABEL = "hermes_only_copy"


class HermesPairingAnalysisPlugin(interface.HermesAnalysisPlugin):
    """Tags what copies and other stores of Hermes Agent repeat, or alone hold."""

    NAME = "hermes_pairing"

    def __init__(self):
        """Initializes the analysis plugin."""
        super().__init__()
        self.plugin_type = definitions.PLUGIN_TYPE_ANNOTATION
        self._event_container_type = None

    def _ExamineHermesEvent(self, event, event_data, time, home):
        """Remembers how events are identified.

        Args:
          event (EventObject): event.
          event_data (HermesEventData): event data.
          time (int): time of the event in microseconds since 1970, UTC, or None for a
              place-holder event.
          home (Home): home that the event is of.
        """
        self._event_container_type = event.GetIdentifier().name

    def CompileReport(self, analysis_mediator):
        """Tags the events and compiles a report of how many of each store there are.

        Args:
          analysis_mediator (AnalysisMediator): mediates interactions between analysis
              plugins and other components, such as storage and dfVFS.

        Returns:
          AnalysisReport: report.
        """
        counter = collections.Counter()
        for number, has_twin, store in self._FindTwins():
            label = DUPLICATE_LABEL if has_twin else ONLY_COPY_LABEL
            counter[store, label] += 1
            event_tag = events_containers.EventTag()
            event_tag.SetEventIdentifier(
                containers_interface.AttributeContainerIdentifier(
                    name=self._event_container_type, sequence_number=number
                )
            )
            event_tag.AddLabel(label)
            analysis_mediator.ProduceEventTag(event_tag)
        return self._CompileTextReport(analysis_mediator, _FormatText(counter))


def _FormatText(counter):
    """Formats the text of the report.

    Args:
      counter (collections.Counter): number of events per store and label.

    Returns:
      str: text.
    """
    if not counter:
        return "No events of copies or other records of Hermes Agent turns."
    parts = []
    for store in sorted({store for store, _ in counter}):
        duplicates = counter[store, DUPLICATE_LABEL]
        only_copies = counter[store, ONLY_COPY_LABEL]
        parts.append(
            f"{store:s} {duplicates:d} {DUPLICATE_LABEL:s}, "
            f"{only_copies:d} {ONLY_COPY_LABEL:s}"
        )
    return f"Events of Hermes Agent per store: {'; '.join(parts):s}."


manager.AnalysisPluginManager.RegisterPlugin(HermesPairingAnalysisPlugin)

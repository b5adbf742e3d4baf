"""Formatter helpers, without which messages are still whole but read less well."""

from plaso.formatters import interface
from plaso.formatters import manager


class HermesLineBreaksFormatterHelper(interface.CustomEventFormatterHelper):
    """Shows line breaks as spaces, where Plaso would join the words around them."""

    IDENTIFIER = "hermes_line_breaks"

    def FormatEventValues(self, output_mediator, event_values):
        """Formats event values using the helper.

        Args:
          output_mediator (OutputMediator): output mediator.
          event_values (dict[str, object]): event values.
        """
        for name, value in event_values.items():
            if isinstance(value, str) and ("\n" in value or "\r" in value):
                event_values[name] = (
                    value.replace("\r\n", " ").replace("\n", " ").replace("\r", " ")
                )


manager.FormattersManager.RegisterEventFormatterHelper(HermesLineBreaksFormatterHelper)

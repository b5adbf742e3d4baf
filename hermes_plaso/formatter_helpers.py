"""Formatter helpers, without which messages are still whole but read less well."""

import re

from plaso.formatters import interface
from plaso.formatters import manager

_LINE_BREAK_RE = re.compile("\r\n|[\n\r]")

# What acts on the terminal that shows a timeline, or reorders what it shows: control
# characters, line and paragraph separators, and the embeddings, overrides and isolates
# of bidirectional text.
_CONTROL_RE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]"
)


# Number of characters of a value that a message shows. The output modules that give the
# attributes have all of it, and a message is written several times over.
_MAXIMUM_SIZE = 1024 * 1024


def _Escape(match):
    """Escapes a character.

    Args:
      match (re.Match): match of the character.

    Returns:
      str: escape sequence, such as \\x1b or \\u202e.
    """
    code = ord(match.group())
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"


class HermesPlainTextFormatterHelper(interface.CustomEventFormatterHelper):
    """Shows text in one line that does nothing to a terminal.

    Line breaks are spaces, where Plaso would join the words around them. Of values that
    nobody reads to their end the start is shown.
    """

    IDENTIFIER = "hermes_plain_text"

    def FormatEventValues(self, output_mediator, event_values):
        """Formats event values using the helper.

        Args:
          output_mediator (OutputMediator): output mediator.
          event_values (dict[str, object]): event values.
        """
        for name, value in event_values.items():
            if not isinstance(value, str):
                continue
            size = len(value)
            if size > _MAXIMUM_SIZE:
                value = value[:_MAXIMUM_SIZE]
            if not value.isprintable():
                value = _LINE_BREAK_RE.sub(" ", value)
                value = _CONTROL_RE.sub(_Escape, value)
            if size > _MAXIMUM_SIZE:
                value = f"{value:s}... [{size - _MAXIMUM_SIZE:d} more characters]"
            event_values[name] = value


manager.FormattersManager.RegisterEventFormatterHelper(HermesPlainTextFormatterHelper)

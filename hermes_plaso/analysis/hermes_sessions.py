"""Analysis plugin that reports the sessions."""

import json

from plaso.analysis import manager

from hermes_plaso.analysis import interface
from hermes_plaso.analysis import session_facts
from hermes_plaso.formats import twins

# The text of a report is a paragraph in one piece: the file has all sessions.
_MAXIMUM_SESSIONS_OF_TEXT = 1000


class HermesSessionsAnalysisPlugin(interface.HermesAnalysisPlugin):
    """Reports the sessions of Hermes Agent: who, what, when and what remains."""

    NAME = "hermes_sessions"

    def __init__(self):
        """Initializes the analysis plugin."""
        super().__init__()
        self._path = None
        # Created where they are used: a plugin is sent to another process.
        self._session_facts = None

    def SetPath(self, path):
        """Sets where the sessions are written.

        Args:
          path (str): path of a JSON file, which must not exist.
        """
        self._path = path

    def _ExamineHermesEvent(self, event, event_data, time, home):
        """Remembers what an event says of its session.

        Args:
          event (EventObject): event.
          event_data (HermesEventData): event data.
          time (int): time of the event in microseconds since 1970, UTC, or None for a
              place-holder event.
          home (Home): home that the event is of.
        """
        if self._session_facts is None:
            self._session_facts = session_facts.SessionFacts()
        self._session_facts.Add(
            event_data,
            time,
            event.timestamp_desc,
            event.GetIdentifier().sequence_number,
            twins.GetOrder(event_data),
            home,
        )

    def CompileReport(self, analysis_mediator):
        """Compiles a report of the sessions.

        Args:
          analysis_mediator (AnalysisMediator): mediates interactions between analysis
              plugins and other components, such as storage and dfVFS.

        Returns:
          AnalysisReport: report.
        """
        sessions = iter(())
        without_session = {}
        if self._session_facts is not None:
            self._session_facts.SetTwins(self._FindTwins())
            sessions = self._session_facts.GetSessions()
            without_session = self._session_facts.GetNumberOfEventsWithoutSession()

        text = _Text()
        if self._path:
            try:
                with open(self._path, "x", encoding="utf-8") as file_object:
                    _WriteSessions(file_object, text.Pass(sessions), without_session)
            except OSError as exception:
                analysis_mediator.ProduceAnalysisWarning(
                    f"unable to write sessions file: {exception!s}", self.NAME
                )
        for _ in text.Pass(sessions):
            pass
        if self._session_facts is not None:
            self._session_facts.Close()

        return self._CompileTextReport(analysis_mediator, text.GetText())


def _WriteSessions(file_object, sessions, without_session):
    """Writes sessions as JSON, one to a line.

    Args:
      file_object (file): text file.
      sessions (iterator[dict[str, object]]): summaries of sessions.
      without_session (dict[str, int]): number of events per store that name no session.
    """
    file_object.write('{"sessions": [')
    separator = "\n"
    for session in sessions:
        file_object.write(separator)
        file_object.write(json.dumps(session))
        separator = ",\n"
    file_object.write('\n], "events_without_session": ')
    file_object.write(json.dumps(without_session))
    file_object.write("}\n")


def _FormatNumber(number, singular, plural=None):
    """Formats a number of something.

    Args:
      number (int): number.
      singular (str): what there is one of.
      plural (Optional[str]): what there are more of, with an s if not set.

    Returns:
      str: number and what it is of, None if there are none.
    """
    if not number:
        return None
    return f"{number:d} {singular if number == 1 else plural or singular + 's':s}"


def _FormatSession(session):
    """Formats a session for the text of the report.

    Args:
      session (dict[str, object]): summary.

    Returns:
      str: sentence.
    """
    get = session.get
    parts = [get("session_source")]
    person = get("user_name") or get("user_identifier") or get("username")
    if person:
        parts.append(f"of {person:s}")
    if get("title"):
        parts.append(f'"{get("title"):s}"')
    if get("project_path"):
        parts.append(f"in {get('project_path'):s}")
    parts.append(get("model"))
    if get("start_time"):
        parts.append(f"from {get('start_time'):s}")
    if get("end_time"):
        parts.append(f"to {get('end_time'):s}")
    parts.append(get("end_reason"))

    turns = get("turns", {})
    parts.append(_FormatNumber(turns.get("user"), "user turn"))
    parts.append(_FormatNumber(turns.get("assistant"), "answer"))
    message_count = get("message_count")
    messages_read = get("messages_read", 0)
    if isinstance(message_count, int) and messages_read < message_count:
        parts.append(
            f"{messages_read:d} of {message_count:d} messages in the live store"
        )
    tools = get("tools", {})
    if tools:
        calls = _FormatNumber(sum(tools.values()), "tool call")
        names = ", ".join(f"{name:s} {count:d}" for name, count in tools.items())
        parts.append(f"{calls:s} ({names:s})")
    for outcome in ("approved", "blocked", "pending"):
        number = sum(
            decision["count"]
            for decision in get("decisions", ())
            if decision.get("outcome") == outcome
        )
        if number:
            parts.append(f"{number:d} {outcome:s}")
    parts.append(_FormatNumber(len(get("files", ())), "path"))
    parts.append(_FormatNumber(len(get("urls", ())), "URL"))
    parts.append(_FormatNumber(len(get("children", ())), "child", "children"))
    if get("parent_session_identifier"):
        relation = get("parent_relation") or "child"
        parts.append(f"{relation:s} of {get('parent_session_identifier'):s}")
    tokens = (get("input_tokens") or 0) + (get("output_tokens") or 0)
    parts.append(_FormatNumber(tokens, "token"))
    cost = get("actual_cost_usd") or get("estimated_cost_usd")
    if cost:
        parts.append(f"{cost:.4f} USD")
    for deletion in get("deletions", ()):
        parts.append(f"deleted {deletion['time'] or 'at an unknown time':s}")
    only_copies = sum(store["only_copies"] for store in get("stores", ()))
    if not get("in_live_store"):
        parts.append("not in the live store")
    if only_copies:
        parts.append(f"{_FormatNumber(only_copies, 'event'):s} only copies hold")
    parts = ", ".join(part for part in parts if part)
    return f"{session['session_identifier']:s}: {parts:s}."


class _Text:
    """Text of the report, made of sessions that pass by."""

    def __init__(self):
        """Initializes a text."""
        super().__init__()
        self._number_of_live_sessions = 0
        self._number_of_sessions = 0
        self._sentences = []

    def Pass(self, sessions):
        """Takes what the text says from sessions, which go on.

        Args:
          sessions (iterator[dict[str, object]]): summaries of sessions.

        Yields:
          dict[str, object]: summary of a session.
        """
        for session in sessions:
            self._number_of_sessions += 1
            if session["in_live_store"]:
                self._number_of_live_sessions += 1
            if self._number_of_sessions <= _MAXIMUM_SESSIONS_OF_TEXT:
                self._sentences.append(_FormatSession(session))
            yield session

    def GetText(self):
        """Retrieves the text.

        Returns:
          str: text.
        """
        number_left_out = self._number_of_sessions - len(self._sentences)
        sentences = [
            f"{_FormatNumber(self._number_of_sessions, 'session') or 'No sessions':s}, "
            f"{self._number_of_live_sessions:d} in a live store."
        ]
        sentences.extend(self._sentences)
        if number_left_out:
            sentences.append(
                f"{number_left_out:d} more sessions are in the file of "
                f"--hermes-sessions-file only."
            )
        return " ".join(sentences)


manager.AnalysisPluginManager.RegisterPlugin(HermesSessionsAnalysisPlugin)

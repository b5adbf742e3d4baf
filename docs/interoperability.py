"""Compares what is read of databases of real versions of Hermes with their own export.

Usage: python docs/interoperability.py [VERSION ...]

Installs each version of hermes-agent from PyPI in a virtual environment of its own, has
its own code write sessions and export them, reads the database with log2timeline, and
compares each session and message of the export with the events.
"""

import json
import os
import subprocess
import sys
import tempfile
import venv

_VERSIONS = ("0.13.0", "0.14.0", "0.16.0", "0.18.2", "0.19.0")

# Run by the Python of a version. What a version does not know is left out.
_WRITER = r"""
import inspect
import json
import pathlib
import sys

import hermes_state


def Call(name, *args, **kwargs):
    method = getattr(database, name, None)
    if method is None:
        return None
    parameters = inspect.signature(method).parameters
    if not any(value.kind == value.VAR_KEYWORD for value in parameters.values()):
        kwargs = {key: value for key, value in kwargs.items() if key in parameters}
    return method(*args, **kwargs)


database = hermes_state.SessionDB(db_path=pathlib.Path(sys.argv[1]))
for number in range(3):
    identifier = f"20261029_09301{number}_5c7e19a{number}"
    Call(
        "create_session",
        identifier,
        ("cli", "telegram", "cron")[number],
        model="openai/gpt-5.1",
        user_id="1000",
    )
    Call("append_message", identifier, role="user", content=f"Q{number} \U0001f98a")
    Call(
        "append_message",
        identifier,
        role="assistant",
        content="",
        reasoning="I need the number of lines.",
        tool_calls=[
            {
                "id": f"call_{number}",
                "type": "function",
                "function": {
                    "name": "terminal",
                    "arguments": json.dumps({"command": f"wc -l {number}.txt"}),
                },
            }
        ],
    )
    Call(
        "append_message",
        identifier,
        role="tool",
        content=json.dumps({"output": "212", "exit_code": 0, "error": None}),
        tool_name="terminal",
        tool_call_id=f"call_{number}",
    )
    Call(
        "append_message",
        identifier,
        role="assistant",
        content="212 lines\n\n- one\n- two",
        finish_reason="stop",
        token_count=7,
    )
    Call(
        "append_message",
        identifier,
        role="user",
        content=[
            {"type": "text", "text": "part one"},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}},
        ],
    )
    Call("set_session_title", identifier, f"Lines {number}")
    Call(
        "update_token_counts",
        identifier,
        input_tokens=100,
        output_tokens=20,
        model="openai/gpt-5.1",
    )
Call("end_session", "20261029_093010_5c7e19a0", "cli_close")
Call("set_session_archived", "20261029_093011_5c7e19a1", True)
Call(
    "create_session",
    "20261029_093019_5c7e19a9",
    "cli",
    parent_session_id="20261029_093010_5c7e19a0",
)
export = database.export_all()
database.close()
print(json.dumps({"export": export, "schema": hermes_state.SCHEMA_VERSION}))
"""

_TURN_TYPES = {"assistant": "assistant", "tool": "tool_result", "user": "user"}


def _Run(*arguments, **kwargs):
    """Runs a program.

    Args:
      arguments (list[str]): program and its arguments.

    Returns:
      str: what it printed.
    """
    result = subprocess.run(
        arguments, check=False, capture_output=True, text=True, **kwargs
    )
    if result.returncode:
        sys.stderr.write(result.stderr)
        raise SystemExit(f"failed: {arguments[0]:s}")
    return result.stdout


def _ReadEvents(home, directory):
    """Reads a home with the stock tools.

    Args:
      home (str): path of the home.
      directory (str): path of a directory for what they write.

    Returns:
      list[dict[str, object]]: events.
    """
    storage_file = os.path.join(directory, "events.plaso")
    output = os.path.join(directory, "events.json")
    bin_path = os.path.dirname(sys.executable)
    common = ("--quiet", "--unattended", "--status-view", "none", "--logfile")
    log = os.path.join(directory, "log.gz")
    _Run(
        *(os.path.join(bin_path, "log2timeline"), *common, log),
        *("--parsers", "hermes", "--storage-file", storage_file, home),
    )
    _Run(
        *(os.path.join(bin_path, "psort"), *common, log),
        *("-o", "json_line", "-w", output, storage_file),
    )
    with open(output, encoding="utf-8") as file_object:
        return [json.loads(line) for line in file_object]


def _GetText(content):
    """Determines the text of the content of an exported message.

    Args:
      content (object): content.

    Returns:
      str: text.
    """
    if isinstance(content, list):
        return "\n".join(
            part["text"] if part["type"] == "text" else "[image]" for part in content
        )
    return content or ""


def _Compare(export, events):
    """Compares an export with events.

    Args:
      export (list[dict[str, object]]): exported sessions.
      events (list[dict[str, object]]): events.

    Yields:
      str: differences.
    """
    by_session = {}
    by_message = {}
    for event in events:
        if event["data_type"] == "hermes:session:entry":
            by_session.setdefault(event["session_identifier"], []).append(event)
        elif event["data_type"].startswith("hermes:message:"):
            by_message.setdefault(event["record_identifier"], []).append(event)
        elif event["data_type"] == "hermes:unparsed:entry":
            yield f"unparsed: {event['message']:s}"

    sessions = {session["id"]: session for session in export}
    if set(sessions) != set(by_session):
        yield f"sessions {sorted(sessions)!r} are {sorted(by_session)!r}"
    identifiers = set()
    for identifier, session in sessions.items():
        for event in by_session.get(identifier, ()):
            for name, column in (
                ("session_source", "source"),
                ("title", "title"),
                ("end_reason", "end_reason"),
                ("parent_session_identifier", "parent_session_id"),
                ("input_tokens", "input_tokens"),
            ):
                if event.get(name) != session.get(column):
                    yield f"{identifier:s} {name:s}: {event.get(name)!r}"
            times = {"Start Time": "started_at", "End Time": "ended_at"}
            column = times.get(event["timestamp_desc"])
            if column and abs(event["timestamp"] - session[column] * 1000000) > 1:
                yield f"{identifier:s} {column:s}: {event['timestamp']!r}"

        for message in session["messages"]:
            identifiers.add(message["id"])
            yield from _CompareMessage(message, by_message.get(message["id"], []))
    if identifiers != set(by_message):
        yield f"messages {identifiers ^ set(by_message)!r}"


def _CompareMessage(message, events):
    """Compares an exported message with its events.

    Args:
      message (dict[str, object]): message.
      events (list[dict[str, object]]): events.

    Yields:
      str: differences.
    """
    calls = message.get("tool_calls") or []
    text = _GetText(message["content"])
    expected = []
    if text or not calls:
        expected.append(("hermes:message:entry", _TURN_TYPES[message["role"]], text))
    if message.get("reasoning"):
        expected.append(("hermes:message:reasoning", "thinking", message["reasoning"]))
    for call in calls:
        arguments = json.loads(call["function"]["arguments"])
        expected.append(("hermes:message:tool_call", "tool_use", arguments["command"]))
    found = [
        (event["data_type"], event["turn_type"], event.get("text") or "")
        for event in events
    ]
    if sorted(found) != sorted(expected):
        yield f"message {message['id']!r}: {found!r}, not {expected!r}"
    for event in events:
        if abs(event["timestamp"] - message["timestamp"] * 1000000) > 1:
            yield f"message {message['id']!r}: time {event['timestamp']!r}"


def Main():
    """Compares versions.

    Returns:
      int: exit code, 1 if anything differs.
    """
    exit_code = 0
    for version in sys.argv[1:] or _VERSIONS:
        with tempfile.TemporaryDirectory() as directory:
            environment_path = os.path.join(directory, "environment")
            venv.create(environment_path, with_pip=True)
            python = os.path.join(environment_path, "bin", "python")
            # The storage of sessions needs none of the other packages.
            _Run(
                *(python, "-m", "pip", "install", "--quiet", "--no-deps"),
                f"hermes-agent=={version:s}",
            )
            home = os.path.join(directory, "home", "casey", ".hermes")
            os.makedirs(home)
            output = _Run(
                *(python, "-c", _WRITER, os.path.join(home, "state.db")),
                cwd=directory,
                env={**os.environ, "HERMES_HOME": home},
            )
            written = json.loads(output.strip().rsplit("\n", maxsplit=1)[-1])
            events = _ReadEvents(home, directory)
            differences = list(_Compare(written["export"], events))
            number_of_messages = sum(
                len(session["messages"]) for session in written["export"]
            )
            print(
                f"hermes-agent {version:s}, schema {written['schema']!s}: "
                f"{len(written['export']):d} sessions and {number_of_messages:d} "
                f"messages exported, {len(differences):d} differences"
            )
            for difference in differences:
                exit_code = 1
                print(f"  {difference:s}")
    return exit_code


if __name__ == "__main__":
    sys.exit(Main())

"""Shared functionality of the benchmarks."""

import os
import resource
import sqlite3
import subprocess
import sys

_SCHEMA = """
CREATE TABLE schema_version (version INTEGER NOT NULL);
CREATE TABLE sessions (
    id TEXT PRIMARY KEY, source TEXT NOT NULL, user_id TEXT, model TEXT,
    parent_session_id TEXT, started_at REAL NOT NULL, ended_at REAL, end_reason TEXT,
    message_count INTEGER DEFAULT 0, title TEXT, cwd TEXT);
CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL,
    content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT,
    timestamp REAL NOT NULL, token_count INTEGER, finish_reason TEXT, reasoning TEXT,
    active INTEGER DEFAULT 1, compacted INTEGER DEFAULT 0, message_uid TEXT);
CREATE INDEX idx_messages_session ON messages (session_id, timestamp);
CREATE TABLE state_meta (key TEXT PRIMARY KEY, value TEXT);
INSERT INTO schema_version VALUES (32);
"""

_MESSAGES_PER_SESSION = 200
_START_TIME = 1790000000.0


def CreateStateDatabase(path, number_of_messages):
    """Creates a state database with the sessions that a number of messages need.

    Args:
      path (str): path of the database.
      number_of_messages (int): number of messages.

    Returns:
      sqlite3.Connection: connection, which the caller closes.
    """
    connection = sqlite3.connect(path)
    connection.executescript(_SCHEMA)
    connection.executemany(
        "INSERT INTO sessions (id, source, model, started_at, title, cwd) "
        "VALUES (?, 'cli', 'model', ?, ?, '/work')",
        (
            (f"session-{number:06d}", _START_TIME + number * 1000, f"Title {number:d}")
            for number in range(number_of_messages // _MESSAGES_PER_SESSION + 1)
        ),
    )
    return connection


def GetPlace(number):
    """Determines where a message is.

    Args:
      number (int): number of the message.

    Returns:
      tuple[str, float]: session identifier and time in seconds since the epoch.
    """
    session_identifier = f"session-{number // _MESSAGES_PER_SESSION:06d}"
    return session_identifier, _START_TIME + number * 5


def GetToolPath(name):
    """Determines the path of a stock tool.

    Args:
      name (str): name of the tool.

    Returns:
      str: path.
    """
    return os.path.join(os.path.dirname(sys.executable), name)


def GetToolArguments(directory):
    """Determines the arguments with which a stock tool says nothing.

    Args:
      directory (str): path of the directory of its log file.

    Returns:
      list[str]: arguments.
    """
    return [
        "--quiet",
        "--unattended",
        "--status-view",
        "none",
        "--logfile",
        os.path.join(directory, "log.gz"),
    ]


def RemoveFile(path):
    """Removes a file that an earlier run left.

    Args:
      path (str): path of the file.
    """
    if os.path.exists(path):
        os.remove(path)


def MeasureProcessorTime(arguments, environment):
    """Runs a program and measures the processor time of all its processes.

    Other load changes it less than the time that passes.

    Args:
      arguments (list[str]): program and its arguments.
      environment (dict[str, str]): additional environment variables.

    Returns:
      tuple[float, str]: seconds and what the program printed.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run(
        arguments,
        capture_output=True,
        check=True,
        env={**os.environ, **environment},
        text=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    elapsed = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return elapsed, result.stdout

#!/usr/bin/env python3
"""Makes the test data: Hermes homes as files and inside storage media images.

Usage: make_test_data.py [--images] [OUTPUT_DIRECTORY]

Everything here is invented; the tables are those of the Hermes format reference. Run
again, the script makes files of the same content. The images need mke2fs (e2fsprogs)
and qemu-img (qemu-utils), and are committed, so that the tests need neither.
"""

import argparse
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import tempfile

# 2026-10-29T09:30:15Z
BASE_TIME = 1793266215.0

# A session that only a snapshot still has.
DELETED_SESSION = "20261020_081200_77aa01fe"

# Files of an image for collection. What the Hermes Agent recorded, without credentials,
COLLECTED_FILES = (
    "home/casey/.config/Hermes/window-state.json",
    "home/casey/.hermes-channel-build-canary/state.db",
    "home/casey/.hermes/.hermes_history",
    "home/casey/.hermes/cache/delegation/live/d1/task-0.log",
    "home/casey/.hermes/cron/jobs.json",
    "home/casey/.hermes/cron/output/j1/2026-10-29_09-30-16.md",
    "home/casey/.hermes/gateway_state.json",
    "home/casey/.hermes/logs/agent.log",
    "home/casey/.hermes/logs/errors.log.1",
    "home/casey/.hermes/pastes/pending.json",
    "home/casey/.hermes/profiles/work/.hermes_history",
    "home/casey/.hermes/profiles/work/state.db",
    "home/casey/.hermes/response_store.db",
    "home/casey/.hermes/sessions/20261028_201500_b41c0de7.jsonl",
    "home/casey/.hermes/sessions/session_20261028_201500_b41c0de7.json",
    "home/casey/.hermes/state-snapshots/20261029-100000/manifest.json",
    "home/casey/.hermes/state-snapshots/20261029-100000/state.db",
    "home/casey/.hermes/state.db",
    "home/casey/.hermes/state.db-wal",
    "home/casey/.hermes/state.db.malformed-backup-20261029-100000",
    "home/casey/.hermes/state.db.pre-update-emergency-2026-10-29T10-00-00-000000Z-1.bak",
    "home/casey/.hermes/state.db.retired-wal-20261029-100000-1/state.db",
    "home/casey/.hermes/state.db.retired-wal-20261029-100000-1/state.db-wal",
    "home/casey/.local/share/containers/storage/volumes/hermes-data/_data/state.db",
    "home/casey/work/site/trajectory_samples.jsonl",
    "root/.hermes/state.db",
    "var/lib/containers/storage/volumes/hermes-data/_data/state.db",
    "var/lib/docker/overlay2/0a1b/diff/opt/data/state.db",
    "var/lib/docker/volumes/hermes-data/_data/profiles/work/state.db",
    "var/lib/docker/volumes/hermes-data/_data/state.db",
)
# files that hold credentials, and are collected when they are asked for,
CREDENTIAL_FILES = (
    "etc/hermes/config.yaml",
    "home/casey/.config/Hermes/connection.json",
    "home/casey/.config/Hermes/connections.json",
    "home/casey/.config/Hermes/connections.json.corrupt-1",
    "home/casey/.hermes/.anthropic_oauth.json",
    "home/casey/.hermes/.env",
    "home/casey/.hermes/.env.bak1",
    "home/casey/.hermes/.ssh/id_ed25519",
    "home/casey/.hermes/auth.json",
    "home/casey/.hermes/auth/google_oauth.json",
    "home/casey/.hermes/backups/config/config.yaml.good.1",
    "home/casey/.hermes/backups/hermes-backup-20261029.zip",
    "home/casey/.hermes/browser-profile/Cookies",
    "home/casey/.hermes/config.yaml",
    "home/casey/.hermes/config.yaml.bak-20261029",
    "home/casey/.hermes/google_token.json",
    "home/casey/.hermes/hermes-agent/.env",
    "home/casey/.hermes/home/.config/gh/hosts.yml",
    "home/casey/.hermes/mcp-tokens/t.json",
    "home/casey/.hermes/pairing/discord-approved.json",
    "home/casey/.hermes/platforms/pairing/telegram-pending.json",
    "home/casey/.hermes/profiles/work/.env",
    "home/casey/.hermes/state-snapshots/20261029-100000/.env",
    "home/casey/.hermes/state-snapshots/20261029-100000/config.yaml",
    "home/casey/.hermes/vault/vault.key",
    "home/casey/.hermes/webapp/session-token",
    "var/lib/docker/volumes/hermes-data/_data/.env",
    "var/lib/docker/volumes/hermes-data/_data/config.yaml",
)
# programs and caches in a home, and files that are none of Hermes.
EXCLUDED_FILES = (
    "home/casey/.hermes/checkpoints/store/objects/0a/1b",
    "home/casey/.hermes/hermes-agent/cli.py",
    "home/casey/.hermes/models/m.gguf",
    "home/casey/.hermes/node/bin/node",
    "home/casey/.hermes/plugins/p/node_modules/m/index.js",
    "home/casey/.hermes/profiles/work/models/m.gguf",
    "home/casey/.hermes/sandboxes/docker/t/file",
    "var/lib/docker/volumes/hermes-data/_data/models/m.gguf",
)
OTHER_FILES = (
    "home/casey/.ssh/id_rsa",
    "home/casey/app/state.db",
    "home/casey/work/site/index.html",
)

SCHEMA_32 = """
CREATE TABLE schema_version (version INTEGER NOT NULL);
CREATE TABLE sessions (
  id TEXT PRIMARY KEY, runtime_revision INTEGER NOT NULL DEFAULT 0,
  runtime_generation INTEGER NOT NULL DEFAULT 0, source TEXT NOT NULL,
  created_source TEXT, user_id TEXT, session_key TEXT, chat_id TEXT, chat_type TEXT,
  thread_id TEXT, display_name TEXT, origin_json TEXT, model TEXT, model_config TEXT,
  system_prompt_hash TEXT, parent_session_id TEXT, started_at REAL NOT NULL,
  ended_at REAL, end_reason TEXT, message_count INTEGER DEFAULT 0,
  tool_call_count INTEGER DEFAULT 0, input_tokens INTEGER DEFAULT 0,
  output_tokens INTEGER DEFAULT 0, cache_read_tokens INTEGER DEFAULT 0,
  cache_write_tokens INTEGER DEFAULT 0, reasoning_tokens INTEGER DEFAULT 0, cwd TEXT,
  git_branch TEXT, git_repo_root TEXT, estimated_cost_usd REAL, actual_cost_usd REAL,
  title TEXT, api_call_count INTEGER DEFAULT 0, last_activity_at REAL,
  profile_name TEXT, rewind_count INTEGER NOT NULL DEFAULT 0,
  archived INTEGER NOT NULL DEFAULT 0, auto_archived INTEGER NOT NULL DEFAULT 0,
  pinned INTEGER NOT NULL DEFAULT 0, hidden INTEGER NOT NULL DEFAULT 0,
  tool_names TEXT, transcript_revision INTEGER NOT NULL DEFAULT 0);
CREATE TABLE messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL,
  content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT,
  effect_disposition TEXT, timestamp REAL NOT NULL, token_count INTEGER,
  finish_reason TEXT, reasoning TEXT, reasoning_content TEXT, reasoning_details TEXT,
  codex_reasoning_items TEXT, codex_message_items TEXT, platform_message_id TEXT,
  observed INTEGER DEFAULT 0, active INTEGER NOT NULL DEFAULT 1,
  compacted INTEGER NOT NULL DEFAULT 0, api_content TEXT, display_kind TEXT,
  display_metadata TEXT, message_uid TEXT, _compressed_summary INTEGER);
CREATE TABLE session_model_usage (
  session_id TEXT NOT NULL, model TEXT NOT NULL,
  billing_provider TEXT NOT NULL DEFAULT '', billing_base_url TEXT NOT NULL DEFAULT '',
  billing_mode TEXT NOT NULL DEFAULT '', task TEXT NOT NULL DEFAULT '',
  api_call_count INTEGER NOT NULL DEFAULT 0, input_tokens INTEGER NOT NULL DEFAULT 0,
  output_tokens INTEGER NOT NULL DEFAULT 0,
  cache_read_tokens INTEGER NOT NULL DEFAULT 0,
  cache_write_tokens INTEGER NOT NULL DEFAULT 0,
  reasoning_tokens INTEGER NOT NULL DEFAULT 0,
  estimated_cost_usd REAL NOT NULL DEFAULT 0, actual_cost_usd REAL NOT NULL DEFAULT 0,
  first_seen REAL, last_seen REAL, PRIMARY KEY (session_id, model, billing_provider,
  billing_base_url, billing_mode, task));
CREATE TABLE state_meta (key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE system_prompts (hash TEXT PRIMARY KEY, prompt TEXT NOT NULL);
CREATE TABLE conversation_generations (
  source TEXT NOT NULL, session_key TEXT NOT NULL, generation INTEGER NOT NULL,
  PRIMARY KEY (source, session_key));
CREATE TABLE hosted_rooms (
  room_id TEXT PRIMARY KEY, name TEXT, members_json TEXT, authority_gateway_id TEXT,
  authority_epoch INTEGER, next_seq INTEGER, event_bytes INTEGER, revision INTEGER,
  created_at REAL, updated_at REAL, disbanded_at REAL);
CREATE TABLE hosted_room_events (
  room_id TEXT, seq INTEGER, event_id TEXT, authority_epoch INTEGER, kind TEXT,
  actor_json TEXT, payload_json TEXT, created_at REAL);
CREATE TABLE hosted_room_retired_ids (room_id TEXT PRIMARY KEY, retired_at REAL);
CREATE TABLE gateway_routing (
  scope TEXT NOT NULL DEFAULT '', session_key TEXT NOT NULL, entry_json TEXT NOT NULL,
  updated_at REAL NOT NULL, PRIMARY KEY (scope, session_key));
CREATE TABLE session_admissions (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, admission_id TEXT, request_id TEXT,
  principal_id TEXT, target_session_id TEXT, lineage_json TEXT, payload_json TEXT,
  payload_digest TEXT, intent TEXT, status TEXT, owner_epoch INTEGER,
  generation INTEGER, outcome TEXT);
CREATE TABLE async_delegations (
  delegation_id TEXT PRIMARY KEY, origin_session TEXT NOT NULL, parent_session_id TEXT,
  state TEXT NOT NULL, dispatched_at REAL NOT NULL, completed_at REAL,
  updated_at REAL NOT NULL, event_json TEXT, result_json TEXT, task_json TEXT,
  delivery_state TEXT NOT NULL DEFAULT 'pending', delivered_at REAL, owner_pid INTEGER,
  origin_session_id TEXT);
CREATE TABLE gateway_heartbeats (
  backend_id TEXT PRIMARY KEY, pid INTEGER, started_at REAL, last_heartbeat REAL,
  profile TEXT, host TEXT);
CREATE INDEX idx_messages_session ON messages(session_id, timestamp);
CREATE INDEX idx_usage_session ON session_model_usage(session_id);
INSERT INTO schema_version VALUES (32);
"""

# The smallest structure that identifies a state database.
SCHEMA_OLDEST = """
CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT, started_at REAL);
CREATE TABLE messages (
  id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, tool_calls TEXT,
  tool_call_id TEXT, timestamp REAL);
"""

MODEL_SWITCH_TEXT = (
    "[System: The active model for this chat has changed to {model:s}{provider:s}. "
    "From this point forward, use this runtime metadata.]"
)


def Insert(connection, table, **values):
    """Inserts a row.

    Args:
      connection (sqlite3.Connection): connection.
      table (str): name of the table.
      values (dict[str, object]): values per column, where a dict or list becomes JSON.
    """
    names = ", ".join(values)
    marks = ", ".join("?" * len(values))
    connection.execute(
        f"INSERT INTO {table:s} ({names:s}) VALUES ({marks:s})",
        [
            json.dumps(value) if isinstance(value, (dict, list)) else value
            for value in values.values()
        ],
    )


def ToolCall(identifier, name, arguments):
    """Creates an entry of tool_calls.

    Args:
      identifier (str): identifier of the call.
      name (str): name of the tool.
      arguments (dict[str, object]): arguments.

    Returns:
      dict[str, object]: entry.
    """
    return {
        "id": identifier,
        "call_id": identifier,
        "response_item_id": None,
        "type": "function",
        "function": {"name": name, "arguments": json.dumps(arguments)},
    }


def FillCommandLineSession(connection):
    """Fills a session of the command line: tools, approvals, a rewind, a switch.

    Args:
      connection (sqlite3.Connection): connection.
    """
    session = "20261029_093015_5c7e19a2"
    Insert(
        connection,
        "sessions",
        id=session,
        source="cli",
        created_source="cli",
        model="anthropic/claude-opus-4.1",
        model_config={"max_iterations": 90, "yolo_mode": True},
        started_at=BASE_TIME,
        ended_at=BASE_TIME + 600.25,
        end_reason="user_exit",
        last_activity_at=BASE_TIME + 599.5,
        message_count=17,
        tool_call_count=6,
        input_tokens=1600,
        output_tokens=640,
        estimated_cost_usd=0.0125,
        cwd="/home/casey/work/site",
        git_branch="fix-nav",
        git_repo_root="/home/casey/work/site",
        title="Count lines",
        archived=1,
        pinned=1,
    )
    Insert(
        connection,
        "session_model_usage",
        session_id=session,
        model="openai/gpt-5.1",
        billing_provider="openrouter",
        api_call_count=3,
        input_tokens=1200,
        output_tokens=500,
        first_seen=BASE_TIME + 2,
        last_seen=BASE_TIME + 14,
    )
    Insert(
        connection,
        "session_model_usage",
        session_id=session,
        model="anthropic/claude-opus-4.1",
        billing_provider="openrouter",
        api_call_count=1,
        first_seen=BASE_TIME + 16,
        last_seen=BASE_TIME + 500,
    )
    Insert(
        connection,
        "session_model_usage",
        session_id=session,
        model="openai/gpt-5.1-mini",
        task="title_generation",
        api_call_count=1,
        first_seen=BASE_TIME + 3,
        last_seen=BASE_TIME + 3,
    )

    def Message(offset, role, content, **values):
        """Inserts a message.

        Args:
          offset (float): seconds since the start of the session.
          role (str): role.
          content (str): content.
          values (dict[str, object]): values of other columns.
        """
        Insert(
            connection,
            "messages",
            session_id=session,
            role=role,
            content=content,
            timestamp=BASE_TIME + offset,
            **values,
        )

    Message(
        1.4,
        "user",
        "how many lines in index.html?",
        api_content="how many lines in index.html?\n\n[memory: prefers wc]",
        message_uid="u1",
    )
    Message(
        2.9,
        "assistant",
        "",
        tool_calls=[ToolCall("call_1", "terminal", {"command": "wc -l index.html"})],
        finish_reason="tool_calls",
        reasoning="Count with wc.",
        reasoning_content="Count with wc.",
        token_count=12,
    )
    Message(
        3.6,
        "tool",
        json.dumps({"output": "212 index.html", "exit_code": 0, "error": None}),
        tool_call_id="call_1",
        tool_name="terminal",
    )
    Message(
        5.0,
        "assistant",
        "Three calls at once.",
        tool_calls=[
            ToolCall("call_2", "terminal", {"command": "rm -rf build/"}),
            ToolCall("call_3", "write_file", {"path": "a.txt", "content": "a\nb"}),
            ToolCall("call_4", "web_extract", {"url": "https://example.com/page"}),
        ],
        finish_reason="tool_calls",
    )
    Message(
        6.1,
        "tool",
        json.dumps(
            {
                "output": "",
                "exit_code": 0,
                "error": None,
                "approval": "Command required approval (recursive delete) and was "
                "approved by the user.",
            }
        ),
        tool_call_id="call_2",
        tool_name="terminal",
    )
    Message(7.0, "tool", "written", tool_call_id="call_3", tool_name="write_file")
    Message(
        8.0,
        "assistant",
        None,
        tool_calls=[
            ToolCall("call_5", "terminal", {"command": "sudo rm /etc/hosts"}),
            ToolCall("call_6", "search", {"query": "line count"}),
        ],
    )
    Message(
        9.0,
        "tool",
        json.dumps(
            {
                "output": "",
                "exit_code": -1,
                "error": "",
                "status": "pending_approval",
                "approval_pending": True,
                "command": "sudo rm /etc/hosts",
                "description": "privileged delete",
                "pattern_key": "sudo rm",
                "smart_denied": False,
                "allow_permanent": True,
            }
        ),
        tool_call_id="call_5",
        tool_name="terminal",
    )
    Message(
        15.0,
        "user",
        MODEL_SWITCH_TEXT.format(
            model="anthropic/claude-opus-4.1", provider=" via provider openrouter"
        ),
        display_kind="model_switch",
    )
    Message(16.0, "user", "[background finished]", display_kind="process_complete")
    Message(17.2, "assistant", "index.html has 212 lines.", finish_reason="stop")
    Message(20.0, "user", "a question that was taken back", active=0)
    Message(30.0, "user", "old question", active=0, compacted=1)
    Message(31.0, "user", "carried question", active=0, message_uid="u9")
    Message(31.0, "user", "carried question", message_uid="u9")
    Message(
        32.0,
        "assistant",
        "[CONTEXT COMPACTION \u2014 REFERENCE ONLY] Earlier turns were summarised.",
    )
    Message(
        33.123456,
        "user",
        "\x00json:"
        + json.dumps(
            [
                {"type": "text", "text": "look at this \U0001f4f7"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,"}},
            ]
        ),
    )


def FillMessagingSession(connection):
    """Fills a session that was driven from a messaging platform.

    Args:
      connection (sqlite3.Connection): connection.
    """
    session = "20261028_201500_b41c0de7"
    started_at = BASE_TIME - 47715
    Insert(
        connection,
        "sessions",
        id=session,
        source="discord",
        user_id="88213",
        chat_id="55102",
        chat_type="channel",
        display_name="build-alerts",
        origin_json={
            "platform": "discord",
            "chat_id": "55102",
            "chat_name": "build-alerts",
            "chat_type": "channel",
            "user_id": "88213",
            "user_name": "ops_kim",
        },
        model="openai/gpt-5.1",
        model_config={"yolo_mode": False},
        started_at=started_at,
    )
    Insert(
        connection,
        "messages",
        session_id=session,
        role="tool",
        content=json.dumps(
            {
                "output": "",
                "exit_code": -1,
                "error": "Command denied: recursive delete.",
                "status": "blocked",
                "user_summary": "rm -rf build/",
            }
        ),
        tool_call_id="call_c2",
        tool_name="terminal",
        timestamp=started_at + 33.5,
    )
    Insert(
        connection,
        "messages",
        session_id=session,
        role="session_meta",
        timestamp=started_at + 34,
    )


def FillOtherSessions(connection):
    """Fills sessions that came from others: a branch, a delegate, an import, a tree.

    Args:
      connection (sqlite3.Connection): connection.
    """
    parent = "20261029_093015_5c7e19a2"
    for number, (identifier, values) in enumerate(
        (
            (
                "20261029_100000_0000b4a2",
                {
                    "source": "cli",
                    "parent_session_id": parent,
                    "model_config": {"_branched_from": parent},
                },
            ),
            (
                "20261029_100100_0000de1e",
                {"source": "subagent", "parent_session_id": parent},
            ),
            (
                "20261029_100200_00001a02",
                {
                    "source": "claude-code",
                    "origin_json": {
                        "imported_from": {
                            "tool": "claude-code",
                            "path": "/home/casey/.claude/projects/p/s.jsonl",
                            "foreign_session_id": "11111111-2222",
                        }
                    },
                },
            ),
            (
                "20261029_100300_000017ee",
                {
                    "source": "tui",
                    "cwd": "/home/casey/work/site/.worktrees/nav",
                    "git_branch": "hermes/nav",
                    "git_repo_root": "/home/casey/work/site",
                },
            ),
            (
                "local-0f0f",
                {"source": "local", "cwd": "/home/casey/work/site"},
            ),
        )
    ):
        Insert(
            connection,
            "sessions",
            id=identifier,
            started_at=BASE_TIME + 1800 + 60 * number,
            **values,
        )
    Insert(
        connection,
        "state_meta",
        key="gateway.local_policy.v1:local-0f0f",
        value={
            "session_id": "local-0f0f",
            "policy": {"cwd": "/home/casey/work/site/.worktrees/classic"},
        },
    )
    Insert(
        connection,
        "messages",
        session_id="20261001_000000_00000000",
        role="user",
        content="a message whose session row is gone",
        timestamp=BASE_TIME - 2400000,
    )


def FillStores(connection):
    """Fills the tables beside sessions and messages.

    Args:
      connection (sqlite3.Connection): connection.
    """
    for key, value in (
        (
            f"gateway.retired_session.v1.{DELETED_SESSION:s}",
            {"retired_at": 1793229100.25, "expires": True, "own": True},
        ),
        ("gateway.retired_session.v1.20260101_000000_00000001", {}),
        (
            "gateway.mutation.v1.0123abcd",
            {
                "digest": "d",
                "result": {
                    "session_id": "20261029_093015_5c7e19a2",
                    "operation": "rename",
                    "revision": 2,
                    "title": "Count lines",
                },
            },
        ),
        ("store_created_at_utc", "2026-10-03T12:57:08.896246+00:00"),
        ("store_instance_id", "376e5a25-0000-0000-0000-a3d1110a728c"),
        ("fts_version", "3"),
    ):
        Insert(connection, "state_meta", key=key, value=value)

    Insert(
        connection,
        "conversation_generations",
        source="discord",
        session_key="agent:main:discord:channel:55102",
        generation=3,
    )
    Insert(
        connection,
        "hosted_rooms",
        room_id="room-1",
        name="Launch",
        members_json=["writer", "critic"],
        created_at=BASE_TIME + 10,
        updated_at=BASE_TIME + 11,
        disbanded_at=BASE_TIME + 12,
    )
    Insert(
        connection,
        "hosted_room_retired_ids",
        room_id="room-0",
        retired_at=BASE_TIME + 13,
    )
    for sequence_number, (kind, actor, payload) in enumerate(
        (
            (
                "room.created",
                {"kind": "system", "id": "gateway"},
                {"name": "Launch"},
            ),
            (
                "message.user",
                {"kind": "user", "id": "u1", "display_name": "Casey"},
                {"thread_id": "t1", "text": "write the\nannouncement"},
            ),
        )
    ):
        Insert(
            connection,
            "hosted_room_events",
            room_id="room-1",
            seq=sequence_number + 1,
            event_id=f"e{sequence_number + 1:d}",
            kind=kind,
            actor_json=actor,
            payload_json=payload,
            created_at=BASE_TIME + 10.5 + sequence_number,
        )
    Insert(
        connection,
        "gateway_routing",
        scope="/home/casey/.hermes/sessions",
        session_key="agent:main:discord:channel:55102",
        entry_json={
            "session_id": "20261028_201500_b41c0de7",
            "created_at": "2026-10-28T22:15:00.000001",
            "platform": "discord",
            "chat_type": "channel",
            "display_name": "build-alerts",
            "yolo": True,
            "origin": {"chat_id": "55102", "user_id": "88213", "user_name": "ops_kim"},
        },
        updated_at=BASE_TIME - 47000.5,
    )
    Insert(
        connection,
        "session_admissions",
        admission_id="adm-1",
        request_id="req-1",
        principal_id="human",
        target_session_id="20261028_201500_b41c0de7",
        payload_json={"text": "deploy to production", "attachments": ["secret.txt"]},
        payload_digest="aa",
        intent="queue",
        status="queued",
        generation=1,
    )
    Insert(
        connection,
        "async_delegations",
        delegation_id="deleg_1",
        origin_session="20261029_093015_5c7e19a2",
        parent_session_id="20261029_093015_5c7e19a2",
        state="completed",
        dispatched_at=BASE_TIME + 100,
        completed_at=BASE_TIME + 101.5,
        updated_at=BASE_TIME + 101.75,
        delivered_at=BASE_TIME + 102,
        delivery_state="delivered",
        owner_pid=4711,
        task_json={"goal": "List the files", "goals": ["List the files"]},
        event_json={"live_transcripts": ["/home/casey/.hermes/cache/task-0.log"]},
        result_json={"results": [{"status": "completed", "summary": "index.html"}]},
    )
    Insert(
        connection,
        "gateway_heartbeats",
        backend_id="backend-1",
        pid=815,
        started_at=BASE_TIME - 50000,
        last_heartbeat=BASE_TIME + 1,
        profile="default",
        host="workstation",
    )


def MakeStateDatabase(path):
    """Makes a state database of schema 32.

    Args:
      path (pathlib.Path): path of the database.
    """
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript(SCHEMA_32)
    connection.execute("BEGIN")
    FillCommandLineSession(connection)
    FillMessagingSession(connection)
    FillOtherSessions(connection)
    FillStores(connection)
    connection.execute("COMMIT")
    connection.close()


def MakeOldestStateDatabase(path):
    """Makes a state database of the oldest structure that is accepted.

    Args:
      path (pathlib.Path): path of the database.
    """
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript(SCHEMA_OLDEST)
    Insert(connection, "sessions", id="s1", source="cli", started_at=BASE_TIME)
    for number, (role, content) in enumerate(
        (
            ("user", MODEL_SWITCH_TEXT.format(model="a/b", provider="")),
            ("user", "hello"),
        )
    ):
        Insert(
            connection,
            "messages",
            session_id="s1",
            role=role,
            content=content,
            timestamp=BASE_TIME + number,
        )
    connection.close()


def MakeRuntimeStateDatabase(path):
    """Makes a state database in which the results of requests outlived a session.

    Args:
      path (pathlib.Path): path of the database.
    """
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript(SCHEMA_32)
    Insert(
        connection,
        "sessions",
        id="s1",
        source="local",
        started_at=BASE_TIME,
        system_prompt_hash="5e11",
        tool_names="7001",
    )
    for prompt_hash, prompt in (
        ("5e11", "You are Hermes.\n\nAGENTS.md: always deploy on Fridays."),
        ("7001", ["terminal", "read_file"]),
        ("dead", "You are Hermes, asked by somebody who is gone."),
    ):
        Insert(
            connection,
            "system_prompts",
            hash=prompt_hash,
            prompt=prompt,
        )
    Insert(
        connection,
        "messages",
        session_id="s1",
        role="assistant",
        content="repeated",
        timestamp=BASE_TIME,
    )
    Insert(
        connection,
        "session_admissions",
        admission_id="adm-1",
        target_session_id="s1",
        payload_json={"text": "say it again"},
        intent="queue",
        status="terminal",
    )
    for key, value in (
        (
            "gateway.terminal_admission.v1.adm-0",
            {
                "admission_id": "adm-0",
                "request_id": "req-0",
                "principal_id": "human",
                "target_session_id": DELETED_SESSION,
                "lineage_json": "[]",
                "payload_json": "{}",
                "payload_digest": "bb",
                "intent": "queue",
                "status": "terminal",
                "generation": 1,
                "outcome": "completed",
            },
        ),
        ("gateway.terminal_identity.v1.4567cdef", "adm-0"),
        (
            "gateway.admission.result.v1.adm-0",
            {
                "result": {
                    "api_calls": 2,
                    "completed": True,
                    "estimated_cost_usd": 0.0125,
                    "final_response": "The tunnel to 203.0.113.9 is open.",
                    "messages": [
                        {"role": "user", "content": "open the tunnel"},
                        {
                            "role": "assistant",
                            "content": "The tunnel to 203.0.113.9 is open.",
                        },
                    ],
                    "model": "openai/gpt-5.1",
                    "turn_exit_reason": "text_response",
                },
                "usage": {"input_tokens": 900, "output_tokens": 40},
            },
        ),
        (
            "gateway.admission.result.v1.adm-1",
            {
                "result": {
                    "completed": False,
                    "error": "interrupted",
                    "final_response": None,
                    "messages": [{"role": "assistant", "content": "repeated"}],
                },
            },
        ),
    ):
        Insert(connection, "state_meta", key=key, value=value)
    connection.close()


def MakeMalformedStateDatabase(path):
    """Makes a state database with records that cannot be decoded.

    Args:
      path (pathlib.Path): path of the database.
    """
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript(SCHEMA_32)
    Insert(
        connection,
        "sessions",
        id="s1",
        source="cli",
        started_at="soon",
        ended_at=5e246,
        model_config="{broken",
        origin_json="[1]",
    )
    for content in (b"\x89PNG\x00", 42, "lone \\ud800", "\x00json:{broken"):
        Insert(
            connection,
            "messages",
            session_id="s1",
            role="developer",
            content=content,
            timestamp=BASE_TIME,
        )
    connection.execute(
        "INSERT INTO messages (session_id, role, content, timestamp) VALUES "
        "('s1', 'user', CAST(X'68E920FF' AS TEXT), ?)",
        (BASE_TIME,),
    )
    Insert(
        connection,
        "messages",
        session_id="s1",
        role="assistant",
        content="\x00json:" + json.dumps([{"type": "text", "text": "\ud800 lone"}]),
        tool_calls="{broken",
        timestamp=BASE_TIME,
    )
    for key, value in (
        ("gateway.retired_session.v1.s2", "gone"),
        ("gateway.mutation.v1.0", "7"),
        ("gateway.terminal_admission.v1.adm-2", "[]"),
        ("gateway.admission.result.v1.adm-2", "{broken"),
        ("gateway.admission.result.v1.adm-3", {"result": "too late"}),
        ("gateway.local_policy.v1:s1", "["),
        ("gateway.local_policy.v1:s3", "["),
        ("store_created_at_utc", "long ago"),
    ):
        Insert(connection, "state_meta", key=key, value=value)
    Insert(
        connection,
        "hosted_room_events",
        room_id="room-1",
        seq=1,
        event_id="e1",
        kind="message.user",
        actor_json="nobody",
        payload_json="[]",
        created_at=BASE_TIME,
    )
    Insert(
        connection,
        "gateway_routing",
        session_key="k",
        entry_json="not JSON",
        updated_at=BASE_TIME,
    )
    connection.close()


def MakeLog(path):
    """Leaves what changed last in the write-ahead log of a state database.

    Args:
      path (pathlib.Path): path of the database.
    """
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.execute("BEGIN")
    connection.execute("DELETE FROM messages WHERE content LIKE 'index.html has%'")
    connection.execute(
        "UPDATE sessions SET title = 'Count lines again' WHERE title = 'Count lines'"
    )
    Insert(
        connection,
        "messages",
        session_id="20261029_093015_5c7e19a2",
        role="user",
        content="only in the log",
        timestamp=BASE_TIME + 550.5,
    )
    connection.execute("COMMIT")

    # A writer that ends removes its log, so the files are copied while it has not.
    with tempfile.TemporaryDirectory() as directory:
        for suffix in ("", "-wal"):
            shutil.copy(f"{path!s}{suffix:s}", os.path.join(directory, f"copy{suffix}"))
        connection.close()
        for suffix in ("", "-wal"):
            shutil.copy(os.path.join(directory, f"copy{suffix}"), f"{path!s}{suffix:s}")


def AddDeletedSession(path):
    """Adds the session to a snapshot that the state database says was deleted.

    Args:
      path (pathlib.Path): path of the database of the snapshot.
    """
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(
        "DELETE FROM state_meta WHERE key LIKE 'gateway.retired_session.v1.%'"
    )
    Insert(
        connection,
        "sessions",
        id=DELETED_SESSION,
        source="cli",
        model="anthropic/claude-opus-4.1",
        started_at=BASE_TIME - 777600,
        cwd="/home/casey/work/secret",
    )
    for offset, role, content in (
        (1.5, "user", "upload the customer list"),
        (9.25, "assistant", "It is uploaded."),
    ):
        Insert(
            connection,
            "messages",
            session_id=DELETED_SESSION,
            role=role,
            content=content,
            timestamp=BASE_TIME - 777600 + offset,
        )
    connection.close()


def MakeHome(home):
    """Makes a home with a write-ahead log and a snapshot.

    Args:
      home (pathlib.Path): path of the home.
    """
    snapshot = home / "state-snapshots" / "20261029-100000-before-refactor"
    snapshot.mkdir(parents=True)
    MakeStateDatabase(home / "state.db")
    shutil.copy(home / "state.db", snapshot / "state.db")
    AddDeletedSession(snapshot / "state.db")
    MakeLog(home / "state.db")


def MakeTree(path):
    """Makes the tree of a Linux system with Hermes homes.

    Args:
      path (pathlib.Path): path of the root of the system.
    """
    for name, text in (
        ("etc/hostname", "workstation\n"),
        (
            "etc/os-release",
            'ID=debian\nNAME="Debian GNU/Linux"\n'
            'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_ID="12"\n',
        ),
        (
            "etc/passwd",
            "root:x:0:0:root:/root:/bin/bash\n"
            "casey:x:1000:1000:Casey:/home/casey:/bin/bash\n",
        ),
        ("etc/timezone", "Europe/Amsterdam\n"),
    ):
        file_path = path / name
        file_path.parent.mkdir(parents=True, exist_ok=True)
        file_path.write_text(text, encoding="utf-8")

    home = path / "home" / "casey" / ".hermes"
    for directory in (home / "profiles" / "work", path / "root" / ".hermes"):
        directory.mkdir(parents=True)

    MakeHome(home)
    MakeOldestStateDatabase(home / "profiles" / "work" / "state.db")
    MakeOldestStateDatabase(path / "root" / ".hermes" / "state.db")

    for directory, _, names in os.walk(path):
        for name in names:
            os.utime(os.path.join(directory, name), (BASE_TIME, BASE_TIME))
        os.utime(directory, (BASE_TIME, BASE_TIME))


def MakeCollectionTree(path):
    """Makes a tree of files that are, and are not, to be collected.

    Args:
      path (pathlib.Path): path of the root of the system.
    """
    for name in COLLECTED_FILES + CREDENTIAL_FILES + EXCLUDED_FILES + OTHER_FILES:
        file_path = path / name
        file_path.parent.mkdir(parents=True, exist_ok=True)
        # A file of a few bytes is none that a parser reads.
        file_path.write_text(f"{name:s}\n", encoding="utf-8")
    (path / "etc" / "os-release").write_text("ID=debian\n", encoding="utf-8")


def MakeExt4Image(tree, raw_path, size="4M"):
    """Makes a raw image of an ext4 file system of a tree.

    Args:
      tree (pathlib.Path): path of the tree.
      raw_path (pathlib.Path): path of the image.
      size (Optional[str]): size, as mke2fs has it.
    """
    raw_path.unlink(missing_ok=True)
    subprocess.run(
        [
            "mke2fs",
            "-q",
            "-t",
            "ext4",
            "-b",
            "4096",
            "-O",
            "^has_journal",
            "-E",
            "hash_seed=11111111-1111-1111-1111-111111111111,root_owner=0:0",
            "-U",
            "22222222-2222-2222-2222-222222222222",
            "-d",
            str(tree),
            str(raw_path),
            size,
        ],
        check=True,
        env={**os.environ, "E2FSPROGS_FAKE_TIME": str(int(BASE_TIME))},
    )


def MakeImages(tree, output):
    """Makes storage media images of a tree.

    Args:
      tree (pathlib.Path): path of the tree.
      output (pathlib.Path): path of the directory of the images.
    """
    raw_path = output / "linux_ext4.raw"
    MakeExt4Image(tree, raw_path)
    MakeQCOW2Image(raw_path, output / "linux_ext4.qcow2")


def MakeQCOW2Image(raw_path, path):
    """Converts a raw image.

    Args:
      raw_path (pathlib.Path): path of the raw image.
      path (pathlib.Path): path of the image to make.
    """
    # Not compressed, and with blocks of 4 KiB above: the libraries that Plaso reads
    # images with do not read every compressed cluster and small block right.
    subprocess.run(
        ["qemu-img", "convert", "-O", "qcow2", str(raw_path), str(path)], check=True
    )


def MakeExpertWitnessImage(output):
    """Makes an Expert Witness Compression Format (EWF) image of the raw image.

    Args:
      output (pathlib.Path): path of the directory of the images.
    """
    (output / "linux_ext4.E01").unlink(missing_ok=True)
    subprocess.run(
        [
            "ewfacquire",
            "-q",
            "-u",
            "-c",
            "deflate:best",
            "-t",
            str(output / "linux_ext4"),
            str(output / "linux_ext4.raw"),
        ],
        check=True,
        stdout=subprocess.DEVNULL,
    )


def MakeNTFSImage(output):
    """Makes an image of a Windows volume with a Hermes home.

    Nothing writes directories to NTFS but a driver, so this takes root and FUSE.

    Args:
      output (pathlib.Path): path of the directory of the images.
    """
    path = output / "windows_ntfs.raw"
    path.write_bytes(bytes(3 * 1024 * 1024))
    subprocess.run(
        ["mkntfs", "-q", "-F", "-c", "4096", str(path)],
        check=True,
        stderr=subprocess.DEVNULL,
    )
    with tempfile.TemporaryDirectory() as directory:
        subprocess.run(["ntfs-3g", str(path), directory], check=True)
        try:
            MakeHome(
                pathlib.Path(directory, "Users", "casey", "AppData", "Local", "hermes")
            )
        finally:
            subprocess.run(["umount", directory], check=True)


def Main():
    """Makes the test data."""
    argument_parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    argument_parser.add_argument(
        "--images", action="store_true", help="make the storage media images as well"
    )
    argument_parser.add_argument(
        "output", nargs="?", default=os.path.dirname(os.path.abspath(__file__))
    )
    options = argument_parser.parse_args()

    output = pathlib.Path(options.output)
    output.mkdir(parents=True, exist_ok=True)
    for name, function in (
        ("state.db", MakeStateDatabase),
        ("state_malformed.db", MakeMalformedStateDatabase),
        ("state_oldest.db", MakeOldestStateDatabase),
        ("state_runtime.db", MakeRuntimeStateDatabase),
    ):
        (output / name).unlink(missing_ok=True)
        function(output / name)

    if options.images:
        with tempfile.TemporaryDirectory() as directory:
            tree = pathlib.Path(directory)
            MakeTree(tree)
            MakeImages(tree, output)
        with tempfile.TemporaryDirectory() as directory:
            raw_path = pathlib.Path(directory, "raw")
            tree = pathlib.Path(directory, "tree")
            MakeCollectionTree(tree)
            MakeExt4Image(tree, raw_path)
            MakeQCOW2Image(raw_path, output / "collection_ext4.qcow2")
        MakeExpertWitnessImage(output)
        MakeNTFSImage(output)


if __name__ == "__main__":
    Main()

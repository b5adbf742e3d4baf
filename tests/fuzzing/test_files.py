"""Fuzz tests of files: stores that are damaged, through the real parsers."""

import json
import os
import pathlib
import random
import resource
import shutil
import sqlite3
import time

from hermes_plaso.formats import homes
from hermes_plaso.formats import stores
from test_data import make_test_data

from tests import test_lib
from tests.fuzzing import fuzz_lib

_NUMBER_OF_MUTATIONS = 8

# What the parsers say where something raised.
_EXCEPTION_WARNINGS = ("unable to parse", "unable to process", "unable to read file")

_MAXIMUM_SECONDS = 20
_MAXIMUM_MEMORY = 512 * 1024 * 1024

_TOKENS = (
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\x00" * 5,
    b"[",
    b'{"a":' * 2000,
    b"[" * 100000,
    b"\\ud800",
    b"1" * 10000,
    b"NaN",
    b"1e999",
    b"\r\n",
    b"\xe2\x80\xa8",
    b"null",
    b"{}",
    b'"',
    b"&a [*a]",
    b"!!python/object:os.system x",
    b"\x1b[31m",
    b"\xe2\x80\xae",
    b"true",
    b"\n\n",
    b"# ",
    b"+",
    b"## Response",
)

_MESSAGES = [
    {"content": f"text {index:d}", "role": role, "timestamp": 1793266213.5 + index}
    for index, role in enumerate(("user", "assistant", "user", "assistant", "user"))
]
_CALL = {"function": {"name": "terminal", "arguments": '{"command": "ls"}'}, "id": "c1"}
_TURNS = [{"from": "human", "value": "q"}, {"from": "gpt", "value": "a"}]


def _Lines(*values):
    """Writes values as lines of JSON.

    Args:
      values (list[object]): values.

    Returns:
      str: lines.
    """
    return "".join(f"{json.dumps(value):s}\n" for value in values)


# Stores of a home, of records of one line each where the name ends in one of these.
_LINE_STORES = ("_history", ".jsonl", "agent.log")

_STORES = {
    "../.config/Hermes/connections.json": json.dumps(
        {"connections": [{"kind": "ssh", "host": "h", "id": "r"}], "version": 2}
    ),
    ".hermes_history": "".join(
        f"\n# 2026-10-29 09:30:1{index:d}.123456\n+text {index:d}\n"
        for index in range(5)
    ),
    "cache/delegation/live/d1/task-1.log": (
        "delegation: d1   task: 1\ngoal: g\nstarted: 2026-10-29 09:30:13\n"
        "==========\n09:30:14 tool | ls\n09:30:15 result | x\n"
    ),
    "cache/delegation/live/d1/manifest.json": json.dumps(
        {
            "created_at": "2026-10-29T09:30:13",
            "delegation_id": "d1",
            "tasks": [{"goal": "g", "status": "done", "task_index": 0}],
        }
    ),
    "config.yaml": "approvals:\n  mode: smart\ncommand_allowlist:\n  - ls\n",
    "cron/jobs.json": json.dumps(
        {"jobs": [{"id": "j", "name": "n", "schedule": {}, "enabled": True}]}
    ),
    "cron/output/j/2026-10-29_09-30-13.md": (
        "# Cron Job: n\n\n**Job ID:** j\n\n## Prompt\n\np\n\n## Response\n\nr\n"
    ),
    "gateway_state.json": json.dumps(
        {"pid": 1, "gateway_state": "running", "updated_at": "2026-10-29T09:30:13Z"}
    ),
    "logs/agent.log": "".join(
        f"2026-10-29 09:30:1{index:d},123 INFO [s] hermes: text {index:d}\n"
        for index in range(5)
    ),
    "pastes/pending.json": json.dumps(
        [{"url": "https://example.org/x", "expire_at": 1793266213}]
    ),
    "platforms/pairing/telegram-approved.json": json.dumps(
        {"1": {"user_name": "casey", "approved_at": 1793266213.5}}
    ),
    "processes.json": json.dumps(
        [{"command": "ls", "pid": 1, "session_id": "proc_1", "started_at": 1793266213}]
    ),
    "sessions/20261029_093015_5c7e19a2.jsonl": _Lines(*_MESSAGES),
    "sessions/session_20261029_093015_5c7e19a3.json": json.dumps(
        {
            "messages": [*_MESSAGES, {"role": "assistant", "tool_calls": [_CALL]}],
            "model": "m",
            "platform": "cli",
            "session_id": "20261029_093015_5c7e19a3",
            "session_start": "2026-10-29T09:30:13",
        }
    ),
    "sessions/sessions.json": json.dumps(
        {"k": {"session_id": "s", "updated_at": "2026-10-29T09:30:13"}}
    ),
    "state-snapshots/20261029-093013/manifest.json": json.dumps(
        {
            "file_count": 1,
            "files": {"state.db": 1},
            "id": "20261029-093013",
            "label": None,
            "timestamp": "20261029-093013",
            "total_size": 1,
        }
    ),
    "trajectory_samples.jsonl": _Lines(
        *(
            {
                "completed": True,
                "conversations": [{**_TURNS[0], "value": f"text {index:d}"}],
                "model": "m",
                "timestamp": "2026-10-29T09:30:13",
            }
            for index in range(5)
        )
    ),
}

_DATABASES = {
    "response_store.db": (
        "CREATE TABLE responses (response_id TEXT PRIMARY KEY, data TEXT, "
        "accessed_at REAL)",
        "CREATE TABLE conversations (name TEXT PRIMARY KEY, response_id TEXT)",
    ),
}


class FilesTest(test_lib.ParserTestCase):
    """Fuzz tests of files."""

    def setUp(self):
        """Makes a home."""
        super().setUp()
        self.generator = random.Random(1 if fuzz_lib.FACTOR == 1 else None)
        self.home = os.path.join(self.temporary_path, "home", "casey", ".hermes")
        for name, text in _STORES.items():
            path = self.GetPath(name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file_object:
                file_object.write(text)

    def GetPath(self, name):
        """Determines the path of a store.

        Args:
          name (str): path from the home.

        Returns:
          str: path.
        """
        return os.path.normpath(os.path.join(self.home, name))

    def Mutate(self, data):
        """Mutates data.

        Args:
          data (bytes): data.

        Returns:
          bytes: data with bits flipped, parts cut, doubled or replaced, or another
              encoding.
        """
        choice = self.generator.choice
        number = self.generator.randrange
        mutated = bytearray(data)
        for _ in range(number(1, 5)):
            position = number(len(mutated) + 1)
            kind = number(5)
            if kind == 0 and mutated:
                for _ in range(5):
                    mutated[number(len(mutated))] ^= 1 << number(8)
            elif kind == 1:
                del mutated[position:]
            elif kind == 2:
                mutated[position:position] = choice(_TOKENS)
            elif kind == 3:
                end = position + number(1, 5000)
                mutated[position:position] = mutated[position:end]
            else:
                mutated[position : position + number(1, 60)] = choice(_TOKENS)
        if not number(20):
            encoding = choice(["utf-16", "utf-16-be", "latin-1", "utf-8-sig"])
            text = bytes(mutated).decode("utf-8", "replace")
            return text.encode(encoding, "replace")
        return bytes(mutated)

    def ReadHome(self):
        """Reads the files of the home.

        Returns:
          dict[str, bytes]: content per path.
        """
        contents = {}
        for directory, _, names in os.walk(self.home):
            for name in names:
                path = os.path.join(directory, name)
                with open(path, "rb") as file_object:
                    contents[path] = file_object.read()
        return contents

    def CheckParse(self, path, parser):
        """Parses a file and checks that nothing raises, hangs or is written.

        Args:
          path (str): path of the file.
          parser (str): name of the parser.

        Returns:
          ParseResult: result.
        """
        contents = self.ReadHome()
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        start = time.monotonic()
        result = self.Parse(path, parser)
        self.assertLess(time.monotonic() - start, _MAXIMUM_SECONDS)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory
        self.assertLess(memory * 1024, _MAXIMUM_MEMORY)
        self.assertEqual(
            [
                warning
                for warning in result.warnings
                if warning.startswith(_EXCEPTION_WARNINGS)
            ],
            [],
            path,
        )
        self.assertEqual(self.ReadHome(), contents)
        # Plaso leaves files of its own here.
        self.assertEqual(
            [
                name
                for name in os.listdir(self.temporary_path)
                if name.startswith("hermes-")
            ],
            [],
        )
        return result

    def testEachStore(self):
        """Tests that each store of a file is damaged here."""
        self.assertEqual(
            {stores.LocateFile(self.GetPath(name)).store for name in _STORES},
            set(homes.TIER_PER_STORE)
            - homes.STATE_STORES
            - {
                homes.STORE_RESPONSE_STORE,
                homes.STORE_RETAINDB,
                homes.STORE_RUNS_IDEMPOTENCY,
            },
        )

    def testStores(self):
        """Tests stores that are damaged anywhere."""
        for name, text in _STORES.items():
            path = self.GetPath(name)
            self.assertGreater(
                sum(self.Parse(path, "hermes_files").Count().values()), 0
            )
            for _ in range(_NUMBER_OF_MUTATIONS * fuzz_lib.FACTOR):
                data = self.Mutate(text.encode("utf-8"))
                with self.subTest(name=name, data=data[:2000]):
                    with open(path, "wb") as file_object:
                        file_object.write(data)
                    result = self.CheckParse(path, "hermes_files")
                    # What is not read is told, but in a project directory, where a
                    # file that nothing in it tells is taken for another program's.
                    if data.strip(b"\x00 \r\n\xef\xbb\xbf\xff\xfe") and name not in (
                        "config.yaml",
                        "trajectory_samples.jsonl",
                    ):
                        self.assertGreater(
                            sum(result.Count().values()) + len(result.warnings), 0
                        )
            os.remove(path)

    def testLines(self):
        """Tests that a line that is damaged costs no other line."""
        for name, text in _STORES.items():
            if not name.endswith(_LINE_STORES):
                continue
            path = self.GetPath(name)
            lines = text.encode("utf-8").split(b"\n")
            (index,) = [index for index, line in enumerate(lines) if b"text 2" in line]
            for _ in range(_NUMBER_OF_MUTATIONS * fuzz_lib.FACTOR):
                damaged = self.Mutate(lines[index])[:200000].replace(b"\n", b" ")
                with self.subTest(name=name, line=damaged[:2000]):
                    with open(path, "wb") as file_object:
                        file_object.write(
                            b"\n".join(lines[:index] + [damaged] + lines[index + 1 :])
                        )
                    result = self.CheckParse(path, "hermes_files")
                    texts = " ".join(
                        str(event_data.text) for event_data in result.event_data
                    )
                    for number in (0, 1, 3, 4):
                        self.assertIn(f"text {number:d}", texts)

    def testDatabases(self):
        """Tests databases that are damaged anywhere."""
        path = pathlib.Path(self.home) / "state.db"
        make_test_data.MakeHome(pathlib.Path(self.temporary_path) / "made")
        made = os.path.join(self.temporary_path, "made")
        for suffix in ("", "-wal"):
            shutil.copy(
                os.path.join(made, f"state.db{suffix:s}"), f"{path!s}{suffix:s}"
            )
        shutil.rmtree(made)
        response_store_path = os.path.join(self.home, "response_store.db")
        connection = sqlite3.connect(response_store_path)
        for statement in _DATABASES["response_store.db"]:
            connection.execute(statement)
        data = {
            "conversation_history": _MESSAGES,
            "response": {"id": "r", "model": "m"},
        }
        for index in range(50):
            connection.execute(
                "INSERT INTO responses VALUES (?, ?, ?)",
                (f"r{index:d}", json.dumps(data), 1793266213.5),
            )
        connection.commit()
        connection.close()

        for database_path in (str(path), response_store_path):
            count = self.Parse(database_path, "hermes_files,sqlite").Count()
            self.assertGreater(sum(count.values()), 50)
        for damaged_path in (str(path), f"{path!s}-wal", response_store_path):
            with open(damaged_path, "rb") as file_object:
                original = file_object.read()
            for _ in range(_NUMBER_OF_MUTATIONS * fuzz_lib.FACTOR):
                with open(damaged_path, "wb") as file_object:
                    file_object.write(self.Mutate(original))
                with self.subTest(damaged_path):
                    self.CheckParse(
                        damaged_path.removesuffix("-wal"), "hermes_files,sqlite"
                    )
            with open(damaged_path, "wb") as file_object:
                file_object.write(original)


if __name__ == "__main__":
    import unittest

    unittest.main()

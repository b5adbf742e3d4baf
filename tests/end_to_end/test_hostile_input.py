"""End-to-end test of input that was made to break tools, all of it in one tree.

Each user has one kind of it, beside records that are well. Those must all come, once,
each kind must be told, and nothing may run, hang, or be written elsewhere.
"""

import collections
import contextlib
import hashlib
import json
import os
import sqlite3
import unittest

from plaso.storage import factory as storage_factory
from tests.end_to_end import tool_lib

_TIME = 1793266213.5

_TABLES = (
    "CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT, started_at REAL)",
    "CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, "
    "content TEXT, tool_calls TEXT, timestamp REAL)",
)

_DIVERT = "sessions/20261029_093015_5c7e19a2.jsonl"


def _Insert(first, last, content="good {0:d}"):
    """Writes the statements that insert messages.

    Args:
      first (int): first row identifier.
      last (int): last row identifier.
      content (Optional[str]): format of the text.

    Returns:
      list[str]: SQL statements.
    """
    return [
        f"INSERT INTO messages (id, session_id, role, content, timestamp) VALUES "
        f"({number:d}, 's', 'user', '{content.format(number):s}', {_TIME + number})"
        for number in range(first, last + 1)
    ]


def _Line(text, **values):
    """Writes a line of a divert.

    Args:
      text (str): text of the message.
      values (dict[str, object]): other values.

    Returns:
      bytes: line.
    """
    value = {"role": "user", "content": text, "timestamp": _TIME, **values}
    return json.dumps(value).encode("utf-8") + b"\n"


class HostileInputTest(tool_lib.ToolTestCase):
    """End-to-end test of input that was made to break tools."""

    def setUp(self):
        """Makes a tree."""
        super().setUp()
        self.tree = os.path.join(self.temporary_path, "tree")
        self.canary = os.path.join(self.temporary_path, "canary")
        self.good = {}
        self.warnings = {}

    def Add(self, user, good, warnings=()):
        """Adds the home of a user.

        Args:
          user (str): name of the user, which tells the kind of input.
          good (list[str]): texts of the records that must come.
          warnings (Optional[list[str]]): how the warnings begin that must come, sorted.

        Returns:
          str: path of the home.
        """
        self.good[user] = list(good)
        self.warnings[user] = list(warnings)
        path = os.path.join(self.tree, "home", user, ".hermes")
        os.makedirs(path)
        return path

    def AddFile(self, user, name, data, good, warnings=()):
        """Adds a file of a home.

        Args:
          user (str): name of the user.
          name (str): path below the home.
          data (bytes): content.
          good (list[str]): texts of the records that must come.
          warnings (Optional[list[str]]): how the warnings begin that must come, sorted.
        """
        path = os.path.join(self.Add(user, good, warnings), name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file_object:
            file_object.write(data)

    def AddDatabase(
        self, user, statements, last=20, tables=_TABLES, pragmas=(), warnings=()
    ):
        """Adds a state database of a home.

        Args:
          user (str): name of the user.
          statements (list[str]): SQL statements that come after the good records.
          last (Optional[int]): number of the good records.
          tables (Optional[list[str]]): SQL statements that make the tables.
          pragmas (Optional[list[str]]): SQL statements that come first.
          warnings (Optional[list[str]]): how the warnings begin that must come, sorted.
        """
        good = [f"good {number:d}" for number in range(1, last + 1)]
        path = os.path.join(self.Add(user, good, warnings), "state.db")
        with contextlib.closing(
            sqlite3.connect(path, isolation_level=None)
        ) as connection:
            for statement in (*pragmas, *tables, *_Insert(1, last), *statements):
                connection.execute(statement)

    def AddJSON(self):
        """Adds homes of JSON."""
        good = ["good 1", "good 2"]
        for user, line, reason in (
            (
                "deep",
                b'{"role": "user", "content": '
                + b"[" * 100000
                + b"]" * 100000
                + b"}\n",
                "unparseable line 2 (not valid JSON: nested too deep)",
            ),
            ("names", None, "unparseable line 2 (more than 3000000 values)"),
            (
                "surrogate",
                b'{"role": "user", "content": "\\ud800 \xed\xa0\x80", "timestamp": '
                b"1793266213.5}\n",
                None,
            ),
            (
                "digits",
                b'{"role": "user", "content": "x", "timestamp": '
                + b"9" * 10000
                + b"}\n",
                "no usable time",
            ),
        ):
            if user == "names":
                # Many short names.
                members = ",".join(f'"{number:x}":0' for number in range(3000000))
                line = f'{{"role": "user", "content": "x", {members:s}}}\n'.encode()
            self.AddFile(
                user,
                _DIVERT,
                _Line("good 1") + line + _Line("good 2"),
                good
                + {"surrogate": ["\\ud800 \\xed\\xa0\\x80"], "digits": ["x"]}.get(
                    user, []
                ),
                [reason] if reason else [],
            )

        # The same in a cell.
        deep = "[" * 100000 + "]" * 100000
        self.AddDatabase(
            "deepcell",
            [
                "INSERT INTO messages VALUES (21, 's', 'assistant', '', "
                f"'{deep:s}', {_TIME})",
            ],
            warnings=["unparseable record 21 (tool_calls is not valid JSON: nested"],
        )
        self.good["deepcell"].append("")

    def AddText(self):
        """Adds homes of text and settings."""
        entry = "\n# 2026-10-29 09:30:1{0:d}.123456\n+good {0:d}\n"
        path = os.path.join(
            self.Add(
                "longline",
                ["good 1", "good 2"],
                [
                    "unparseable line 4 (10485760 zero bytes)",
                    "unparseable line 4 (68157402 zero bytes)",
                    "unparseable line 4 (68157440 zero bytes)",
                ],
            ),
            ".hermes_history",
        )
        with open(path, "wb") as file_object:
            file_object.write(entry.format(1).encode())
            # A hole, which is longer than what is held of a line.
            file_object.seek(140 * 1024 * 1024)
            file_object.write(entry.format(2).encode())
        controls = "good \x1b[2J\x1b]0;title\x07 \u202egpj.exe \u2066\x00 end"
        self.AddFile("controls", _DIVERT, _Line(controls), [controls])
        self.AddFile(
            "yaml",
            "config.yaml",
            b"a: &a [x, x, x, x, x, x, x, x, x]\n"
            + b"".join(
                b"%c: &%c [%s]\n"
                % (98 + number, 98 + number, b", ".join([b"*%c" % (97 + number)] * 9))
                for number in range(9)
            )
            + b"run: !!python/object/apply:os.system ['touch "
            + self.canary.encode()
            + b"']\nbinary: !!binary aGVsbG8=\napprovals:\n  mode: smart\n",
            ["approvals.mode=smart"],
        )

    def AddNames(self):
        """Adds homes of names and links."""
        home = self.Add("names_of_files", ["good 1"])
        path = os.path.join(home, "sessions", "a\nb \x1b[2J \u202e'\"$(touch x).jsonl")
        os.mkdir(os.path.dirname(path))
        with open(path, "wb") as file_object:
            file_object.write(_Line("good 1"))
        # One that is not UTF-8, which dfVFS does not open.
        path = os.path.join(os.fsencode(home), b"sessions", b"\xff\xfe.jsonl")
        with open(path, "wb") as file_object:
            file_object.write(_Line("good 2"))
        self.warnings["names_of_files"].append("unable to process path specification")

        home = self.Add("links", [f"good {number:d}" for number in range(1, 4)])
        os.symlink(home, os.path.join(home, "loop"))
        os.symlink("self", os.path.join(home, "self"))
        os.symlink("/dev/zero", os.path.join(home, "config.yaml"))
        os.symlink("nothing", os.path.join(home, "response_store.db"))
        with contextlib.closing(
            sqlite3.connect(os.path.join(home, "state.db"), isolation_level=None)
        ) as connection:
            for statement in (*_TABLES, *_Insert(1, 3)):
                connection.execute(statement)

    def AddDatabases(self):
        """Adds homes of databases."""
        for page_size in (512, 1024, 8192, 65536):
            self.AddDatabase(
                f"page{page_size:d}", (), 500, pragmas=[f"PRAGMA page_size={page_size}"]
            )
        for encoding in ("UTF-16le", "UTF-16be"):
            self.AddDatabase(
                encoding.lower(), (), pragmas=[f"PRAGMA encoding = '{encoding:s}'"]
            )
        for mode in ("FULL", "INCREMENTAL"):
            self.AddDatabase(
                f"vacuum_{mode.lower():s}",
                ["DELETE FROM padding", "PRAGMA incremental_vacuum"],
                300,
                tables=(
                    *_TABLES,
                    "CREATE TABLE padding (data)",
                    "INSERT INTO padding VALUES (zeroblob(100000))",
                ),
                pragmas=[f"PRAGMA auto_vacuum = {mode:s}"],
            )
        self.AddDatabase(
            "without_rowid",
            (),
            tables=[f"{statement:s} WITHOUT ROWID" for statement in _TABLES],
        )
        self.AddDatabase(
            "schema",
            [
                "CREATE TRIGGER t AFTER INSERT ON sessions BEGIN "
                "DELETE FROM messages; END",
                'CREATE VIEW "x""; DROP TABLE messages; --" AS SELECT * FROM sessions',
                "CREATE VIEW system_prompts AS WITH RECURSIVE r(hash) AS (SELECT 1 "
                "UNION ALL SELECT hash + 1 FROM r) SELECT hash, hash AS prompt FROM r",
                'CREATE TABLE "state_meta" (key TEXT PRIMARY KEY, value TEXT, '
                '"a""; --" TEXT GENERATED ALWAYS AS (zeroblob(1000000000)))',
                "INSERT INTO state_meta (key, value) VALUES ('fts_x', '1')",
                'ALTER TABLE messages ADD COLUMN "rowid" TEXT',
                'ALTER TABLE messages ADD COLUMN "active" INTEGER GENERATED ALWAYS AS '
                "(zeroblob(500000000))",
            ],
        )
        self.AddDatabase(
            "views",
            [
                "ALTER TABLE messages RENAME TO m",
                "CREATE VIEW messages AS SELECT * FROM m",
            ],
            warnings=["messages: no such table"],
        )
        self.good["views"] = []

    def GetHashes(self):
        """Determines what the tree holds.

        Returns:
          dict[bytes, str]: SHA-256 per path.
        """
        hashes = {}
        for directory, _, names in os.walk(os.fsencode(self.tree)):
            for name in names:
                path = os.path.join(directory, name)
                digest = hashlib.sha256()
                if not os.path.islink(path):
                    with open(path, "rb") as file_object:
                        while data := file_object.read(1 << 20):
                            digest.update(data)
                hashes[path] = digest.hexdigest()
        return hashes

    def testAll(self):
        """Tests all of it, as workers come across it."""
        self.AddJSON()
        self.AddText()
        self.AddNames()
        self.AddDatabases()
        hashes = self.GetHashes()
        storage_file = self.Extract(
            self.tree,
            "--parsers",
            "hermes",
            "--temporary_directory",
            self.temporary_path,
            "--workers",
            "2",
        )

        texts = collections.defaultdict(list)
        messages = set()
        for event in self.Export(storage_file):
            messages.add(event["message"])
            if event["data_type"] in (
                "hermes:message:entry",
                "hermes:permission:setting",
                "hermes:prompt_history:entry",
            ):
                text = event.get("text")
                if "setting" in event:
                    text = f"{event['setting']:s}={event['value']:s}"
                texts[event["username"]].append(text or "")
        self.assertEqual(
            {user: sorted(values) for user, values in texts.items()},
            {user: sorted(good) for user, good in self.good.items() if good},
        )

        # The message does nothing to a terminal.
        self.assertIn(
            "user: good \\x1b[2J\\x1b]0;title\\x07 \\u202egpj.exe \\u2066\\x00 end",
            messages,
        )
        self.assertTrue("".join(messages).isprintable())

        warnings = collections.defaultdict(list)
        reader = storage_factory.StorageFactory.CreateStorageReaderForFile(storage_file)
        try:
            for warning in reader.GetAttributeContainers("extraction_warning"):
                _, _, user = warning.path_spec.location.partition("/home/")
                warnings[user.partition("/")[0]].append(warning.message)
        finally:
            reader.Close()
        for user, expected in self.warnings.items():
            found = sorted(warnings[user])
            matches = [message[: len(start)] for message, start in zip(found, expected)]
            self.assertEqual(matches, expected, (user, found))
            self.assertEqual(len(found), len(expected), (user, found))

        self.assertEqual(self.GetHashes(), hashes)
        self.assertFalse(os.path.exists(self.canary))
        self.assertEqual(
            [
                name
                for name in os.listdir(self.temporary_path)
                if name.startswith("hermes-")
            ],
            [],
        )


if __name__ == "__main__":
    unittest.main()

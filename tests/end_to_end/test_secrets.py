"""End-to-end test: no secret of a home gets into a storage file."""

import json
import os
import sqlite3
import unittest
import zlib

from tests.end_to_end import tool_lib

CANARY = "CANARY-MUST-NOT-BE-STORED"


class SecretsTest(tool_lib.ToolTestCase):
    """End-to-end test: no secret of a home gets into a storage file."""

    def Write(self, name, content):
        """Writes a file of the home of a user.

        Args:
          name (str): path of the file below the home directory of the user.
          content (object): text, or what is written as JSON.
        """
        path = os.path.join(self.temporary_path, "source", "home", "u", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if not isinstance(content, str):
            content = json.dumps(content)
        with open(path, "w", encoding="utf-8") as file_object:
            file_object.write(content)

    def testStorageFile(self):
        """Tests every value of every container of the storage file."""
        self.Write(".hermes/.env", f"KEY={CANARY:s}\n")
        self.Write(
            ".hermes/config.yaml",
            f"model:\n  api_key: {CANARY:s}\napprovals:\n  mode: manual\n"
            f"mcp_servers:\n  a: {{headers: {{Authorization: {CANARY:s}}}}}\n"
            f"command_allowlist:\n  - {{secret: {CANARY:s}}}\n  - ls\n",
        )
        self.Write(
            ".hermes/profiles/p/config.yaml",
            f"approvals: [\n  {CANARY:s}: {{ {CANARY:s}",
        )
        self.Write(
            ".hermes/platforms/pairing/discord-pending.json", {"1": {"code": CANARY}}
        )
        self.Write(
            ".hermes/platforms/pairing/discord-approved.json",
            {"1": {"user_name": "u", "code": CANARY}, "2": [CANARY]},
        )
        self.Write(".hermes/pairing/slack-approved.json", f'{{"1": {{"code": "{CANARY}')
        self.Write(
            ".config/Hermes/connections.json",
            {
                "version": 2,
                "launchMode": "primary",
                "connections": [
                    {
                        "id": "a",
                        "kind": "remote",
                        "label": "l",
                        "url": f"https://u:{CANARY:s}@example.com/?token={CANARY:s}",
                        "token": {"encoding": "plain", "value": CANARY},
                        "headers": {"Authorization": CANARY},
                    },
                    CANARY,
                ],
                "quarantined": [
                    {"reason": "bad", "entry": {"token": CANARY, "headers": [CANARY]}}
                ],
            },
        )
        storage_file = self.Extract(
            os.path.join(self.temporary_path, "source"), "--parsers", "hermes"
        )
        data_types = {event["data_type"] for event in self.Export(storage_file)}
        self.assertEqual(
            data_types, {"hermes:desktop:connection", "hermes:permission:setting"}
        )

        with open(storage_file, "rb") as file_object:
            self.assertNotIn(CANARY.encode("ascii"), file_object.read())

        connection = sqlite3.connect(storage_file)
        number_of_values = 0
        for (table_name,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table'"
        ).fetchall():
            for row in connection.execute(f'SELECT * FROM "{table_name:s}"'):
                for value in row:
                    number_of_values += 1
                    if isinstance(value, bytes):
                        try:
                            value = zlib.decompress(value)
                        except zlib.error:
                            pass
                        value = value.decode("utf-8", "replace")
                    self.assertNotIn(CANARY, str(value), table_name)
        connection.close()
        self.assertGreater(number_of_values, 100)


if __name__ == "__main__":
    unittest.main()

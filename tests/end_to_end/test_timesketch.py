"""End-to-end test: what psort sends to OpenSearch for Timesketch, and the searches."""

import http.server
import json
import os
import re
import threading
import unittest

import yaml

from hermes_plaso import containers
from hermes_plaso import extension

from tests import test_lib
from tests.end_to_end import tool_lib

_DOCUMENT_PATH = os.path.join(test_lib.PROJECT_PATH, "docs", "timesketch.md")

# What Timesketch keeps in documents of its own accord, and what Plaso sends.
_RESERVED_NAMES = frozenset(
    [
        "__ts_analyzer_results",
        "__ts_comment",
        "__ts_emojis",
        "__ts_star",
        "__ts_timeline_id",
        "comment",
        "datetime",
        "display_name",
        "label",
        "message",
        "source_long",
        "source_short",
        "tag",
        "timeline",
        "timesketch_label",
        "timestamp",
        "timestamp_desc",
    ]
)

# Fields that Timesketch's mapping has as keywords of any length.
_MAXIMUM_KEYWORD_SIZE = 32766
_KEYWORDS = ("identifier", "sequence_number", "user_identifier", "version")

_QUERY_NAMES = frozenset(["_exists_", "data_type", "tag"])


def GetAttributeNames():
    """Retrieves the names of our attributes.

    Returns:
      set[str]: names.
    """
    return {
        name
        for event_data_class in containers.EVENT_DATA_CLASSES.values()
        for name in vars(event_data_class())
        if not name.startswith("_")
    }


class Index:
    """Index that takes documents as OpenSearch does.

    Attributes:
      documents (list[dict[str, object]]): documents.
      refused (list[str]): why documents were refused.
    """

    def __init__(self):
        """Initializes an index."""
        self.documents = []
        self.refused = []
        self._types = {}

    def Add(self, document):
        """Adds a document.

        Args:
          document (dict[str, object]): document.
        """
        self.documents.append(document)
        for name, value in document.items():
            values = value if isinstance(value, list) else [value]
            for element in values:
                if element is None:
                    continue
                element_type = type(element).__name__
                if element_type == "float":
                    element_type = "int"
                if name == "version":
                    element_type = "str"
                if self._types.setdefault(name, element_type) != element_type:
                    self.refused.append(f"{name:s} {element!r} {document!r}")
                if element_type == "int" and not -(2**63) <= element < 2**63:
                    self.refused.append(f"{name:s} {element!r}")
                if name in _KEYWORDS and len(str(element)) > _MAXIMUM_KEYWORD_SIZE:
                    self.refused.append(f"{name:s} {len(element):d}")


class RequestHandler(http.server.BaseHTTPRequestHandler):
    """Handler of the requests that psort makes."""

    protocol_version = "HTTP/1.1"

    def _Respond(self, code, value):
        """Responds.

        Args:
          code (int): status code.
          value (dict[str, object]): value of the response.
        """
        data = json.dumps(value).encode("utf-8")
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def do_HEAD(self):  # pylint: disable=invalid-name
        """Tells that there is no index."""
        self._Respond(404, {})

    def do_PUT(self):  # pylint: disable=invalid-name
        """Creates the index."""
        self.rfile.read(int(self.headers["Content-Length"]))
        self._Respond(200, {"acknowledged": True})

    def do_POST(self):  # pylint: disable=invalid-name
        """Adds documents."""
        data = self.rfile.read(int(self.headers["Content-Length"]))
        lines = data.decode("utf-8").split("\n")
        for line in lines[1::2]:
            self.server.index.Add(json.loads(line))
        self._Respond(200, {"errors": False, "items": []})

    def log_message(self, *_):  # pylint: disable=arguments-differ
        """Logs nothing."""


class TimesketchTest(tool_lib.ToolTestCase):
    """End-to-end test: what psort sends to OpenSearch for Timesketch."""

    def setUp(self):
        """Starts a server."""
        super().setUp()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), RequestHandler)
        self.server.index = Index()
        thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        thread.start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)

    def CheckImport(self, source, *arguments):
        """Checks that all events of a source arrive.

        Args:
          source (str): path of the source.
          arguments (list[str]): other arguments.
        """
        storage_file = self.Extract(source, "--parsers", "hermes", *arguments)
        events = self.Export(
            storage_file, "--analysis", "tagging", "--tagging-file", "tag_hermes.txt"
        )
        mappings_path = os.path.join(self.temporary_path, "plaso.mappings")
        with open(mappings_path, "w", encoding="utf-8") as file_object:
            json.dump({"properties": {"datetime": {"type": "date"}}}, file_object)
        self.Run(
            "psort",
            "--quiet",
            "--unattended",
            "--status-view",
            "none",
            "-o",
            "opensearch_ts",
            "--server",
            "127.0.0.1",
            "--port",
            str(self.server.server_address[1]),
            "--index_name",
            "test",
            "--timeline_identifier",
            "1",
            "--opensearch_mappings",
            mappings_path,
            storage_file,
        )
        index = self.server.index
        self.assertEqual(index.refused, [])
        self.assertEqual(len(index.documents), len(events))
        self.assertEqual(
            sorted(document["message"] for document in index.documents),
            sorted(event["message"] for event in events),
        )
        tags = {
            label for document in index.documents for label in document["tag"] or ()
        }
        self.assertIn("application_execution", tags)
        return index.documents

    def testImage(self):
        """Tests the bundled image."""
        documents = self.CheckImport(self.GetTestDataPath("linux_ext4.qcow2"))
        identifiers = {type(document["record_identifier"]) for document in documents}
        self.assertLessEqual(identifiers, {str, type(None)})

    @test_lib.requires_shared
    def testEvidence(self):
        """Tests a home that the real program wrote."""
        home_path = test_lib.ExtractEvidence(self.temporary_path)
        self.CheckImport(os.path.dirname(home_path), "--timezone", "EST5EDT")

    def testNames(self):
        """Tests that no attribute has the name of something else."""
        self.assertEqual(GetAttributeNames() & _RESERVED_NAMES, set())


class SearchesTest(unittest.TestCase):
    """Tests for the tags and searches of the documentation."""

    def setUp(self):
        """Reads the documentation."""
        with open(_DOCUMENT_PATH, encoding="utf-8") as file_object:
            self.document = file_object.read()

    def CheckQuery(self, query):
        """Checks a query.

        Args:
          query (str): query.
        """
        self.assertEqual(query.count("("), query.count(")"), query)
        self.assertEqual(query.count('"') % 2, 0, query)
        without_texts = re.sub(r'"[^"]*"', '""', query)
        names = re.findall(r"(\w+):", without_texts)
        self.assertTrue(names, query)
        self.assertLessEqual(set(names), GetAttributeNames() | _QUERY_NAMES, query)
        for name in re.findall(r"_exists_:(\w+)", query):
            self.assertIn(name, GetAttributeNames())
        for data_type in re.findall(r'"(hermes:[^"]*)"', query):
            self.assertIn(data_type, containers.EVENT_DATA_CLASSES)

    def testTags(self):
        """Tests the definitions for the tagger."""
        (block,) = re.findall(r"```yaml\n(.*?)```", self.document, re.DOTALL)
        definitions = yaml.safe_load(block)
        for name, definition in definitions.items():
            self.assertEqual(
                set(definition), {"query_string", "save_search", "search_name", "tags"}
            )
            self.assertEqual(definition["tags"], [name.replace("_", "-")])
            self.CheckQuery(definition["query_string"])

        # Each label of the tagging file has one.
        with open(
            extension.GetDataPath(extension.TAGGING_FILE_NAME), encoding="utf-8"
        ) as file_object:
            labels = set(re.findall(r"^(\w+)$", file_object.read(), re.MULTILINE))
        labels.remove("application_execution")
        self.assertEqual(set(definitions) - {"hermes_terminal_command"}, labels)

    def testSearches(self):
        """Tests the saved searches."""
        queries = re.findall(r"^\| [^|`]+ \| `(.+)` \|$", self.document, re.MULTILINE)
        self.assertEqual(len(queries), 9)
        for query in queries:
            self.CheckQuery(query)

    def testMappings(self):
        """Tests that the fields of mixed types are mapped as text."""
        (block,) = re.findall(r"```json\n(.*?)```", self.document, re.DOTALL)
        properties = json.loads(block)
        self.assertEqual(set(properties), set(extension.FIELDS_OF_MIXED_TYPES))
        self.assertEqual({value["type"] for value in properties.values()}, {"text"})


if __name__ == "__main__":
    unittest.main()

"""Tests for JSON documents and lines that may be damaged."""

import unittest

from hermes_plaso.formats import documents


class DocumentsTest(unittest.TestCase):
    """Tests for JSON documents."""

    def testFromBytes(self):
        """Tests what is read although it is not quite JSON."""
        self.assertEqual(documents.FromBytes(b'{"a": 1}'), ({"a": 1}, None))
        self.assertEqual(documents.FromBytes(b'\xef\xbb\xbf["a"]'), (["a"], None))
        self.assertEqual(documents.FromBytes('["a"]'.encode("utf-16")), (["a"], None))
        # Raw control characters, undecodable bytes.
        self.assertEqual(documents.FromBytes(b'"a\x01\nb"'), ("a\x01\nb", None))
        self.assertEqual(documents.FromBytes(b'"a\xff\xfeb"'), ("a\\xff\\xfeb", None))

    def testFromBytesReason(self):
        """Tests why a document is no JSON, without a quote of it."""
        _, reason = documents.FromBytes(b'{\n"key": SECRET}')
        self.assertEqual(
            reason, "not valid JSON: Expecting value at line 2 character 8"
        )
        for data in (
            b"SECRET",
            b'{"SECRET',
            b'{"a": "SECRET\\q"}',
            b'{"a": 1} SECRET',
            b"{SECRET: 1}",
            b"\x00SECRET",
            b"\xff\xfeSECRET",
            b"",
        ):
            value, reason = documents.FromBytes(data)
            self.assertIsNone(value)
            self.assertTrue(reason.startswith("not valid JSON: "), reason)
            self.assertNotIn("SECRET", reason)
        self.assertEqual(
            documents.FromBytes(b"[" * 1000000)[1], "not valid JSON: nested too deep"
        )

    def testFromBytesLargeNumber(self):
        """Tests that a number that Python refuses costs nothing else."""
        digits = "1" * 10000
        self.assertEqual(
            documents.FromBytes(f'{{"a": -{digits:s}, "b": 2}}'.encode("ascii")),
            ({"a": f"-{digits:s}", "b": 2}, None),
        )
        value, reason = documents.FromBytes(f"[{digits:s}, SECRET]".encode("ascii"))
        self.assertIsNone(value)
        self.assertEqual(
            reason, "not valid JSON: Expecting value at line 1 character 10004"
        )

    def testObjectFromBytes(self):
        """Tests that only an object is one."""
        self.assertEqual(documents.ObjectFromBytes(b"{}"), ({}, None))
        self.assertEqual(documents.ObjectFromBytes(b"[]"), (None, "not an object"))

    def testDocumentFromBytes(self):
        """Tests a document that something is before or after."""
        for data, expected in (
            (b'{"a": 1}\n', ({"a": 1}, None, True)),
            (
                b'{"a": 1}\n\x00\x00',
                ({"a": 1}, "more than a document: 2 zero bytes", True),
            ),
            (b"\x00[1]", ([1], "more than a document: 1 zero bytes", True)),
            (
                b' {"a": 1}\n SECRET}',
                (
                    {"a": 1},
                    "more than a document: not valid JSON: Extra data at line 2 "
                    "character 2",
                    True,
                ),
            ),
            (b"\x00\x00", (None, "zero bytes only", False)),
            (
                b"1" * 5000 + b"]",
                (
                    "1" * 5000,
                    "more than a document: not valid JSON: Extra data at line 1 "
                    "character 5001",
                    True,
                ),
            ),
            (b"null", (None, None, True)),
            (
                "[1]\x00".encode("utf-16"),
                ([1], "more than a document: 1 zero bytes", True),
            ),
        ):
            self.assertEqual(documents.DocumentFromBytes(data), expected)
        self.assertEqual(documents.DocumentFromBytes(b'{"cut')[::2], (None, False))

    def testMemberFinder(self):
        """Tests the lines of members, which are looked for in their order."""
        member_finder = documents.MemberFinder('{\n"é": 1,\n"b": 2}'.encode("utf-8"))
        self.assertEqual(member_finder.Find("é"), 2)
        self.assertIsNone(member_finder.Find("c"))
        self.assertEqual(member_finder.Find("b"), 3)
        self.assertIsNone(member_finder.Find("\ud800"))

    def testUnparsedLine(self):
        """Tests the record of a line that could not be decoded."""
        record = documents.UnparsedLine("not an object", b"[1, \xff]", 3)
        self.assertEqual(
            record.values,
            {
                "reason": "unparseable line (not an object)",
                "record_identifier": 3,
                "value": "[1, \\xff]",
            },
        )
        self.assertEqual(
            record.warnings, ["unparseable line 3 (not an object): [1, \\xff]"]
        )


class RepeatedNamesTest(unittest.TestCase):
    """Tests for names that an object has more than once."""

    def testDocumentFromBytes(self):
        """Tests that what is not read is told."""
        for data, is_repeated in (
            (b'{"a": 1, "b": {"a": 1}}', False),
            (b'[{"a": 1}, {"a": 2}]', False),
            (b'{"a": 1, "a": 2}', True),
            (b'{"x": [{"a": 1, "b": 2, "a": 3}]}', True),
        ):
            _, reason, has_document = documents.DocumentFromBytes(data)
            self.assertTrue(has_document)
            self.assertEqual("more than once" in (reason or ""), is_repeated, data)


if __name__ == "__main__":
    unittest.main()

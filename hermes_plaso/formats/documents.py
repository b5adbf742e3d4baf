"""JSON documents and lines as files hold them, which may be damaged."""

import codecs
import json

from hermes_plaso.formats import records
from hermes_plaso.formats import text

# What a file may be to be read as one document, which is in memory as a whole. No
# document that Hermes writes comes near it: lines are read one by one.
MAXIMUM_DOCUMENT_SIZE = 64 * 1024 * 1024


def _ToInteger(digits):
    """Reads an integer.

    Args:
      digits (str): digits, with a sign or without.

    Returns:
      int|str: integer, or the digits where Python refuses to convert them.
    """
    try:
        return int(digits)
    except ValueError:
        return digits


# Damaged files are seen with raw control characters inside strings, see "Damage seen in
# the field" in the corrections (NousResearch/hermes-agent issue 3537). And Python
# refuses integers of over 4300 digits: one must not cost the whole document.
_LENIENT_DECODER = json.JSONDecoder(parse_int=_ToInteger, strict=False)
_UNIQUE_NAMES_DECODER = json.JSONDecoder(
    object_pairs_hook=text.CreateObject, parse_int=_ToInteger, strict=False
)

_UNICODE_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def _EscapeInJSON(exception):
    """Escapes undecodable bytes, so that a JSON string shows them as \\xff.

    Args:
      exception (UnicodeError): exception.

    Returns:
      tuple[str, int]: replacement and position to continue at.

    Raises:
      UnicodeError: if the exception is not that of a decoder.
    """
    if not isinstance(exception, UnicodeDecodeError):
        raise exception
    undecodable = exception.object[exception.start : exception.end]
    return "".join(f"\\\\x{byte:02x}" for byte in undecodable), exception.end


codecs.register_error("hermes_json", _EscapeInJSON)


def ToString(data, errors="backslashreplace"):
    """Decodes the text of a file.

    Args:
      data (bytes): text, UTF-8 unless a byte order mark says otherwise.
      errors (Optional[str]): how undecodable bytes are handled.

    Returns:
      str: text.
    """
    for mark, encoding in _UNICODE_MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, errors)
    return data.decode("utf-8", errors)


def FromBytes(data):
    """Reads JSON from the bytes of a file or a line.

    Args:
      data (bytes): JSON.

    Returns:
      tuple[object, str]: value and None, or value and text.REPEATED_NAMES, or None and
          why it is not JSON, without a quote of it.
    """
    value, reason, _ = _FromString(ToString(data, errors="hermes_json"))
    return value, reason


def _FromString(document):
    """Reads JSON from a string.

    Args:
      document (str): JSON.

    Returns:
      tuple[object, str, bool]: value and None, or value and text.REPEATED_NAMES, or
          None and why it is not JSON, and True if that is only what follows a value.
    """
    reason = text.CheckSize(document)
    if reason:
        return None, reason, False
    try:
        try:
            return _UNIQUE_NAMES_DECODER.decode(document), None, False
        except text.RepeatedNamesError:
            value = _LENIENT_DECODER.decode(document)
            return value, text.REPEATED_NAMES, False
    except json.JSONDecodeError as exception:
        message = text.DescribeJSONError(exception)
        reason = (
            f"not valid JSON: {message:s} at line {exception.lineno:d} "
            f"character {exception.colno:d}"
        )
        return None, reason, message == "Extra data"
    except RecursionError:
        return None, "not valid JSON: nested too deep", False


def DocumentFromBytes(data):
    """Reads the JSON document that a file holds, and maybe more than that.

    A loss of power leaves zero bytes where a file was to be. A document that is
    written over a longer one, or cut off another, is followed by the rest of that.

    Args:
      data (bytes): content of the file.

    Returns:
      tuple[object, str, bool]: document and None, or document and what is in the file
          beside it, or None and why there is no document, none of which quotes the
          file; and True if there is a document.
    """
    document = ToString(data, errors="hermes_json")
    stripped = document.strip("\x00")
    if not stripped:
        return None, "zero bytes only", False

    value, reason, has_extra_data = _FromString(stripped)
    if has_extra_data:
        start = len(stripped) - len(stripped.lstrip())
        value, _ = _LENIENT_DECODER.raw_decode(stripped, start)
        return value, f"more than a document: {reason:s}", True
    if reason and reason != text.REPEATED_NAMES:
        return value, reason, False
    if len(stripped) < len(document):
        number_of_zero_bytes = len(document) - len(stripped)
        reason = f"more than a document: {number_of_zero_bytes:d} zero bytes"
    return value, reason, True


def ObjectFromBytes(data):
    """Reads a JSON object from the bytes of a file or a line.

    Args:
      data (bytes): JSON.

    Returns:
      tuple[dict, str]: object and None, or object and text.REPEATED_NAMES, or None and
          why there is none.
    """
    value, reason = FromBytes(data)
    if reason and reason != text.REPEATED_NAMES:
        return None, reason
    if not isinstance(value, dict):
        return None, "not an object"
    return value, reason


class MemberFinder:
    """Finds the lines of the members of a JSON object, for warnings without values.

    The members are asked for in their order, so that each is looked for from the one
    before it.
    """

    # A name can be written in another way than it is looked for.
    _MAXIMUM_NUMBER_OF_MISSES = 100

    def __init__(self, data):
        """Initializes a finder.

        Args:
          data (bytes): JSON.
        """
        super().__init__()
        self._data = data
        self._line_number = 1
        self._number_of_misses = 0
        self._position = 0

    def Find(self, name):
        """Finds the line of a member.

        Args:
          name (str): name of the member.

        Returns:
          int: number of the line or None if the name is not found as it is.
        """
        if self._number_of_misses >= self._MAXIMUM_NUMBER_OF_MISSES:
            return None
        for ascii_only in (True, False):
            try:
                encoded = json.dumps(name, ensure_ascii=ascii_only).encode("utf-8")
            except UnicodeEncodeError:
                continue
            position = self._data.find(encoded, self._position)
            if position >= 0:
                self._line_number += self._data.count(b"\n", self._position, position)
                self._position = position
                return self._line_number
        self._number_of_misses += 1
        return None


def UnparsedLine(reason, line, line_number, values=None):
    """Creates the record of a line that could not be decoded.

    The wording is that of the reference, "Bad-line rows".

    Args:
      reason (str): why the line could not be decoded.
      line (bytes): line.
      line_number (int): number of the line.
      values (Optional[dict[str, object]]): other attribute values.

    Returns:
      Record: hermes:unparsed:entry record, which carries its own warning.
    """
    value = line.decode("utf-8", "backslashreplace")
    values = dict(values or {})
    values["reason"] = f"unparseable line ({reason:s})"
    values["record_identifier"] = line_number
    values["value"] = value
    return records.Record(
        records.UNPARSED,
        values,
        warnings=[
            f"unparseable line {line_number:d} ({reason:s}): {records.Shorten(value):s}"
        ],
    )


def UnparsedEntry(reason, value, record_identifier, values=None):
    """Creates the record of an entry of a document that could not be decoded.

    Args:
      reason (str): why the entry could not be decoded.
      value (object): entry, decoded from JSON.
      record_identifier (int|str): what finds the entry again.
      values (Optional[dict[str, object]]): other attribute values.

    Returns:
      Record: hermes:unparsed:entry record, which carries its own warning.
    """
    if not isinstance(value, str):
        value = text.ToJSON(value)
    return records.Unparsed(reason, value, record_identifier, values=values)

"""Text and JSON as Hermes stores them."""

import itertools
import json
import re

# Hermes marks JSON content in messages.content with this prefix, see "Record schema"
# (hermes_state_common.py).
CONTENT_PREFIX = "\x00json:"

# Part types of OpenAI chat-completions content that hold an image
# (agent/session_persistence.py, agent/image_routing.py).
_IMAGE_TYPES = frozenset(["image", "image_url", "input_image"])

_SURROGATES_RE = re.compile("[\ud800-\udfff]")

# What a JSON text may hold to be decoded: an empty object takes three bytes of it and
# 72 of memory, a member up to 200. Hermes writes some ten values per message.
_MAXIMUM_NUMBER_OF_VALUES = 3000000

# Number of characters, of which each can take four bytes in each of some copies.
_MAXIMUM_NUMBER_OF_CHARACTERS = 32 * 1024 * 1024


# Python takes the last value of a name, and Hermes writes none twice.
REPEATED_NAMES = "names that are there more than once, of which the last is read"


class RepeatedNamesError(Exception):
    """Raised where a JSON object has a name more than once."""


def CreateObject(pairs):
    """Creates a JSON object, as object_pairs_hook of a decoder.

    Args:
      pairs (list[tuple[str, object]]): names and values.

    Returns:
      dict[str, object]: object.

    Raises:
      RepeatedNamesError: if a name is there more than once.
    """
    json_object = dict(pairs)
    if len(json_object) < len(pairs):
        raise RepeatedNamesError
    return json_object


_UNIQUE_NAMES_DECODER = json.JSONDecoder(object_pairs_hook=CreateObject)


def EscapeSurrogates(text):
    """Escapes lone surrogates, which no storage or output can encode.

    Args:
      text (str): text.

    Returns:
      str: text in which each surrogate is written as \\ud800.
    """
    if text.isascii():
        return text
    return _SURROGATES_RE.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def ToText(value):
    """Converts a stored value to text.

    Args:
      value (object): value of a SQLite cell or of JSON.

    Returns:
      str: text, with undecodable bytes escaped, or None if the value is None.
    """
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    if isinstance(value, (dict, list, bool)):
        return ToJSON(value)
    try:
        return str(value)
    except ValueError:
        # Python refuses integers of over 4300 digits.
        return hex(value)


def ToJSON(value):
    """Writes a value as compact JSON.

    Args:
      value (object): value that came from JSON.

    Returns:
      str: JSON.
    """
    try:
        return json.dumps(value, ensure_ascii=False)
    except (RecursionError, ValueError):
        # Some levels fewer can be written than read, and Python refuses integers of
        # over 4300 digits.
        return "".join(_GenerateJSON(value))


def _GenerateJSON(value):
    """Writes a value as compact JSON, however deep it is nested.

    Args:
      value (object): value that came from JSON.

    Yields:
      str: JSON, piece by piece.
    """
    # Each is an iterator over the rest of a list or object and what ends it.
    containers = [(iter([("", value)]), "")]
    while containers:
        members, end = containers[-1]
        prefix, member = next(members, (None, None))
        if prefix is None:
            yield end
            containers.pop()
            continue

        yield prefix
        if isinstance(member, dict):
            yield "{"
            containers.append((_GenerateMembers(member), "}"))
        elif isinstance(member, list):
            yield "["
            items = zip(itertools.chain([""], itertools.repeat(", ")), member)
            containers.append((items, "]"))
        elif isinstance(member, int) and not isinstance(member, bool):
            yield ToText(member)
        else:
            yield json.dumps(member, ensure_ascii=False)


def _GenerateMembers(json_object):
    """Writes the names of the members of a JSON object.

    Args:
      json_object (dict[str, object]): JSON object.

    Yields:
      tuple[str, object]: name of a member, with all that stands before its value, and
          the value.
    """
    separator = ""
    for name, value in json_object.items():
        yield f"{separator:s}{json.dumps(name, ensure_ascii=False):s}: ", value
        separator = ", "


def CheckSize(text):
    """Checks that a JSON text does not take too much memory when it is decoded.

    Args:
      text (str): JSON.

    Returns:
      str: why it does, or None if it does not.
    """
    if len(text) > _MAXIMUM_NUMBER_OF_CHARACTERS:
        return f"more than {_MAXIMUM_NUMBER_OF_CHARACTERS:d} characters"
    if len(text) > _MAXIMUM_NUMBER_OF_VALUES:
        number_of_values = sum(text.count(character) for character in "[{,")
        if number_of_values > _MAXIMUM_NUMBER_OF_VALUES:
            return f"more than {_MAXIMUM_NUMBER_OF_VALUES:d} values"
    return None


def DescribeJSONError(exception):
    """Describes why a text is not JSON, without a quote of it and without the place.

    Args:
      exception (json.JSONDecodeError): exception.

    Returns:
      str: description.
    """
    message = exception.msg
    if message.startswith("Invalid"):
        message, _, _ = message.partition(":")
        message, _, _ = message.partition(" '")
    return message.removesuffix(" at").removesuffix(" starting")


def FromJSON(text):
    """Reads JSON.

    Args:
      text (str): JSON.

    Returns:
      tuple[object, str]: value and None, or None and why it is not JSON, without a
          quote of it.
    """
    reason = CheckSize(text)
    if reason:
        return None, reason
    try:
        return json.loads(text), None
    except json.JSONDecodeError as exception:
        message = DescribeJSONError(exception)
        return None, f"{message:s} at character {exception.pos:d}"
    except RecursionError:
        return None, "nested too deep"
    except ValueError:
        return None, "a number too large"


def FromJSONWithNames(text):
    """Reads JSON, and tells if it has names more than once.

    Args:
      text (str): JSON.

    Returns:
      tuple[object, str]: value and None, or value and REPEATED_NAMES, or None and why
          it is not JSON, without a quote of it.
    """
    reason = CheckSize(text)
    if reason:
        return None, reason
    try:
        return _UNIQUE_NAMES_DECODER.decode(text), None
    except RepeatedNamesError:
        value, reason = FromJSON(text)
        return value, reason or REPEATED_NAMES
    except (RecursionError, ValueError):
        return FromJSON(text)


def ObjectFromJSON(value):
    """Reads a JSON object from a cell.

    Args:
      value (object): value of the cell.

    Returns:
      tuple[dict, str]: object and None, or None and why the cell holds none. Both are
          None for a cell that is NULL or empty.
    """
    if value is None or value == "":
        return None, None
    if isinstance(value, bytes):
        value = ToText(value)
    if not isinstance(value, str):
        return None, "not a JSON object"

    json_object, reason = FromJSON(value)
    if reason:
        return None, f"not valid JSON: {reason:s}"
    if not isinstance(json_object, dict):
        return None, "not a JSON object"
    return json_object, None


def _JoinPart(part):
    """Converts a content part to text.

    Args:
      part (object): content part.

    Returns:
      str: text of the part.
    """
    if isinstance(part, dict):
        part_type = part.get("type")
        if isinstance(part_type, str) and part_type in _IMAGE_TYPES:
            return "[image]"
        part_text = part.get("text")
        if isinstance(part_text, str):
            return part_text
    return ToText(part) or ""


def JoinContent(content):
    """Converts decoded message content to text.

    Args:
      content (object): a string, a list of content parts or another JSON value.

    Returns:
      str: text, in which an image part is [image], or None if there is no content.
    """
    if isinstance(content, list):
        return "\n".join(_JoinPart(part) for part in content)
    if isinstance(content, dict):
        return _JoinPart(content)
    return ToText(content)


def DecodeContent(content):
    """Decodes the content of a message.

    Args:
      content (object): content as a store holds it: text with or without the prefix
          of JSON content, BLOB, number, or a list where the store is JSON itself.

    Returns:
      str: text a person would read, the content as stored if it does not decode, or
          None if there is no content.
    """
    if isinstance(content, bytes):
        content = ToText(content)
    if not isinstance(content, str):
        return JoinContent(content)
    if not content.startswith(CONTENT_PREFIX):
        return content

    decoded, reason = FromJSON(content[len(CONTENT_PREFIX) :])
    if reason or decoded is None:
        return content
    return JoinContent(decoded)


def Number(value):
    """Reads a counter.

    Args:
      value (object): value of the cell.

    Returns:
      int|float|str: the number, the cell as text if it holds something else, or None
          if it is NULL.
    """
    if value is None:
        return None
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int) and -(1 << 63) <= value < 1 << 63:
        return value
    if isinstance(value, float) and value - value == 0.0:
        return value
    return ToText(value)


def Flag(value):
    """Reads a flag.

    Plaso's filters never match 0, so a flag is only set where it is true.

    Args:
      value (object): value of the cell.

    Returns:
      int: 1 if the flag is true, None otherwise.
    """
    if value in (None, 0, "", "0", "false", "False", b"", b"0"):
        return None
    return 1


def String(value):
    """Reads a text cell.

    Args:
      value (object): value of the cell.

    Returns:
      str: text or None if the cell is NULL or empty.
    """
    # This is asked of every column of every row: most hold text or nothing.
    if value is None:
        return None
    if not isinstance(value, str):
        value = ToText(value)
    return value or None

"""Run archive of scheduled jobs, cron/output/<job>/<stamp>.md.

See "Cron run archive" in the reference and "Cron documents" in the corrections
(cron/scheduler.py, cron/scheduler_prompt.py).
"""

import codecs
import re

from hermes_plaso.formats import documents
from hermes_plaso.formats import messages
from hermes_plaso.formats import records
from hermes_plaso.formats import times

_NAME_RE = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})_([0-9]{2})-([0-9]{2})-([0-9]{2})\.md"
)

_TITLE_RE = re.compile(r"# Cron Job: ([^\n]*)\n")
_FIELD_RE = re.compile(r"\*\*([A-Z][A-Za-z ]*):\*\* ?([^\n]*)(?:\n|\Z)")
_FAILED_SUFFIX = " (FAILED)"

# The lengths, in characters, that frame the sections, so that a heading that is quoted
# in one of them is no boundary.
_PROMPT_FRAME_RE = re.compile(r"\*\*Prompt Characters:\*\* ([0-9]{1,12})\n")
_RESPONSE_FRAME_RE = re.compile(
    r"\n\n?\*\*Response Characters:\*\* ([0-9]{1,12})\n## Response\n\n"
)

_PROMPT_HEADING_RE = re.compile(r"(?:\A|\n)## Prompt\n\n?")
_ERROR_HEADING = "\n\n## Error\n"
_RESPONSE_HEADING = "\n\n## Response\n"


class Document:
    """Document of a run.

    Attributes:
      error (str): error of a run that failed or None.
      fields (dict[str, str]): fields of the header.
      name (str): name of the job or None.
      prompt (str): prompt or None if there is no prompt section.
      response (str): response or None if there is none.
      status (str): status of a run that did not complete or None.
    """

    def __init__(self):
        """Initializes a document."""
        super().__init__()
        self.error = None
        self.fields = {}
        self.name = None
        self.prompt = None
        self.response = None
        self.status = None


def IsDocument(head):
    """Determines if a file is the document of a run.

    Args:
      head (bytes): first bytes of the file.

    Returns:
      bool: True if it starts as one.
    """
    return head.startswith(b"# Cron Job: ")


def SplitPath(path):
    """Splits the path of a document.

    Args:
      path (str): path below the home, or the name where the rest of it is not known.

    Returns:
      tuple[str, str]: name of the file and identifier of the job or None.
    """
    components = path.split("/")
    return components[-1], components[-2] if len(components) > 1 else None


def _SplitFrames(text, position):
    """Splits the sections of a document by the lengths that frame them.

    Args:
      text (str): document.
      position (int): where the header ends.

    Returns:
      tuple[str, str]: prompt and response, or None and None if there are no frames or
          they do not fit.
    """
    match = _PROMPT_FRAME_RE.match(text, position)
    if not match:
        return None, None
    heading_match = _PROMPT_HEADING_RE.match(text, match.end() - 1)
    if not heading_match:
        return None, None

    start = heading_match.end()
    end = start + int(match.group(1), 10)
    match = _RESPONSE_FRAME_RE.match(text, end)
    if not match:
        return None, None

    response = text[match.end() :]
    size = int(match.group(1), 10)
    if len(response) > size and not response[size:].strip("\n"):
        response = response[:size]
    elif len(response) != size:
        response = _StripEnd(response)
    return text[start:end], response


def _StripEnd(section):
    """Removes the line feed that the writer puts after a section.

    Args:
      section (str): section.

    Returns:
      str: section.
    """
    return section.removesuffix("\n")


def _SplitAtHeading(section, heading):
    """Splits a section at a heading of which it may quote others.

    Args:
      section (str): section.
      heading (str): heading, with the line feed after it.

    Returns:
      tuple[str, str]: what is before the heading and what is after it, None if there
          is no such heading.
    """
    # The writer has a blank line after the heading, a quote often has not.
    position = section.rfind(f"{heading:s}\n")
    size = len(heading) + 1
    if position < 0:
        position = section.rfind(heading)
        size = len(heading)
    if position < 0:
        return section, None
    return section[:position], section[position + size :]


def Parse(text):
    """Parses the document of a run.

    Args:
      text (str): document, with line feeds only.

    Returns:
      Document: document.
    """
    document = Document()

    match = _TITLE_RE.match(text)
    if not match:
        return document
    document.name = match.group(1)
    position = match.end()
    while True:
        while text.startswith("\n", position):
            position += 1
        match = _FIELD_RE.match(text, position)
        if not match or match.group(1) == "Prompt Characters":
            break
        document.fields.setdefault(match.group(1), match.group(2))
        position = match.end()

    has_failed = document.name.endswith(_FAILED_SUFFIX)
    if has_failed:
        document.name = document.name[: -len(_FAILED_SUFFIX)]
        document.status = "failed"
    elif "Status" in document.fields:
        document.status = document.fields["Status"].lower()

    if not has_failed:
        document.prompt, document.response = _SplitFrames(text, position)
        if document.prompt is not None:
            return document

    # Only the heading that follows the header is that of the section.
    match = _PROMPT_FRAME_RE.match(text, position)
    if match:
        position = match.end()
    match = _PROMPT_HEADING_RE.match(text, position - 1)
    if not match:
        if has_failed:
            _, error = _SplitAtHeading(text[position - 2 :], _ERROR_HEADING)
            document.error = _StripEnd(error) if error is not None else None
        return document

    section = text[match.end() :]
    if has_failed:
        document.prompt, document.error = _SplitAtHeading(section, _ERROR_HEADING)
        if document.error is not None:
            document.error = _StripEnd(document.error)
    else:
        matches = list(_RESPONSE_FRAME_RE.finditer(section))
        if matches:
            # The lengths do not fit, as in a file that lost a byte.
            document.prompt = section[: matches[-1].start()]
            document.response = section[matches[-1].end() :]
        else:
            document.prompt, document.response = _SplitAtHeading(
                section, _RESPONSE_HEADING
            )
    if document.response is not None:
        document.response = _StripEnd(document.response)
    elif document.error is None:
        document.prompt = _StripEnd(document.prompt)
    return document


def _ToText(value):
    """Shows the bytes of a text that could not be decoded.

    Args:
      value (str): text, in which each such byte is a surrogate, or None.

    Returns:
      str: text or None.
    """
    if value is None or value.isascii():
        return value
    return value.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def Decode(data, name, job_identifier):
    """Decodes the document of a run.

    Args:
      data (bytes): document.
      name (str): name of the file.
      job_identifier (str): identifier of the job, as the path has it, or None.

    Yields:
      Record: record of the run, then those of the prompt and the response.
    """
    # One character per byte that cannot be decoded, since the frames count characters.
    if data.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_BE, codecs.BOM_UTF16_LE)):
        text = documents.ToString(data)
    else:
        text = data.decode("utf-8", "surrogateescape")
    if "\r\n" in text and text[: text.find("\n") + 1].endswith("\r\n"):
        text = text.replace("\r\n", "\n")
    document = Parse(text)

    row_times = times.RowTimes(name)
    match = _NAME_RE.fullmatch(name)
    timestamp = None
    if match:
        date, hours, minutes, seconds = match.groups()
        timestamp = times.FromDateAndTime(date.encode("ascii"), hours, minutes, seconds)
    if timestamp:
        row_times.times["recorded_time"] = timestamp
    else:
        row_times.time_value = name

    values = {
        "error": _ToText(document.error),
        "job_identifier": job_identifier or _ToText(document.fields.get("Job ID")),
        "job_name": _ToText(document.name),
        "run_status": _ToText(document.status),
        "schedule": _ToText(document.fields.get("Schedule")),
        "time_value": row_times.time_value,
        "turn_type": "system",
    }
    number_of_zero_bytes = 0 if text.strip("\x00") else len(text)
    if document.prompt is None and not number_of_zero_bytes:
        values["text"] = _ToText(_StripEnd(text))
        values["error"] = None
    else:
        values["agent_job_identifier"] = values["job_identifier"]
    record = records.Record("hermes:cron:run", values, times={"run_time": timestamp})
    if number_of_zero_bytes:
        # A loss of power leaves them where a document was to be. There was a run.
        record.warnings.append(f"document of {number_of_zero_bytes:d} zero bytes")
    if not timestamp:
        record.warnings.append(f"no usable time in the name of the file: {name:s}")
    yield record

    message_decoder = messages.MessageDecoder()
    base = {"job_identifier": values["job_identifier"]}
    for role, part, content in (
        ("user", "prompt", document.prompt),
        ("assistant", "response", document.response),
    ):
        if content is not None:
            yield from message_decoder.Decode(
                {"content": _ToText(content), "role": role}, base, row_times, part
            )

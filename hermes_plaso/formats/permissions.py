"""Permission decisions and standing permission settings."""

from hermes_plaso.formats import indicators
from hermes_plaso.formats import records
from hermes_plaso.formats import text

# Values of "status" in the result of the terminal tool (tools/terminal_tool.py).
_STATUS_BLOCKED = "blocked"
_STATUS_PENDING = "pending_approval"


# Who decided, by the words of the note or the refusal (tools/approval.py,
# tools/terminal_tool.py). A timeout is that of a person who was asked.
_DECIDERS = (
    ("timeout", ("timed out", "Silence is not consent")),
    ("smart_approval", ("smart approval",)),
    ("hardline", ("(hardline)",)),
    ("deny_rule", ("deny rule",)),
    ("user", ("approved by the user", "User denied", "denied by user")),
)


def _GetDecider(reason, user_summary):
    """Determines who decided about a command.

    Args:
      reason (str): note or refusal or None.
      user_summary (str): what a person who was asked was told or None.

    Returns:
      str: user, timeout, smart_approval, hardline or deny_rule, None if the words do
          not tell, as those of a command that waits.
    """
    for decider, phrases in _DECIDERS:
        if any(phrase in (reason or "") for phrase in phrases):
            return decider
    return "user" if user_summary else None


def IsDecisionCandidate(role, tool_name, content):
    """Determines if a message is worth decoding as a permission decision.

    Args:
      role (str): role of the message.
      tool_name (str): name of the tool or None if the store does not tell.
      content (str): text of the message.

    Returns:
      bool: True if the message may hold a permission decision.
    """
    return (
        role == "tool"
        and tool_name in (None, "terminal")
        and content is not None
        and ('"approval"' in content or '"status"' in content)
    )


def DecodeDecision(content, base, times, tool_call_identifier, command):
    """Decodes the permission decision that a result of the terminal tool records.

    Args:
      content (str): text of the result.
      base (dict[str, object]): attribute values of the message, its session included.
      times (dict[str, Timestamp]): date and time values of the message.
      tool_call_identifier (str): identifier of the call.
      command (str): command of the call, where it is known.

    Returns:
      Record: hermes:permission:decision record or None if the result records none.
    """
    result, _ = text.FromJSON(content)
    if not isinstance(result, dict):
        return None

    status = result.get("status")
    approval = text.String(result.get("approval"))
    reason = None
    user_summary = None

    if status == _STATUS_PENDING:
        outcome = "pending"
        smart_denied = "true" if result.get("smart_denied") else "false"
        summary = f"smart_denied={smart_denied:s}"
        if result.get("pattern_key"):
            summary = f"pattern={text.String(result['pattern_key']):s} {summary:s}"
        reason = text.String(result.get("error"))
    elif status == _STATUS_BLOCKED:
        outcome = "blocked"
        reason = text.String(result.get("error"))
        user_summary = text.String(result.get("user_summary"))
        summary = reason or ""
        if user_summary:
            summary = f"{summary:s} user_summary={user_summary:s}".strip()
    elif approval:
        outcome = "approved"
        reason = approval
        summary = f"({approval:s})"
    else:
        return None

    values = dict(base)
    values["allow_permanent"] = text.Flag(result.get("allow_permanent"))
    values["command"] = text.String(result.get("command")) or command
    values["decided_by"] = _GetDecider(reason, user_summary)
    values["description"] = text.String(result.get("description"))
    values["indicators"] = indicators.FromCommand(values["command"]) or None
    values["outcome"] = outcome
    values["pattern_key"] = text.String(result.get("pattern_key"))
    values["reason"] = reason
    values["smart_denied"] = text.Flag(result.get("smart_denied"))
    values["text"] = f"{outcome:s} {summary:s}".rstrip()
    values["tool_call_identifier"] = tool_call_identifier
    values["tool_name"] = base.get("tool_name") or "terminal"
    values["user_summary"] = user_summary
    return records.Record("hermes:permission:decision", values, times=times)


def Setting(setting, value, origin, base, times):
    """Creates the record of a standing permission setting.

    Args:
      setting (str): name of the setting, such as yolo_mode.
      value (object): value of the setting.
      origin (str): where the setting was found, in the words of the reference.
      base (dict[str, object]): attribute values of the session or store.
      times (dict[str, Timestamp]): date and time values of the setting.

    Returns:
      Record: hermes:permission:setting record.
    """
    values = dict(base)
    values["origin"] = origin
    values["setting"] = setting
    values["value"] = text.ToText(value)
    return records.Record("hermes:permission:setting", values, times=times)

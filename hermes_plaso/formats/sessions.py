"""Sessions: rows of sessions and session_model_usage, and what follows from them."""

import re

from hermes_plaso.formats import indicators
from hermes_plaso.formats import permissions
from hermes_plaso.formats import records
from hermes_plaso.formats import text
from hermes_plaso.formats import times

# Sources whose sessions a person drove from a messaging platform (gateway/config.py);
# local and api_server are gateway sources that relay nothing.
_MESSAGING_SOURCES = frozenset(
    [
        "bluebubbles",
        "dingtalk",
        "discord",
        "email",
        "feishu",
        "google_chat",
        "irc",
        "line",
        "matrix",
        "mattermost",
        "msgraph_webhook",
        "qqbot",
        "relay",
        "signal",
        "slack",
        "sms",
        "teams",
        "telegram",
        "webhook",
        "wecom",
        "wecom_callback",
        "weixin",
        "whatsapp",
        "whatsapp_cloud",
        "yuanbao",
    ]
)
_NOT_MESSAGING_SOURCES = frozenset(["api_server", "local"])

# Keys of model_config that name the session a session came from, see corrections 9.
_PARENT_KEYS = (
    ("_delegate_from", "delegate"),
    ("_branched_from", "branch"),
    ("_reset_from", "reset"),
)
_RELATION_BY_END_REASON = {"branched": "branch", "compression": "compression"}

# <repository>/.worktrees/<name>, on a branch below one of these
# (hermes_cli/worktree_ops.py, tools/subagent_worktree.py).
_WORKTREE_RE = re.compile(r"(.*?)[/\\]\.worktrees[/\\][^/\\]+")
_WORKTREE_BRANCHES = ("hermes/", "hermes-subagent/")

_FLAGS = ("archived", "auto_archived", "hidden", "pinned")
_COUNTERS = (
    "api_call_count",
    "cache_read_tokens",
    "cache_write_tokens",
    "input_tokens",
    "message_count",
    "output_tokens",
    "reasoning_tokens",
    "rewind_count",
    "tool_call_count",
)
_COSTS = ("actual_cost_usd", "estimated_cost_usd")


def Base(row):
    """Determines the attribute values that all records of a session share.

    Args:
      row (dict[str, object]): values of the sessions row, which may be empty.

    Returns:
      dict[str, object]: attribute values.
    """
    return {
        "git_branch": text.String(row.get("git_branch")),
        "model": text.String(row.get("model")),
        "project_path": text.String(row.get("cwd"))
        or text.String(row.get("git_repo_root")),
    }


def _DecodeParent(row, model_config, get_session):
    """Determines which session a session came from, and how.

    Args:
      row (dict[str, object]): values of the sessions row.
      model_config (dict[str, object]): decoded model_config.
      get_session (callable): function that returns the sessions row of a session.

    Returns:
      tuple[str, str]: identifier of the parent session and relation, both None if the
          session has no parent.
    """
    parent = text.String(row.get("parent_session_id"))
    for key, relation in _PARENT_KEYS:
        recorded = text.String(model_config.get(key))
        if recorded:
            return parent or recorded, relation

    if not parent:
        return None, None
    relation = _RELATION_BY_END_REASON.get(
        text.String((get_session(parent) or {}).get("end_reason"))
    )
    if not relation:
        relation = "delegate" if row.get("source") == "subagent" else "other"
    return parent, relation


def _DecodeWorktree(base, policy_path, session_times):
    """Decodes the git worktree that the agent made for a session.

    Args:
      base (dict[str, object]): attribute values of the session.
      policy_path (str): directory of the local policy record of the session or None.
      session_times (dict[str, Timestamp]): start time of the session.

    Returns:
      Record: hermes:session:scratch_directory record or None if there is none.
    """
    path = base.get("project_path")
    branch = base.get("git_branch") or ""
    match = _WORKTREE_RE.match(path or "")
    if not match or not branch.startswith(_WORKTREE_BRANCHES):
        path = policy_path
        match = _WORKTREE_RE.match(path or "")
    if not match:
        return None

    values = dict(base)
    values["path"] = path
    values["repository"] = match.group(1)
    return records.Record(
        "hermes:session:scratch_directory", values, times=session_times
    )


def _DecodeRelay(row, base, origin, session_times):
    """Decodes the messaging platform that a session was driven from.

    Args:
      row (dict[str, object]): values of the sessions row.
      base (dict[str, object]): attribute values of the session.
      origin (dict[str, object]): decoded origin_json.
      session_times (dict[str, Timestamp]): start time of the session.

    Returns:
      Record: hermes:session:relay record or None if the session was not relayed.
    """
    source = text.String(row.get("source"))
    chat_identifier = text.String(row.get("chat_id"))
    if source not in _MESSAGING_SOURCES and (
        not chat_identifier or source in _NOT_MESSAGING_SOURCES
    ):
        return None

    values = dict(base)
    values["chat_display_name"] = text.String(
        row.get("display_name") or origin.get("chat_name")
    )
    values["chat_identifier"] = chat_identifier
    values["chat_type"] = text.String(row.get("chat_type"))
    values["session_source"] = source
    values["thread_identifier"] = text.String(row.get("thread_id"))
    values["user_identifier"] = text.String(row.get("user_id"))
    values["user_name"] = text.String(origin.get("user_name"))
    return records.Record("hermes:session:relay", values, times=session_times)


def Decode(row, record_identifier, schema_version, get_session, get_policy, has_usage):
    """Decodes a row of sessions.

    Args:
      row (dict[str, object]): values of the row.
      record_identifier (int): row identifier.
      schema_version (int): version of the schema or None if it is not known.
      get_session (callable): function that returns the sessions row of a session.
      get_policy (callable): function that returns the value of the local policy record
          of a session and its row identifier or None.
      has_usage (callable): function that returns True if a session has main loop rows
          in session_model_usage.

    Returns:
      list[Record]: records of the row.
    """
    get = row.get
    session_identifier = text.String(get("id"))

    base = Base(row)
    base["record_identifier"] = record_identifier
    base["session_identifier"] = session_identifier

    unparsed = []
    decoded = {}
    for column in ("model_config", "origin_json"):
        decoded[column], reason = text.ObjectFromJSON(get(column))
        if reason:
            decoded[column] = {}
            unparsed.append(
                records.Unparsed(
                    f"sessions.{column:s}: {reason:s}",
                    text.ToText(get(column)),
                    record_identifier,
                    values=base,
                )
            )
    model_config = decoded["model_config"] or {}
    origin = decoded["origin_json"] or {}

    row_times = times.RowTimes(f"sessions row {record_identifier!s}")
    start_time = row_times.Add(
        "start_time", get("started_at"), "started_at", required=True
    )
    row_times.Add("end_time", get("ended_at"), "ended_at")
    row_times.Add("last_active_time", get("last_activity_at"), "last_activity_at")
    start_times = {"start_time": start_time}

    policy_path = None
    policy_value, policy_identifier = get_policy(session_identifier)
    policy, reason = text.ObjectFromJSON(policy_value)
    if reason:
        unparsed.append(
            records.Unparsed(
                f"state_meta.value: {reason:s}",
                text.ToText(policy_value),
                policy_identifier,
                values=base,
            )
        )
    elif policy and isinstance(policy.get("policy"), dict):
        policy_path = text.String(policy["policy"].get("cwd"))

    values = dict(base)
    values["chat_display_name"] = text.String(get("display_name"))
    values["chat_identifier"] = text.String(get("chat_id"))
    values["chat_name"] = text.String(origin.get("chat_name"))
    values["chat_type"] = text.String(get("chat_type"))
    values["created_source"] = text.String(get("created_source"))
    values["end_reason"] = text.String(get("end_reason"))
    values["local_policy_path"] = policy_path
    values["parent_session_identifier"], values["parent_relation"] = _DecodeParent(
        row, model_config, get_session
    )
    values["profile_name"] = text.String(get("profile_name"))
    values["schema_version"] = schema_version
    values["session_source"] = text.String(get("source"))
    values["thread_identifier"] = text.String(get("thread_id"))
    values["time_value"] = row_times.time_value
    values["title"] = text.String(get("title"))
    values["user_identifier"] = text.String(get("user_id"))
    values["user_name"] = text.String(origin.get("user_name"))
    for name in _FLAGS:
        values[name] = text.Flag(get(name))
    for name in _COUNTERS + _COSTS:
        values[name] = text.Number(get(name))

    imported_from = origin.get("imported_from")
    if isinstance(imported_from, dict):
        values["imported_path"] = text.String(imported_from.get("path"))
        values["imported_session_identifier"] = text.String(
            imported_from.get("foreign_session_id")
        )
        values["imported_tool"] = text.String(imported_from.get("tool"))

    session_records = [
        records.Record(
            "hermes:session:entry",
            values,
            times=row_times.times,
            warnings=row_times.warnings,
        )
    ]

    system_prompt = text.String(get("system_prompt"))
    if system_prompt:
        session_records.append(
            SystemPrompt(
                system_prompt, text.String(get("system_prompt_hash")), base, start_times
            )
        )

    if base["model"] and not has_usage(session_identifier):
        model_values = dict(base)
        session_records.append(
            records.Record(
                "hermes:model:usage",
                model_values,
                times={"first_used_time": start_time},
            )
        )

    if "yolo_mode" in model_config:
        session_records.append(
            permissions.Setting(
                "yolo_mode",
                model_config["yolo_mode"],
                "state.db sessions.model_config, started_at",
                base,
                {"recorded_time": start_time},
            )
        )

    for record in (
        _DecodeRelay(row, base, origin, start_times),
        _DecodeWorktree(base, policy_path, start_times),
    ):
        if record:
            session_records.append(record)

    return session_records + unparsed


def SystemPrompt(prompt, prompt_hash, base, prompt_times):
    """Creates the record of what the model was told before anything else.

    It embeds memory and context files, which others than the user may have written,
    see "Credentials" in the reference.

    Args:
      prompt (str): system prompt.
      prompt_hash (str): hash by which later builds find the prompt or None.
      base (dict[str, object]): attribute values of the session, which say where the
          record is.
      prompt_times (dict[str, Timestamp]): start time of the session, empty if the
          session is not known.

    Returns:
      Record: hermes:session:system_prompt record.
    """
    values = dict(base)
    values["indicators"] = indicators.FromMessage("system_prompt", prompt, False)
    values["prompt_hash"] = prompt_hash
    values["text"] = prompt
    return records.Record("hermes:session:system_prompt", values, times=prompt_times)


def DecodeUsage(row, record_identifier, session_base, previous_model):
    """Decodes a row of session_model_usage.

    Args:
      row (dict[str, object]): values of the row.
      record_identifier (int): row identifier.
      session_base (dict[str, object]): attribute values of the session.
      previous_model (str): model the main loop of the session used before or None.

    Returns:
      list[Record]: records of the row.
    """
    get = row.get
    row_times = times.RowTimes(f"session_model_usage row {record_identifier!s}")
    row_times.Add("first_used_time", get("first_seen"), "first_seen")
    row_times.Add("last_used_time", get("last_seen"), "last_seen")

    model = text.String(get("model"))
    if previous_model == model:
        previous_model = None

    values = dict(session_base)
    values["base_url"] = text.String(get("billing_base_url"))
    values["model"] = model
    values["previous_model"] = previous_model
    values["provider"] = text.String(get("billing_provider"))
    values["record_identifier"] = record_identifier
    values["task"] = text.String(get("task"))
    values["time_value"] = row_times.time_value
    for name in (
        "api_call_count",
        "cache_read_tokens",
        "cache_write_tokens",
        "input_tokens",
        "output_tokens",
        "reasoning_tokens",
    ) + _COSTS:
        values[name] = text.Number(get(name))

    return [
        records.Record(
            "hermes:model:usage",
            values,
            times=row_times.times,
            warnings=row_times.warnings,
        )
    ]


def DecodeOrphanPolicy(session_identifier, value, record_identifier):
    """Decodes the local policy record of a session whose row is gone.

    Args:
      session_identifier (str): identifier of the session.
      value (object): value of the record.
      record_identifier (int): row identifier.

    Returns:
      list[Record]: the worktree that the record names, if it names one.
    """
    base = {
        "record_identifier": record_identifier,
        "session_identifier": session_identifier,
    }
    policy, reason = text.ObjectFromJSON(value)
    if reason:
        return [
            records.Unparsed(
                f"state_meta.value: {reason:s}",
                text.ToText(value),
                record_identifier,
                values=base,
            )
        ]
    policy = (policy or {}).get("policy")
    path = text.String(policy.get("cwd")) if isinstance(policy, dict) else None
    record = _DecodeWorktree(base, path, {})
    return [record] if record else []

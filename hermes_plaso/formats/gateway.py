"""The messaging gateway and the runtime: routes, admissions, delegations, rooms."""

from hermes_plaso.formats import permissions
from hermes_plaso.formats import records
from hermes_plaso.formats import text
from hermes_plaso.formats import times

# Room events whose payload is what somebody said (gateway/hosted_rooms.py).
_ROOM_MESSAGE_KINDS = frozenset(["message.member", "message.user"])


def _UnparsedColumn(table, column, reason, value, record_identifier, base):
    """Creates the record of a cell that is not the JSON object it must be.

    Args:
      table (str): name of the table.
      column (str): name of the column.
      reason (str): why the cell could not be decoded.
      value (object): value of the cell.
      record_identifier (int|str): what finds the row again.
      base (dict[str, object]): attribute values of the row.

    Returns:
      Record: hermes:unparsed:entry record.
    """
    return records.Unparsed(
        f"{table:s}.{column:s}: {reason:s}",
        text.ToText(value),
        record_identifier,
        values=base,
    )


def _DecodeColumns(table, row, columns, record_identifier, base):
    """Decodes the JSON columns of a row.

    Args:
      table (str): name of the table.
      row (dict[str, object]): values of the row.
      columns (tuple[str, ...]): names of the columns.
      record_identifier (int|str): what finds the row again.
      base (dict[str, object]): attribute values of the row.

    Returns:
      tuple[list[dict], list[Record]]: an object per column, which is empty if the
          column holds none, and the records of the columns that do not decode.
    """
    decoded = []
    unparsed = []
    for column in columns:
        json_object, reason = text.ObjectFromJSON(row.get(column))
        if reason:
            unparsed.append(
                _UnparsedColumn(
                    table, column, reason, row[column], record_identifier, base
                )
            )
        decoded.append(json_object or {})
    return decoded, unparsed


def _DecodeRouteEntry(entry, update_cell, what, origin, base):
    """Decodes a route.

    Args:
      entry (dict[str, object]): entry of the routing index.
      update_cell (object): time the route was last changed.
      what (str): what finds the entry again.
      origin (str): where the route was found, in the words of the reference.
      base (dict[str, object]): attribute values of the row, its key included.

    Returns:
      list[Record]: records of the route.
    """
    chat = entry.get("origin")
    if not isinstance(chat, dict):
        chat = {}
    base["session_identifier"] = text.String(entry.get("session_id"))

    row_times = times.RowTimes(what)
    update_time = row_times.Add("update_time", update_cell, "updated_at")
    row_times.Add("creation_time", entry.get("created_at"), "entry_json created_at")

    values = dict(base)
    values["chat_display_name"] = text.String(
        entry.get("display_name") or chat.get("chat_name")
    )
    values["chat_identifier"] = text.String(chat.get("chat_id"))
    values["chat_type"] = text.String(entry.get("chat_type") or chat.get("chat_type"))
    values["session_source"] = text.String(
        entry.get("platform") or chat.get("platform")
    )
    values["thread_identifier"] = text.String(chat.get("thread_id"))
    values["time_value"] = row_times.time_value
    values["user_identifier"] = text.String(chat.get("user_id"))
    values["user_name"] = text.String(chat.get("user_name"))
    route_records = [
        records.Record(
            "hermes:gateway:route",
            values,
            times=row_times.times,
            warnings=row_times.warnings,
        )
    ]

    if "yolo" in entry:
        setting_base = {
            name: base[name] for name in ("record_identifier", "session_identifier")
        }
        route_records.append(
            permissions.Setting(
                "yolo",
                entry["yolo"],
                f"{origin:s}, updated_at",
                setting_base,
                {"recorded_time": update_time},
            )
        )
    return route_records


def DecodeRoute(row, record_identifier):
    """Decodes a row of gateway_routing.

    Args:
      row (dict[str, object]): values of the row.
      record_identifier (int|str): what finds the row again.

    Returns:
      list[Record]: records of the row.
    """
    base = {
        "record_identifier": record_identifier,
        "session_key": text.String(row.get("session_key")),
    }
    (entry,), unparsed = _DecodeColumns(
        "gateway_routing", row, ("entry_json",), record_identifier, base
    )
    base["scope"] = text.String(row.get("scope"))
    route_records = _DecodeRouteEntry(
        entry,
        row.get("updated_at"),
        f"gateway_routing row {record_identifier!s}",
        "state.db gateway_routing",
        base,
    )
    return route_records + unparsed


def IsRoutingIndex(document):
    """Determines if a document is a mirror of gateway_routing.

    Args:
      document (object): document that came from JSON.

    Returns:
      bool: True if the document is one.
    """
    return isinstance(document, dict) and (
        "_README" in document
        or not document
        or any(
            isinstance(entry, dict) and "session_id" in entry
            for entry in document.values()
        )
    )


def IsFlatRoutingIndex(document):
    """Determines if a document is a mirror of gateway_routing, by what it holds.

    Args:
      document (object): document that came from JSON.

    Returns:
      bool: True if a key is that of a session, such as agent:main:telegram:dm:55102.
    """
    return IsRoutingIndex(document) and any(
        key.startswith("agent:") and isinstance(entry, dict)
        for key, entry in document.items()
    )


def DecodeRoutingIndex(document):
    """Decodes a mirror of gateway_routing, sessions/sessions.json.

    Args:
      document (dict[str, object]): document, routes per session key.

    Yields:
      Record: records of the routes.
    """
    for session_key, entry in document.items():
        base = {"record_identifier": session_key, "session_key": session_key}
        if isinstance(entry, dict):
            yield from _DecodeRouteEntry(
                entry,
                entry.get("updated_at"),
                f"route {session_key:s}",
                "sessions/sessions.json",
                base,
            )
        elif not (session_key.startswith("_") and isinstance(entry, str)):
            yield records.Unparsed(
                "not an object", text.ToText(entry), session_key, values=base
            )


def DecodeAdmission(row, record_identifier, is_retired=False):
    """Decodes a row of session_admissions: what was asked, perhaps never run.

    Args:
      row (dict[str, object]): values of the row.
      record_identifier (int): row identifier.
      is_retired (Optional[bool]): True if the row was kept when the session of the
          request was deleted.

    Returns:
      list[Record]: records of the row.
    """
    get = row.get
    base = {
        "record_identifier": record_identifier,
        "session_identifier": text.String(get("target_session_id")),
    }
    (payload,), unparsed = _DecodeColumns(
        "session_admissions", row, ("payload_json",), record_identifier, base
    )

    # The payload of a prompt is {"text": ...} (tui_gateway); what else a payload holds
    # can be large or secret, its keys tell what it was.
    asked = text.DecodeContent(payload.get("text"))
    if asked is None:
        asked = text.DecodeContent(payload.get("content"))

    values = dict(base)
    values["admission_identifier"] = text.String(get("admission_id"))
    values["admission_status"] = text.String(get("status"))
    values["generation"] = text.Number(get("generation"))
    values["intent"] = text.String(get("intent"))
    values["outcome"] = text.String(get("outcome"))
    values["payload_digest"] = text.String(get("payload_digest"))
    values["payload_keys"] = sorted(payload) or None
    values["principal_identifier"] = text.String(get("principal_id"))
    values["request_identifier"] = text.String(get("request_id"))
    values["retired"] = 1 if is_retired else None
    values["text"] = asked
    return [records.Record("hermes:session:admission", values)] + unparsed


def DecodeDelegation(row, record_identifier):
    """Decodes a row of async_delegations, which outlives its session.

    Args:
      row (dict[str, object]): values of the row.
      record_identifier (int): row identifier.

    Returns:
      list[Record]: records of the row.
    """
    get = row.get
    base = {
        "record_identifier": record_identifier,
        "session_identifier": text.String(
            get("origin_session_id") or get("origin_session")
        ),
    }
    (event, result, task), unparsed = _DecodeColumns(
        "async_delegations",
        row,
        ("event_json", "result_json", "task_json"),
        record_identifier,
        base,
    )

    row_times = times.RowTimes(f"async_delegations row {record_identifier!s}")
    row_times.Add("start_time", get("dispatched_at"), "dispatched_at", required=True)
    row_times.Add("end_time", get("completed_at"), "completed_at")
    row_times.Add("delivery_time", get("delivered_at"), "delivered_at")
    row_times.Add("update_time", get("updated_at"), "updated_at")

    goals = task.get("goals") or event.get("goals")
    if not isinstance(goals, list):
        goals = [task.get("goal") or event.get("goal")]
    results = result.get("results") or event.get("results")
    if not isinstance(results, list):
        results = []

    values = dict(base)
    values["delegation_context"] = text.String(
        task.get("context") or event.get("context")
    )
    values["delegation_identifier"] = text.String(get("delegation_id"))
    values["delegation_state"] = text.String(get("state"))
    values["delivery_state"] = text.String(get("delivery_state"))
    values["error"] = text.String(result.get("error") or event.get("error"))
    live_transcripts = event.get("live_transcripts")
    if not isinstance(live_transcripts, list):
        live_transcripts = [live_transcripts]
    values["live_transcripts"] = [
        path for path in live_transcripts if path and isinstance(path, str)
    ] or None
    values["model"] = text.String(task.get("model") or event.get("model"))
    values["parent_session_identifier"] = text.String(get("parent_session_id"))
    values["process_identifier"] = text.Number(get("owner_pid"))
    values["result"] = (
        "\n".join(
            text.ToText(entry.get("summary") or entry.get("error"))
            for entry in results
            if isinstance(entry, dict) and (entry.get("summary") or entry.get("error"))
        )
        or None
    )
    values["role"] = text.String(task.get("role") or event.get("role"))
    values["text"] = "\n".join(text.ToText(goal) for goal in goals if goal) or None
    values["time_value"] = row_times.time_value
    return [
        records.Record(
            "hermes:delegation:entry",
            values,
            times=row_times.times,
            warnings=row_times.warnings,
        )
    ] + unparsed


def DecodeHeartbeat(row, record_identifier):
    """Decodes a row of gateway_heartbeats.

    Args:
      row (dict[str, object]): values of the row.
      record_identifier (int): row identifier.

    Returns:
      list[Record]: records of the row.
    """
    get = row.get
    row_times = times.RowTimes(f"gateway_heartbeats row {record_identifier!s}")
    row_times.Add("start_time", get("started_at"), "started_at")
    row_times.Add("last_active_time", get("last_heartbeat"), "last_heartbeat")

    values = {
        "backend_identifier": text.String(get("backend_id")),
        "gateway_host": text.String(get("host")),
        "process_identifier": text.Number(get("pid")),
        "profile_name": text.String(get("profile")),
        "record_identifier": record_identifier,
        "time_value": row_times.time_value,
    }
    return [
        records.Record(
            "hermes:gateway:heartbeat",
            values,
            times=row_times.times,
            warnings=row_times.warnings,
        )
    ]


def DecodeGeneration(row, record_identifier):
    """Decodes a row of conversation_generations, which no delete removes.

    Args:
      row (dict[str, object]): values of the row.
      record_identifier (int): row identifier.

    Returns:
      list[Record]: records of the row.
    """
    values = {
        "generation": text.Number(row.get("generation")),
        "record_identifier": record_identifier,
        "session_key": text.String(row.get("session_key")),
        "session_source": text.String(row.get("source")),
    }
    return [records.Record("hermes:conversation:generation", values)]


def DecodeRoom(row, record_identifier):
    """Decodes a row of hosted_rooms.

    Args:
      row (dict[str, object]): values of the row.
      record_identifier (int): row identifier.

    Returns:
      list[Record]: records of the row.
    """
    get = row.get
    row_times = times.RowTimes(f"hosted_rooms row {record_identifier!s}")
    row_times.Add("creation_time", get("created_at"), "created_at", required=True)
    row_times.Add("update_time", get("updated_at"), "updated_at")
    row_times.Add("end_time", get("disbanded_at"), "disbanded_at")

    values = {
        "members": text.String(get("members_json")),
        "record_identifier": record_identifier,
        "room_identifier": text.String(get("room_id")),
        "room_name": text.String(get("name")),
        "time_value": row_times.time_value,
    }
    return [
        records.Record(
            "hermes:room:entry",
            values,
            times=row_times.times,
            warnings=row_times.warnings,
        )
    ]


def DecodeRetiredRoom(row, record_identifier):
    """Decodes a row of hosted_room_retired_ids.

    Args:
      row (dict[str, object]): values of the row.
      record_identifier (int): row identifier.

    Returns:
      list[Record]: records of the row.
    """
    row_times = times.RowTimes(f"hosted_room_retired_ids row {record_identifier!s}")
    row_times.Add("deletion_time", row.get("retired_at"), "retired_at", required=True)

    values = {
        "record_identifier": record_identifier,
        "room_identifier": text.String(row.get("room_id")),
        "time_value": row_times.time_value,
    }
    return [
        records.Record(
            "hermes:room:deletion",
            values,
            times=row_times.times,
            warnings=row_times.warnings,
        )
    ]


def DecodeRoomEvent(row, record_identifier, room_name):
    """Decodes a row of hosted_room_events.

    Args:
      row (dict[str, object]): values of the row.
      record_identifier (int): row identifier.
      room_name (str): name of the room or None if it is not known.

    Returns:
      list[Record]: records of the row.
    """
    get = row.get
    base = {"record_identifier": record_identifier}
    (actor, payload), unparsed = _DecodeColumns(
        "hosted_room_events",
        row,
        ("actor_json", "payload_json"),
        record_identifier,
        base,
    )

    row_times = times.RowTimes(f"hosted_room_events row {record_identifier!s}")
    row_times.Add("creation_time", get("created_at"), "created_at", required=True)

    kind = text.String(get("kind"))
    payload_text = text.ToJSON(payload) if payload else None
    said = payload_text
    if kind in _ROOM_MESSAGE_KINDS and payload.get("text") is not None:
        said = text.DecodeContent(payload["text"])

    values = dict(base)
    values["actor_identifier"] = text.String(actor.get("id"))
    values["actor_kind"] = text.String(actor.get("kind"))
    values["actor_name"] = text.String(actor.get("display_name"))
    values["room_event_identifier"] = text.String(get("event_id"))
    values["event_kind"] = kind
    values["payload"] = payload_text
    values["room_identifier"] = text.String(get("room_id"))
    values["room_name"] = text.String(room_name)
    values["sequence_number"] = text.Number(get("seq"))
    values["text"] = said
    values["time_value"] = row_times.time_value
    return [
        records.Record(
            "hermes:room:event",
            values,
            times=row_times.times,
            warnings=row_times.warnings,
        )
    ] + unparsed

"""Run-time state: gateway_state.json, processes.json and delegation manifests."""

from hermes_plaso.formats import documents
from hermes_plaso.formats import records
from hermes_plaso.formats import text
from hermes_plaso.formats import times


def IsGatewayState(document):
    """Determines if a document is the state of a gateway.

    Args:
      document (object): document that came from JSON.

    Returns:
      bool: True if the document is one.
    """
    return isinstance(document, dict) and (
        "gateway_state" in document or document.get("kind") == "hermes-gateway"
    )


def _CreateState(values, row_times):
    """Creates the record of a state.

    Args:
      values (dict[str, object]): attribute values.
      row_times (RowTimes): date and time values.

    Returns:
      Record: record of the state.
    """
    values["time_value"] = row_times.time_value
    return records.Record(
        "hermes:gateway:state",
        values,
        times=row_times.times,
        warnings=row_times.warnings,
    )


def DecodeGatewayState(document):
    """Decodes the state of a gateway, and that of its platforms.

    The start time of the document is the kernel's, in clock ticks since the host
    started: no date and time. The arguments of the process are not told, they can hold
    credentials.

    Args:
      document (dict[str, object]): document.

    Yields:
      Record: records of the gateway and of the platforms.
    """
    get = document.get
    row_times = times.RowTimes("gateway_state.json")
    row_times.Add("update_time", get("updated_at"), "updated_at")

    version = text.String(get("version") or get("hermes_version"))
    process_identifier = text.Number(get("pid"))
    yield _CreateState(
        {
            "active_agents": text.Number(get("active_agents")),
            "exit_reason": text.String(get("exit_reason")),
            "gateway_state": text.String(get("gateway_state")),
            "process_identifier": process_identifier,
            "version": version,
        },
        row_times,
    )

    platforms = get("platforms")
    if not isinstance(platforms, dict):
        if platforms is not None:
            # What is not known can hold the token of a platform.
            yield "gateway_state.json platforms cannot be read: not an object"
        return

    for name, platform in platforms.items():
        if not isinstance(platform, dict):
            yield f"gateway_state.json platform {text.ToText(name):s}: not an object"
            continue
        row_times = times.RowTimes(f"gateway_state.json platform {name:s}")
        row_times.Add("update_time", platform.get("updated_at"), "updated_at")
        yield _CreateState(
            {
                "error": text.String(
                    platform.get("error_message") or platform.get("error_code")
                ),
                "gateway_state": text.String(platform.get("state")),
                "platform": name,
                "process_identifier": process_identifier,
                "record_identifier": name,
                "version": version,
            },
            row_times,
        )


def GetProcesses(document):
    """Retrieves the processes of a processes.json.

    Args:
      document (object): document that came from JSON.

    Returns:
      list[object]: processes or None if the document is no list of processes.
    """
    if isinstance(document, dict):
        document = document.get("processes")
    if isinstance(document, list):
        return document
    return None


def IsProcesses(processes):
    """Determines if processes are those of Hermes, where nothing around them tells.

    Args:
      processes (list[object]): processes or None.

    Returns:
      bool: True if each has what Hermes gives it (tools/process_registry.py).
    """
    return bool(processes) and all(
        isinstance(process, dict)
        and {"command", "pid", "session_id", "started_at"}.issubset(process)
        and text.ToText(process["session_id"] or "").startswith("proc_")
        for process in processes
    )


def DecodeProcesses(processes):
    """Decodes background processes of the agent.

    What a process names session_id is its own identifier, proc_<hex>. The session it
    belongs to has a key only (tools/process_registry.py).

    Args:
      processes (list[object]): processes.

    Yields:
      Record: records of the processes.
    """
    for index, process in enumerate(processes, 1):
        if not isinstance(process, dict):
            yield documents.UnparsedEntry("not an object", process, index)
            continue
        get = process.get
        row_times = times.RowTimes(f"process {index:d}")
        row_times.Add("start_time", get("started_at"), "started_at")
        row_times.Add("end_time", get("ended_at") or get("finished_at"), "ended_at")
        row_times.Add("update_time", get("updated_at"), "updated_at")
        record = _CreateState(
            {
                "command": text.String(get("command")),
                "gateway_state": text.String(get("status") or get("state")),
                "process_identifier": text.Number(get("pid")),
                "project_path": text.String(get("cwd")),
                "record_identifier": text.String(get("session_id")) or index,
                "session_key": text.String(get("session_key")),
                "task_identifier": text.String(get("task_id")),
            },
            row_times,
        )
        if process and "session_id" not in process and record.IsEmpty():
            record = documents.UnparsedEntry(
                "nothing that a process has", process, index
            )
        yield record


def IsDelegationManifest(document):
    """Determines if a document is the manifest of a delegation.

    Args:
      document (object): document that came from JSON.

    Returns:
      bool: True if the document is one.
    """
    return isinstance(document, dict) and "delegation_id" in document


def DecodeDelegationManifest(document):
    """Decodes the manifest of a delegation, cache/delegation/live/<id>/manifest.json.

    Args:
      document (dict[str, object]): document.

    Yields:
      Record: record of the delegation.
    """
    get = document.get
    row_times = times.RowTimes("manifest.json")
    row_times.Add("start_time", get("started"), "started")
    row_times.Add("end_time", get("completed"), "completed")

    tasks = get("tasks")
    if isinstance(tasks, dict):
        tasks = list(tasks.values())
    if not isinstance(tasks, list):
        tasks = [] if tasks is None else [tasks]
    goals = []
    logs = []
    states = []
    unparsed = []
    for index, task in enumerate(tasks, 1):
        if not isinstance(task, dict):
            unparsed.append(
                documents.UnparsedEntry("tasks: not an object", task, index)
            )
            continue
        goals.append(text.String(task.get("goal")))
        logs.append(text.String(task.get("log")))
        states.append(text.String(task.get("status")))

    yield records.Record(
        "hermes:delegation:entry",
        {
            "delegation_identifier": text.String(get("delegation_id")),
            "delegation_state": ", ".join(state for state in states if state) or None,
            "live_transcripts": [log for log in logs if log] or None,
            "text": "\n".join(goal for goal in goals if goal) or None,
            "time_value": row_times.time_value,
        },
        times=row_times.times,
        warnings=row_times.warnings,
    )
    yield from unparsed

"""Scheduled jobs, cron/jobs.json (cron/jobs.py)."""

from hermes_plaso.formats import documents
from hermes_plaso.formats import records
from hermes_plaso.formats import text
from hermes_plaso.formats import times


def GetJobs(document):
    """Retrieves the jobs of a document.

    Args:
      document (object): document that came from JSON.

    Returns:
      list[object]: jobs or None if the document is no list of jobs.
    """
    if isinstance(document, dict):
        document = document.get("jobs")
    if isinstance(document, dict):
        # Where the jobs have names, these are their identifiers.
        document = [
            {"id": name, **job} if isinstance(job, dict) else job
            for name, job in document.items()
        ]
    if isinstance(document, list):
        return document
    return None


def IsJobs(jobs):
    """Determines if jobs are those of Hermes, where nothing around them tells.

    Args:
      jobs (list[object]): jobs or None.

    Returns:
      bool: True if each has what Hermes gives it (cron/jobs.py).
    """
    return bool(jobs) and all(
        isinstance(job, dict) and {"id", "prompt", "schedule"}.issubset(job)
        for job in jobs
    )


def _Decode(job, record_identifier):
    """Decodes a job.

    Args:
      job (dict[str, object]): job.
      record_identifier (int): number of the job.

    Returns:
      Record: record of the job.
    """
    get = job.get
    row_times = times.RowTimes(f"job {record_identifier:d}")
    row_times.Add("creation_time", get("created_at"), "created_at")
    row_times.Add("last_run_time", get("last_run_at"), "last_run_at")
    row_times.Add("next_run_time", get("next_run_at"), "next_run_at")
    row_times.Add("pause_time", get("paused_at"), "paused_at")

    schedule = get("schedule")
    if isinstance(schedule, dict):
        schedule = (
            schedule.get("display")
            or schedule.get("expr")
            or schedule.get("run_at")
            or text.ToJSON(schedule)
        )
    state = text.String(get("state"))
    if get("enabled") is False and state in (None, "scheduled"):
        state = "disabled"

    values = {
        "delivery": text.String(get("deliver")),
        "job_identifier": text.String(get("id")),
        "job_name": text.String(get("name")),
        "job_state": state,
        "last_error": text.String(get("last_error")),
        "last_status": text.String(get("last_status")),
        "model": text.String(get("model") or get("model_snapshot")),
        "pause_reason": text.String(get("paused_reason")),
        "project_path": text.String(get("workdir")),
        "record_identifier": record_identifier,
        "schedule": text.String(get("schedule_display")) or text.String(schedule),
        "script": text.String(get("script")),
        "text": text.String(get("prompt")),
        "time_value": row_times.time_value,
    }
    return records.Record(
        "hermes:cron:job",
        values,
        times=row_times.times,
        warnings=row_times.warnings,
    )


def Decode(jobs):
    """Decodes jobs.

    Args:
      jobs (list[object]): jobs.

    Yields:
      Record: records of the jobs.
    """
    for index, job in enumerate(jobs, 1):
        if not isinstance(job, dict):
            yield documents.UnparsedEntry("not an object", job, index)
            continue
        record = _Decode(job, index)
        if job and record.IsEmpty():
            record = documents.UnparsedEntry("nothing that a job has", job, index)
        yield record

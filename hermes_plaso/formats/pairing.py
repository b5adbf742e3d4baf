"""Pairing: who may drive the agent from a messaging platform.

See "Permission outcomes and settings" in the reference (gateway/pairing.py). Files of
this kind hold credentials beside those read here, so nothing of an entry that cannot
be read is told but its line.
"""

from hermes_plaso.formats import documents
from hermes_plaso.formats import permissions
from hermes_plaso.formats import text
from hermes_plaso.formats import times

_FILE_NAME_SUFFIX = "-approved.json"


def GetPlatform(name):
    """Determines the messaging platform from the name of a file.

    Args:
      name (str): name of the file.

    Returns:
      str: platform or None if the file is no list of approved users.
    """
    if not name.endswith(_FILE_NAME_SUFFIX):
        return None
    return name[: -len(_FILE_NAME_SUFFIX)] or None


def IsApprovedUsers(data):
    """Determines if a file lists approved users, where nothing around it tells.

    Args:
      data (bytes): content of the file.

    Returns:
      bool: True if a user was approved at some time, in seconds.
    """
    users, _, _ = documents.DocumentFromBytes(data)
    return isinstance(users, dict) and any(
        isinstance(user, dict) and times.FromCell(user.get("approved_at"))
        for user in users.values()
    )


def Decode(data, platform, file_path):
    """Decodes a list of approved users.

    Args:
      data (bytes): content of the file.
      platform (str): messaging platform.
      file_path (str): path of the file below the home, in the words of the reference.

    Yields:
      Record|str: records of the users, and messages of warnings about what cannot be
          read, none of which quotes the file.
    """
    users, reason, has_document = documents.DocumentFromBytes(data)
    if not isinstance(users, dict):
        if has_document:
            reason = "not an object"
        yield f"{file_path:s} cannot be read: {reason:s}"
        return
    if reason:
        yield f"{file_path:s} holds {reason:s}"

    member_finder = documents.MemberFinder(data)
    for number, (user_identifier, user) in enumerate(users.items(), 1):
        where = f"{number:d}"
        line = member_finder.Find(user_identifier)
        if line:
            where = f"{where:s} (line {line:d})"

        if not isinstance(user, dict):
            yield f"{file_path:s}: unparseable record {where:s}: not an object"
            continue

        approval_time = times.FromCell(user.get("approved_at"))
        if user.get("approved_at") is not None and not approval_time:
            yield f"{file_path:s}: no usable time in record {where:s} (approved_at)"

        user_name = user.get("user_name")
        base = {
            "record_identifier": user_identifier,
            "user_name": user_name or None if isinstance(user_name, str) else None,
        }
        yield permissions.Setting(
            f"pairing.{platform:s}.{text.ToText(user_identifier):s}",
            None,
            f"{file_path:s}, approved_at",
            base,
            {"approval_time": approval_time},
        )

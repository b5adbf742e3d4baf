"""Paths of file entries, from dfVFS to what the formats package understands."""

from dfvfs.lib import definitions as dfvfs_definitions

# A member of one of these is evidence below the path of the archive itself. Other
# parents are storage media images, whose path is that of the analyst.
_ARCHIVE_TYPE_INDICATORS = frozenset(
    [
        dfvfs_definitions.TYPE_INDICATOR_COMPRESSED_STREAM,
        dfvfs_definitions.TYPE_INDICATOR_CPIO,
        dfvfs_definitions.TYPE_INDICATOR_GZIP,
        dfvfs_definitions.TYPE_INDICATOR_TAR,
        dfvfs_definitions.TYPE_INDICATOR_ZIP,
    ]
)


def GetEvidencePath(path_spec):
    """Determines the path of a file inside the evidence.

    Args:
      path_spec (dfvfs.PathSpec): path specification of the file.

    Returns:
      str: path, which for a member of an archive has the path of the archive before
          its own.
    """
    locations = []
    while path_spec:
        location = getattr(path_spec, "location", None)
        if location:
            locations.append(location.replace("\\", "/"))
        if path_spec.type_indicator not in _ARCHIVE_TYPE_INDICATORS:
            break
        path_spec = path_spec.parent
    return "/".join(reversed(locations))

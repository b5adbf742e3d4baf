"""Paths of file entries, from dfVFS to what the formats package understands."""

from dfvfs.lib import definitions as dfvfs_definitions
from dfvfs.path import factory as path_spec_factory

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


def GetFileEntryAbove(file_entry, number_of_levels, name=None):
    """Retrieves a directory that holds a file, or another file in it.

    Args:
      file_entry (dfvfs.FileEntry): file entry of the file.
      number_of_levels (int): how far up the directory is, where 1 is the one the file
          is in.
      name (Optional[str]): name of another file in the directory.

    Returns:
      dfvfs.FileEntry: file entry or None if there is none.
    """
    file_system = file_entry.GetFileSystem()
    path_spec = file_entry.path_spec
    segments = file_system.SplitPath(getattr(path_spec, "location", None) or "")
    if len(segments) < number_of_levels:
        return None
    segments = segments[:-number_of_levels]
    if name:
        segments.append(name)

    location = file_system.JoinPath(segments)
    return file_system.GetFileEntryByPathSpec(
        path_spec_factory.Factory.NewPathSpec(
            path_spec.type_indicator, parent=path_spec.parent, location=location
        )
    )

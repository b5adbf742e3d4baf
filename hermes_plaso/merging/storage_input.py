"""Storage files that are to be merged."""

import json
import os
import sqlite3
import zlib

from acstore.containers import manager as containers_manager

import plaso
from plaso import containers  # noqa: F401
from plaso.lib import definitions
from plaso.storage.sqlite import sqlite_file

from hermes_plaso import sqlite_uri
from hermes_plaso.merging import errors

_DATABASE_SIGNATURE = b"SQLite format 3\x00"

# Attribute containers that are nothing without what they name.
_NAMING_TYPES = frozenset(["event", "event_tag"])


def IsDatabase(path):
    """Determines if a file is a SQLite database.

    Args:
      path (str): path of the file.

    Returns:
      bool: True if it is.
    """
    with open(path, "rb") as file_object:
        return file_object.read(len(_DATABASE_SIGNATURE)) == _DATABASE_SIGNATURE


def GetTables(connection, schema="main"):
    """Determines the tables of attribute containers.

    Args:
      connection (sqlite3.Connection): connection.
      schema (Optional[str]): name of the database.

    Returns:
      dict[str, list[str]]: names of the columns that follow the identifier, per
          container type.
    """
    names = [
        name
        for (name,) in connection.execute(
            f"SELECT name FROM {schema:s}.sqlite_master WHERE type = 'table'"
        )
        if name != "metadata" and not name.startswith("sqlite_")
    ]
    return {
        name: [
            row[1]
            for row in connection.execute(f"PRAGMA {schema:s}.table_info({name:s})")
            if row[1] != "_identifier"
        ]
        for name in names
    }


def GetSequenceNumber(column):
    """Determines the SQL of the number in an identifier such as event_data.12.

    Args:
      column (str): SQL of the identifier.

    Returns:
      str: SQL of the number.
    """
    return f"CAST(substr({column:s}, instr({column:s}, '.') + 1) AS INTEGER)"


class StorageFile:
    """Storage file that is to be merged.

    Attributes:
      compression_format (str): compression format.
      host_names (list[str]): host names of its system configurations.
      notes (list[str]): what there is to note, in sentences.
      number_of_events (int): number of events.
      path (str): path.
      tables (dict[str, list[str]]): names of the columns per container type.
    """

    def __init__(self, path):
        """Initializes a storage file.

        Args:
          path (str): path.

        Raises:
          MergeError: if it cannot be merged.
        """
        super().__init__()
        self.compression_format = None
        self.host_names = []
        self.notes = []
        self.number_of_events = 0
        self.path = path
        self.tables = {}

        for suffix in ("-journal", "-wal"):
            journal_path = f"{path:s}{suffix:s}"
            if os.path.exists(journal_path) and os.path.getsize(journal_path):
                raise errors.MergeError(
                    f"{path:s} is in use or was left unfinished, as {journal_path:s} "
                    "shows: wait for the tool that writes it, or process its source "
                    "again"
                )

        try:
            connection = sqlite3.connect(sqlite_uri.GetURI(path), uri=True)
            try:
                self._Read(connection)
            finally:
                connection.close()
        except (sqlite3.Error, ValueError, zlib.error) as exception:
            raise errors.MergeError(
                f"{path:s} is damaged, or was left unfinished by a tool that was "
                f"killed ({exception!s}): process its source again"
            ) from exception

    def _CheckFormat(self, connection):
        """Checks the format.

        Args:
          connection (sqlite3.Connection): connection.

        Raises:
          MergeError: if the format is not supported.
        """
        try:
            metadata = dict(connection.execute("SELECT key, value FROM metadata"))
        except sqlite3.OperationalError:
            metadata = {}
        format_version = metadata.get("format_version")
        # What a trigger does would be done to the output.
        has_programs = connection.execute(
            "SELECT 1 FROM sqlite_master WHERE type IN ('trigger', 'view')"
        ).fetchone()
        if not format_version or has_programs:
            raise errors.MergeError(
                f"{self.path:s} is a database but not a storage file of Plaso"
            )

        store = sqlite_file.SQLiteStorageFile()
        if str(format_version) != f"{store.format_version:d}":
            raise errors.MergeError(
                f"{self.path:s} has storage format version {format_version!s} and "
                f"Plaso {plaso.__version__:s} writes {store.format_version:d}: process "
                "its source again with this Plaso, or merge exports that the psort of "
                "each version made"
            )

        serialization_format = metadata.get("serialization_format")
        if serialization_format != store.serialization_format:
            raise errors.MergeError(
                f"{self.path:s} has serialization format {serialization_format!s}, "
                f"which Plaso {plaso.__version__:s} cannot read: process its source "
                "again with this Plaso"
            )

        self.compression_format = metadata.get("compression_format")
        if self.compression_format not in definitions.COMPRESSION_FORMATS:
            raise errors.MergeError(
                f"{self.path:s} has compression format {self.compression_format!s}, "
                f"which Plaso {plaso.__version__:s} cannot read: process its source "
                "again with this Plaso"
            )

    def _CheckReferences(self, connection):
        """Checks that all attribute containers are there, and what they name.

        A tool that is killed can leave pages of some tables and not those of others.

        Args:
          connection (sqlite3.Connection): connection.

        Raises:
          MergeError: if something is not there.
        """
        last_identifiers = dict(
            connection.execute("SELECT name, seq FROM sqlite_sequence")
        )
        for container_type in self.tables:
            ((last_identifier,),) = connection.execute(
                f"SELECT COALESCE(MAX(_identifier), 0) FROM {container_type:s}"
            )
            if last_identifier != last_identifiers.get(container_type, 0):
                raise errors.MergeError(
                    f"{self.path:s} is damaged, a tool that wrote its "
                    f"{container_type:s} was killed: process its source again"
                )

            for column in self.GetIdentifierColumns(container_type):
                number = GetSequenceNumber(column)
                if container_type in _NAMING_TYPES:
                    for (identifier,) in connection.execute(
                        f"SELECT _identifier FROM {container_type:s} WHERE {column:s} "
                        f"IS NULL LIMIT 1"
                    ):
                        raise errors.MergeError(
                            f"{self.path:s} is damaged, its {container_type:s} "
                            f"{identifier:d} names nothing: process its source again"
                        )

                for named_type in self.GetNamedTypes(
                    connection, container_type, column
                ):
                    if named_type in self.tables:
                        condition = (
                            f"{number:s} NOT IN (SELECT _identifier FROM "
                            f"{named_type:s})"
                        )
                    elif container_type in _NAMING_TYPES:
                        condition = "TRUE"
                    else:
                        # Plaso keeps message strings and not their tables.
                        continue
                    for identifier, name in connection.execute(
                        f"SELECT _identifier, {column:s} FROM {container_type:s} WHERE "
                        f"{column:s} LIKE ? || '.%' AND {condition:s} LIMIT 1",
                        (named_type,),
                    ):
                        raise errors.MergeError(
                            f"{self.path:s} is damaged, its {container_type:s} "
                            f"{identifier:d} names {name:s} that it does not hold: "
                            "process its source again"
                        )

    def _CheckSessions(self, connection):
        """Checks that all sessions are complete.

        The tools write a session when they start, and its completion time when they
        end, aborted or not.

        Args:
          connection (sqlite3.Connection): connection.

        Raises:
          MergeError: if one is not.
        """
        sessions = []
        if "session" in self.tables:
            sessions = connection.execute(
                "SELECT identifier, aborted, completion_time FROM session"
            ).fetchall()
        if not sessions:
            raise errors.MergeError(
                f"{self.path:s} is unfinished, it holds no session: wait for the tool "
                "that writes it, or process its source again"
            )
        for identifier, is_aborted, completion_time in sessions:
            if completion_time is None:
                raise errors.MergeError(
                    f"{self.path:s} is unfinished, its session {identifier!s} has no "
                    "completion time: wait for the tool that writes it, or process its "
                    "source again"
                )
            if is_aborted:
                self.notes.append(
                    f"note: session {identifier!s} of {self.path:s} was aborted, its "
                    "events are not all there are"
                )

    def _Read(self, connection):
        """Reads what has to be known beforehand.

        Args:
          connection (sqlite3.Connection): connection.

        Raises:
          MergeError: if the storage file cannot be merged.
        """
        self._CheckFormat(connection)

        ((result,),) = connection.execute("PRAGMA quick_check(1)")
        if result != "ok":
            raise sqlite3.DatabaseError(result)

        self.tables = GetTables(connection)
        known_types = containers_manager.AttributeContainersManager.GetContainerTypes()
        unknown_types = sorted(set(self.tables).difference(known_types))
        for container_type in list(unknown_types):
            # Plaso makes a table before it finds that it cannot write to it.
            if not connection.execute(
                f"SELECT 1 FROM {container_type:s} LIMIT 1"
            ).fetchone():
                unknown_types.remove(container_type)
                del self.tables[container_type]
        if unknown_types:
            raise errors.MergeError(
                f"{self.path:s} holds what Plaso {plaso.__version__:s} does not know "
                f"({', '.join(unknown_types):s}): merge with the Plaso that wrote it"
            )

        self._CheckSessions(connection)
        self._CheckReferences(connection)

        if "event" in self.tables:
            ((self.number_of_events,),) = connection.execute(
                "SELECT COUNT(*) FROM event"
            )

        if "system_configuration" in self.tables:
            for (data,) in connection.execute("SELECT _data FROM system_configuration"):
                host_name = json.loads(self.Decompress(data)).get("hostname") or {}
                if host_name.get("name") and host_name["name"] not in self.host_names:
                    self.host_names.append(host_name["name"])

    def Compress(self, data):
        """Compresses serialized data as the storage file has it.

        Args:
          data (bytes): serialized data.

        Returns:
          bytes: compressed data.
        """
        if self.compression_format == definitions.COMPRESSION_FORMAT_ZLIB:
            return zlib.compress(data)
        return data

    def Decompress(self, data):
        """Decompresses serialized data of the storage file.

        Args:
          data (bytes|str): data of a row.

        Returns:
          bytes: serialized data.
        """
        if isinstance(data, str):
            return data.encode("utf-8")
        if self.compression_format == definitions.COMPRESSION_FORMAT_ZLIB:
            return zlib.decompress(data)
        return data

    def GetNamedTypes(self, connection, container_type, column, schema="main"):
        """Determines which types of attribute containers others name.

        Args:
          connection (sqlite3.Connection): connection.
          container_type (str): container type of those that name others.
          column (str): name of the column.
          schema (Optional[str]): name of the database.

        Returns:
          list[str]: container types.
        """
        return [
            name
            for (name,) in connection.execute(
                f"SELECT DISTINCT substr({column:s}, 1, instr({column:s}, '.') - 1) "
                f"FROM {schema:s}.{container_type:s} WHERE {column:s} IS NOT NULL"
            )
        ]

    def GetIdentifierColumns(self, container_type):
        """Determines the columns that name other attribute containers.

        Args:
          container_type (str): container type.

        Returns:
          list[str]: names of columns.
        """
        schema = containers_manager.AttributeContainersManager.GetSchema(container_type)
        return [
            name
            for name in self.tables[container_type]
            if schema.get(name) == "AttributeContainerIdentifier"
        ]

"""Merges storage files.

The first storage file is copied as it is. The attribute containers of each other one
are added to it, row by row and as they were serialized, but for the identifiers with
which they name each other. What an earlier storage file already holds is left out.

An event is held if an event has the same timestamp, timestamp description and values
hash, which is how psort decides that events are duplicates, and the same path of its
data stream. The values hash is that of the data type, the values that are no date or
time, and the path and hashes of the data stream. Event data without a values hash, for
which psort takes all alike, are compared by all they hold. Any other attribute
container is held if one of the same type has the same content. What is held is counted:
if the first storage file has an event once and the second has it twice, the output has
it twice.
"""

import collections
import functools
import hashlib
import json
import pathlib
import shutil
import sqlite3

from hermes_plaso import sqlite_uri
from hermes_plaso.merging import errors
from hermes_plaso.merging import storage_input

# Attribute containers that count others, and the attribute that says what they count.
_COUNTS = {
    "data_type_count": "name",
    "event_label_count": "label",
    "parser_count": "name",
    "warning_count": None,
}

# Attribute containers that are not merged by their content alone.
_SPECIAL_TYPES = frozenset(["event", "event_data", "event_tag", *_COUNTS])

_TOTAL = "total"

# Number of virtual machine instructions of SQLite between looks for a signal.
_PROGRESS_INTERVAL = 100000


class StorageFileMerger:
    """Merges storage files."""

    # The database that is read is called new, what identifiers become is in temporary
    # tables, which SQLite keeps in a file that has no name.
    _CREATE_TEMPORARY_TABLES = """
        CREATE TABLE temp.mapping (
            container_type TEXT, old INTEGER, new INTEGER, is_held INTEGER,
            PRIMARY KEY (container_type, old)) WITHOUT ROWID;
        CREATE TABLE temp.content (id INTEGER PRIMARY KEY, key BLOB);
        CREATE TABLE temp.held_content (
            key BLOB, ordinal INTEGER, id INTEGER,
            PRIMARY KEY (key, ordinal)) WITHOUT ROWID;
        CREATE TABLE temp.new_data (
            id INTEGER PRIMARY KEY, key BLOB, stream INTEGER, parser TEXT,
            data_type TEXT);
        CREATE TABLE temp.held_data (id INTEGER PRIMARY KEY, key BLOB);
        CREATE TABLE temp.new_event (
            id INTEGER PRIMARY KEY, data INTEGER, timestamp INTEGER,
            description TEXT);
        CREATE INDEX temp.new_event_per_data ON new_event (data);
        CREATE TABLE temp.held_event (
            timestamp INTEGER, description TEXT, key BLOB, ordinal INTEGER,
            id INTEGER, PRIMARY KEY (timestamp, description, key, ordinal)
            ) WITHOUT ROWID;
        CREATE TABLE temp.shared_timestamp (timestamp INTEGER PRIMARY KEY);
        CREATE TABLE temp.added_data (id INTEGER PRIMARY KEY);
        CREATE TABLE temp.held_tag (
            id INTEGER PRIMARY KEY, event TEXT, labels TEXT);
    """

    _TEMPORARY_TABLES = (
        "mapping",
        "content",
        "held_content",
        "new_data",
        "held_data",
        "new_event",
        "held_event",
        "shared_timestamp",
        "added_data",
        "held_tag",
    )

    def __init__(self, paths):
        """Initializes a merger.

        Args:
          paths (list[str]): paths of the storage files.

        Raises:
          MergeError: if one of them cannot be merged.
        """
        super().__init__()
        self._connection = None
        self._new_file = None
        self._number_of_events = 0
        self._storage_files = [storage_input.StorageFile(path) for path in paths]
        # The output is of the format of the first one.
        self._held_file = self._storage_files[0]
        self._tables = {}

    def _AddContainers(self, container_type):
        """Adds attribute containers that are the same if their content is.

        Args:
          container_type (str): container type.
        """
        columns = self._new_file.tables[container_type]
        values = self._GetValues(container_type)

        for table in ("content", "held_content"):
            self._connection.execute(f"DELETE FROM temp.{table:s}")
        self._connection.execute(
            f"INSERT INTO temp.content SELECT _identifier, new_key("
            f"{', '.join(values):s}) FROM new.{container_type:s} AS container"
        )
        self._connection.execute(
            f"INSERT INTO temp.held_content SELECT key, ROW_NUMBER() OVER (PARTITION "
            f"BY key ORDER BY id), id FROM (SELECT _identifier AS id, held_key("
            f"{', '.join(columns):s}) AS key FROM main.{container_type:s})"
        )

        # pinfo shows with a session the system configuration of the same number, hence
        # that of a session that is new is new as well.
        condition = ""
        if container_type == "system_configuration":
            condition = (
                "WHERE id NOT IN (SELECT old FROM temp.mapping WHERE container_type = "
                "'session' AND NOT is_held)"
            )
        self._connection.execute(
            f"INSERT INTO temp.mapping SELECT ?, content.id, held_content.id, 1 FROM "
            f"(SELECT id, key, ROW_NUMBER() OVER (PARTITION BY key ORDER BY id) AS "
            f"ordinal FROM temp.content {condition:s}) AS content JOIN "
            f"temp.held_content USING (key, ordinal)",
            (container_type,),
        )
        self._MapRemaining(container_type, "SELECT id FROM temp.content")

        if columns == ["_data"]:
            values = ["convert(_data)"]
        self._connection.execute(
            f"INSERT INTO main.{container_type:s} (_identifier, {', '.join(columns):s})"
            f" SELECT mapping.new, {', '.join(values):s} FROM temp.mapping JOIN "
            f"new.{container_type:s} AS container ON container._identifier = "
            f"mapping.old WHERE mapping.container_type = ? AND NOT mapping.is_held "
            f"ORDER BY mapping.new",
            (container_type,),
        )

    def _AddCounts(self, container_type, numbers):
        """Adds to the counts of a type.

        Args:
          container_type (str): container type of the counts.
          numbers (dict[str, int]): number of events to add per name.
        """
        attribute = _COUNTS[container_type] or "NULL"
        for name, number in sorted(numbers.items(), key=str):
            cursor = self._connection.execute(
                f"UPDATE main.{container_type:s} SET number_of_events = "
                f"number_of_events + ? WHERE {attribute:s} IS ?",
                (number, name),
            )
            if cursor.rowcount:
                continue
            if _COUNTS[container_type]:
                self._connection.execute(
                    f"INSERT INTO main.{container_type:s} ({attribute:s}, "
                    "number_of_events) VALUES (?, ?)",
                    (name, number),
                )
            else:
                self._connection.execute(
                    f"INSERT INTO main.{container_type:s} (number_of_events) VALUES "
                    "(?)",
                    (number,),
                )

    def _AddEventCounts(self, container_type, attribute):
        """Adds to the counts of the events that a parser made, or of a data type.

        Args:
          container_type (str): container type of the counts.
          attribute (str): attribute of event data that is counted.
        """
        if container_type not in self._new_file.tables:
            return

        # Plaso counts labels as if they were parsers where it makes them itself.
        numbers = collections.Counter(
            dict(
                self._connection.execute(
                    f"SELECT name, SUM(number_of_events) FROM new.{container_type:s} "
                    f"WHERE name <> ? AND name NOT IN (SELECT {attribute:s} FROM "
                    f"temp.new_data WHERE {attribute:s} IS NOT NULL) GROUP BY name",
                    (_TOTAL,),
                )
            )
        )
        for name, number in self._connection.execute(
            f"SELECT new_data.{attribute:s}, COUNT(*) FROM temp.new_event JOIN "
            f"temp.new_data ON new_data.id = new_event.data JOIN temp.mapping ON "
            f"mapping.container_type = 'event' AND mapping.old = new_event.id WHERE "
            f"NOT mapping.is_held GROUP BY new_data.{attribute:s}"
        ):
            numbers[_TOTAL] += number
            if name:
                numbers[name] += number
        self._AddCounts(container_type, numbers)

    def _AddEventData(self):
        """Adds the event data of events that are not held."""
        cursor = self._connection.execute(
            "SELECT container._data, mapping.new, new_data.stream, stream_mapping.new "
            "FROM temp.mapping JOIN new.event_data AS container ON "
            "container._identifier = mapping.old JOIN temp.new_data ON new_data.id = "
            "mapping.old LEFT JOIN temp.mapping AS stream_mapping ON "
            "stream_mapping.container_type = 'event_data_stream' AND "
            "stream_mapping.old = new_data.stream WHERE "
            "mapping.container_type = 'event_data' ORDER BY mapping.new"
        )
        self._connection.executemany(
            "INSERT INTO main.event_data (_identifier, _data) VALUES (?, ?)",
            (self._GetEventDataRow(*row) for row in cursor),
        )

    def _AddEventLabelCounts(self):
        """Counts the labels anew, as event tags have been merged."""
        if not {"event_label_count", "event_tag"}.issubset(self._tables):
            return

        numbers = collections.Counter()
        for labels, number in self._connection.execute(
            "SELECT labels, COUNT(*) FROM main.event_tag GROUP BY labels"
        ):
            for label in json.loads(labels or "[]"):
                numbers[label] += number
                numbers[_TOTAL] += number
        self._DeleteContainers("event_label_count")
        self._AddCounts("event_label_count", numbers)

    def _AddEvents(self):
        """Adds events that are not held."""
        number = storage_input.GetSequenceNumber("_event_data_identifier")
        has_events = "event" in self._new_file.tables
        if has_events:
            self._connection.execute(
                f"INSERT INTO temp.new_event SELECT _identifier, {number:s}, timestamp,"
                f" COALESCE(timestamp_desc, '') FROM new.event"
            )
        self._ReadEventData()
        if has_events:
            self._MapEvents()
        self._MapEventData()
        self._AddEventData()
        if not has_events:
            return

        self._connection.execute(
            "INSERT INTO main.event (_identifier, _event_data_identifier, date_time, "
            "timestamp, timestamp_desc) SELECT mapping.new, 'event_data.' || "
            "data_mapping.new, container.date_time, container.timestamp, "
            "container.timestamp_desc FROM temp.mapping JOIN new.event AS container ON "
            "container._identifier = mapping.old JOIN temp.new_event ON new_event.id = "
            "mapping.old JOIN temp.mapping AS data_mapping ON "
            "data_mapping.container_type = 'event_data' AND data_mapping.old = "
            "new_event.data WHERE mapping.container_type = 'event' AND NOT "
            "mapping.is_held ORDER BY mapping.new"
        )

    def _AddEventTag(self, event_identifier, labels):
        """Adds an event tag, or its labels to the tag that the event has already.

        psort shows one tag of an event.

        Args:
          event_identifier (str): identifier of the event in the output.
          labels (str): serialized labels.
        """
        row = self._connection.execute(
            "SELECT _identifier, labels FROM main.event_tag WHERE _event_identifier = "
            "?",
            (event_identifier,),
        ).fetchone()
        if not row:
            self._connection.execute(
                "INSERT INTO main.event_tag (_event_identifier, labels) VALUES (?, ?)",
                (event_identifier, labels),
            )
            return

        identifier, held_labels = row
        held_labels = json.loads(held_labels or "[]")
        new_labels = [
            label for label in json.loads(labels or "[]") if label not in held_labels
        ]
        if new_labels:
            self._connection.execute(
                "UPDATE main.event_tag SET labels = ? WHERE _identifier = ?",
                (json.dumps(held_labels + new_labels), identifier),
            )

    def _AddEventTags(self):
        """Adds event tags."""
        for row in self._connection.execute(
            f"SELECT {self._GetMapped('_event_identifier'):s}, labels FROM "
            f"new.event_tag AS container ORDER BY container._identifier"
        ):
            self._AddEventTag(*row)

    def _AddStorageFile(self):
        """Adds the attribute containers of a storage file.

        Returns:
          tuple[int, int]: number of events that were added and that are held.
        """
        for table in self._TEMPORARY_TABLES:
            self._connection.execute(f"DELETE FROM temp.{table:s}")
        self._CreateTables()

        for container_type in self._GetContainerTypes():
            self._AddContainers(container_type)

        if "event_data" in self._new_file.tables:
            self._AddEvents()
        if "event_tag" in self._new_file.tables:
            self._MergeEventTags()
            self._AddEventTags()

        self._AddEventCounts("data_type_count", "data_type")
        self._AddEventCounts("parser_count", "parser")
        self._AddEventLabelCounts()
        if "warning_count" in self._new_file.tables:
            ((number,),) = self._connection.execute(
                "SELECT SUM(number_of_events) FROM new.warning_count"
            )
            self._AddCounts("warning_count", {None: number or 0})

        return self._CountEvents()

    def _CountEvents(self):
        """Counts the events of a storage file that was added, and that none is missing.

        Returns:
          tuple[int, int]: number of events that were added and that are held.

        Raises:
          MergeError: if an event is missing.
        """
        numbers = dict(
            self._connection.execute(
                "SELECT is_held, COUNT(*) FROM temp.mapping WHERE container_type = "
                "'event' GROUP BY is_held"
            )
        )
        number_of_events = numbers.get(0, 0)
        number_of_held_events = numbers.get(1, 0)

        if "event" in self._tables:
            ((number,),) = self._connection.execute("SELECT COUNT(*) FROM main.event")
            self._number_of_events += number_of_events
            if (
                number != self._number_of_events
                or number_of_events + number_of_held_events
                != self._new_file.number_of_events
            ):
                raise errors.MergeError(
                    f"{self._new_file.path:s} cannot be merged, events of it are "
                    "missing in the output"
                )
        return number_of_events, number_of_held_events

    def _CreateFunctions(self):
        """Creates the functions that SQL calls."""
        self._connection.create_function(
            "new_key", -1, lambda *values: self._GetKey(self._new_file, values)
        )
        self._connection.create_function(
            "held_key", -1, lambda *values: self._GetKey(self._held_file, values)
        )
        self._connection.create_function("convert", 1, self._ConvertData)

    def _ConvertData(self, data):
        """Converts data of a row into the compression format of the output.

        Args:
          data (bytes|str): data of a row.

        Returns:
          bytes|str: data.
        """
        if self._new_file.compression_format == self._held_file.compression_format:
            return data
        return self._held_file.Compress(self._new_file.Decompress(data))

    def _CreateTables(self):
        """Creates the tables that only the storage file that is added has.

        Raises:
          MergeError: if a table has other columns than that of the output.
        """
        for container_type, columns in self._new_file.tables.items():
            held_columns = self._tables.get(container_type)
            if held_columns is None:
                for (statement,) in self._connection.execute(
                    "SELECT sql FROM new.sqlite_master WHERE tbl_name = ? AND sql IS "
                    "NOT NULL ORDER BY type DESC",
                    (container_type,),
                ).fetchall():
                    self._connection.execute(statement)
                self._tables[container_type] = columns
            elif held_columns != columns:
                raise errors.MergeError(
                    f"{self._new_file.path:s} and {self._held_file.path:s} have other "
                    f"columns of {container_type:s}: process their sources again with "
                    "the same Plaso"
                )

    def _DeleteContainers(self, container_type):
        """Deletes all attribute containers of a type, to number them anew.

        Plaso takes the last number for how many there are.

        Args:
          container_type (str): container type.
        """
        self._connection.execute(f"DELETE FROM main.{container_type:s}")
        self._connection.execute(
            "DELETE FROM main.sqlite_sequence WHERE name = ?", (container_type,)
        )

    def _GetContainerTypes(self):
        """Determines the types that are merged by content, those named by others first.

        Returns:
          list[str]: container types.

        Raises:
          MergeError: if something that is named could be taken for another.
        """
        remaining_types = sorted(set(self._new_file.tables).difference(_SPECIAL_TYPES))
        # The system configurations go by the sessions.
        references = {"system_configuration": {"session"}}
        for container_type in remaining_types:
            for column in self._new_file.GetIdentifierColumns(container_type):
                named_types = set(
                    self._new_file.GetNamedTypes(
                        self._connection, container_type, column, schema="new"
                    )
                )
                references.setdefault(container_type, set()).update(named_types)

                # Those of the output are not what is named.
                for named_type in named_types.difference(self._new_file.tables):
                    if named_type in self._tables:
                        raise errors.MergeError(
                            f"{self._new_file.path:s} does not hold the "
                            f"{named_type:s} that its {container_type:s} names, which "
                            f"others would be taken for: process its source again"
                        )

        container_types = []
        while remaining_types:
            # Those that name each other in a circle are damaged, and found to be.
            container_type = next(
                (
                    name
                    for name in remaining_types
                    if not references.get(name, set()).intersection(remaining_types)
                ),
                remaining_types[0],
            )
            remaining_types.remove(container_type)
            container_types.append(container_type)
        return container_types

    def _GetEventDataKey(self, json_dict, path, by_content=False):
        """Determines what is the same for the same event data.

        Args:
          json_dict (dict[str, object]): values of the event data, without the
              identifier of the event data stream.
          path (str): path specification of the event data stream, None if none.
          by_content (Optional[bool]): True to compare all that the event data hold.

        Returns:
          bytes: digest.
        """
        key = None if by_content else json_dict.get("_event_values_hash")
        key = key or json.dumps(json_dict, sort_keys=True)
        return hashlib.md5(f"{key:s} {path!s}".encode("utf-8")).digest()

    def _GetEventDataRow(self, data, identifier, old_stream, new_stream):
        """Determines the row of event data.

        Args:
          data (bytes|str): data of the row.
          identifier (int): identifier of the event data in the output.
          old_stream (int): number of the event data stream, None if it has none.
          new_stream (int): number of the event data stream in the output.

        Returns:
          tuple[int, bytes|str]: identifier and data.
        """
        if old_stream == new_stream:
            return identifier, self._ConvertData(data)

        json_dict = json.loads(self._new_file.Decompress(data))
        json_dict["_event_data_stream_identifier"] = f"event_data_stream.{new_stream:d}"
        data = json.dumps(json_dict).encode("utf-8")
        return identifier, self._held_file.Compress(data)

    def _GetKey(self, storage_file, values):
        """Determines what is the same for the same content.

        Args:
          storage_file (StorageFile): storage file of the content.
          values (list[object]): values of the columns.

        Returns:
          bytes: digest.
        """
        values = [
            storage_file.Decompress(value) if isinstance(value, bytes) else value
            for value in values
        ]
        return hashlib.md5(repr(values).encode("utf-8", "backslashreplace")).digest()

    def _GetMapped(self, column):
        """Determines the SQL of an identifier of the output.

        An identifier of what no storage file holds stays as it is.

        Args:
          column (str): SQL of an identifier of the storage file that is added.

        Returns:
          str: SQL.
        """
        name = f"substr({column:s}, 1, instr({column:s}, '.') - 1)"
        return (
            f"COALESCE((SELECT reference.container_type || '.' || reference.new FROM "
            f"temp.mapping AS reference WHERE reference.container_type = {name:s} AND "
            f"reference.old = {storage_input.GetSequenceNumber(column):s}), {column:s})"
        )

    def _GetNotes(self):
        """Determines what there is to note.

        Returns:
          list[str]: notes, in sentences.
        """
        notes = [
            note for storage_file in self._storage_files for note in storage_file.notes
        ]
        host_names = []
        for storage_file in self._storage_files:
            for host_name in storage_file.host_names:
                if host_name not in host_names:
                    host_names.append(host_name)
        if len(host_names) > 1:
            notes.append(
                f"note: the inputs are of different hosts ({', '.join(host_names):s}): "
                "psort shows one host name for all events that hold none of their own, "
                "tell the hosts apart by path"
            )
        return notes

    def _GetValues(self, container_type):
        """Determines the SQL of the values of attribute containers in the output.

        Args:
          container_type (str): container type.

        Returns:
          list[str]: SQL per column.
        """
        identifier_columns = self._new_file.GetIdentifierColumns(container_type)
        return [
            self._GetMapped(name) if name in identifier_columns else name
            for name in self._new_file.tables[container_type]
        ]

    def _MapEventData(self):
        """Maps event data that have an event that is not held, or no events.

        Event data without a date or time are in no timeline, and evidence all the same.
        """
        self._connection.execute(
            "INSERT INTO temp.added_data SELECT DISTINCT new_event.data FROM "
            "temp.new_event JOIN temp.mapping ON mapping.container_type = 'event' AND "
            "mapping.old = new_event.id WHERE NOT mapping.is_held"
        )

        for table in ("content", "held_content", "held_data"):
            self._connection.execute(f"DELETE FROM temp.{table:s}")
        self._connection.executemany(
            "INSERT INTO temp.content VALUES (?, ?)",
            self._ReadEventDataKeys(
                self._new_file,
                "new",
                "SELECT id FROM temp.new_data WHERE id NOT IN (SELECT data FROM "
                "temp.new_event)",
                by_content=True,
            ),
        )
        if self._connection.execute("SELECT 1 FROM temp.content LIMIT 1").fetchone():
            query = "SELECT _identifier FROM main.event_data"
            if "event" in self._tables:
                number = storage_input.GetSequenceNumber("_event_data_identifier")
                query = (
                    f"{query:s} WHERE _identifier NOT IN (SELECT {number:s} FROM "
                    f"main.event)"
                )
            self._connection.executemany(
                "INSERT INTO temp.held_data VALUES (?, ?)",
                self._ReadEventDataKeys(
                    self._held_file, "main", query, by_content=True
                ),
            )
            self._connection.execute(
                "INSERT INTO temp.held_content SELECT key, ROW_NUMBER() OVER (PARTITION"
                " BY key ORDER BY id), id FROM temp.held_data"
            )
            self._connection.execute(
                "INSERT INTO temp.added_data SELECT content.id FROM (SELECT id, key, "
                "ROW_NUMBER() OVER (PARTITION BY key ORDER BY id) AS ordinal FROM "
                "temp.content) AS content LEFT JOIN temp.held_content USING (key, "
                "ordinal) WHERE held_content.id IS NULL"
            )

        self._MapRemaining("event_data", "SELECT id FROM temp.added_data")

    def _MapEvents(self):
        """Maps events, those that are held to what holds them."""
        self._connection.execute(
            "INSERT INTO temp.shared_timestamp SELECT timestamp FROM temp.new_event "
            "WHERE timestamp IS NOT NULL INTERSECT SELECT timestamp FROM main.event"
        )
        # Only these can be held, most of the output need not be read.
        number = storage_input.GetSequenceNumber("_event_data_identifier")
        self._connection.executemany(
            "INSERT INTO temp.held_data VALUES (?, ?)",
            self._ReadEventDataKeys(
                self._held_file,
                "main",
                f"SELECT {number:s} FROM main.event WHERE timestamp IN (SELECT "
                f"timestamp FROM temp.shared_timestamp)",
            ),
        )
        self._connection.execute(
            f"INSERT INTO temp.held_event SELECT timestamp, COALESCE(timestamp_desc, "
            f"''), key, ROW_NUMBER() OVER (PARTITION BY timestamp, "
            f"COALESCE(timestamp_desc, ''), key ORDER BY _identifier), _identifier "
            f"FROM main.event JOIN temp.held_data "
            f"ON held_data.id = {number:s} WHERE timestamp IN (SELECT timestamp FROM "
            f"temp.shared_timestamp)"
        )
        self._connection.execute(
            "INSERT INTO temp.mapping SELECT 'event', new_event.id, held_event.id, 1 "
            "FROM (SELECT new_event.id, timestamp, description, key, ROW_NUMBER() OVER "
            "(PARTITION BY timestamp, description, key ORDER BY new_event.id) AS "
            "ordinal FROM temp.new_event JOIN temp.new_data ON new_data.id = "
            "new_event.data WHERE timestamp IN (SELECT timestamp FROM "
            "temp.shared_timestamp)) AS new_event JOIN "
            "temp.held_event USING (timestamp, description, key, ordinal)"
        )
        self._MapRemaining("event", "SELECT id FROM temp.new_event")

    def _MapRemaining(self, container_type, query):
        """Maps attribute containers that are not held to identifiers of the output.

        Args:
          container_type (str): container type.
          query (str): SQL of the numbers of the attribute containers, as id.
        """
        ((last_identifier,),) = self._connection.execute(
            f"SELECT COALESCE(MAX(_identifier), 0) FROM main.{container_type:s}"
        )
        self._connection.execute(
            f"INSERT INTO temp.mapping SELECT ?, id, ? + ROW_NUMBER() OVER (ORDER BY "
            f"id), 0 FROM ({query:s}) WHERE id NOT IN (SELECT old FROM temp.mapping "
            f"WHERE container_type = ?)",
            (container_type, last_identifier, container_type),
        )

    def _MergeEventTags(self):
        """Merges the event tags of the output that are of the same event."""
        if not self._connection.execute(
            "SELECT 1 FROM main.event_tag GROUP BY _event_identifier HAVING COUNT(*) > "
            "1 LIMIT 1"
        ).fetchone():
            return

        self._connection.execute(
            "INSERT INTO temp.held_tag SELECT _identifier, _event_identifier, labels "
            "FROM main.event_tag"
        )
        self._DeleteContainers("event_tag")
        for row in self._connection.execute(
            "SELECT event, labels FROM temp.held_tag ORDER BY id"
        ):
            self._AddEventTag(*row)

    def _OpenEventData(self, storage_file, schema, query):
        """Opens event data.

        Args:
          storage_file (StorageFile): storage file of the event data.
          schema (str): name of the database.
          query (str): SQL of the numbers of the event data.

        Yields:
          tuple[int, dict[str, object], int, str]: number and values of the event data,
              number of the event data stream and its path specification, None if there
              is none.

        Raises:
          MergeError: if event data name an event data stream that is not there.
        """
        has_streams = "event_data_stream" in (
            self._tables if schema == "main" else self._new_file.tables
        )

        # Event data of one event data stream follow each other.
        @functools.lru_cache(maxsize=1024)
        def GetPath(stream):
            """Determines the path specification of an event data stream.

            Args:
              stream (int): number of the event data stream.

            Returns:
              tuple[str]: path specification, None if there is no such stream.
            """
            if not has_streams:
                return None
            return self._connection.execute(
                f"SELECT path_spec FROM {schema:s}.event_data_stream WHERE _identifier "
                f"= ?",
                (stream,),
            ).fetchone()

        for identifier, data in self._connection.execute(
            f"SELECT _identifier, _data FROM {schema:s}.event_data WHERE _identifier "
            f"IN ({query:s}) ORDER BY _identifier"
        ):
            json_dict = json.loads(storage_file.Decompress(data))
            stream = json_dict.pop("_event_data_stream_identifier", None)
            path = None
            if stream:
                stream = int(stream.rpartition(".")[2])
                row = GetPath(stream)
                if not row:
                    raise errors.MergeError(
                        f"{storage_file.path:s} is damaged, its event data "
                        f"{identifier:d} name event data stream {stream:d} that it "
                        "does not hold: process its source again"
                    )
                path = row[0]
            yield identifier, json_dict, stream or None, path

    def _ReadEventData(self):
        """Reads the event data of the storage file that is added."""

        def GetRows():
            """Determines what is to be known of event data.

            Yields:
              tuple[int, bytes, int, str, str]: number, what is the same for the same
                  event data, number of the event data stream, name of the parser and
                  data type.
            """
            for identifier, json_dict, stream, path in self._OpenEventData(
                self._new_file, "new", "SELECT _identifier FROM new.event_data"
            ):
                parser_chain = json_dict.get("_parser_chain")
                yield (
                    identifier,
                    self._GetEventDataKey(json_dict, path),
                    stream,
                    parser_chain.rpartition("/")[2] if parser_chain else None,
                    json_dict.get("data_type"),
                )

        self._connection.executemany(
            "INSERT INTO temp.new_data VALUES (?, ?, ?, ?, ?)", GetRows()
        )

    def _ReadEventDataKeys(self, storage_file, schema, query, by_content=False):
        """Reads what is the same for the same event data.

        Args:
          storage_file (StorageFile): storage file of the event data.
          schema (str): name of the database.
          query (str): SQL of the numbers of the event data.
          by_content (Optional[bool]): True to compare all that the event data hold.

        Yields:
          tuple[int, bytes]: number and digest.
        """
        for identifier, json_dict, _, path in self._OpenEventData(
            storage_file, schema, query
        ):
            yield (
                identifier,
                self._GetEventDataKey(json_dict, path, by_content=by_content),
            )

    def Merge(self, output_path, interruption):
        """Merges the storage files.

        Args:
          output_path (str): path of the output, an empty file.
          interruption (Interruption): what tells that a signal came.

        Returns:
          list[str]: what was merged and what there is to note, in sentences.

        Raises:
          MergeError: if the storage files cannot be merged.
        """
        with open(self._held_file.path, "rb") as input_file:
            with open(output_path, "wb") as output_file:
                shutil.copyfileobj(input_file, output_file, 1024 * 1024)

        messages = [
            f"{self._held_file.path:s}: {self._held_file.number_of_events:d} events"
        ]
        self._connection = sqlite3.connect(
            pathlib.Path(output_path).as_uri(), isolation_level=None, uri=True
        )
        try:
            # An output that is not complete is removed, so nothing is to be undone.
            self._connection.execute("PRAGMA journal_mode=DELETE")
            self._connection.execute("PRAGMA journal_mode=OFF")
            self._connection.execute("PRAGMA synchronous=OFF")
            self._connection.set_progress_handler(
                interruption.HasHappened, _PROGRESS_INTERVAL
            )
            self._CreateFunctions()
            self._connection.executescript(self._CREATE_TEMPORARY_TABLES)
            self._number_of_events = self._held_file.number_of_events
            self._tables = storage_input.GetTables(self._connection)

            for storage_file in self._storage_files[1:]:
                self._new_file = storage_file
                self._connection.execute(
                    "ATTACH ? AS new", (sqlite_uri.GetURI(storage_file.path),)
                )
                self._connection.execute("BEGIN")
                number_of_events, number_of_held_events = self._AddStorageFile()
                self._connection.execute("COMMIT")
                self._connection.execute("DETACH new")
                messages.append(
                    f"{storage_file.path:s}: {number_of_events:d} events, "
                    f"{number_of_held_events:d} others were there already"
                )
        finally:
            self._connection.close()
            self._connection = None

        return messages + self._GetNotes()

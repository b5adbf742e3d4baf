"""Plugins for the stores that are one JSON or YAML document."""

import abc

from hermes_plaso.formats import config
from hermes_plaso.formats import connections
from hermes_plaso.formats import cron_jobs
from hermes_plaso.formats import documents
from hermes_plaso.formats import gateway
from hermes_plaso.formats import homes
from hermes_plaso.formats import pairing
from hermes_plaso.formats import pastes
from hermes_plaso.formats import run_state
from hermes_plaso.formats import session_json
from hermes_plaso.formats import snapshots
from hermes_plaso.formats import times
from hermes_plaso.parsers import files_interface
from hermes_plaso.parsers import hermes_files


def _GetModificationTime(file_entry):
    """Retrieves when a file was modified.

    Args:
      file_entry (dfvfs.FileEntry): file entry.

    Returns:
      Timestamp: point in time or None if it is not known.
    """
    date_time = file_entry.modification_time
    if date_time is None:
        return None
    microseconds = date_time.GetPlasoTimestamp()
    if microseconds is None:
        return None
    return times.Timestamp(microseconds, date_time.is_local_time)


class DocumentPlugin(files_interface.HermesFilePlugin):
    """Shared functionality of the plugins for documents."""

    @abc.abstractmethod
    def _Decode(self, data, file_entry, location):
        """Decodes a document.

        Args:
          data (bytes): content of the file.
          file_entry (dfvfs.FileEntry): file entry.
          location (Location): what the path of the file says about it.

        Returns:
          iterator[Record|str]: records, and messages of warnings.
        """

    def _ParseFile(self, parser_mediator, file_entry, location, producer):
        """Parses a file.

        Args:
          parser_mediator (ParserMediator): mediates interactions between parsers and
              other components, such as storage and dfVFS.
          file_entry (dfvfs.FileEntry): file entry.
          location (Location): what the path of the file says about it.
          producer (HermesEventProducer): event producer.
        """
        data = self.ReadDocument(file_entry, documents.MAXIMUM_DOCUMENT_SIZE)
        if data is None:
            producer.ProduceWarning(
                f"file of more than {documents.MAXIMUM_DOCUMENT_SIZE:d} bytes is not "
                f"read"
            )
            return
        for result in self._Decode(data, file_entry, location):
            if parser_mediator.abort:
                return
            if isinstance(result, str):
                producer.ProduceWarning(result)
            else:
                producer.Produce(result)


class JSONDocumentPlugin(DocumentPlugin):
    """Shared functionality of the plugins for JSON documents."""

    def _IsFlatCopy(self, document):
        """Determines if a document outside of a home is of this kind.

        Args:
          document (object): document or None if it cannot be read.

        Returns:
          bool: False if other programs give their files the same name and nothing in
              the document tells that it is not one of them.
        """
        return True

    @abc.abstractmethod
    def _DecodeDocument(self, document, file_entry, location):
        """Decodes a document.

        Args:
          document (object): document.
          file_entry (dfvfs.FileEntry): file entry.
          location (Location): what the path of the file says about it.

        Returns:
          iterator[Record|str]: records, and messages of warnings, or None if the
              document is that of another program.
        """

    def _Decode(self, data, file_entry, location):
        """Decodes a document.

        Args:
          data (bytes): content of the file.
          file_entry (dfvfs.FileEntry): file entry.
          location (Location): what the path of the file says about it.

        Yields:
          Record|str: records, and messages of warnings.
        """
        document, reason, has_document = documents.DocumentFromBytes(data)
        is_flat = not location.is_home and "/" not in location.name
        if is_flat and not self._IsFlatCopy(document):
            return
        if not has_document:
            yield f"file cannot be read: {reason:s}"
            return
        if reason:
            yield f"file holds {reason:s}"
        results = self._DecodeDocument(document, file_entry, location)
        if results is not None:
            yield from results
        elif location.is_home and document not in ([], {}):
            # In a home, what is not understood must not be left out without a word.
            yield "file cannot be read: unknown content"


class HermesConfigPlugin(DocumentPlugin):
    """Plugin for the settings: approvals, the allow list and the time zone.

    They are stored in .hermes/config.yaml and /etc/hermes/config.yaml. No other setting
    is read out: the file holds credentials.
    """

    NAME = "hermes_config"
    DATA_FORMAT = "Hermes Agent configuration (config.yaml) file"

    STORES = frozenset([homes.STORE_CONFIG])

    def _Decode(self, data, file_entry, location):
        """Decodes a document.

        Args:
          data (bytes): content of the file.
          file_entry (dfvfs.FileEntry): file entry.
          location (Location): what the path of the file says about it.

        Returns:
          iterator[Record|str]: records, and messages of warnings.
        """
        return config.Decode(data, _GetModificationTime(file_entry))


class HermesPairingPlugin(DocumentPlugin):
    """Plugin for the users that may drive the agent from a messaging platform.

    They are stored in .hermes/platforms/pairing/<platform>-approved.json, in older
    profiles in .hermes/pairing.
    """

    NAME = "hermes_pairing"
    DATA_FORMAT = "Hermes Agent approved users JSON file"

    STORES = frozenset([homes.STORE_PAIRING])

    def _Decode(self, data, file_entry, location):
        """Decodes a document.

        Args:
          data (bytes): content of the file.
          file_entry (dfvfs.FileEntry): file entry.
          location (Location): what the path of the file says about it.

        Returns:
          iterator[Record|str]: records, and messages of warnings.
        """
        platform = pairing.GetPlatform(location.file_name)
        if not platform or not (location.is_home or pairing.IsApprovedUsers(data)):
            return []
        return pairing.Decode(data, platform, location.name)


class HermesConnectionsPlugin(JSONDocumentPlugin):
    """Plugin for the backends that the desktop app talks to.

    They are stored in connections.json in the userData directory of the app.
    """

    NAME = "hermes_connections"
    DATA_FORMAT = "Hermes Agent desktop connections JSON file"

    STORES = frozenset([homes.STORE_DESKTOP])

    def _IsFlatCopy(self, document):
        """Determines if a document outside of a home is of this kind.

        Args:
          document (object): document or None if it cannot be read.

        Returns:
          bool: False if it is not known to be.
        """
        return connections.IsRegistry(document)

    def _DecodeDocument(self, document, file_entry, location):
        """Decodes a document.

        Args:
          document (object): document.
          file_entry (dfvfs.FileEntry): file entry.
          location (Location): what the path of the file says about it.

        Returns:
          iterator[Record|str]: records, and messages of warnings, or None if the
              document is that of another program.
        """
        if not connections.IsRegistry(document, is_home=location.is_home):
            return None
        return connections.Decode(document, _GetModificationTime(file_entry))


class HermesCronJobsPlugin(JSONDocumentPlugin):
    """Plugin for the scheduled jobs, which are stored in .hermes/cron/jobs.json."""

    NAME = "hermes_cron_jobs"
    DATA_FORMAT = "Hermes Agent scheduled jobs JSON file"

    STORES = frozenset([homes.STORE_CRON_JOBS])
    USES_CONFIGURED_TIME_ZONE = True

    def _IsFlatCopy(self, document):
        """Determines if a document outside of a home is of this kind.

        Args:
          document (object): document or None if it cannot be read.

        Returns:
          bool: False if it is not known to be.
        """
        return cron_jobs.IsJobs(cron_jobs.GetJobs(document))

    def _DecodeDocument(self, document, file_entry, location):
        """Decodes a document.

        Args:
          document (object): document.
          file_entry (dfvfs.FileEntry): file entry.
          location (Location): what the path of the file says about it.

        Returns:
          iterator[Record|str]: records, and messages of warnings, or None if the
              document is that of another program.
        """
        jobs = cron_jobs.GetJobs(document)
        return None if jobs is None else cron_jobs.Decode(jobs)


class HermesDelegationManifestPlugin(JSONDocumentPlugin):
    """Plugin for the manifests of delegations.

    They are stored in .hermes/cache/delegation/live/<identifier>/manifest.json.
    """

    NAME = "hermes_delegation_manifest"
    DATA_FORMAT = "Hermes Agent delegation manifest JSON file"

    STORES = frozenset([homes.STORE_DELEGATION_MANIFEST])

    def _DecodeDocument(self, document, file_entry, location):
        """Decodes a document.

        Args:
          document (object): document.
          file_entry (dfvfs.FileEntry): file entry.
          location (Location): what the path of the file says about it.

        Returns:
          iterator[Record|str]: records, and messages of warnings, or None if the
              document is that of another program.
        """
        if not run_state.IsDelegationManifest(document):
            return None
        return run_state.DecodeDelegationManifest(document)


class HermesGatewayStatePlugin(JSONDocumentPlugin):
    """Plugin for the state of the gateway, .hermes/gateway_state.json."""

    NAME = "hermes_gateway_state"
    DATA_FORMAT = "Hermes Agent gateway state JSON file"

    STORES = frozenset([homes.STORE_GATEWAY_STATE])

    def _IsFlatCopy(self, document):
        """Determines if a document outside of a home is of this kind.

        Args:
          document (object): document or None if it cannot be read.

        Returns:
          bool: False if it is not known to be.
        """
        return run_state.IsGatewayState(document)

    def _DecodeDocument(self, document, file_entry, location):
        """Decodes a document.

        Args:
          document (object): document.
          file_entry (dfvfs.FileEntry): file entry.
          location (Location): what the path of the file says about it.

        Returns:
          iterator[Record|str]: records, and messages of warnings, or None if the
              document is that of another program.
        """
        if not run_state.IsGatewayState(document):
            return None
        return run_state.DecodeGatewayState(document)


class HermesPastesPlugin(JSONDocumentPlugin):
    """Plugin for the debug reports that were uploaded, .hermes/pastes/pending.json."""

    NAME = "hermes_pastes"
    DATA_FORMAT = "Hermes Agent uploaded debug reports JSON file"

    STORES = frozenset([homes.STORE_PASTES])

    def _DecodeDocument(self, document, file_entry, location):
        """Decodes a document.

        Args:
          document (object): document.
          file_entry (dfvfs.FileEntry): file entry.
          location (Location): what the path of the file says about it.

        Returns:
          iterator[Record|str]: records, and messages of warnings, or None if the
              document is that of another program.
        """
        if not isinstance(document, list):
            return ["file cannot be read: not a list"]
        return pastes.Decode(document)


class HermesProcessesPlugin(JSONDocumentPlugin):
    """Plugin for the background processes, .hermes/processes.json."""

    NAME = "hermes_processes"
    DATA_FORMAT = "Hermes Agent background processes JSON file"

    STORES = frozenset([homes.STORE_PROCESSES])

    def _IsFlatCopy(self, document):
        """Determines if a document outside of a home is of this kind.

        Args:
          document (object): document or None if it cannot be read.

        Returns:
          bool: False if it is not known to be.
        """
        return run_state.IsProcesses(run_state.GetProcesses(document))

    def _DecodeDocument(self, document, file_entry, location):
        """Decodes a document.

        Args:
          document (object): document.
          file_entry (dfvfs.FileEntry): file entry.
          location (Location): what the path of the file says about it.

        Returns:
          iterator[Record|str]: records, and messages of warnings, or None if the
              document is that of another program.
        """
        processes = run_state.GetProcesses(document)
        return None if processes is None else run_state.DecodeProcesses(processes)


class HermesSessionJSONPlugin(JSONDocumentPlugin):
    """Plugin for the opt-in transcripts, .hermes/sessions/session_<identifier>.json."""

    NAME = "hermes_session_json"
    DATA_FORMAT = "Hermes Agent transcript JSON file"

    STORES = frozenset([homes.STORE_SESSION_JSON])

    def _DecodeDocument(self, document, file_entry, location):
        """Decodes a document.

        Args:
          document (object): document.
          file_entry (dfvfs.FileEntry): file entry.
          location (Location): what the path of the file says about it.

        Returns:
          iterator[Record|str]: records, and messages of warnings, or None if the
              document is that of another program.
        """
        if not session_json.IsTranscript(document):
            return None
        name = location.file_name
        identifier = name.removeprefix("session_").removesuffix(".json")
        return session_json.Decode(document, identifier)


class HermesSessionsIndexPlugin(JSONDocumentPlugin):
    """Plugin for the mirror of the gateway's routes, .hermes/sessions/sessions.json."""

    NAME = "hermes_sessions_index"
    DATA_FORMAT = "Hermes Agent routes JSON file"

    STORES = frozenset([homes.STORE_SESSIONS_INDEX])

    def _IsFlatCopy(self, document):
        """Determines if a document outside of a home is of this kind.

        Args:
          document (object): document or None if it cannot be read.

        Returns:
          bool: False if it is not known to be.
        """
        return gateway.IsFlatRoutingIndex(document)

    def _DecodeDocument(self, document, file_entry, location):
        """Decodes a document.

        Args:
          document (object): document.
          file_entry (dfvfs.FileEntry): file entry.
          location (Location): what the path of the file says about it.

        Returns:
          iterator[Record|str]: records, and messages of warnings, or None if the
              document is that of another program.
        """
        if not gateway.IsRoutingIndex(document):
            return None
        return gateway.DecodeRoutingIndex(document)


class HermesSnapshotManifestPlugin(JSONDocumentPlugin):
    """Plugin for the manifests of snapshots.

    They are stored in .hermes/state-snapshots/<identifier>/manifest.json.
    """

    NAME = "hermes_snapshot_manifest"
    DATA_FORMAT = "Hermes Agent snapshot manifest JSON file"

    STORES = frozenset([homes.STORE_SNAPSHOT_MANIFEST])

    def _IsFlatCopy(self, document):
        """Determines if a document outside of a home is of this kind.

        Args:
          document (object): document or None if it cannot be read.

        Returns:
          bool: False if it is not known to be.
        """
        return snapshots.IsFlatManifest(document)

    def _DecodeDocument(self, document, file_entry, location):
        """Decodes a document.

        Args:
          document (object): document.
          file_entry (dfvfs.FileEntry): file entry.
          location (Location): what the path of the file says about it.

        Returns:
          iterator[Record|str]: records, and messages of warnings, or None if the
              document is that of another program.
        """
        if not snapshots.IsManifest(document):
            return None
        return snapshots.Decode(document, location.copy_identifier)


hermes_files.HermesFilesParser.RegisterPlugins(
    [
        HermesConfigPlugin,
        HermesConnectionsPlugin,
        HermesCronJobsPlugin,
        HermesDelegationManifestPlugin,
        HermesGatewayStatePlugin,
        HermesPairingPlugin,
        HermesPastesPlugin,
        HermesProcessesPlugin,
        HermesSessionJSONPlugin,
        HermesSessionsIndexPlugin,
        HermesSnapshotManifestPlugin,
    ]
)

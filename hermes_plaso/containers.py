"""Event data attribute containers, one class per data type."""

from plaso.containers import events

DATA_TYPE_PREFIX = "hermes:"


class HermesEventData(events.EventData):
    """Hermes event data, what all data types share.

    Attributes:
      copy_identifier (str): which copy of a store the record came from, such as the
          identifier of a snapshot, not set for the live store.
      git_branch (str): git branch of the session.
      model (str): name of the model of the session.
      profile (str): name of the Hermes profile, where "default" is the root home.
      project_path (str): directory the session worked in.
      record_identifier (int|str): what finds the record again in its file, such as a
          row identifier.
      recovered (bool): True if the record is a superseded version or was carved.
      recovery_source (str): where a recovered record was found.
      session_identifier (str): identifier of the session.
      store (str): kind of file the record came from.
      text (str): what a person would read.
      tier (str): certainty of the store: primary, secondary, settings or log.
      time_value (str): time cell as stored, where it holds no usable time.
      turn_type (str): user, assistant, tool_use, tool_result, thinking or system.
      username (str): owner of the home.
    """

    DATA_TYPE = "hermes"

    def __init__(self):
        """Initializes event data."""
        super().__init__(data_type=self.DATA_TYPE)
        self.copy_identifier = None
        self.git_branch = None
        self.model = None
        self.profile = None
        self.project_path = None
        self.record_identifier = None
        self.recovered = None
        self.recovery_source = None
        self.session_identifier = None
        self.store = None
        self.text = None
        self.tier = None
        self.time_value = None
        self.turn_type = None
        self.username = None


class HermesSessionEventData(HermesEventData):
    """Hermes session event data.

    Attributes:
      actual_cost_usd (float): cost in US dollars, as billed.
      api_call_count (int): number of model API calls.
      archived (int): 1 if the session is archived.
      auto_archived (int): 1 if the idle sweep archived the session.
      cache_read_tokens (int): number of tokens read from the prompt cache.
      cache_write_tokens (int): number of tokens written to the prompt cache.
      chat_display_name (str): name of the chat as displayed.
      chat_identifier (str): identifier of the chat on the messaging platform.
      chat_name (str): name of the chat in the origin of the session.
      chat_type (str): type of the chat, such as dm or channel.
      created_source (str): source that created the session.
      end_reason (str): reason the session ended.
      end_time (dfdatetime.DateTimeValues): date and time the session ended.
      estimated_cost_usd (float): estimated cost in US dollars.
      hidden (int): 1 if the session is hidden.
      imported_path (str): path of the transcript the session was imported from.
      imported_session_identifier (str): identifier of the session that was imported.
      imported_tool (str): name of the tool the session was imported from.
      input_tokens (int): number of input tokens.
      last_active_time (dfdatetime.DateTimeValues): date and time of the last activity
          in the session.
      local_policy_path (str): directory of the session's local policy record.
      message_count (int): number of messages, as Hermes counted them.
      output_tokens (int): number of output tokens.
      parent_relation (str): how the session came from its parent: branch, compression,
          delegate, reset or other.
      parent_session_identifier (str): identifier of the parent session.
      pinned (int): 1 if the session is pinned.
      profile_name (str): name of the profile that the session records.
      reasoning_tokens (int): number of reasoning tokens.
      rewind_count (int): number of rewinds.
      schema_version (int): version of the schema of the database.
      session_source (str): source of the session, such as cli, cron or telegram.
      start_time (dfdatetime.DateTimeValues): date and time the session started.
      thread_identifier (str): identifier of the thread on the messaging platform.
      title (str): title of the session.
      tool_call_count (int): number of tool calls, as Hermes counted them.
      user_identifier (str): identifier of the user on the messaging platform.
      user_name (str): name of the user on the messaging platform.
    """

    DATA_TYPE = "hermes:session:entry"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.actual_cost_usd = None
        self.api_call_count = None
        self.archived = None
        self.auto_archived = None
        self.cache_read_tokens = None
        self.cache_write_tokens = None
        self.chat_display_name = None
        self.chat_identifier = None
        self.chat_name = None
        self.chat_type = None
        self.created_source = None
        self.end_reason = None
        self.end_time = None
        self.estimated_cost_usd = None
        self.hidden = None
        self.imported_path = None
        self.imported_session_identifier = None
        self.imported_tool = None
        self.input_tokens = None
        self.last_active_time = None
        self.local_policy_path = None
        self.message_count = None
        self.output_tokens = None
        self.parent_relation = None
        self.parent_session_identifier = None
        self.pinned = None
        self.profile_name = None
        self.reasoning_tokens = None
        self.rewind_count = None
        self.schema_version = None
        self.session_source = None
        self.start_time = None
        self.thread_identifier = None
        self.title = None
        self.tool_call_count = None
        self.user_identifier = None
        self.user_name = None


class HermesMessageEventData(HermesEventData):
    """Hermes message event data.

    Attributes:
      active (int): 1 if the message is part of the conversation, 0 if not.
      api_content (str): what the model saw instead, where it differs from the text.
      bulk_written (int): 1 if the time is that at which Hermes wrote this and other
          messages, such as copies that compaction made.
      compacted (int): 1 if the message was summarised away.
      display_kind (str): kind of display of a message that nobody typed.
      effect_disposition (str): what became of the effect of a tool.
      finish_reason (str): reason the model stopped.
      inactive_reason (str): why the message is not part of the conversation: rewound,
          compacted or carried.
      indicators (list[str]): what the text looks like: context_differs, credential,
          prompt_injection, steering.
      job_identifier (str): identifier of the cron job, in the document of a run.
      platform_message_identifier (str): identifier of the message on the messaging
          platform.
      recorded_time (dfdatetime.DateTimeValues): date and time the message was recorded.
      role (str): role of the message.
      token_count (int): number of tokens.
      tool_call_identifier (str): identifier of the call a result belongs to.
      tool_name (str): name of the tool a result belongs to.
    """

    DATA_TYPE = "hermes:message:entry"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.active = None
        self.api_content = None
        self.bulk_written = None
        self.compacted = None
        self.display_kind = None
        self.effect_disposition = None
        self.finish_reason = None
        self.inactive_reason = None
        self.indicators = None
        self.job_identifier = None
        self.platform_message_identifier = None
        self.recorded_time = None
        self.role = None
        self.token_count = None
        self.tool_call_identifier = None
        self.tool_name = None


class HermesReasoningEventData(HermesMessageEventData):
    """Hermes message reasoning event data.

    Attributes:
      reasoning_content (str): reasoning that the provider returned, where it differs
          from the text.
    """

    DATA_TYPE = "hermes:message:reasoning"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.reasoning_content = None


class HermesToolCallEventData(HermesEventData):
    """Hermes tool call event data.

    Attributes:
      arguments (str): arguments as the model wrote them.
      bulk_written (int): 1 if the time is that at which Hermes wrote this and other
          messages, such as copies that compaction made.
      command (str): command of a shell call.
      inactive_reason (str): why the message is not part of the conversation.
      indicators (list[str]): what the call looks like: credential, destructive,
          download_and_run, file_write, history_rewrite, network_access,
          privilege_change.
      path (str): path of a file call.
      recorded_time (dfdatetime.DateTimeValues): date and time the message with the call
          was recorded.
      search_query (str): query of a search.
      tool_call_identifier (str): identifier of the call.
      tool_name (str): name of the tool.
      url (str): URL of a network call.
    """

    DATA_TYPE = "hermes:message:tool_call"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.arguments = None
        self.bulk_written = None
        self.command = None
        self.inactive_reason = None
        self.indicators = None
        self.path = None
        self.recorded_time = None
        self.search_query = None
        self.tool_call_identifier = None
        self.tool_name = None
        self.url = None


class HermesPermissionDecisionEventData(HermesEventData):
    """Hermes permission decision event data.

    Attributes:
      allow_permanent (int): 1 if a permanent approval was offered.
      bulk_written (int): 1 if the time is that at which Hermes wrote this and other
          messages, such as copies that compaction made.
      command (str): command the decision was about.
      decided_by (str): user, timeout, smart_approval, hardline or deny_rule, where the
          words of the result tell.
      description (str): what is dangerous about the command.
      inactive_reason (str): why the message is not part of the conversation.
      indicators (list[str]): what the command looks like, as of a tool call.
      outcome (str): approved, blocked or pending.
      pattern_key (str): pattern the command matched.
      reason (str): note or error that Hermes recorded.
      recorded_time (dfdatetime.DateTimeValues): date and time the result was recorded.
      smart_denied (int): 1 if the guardian model denied the command.
      tool_call_identifier (str): identifier of the call.
      tool_name (str): name of the tool.
      user_summary (str): what the person who was asked saw.
    """

    DATA_TYPE = "hermes:permission:decision"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.allow_permanent = None
        self.bulk_written = None
        self.command = None
        self.decided_by = None
        self.description = None
        self.inactive_reason = None
        self.indicators = None
        self.outcome = None
        self.pattern_key = None
        self.reason = None
        self.recorded_time = None
        self.smart_denied = None
        self.tool_call_identifier = None
        self.tool_name = None
        self.user_summary = None


class HermesPermissionSettingEventData(HermesEventData):
    """Hermes permission setting event data.

    Attributes:
      approval_time (dfdatetime.DateTimeValues): date and time a user was approved.
      modification_time (dfdatetime.DateTimeValues): date and time the file with the
          setting was modified.
      origin (str): where the setting was found.
      recorded_time (dfdatetime.DateTimeValues): date and time the setting was recorded.
      setting (str): name of the setting.
      user_name (str): name of an approved user.
      value (str): value of the setting.
    """

    DATA_TYPE = "hermes:permission:setting"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.approval_time = None
        self.modification_time = None
        self.origin = None
        self.recorded_time = None
        self.setting = None
        self.user_name = None
        self.value = None


class HermesModelUsageEventData(HermesEventData):
    """Hermes model usage event data.

    Attributes:
      actual_cost_usd (float): cost in US dollars, as billed.
      api_call_count (int): number of model API calls.
      base_url (str): URL of the provider.
      cache_read_tokens (int): number of tokens read from the prompt cache.
      cache_write_tokens (int): number of tokens written to the prompt cache.
      estimated_cost_usd (float): estimated cost in US dollars.
      first_used_time (dfdatetime.DateTimeValues): date and time of the first API call.
      input_tokens (int): number of input tokens.
      last_used_time (dfdatetime.DateTimeValues): date and time of the last API call.
      output_tokens (int): number of output tokens.
      previous_model (str): name of the model the session used before.
      provider (str): name of the provider.
      reasoning_tokens (int): number of reasoning tokens.
      task (str): auxiliary task, not set for the main loop.
    """

    DATA_TYPE = "hermes:model:usage"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.actual_cost_usd = None
        self.api_call_count = None
        self.base_url = None
        self.cache_read_tokens = None
        self.cache_write_tokens = None
        self.estimated_cost_usd = None
        self.first_used_time = None
        self.input_tokens = None
        self.last_used_time = None
        self.output_tokens = None
        self.previous_model = None
        self.provider = None
        self.reasoning_tokens = None
        self.task = None


class HermesModelSwitchEventData(HermesEventData):
    """Hermes model switch event data.

    Attributes:
      active (int): 1 if the marker is the latest of the session.
      bulk_written (int): 1 if the time is that at which Hermes wrote this and other
          messages, such as copies that compaction made.
      display_kind (str): kind of display of the marker.
      previous_model (str): name of the model the session used before.
      provider (str): name of the provider.
      recorded_time (dfdatetime.DateTimeValues): date and time of the switch.
    """

    DATA_TYPE = "hermes:model:switch"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.active = None
        self.bulk_written = None
        self.display_kind = None
        self.previous_model = None
        self.provider = None
        self.recorded_time = None


class HermesSessionRelayEventData(HermesEventData):
    """Hermes relayed session event data.

    Attributes:
      chat_display_name (str): name of the chat.
      chat_identifier (str): identifier of the chat on the messaging platform.
      chat_type (str): type of the chat, such as dm or channel.
      session_source (str): messaging platform.
      start_time (dfdatetime.DateTimeValues): date and time the session started.
      thread_identifier (str): identifier of the thread on the messaging platform.
      user_identifier (str): identifier of the user on the messaging platform.
      user_name (str): name of the user on the messaging platform.
    """

    DATA_TYPE = "hermes:session:relay"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.chat_display_name = None
        self.chat_identifier = None
        self.chat_type = None
        self.session_source = None
        self.start_time = None
        self.thread_identifier = None
        self.user_identifier = None
        self.user_name = None


class HermesScratchDirectoryEventData(HermesEventData):
    """Hermes scratch directory event data.

    Attributes:
      path (str): path of the git worktree that the agent created.
      repository (str): path of the repository of the worktree.
      start_time (dfdatetime.DateTimeValues): date and time the session started.
    """

    DATA_TYPE = "hermes:session:scratch_directory"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.path = None
        self.repository = None
        self.start_time = None


class HermesSessionDeletionEventData(HermesEventData):
    """Hermes session deletion event data.

    Attributes:
      deletion_time (dfdatetime.DateTimeValues): date and time the session was deleted.
      sweep (int): 1 if a sweep rather than a delete removed the session.
    """

    DATA_TYPE = "hermes:session:deletion"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.deletion_time = None
        self.sweep = None


class HermesSessionMutationEventData(HermesEventData):
    """Hermes session mutation receipt event data.

    Attributes:
      operation (str): operation, such as rename or delete.
      session_revision (int): revision of the session after the operation.
    """

    DATA_TYPE = "hermes:session:mutation"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.operation = None
        self.session_revision = None


class HermesSessionAdmissionEventData(HermesEventData):
    """Hermes session admission event data.

    Attributes:
      admission_identifier (str): identifier of the admission.
      admission_status (str): queued, started, unknown or terminal.
      generation (int): generation of the session that ran the request.
      intent (str): queue, steer or redirect.
      outcome (str): outcome of the request.
      payload_digest (str): digest of the payload.
      payload_keys (list[str]): names of the values of the payload.
      principal_identifier (str): identifier of who asked.
      request_identifier (str): identifier of the request.
      retired (int): 1 if the record was kept when the session was deleted, without
          what was asked.
    """

    DATA_TYPE = "hermes:session:admission"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.admission_identifier = None
        self.admission_status = None
        self.generation = None
        self.intent = None
        self.outcome = None
        self.payload_digest = None
        self.payload_keys = None
        self.principal_identifier = None
        self.request_identifier = None
        self.retired = None


class HermesSessionResultEventData(HermesEventData):
    """Hermes result of a request to a session event data.

    Attributes:
      admission_identifier (str): identifier of the admission of the request.
      api_call_count (int): number of calls to the model.
      completed (int): 1 if the turn was completed.
      error (str): error the turn ended with.
      estimated_cost_usd (float): estimated cost in US dollar.
      exit_reason (str): why the turn ended.
      input_tokens (int): number of input tokens.
      output_tokens (int): number of output tokens.
      turn_messages (str): messages of the turn, as JSON, where the database does not
          have the session any more.
    """

    DATA_TYPE = "hermes:session:result"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.admission_identifier = None
        self.api_call_count = None
        self.completed = None
        self.error = None
        self.estimated_cost_usd = None
        self.exit_reason = None
        self.input_tokens = None
        self.output_tokens = None
        self.turn_messages = None


class HermesSystemPromptEventData(HermesEventData):
    """Hermes system prompt event data.

    Attributes:
      indicators (list[str]): what the text looks like: credential, prompt_injection.
      prompt_hash (str): hash of the prompt by which the database finds it.
      start_time (dfdatetime.DateTimeValues): date and time the session started.
    """

    DATA_TYPE = "hermes:session:system_prompt"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.indicators = None
        self.prompt_hash = None
        self.start_time = None


class HermesConversationGenerationEventData(HermesEventData):
    """Hermes conversation generation event data.

    Attributes:
      generation (int): number of the conversation with the peer.
      session_key (str): key that names the chat.
      session_source (str): messaging platform.
    """

    DATA_TYPE = "hermes:conversation:generation"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.generation = None
        self.session_key = None
        self.session_source = None


class HermesRoomEventData(HermesEventData):
    """Hermes hosted room event data.

    Attributes:
      creation_time (dfdatetime.DateTimeValues): date and time the room was created.
      end_time (dfdatetime.DateTimeValues): date and time the room was disbanded.
      members (str): members, as JSON.
      room_identifier (str): identifier of the room.
      room_name (str): name of the room.
      update_time (dfdatetime.DateTimeValues): date and time the room was last changed.
    """

    DATA_TYPE = "hermes:room:entry"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.creation_time = None
        self.end_time = None
        self.members = None
        self.room_identifier = None
        self.room_name = None
        self.update_time = None


class HermesRoomDeletionEventData(HermesEventData):
    """Hermes hosted room deletion event data.

    Attributes:
      deletion_time (dfdatetime.DateTimeValues): date and time the identifier of the
          room was retired.
      room_identifier (str): identifier of the room.
    """

    DATA_TYPE = "hermes:room:deletion"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.deletion_time = None
        self.room_identifier = None


class HermesRoomEventEventData(HermesEventData):
    """Hermes hosted room log event data.

    Attributes:
      actor_identifier (str): identifier of the actor.
      actor_kind (str): kind of actor.
      actor_name (str): name of the actor.
      creation_time (dfdatetime.DateTimeValues): date and time of the event.
      event_kind (str): kind of event.
      payload (str): payload, as JSON.
      room_event_identifier (str): identifier of the event.
      room_identifier (str): identifier of the room.
      room_name (str): name of the room.
      sequence_number (int): sequence number of the event in the room.
    """

    DATA_TYPE = "hermes:room:event"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.actor_identifier = None
        self.actor_kind = None
        self.actor_name = None
        self.creation_time = None
        self.event_kind = None
        self.payload = None
        self.room_event_identifier = None
        self.room_identifier = None
        self.room_name = None
        self.sequence_number = None


class HermesGatewayRouteEventData(HermesEventData):
    """Hermes gateway route event data.

    Attributes:
      chat_display_name (str): name of the chat.
      chat_identifier (str): identifier of the chat on the messaging platform.
      chat_type (str): type of the chat, such as dm or channel.
      creation_time (dfdatetime.DateTimeValues): date and time the route was created.
      scope (str): scope of the route.
      session_key (str): key that names the chat.
      session_source (str): messaging platform.
      thread_identifier (str): identifier of the thread on the messaging platform.
      update_time (dfdatetime.DateTimeValues): date and time the route was last changed.
      user_identifier (str): identifier of the user on the messaging platform.
      user_name (str): name of the user on the messaging platform.
    """

    DATA_TYPE = "hermes:gateway:route"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.chat_display_name = None
        self.chat_identifier = None
        self.chat_type = None
        self.creation_time = None
        self.scope = None
        self.session_key = None
        self.session_source = None
        self.thread_identifier = None
        self.update_time = None
        self.user_identifier = None
        self.user_name = None


class HermesGatewayHeartbeatEventData(HermesEventData):
    """Hermes gateway heartbeat event data.

    Attributes:
      backend_identifier (str): identifier of the backend.
      gateway_host (str): name of the host of the gateway.
      last_active_time (dfdatetime.DateTimeValues): date and time of the last heartbeat.
      process_identifier (int): process identifier.
      profile_name (str): name of the profile the gateway serves.
      start_time (dfdatetime.DateTimeValues): date and time the gateway started.
    """

    DATA_TYPE = "hermes:gateway:heartbeat"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.backend_identifier = None
        self.gateway_host = None
        self.last_active_time = None
        self.process_identifier = None
        self.profile_name = None
        self.start_time = None


class HermesDelegationEventData(HermesEventData):
    """Hermes delegation event data.

    Attributes:
      delegation_context (str): context that was handed to the delegate.
      delegation_identifier (str): identifier of the delegation.
      delegation_state (str): state of the delegation.
      delivery_state (str): state of the delivery of the result.
      delivery_time (dfdatetime.DateTimeValues): date and time the result was delivered.
      end_time (dfdatetime.DateTimeValues): date and time the delegation completed.
      error (str): error of the delegation.
      live_transcripts (list[str]): paths of the live transcripts.
      parent_session_identifier (str): identifier of the parent session.
      process_identifier (int): identifier of the process that owned the delegation.
      result (str): what the delegate answered.
      role (str): role of the delegate.
      start_time (dfdatetime.DateTimeValues): date and time the delegation was
          dispatched.
      update_time (dfdatetime.DateTimeValues): date and time the delegation was last
          changed.
    """

    DATA_TYPE = "hermes:delegation:entry"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.delegation_context = None
        self.delegation_identifier = None
        self.delegation_state = None
        self.delivery_state = None
        self.delivery_time = None
        self.end_time = None
        self.error = None
        self.live_transcripts = None
        self.parent_session_identifier = None
        self.process_identifier = None
        self.result = None
        self.role = None
        self.start_time = None
        self.update_time = None


class HermesStoreCreationEventData(HermesEventData):
    """Hermes store creation event data.

    Attributes:
      creation_time (dfdatetime.DateTimeValues): date and time Hermes created the
          database.
    """

    DATA_TYPE = "hermes:store:creation"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.creation_time = None


class HermesSnapshotEventData(HermesEventData):
    """Hermes state database copy event data.

    Attributes:
      backup_time (dfdatetime.DateTimeValues): date and time the copy was made.
      compared_with (int): number of databases of the home that the copy was compared
          with: the live one and newer copies. Not set if all rows of it are events.
      number_of_messages (int): number of messages in the copy.
      number_of_sessions (int): number of sessions in the copy.
      number_of_unique_messages (int): number of messages of which only this copy, and
          perhaps older ones, hold the version.
    """

    DATA_TYPE = "hermes:snapshot:entry"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.backup_time = None
        self.compared_with = None
        self.number_of_messages = None
        self.number_of_sessions = None
        self.number_of_unique_messages = None


class HermesUnparsedEventData(HermesEventData):
    """Hermes event data of a record that could not be decoded.

    Attributes:
      reason (str): why the record could not be decoded.
      recorded_time (dfdatetime.DateTimeValues): date and time of the record, where it
          could be read.
      response_identifier (str): identifier of the API response the record is of.
      session_key (str): key that names the chat of a gateway record.
      value (str): record as stored.
    """

    DATA_TYPE = "hermes:unparsed:entry"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.reason = None
        self.recorded_time = None
        self.response_identifier = None
        self.session_key = None
        self.value = None


class HermesAPIResponseEventData(HermesEventData):
    """Hermes API server response event data.

    Attributes:
      conversation_name (str): name of the conversation that ends with the response.
      creation_time (dfdatetime.DateTimeValues): date and time the response was created.
      input_tokens (int): number of input tokens.
      instructions (str): instructions of the client.
      output_tokens (int): number of output tokens.
      previous_response_identifier (str): identifier of the response it continues.
      response_identifier (str): identifier of the response.
      response_status (str): status of the response.
    """

    DATA_TYPE = "hermes:api_response:entry"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.conversation_name = None
        self.creation_time = None
        self.input_tokens = None
        self.instructions = None
        self.output_tokens = None
        self.previous_response_identifier = None
        self.response_identifier = None
        self.response_status = None


class HermesAPIRunEventData(HermesEventData):
    """Hermes API server run event data.

    Attributes:
      acknowledgement_time (dfdatetime.DateTimeValues): date and time the run was
          acknowledged.
      creation_time (dfdatetime.DateTimeValues): date and time the run was created.
      idempotency_key (str): key the client gave the run.
      process_identifier (int): identifier of the process that owned the run.
      run_identifier (str): identifier of the run.
      run_status (str): status of the run.
      scope (str): scope of the key.
      update_time (dfdatetime.DateTimeValues): date and time the run was last changed.
    """

    DATA_TYPE = "hermes:api_run:entry"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.acknowledgement_time = None
        self.creation_time = None
        self.idempotency_key = None
        self.process_identifier = None
        self.run_identifier = None
        self.run_status = None
        self.scope = None
        self.update_time = None


class HermesConfigSettingEventData(HermesEventData):
    """Hermes setting event data.

    Attributes:
      modification_time (dfdatetime.DateTimeValues): date and time the file with the
          setting was modified.
      origin (str): where the setting was found.
      setting (str): name of the setting.
      value (str): value of the setting.
    """

    DATA_TYPE = "hermes:config:setting"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.modification_time = None
        self.origin = None
        self.setting = None
        self.value = None


class HermesCronJobEventData(HermesEventData):
    """Hermes scheduled job event data.

    Attributes:
      creation_time (dfdatetime.DateTimeValues): date and time the job was created.
      delivery (str): where the result is delivered.
      job_identifier (str): identifier of the job.
      job_name (str): name of the job.
      job_state (str): state of the job.
      last_error (str): error of the last run.
      last_run_time (dfdatetime.DateTimeValues): date and time of the last run.
      last_status (str): status of the last run.
      next_run_time (dfdatetime.DateTimeValues): date and time of the next run.
      pause_reason (str): reason the job was paused.
      pause_time (dfdatetime.DateTimeValues): date and time the job was paused.
      schedule (str): schedule of the job.
      script (str): script of the job.
    """

    DATA_TYPE = "hermes:cron:job"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.creation_time = None
        self.delivery = None
        self.job_identifier = None
        self.job_name = None
        self.job_state = None
        self.last_error = None
        self.last_run_time = None
        self.last_status = None
        self.next_run_time = None
        self.pause_reason = None
        self.pause_time = None
        self.schedule = None
        self.script = None


class HermesDesktopConnectionEventData(HermesEventData):
    """Hermes desktop app connection event data.

    Attributes:
      address (str): URL without password, or user, host and port.
      authentication_mode (str): how the app authenticates itself.
      connection_identifier (str): identifier of the connection.
      connection_kind (str): remote, ssh or cloud.
      connection_label (str): label of the connection.
      connection_name (str): name of the hosted instance.
      key_path (str): path of the SSH key.
      last_used (int): 1 if the app used the connection last.
      modification_time (dfdatetime.DateTimeValues): date and time the registry was
          modified.
      organization (str): organization of the hosted instance.
      quarantine_reason (str): why the app does not load the connection.
      remote_path (str): path of Hermes on the host.
      remote_profile (str): name of the profile on the host.
    """

    DATA_TYPE = "hermes:desktop:connection"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.address = None
        self.authentication_mode = None
        self.connection_identifier = None
        self.connection_kind = None
        self.connection_label = None
        self.connection_name = None
        self.key_path = None
        self.last_used = None
        self.modification_time = None
        self.organization = None
        self.quarantine_reason = None
        self.remote_path = None
        self.remote_profile = None


class HermesGatewayStateEventData(HermesEventData):
    """Hermes run-time state event data.

    Attributes:
      active_agents (int): number of active agents.
      command (str): command of a background process.
      end_time (dfdatetime.DateTimeValues): date and time a process ended.
      error (str): error of a messaging platform.
      exit_reason (str): reason the gateway ended.
      gateway_state (str): state of the gateway, the platform or the process.
      platform (str): messaging platform.
      process_identifier (int): process identifier.
      session_key (str): key of the messaging session a process belongs to.
      start_time (dfdatetime.DateTimeValues): date and time a process started.
      task_identifier (str): identifier of the task a process belongs to.
      update_time (dfdatetime.DateTimeValues): date and time the state was last changed.
      version (str): version of Hermes.
    """

    DATA_TYPE = "hermes:gateway:state"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.active_agents = None
        self.command = None
        self.end_time = None
        self.error = None
        self.exit_reason = None
        self.gateway_state = None
        self.platform = None
        self.process_identifier = None
        self.session_key = None
        self.start_time = None
        self.task_identifier = None
        self.update_time = None
        self.version = None


class HermesPasteEventData(HermesEventData):
    """Hermes debug report upload event data.

    Attributes:
      expiration_time (dfdatetime.DateTimeValues): date and time the report is due for
          deletion.
      upload_time (dfdatetime.DateTimeValues): date and time the report was uploaded.
      url (str): URL of the report.
    """

    DATA_TYPE = "hermes:paste:entry"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.expiration_time = None
        self.upload_time = None
        self.url = None


class HermesRetainDBEventData(HermesEventData):
    """Hermes RetainDB queue event data.

    Attributes:
      creation_time (dfdatetime.DateTimeValues): date and time the turn was queued.
      last_error (str): error of the last upload.
      user_identifier (str): identifier of the user.
    """

    DATA_TYPE = "hermes:retaindb:entry"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.creation_time = None
        self.last_error = None
        self.user_identifier = None


class HermesSnapshotManifestEventData(HermesEventData):
    """Hermes snapshot manifest event data.

    Attributes:
      backup_time (dfdatetime.DateTimeValues): date and time the snapshot was made.
      failed_databases (str): names of the databases that could not be copied.
      files (list[str]): names of the files in the snapshot.
      number_of_files (int): number of files in the snapshot.
      oversized_files (str): names of the files that were too large to be copied.
      size (int): size of the snapshot in bytes.
      snapshot_label (str): label of the snapshot.
    """

    DATA_TYPE = "hermes:snapshot:manifest"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.backup_time = None
        self.failed_databases = None
        self.files = None
        self.number_of_files = None
        self.oversized_files = None
        self.size = None
        self.snapshot_label = None


class HermesTrajectoryRunEventData(HermesEventData):
    """Hermes trajectory run event data.

    Attributes:
      completed (str): true if the run completed, false if not.
      number_of_turns (int): number of turns.
      origin (str): name of the trajectory file.
      recorded_time (dfdatetime.DateTimeValues): date and time the run was recorded.
    """

    DATA_TYPE = "hermes:trajectory:run"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.completed = None
        self.number_of_turns = None
        self.origin = None
        self.recorded_time = None


class HermesCronRunEventData(HermesEventData):
    """Hermes run of a scheduled job event data.

    The text is that of the whole document where it has no prompt.

    Attributes:
      agent_job_identifier (str): identifier of the job, where an agent was given its
          prompt: the run is told apart from one that has output only.
      error (str): error of a run that failed.
      job_identifier (str): identifier of the job.
      job_name (str): name of the job.
      run_status (str): status of a run that did not complete, such as failed.
      run_time (dfdatetime.DateTimeValues): date and time of the run.
      schedule (str): schedule of the job.
    """

    DATA_TYPE = "hermes:cron:run"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.agent_job_identifier = None
        self.error = None
        self.job_identifier = None
        self.job_name = None
        self.run_status = None
        self.run_time = None
        self.schedule = None


class HermesDelegationLineEventData(HermesEventData):
    """Hermes delegation transcript line event data.

    Attributes:
      delegation_identifier (str): identifier of the delegation.
      goal (str): what was delegated, with the first line only.
      line_kind (str): kind of line, such as start, think, assistant or final.
      recorded_time (dfdatetime.DateTimeValues): date and time the line was recorded.
      task_number (int|str): number of the task.
    """

    DATA_TYPE = "hermes:delegation:line"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.delegation_identifier = None
        self.goal = None
        self.line_kind = None
        self.recorded_time = None
        self.task_number = None


class HermesLogLineEventData(HermesEventData):
    """Hermes log line event data.

    Attributes:
      level (str): level, such as INFO or WARNING.
      logger_name (str): name of the logger.
      recorded_time (dfdatetime.DateTimeValues): date and time the line was recorded.
    """

    DATA_TYPE = "hermes:log:line"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.level = None
        self.logger_name = None
        self.recorded_time = None


class HermesPromptHistoryEventData(HermesEventData):
    """Hermes prompt history entry event data.

    Attributes:
      command (str): slash command.
      recorded_time (dfdatetime.DateTimeValues): date and time the prompt was typed.
    """

    DATA_TYPE = "hermes:prompt_history:entry"

    def __init__(self):
        """Initializes event data."""
        super().__init__()
        self.command = None
        self.recorded_time = None


# Event data class per data type.
EVENT_DATA_CLASSES = {
    event_data_class.DATA_TYPE: event_data_class
    for event_data_class in (
        HermesAPIResponseEventData,
        HermesAPIRunEventData,
        HermesConfigSettingEventData,
        HermesConversationGenerationEventData,
        HermesCronJobEventData,
        HermesCronRunEventData,
        HermesDelegationEventData,
        HermesDelegationLineEventData,
        HermesDesktopConnectionEventData,
        HermesGatewayHeartbeatEventData,
        HermesGatewayRouteEventData,
        HermesGatewayStateEventData,
        HermesLogLineEventData,
        HermesMessageEventData,
        HermesModelSwitchEventData,
        HermesModelUsageEventData,
        HermesPasteEventData,
        HermesPermissionDecisionEventData,
        HermesPermissionSettingEventData,
        HermesPromptHistoryEventData,
        HermesReasoningEventData,
        HermesRetainDBEventData,
        HermesRoomDeletionEventData,
        HermesRoomEventData,
        HermesRoomEventEventData,
        HermesScratchDirectoryEventData,
        HermesSessionAdmissionEventData,
        HermesSessionDeletionEventData,
        HermesSessionEventData,
        HermesSessionMutationEventData,
        HermesSessionRelayEventData,
        HermesSessionResultEventData,
        HermesSnapshotEventData,
        HermesSnapshotManifestEventData,
        HermesStoreCreationEventData,
        HermesSystemPromptEventData,
        HermesToolCallEventData,
        HermesTrajectoryRunEventData,
        HermesUnparsedEventData,
    )
}

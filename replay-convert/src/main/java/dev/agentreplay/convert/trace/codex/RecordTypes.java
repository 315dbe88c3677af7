package dev.agentreplay.convert.trace.codex;

import java.util.Set;

/** The types of records that the versions of Codex write, as far as they are known. */
final class RecordTypes {

  /** The types of records in envelopes. */
  static final Set<String> ENVELOPES = Set.of(
      "session_meta",
      "response_item",
      "event_msg",
      "turn_context",
      "compacted",
      "world_state",
      "item_completed",
      "token_usage_record",
      "inter_agent_communication",
      "security_risk_score",
      "inter_agent_communication_metadata",
      "retained_context",
      "realtime_item");

  private static final Set<String> ITEMS = Set.of(
      "message",
      "reasoning",
      "agent_message",
      "additional_tools",
      "compaction",
      "context_compaction",
      "compaction_trigger",
      "compaction_summary",
      "ghost_snapshot",
      "tool_search_output",
      "tool_result");

  /** The types of the events for user interfaces. */
  static final Set<String> EVENTS = Set.of(
      "user_message",
      "agent_message",
      "agent_reasoning",
      "agent_reasoning_raw_content",
      "token_count",
      "task_started",
      "task_complete",
      "turn_started",
      "turn_complete",
      "turn_aborted",
      "turn.completed",
      "error",
      "stream_error",
      "warning",
      "exec_command_begin",
      "exec_command_end",
      "patch_apply_begin",
      "patch_apply_end",
      "mcp_tool_call_begin",
      "mcp_tool_call_end",
      "web_search_begin",
      "web_search_end",
      "view_image_tool_call",
      "image_generation_end",
      "context_compacted",
      "thread_rolled_back",
      "thread_name_updated",
      "thread_goal_updated",
      "thread_settings_applied",
      "entered_review_mode",
      "plan_update",
      "exited_review_mode",
      "item_started",
      "item_completed",
      "sub_agent_activity",
      "turn_diff",
      "guardian_assessment",
      "dynamic_tool_call_request",
      "dynamic_tool_call_response",
      "collab_agent_spawn_end",
      "collab_agent_interaction_end",
      "collab_waiting_end",
      "collab_close_end",
      "collab_resume_end",
      "background_event",
      "undo_completed");

  private static final Set<String> NOT_SHOWN =
      Set.of("ghost_snapshot", "additional_tools", "compaction_trigger");

  private RecordTypes() {}

  static boolean isKnownItem(String type) {
    return ITEMS.contains(type) || type.endsWith("_call") || type.endsWith("_call_output");
  }

  /** Whether the model is shown items of a type. */
  static boolean isShown(String type) {
    return !NOT_SHOWN.contains(type);
  }
}

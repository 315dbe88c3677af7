package dev.agentreplay.benchmarks;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.JsonNode;

/**
 * The events of specification 000 as Jackson users bind them: one class for each tag, with times
 * and hashes as text.
 */
final class ReadPojos {

  private ReadPojos() {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "event")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = ReplayHeader.class, name = "ReplayHeader"),
    @JsonSubTypes.Type(value = SessionStart.class, name = "SessionStart"),
    @JsonSubTypes.Type(value = PlanStart.class, name = "PlanStart"),
    @JsonSubTypes.Type(value = ToolCall.class, name = "ToolCall"),
    @JsonSubTypes.Type(value = ToolResult.class, name = "ToolResult"),
    @JsonSubTypes.Type(value = StepComplete.class, name = "StepComplete"),
    @JsonSubTypes.Type(value = SessionEnd.class, name = "SessionEnd")
  })
  abstract static class Event {
    @JsonProperty("t")
    public String time;
  }

  static final class ReplayHeader extends Event {
    @JsonProperty("created_at")
    public String createdAt;

    @JsonProperty("replay_version")
    public int replayVersion;

    public String producer;
  }

  static final class SessionStart extends Event {
    @JsonProperty("session_id")
    public String sessionId;

    @JsonProperty("issue_number")
    public Long issueNumber;

    @JsonProperty("policy_version")
    public String policyVersion;
  }

  static final class PlanStart extends Event {
    @JsonProperty("plan_hash")
    public String planHash;

    @JsonProperty("step_count")
    public Long stepCount;
  }

  static final class ToolCall extends Event {
    public String id;
    public String tool;
    public JsonNode params;

    @JsonProperty("params_hash")
    public String paramsHash;

    @JsonProperty("step_id")
    public String stepId;
  }

  static final class ToolResult extends Event {
    public String id;
    public JsonNode output;

    @JsonProperty("output_hash")
    public String outputHash;

    @JsonProperty("exit_code")
    public Integer exitCode;

    @JsonProperty("step_utility")
    public Double stepUtility;

    @JsonProperty("latency_ms")
    public Long latencyMillis;
  }

  static final class StepComplete extends Event {
    @JsonProperty("step_id")
    public String stepId;

    public String status;
    public Long iterations;
  }

  static final class SessionEnd extends Event {
    public String status;
    public Double confidence;

    @JsonProperty("total_tool_calls")
    public Long totalToolCalls;

    @JsonProperty("total_latency_ms")
    public Long totalLatencyMillis;
  }
}

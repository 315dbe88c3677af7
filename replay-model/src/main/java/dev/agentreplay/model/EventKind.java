package dev.agentreplay.model;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The kinds of events; each is one permitted type of {@link ReplayEvent}. */
public enum EventKind {
  /** {@link ReplayHeader}. */
  REPLAY_HEADER("ReplayHeader"),
  /** {@link SessionStart}. */
  SESSION_START("SessionStart"),
  /** {@link PlanStart}. */
  PLAN_START("PlanStart"),
  /** {@link ToolCall}. */
  TOOL_CALL("ToolCall", "params"),
  /** {@link ToolResult}. */
  TOOL_RESULT("ToolResult", "output"),
  /** {@link StepComplete}. */
  STEP_COMPLETE("StepComplete"),
  /** {@link Verification}. */
  VERIFICATION("Verification"),
  /** {@link Payment}. */
  PAYMENT("Payment"),
  /** {@link RuntimeEvent}. */
  RUNTIME_EVENT("RuntimeEvent", "payload"),
  /** {@link ModelCall}. */
  MODEL_CALL("ModelCall", "prompt"),
  /** {@link ModelResult}. */
  MODEL_RESULT("ModelResult", "answer"),
  /** {@link Settings}. */
  SETTINGS("Settings"),
  /** {@link FileState}. */
  FILE_STATE("FileState"),
  /** {@link RecordedValue}. */
  RECORDED_VALUE("RecordedValue"),
  /** {@link Checkpoint}. */
  CHECKPOINT("Checkpoint"),
  /** {@link RecordingGap}. */
  RECORDING_GAP("RecordingGap"),
  /** {@link LogSegment}. */
  LOG_SEGMENT("LogSegment"),
  /** {@link SessionEnd}. */
  SESSION_END("SessionEnd"),
  /** {@link UnknownEvent}: any other type. */
  UNKNOWN("");

  private static final Map<String, EventKind> BY_TAG =
      Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(EventKind::id, kind -> kind));

  private final String tag;
  private final @Nullable String contentName;

  EventKind(String tag) {
    this(tag, null);
  }

  EventKind(String tag, @Nullable String contentName) {
    this.tag = tag;
    this.contentName = contentName;
  }

  /** Returns the kind with the given tag; {@link #UNKNOWN} when no kind has it. */
  public static EventKind ofTag(String tag) {
    return BY_TAG.getOrDefault(tag, UNKNOWN);
  }

  /** The tag of this kind in a log, the same in every dialect; empty for {@link #UNKNOWN}. */
  public String id() {
    return tag;
  }

  /**
   * The name of the member that holds {@link ReplayEvent#content()}, the same in every dialect;
   * null for kinds without content. The members of its hash, reference and preview have this name
   * with a suffix.
   */
  public @Nullable String contentName() {
    return contentName;
  }
}

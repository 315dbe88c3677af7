package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The result of a tool call.
 *
 * @param id the id of its call
 * @param output the output of the tool
 * @param outcome the outcome: success, exit code, error
 * @param stepUtility the usefulness of the call, from -1.0 to 1.0
 * @param timing the duration of the call, and the pieces of a streamed output
 * @param sideEffects the side effects of the call
 * @param meta the data common to all events
 */
public record ToolResult(
    String id,
    Content output,
    Outcome outcome,
    @Nullable Double stepUtility,
    Timing timing,
    List<SideEffect> sideEffects,
    Meta meta)
    implements ReplayEvent {

  /** Checks for null and copies. */
  public ToolResult {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(output, "output");
    Objects.requireNonNull(outcome, "outcome");
    Objects.requireNonNull(timing, "timing");
    Objects.requireNonNull(meta, "meta");
    sideEffects = List.copyOf(sideEffects);
  }

  /** Creates a result; the output is converted as by {@link JsonValue#of}. */
  public static ToolResult of(String id, @Nullable Object output) {
    return new ToolResult(
        id,
        Content.of(JsonValue.of(output)),
        Outcome.NONE,
        null,
        Timing.NONE,
        List.of(),
        Meta.NONE);
  }

  /** Returns a copy with the given output. */
  public ToolResult withOutput(Content newOutput) {
    return new ToolResult(id, newOutput, outcome, stepUtility, timing, sideEffects, meta);
  }

  /** Returns a copy with the given outcome. */
  public ToolResult withOutcome(Outcome newOutcome) {
    return new ToolResult(id, output, newOutcome, stepUtility, timing, sideEffects, meta);
  }

  /** Returns a copy with the given utility, from -1.0 to 1.0. */
  public ToolResult withStepUtility(@Nullable Double newStepUtility) {
    return new ToolResult(id, output, outcome, newStepUtility, timing, sideEffects, meta);
  }

  /** Returns a copy with the given latency in milliseconds. */
  public ToolResult withLatencyMillis(@Nullable Long newLatencyMillis) {
    return withTiming(timing.withLatencyMillis(newLatencyMillis));
  }

  /** Returns a copy with the given times. */
  public ToolResult withTiming(Timing newTiming) {
    return new ToolResult(id, output, outcome, stepUtility, newTiming, sideEffects, meta);
  }

  /** Returns a copy with the given side effects. */
  public ToolResult withSideEffects(List<SideEffect> newSideEffects) {
    return new ToolResult(id, output, outcome, stepUtility, timing, newSideEffects, meta);
  }

  @Override
  public EventKind kind() {
    return EventKind.TOOL_RESULT;
  }

  @Override
  public Content content() {
    return output;
  }

  @Override
  public String callId() {
    return id;
  }

  @Override
  public Boolean succeeded() {
    return outcome.succeeded();
  }

  @Override
  public @Nullable Long latencyMillis() {
    return timing.latencyMillis();
  }

  @Override
  public ToolResult withMeta(Meta newMeta) {
    return new ToolResult(id, output, outcome, stepUtility, timing, sideEffects, newMeta);
  }
}

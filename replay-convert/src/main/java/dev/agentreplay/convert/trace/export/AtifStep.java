package dev.agentreplay.convert.trace.export;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A step of an ATIF trajectory while it is built. Not safe for use by several threads. */
final class AtifStep {

  private final String source;
  private final String message;
  private final boolean isCopied;
  private final @Nullable Exchange model;
  private final List<Exchange> calls = new ArrayList<>();
  private final Set<String> ids = new HashSet<>();
  private final List<JsonValue> events = new ArrayList<>();

  /**
   * Creates a step.
   *
   * @param source {@code system}, {@code user} or {@code agent}
   * @param isCopied whether it is an answer of an earlier session, in the first prompt of this one
   * @param model the call of the model that the step is; null if there is none
   */
  AtifStep(String source, String message, boolean isCopied, @Nullable Exchange model) {
    this.source = source;
    this.message = message;
    this.isCopied = isCopied;
    this.model = model;
  }

  /** Whether a call can be added: an id may occur once, and parallel calls begin together. */
  boolean takes(Exchange call) {
    return source.equals("agent")
        && !isCopied
        && !ids.contains(call.tool().id())
        && (model != null
            || calls.stream().allMatch(each -> each.isOpenAt(call.begin().line())));
  }

  void add(Exchange call) {
    calls.add(call);
    ids.add(call.tool().id());
  }

  void keep(JsonObject event) {
    events.add(event);
  }

  @Nullable
  Exchange model() {
    return model;
  }

  JsonObject json(int number, ExportedSession session) {
    JsonObject.Builder step = JsonObject.builder().put("step_id", number);
    JsonObject.Builder kept = JsonObject.builder();
    ExportedEvent first =
        model != null ? model.begin() : calls.isEmpty() ? null : calls.get(0).begin();
    if (first != null && first.timeText() != null) {
      step.put("timestamp", first.timeText());
      first.moveTime("steps[].timestamp");
    }
    step.put("source", source).put("message", message);
    if (isCopied) {
      step.put("is_copied_context", true);
    }
    if (model != null) {
      AtifModelStep.put(model, step, kept);
    }
    if (!calls.isEmpty()) {
      AtifToolCalls.put(calls, session, step);
    }
    if (!events.isEmpty()) {
      kept.put("events", JsonArray.copyOf(events));
    }
    JsonObject extra = kept.build();
    if (!extra.isEmpty()) {
      step.put("extra", JsonObject.of(DocumentWriter.KEPT, extra));
    }
    return step.build();
  }
}

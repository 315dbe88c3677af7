package dev.agentreplay.convert.trace.inspect;

import dev.agentreplay.convert.trace.inspect.EvalSample.Part;
import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The facts about the events of a sample that the first event already needs. */
final class Outline {

  /** The member with the events in an event, in logs before spans. */
  static final String EVENTS = "events";

  private final Attachments attachments;
  private final @Nullable JsonValue output;
  private final Spans spans = new Spans();
  private @Nullable Timestamp firstTime;
  private boolean hasTurns;
  private boolean hasOutput;

  private Outline(EvalSample sample) {
    this.attachments = sample.attachments();
    JsonValue last = sample.shell().get("output");
    this.output = last == null ? null : attachments.resolve(last);
  }

  /** Reads the events of a sample. */
  static Outline of(EvalSample sample) throws IOException {
    Outline outline = new Outline(sample);
    sample.forEachEvent(outline::add, fault -> {}); // reported when they are written
    outline.spans.complete();
    return outline;
  }

  private void add(Part part) {
    if (!(part.json() instanceof JsonObject event)) {
      return;
    }
    String type = SourceHead.text(event, "event");
    String time = SourceHead.text(event, "timestamp");
    if (firstTime == null && time != null) {
      firstTime = Timestamp.tryParse(time);
    }
    spans.add(event);
    hasTurns |= "model".equals(type) || "tool".equals(type);
    JsonValue answer = "model".equals(type) ? event.get("output") : null;
    if (answer != null && output != null && !hasOutput) {
      hasOutput = attachments.resolve(answer).equals(output);
    }
    nested(part).forEach(this::add);
  }

  /** The events in the event of a tool or of a subtask; none if it has other values there. */
  static List<Part> nested(Part part) {
    if (!(part.json() instanceof JsonObject event)
        || !(event.get(EVENTS) instanceof JsonArray events)
        || !events.stream().allMatch(value -> value instanceof JsonObject)) {
      return List.of();
    }
    List<Part> nested = new ArrayList<>(events.size());
    JsonPointer pointer = JsonPointer.ROOT.append(EVENTS);
    for (int i = 0; i < events.size(); i++) {
      nested.add(new Part(events.get(i), part.type(), part.place().child(pointer.append(i))));
    }
    return nested;
  }

  /** The spans. */
  Spans spans() {
    return spans;
  }

  /** The time of the first event; null if none states one. */
  @Nullable
  Timestamp firstTime() {
    return firstTime;
  }

  /** Whether there is an event of a model or a tool. */
  boolean hasTurns() {
    return hasTurns;
  }

  /** Whether the output of the sample is that of a model event. */
  boolean hasLastOutput() {
    return hasOutput;
  }
}

package dev.agentreplay.convert.trace.inspect;

import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.convert.trace.report.SourcePlace;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A sample that is one JSON object. */
final class WholeSample implements EvalSample {

  private static final String EVENTS = "events";
  private static final String MESSAGES = "messages";
  private static final String ATTACHMENTS = "attachments";

  /** The names of the pool of messages, by version. */
  private static final List<List<String>> POOLS =
      List.of(List.of("events_data", "messages"), List.of("message_pool"));

  private final SourcePlace place;
  private final Attachments attachments = new Attachments();
  private final List<Part> events;
  private final List<Part> messages;
  private final List<Part> pool = new ArrayList<>();
  private JsonObject shell;

  WholeSample(JsonObject sample, SourcePlace place) {
    this.place = place;
    this.shell = sample;
    this.events = take(EVENTS);
    this.messages = take(MESSAGES);
    for (List<String> path : POOLS) {
      pool.addAll(take(path.toArray(String[]::new)));
    }
    if (shell.get(ATTACHMENTS) instanceof JsonObject texts) {
      texts.forEach(attachments::add);
      shell = shell.without(ATTACHMENTS);
    }
  }

  /** Takes the elements of an array out of the sample; none if the value is not an array. */
  private List<Part> take(String... path) {
    JsonValue value = shell;
    for (String name : path) {
      value = value instanceof JsonObject object ? object.get(name) : null;
    }
    if (!(value instanceof JsonArray array)) {
      return List.of();
    }
    shell = without(shell, path);
    return parts(array, place, new JsonPointer(List.of(path)));
  }

  private static JsonObject without(JsonObject object, String... path) {
    if (path.length == 1) {
      return object.without(path[0]);
    }
    JsonObject inner = object.get(path[0]) instanceof JsonObject member ? member : JsonObject.EMPTY;
    JsonObject left = inner.without(path[1]);
    return left.isEmpty() ? object.without(path[0]) : object.with(path[0], left);
  }

  private static List<Part> parts(JsonArray array, SourcePlace place, JsonPointer pointer) {
    List<Part> parts = new ArrayList<>(array.size());
    for (int i = 0; i < array.size(); i++) {
      parts.add(new Part(array.get(i), "message", place.child(pointer.append(i))));
    }
    return parts;
  }

  @Override
  public SourcePlace place() {
    return place;
  }

  @Override
  public JsonObject shell() {
    return shell;
  }

  @Override
  public Attachments attachments() {
    return attachments;
  }

  @Override
  public List<Part> pool() {
    return pool;
  }

  @Override
  public List<Part> messages() {
    return messages;
  }

  @Override
  public List<Part> others() {
    return List.of();
  }

  @Override
  public void forEachEvent(EventVisitor visitor, Consumer<SourceFault> faults) throws IOException {
    for (Part event : events) {
      visitor.visit(event);
    }
  }
}

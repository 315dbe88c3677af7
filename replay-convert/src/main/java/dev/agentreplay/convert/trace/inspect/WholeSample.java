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
import org.jspecify.annotations.Nullable;

/** A sample that is one JSON object. */
final class WholeSample implements EvalSample {

  private static final List<String> MESSAGES = List.of("messages");

  /** The places of the events, the first of logs of 2024. */
  private static final List<List<String>> EVENTS =
      List.of(List.of("transcript", "events"), List.of("events"));

  /** The places of the texts, the first of logs of 2024. */
  private static final List<List<String>> ATTACHMENTS =
      List.of(List.of("transcript", "content"), List.of("attachments"));

  /** The places of the pool of messages, the first of logs since 2026. */
  private static final List<List<String>> POOLS =
      List.of(List.of("events_data", "messages"), List.of("message_pool"));

  private final SourcePlace place;
  private final Attachments attachments = new Attachments();
  private final List<Part> events;
  private final List<Part> messages;
  private final List<Part> pool;
  private JsonObject shell;

  WholeSample(JsonObject sample, SourcePlace place) {
    this.place = place;
    this.shell = sample;
    this.messages = take(List.of(MESSAGES));
    this.events = take(EVENTS);
    this.pool = take(POOLS);
    for (List<String> path : ATTACHMENTS) {
      if (get(path) instanceof JsonObject texts) {
        texts.forEach(attachments::add);
        shell = without(shell, path);
      }
    }
  }

  private @Nullable JsonValue get(List<String> path) {
    JsonValue value = shell;
    for (String name : path) {
      value = value instanceof JsonObject object ? object.get(name) : null;
    }
    return value;
  }

  /** Takes the elements of arrays out of the sample; a value that is not an array remains. */
  private List<Part> take(List<List<String>> paths) {
    List<Part> parts = new ArrayList<>();
    for (List<String> path : paths) {
      if (get(path) instanceof JsonArray array) {
        shell = without(shell, path);
        JsonPointer pointer = new JsonPointer(path);
        for (int i = 0; i < array.size(); i++) {
          parts.add(new Part(array.get(i), "message", place.child(pointer.append(i))));
        }
      }
    }
    return parts;
  }

  private static JsonObject without(JsonObject object, List<String> path) {
    String name = path.get(0);
    if (path.size() == 1 || !(object.get(name) instanceof JsonObject inner)) {
      return object.without(name);
    }
    JsonObject left = without(inner, path.subList(1, path.size()));
    return left.isEmpty() ? object.without(name) : object.with(name, left);
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

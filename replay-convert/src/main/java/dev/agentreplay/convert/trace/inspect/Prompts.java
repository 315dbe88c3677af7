package dev.agentreplay.convert.trace.inspect;

import dev.agentreplay.convert.trace.inspect.EvalSample.Part;
import dev.agentreplay.convert.trace.reading.Conversation;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a sample. A log repeats each message in the input of each model event after it;
 * here it is a part of the prompts, and once a record that keeps what the model is not shown, such
 * as its id. A message of a user is a record as a whole. Not safe for use by several threads.
 */
final class Prompts {

  /** The members of a message that are not a part of the request to the model. */
  private static final List<String> HIDDEN = List.of("id", "source", "model", "metadata");

  private static final String IN_PROMPT = "ModelCall/prompt/messages";

  private final TraceSession session;
  private final Records records;

  /** The inputs of the last model events of the lanes. */
  private final Map<String, List<JsonValue>> inputs = new HashMap<>();

  /** The number of times that a message was written. */
  private final Map<JsonValue, Integer> written = new HashMap<>();

  /** The messages of the final conversation that were in no prompt so far. */
  private final Map<JsonValue, Deque<SourceRecord>> waiting = new LinkedHashMap<>();

  Prompts(TraceSession session, Records records) {
    this.session = session;
    this.records = records;
  }

  /** Adds a message of the final conversation. */
  void addFinal(Part message) {
    SourceRecord record = records.create(message, "message");
    waiting.computeIfAbsent(record.json(), any -> new ArrayDeque<>(1)).add(record);
  }

  /**
   * Makes the input of a model event that of the next call in its lane.
   *
   * @param input the messages, with their attachments
   * @param places the places of the messages
   */
  void next(List<JsonValue> input, List<Part> places, Meta meta) throws IOException {
    Conversation conversation = session.conversation(meta.agent());
    String lane = meta.agent() == null ? "" : meta.agent();
    List<JsonValue> last = inputs.getOrDefault(lane, List.of());
    int same = 0;
    while (same < last.size() && same < input.size() && last.get(same).equals(input.get(same))) {
      same++;
    }
    conversation.keepFirst(same);
    Map<JsonValue, Integer> times = new HashMap<>();
    for (int i = 0; i < input.size(); i++) {
      JsonValue message = input.get(i);
      int time = times.merge(message, 1, Integer::sum);
      if (i >= same) {
        if (time > written.getOrDefault(message, 0)) {
          write(poll(message, places.get(i)), meta);
        }
        conversation.add(shown(message));
      }
    }
    inputs.put(lane, input);
  }

  /** The record of a message that is written now: that of the final conversation if it is there. */
  private SourceRecord poll(JsonValue message, Part part) {
    written.merge(message, 1, Integer::sum);
    SourceRecord record = pollFinal(message);
    return record == null ? records.create(part, "message") : record;
  }

  private @Nullable SourceRecord pollFinal(JsonValue message) {
    Deque<SourceRecord> equal = waiting.get(message);
    return equal == null ? null : equal.poll();
  }

  private void write(SourceRecord record, Meta meta) throws IOException {
    Meta untimed = meta.withTime(null);
    if ("user".equals(record.text("role"))) {
      record.derive(IN_PROMPT, "content");
      session.message(record, untimed);
      return;
    }
    for (String name : record.json().names()) {
      if (!HIDDEN.contains(name)) {
        record.move(IN_PROMPT, name);
      }
    }
    if (!record.rest().isEmpty()) {
      session.keep(record, untimed);
    }
  }

  /** States that a message is the answer of a model, which is written with its result. */
  void answered(JsonValue message) {
    written.merge(message, 1, Integer::sum);
    SourceRecord record = pollFinal(message);
    if (record != null) {
      record.dropAll("it is the answer of a model event");
    }
  }

  /** A message as the model is shown it. */
  static JsonValue shown(JsonValue message) {
    return message instanceof JsonObject object
        ? object.without(HIDDEN.toArray(String[]::new))
        : message;
  }

  /** Writes the messages that were in no prompt. */
  void complete(List<Part> pool) throws IOException {
    for (Deque<SourceRecord> equal : waiting.values()) {
      for (SourceRecord record : equal) {
        written.merge(record.json(), 1, Integer::sum);
        if ("user".equals(record.text("role"))) {
          session.message(record, Meta.NONE);
        } else {
          session.keep(record);
        }
      }
    }
    for (Part message : pool) {
      SourceRecord record = records.create(message, "message");
      if (!written.containsKey(record.json())) {
        session.keep(record);
      } else {
        record.dropAll("it is written where it was in a prompt first");
      }
    }
  }
}

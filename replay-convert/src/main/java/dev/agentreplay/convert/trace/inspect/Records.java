package dev.agentreplay.convert.trace.inspect;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.convert.trace.inspect.EvalSample.Part;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Creates the records of a sample, in which references to attachments are replaced. */
final class Records {

  private final TraceSession session;
  private final Attachments attachments;

  Records(TraceSession session, Attachments attachments) {
    this.session = session;
    this.attachments = attachments;
  }

  /** Creates a record; a value that is not an object becomes its member {@code value}. */
  SourceRecord create(Part part, String type) {
    JsonObject json = object(part.json());
    JsonObject resolved = (JsonObject) attachments.resolve(json);
    SourceRecord record =
        session.record(resolved, type, part.place(), CanonicalJson.SERDE.hash(part.json()));
    for (int i = 0; i < json.size(); i++) {
      stateResolved(record, json, resolved, i);
    }
    return record;
  }

  /**
   * Creates a record in which the references in some members only are replaced. Those in others,
   * which are kept as they are, may be repeated in each event of a sample.
   */
  SourceRecord create(Part part, String type, Set<String> used) {
    JsonObject json = object(part.json());
    JsonObject.Builder builder = JsonObject.builder();
    List<Integer> changed = new ArrayList<>();
    for (int i = 0; i < json.size(); i++) {
      JsonValue value = json.value(i);
      if (used.contains(json.name(i))) {
        JsonValue resolved = attachments.resolve(value);
        builder.add(json.name(i), resolved);
        changed.add(i);
      } else {
        attachments.refer(value);
        builder.add(json.name(i), value);
      }
    }
    JsonObject resolved = builder.build();
    SourceRecord record =
        session.record(resolved, type, part.place(), CanonicalJson.SERDE.hash(part.json()));
    changed.forEach(i -> stateResolved(record, json, resolved, i));
    return record;
  }

  private static void stateResolved(
      SourceRecord record, JsonObject json, JsonObject resolved, int i) {
    if (json.value(i) != resolved.value(i)) {
      record.derive("the texts of its attachments", json.name(i));
    }
  }

  static JsonObject object(JsonValue value) {
    return value instanceof JsonObject object ? object : JsonObject.of("value", value);
  }

  Attachments attachments() {
    return attachments;
  }
}

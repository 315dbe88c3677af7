package dev.agentreplay.convert.trace.inspect;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.convert.trace.inspect.EvalSample.Part;
import dev.agentreplay.convert.trace.inspect.Spans.Lane;
import dev.agentreplay.convert.trace.reading.MessageText;
import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.convert.trace.report.SourceFault.Kind;
import dev.agentreplay.convert.trace.report.SourcePlace;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes the session of one sample in one epoch. */
final class SampleImport {

  private static final Set<String> KNOWN = Set.of(
      "anchor",
      "approval",
      "branch",
      "checkpoint",
      "compaction",
      "error",
      "info",
      "input",
      "interrupt",
      "logger",
      "model",
      "review",
      "sample_init",
      "sample_limit",
      "sandbox",
      "score",
      "score_edit",
      "sentinel",
      "span_begin",
      "span_end",
      "state",
      "step",
      "store",
      "subtask",
      "tool");

  private final EvalSample sample;
  private final Outline outline;
  private final TraceSession session;
  private final @Nullable String model;
  private final Records records;
  private final Prompts prompts;
  private final PendingResults results;
  private final ModelEvents models;
  private final ToolEvents tools;

  /**
   * Creates the import of a sample.
   *
   * @param model the model of the evaluation; null if the log does not state it
   */
  SampleImport(EvalSample sample, Outline outline, TraceSession session, @Nullable String model) {
    this.sample = sample;
    this.outline = outline;
    this.session = session;
    this.model = model;
    this.records = new Records(session, sample.attachments());
    this.prompts = new Prompts(session, records);
    this.results = new PendingResults(session);
    this.models = new ModelEvents(session, records, prompts, results, sample.pool());
    this.tools = new ToolEvents(session, results);
  }

  /** Writes what follows the start of a session. */
  interface Opening {
    void write() throws IOException;
  }

  /** Writes the sample but for its end, and returns its record. */
  SourceRecord write(SessionStart start, Opening opening) throws IOException {
    SourceRecord record =
        records.create(new Part(sample.shell(), "sample", sample.place()), "sample");
    if (outline.hasLastOutput()) {
      record.drop("equal to the output of a model event", "output");
    }
    start(start, record);
    opening.write();
    if (outline.hasTurns()) {
      for (Part message : sample.messages()) {
        prompts.addFinal(message);
      }
      sample.forEachEvent(event -> write(event, null), session::fault);
      results.writeAll();
      prompts.complete(sample.pool());
    } else {
      sample.forEachEvent(event -> write(event, null), session::fault);
      new MessageTurns(session, records, model).write(sample.messages());
      writeOtherMessages();
    }
    for (Part part : sample.others()) {
      writeOther(part);
    }
    writeAttachments();
    if (session.counts().toCounts(0).messages() == 0) {
      writeInput();
    }
    return record;
  }

  /** Writes the messages of the pool that are not in the conversation. */
  private void writeOtherMessages() throws IOException {
    Set<JsonValue> written = sample.messages().stream().map(Part::json).collect(Collectors.toSet());
    for (Part message : sample.pool()) {
      if (!written.contains(message.json())) {
        session.keep(records.create(message, "message"));
      }
    }
  }

  private void start(SessionStart start, SourceRecord record) throws IOException {
    if (start.meta().sessionId() != null && start.meta().sessionId().equals(record.text("uuid"))) {
      record.move("SessionStart/session_id", "uuid");
    }
    record.derive("SessionStart/tags", "id");
    record.derive("SessionStart/tags", "epoch");
    String task = MessageText.of(input(record.get("input")));
    if (task != null && !task.isBlank()) {
      record.derive("SessionStart/task", "input");
    }
    session.start(start, record);
    if (task != null && !task.isBlank()) {
      session.task(task);
    }
  }

  /** The content of the input of a sample: a text, or that of its first message of a user. */
  private static @Nullable JsonValue input(@Nullable JsonValue input) {
    if (!(input instanceof JsonArray messages)) {
      return input;
    }
    for (JsonValue message : messages) {
      if (message instanceof JsonObject object && "user".equals(SourceHead.text(object, "role"))) {
        return object.get("content");
      }
    }
    return null;
  }

  /** Writes the input as the message of a user, if the sample has no messages. */
  private void writeInput() throws IOException {
    JsonValue input = sample.shell().get("input");
    if (input == null) {
      return;
    }
    SourcePlace place = sample.place().child(JsonPointer.ROOT.append("input"));
    SourceRecord record =
        records.create(new Part(JsonObject.of("input", input), "input", place), "sample_input");
    session.message(record, Meta.NONE);
  }

  private void writeOther(Part part) throws IOException {
    SourceRecord record = session.record(
        Records.object(part.json()),
        part.type(),
        part.place(),
        CanonicalJson.SERDE.hash(part.json()));
    if (part.type().equals(Part.INDEX)) {
      record.dropAll("computed from the events of the sample");
      return;
    }
    sample.attachments().refer(part.json());
    session.keep(record);
  }

  private void writeAttachments() throws IOException {
    Attachments attachments = sample.attachments();
    JsonObject kept = attachments.kept();
    if (!kept.isEmpty()) {
      session.keep(session.record(
          JsonObject.of("texts", kept),
          "attachments",
          sample.place(),
          CanonicalJson.SERDE.hash(kept)));
    }
    if (attachments.isTooLong()) {
      session.fault(new SourceFault(
          Kind.RECORD_TOO_LONG,
          sample.place(),
          "references to attachments are kept, because their texts are too long together"));
    }
    if (attachments.missing() > 0) {
      session.fault(new SourceFault(
          Kind.MISSING_FILE,
          sample.place(),
          "%,d attachments that are referred to are missing".formatted(attachments.missing())));
    }
  }

  private void write(Part part, @Nullable Meta outer) throws IOException {
    JsonObject json = Records.object(part.json());
    List<Part> nested = Outline.nested(part);
    Part own =
        nested.isEmpty() ? part : new Part(json.without(Outline.EVENTS), part.type(), part.place());
    String type = SourceHead.text(json, "event");
    SourceRecord event =
        switch (type == null ? "" : type) {
          case "model" -> records.create(own, "model", ModelEvents.USED);
          case "tool" -> records.create(own, "tool", ToolEvents.USED);
          default -> records.create(own, type == null ? "event" : type, Set.of());
        };
    if (type == null || !KNOWN.contains(type)) {
      event.unknown();
    }
    Meta meta = meta(event, outer);
    results.writeUntil(meta.time());
    if ("model".equals(type)) {
      models.write(event, meta);
    } else if ("tool".equals(type)) {
      tools.write(event, meta, () -> writeAll(nested, meta));
    } else {
      session.keep(event, meta);
      writeAll(nested, meta);
    }
  }

  private void writeAll(List<Part> nested, Meta outer) throws IOException {
    for (Part event : nested) {
      write(event, outer);
    }
  }

  /** The time and the lane of an event; of an event in a different one, its lane if it has none. */
  private Meta meta(SourceRecord event, @Nullable Meta outer) {
    Lane lane = outline.spans().lane(event.text("span_id"));
    Meta meta = lane == null && outer != null
        ? Meta.NONE.withAgent(outer.agent()).withParent(outer.parent())
        : Meta.NONE;
    if (lane != null) {
      event.derive("agent", "span_id");
      meta = meta.withAgent(lane.name()).withParent(lane.call());
    }
    return meta.withTime(time(event, "t", "timestamp"));
  }

  private static @Nullable Timestamp time(SourceRecord event, String to, String member) {
    String text = event.text(member);
    Timestamp time = text == null ? null : Timestamp.tryParse(text);
    if (time != null) {
      event.move(to, member);
    }
    return time;
  }

  /** The meta data of a result: the time at which the event was completed, if it states it. */
  static Meta completed(SourceRecord event, Meta meta, String to) {
    return meta.withTime(time(event, to, "completed"));
  }

  /** A duration in seconds as milliseconds; null if it is not one. */
  static @Nullable Long millis(@Nullable JsonValue seconds) {
    double value = seconds instanceof JsonNumber number ? number.asDouble() : -1;
    return value >= 0 && value < Integer.MAX_VALUE ? Long.valueOf(Math.round(value * 1_000)) : null;
  }
}

package dev.agentreplay.convert.trace.inspect;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.convert.trace.inspect.EvalSample.Part;
import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.TraceOutput;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.Settings.Setting;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes the sessions of a log, one for each sample and epoch. What the log states about all
 * samples is kept in the first session; the others have the settings only.
 */
final class LogImport {

  private static final String EVAL = "eval";

  private final TraceOutput output;
  private final Part header;
  private final List<Part> others;
  private boolean isFirst = true;

  /**
   * Creates the import of a log.
   *
   * @param header the log without its samples
   * @param others the other parts that are kept
   */
  LogImport(TraceOutput output, Part header, List<Part> others) {
    this.output = output;
    this.header = header;
    this.others = others;
  }

  /** Whether no session was begun. */
  boolean isEmpty() {
    return isFirst;
  }

  void write(EvalSample sample) throws IOException {
    Outline outline = Outline.of(sample);
    TraceSession session = output.begin(id(sample.shell()), time(sample, outline));
    SourceRecord log = session.record(
        Records.object(header.json()),
        header.type(),
        header.place(),
        CanonicalJson.SERDE.hash(header.json()));
    SourceRecord written = new SampleImport(sample, outline, session, log.text(EVAL, "model"))
        .write(start(session, log, sample.shell()), () -> writeSettings(session, log));
    SessionEnd end = end(written, log);
    if (end != null) {
      session.emit(end, written);
    }
    output.end(session);
    isFirst = false;
  }

  /** The id of a session: that of the sample, or of the run with the sample and the epoch. */
  private String id(JsonObject sample) {
    String uuid = SourceHead.text(sample, "uuid");
    if (uuid != null && !uuid.isBlank()) {
      return uuid;
    }
    String run = SourceHead.text(eval(), "run_id");
    String inRun = text(sample.get("id")) + "_" + text(sample.get("epoch"));
    return run == null || run.isBlank() ? inRun : run + "_" + inRun;
  }

  private JsonObject eval() {
    return Records.object(header.json()).get(EVAL) instanceof JsonObject eval
        ? eval
        : JsonObject.EMPTY;
  }

  private static String text(@Nullable JsonValue value) {
    if (value instanceof JsonString text) {
      return text.value();
    }
    return value instanceof JsonNumber number ? number.text() : "unknown";
  }

  /** The time of the first event; if there is none, of the sample, or else of the evaluation. */
  private @Nullable Timestamp time(EvalSample sample, Outline outline) {
    if (outline.firstTime() != null) {
      return outline.firstTime();
    }
    String started = SourceHead.text(sample.shell(), "started_at");
    String stated = started == null ? SourceHead.text(eval(), "created") : started;
    return stated == null ? null : Timestamp.tryParse(stated);
  }

  private static SessionStart start(TraceSession session, SourceRecord log, JsonObject sample) {
    SessionStart start = session.start();
    String origin = log.text(EVAL, "revision", "origin");
    String commit = log.text(EVAL, "revision", "commit");
    if (origin != null && commit != null) {
      log.derive("SessionStart/repo", EVAL, "revision");
      start = start.withRepository(JsonObject.of("remote", origin, "commit", commit));
    }
    List<String> tags = new ArrayList<>();
    String task = log.text(EVAL, "task");
    if (task != null) {
      log.derive("SessionStart/tags", EVAL, "task");
      tags.add("task:" + task);
    }
    tags.add("sample:" + text(sample.get("id")));
    tags.add("epoch:" + text(sample.get("epoch")));
    return start.withTags(tags.toArray(String[]::new));
  }

  /** Writes the settings, and in the first session what the log states about all samples. */
  private void writeSettings(TraceSession session, SourceRecord log) throws IOException {
    Map<String, Setting> settings = new LinkedHashMap<>();
    add(settings, log, Settings.MODEL, "model");
    add(settings, log, Settings.MODEL_PARAMETERS, "model_generate_config");
    add(settings, log, Settings.VERSIONS, "packages");
    for (String name : List.of("task", "task_version", "task_args", "sandbox")) {
      add(settings, log, name, name);
    }
    if (!settings.isEmpty()) {
      session.derive(Settings.of(settings), log);
    }
    if (!isFirst) {
      log.dropAll("it is kept in the session of the first sample");
      return;
    }
    session.keep(log);
    for (Part other : others) {
      SourceRecord record = session.record(
          Records.object(other.json()),
          other.type(),
          other.place(),
          CanonicalJson.SERDE.hash(other.json()));
      if (other.type().equals(Part.INDEX)) {
        record.dropAll("a summary of the samples");
      } else {
        session.keep(record);
      }
    }
  }

  private static void add(
      Map<String, Setting> settings, SourceRecord log, String name, String member) {
    JsonValue value = log.get(EVAL, member);
    boolean isTyped =
        switch (name) {
          case Settings.MODEL -> value instanceof JsonString;
          case Settings.VERSIONS ->
            value instanceof JsonObject versions
                && versions.toMap().values().stream().allMatch(JsonString.class::isInstance);
          case Settings.MODEL_PARAMETERS ->
            value instanceof JsonObject parameters
                && parameters.toMap().values().stream().noneMatch(JsonNull.class::isInstance);
          default -> value != null && !(value instanceof JsonNull);
        };
    if (value != null && isTyped && !JsonObject.EMPTY.equals(value)) {
      log.derive("Settings/" + name, EVAL, member);
      settings.put(name, new Setting(value, null));
    }
  }

  /** The end of a session, as sample and log state it; null if they do not. */
  private static @Nullable SessionEnd end(SourceRecord sample, SourceRecord log) {
    String completed = sample.text("completed_at");
    Timestamp time = completed == null ? null : Timestamp.tryParse(completed);
    if (time != null) {
      sample.derive("SessionEnd/t", "completed_at");
    }
    SessionEnd end = end(sample, log.text("status"));
    return end == null ? null : end.withMeta(Meta.NONE.withTime(time));
  }

  private static @Nullable SessionEnd end(SourceRecord sample, @Nullable String status) {
    if (sample.get("error") instanceof JsonObject) {
      sample.derive("SessionEnd/status", "error");
      return SessionEnd.of(Status.FAILED).withErrorMessage(sample.text("error", "message"));
    }
    if (sample.get("limit") instanceof JsonObject) {
      sample.derive("SessionEnd/status", "limit");
      return limit(sample.text("limit", "type"));
    }
    if (!sample.object("scores").isEmpty() || "success".equals(status)) {
      return SessionEnd.of(Status.SUCCESS);
    }
    return "cancelled".equals(status) ? SessionEnd.of(Status.CANCELLED) : null;
  }

  /** The end of a sample that a limit ended. */
  private static SessionEnd limit(@Nullable String type) {
    String name = type == null ? "unknown" : type;
    Status status =
        switch (name) {
          case "time", "working" -> Status.TIMEOUT;
          case "operator" -> Status.CANCELLED;
          default -> Status.FAILED;
        };
    return SessionEnd.of(status).withErrorMessage("ended by a limit: " + name);
  }
}

package dev.agentreplay.convert.trace.export;

import dev.agentreplay.model.Names;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes an evaluation log of Inspect in JSON, version 2: a log with one sample, whose events are
 * the calls of models and tools in order, and whose messages are the conversation of the main
 * agent. Sub-agents are spans.
 */
public final class InspectWriter implements DocumentWriter {

  private static final int VERSION = 2;
  private static final String METADATA = "eval.metadata." + KEPT;
  private static final String UNKNOWN = "unknown";

  /** Creates a writer. */
  public InspectWriter() {}

  @Override
  public Document write(ExportedSession session) {
    String agent = session.agentName();
    String model = session.model("eval.model");
    InspectEvents events = new InspectEvents(session);
    JsonArray written = events.json();
    JsonObject usage = events.usage();
    String begun = Timestamp.of(session.first()).text();
    String ended = Timestamp.of(session.last()).text();
    if (session.header() != null) {
      session.header().time("stats.started_at");
    }
    if (session.end() != null) {
      session.end().time("stats.completed_at");
    }
    JsonObject.Builder sample = JsonObject.builder()
        .put("id", session.id())
        .put("epoch", 1)
        .put("input", input(session))
        .put("target", "")
        .put("messages", InspectConversation.of(session))
        .put("output", events.output())
        .put("scores", JsonObject.EMPTY)
        .put("metadata", JsonObject.EMPTY)
        .put("store", JsonObject.EMPTY)
        .put("events", written)
        .put("model_usage", usage)
        .put("started_at", begun)
        .put("completed_at", ended)
        .put("attachments", JsonObject.EMPTY);
    JsonObject error = error(session.endEvent());
    if (error != null) {
      sample.put("error", error);
    }
    JsonObject.Builder log = JsonObject.builder()
        .put("version", VERSION)
        .put("status", status(session))
        .put("eval", eval(session, agent, model == null ? UNKNOWN : model, begun))
        .put("plan", JsonObject.of("name", "plan", "steps", JsonArray.EMPTY))
        .put(
            "stats",
            JsonObject.of("started_at", begun, "completed_at", ended, "model_usage", usage));
    if (error != null) {
      log.put("error", error);
    }
    log.put("samples", JsonArray.of(sample.build()));
    return new Document(log.build(), written.size());
  }

  private static JsonObject eval(
      ExportedSession session, String agent, String model, String created) {
    ExportedEvent start = session.start();
    JsonObject.Builder eval = JsonObject.builder()
        .put("eval_id", session.id())
        .put("run_id", session.id())
        .put("created", created)
        .put("task", agent)
        .put("task_id", session.id())
        .put("task_version", 0)
        .put(
            "dataset",
            JsonObject.of("name", agent, "samples", 1, "sample_ids", JsonArray.of(session.id())))
        .put("model", model)
        .put("config", JsonObject.EMPTY);
    if (start != null) {
      start.record().generate("eval.task_version", "0");
      start.move("samples[].id", Names.SESSION_ID);
      JsonArray tags = start.record().array("tags");
      if (tags.size() > 0) {
        eval.put("tags", tags);
        start.move("eval.tags", "tags");
      }
    }
    JsonObject.Builder kept = JsonObject.builder();
    for (ExportedEvent event : session.singles()) {
      kept.put(event.kind(), event.keptIn(METADATA));
    }
    return eval.put("metadata", JsonObject.of(KEPT, kept.build())).build();
  }

  private static String input(ExportedSession session) {
    String task = session.task();
    if (task != null && session.start() != null) {
      session.start().record().derive("samples[].input", "task");
    }
    return task == null ? "" : task;
  }

  private static String status(ExportedSession session) {
    SessionEnd end = session.endEvent();
    if (end == null || session.end() == null) {
      return "started";
    }
    session.end().record().derive("status", "status");
    session.end().record().derive("status", "outcome");
    return switch (end.status().kind()) {
      case SUCCESS -> "success";
      case CANCELLED -> "cancelled";
      default -> "error";
    };
  }

  private static @Nullable JsonObject error(@Nullable SessionEnd end) {
    if (end == null || end.status().isSuccess()) {
      return null;
    }
    String message = end.errorMessage() == null ? end.status().word() : end.errorMessage();
    return JsonObject.of("message", message, "traceback", "", "traceback_ansi", "");
  }

  /** The kept members of the events of an exchange, by their kinds. */
  static JsonObject.Builder kept(Exchange exchange) {
    JsonObject.Builder kept = JsonObject.builder();
    List<ExportedEvent> events = new ArrayList<>();
    events.add(exchange.begin());
    if (exchange.end() != null) {
      events.add(exchange.end());
    }
    for (ExportedEvent each : events) {
      JsonObject rest = each.keptIn("events[].metadata." + KEPT);
      if (!rest.isEmpty()) {
        kept.put(each.kind(), rest);
      }
    }
    return kept;
  }
}

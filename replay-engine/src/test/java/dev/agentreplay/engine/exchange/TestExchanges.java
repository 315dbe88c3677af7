package dev.agentreplay.engine.exchange;

import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.EventComparison;
import dev.agentreplay.engine.diff.rule.ComparisonRule;
import dev.agentreplay.engine.exchange.ExchangeMatcher.Matched;
import dev.agentreplay.engine.exchange.ExchangeMatcher.Missed;
import dev.agentreplay.io.recording.ReplayWriter;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.RecordedValue;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds the exchanges of a recording, and requests to match with them. */
final class TestExchanges {

  private final List<ReplayEvent> events = new ArrayList<>();
  private int ids;

  /** Adds a call with its result. */
  TestExchanges add(ReplayEvent call) {
    return add(call, null);
  }

  TestExchanges add(ReplayEvent call, @Nullable String agent) {
    unanswered(call, agent);
    String id = "id-" + ids;
    ReplayEvent result = call instanceof ToolCall
        ? ToolResult.of(id, "out").withLatencyMillis(1L)
        : ModelResult.of(id, "a");
    events.add(agent == null ? result : result.withMeta(Meta.NONE.withAgent(agent)));
    return this;
  }

  TestExchanges add(RecordedValue value) {
    events.add(value);
    return this;
  }

  TestExchanges addAll(List<? extends ReplayEvent> calls) {
    calls.forEach(this::add);
    return this;
  }

  /** Adds a call without a result. */
  TestExchanges unanswered(ReplayEvent call, @Nullable String agent) {
    String id = "id-" + ++ids;
    Meta meta = agent == null ? Meta.NONE : Meta.NONE.withAgent(agent);
    if (call instanceof ToolCall tool) {
      events.add(ToolCall.of(id, tool.tool(), tool.params().value()).withMeta(meta));
    } else {
      ModelCall model = (ModelCall) call;
      events.add(new ModelCall(id, model.model(), model.prompt(), model.parameters(), meta));
    }
    return this;
  }

  /** The line of the call of an exchange, by its number. */
  static long line(int exchange) {
    return 2L + 2L * exchange;
  }

  RecordedExchanges read(Path directory, ComparisonRule... rules) throws IOException {
    Path file = directory.resolve("recording-" + System.nanoTime() + ".jsonl");
    try (ReplayWriter writer = ReplayWriter.create(file, ReplayHeader.of("test@1"))) {
      for (ReplayEvent event : events) {
        writer.emit(event);
      }
    }
    DiffOptions options = DiffOptions.defaults().plus(rules);
    return RecordedExchanges.read(
        new Session(file, null), canonical -> EventComparison.of(options, canonical), line -> {});
  }

  // ---- requests

  static ToolCall tool(String tool, Object params) {
    return ToolCall.of("", tool, JsonValue.of(params));
  }

  static ModelCall ask(JsonValue... messages) {
    return ask("m", List.of(messages));
  }

  static ModelCall ask(String model, List<JsonValue> messages) {
    JsonObject prompt = JsonObject.of("messages", JsonArray.copyOf(messages));
    return new ModelCall("", model, Content.of(prompt), ModelCall.Parameters.NONE, Meta.NONE);
  }

  static ModelCall prompt(JsonObject prompt) {
    return new ModelCall("", "m", Content.of(prompt), ModelCall.Parameters.NONE, Meta.NONE);
  }

  static JsonObject message(String role, Object content) {
    return JsonObject.of("role", role, "content", content);
  }

  // ---- results

  /** The rule and the line by which a request is matched, as in {@code exact 2}. */
  static String match(ExchangeMatcher matcher, ReplayEvent request) throws IOException {
    return match(matcher, request, null);
  }

  static String match(ExchangeMatcher matcher, ReplayEvent request, @Nullable String agent)
      throws IOException {
    ExchangeMatcher.Result result = matcher.match(request, agent);
    return result instanceof Matched matched
        ? matched.rung().id() + " " + matched.exchange().line()
        : ((Missed) result).miss().kind().id();
  }

  static ReplayMiss miss(ExchangeMatcher matcher, ReplayEvent request) throws IOException {
    return ((Missed) matcher.match(request, null)).miss();
  }
}

package dev.agentreplay.engine.attribution;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.RecordedValue;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.check.CallPairing;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The calls, results and values of a recording, in memory. */
final class RecordedRun {

  /** A call with its result, both with their values. */
  static final class Call {
    final long line;
    ReplayEvent call;

    @Nullable
    ReplayEvent result;

    Call(long line, ReplayEvent call) {
      this.line = line;
      this.call = call;
    }
  }

  /**
   * A request.
   *
   * @param agent the id of the agent that makes it; null for the main agent
   * @param key the hash of the request
   */
  record Asked(@Nullable String agent, ContentHash key) {}

  /** A value, with its line. */
  record Value(long line, RecordedValue event) {}

  /** The calls and values of one agent. */
  static final class Lane {
    final List<Call> models = new ArrayList<>();

    /** The calls with equal requests, in order. */
    final Map<ContentHash, List<Call>> same = new LinkedHashMap<>();

    /** The values of each source, in order. */
    final Map<String, List<Value>> values = new LinkedHashMap<>();
  }

  private final Session session;
  private final Map<@Nullable String, Lane> lanes = new HashMap<>();
  private final CallPairing<Call> tools = new CallPairing<>();
  private final CallPairing<Call> models = new CallPairing<>();
  private JsonObject settings = JsonObject.EMPTY;

  private RecordedRun(Session session) {
    this.session = session;
  }

  static RecordedRun read(Session session) throws IOException {
    RecordedRun run = new RecordedRun(session);
    try (ReplayReader reader = session.readerWithFullPrompts()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        run.add(line.position().line(), line.event());
      }
    }
    return run;
  }

  private void add(long line, ReplayEvent event) throws IOException {
    String agent = event.meta().agent();
    if (event instanceof ToolCall call) {
      tools.call(call.id(), agent, call(line, call.withParams(full(call.params()))));
    } else if (event instanceof ModelCall call) {
      Call made = call(line, call.withPrompt(full(call.prompt())));
      lane(agent).models.add(made);
      if (lane(agent).models.size() > 1) {
        made.call = call.withPrompt(Content.NONE); // only the first prompts are compared
      }
      models.call(call.id(), agent, made);
    } else if (event instanceof ToolResult result) {
      Call answered = tools.result(result.id(), agent);
      if (answered != null) {
        answered.result = result.withOutput(full(result.output()));
      }
    } else if (event instanceof ModelResult result) {
      Call answered = models.result(result.id(), agent);
      if (answered != null) {
        answered.result = result.withAnswer(full(result.answer()));
      }
    } else if (event instanceof RecordedValue value) {
      lane(agent)
          .values
          .computeIfAbsent(value.source(), source -> new ArrayList<>())
          .add(new Value(line, value));
    } else if (event instanceof Settings stated) {
      for (String name : stated.values().names()) {
        settings = settings.with(name, stated.values().get(name));
      }
    }
  }

  private Call call(long line, ReplayEvent event) {
    Call call = new Call(line, event);
    lane(event.meta().agent())
        .same
        .computeIfAbsent(key(event), key -> new ArrayList<>())
        .add(call);
    return call;
  }

  private Lane lane(@Nullable String agent) {
    return lanes.computeIfAbsent(agent, id -> new Lane());
  }

  private Content full(Content content) throws IOException {
    JsonValue value = session.resolve(content);
    return value == null ? content : Content.of(value);
  }

  /** The hash of a request. */
  static ContentHash key(ReplayEvent call) {
    JsonObject.Builder key = JsonObject.builder()
        .put("kind", call.kind().id())
        .put("name", call.name())
        .add("content", value(call.content()));
    if (call instanceof ModelCall model) {
      key.add("parameters", model.parameters().json());
    }
    return CanonicalJson.comparableHash(key.build(), CanonicalJson.SERDE);
  }

  private static JsonValue value(Content content) {
    if (content.value() != null) {
      return content.value();
    }
    return content.hash() == null ? JsonNull.NULL : JsonValue.of(content.hash().toString());
  }

  /** Whether two results say the same, in the same or in different times. */
  static boolean isSame(ReplayEvent one, ReplayEvent other) {
    if (one instanceof ToolResult left && other instanceof ToolResult right) {
      return value(left.output()).equals(value(right.output()))
          && left.outcome().equals(right.outcome());
    }
    return one instanceof ModelResult left
        && other instanceof ModelResult right
        && value(left.answer()).equals(value(right.answer()))
        && left.finish().equals(right.finish());
  }

  /** Whether the value of a result is known, if it has one. */
  static boolean isKnown(@Nullable ReplayEvent result) {
    return result != null && !result.content().lacksValue();
  }

  /** The calls of a request, in order. */
  List<Call> same(Asked asked) {
    Lane lane = lanes.get(asked.agent());
    return lane == null ? List.of() : lane.same.getOrDefault(asked.key(), List.of());
  }

  /** The calls and values of each agent, by its id; null for the main agent. */
  Map<@Nullable String, Lane> lanes() {
    return lanes;
  }

  /** The last value of each setting. */
  JsonObject settings() {
    return settings;
  }
}

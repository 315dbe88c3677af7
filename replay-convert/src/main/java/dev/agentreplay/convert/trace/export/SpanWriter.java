package dev.agentreplay.convert.trace.export;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Writes spans in the JSON form of the OpenTelemetry protocol: one for the session, one for each
 * sub-agent, and one for each call of a model or a tool. The ids are derived from the ids of the
 * session and its calls, so that the same session gives the same spans.
 */
public final class SpanWriter implements DocumentWriter {

  private static final String CALL = KEPT + ".call";
  private static final String RESULT = KEPT + ".result";
  private static final String EVENT = KEPT + ".event";
  private static final int TRACE_ID_LENGTH = 32;
  private static final int SPAN_ID_LENGTH = 16;
  private static final String START = "startTimeUnixNano";
  private static final String END = "endTimeUnixNano";

  private final SpanConventions conventions;

  private SpanWriter(SpanConventions conventions) {
    this.conventions = conventions;
  }

  /** A writer of spans with the attributes of the OpenTelemetry conventions for GenAI. */
  public static SpanWriter genAi() {
    return new SpanWriter(new GenAiConventions());
  }

  /** A writer of spans with the attributes of OpenInference. */
  public static SpanWriter openInference() {
    return new SpanWriter(new OpenInferenceConventions());
  }

  @Override
  public Document write(ExportedSession session) {
    List<JsonValue> spans = spans(session, Set.of());
    return new Document(document(session.agentName(), spans), spans.size());
  }

  /** The span of a call that has its result. */
  public JsonObject span(ExportedSession session, Exchange exchange) {
    String agent = exchange.begin().event().meta().agent();
    String parent = agent == null ? rootId(session) : agentId(session, agent);
    return call(session, exchange, parent).json(traceId(session));
  }

  /**
   * The spans of a session: of the session itself, of its sub-agents, and of its calls.
   *
   * @param written the calls that are left out, because their spans were written before
   */
  public List<JsonValue> spans(ExportedSession session, Set<Exchange> written) {
    String agent = session.agentName();
    List<Span> spans = new ArrayList<>();
    Map<Lane, Span> ofLanes = new HashMap<>();
    Span root = root(session, agent);
    spans.add(root);
    ofLanes.put(session.main(), root);
    for (Lane lane : session.lanes()) {
      if (lane.agent() != null) {
        Span span = agent(session, lane, root.id());
        ofLanes.put(lane, span);
        spans.add(span);
      }
    }
    for (Lane lane : session.lanes()) {
      Span parent = Objects.requireNonNull(ofLanes.get(lane));
      for (Exchange exchange : lane.exchanges()) {
        if (!exchange.isModel() && !exchange.isTool()) {
          addEvent(parent, exchange.begin());
        } else if (!written.contains(exchange)) {
          spans.add(call(session, exchange, parent.id()));
        }
      }
    }
    conventions.session(root, session, agent);
    for (ExportedEvent single : session.singles()) {
      String key = KEPT + "." + single.kind();
      root.keep(key, single.keptIn(key));
    }
    String traceId = traceId(session);
    return spans.stream().map(span -> (JsonValue) span.json(traceId)).toList();
  }

  private static JsonObject document(String agent, List<JsonValue> spans) {
    JsonObject service =
        JsonObject.of("key", "service.name", "value", JsonObject.of("stringValue", agent));
    JsonObject scope =
        JsonObject.of("scope", JsonObject.of("name", KEPT), "spans", JsonArray.copyOf(spans));
    return JsonObject.of(
        "resourceSpans",
        JsonArray.of(JsonObject.of(
            "resource", JsonObject.of("attributes", JsonArray.of(service)),
            "scopeSpans", JsonArray.of(scope))));
  }

  private static String traceId(ExportedSession session) {
    return id(TRACE_ID_LENGTH, "trace", session.id());
  }

  private static String rootId(ExportedSession session) {
    return id(SPAN_ID_LENGTH, "session", session.id());
  }

  private static String agentId(ExportedSession session, String agent) {
    return id(SPAN_ID_LENGTH, "agent", session.id(), agent);
  }

  /** An id: the first digits of the SHA-256 of what it stands for. */
  private static String id(int length, String... parts) {
    return ContentHash.sha256(String.join("\n", parts).getBytes(UTF_8)).hex().substring(0, length);
  }

  private Span root(ExportedSession session, String agent) {
    Instant start =
        session.header() == null ? session.first() : session.header().keptTime(START);
    if (session.end() != null) {
      session.end().keptTime(END);
    }
    Span root = new Span(
        rootId(session),
        null,
        Span.Kind.INTERNAL,
        conventions.agentName(agent),
        start,
        session.last());
    SessionEnd end = session.endEvent();
    if (end != null && end.status().isSuccess()) {
      root.succeed();
    } else if (end != null) {
      root.fail(end.errorMessage());
    }
    return root;
  }

  private Span agent(ExportedSession session, Lane lane, String rootId) {
    Instant start = lane.exchanges().get(0).begin().time();
    Instant last = start;
    for (Exchange exchange : lane.exchanges()) {
      ExportedEvent end = exchange.end() == null ? exchange.begin() : exchange.end();
      last = end.time().isAfter(last) ? end.time() : last;
    }
    String agent = Objects.requireNonNull(lane.agent());
    Span span = new Span(
        agentId(session, agent),
        lane.parent() == null ? rootId : id(session, lane.parent()),
        Span.Kind.INTERNAL,
        conventions.agentName(agent),
        start,
        last);
    conventions.agent(span, session, lane);
    return span;
  }

  private static String id(ExportedSession session, Exchange call) {
    return id(
        SPAN_ID_LENGTH,
        call.isTool() ? "tool" : "model",
        session.id(),
        String.valueOf(call.begin().event().callId()),
        Integer.toString(call.occurrence()));
  }

  private Span call(ExportedSession session, Exchange exchange, String parentId) {
    ExportedEvent begin = exchange.begin();
    ExportedEvent end = exchange.end();
    Span span = new Span(
        id(session, exchange),
        parentId,
        exchange.isTool() ? Span.Kind.INTERNAL : Span.Kind.CLIENT,
        exchange.isTool() ? conventions.toolName(exchange) : conventions.modelName(exchange),
        begin.time(START),
        end == null ? begin.time() : end.time(END));
    if (end == null) {
      begin.record().generate(END, "that of the start: the call has no result");
    }
    if (exchange.isTool()) {
      conventions.tool(span, session, exchange);
    } else {
      conventions.model(span, session, exchange);
    }
    setStatus(span, exchange);
    span.keep(CALL, begin.keptIn(CALL));
    if (end != null) {
      span.keep(RESULT, end.keptIn(RESULT));
    }
    return span;
  }

  /** Sets the status of a call that failed; that of a successful one is not set. */
  private static void setStatus(Span span, Exchange exchange) {
    ToolResult tool = exchange.toolResult();
    ModelResult model = exchange.modelResult();
    if (tool != null && isFailed(tool.outcome())) {
      span.fail(tool.outcome().error() == null ? null : tool.outcome().error().message());
    } else if (model != null && model.finish().error() != null) {
      span.fail(model.finish().error().message());
    }
  }

  /** Whether an outcome is a failure: it says so, has an error, or an exit code that is not 0. */
  static boolean isFailed(Outcome outcome) {
    if (outcome.ok() != null) {
      return !outcome.ok();
    }
    return outcome.error() != null || (outcome.exitCode() != null && outcome.exitCode() != 0);
  }

  private static void addEvent(Span parent, ExportedEvent event) {
    Instant time = event.keptTime("timeUnixNano");
    parent.addEvent(time, KEPT + "." + event.kind(), EVENT, event.kept().toString());
  }
}

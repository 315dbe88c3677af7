package dev.agentreplay.convert.trace.span;

import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.convert.trace.span.ToolCalls.Asked;
import dev.agentreplay.convert.trace.span.ToolMessages.Mention;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Parameters;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes the calls of models and tools, and their results. */
final class CallEvents {

  private final TraceSession session;
  private final ToolCalls calls;
  private final Map<String, LanePrompts> prompts = new HashMap<>();

  /** The calls without a span whose result is still missing, by lane and id. */
  private final Map<String, Map<String, Asked>> unanswered = new HashMap<>();

  CallEvents(TraceSession session, ToolCalls calls) {
    this.session = session;
    this.calls = calls;
  }

  void writeCall(SpanNode node, SpanRecord span, ModelFacts facts, Meta meta) throws IOException {
    SourceRecord record = span.record();
    LanePrompts prompt = prompts(node);
    for (JsonValue message : prompt.set(facts.prompt())) {
      for (Mention result : ToolMessages.results(message)) {
        writeResult(node, record, result, meta);
      }
    }
    String id = ToolCalls.spanId(node);
    Parameters parameters = new Parameters(facts.parameters());
    ModelCall call = prompt.call(id, facts.model(), parameters, meta);
    if (facts.prompt().messages().isEmpty() && prompt.isStated()) {
      record.generate("ModelCall/prompt", "the conversation so far: the span does not state it");
    }
    session.derive(call, record);
  }

  void writeResult(SpanNode node, SpanRecord span, ModelFacts facts, Meta meta) throws IOException {
    SourceRecord record = span.record();
    ModelFacts.Ending ending = facts.ending();
    Completion completion = ending.failure() != null
        ? Completion.failed(ending.failure())
        : ending.reason() == null ? Completion.NONE : Completion.of(ending.reason());
    JsonObject extra = JsonObject.EMPTY;
    if (ending.responseId() != null) {
      extra = extra.with(Names.RESPONSE_ID, ending.responseId());
    }
    if (!facts.usage().details().isEmpty()) {
      extra = extra.with(Names.TOKEN_DETAILS, facts.usage().details());
    }
    ModelResult result = new ModelResult(
        ToolCalls.spanId(node),
        facts.answer() == null ? Content.NONE : Content.of(facts.answer()),
        completion,
        facts.usage().tokens(),
        timing(node, record, "ModelResult/latency_ms"),
        meta.withExtra(extra));
    List<Asked> asked = calls.withoutSpan(node);
    if (!asked.isEmpty()) {
      record.generate("ToolCall", "the call that the answer asks for, which has no span");
    }
    session.emit(result, record);
    prompts(node).addAnswer(facts.answer());
    for (Asked call : asked) {
      JsonValue arguments = call.mention().value();
      ToolCall event = ToolCall.of(
          call.id(),
          String.valueOf(call.mention().name()),
          arguments == null ? JsonObject.EMPTY : arguments);
      session.derive(event.withMeta(meta), record);
      unanswered.computeIfAbsent(lane(node), any -> new LinkedHashMap<>()).put(call.id(), call);
    }
  }

  /** Writes the result of a call without a span, which the prompt of a later request has. */
  private void writeResult(SpanNode node, SourceRecord record, Mention mention, Meta meta)
      throws IOException {
    Map<String, Asked> open = unanswered.getOrDefault(lane(node), Map.of());
    Asked call = open.get(String.valueOf(mention.id()));
    if (call == null && mention.id() == null) {
      call = open.values().stream()
          .filter(other -> other.mention().id() == null
              && String.valueOf(other.mention().name()).equals(mention.name()))
          .findFirst()
          .orElse(null);
    }
    if (call != null) {
      open.remove(call.id());
      record.generate("ToolResult", "the result that the prompt has of a call without a span");
      session.derive(ToolResult.of(call.id(), mention.value()).withMeta(meta), record);
    }
  }

  void writeCall(SpanNode node, SpanRecord span, ToolFacts facts, Meta meta) throws IOException {
    JsonValue arguments = facts.arguments() == null ? JsonObject.EMPTY : facts.arguments();
    String id = calls.id(node);
    ReplayEvent call = ToolCall.of(id, facts.name(), arguments).withMeta(meta);
    JsonObject known = known(meta)
        .put("id", id)
        .put("params", arguments)
        .put("tool", facts.name())
        .build();
    ReplayEvent restored = KeptMembers.restore(span, KeptMembers.CALL, EventKind.TOOL_CALL, known);
    call = restored == null ? call : restored;
    if (KeptMembers.isUnanswered(node.span)) {
      session.emit(call, span.record());
    } else {
      session.derive(call, span.record());
    }
  }

  void writeResult(SpanNode node, SpanRecord span, ToolFacts facts, Meta meta) throws IOException {
    String id = calls.id(node);
    ToolResult result = ToolResult.of(id, facts.output())
        .withOutcome(facts.outcome())
        .withTiming(timing(node, span.record(), "ToolResult/latency_ms"))
        .withMeta(meta);
    JsonObject.Builder known = known(meta).put("id", id);
    if (facts.output() != null) {
      known.put("output", facts.output());
    }
    ReplayEvent restored =
        KeptMembers.restore(span, KeptMembers.RESULT, EventKind.TOOL_RESULT, known.build());
    session.emit(restored == null ? result : restored, span.record());
    prompts(node).addResult(id, facts.name(), facts.output());
  }

  private static JsonObject.Builder known(Meta meta) {
    JsonObject.Builder known = JsonObject.builder();
    return meta.time() == null ? known : known.put("t", meta.time().text());
  }

  private static Timing timing(SpanNode node, SourceRecord record, String to) {
    Instant start = node.span.times().start();
    Instant end = node.span.times().end();
    if (start == null || end == null || end.isBefore(start)) {
      return Timing.NONE;
    }
    for (String member : node.span.times().members()) {
      record.derive(to, member);
    }
    return Timing.of(Duration.between(start, end).toMillis());
  }

  private LanePrompts prompts(SpanNode node) {
    return prompts.computeIfAbsent(
        lane(node), any -> new LanePrompts(session.conversation(node.lane)));
  }

  private static String lane(SpanNode node) {
    return node.lane == null ? "" : node.lane;
  }
}

package dev.agentreplay.convert.trace.otel;

import dev.agentreplay.convert.trace.span.Span;
import dev.agentreplay.convert.trace.span.SpanRecord;
import dev.agentreplay.convert.trace.span.ToolFacts;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.json.JsonValue;
import org.jspecify.annotations.Nullable;

/** The execution of a tool. */
final class ToolAttributes {

  private static final String SPAN_NAME = "execute_tool ";

  private static final String[] NAME = {
    "gen_ai.tool.name", "tool.name", "ai.toolCall.name", "traceloop.entity.name"
  };
  private static final String[] ID = {
    "gen_ai.tool.call.id", "tool_call.id", "tool.id", "ai.toolCall.id", "tool.call_id"
  };
  private static final String[] ARGUMENTS = {
    "gen_ai.tool.call.arguments",
    "gen_ai.tool.args",
    "gcp.vertex.agent.tool_call_args",
    "ai.toolCall.args",
    "ai.toolCall.input",
    "input.value",
    "tool.parameters",
    "traceloop.entity.input"
  };
  private static final String[] OUTPUT = {
    "gen_ai.tool.call.result",
    "gcp.vertex.agent.tool_response",
    "gen_ai.output",
    "ai.toolCall.result",
    "ai.toolCall.output",
    "output.value",
    "traceloop.entity.output"
  };

  private ToolAttributes() {}

  /** The name of the tool; null if it is only in the name of the span. */
  static @Nullable String name(Span span) {
    for (String name : NAME) {
      if (OtelVocabulary.text(span, name) != null) {
        return OtelVocabulary.text(span, name);
      }
    }
    return span.name().startsWith(SPAN_NAME) && span.name().length() > SPAN_NAME.length()
        ? span.name().substring(SPAN_NAME.length())
        : null;
  }

  static ToolFacts take(SpanRecord span) {
    String nameAt = span.firstText(NAME);
    String name = name(span.span());
    if (nameAt != null) {
      span.move("ToolCall/tool", nameAt);
    } else {
      span.record().derive("ToolCall/tool", "name");
      span.record().derive("ToolCall/tool", "operationName");
    }
    String idAt = span.firstText(ID);
    String id = span.text(ID);
    if (idAt != null) {
      span.move("ToolCall/id", idAt);
    }
    String argumentsAt = span.first(ARGUMENTS);
    JsonValue arguments = argumentsAt == null
        ? ofEvent(span, "ToolCall/params", "gen_ai.tool.message", "content")
        : span.moveJson("ToolCall/params", argumentsAt);
    String outputAt = span.first(OUTPUT);
    JsonValue output = outputAt == null
        ? ofEvent(span, "ToolResult/output", "gen_ai.choice", "message")
        : span.moveJson("ToolResult/output", outputAt);
    return new ToolFacts(
        id, name == null ? nameOf(span.span()) : name, arguments, output, outcome(span));
  }

  /** Arguments or output in an event of the span, as Strands has them. */
  private static @Nullable JsonValue ofEvent(
      SpanRecord span, String to, String eventName, String member) {
    for (Span.Event event : span.span().events()) {
      JsonValue value = event.attributes().get(member);
      if (event.name().equals(eventName) && value != null) {
        span.record().derive(to, "events");
        return SpanRecord.parsed(value);
      }
    }
    return null;
  }

  private static String nameOf(Span span) {
    return span.name().isBlank() ? "tool" : span.name();
  }

  private static Outcome outcome(SpanRecord span) {
    Failure failure = Failures.take(span, "ToolResult/error");
    if (failure != null) {
      return Outcome.failed(failure);
    }
    return span.span().status().state() == Span.State.OK ? Outcome.OK : Outcome.NONE;
  }
}

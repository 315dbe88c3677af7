package dev.agentreplay.convert.trace.otel;

import dev.agentreplay.convert.trace.span.ModelFacts;
import dev.agentreplay.convert.trace.span.Span;
import dev.agentreplay.convert.trace.span.SpanRecord;
import dev.agentreplay.convert.trace.span.SpanRole;
import dev.agentreplay.convert.trace.span.ToolFacts;
import dev.agentreplay.convert.trace.span.Vocabulary;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of the GenAI conventions of OpenTelemetry in all of their versions, of
 * OpenInference, the Agent Development Kit, the AI SDK of Vercel, and OpenLLMetry. A span may have
 * those of several.
 */
final class OtelVocabulary implements Vocabulary {

  static final OtelVocabulary INSTANCE = new OtelVocabulary();

  private static final Map<String, SpanRole> OPERATIONS = Map.of(
      "chat", SpanRole.MODEL,
      "text_completion", SpanRole.MODEL,
      "generate_content", SpanRole.MODEL,
      "realtime_inference", SpanRole.MODEL,
      "completion", SpanRole.MODEL,
      "call_llm", SpanRole.MODEL,
      "execute_tool", SpanRole.TOOL,
      "invoke_agent", SpanRole.AGENT);

  private static final Set<String> OTHER_OPERATIONS = Set.of(
      "create_agent",
      "invoke_workflow",
      "plan",
      "embeddings",
      "retrieval",
      "fetch_response",
      "search_memory",
      "create_memory",
      "update_memory",
      "upsert_memory",
      "delete_memory",
      "create_memory_store",
      "delete_memory_store");

  private static final Set<String> INFERENCE_KINDS = Set.of(
      "LLM",
      "TOOL",
      "AGENT",
      "CHAIN",
      "EMBEDDING",
      "RETRIEVER",
      "RERANKER",
      "GUARDRAIL",
      "EVALUATOR",
      "PROMPT",
      "UNKNOWN");

  private static final Set<String> LOOP_KINDS = Set.of("workflow", "task", "agent", "tool");

  private static final List<String> AGENT_NAMES = List.of("gen_ai.agent.name", "agent.name");
  private static final String AGENT_SPAN = "invoke_agent ";

  private static final String[] SESSIONS = {
    "gen_ai.conversation.id",
    "session.id",
    "gcp.vertex.agent.session_id",
    "ai.telemetry.metadata.sessionId",
    "traceloop.association.properties.session_id",
    "langfuse.session.id"
  };

  private OtelVocabulary() {}

  @Override
  public SpanRole role(Span span) {
    String kind = text(span, "openinference.span.kind");
    if (kind != null) {
      return switch (kind.toUpperCase(Locale.ROOT)) {
        case "LLM" -> SpanRole.MODEL;
        case "TOOL" -> SpanRole.TOOL;
        case "AGENT" -> SpanRole.AGENT;
        default -> SpanRole.OTHER;
      };
    }
    String operation = text(span, "gen_ai.operation.name");
    if (operation != null) {
      return OPERATIONS.getOrDefault(operation, SpanRole.OTHER);
    }
    String sdk = text(span, "ai.operationId");
    if (sdk != null) {
      return sdk.equals("ai.toolCall")
          ? SpanRole.TOOL
          : sdk.matches("ai\\.(generate|stream)(Text|Object)(\\.do[A-Z].*)?")
              ? SpanRole.MODEL
              : SpanRole.OTHER;
    }
    String loop = text(span, "traceloop.span.kind");
    if (loop != null) {
      return switch (loop) {
        case "tool" -> SpanRole.TOOL;
        case "agent" -> SpanRole.AGENT;
        default -> SpanRole.OTHER;
      };
    }
    if (text(span, "gen_ai.tool.name") != null && isCallOfTool(span)) {
      return SpanRole.TOOL;
    }
    return isRequest(span) ? SpanRole.MODEL : SpanRole.OTHER;
  }

  /** Whether a span is of a call, not of a list of tools, by the method of MCP if it has one. */
  private static boolean isCallOfTool(Span span) {
    String method = text(span, "mcp.method.name");
    return method == null || method.equals("tools/call");
  }

  /** Whether a span that states no operation is a request to a model. */
  private boolean isRequest(Span span) {
    String type = text(span, "llm.request.type");
    if (type != null) {
      return type.equals("chat") || type.equals("completion");
    }
    JsonObject attributes = span.attributes();
    boolean isOfModel = attributes.has("gen_ai.request.model")
        || attributes.has("gen_ai.response.model")
        || attributes.has("gcp.vertex.agent.llm_request");
    return isOfModel && (hasContent(span) || hasAnswer(span));
  }

  @Override
  public String type(Span span) {
    String kind = kind(span);
    return kind == null
        ? role(span) == SpanRole.OTHER ? "span" : role(span).name().toLowerCase(Locale.ROOT)
        : kind;
  }

  private static @Nullable String kind(Span span) {
    for (String name : new String[] {
      "openinference.span.kind", "gen_ai.operation.name", "ai.operationId", "traceloop.span.kind"
    }) {
      if (text(span, name) != null) {
        return text(span, name);
      }
    }
    return null;
  }

  @Override
  public boolean isKnown(Span span) {
    String kind = text(span, "openinference.span.kind");
    if (kind != null) {
      return INFERENCE_KINDS.contains(kind.toUpperCase(Locale.ROOT));
    }
    String operation = text(span, "gen_ai.operation.name");
    String loop = text(span, "traceloop.span.kind");
    boolean isOperation = operation == null
        || OPERATIONS.containsKey(operation)
        || OTHER_OPERATIONS.contains(operation);
    return isOperation && (loop == null || LOOP_KINDS.contains(loop));
  }

  @Override
  public @Nullable String name(Span span) {
    SpanRole role = role(span);
    if (role == SpanRole.TOOL) {
      return ToolAttributes.name(span);
    }
    for (String name : AGENT_NAMES) {
      if (text(span, name) != null) {
        return text(span, name);
      }
    }
    if (span.name().startsWith(AGENT_SPAN) && span.name().length() > AGENT_SPAN.length()) {
      return span.name().substring(AGENT_SPAN.length());
    }
    boolean isNamed =
        text(span, "openinference.span.kind") != null && !span.name().isBlank();
    return isNamed ? span.name() : text(span, "traceloop.entity.name");
  }

  @Override
  public @Nullable String session(Span span) {
    for (String name : SESSIONS) {
      String id = text(span, name);
      if (id != null) {
        return id;
      }
    }
    return null;
  }

  @Override
  public boolean hasContent(Span span) {
    return PromptAttributes.isStated(span) || AnswerAttributes.isStated(span);
  }

  @Override
  public boolean hasAnswer(Span span) {
    return AnswerAttributes.isStated(span) || UsageAttributes.isStated(span);
  }

  @Override
  public ModelFacts model(SpanRecord record) {
    return ModelAttributes.take(record);
  }

  @Override
  public ModelFacts.Usage usage(SpanRecord record) {
    return UsageAttributes.derive(record);
  }

  @Override
  public ToolFacts tool(SpanRecord record) {
    return ToolAttributes.take(record);
  }

  /** The text of an attribute; null if it is missing, blank or not a text. */
  static @Nullable String text(Span span, String name) {
    return span.attributes().get(name) instanceof JsonString text
            && !text.value().isBlank()
        ? text.value()
        : null;
  }
}

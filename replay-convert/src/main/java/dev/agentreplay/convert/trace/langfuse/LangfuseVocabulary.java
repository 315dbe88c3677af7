package dev.agentreplay.convert.trace.langfuse;

import dev.agentreplay.convert.trace.span.ModelFacts;
import dev.agentreplay.convert.trace.span.ModelFacts.Ending;
import dev.agentreplay.convert.trace.span.ModelFacts.Usage;
import dev.agentreplay.convert.trace.span.Span;
import dev.agentreplay.convert.trace.span.SpanRecord;
import dev.agentreplay.convert.trace.span.SpanRole;
import dev.agentreplay.convert.trace.span.ToolFacts;
import dev.agentreplay.convert.trace.span.Vocabulary;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The types and members of observations. Tools have no ids of their calls in them. */
final class LangfuseVocabulary implements Vocabulary {

  static final LangfuseVocabulary INSTANCE = new LangfuseVocabulary();

  static final String INPUT = "input";
  static final String OUTPUT = "output";
  private static final Set<String> TYPES = Set.of(
      "SPAN",
      "GENERATION",
      "EVENT",
      "AGENT",
      "TOOL",
      "CHAIN",
      "RETRIEVER",
      "EVALUATOR",
      "EMBEDDING",
      "GUARDRAIL");
  private static final String[] MODEL = {"provided_model_name", "providedModelName", "model"};
  private static final String[] PARAMETERS = {"model_parameters", "modelParameters"};
  private static final String[] SESSION = {"session_id", "sessionId"};

  /** The parameters that have a type here. */
  private static final Set<String> NUMBERS =
      Set.of("temperature", "max_tokens", "seed", "top_p", "top_k");

  private LangfuseVocabulary() {}

  @Override
  public SpanRole role(Span span) {
    return switch (type(span)) {
      case "generation" -> SpanRole.MODEL;
      case "tool" -> SpanRole.TOOL;
      case "agent" -> SpanRole.AGENT;
      default -> SpanRole.OTHER;
    };
  }

  @Override
  public String type(Span span) {
    String type = ObservationForm.text(span.attributes(), "type");
    return type == null ? "observation" : type.toLowerCase(Locale.ROOT);
  }

  @Override
  public boolean isKnown(Span span) {
    return TYPES.contains(type(span).toUpperCase(Locale.ROOT));
  }

  @Override
  public @Nullable String name(Span span) {
    return span.name().isBlank() ? null : span.name();
  }

  @Override
  public @Nullable String session(Span span) {
    String session = ObservationForm.text(span.attributes(), SESSION);
    for (Span.Envelope envelope : span.source().envelopes()) {
      JsonObject trace =
          envelope.json().get("trace") instanceof JsonObject inner ? inner : envelope.json();
      session = session == null ? ObservationForm.text(trace, SESSION) : session;
    }
    return session;
  }

  @Override
  public boolean hasContent(Span span) {
    return isSet(span.attributes().get(INPUT)) || isSet(span.attributes().get(OUTPUT));
  }

  @Override
  public boolean hasAnswer(Span span) {
    return UsageMembers.isStated(span);
  }

  /** Whether a member is set: neither missing, null nor an empty text. */
  static boolean isSet(@Nullable JsonValue value) {
    return value != null
        && !(value instanceof JsonNull)
        && !(value instanceof JsonString text && text.value().isEmpty());
  }

  @Override
  public ModelFacts model(SpanRecord record) {
    String model = record.text(MODEL);
    String modelAt = record.firstText(MODEL);
    if (modelAt != null) {
      record.move("ModelCall/model", modelAt);
    }
    Failure failure = failure(record, "ModelResult/error");
    return new ModelFacts(
        model,
        parameters(record),
        MessageMembers.prompt(record),
        MessageMembers.answer(record),
        UsageMembers.take(record),
        new Ending(null, null, failure));
  }

  private static JsonObject parameters(SpanRecord record) {
    for (String name : PARAMETERS) {
      if (SpanRecord.parsed(record.get(name)) instanceof JsonObject stated
          && NUMBERS.stream()
              .map(stated::get)
              .allMatch(value -> value == null || value instanceof JsonNumber)) {
        record.moveJson("ModelCall/parameters", name);
        return stated;
      }
    }
    return JsonObject.EMPTY;
  }

  private static @Nullable Failure failure(SpanRecord record, String to) {
    Span.Status status = record.span().status();
    if (!status.isError()) {
      return null;
    }
    record.derive(to, "level");
    record.derive(to, "status_message");
    record.derive(to, "statusMessage");
    return Failure.of("Error", status.message() == null ? "" : status.message());
  }

  @Override
  public Usage usage(SpanRecord record) {
    return UsageMembers.derive(record);
  }

  @Override
  public ToolFacts tool(SpanRecord record) {
    String name = name(record.span());
    record.move("ToolCall/tool", "name");
    Failure failure = failure(record, "ToolResult/error");
    return new ToolFacts(
        null,
        name == null ? "tool" : name,
        isSet(record.get(INPUT)) ? record.moveJson("ToolCall/params", INPUT) : null,
        isSet(record.get(OUTPUT)) ? record.moveJson("ToolResult/output", OUTPUT) : null,
        failure == null ? Outcome.NONE : Outcome.failed(failure));
  }
}

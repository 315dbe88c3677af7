package dev.agentreplay.convert.trace.otel;

import dev.agentreplay.convert.trace.span.ModelFacts.Usage;
import dev.agentreplay.convert.trace.span.Span;
import dev.agentreplay.convert.trace.span.SpanRecord;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.Map;
import java.util.TreeMap;

/** The tokens that a request states. Numbers of several vocabularies are the same tokens. */
final class UsageAttributes {

  private static final String[] INPUT = {
    "gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt",
    "ai.usage.inputTokens", "ai.usage.promptTokens", "llm.usage.prompt_tokens"
  };
  private static final String[] OUTPUT = {
    "gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion",
    "ai.usage.outputTokens", "ai.usage.completionTokens", "llm.usage.completion_tokens"
  };
  private static final String[] DETAILS = {
    "gen_ai.usage.", "llm.token_count.", "llm.cost.", "llm.usage.", "ai.usage."
  };

  private UsageAttributes() {}

  static boolean isStated(Span span) {
    for (String name : INPUT) {
      if (SpanRecord.count(span.attributes().get(name)) != null) {
        return true;
      }
    }
    return false;
  }

  /** The tokens of a span, which are moved with all that belongs to them. */
  static Usage take(SpanRecord span) {
    TokenCounts tokens = derive(span).tokens();
    Map<String, JsonValue> details = new TreeMap<>();
    for (String prefix : DETAILS) {
      span.movePrefixed("ModelResult/" + Names.TOKEN_DETAILS, prefix)
          .forEach((rest, value) -> details.put(prefix + rest, value));
    }
    JsonObject.Builder object = JsonObject.builder();
    details.forEach(object::add);
    return new Usage(tokens, object.build());
  }

  /** The tokens of a span, which stay in its record. */
  static Usage derive(SpanRecord span) {
    String input = span.firstCount(INPUT);
    String output = span.firstCount(OUTPUT);
    if (input != null) {
      span.derive("ModelResult/" + Names.TOKENS_IN, input);
    }
    if (output != null) {
      span.derive("ModelResult/" + Names.TOKENS_OUT, output);
    }
    return new Usage(
        new TokenCounts(
            input == null ? null : SpanRecord.count(span.get(input)),
            output == null ? null : SpanRecord.count(span.get(output))),
        JsonObject.EMPTY);
  }
}

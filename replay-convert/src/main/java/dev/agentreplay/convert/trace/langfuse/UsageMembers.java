package dev.agentreplay.convert.trace.langfuse;

import dev.agentreplay.convert.trace.span.ModelFacts.Usage;
import dev.agentreplay.convert.trace.span.Span;
import dev.agentreplay.convert.trace.span.SpanRecord;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of a generation. The kinds of tokens in {@code usage_details} exclude each other: all
 * kinds of input together are the prompt, all kinds of output the answer.
 */
final class UsageMembers {

  private static final List<String> USAGE = List.of("usage_details", "usageDetails", "usage");
  private static final List<String> MORE = List.of(
      "cost_details",
      "costDetails",
      "total_cost",
      "totalCost",
      "promptTokens",
      "completionTokens",
      "totalTokens");

  private UsageMembers() {}

  static boolean isStated(Span span) {
    JsonObject json = span.attributes();
    return USAGE.stream().anyMatch(name -> sum(json.get(name), "input") != null)
        || SpanRecord.count(json.get("promptTokens")) != null;
  }

  /** The tokens, which are moved with all that belongs to them. */
  static Usage take(SpanRecord record) {
    TokenCounts tokens = derive(record).tokens();
    JsonObject.Builder details = JsonObject.builder();
    for (List<String> names : List.of(USAGE, MORE)) {
      for (String name : names) {
        if (LangfuseVocabulary.isSet(record.get(name))) {
          JsonValue value = record.moveJson("ModelResult/" + Names.TOKEN_DETAILS, name);
          if (value != null) {
            details.add(name, value);
          }
        }
      }
    }
    return new Usage(tokens, details.build());
  }

  /** The tokens, which stay in the record. */
  static Usage derive(SpanRecord record) {
    for (String name : USAGE) {
      JsonValue usage = SpanRecord.parsed(record.get(name));
      Long input = sum(usage, "input");
      Long output = sum(usage, "output");
      if (input != null || output != null) {
        record.derive("ModelResult/" + Names.TOKENS_IN, name);
        record.derive("ModelResult/" + Names.TOKENS_OUT, name);
        return new Usage(new TokenCounts(input, output), JsonObject.EMPTY);
      }
    }
    record.derive("ModelResult/" + Names.TOKENS_IN, "promptTokens");
    record.derive("ModelResult/" + Names.TOKENS_OUT, "completionTokens");
    return new Usage(
        new TokenCounts(
            SpanRecord.count(record.get("promptTokens")),
            SpanRecord.count(record.get("completionTokens"))),
        JsonObject.EMPTY);
  }

  /** The sum of the kinds with a word in their name; null if there is none. */
  private static @Nullable Long sum(@Nullable JsonValue usage, String word) {
    Long sum = null;
    if (usage instanceof JsonObject object) {
      for (String name : object.names()) {
        Long count = SpanRecord.count(object.get(name));
        if (count != null
            && name.contains(word)
            && !name.toLowerCase(Locale.ROOT).contains("cost")) {
          sum = sum == null ? count : Long.valueOf(sum + count);
        }
      }
    }
    return sum;
  }
}

package dev.agentreplay.convert.trace.codex;

import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A statement of the tokens of one model call, or of a turn. Codex states the tokens of a call
 * again when only the limits of its account changed: such a statement has the same total of the
 * session as the one before, and is not one of another call.
 */
final class TokenUsage {

  private static final List<String> COUNTS =
      List.of("input_tokens", "output_tokens", "total_tokens");

  private final CodexItem item;
  private final String[] path;
  private final JsonObject usage;
  private final List<@Nullable JsonValue> total;

  /** The statement of the turn before, if this one includes it; null otherwise. */
  private @Nullable TokenUsage included;

  private TokenUsage(CodexItem item, JsonObject total, String... path) {
    this.item = item;
    this.path = path;
    this.usage = item.object(path);
    this.total = counts(total);
  }

  /**
   * Returns the usage that a record states; null if it states none. A call of which nothing was
   * counted, as after the history was replaced by its summary, has none.
   */
  static @Nullable TokenUsage of(CodexItem item) {
    TokenUsage usage =
        switch (item.type()) {
          case "token_count" ->
            new TokenUsage(
                item, item.object("info", "total_token_usage"), "info", "last_token_usage");
          default -> new TokenUsage(item, item.object("thread_token_usage"), "usage");
        };
    return orZero(usage.count("input_tokens")) + orZero(usage.count("output_tokens")) > 0
        ? usage
        : null;
  }

  private static List<@Nullable JsonValue> counts(JsonObject usage) {
    return Arrays.asList(COUNTS.stream().map(usage::get).toArray(JsonValue[]::new));
  }

  CodexItem item() {
    return item;
  }

  /** Whether this repeats a statement, the last one that counted. */
  boolean repeats(@Nullable TokenUsage last) {
    if (last == null) {
      return false;
    }
    boolean hasTotals = hasTotal() && last.hasTotal();
    return hasTotals
        ? total.equals(last.total)
        : !item.type().equals(last.item.type()) && counts(usage).equals(counts(last.usage));
  }

  private boolean hasTotal() {
    return total.stream().anyMatch(Objects::nonNull);
  }

  /** States that this usage includes that of an earlier turn, if it is not less than it. */
  void include(@Nullable TokenUsage earlier) {
    if (earlier != null
        && orZero(count("input_tokens")) >= orZero(earlier.count("input_tokens"))
        && orZero(count("output_tokens")) >= orZero(earlier.count("output_tokens"))) {
      included = earlier;
    }
  }

  /** The tokens of the call; those of the input include what was read from a cache. */
  TokenCounts counts() {
    for (String name : List.of("input_tokens", "output_tokens")) {
      String to = name.startsWith("input") ? Names.TOKENS_IN : Names.TOKENS_OUT;
      String[] member = Arrays.copyOf(path, path.length + 1);
      member[path.length] = name;
      item.derive("ModelResult/" + to, member);
    }
    return new TokenCounts(count("input_tokens", included), count("output_tokens", included));
  }

  /**
   * Moves the object that states the usage, and returns it; null if it is that of several calls
   * together, and is kept as it is.
   */
  @Nullable
  JsonValue moveDetails() {
    return included != null ? null : item.move("ModelResult/" + Names.TOKEN_DETAILS, path);
  }

  SourceRecord record() {
    return item.record();
  }

  private @Nullable Long count(String name, @Nullable TokenUsage less) {
    Long count = count(name);
    return count == null || less == null ? count : (Long) (count - orZero(less.count(name)));
  }

  private @Nullable Long count(String name) {
    try {
      Long count = usage.get(name) instanceof JsonNumber number ? number.asLong() : null;
      return count == null || count < 0 ? null : count;
    } catch (ArithmeticException notAnInteger) {
      return null;
    }
  }

  private static long orZero(@Nullable Long count) {
    return count == null ? 0 : count;
  }
}

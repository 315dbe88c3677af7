package dev.agentreplay.convert.trace.inspect;

import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Names;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of a model event. Providers differ in whether {@code input_tokens} has those that were
 * read from or written to a cache; {@code total_tokens} tells.
 */
final class Usage {

  private Usage() {}

  /** Whether the tokens were spent: an answer from the cache of Inspect repeats those of before. */
  static boolean isCounted(SourceRecord event) {
    return !"read".equals(event.text("cache"));
  }

  /** The tokens that an event states. */
  static TokenCounts take(SourceRecord event) {
    if (!isCounted(event)) {
      return TokenCounts.NONE;
    }
    Long fresh = count(event, "input_tokens");
    Long output = count(event, "output_tokens");
    Long total = count(event, "total_tokens");
    long cached = orZero(count(event, "input_tokens_cache_read"))
        + orZero(count(event, "input_tokens_cache_write"));
    if (fresh != null) {
      event.derive("ModelResult/" + Names.TOKENS_IN, "output", "usage", "input_tokens");
    }
    if (output != null) {
      event.derive("ModelResult/" + Names.TOKENS_OUT, "output", "usage", "output_tokens");
    }
    boolean isApart =
        fresh != null && cached > 0 && total != null && total >= fresh + cached + orZero(output);
    return new TokenCounts(fresh != null && isApart ? Long.valueOf(fresh + cached) : fresh, output);
  }

  private static @Nullable Long count(SourceRecord event, String name) {
    return event.count("output", "usage", name);
  }

  private static long orZero(@Nullable Long count) {
    return count == null ? 0 : count;
  }
}

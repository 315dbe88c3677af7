package dev.agentreplay.convert.trace.export;

import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonValue;
import org.jspecify.annotations.Nullable;

/** The numbers of tokens that a provider states in detail, under its own names. */
final class TokenDetails {

  private static final String[][] CACHE_READ = {
    {"cache_read_input_tokens"},
    {"prompt_tokens_details", "cached_tokens"},
    {"input_tokens_details", "cached_tokens"},
    {"cached_input_tokens"},
    {"input_tokens_cache_read"},
    {"cachedContentTokenCount"}
  };

  private static final String[][] CACHE_WRITE = {
    {"cache_creation_input_tokens"}, {"input_tokens_cache_write"}
  };

  private static final String[][] REASONING = {
    {"completion_tokens_details", "reasoning_tokens"},
    {"output_tokens_details", "reasoning_tokens"},
    {"reasoning_output_tokens"},
    {"reasoning_tokens"},
    {"thoughtsTokenCount"}
  };

  private TokenDetails() {}

  /** The number of tokens of the prompt that were read from a cache; null if it is not stated. */
  static @Nullable JsonValue cacheRead(ExportedEvent result, String to) {
    return find(result, to, CACHE_READ);
  }

  /** The number of tokens of the prompt that were written to a cache; null if it is not stated. */
  static @Nullable JsonValue cacheWrite(ExportedEvent result, String to) {
    return find(result, to, CACHE_WRITE);
  }

  /** The number of tokens of the reasoning; null if it is not stated. */
  static @Nullable JsonValue reasoning(ExportedEvent result, String to) {
    return find(result, to, REASONING);
  }

  private static @Nullable JsonValue find(ExportedEvent result, String to, String[][] paths) {
    for (String[] path : paths) {
      String[] whole = new String[path.length + 1];
      whole[0] = Names.TOKEN_DETAILS;
      System.arraycopy(path, 0, whole, 1, path.length);
      if (result.record().get(whole) instanceof JsonNumber number && number.isIntegerLiteral()) {
        result.record().derive(to, whole);
        return number;
      }
    }
    return null;
  }
}

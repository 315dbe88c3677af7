package dev.agentreplay.records.store;

import dev.agentreplay.records.RecordHash;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The texts of a session's messages and artifacts, found by the hashes that its record states.
 * Implementations are safe for use by several threads.
 */
@FunctionalInterface
public interface RecordTexts {

  /**
   * Returns the text with the given SHA-256; null if it is missing, or the hash is not a SHA-256.
   *
   * @throws AlteredTextException if the stored text does not have this hash
   * @throws IOException if it cannot be read
   */
  @Nullable
  String text(RecordHash hash) throws IOException;

  /** No texts. */
  static RecordTexts none() {
    return hash -> null;
  }

  /**
   * Returns texts in memory.
   *
   * @throws IllegalArgumentException if one has a lone surrogate, and therefore no UTF-8 form
   */
  static RecordTexts of(Collection<String> texts) {
    Map<RecordHash, String> byHash = new HashMap<>();
    texts.forEach(text -> byHash.put(RecordHash.ofContent(text), text));
    return byHash::get;
  }

  /** Returns these texts, and those of others that these do not have. */
  default RecordTexts or(RecordTexts others) {
    Objects.requireNonNull(others, "others");
    return hash -> {
      String text = text(hash);
      return text == null ? others.text(hash) : text;
    };
  }
}

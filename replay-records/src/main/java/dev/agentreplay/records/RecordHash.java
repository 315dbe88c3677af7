package dev.agentreplay.records;

import dev.agentreplay.model.ContentHash;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A hash as a record states it. Specification 004 accepts any text; its own functions create a
 * SHA-256 in 64 lower-case hexadecimal digits, and only such a hash can be compared with content.
 *
 * @param text the hash as it is written; empty when there is no hash yet
 */
public record RecordHash(String text) {

  /** The empty text: there is no hash yet. */
  public static final RecordHash NONE = new RecordHash("");

  /** Checks for null. */
  public RecordHash {
    Objects.requireNonNull(text, "text");
  }

  /** Creates the hash of a SHA-256 digest. */
  public static RecordHash of(ContentHash digest) {
    return new RecordHash(digest.hex());
  }

  /**
   * Computes the SHA-256 of content in UTF-8.
   *
   * @throws IllegalArgumentException if the content has a lone surrogate, and therefore no UTF-8
   *     form
   */
  public static RecordHash ofContent(String content) {
    return of(SessionRecord.contentHash(content));
  }

  /** Whether the text is empty. */
  public boolean isEmpty() {
    return text.isEmpty();
  }

  /** The SHA-256; null if the text is not one. */
  public @Nullable ContentHash digest() {
    return ContentHash.tryParseHex(text);
  }

  /** Returns the text. */
  @Override
  public String toString() {
    return text;
  }
}

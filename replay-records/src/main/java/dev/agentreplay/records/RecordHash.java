package dev.agentreplay.records;

import dev.agentreplay.model.ContentHash;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A hash as a record states it. Specification 004 takes any text; its own functions make a SHA-256
 * in 64 lower-case hexadecimal digits, and only such a hash can be compared with content.
 *
 * @param text the hash as it is written; empty where there is none yet
 */
public record RecordHash(String text) {

  /** No hash yet: the empty text. */
  public static final RecordHash NONE = new RecordHash("");

  /** Checks for null. */
  public RecordHash {
    Objects.requireNonNull(text, "text");
  }

  /** A SHA-256. */
  public static RecordHash of(ContentHash digest) {
    return new RecordHash(digest.hex());
  }

  /**
   * The SHA-256 of content in UTF-8.
   *
   * @throws IllegalArgumentException if the content holds a lone surrogate, and so has no UTF-8
   *     form
   */
  public static RecordHash ofContent(String content) {
    return of(SessionRecord.contentHash(content));
  }

  /** Whether the text is empty. */
  public boolean isEmpty() {
    return text.isEmpty();
  }

  /** The SHA-256 that the text is; null if it is none. */
  public @Nullable ContentHash digest() {
    return ContentHash.tryParseHex(text);
  }

  /** The text. */
  @Override
  public String toString() {
    return text;
  }
}

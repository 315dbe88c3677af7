package dev.agentreplay.model.json;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A JSON text that a parser has checked, and whose value it creates when the value is first used.
 * Only for parsers, which create a string, an array or an object of it by {@link UncheckedValues}.
 * Keeps the array with the text until the value is created. Safe for use by several threads.
 */
public abstract class LazyText {

  private final int from;
  private final int to;

  /** Null once the value is known. A thread that still sees the array sees the same text. */
  private byte @Nullable [] bytes;

  private volatile @Nullable JsonValue value;

  /**
   * Creates the text of a value.
   *
   * @param bytes an array that contains the text in UTF-8, and must not be changed afterwards
   * @param from the index of the first byte
   * @param to the index after the last byte
   */
  protected LazyText(byte[] bytes, int from, int to) {
    this.bytes = Objects.requireNonNull(bytes, "bytes");
    this.from = Objects.checkFromToIndex(from, to, bytes.length);
    this.to = to;
  }

  /** Creates the value of the text; called again only if it fails. */
  protected abstract JsonValue parse(byte[] utf8, int first, int end);

  /** The array with the text; null if the value was created. Must not be changed. */
  protected final byte @Nullable [] bytes() {
    return bytes;
  }

  /** The index of the first byte of the text. */
  protected final int from() {
    return from;
  }

  /** The index after the last byte of the text. */
  protected final int to() {
    return to;
  }

  /** The value, created if this is the first use. */
  final JsonValue value() {
    JsonValue known = value;
    return known == null ? create() : known;
  }

  private synchronized JsonValue create() {
    JsonValue known = value;
    if (known == null) {
      known = parse(Objects.requireNonNull(bytes), from, to);
      value = known;
      bytes = null;
    }
    return known;
  }
}

package dev.agentreplay.canonical.commitment;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A secret of 32 bytes from which the commitment of one value is computed, and the seeds of
 * everything in that value. A reader who has the seed of a value can verify all of it; the seeds of
 * other values do not follow from it. Immutable.
 */
public final class Seed {

  private final byte[] bytes;

  private Seed(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Creates a seed of its bytes.
   *
   * @throws IllegalArgumentException unless there are 32
   */
  public static Seed of(byte[] bytes) {
    return new Seed(Base64Text.requireLength(bytes));
  }

  /** Parses {@link #text}; returns null if it has another form. */
  public static @Nullable Seed tryParse(String text) {
    byte[] bytes = Base64Text.tryParse(text);
    return bytes == null ? null : new Seed(bytes);
  }

  /** Wraps an array that no other object has. */
  static Seed ofOwn(byte[] bytes) {
    return new Seed(bytes);
  }

  /** The bytes, which the caller must not change. */
  byte[] array() {
    return bytes;
  }

  /** A copy of the bytes. */
  public byte[] toBytes() {
    return bytes.clone();
  }

  /** The text: base64url without padding, 43 characters. */
  public String text() {
    return Base64Text.of(bytes);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Seed that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** The word "seed" without the text, so that a log message does not disclose it. */
  @Override
  public String toString() {
    return "seed";
  }
}

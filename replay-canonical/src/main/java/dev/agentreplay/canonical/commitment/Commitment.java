package dev.agentreplay.canonical.commitment;

import dev.agentreplay.model.ContentHash;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A commitment to a value: a SHA-256 hash over the value and its {@link Seed}. It determines the
 * value, and discloses nothing about it to a reader without the seed. Immutable; ordered by its
 * bytes.
 */
public final class Commitment implements Comparable<Commitment> {

  private final byte[] bytes;

  private Commitment(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Creates a commitment of its bytes.
   *
   * @throws IllegalArgumentException unless there are 32
   */
  public static Commitment of(byte[] bytes) {
    return new Commitment(Base64Text.requireLength(bytes));
  }

  /** Parses {@link #text}; returns null if it has another form. */
  public static @Nullable Commitment tryParse(String text) {
    byte[] bytes = Base64Text.tryParse(text);
    return bytes == null ? null : new Commitment(bytes);
  }

  /** Wraps an array that no other object has. */
  static Commitment ofOwn(byte[] bytes) {
    return new Commitment(bytes);
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

  /** The bytes in the form of a hash, as they take the place of a hash that is withheld. */
  public ContentHash toHash() {
    return ContentHash.of(bytes);
  }

  @Override
  public int compareTo(Commitment other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Commitment that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return text();
  }
}

package dev.agentreplay.canonical;

import dev.agentreplay.model.ContentHash;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The canonical form of a value, and what it is good for. Immutable. */
public final class CanonicalForm {

  private final byte[] bytes;
  private final ContentHash hash;
  private final boolean portable;

  CanonicalForm(byte[] bytes, ContentHash hash, boolean portable) {
    this.bytes = bytes;
    this.hash = hash;
    this.portable = portable;
  }

  /** The bytes, which are UTF-8: a copy. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** The bytes as text. */
  public String text() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** The number of bytes. */
  public int size() {
    return bytes.length;
  }

  /** Writes the bytes, in one call. */
  public void writeTo(OutputStream out) throws IOException {
    out.write(bytes.clone());
  }

  /** The SHA-256 hash of the bytes. */
  public ContentHash hash() {
    return hash;
  }

  /**
   * Whether the value has these bytes, and this hash, in every {@link Canonicalization} and for
   * every reader. It has unless it holds an integral double such as {@code 1.0} or {@code -0}, a
   * double that some write with an exponent and others without, an integer beyond 2<sup>53</sup>-1,
   * which is not interoperable (RFC 7493 section 2.2), or an object with two names whose order is
   * not the same by code point and by UTF-16 code unit.
   */
  public boolean isPortable() {
    return portable;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CanonicalForm that
        && hash.equals(that.hash)
        && portable == that.portable
        && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return hash.hashCode();
  }

  /** The hash. */
  @Override
  public String toString() {
    return hash.toString();
  }
}

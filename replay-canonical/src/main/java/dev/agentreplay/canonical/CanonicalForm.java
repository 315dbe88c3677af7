package dev.agentreplay.canonical;

import dev.agentreplay.model.ContentHash;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The canonical form of a value: its UTF-8 bytes, their SHA-256 hash, and whether the form is
 * portable. Obtained from {@link CanonicalJson#form(JsonValue)}. Immutable.
 */
public final class CanonicalForm {

  private final byte[] bytes;
  private final ContentHash hash;
  private final boolean portable;

  CanonicalForm(byte[] bytes, ContentHash hash, boolean portable) {
    this.bytes = bytes;
    this.hash = hash;
    this.portable = portable;
  }

  /** A copy of the bytes, which are UTF-8. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** The bytes decoded as text. */
  public String text() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** The number of bytes. */
  public int size() {
    return bytes.length;
  }

  /** Writes the bytes to a stream in one call. */
  public void writeTo(OutputStream out) throws IOException {
    out.write(bytes.clone());
  }

  /** The SHA-256 hash of the bytes. */
  public ContentHash hash() {
    return hash;
  }

  /**
   * Whether every {@link Canonicalization} and every reader gives the value these bytes and this
   * hash. A value is portable unless it contains an integral double such as {@code 1.0} or
   * {@code -0}, a double that some canonicalizations write with an exponent and others without, an
   * integer beyond 2<sup>53</sup>-1, which is not interoperable (RFC 7493, section 2.2), or an
   * object with two names whose order by code point differs from their order by UTF-16 code unit.
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

  /** The hash as text. */
  @Override
  public String toString() {
    return hash.toString();
  }
}

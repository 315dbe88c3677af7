package dev.agentreplay.canonical;

import dev.agentreplay.canonical.internal.CanonicalWriter;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonValue;
import java.nio.charset.StandardCharsets;

/**
 * The canonical form of JSON values (specification 000, "Canonical Serialization"): names sorted by
 * code point, no white space, minimal escapes, UTF-8. Integers that fit 64 bits, signed or not, are
 * written as they are; every other number as the shortest digits that read back to its double, laid
 * out as {@code 1.0}, {@code 1e+16}, {@code 1e-6}, {@code -0.0}. Every {@link JsonValue} has such a
 * form.
 */
public final class CanonicalJson {

  private CanonicalJson() {}

  /** The canonical form, in UTF-8. */
  public static byte[] bytes(JsonValue value) {
    return new CanonicalWriter().value(value).toByteArray();
  }

  /** The canonical form. */
  public static String text(JsonValue value) {
    return new String(bytes(value), StandardCharsets.UTF_8);
  }

  /** The SHA-256 hash of the canonical form. */
  public static ContentHash hash(JsonValue value) {
    return new CanonicalWriter().hash(value);
  }
}

package dev.agentreplay.engine.diff.value;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * Digests (SHA-256) of values, which are equal if and only if the canonical forms of the values
 * are. The digest of an array or an object is computed from those of its elements, so that all of
 * them together take one pass. Not safe for use by several threads.
 */
public final class ValueDigests {

  private static final int MAX_PLAIN_LENGTH = 15;
  private static final char LONE_SURROGATE = '\uD800';

  private final CanonicalJson canonical;
  private final MessageDigest sha256 = ContentHash.newDigest();

  public ValueDigests(CanonicalJson canonical) {
    this.canonical = canonical;
  }

  /** Whether two scalars are equal. */
  public boolean same(JsonValue left, JsonValue right) {
    return left.equals(right)
        || (left instanceof JsonNumber
            && right instanceof JsonNumber
            && text(left).equals(text(right)));
  }

  /** Returns the elements in an order that depends only on their values. */
  ComparedValue[] sorted(ComparedValue[] elements) {
    ComparedValue[] sorted = elements.clone();
    Arrays.sort(sorted, (a, b) -> Arrays.compareUnsigned(a.digest(this), b.digest(this)));
    return sorted;
  }

  byte[] make(ComparedValue value) {
    if (value.isScalar()) {
      return scalar(value.scalar());
    }
    ComparedValue inside = value.inside();
    if (inside != null) {
      byte[] digest =
          inside.digest(this); // before the update, because the message digest is shared
      sha256.update((byte) 't');
      return sha256.digest(digest);
    }
    ComparedValue[] children = value.children;
    for (ComparedValue child : children) {
      child.digest(this); // the message digest is shared, so the children come first
    }
    if (value.unordered != null) {
      children = sorted(children);
    }
    sha256.update((byte) (value.isObject() ? '{' : '['));
    for (ComparedValue child : children) {
      if (value.isObject()) {
        byte[] name = child.name.getBytes(StandardCharsets.UTF_8);
        sha256.update(ByteBuffer.allocate(Integer.BYTES).putInt(name.length).flip());
        sha256.update(name);
      }
      sha256.update(child.digest(this));
    }
    return sha256.digest();
  }

  private byte[] scalar(JsonValue value) {
    if (value instanceof JsonString string) {
      sha256.update((byte) '"');
      return sha256.digest(string.value().getBytes(StandardCharsets.UTF_8));
    }
    return sha256.digest(text(value).getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Returns a key that is equal for equal scalars only. Keys of scalars that are not strings begin
   * with a lone surrogate, which a recorded string cannot hold.
   */
  String key(JsonValue scalar) {
    return scalar instanceof JsonString string ? string.value() : LONE_SURROGATE + text(scalar);
  }

  private String text(JsonValue scalar) {
    if (scalar instanceof JsonNumber number && isPlain(number)) {
      return number.text();
    }
    try {
      return canonical.text(scalar);
    } catch (IllegalArgumentException wouldBeRounded) {
      return CanonicalJson.SERDE.text(scalar);
    }
  }

  /** Whether a number is an integer that every canonicalization writes unchanged. */
  private static boolean isPlain(JsonNumber number) {
    String text = number.text();
    return text.length() <= MAX_PLAIN_LENGTH && number.isIntegerLiteral() && !text.equals("-0");
  }
}

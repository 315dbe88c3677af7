package dev.agentreplay.model;

import dev.agentreplay.model.text.Excerpt;
import java.util.Base64;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The salt of a log: 256 random bits in its header, which make the hashes over the log
 * unpredictable for a reader who does not have it. Its text is base64url without padding (RFC 4648,
 * section 5). Immutable.
 */
public record Salt(String text) {

  /** The length of a salt in bytes. */
  public static final int BYTES = 32;

  /** 43 characters, of which the last one has two unused bits that are zero. */
  private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]");

  /**
   * Checks the text.
   *
   * @throws IllegalArgumentException unless it is the base64url of 256 bits without padding
   */
  public Salt {
    if (!FORM.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "a salt is 256 bits as base64url without padding, 43 characters, found \"%s\""
              .formatted(Excerpt.of(text)));
    }
  }

  /**
   * Creates a salt of random bytes, which must be those of a secure random number generator.
   *
   * @throws IllegalArgumentException unless there are {@link #BYTES} of them
   */
  public static Salt of(byte[] bytes) {
    return new Salt(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  /** Parses the text of a salt; returns null if it is not one. */
  public static @Nullable Salt tryParse(String text) {
    return FORM.matcher(text).matches() ? new Salt(text) : null;
  }

  /** The bytes of the salt. */
  public byte[] toBytes() {
    return Base64.getUrlDecoder().decode(text);
  }

  /** The word "salt" without the text, so that a log message does not disclose it. */
  @Override
  public String toString() {
    return "salt";
  }
}

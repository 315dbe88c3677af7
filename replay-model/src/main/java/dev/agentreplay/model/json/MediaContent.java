package dev.agentreplay.model.json;

import dev.agentreplay.model.text.Excerpt;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Bytes and their media type, such as an image that a tool returned:
 *
 * <pre>{@code
 * byte[] png = {(byte) 0x89, 'P', 'N', 'G'};
 * recorder.call("screenshot", JsonObject.EMPTY).result(MediaContent.of("image/png", png));
 * }</pre>
 *
 * <p>Its JSON form is that of the bytes alone, Base64 text. A recorder also states the media type,
 * in the member {@code media_types} of the event; that of a byte array without one is
 * {@link #BYTES}. Immutable and safe for use by several threads.
 */
public final class MediaContent {

  /** The media type of bytes whose type is not known: {@code application/octet-stream}. */
  public static final String BYTES = "application/octet-stream";

  private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";

  /** A type and a subtype (RFC 9110, section 8.3.1); the parameters are not checked. */
  private static final Pattern MEDIA_TYPE =
      Pattern.compile(TOKEN + "/" + TOKEN + "([ \\t]*;[\\x20-\\x7e\\t]*)?");

  private final String mediaType;
  private final byte[] bytes;

  private MediaContent(String mediaType, byte[] bytes) {
    this.mediaType = mediaType;
    this.bytes = bytes;
  }

  /**
   * Creates a content from a copy of its bytes.
   *
   * @param mediaType the type and subtype (RFC 9110, section 8.3.1), in any case, and possibly
   *     parameters after a semicolon: {@code image/png}, {@code text/csv;charset=utf-8}
   * @throws IllegalArgumentException if type or subtype are not in this form, or the text is not
   *     printable ASCII
   */
  public static MediaContent of(String mediaType, byte[] bytes) {
    if (!MEDIA_TYPE.matcher(mediaType).matches()) {
      throw new IllegalArgumentException(
          "expected a media type such as \"image/png\", found \"" + Excerpt.of(mediaType) + "\"");
    }
    return new MediaContent(mediaType, bytes.clone());
  }

  /** The media type, as it was given. */
  public String mediaType() {
    return mediaType;
  }

  /** A copy of the bytes. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** The bytes, which must not be changed. */
  byte[] view() {
    return bytes;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof MediaContent content
        && mediaType.equals(content.mediaType)
        && Arrays.equals(bytes, content.bytes);
  }

  @Override
  public int hashCode() {
    return 31 * mediaType.hashCode() + Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return mediaType + ", " + bytes.length + " bytes";
  }
}

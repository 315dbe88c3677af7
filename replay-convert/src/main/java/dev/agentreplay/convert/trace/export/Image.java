package dev.agentreplay.convert.trace.export;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * An image in a message, in the forms of OpenAI and Anthropic: its bytes, or a reference to it. A
 * part with other members is not read as an image, because they would be lost.
 *
 * @param url the reference, or the bytes as a {@code data:} URL (RFC 2397)
 */
record Image(String url) {

  private static final String DATA = "data:";
  private static final String BASE64 = ";base64,";

  /** Returns the image that a part is; null if it is none. */
  static @Nullable Image of(MessagePart part) {
    if (!part.is(MessagePart.Kind.OTHER)
        || !(part.value() instanceof JsonObject object)
        || object.size() != 2
        || !(object.get("type") instanceof JsonString type)) {
      return null;
    }
    return switch (type.value()) {
      case "image" -> object.get("source") instanceof JsonObject source ? ofSource(source) : null;
      case "image_url", "input_image" -> ofUrl(object.get("image_url"));
      default -> null;
    };
  }

  /** An image of Anthropic. */
  private static @Nullable Image ofSource(JsonObject source) {
    String type = text(source.get("type"));
    String url = text(source.get("url"));
    String data = text(source.get("data"));
    String mediaType = text(source.get("media_type"));
    if ("url".equals(type) && url != null && source.size() == 2) {
      return new Image(url);
    }
    return "base64".equals(type) && data != null && mediaType != null && source.size() == 3
        ? new Image(DATA + mediaType + BASE64 + data)
        : null;
  }

  /** An image of OpenAI. */
  private static @Nullable Image ofUrl(@Nullable JsonValue value) {
    JsonValue url =
        value instanceof JsonObject object && object.size() == 1 ? object.get("url") : value;
    return text(url) == null ? null : new Image(String.valueOf(text(url)));
  }

  private static @Nullable String text(@Nullable JsonValue value) {
    return value instanceof JsonString text ? text.value() : null;
  }

  /** The part of the OpenTelemetry conventions: a blob, or a URI. */
  JsonObject part() {
    int comma = url.indexOf(BASE64);
    return url.startsWith(DATA) && comma > 0
        ? JsonObject.of(
            "type",
            "blob",
            "modality",
            "image",
            "mime_type",
            url.substring(DATA.length(), comma),
            "content",
            url.substring(comma + BASE64.length()))
        : JsonObject.of("type", "uri", "modality", "image", "uri", url);
  }
}

package dev.agentreplay.io.agent;

import dev.agentreplay.model.Meta;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.json.LenientJson;
import java.nio.ByteBuffer;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The texts of one event, made well-formed. A model may cut a text within a character and leave an
 * unpaired surrogate, which has no UTF-8 form (RFC 3629, section 3). It is written as U+FFFD. The
 * additional member {@code utf16} has the exact text: the base64 form of its UTF-16BE code units,
 * by the JSON Pointer of the text or of the value that was parsed from it. Not safe for use by
 * several threads.
 */
public final class EventTexts {

  private static final String EXACT = "utf16";

  private JsonObject exact = JsonObject.EMPTY;
  private JsonObject additional = JsonObject.EMPTY;

  /** Creates the texts of an event that has none yet. */
  public EventTexts() {}

  /** The text with unpaired surrogates replaced by U+FFFD. */
  public static String wellFormed(String text) {
    return isWellFormed(text)
        ? text
        : text.codePoints()
            .map(point -> isSurrogate(point) ? '\ufffd' : point)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString();
  }

  /** Whether a text has no unpaired surrogates. */
  public static boolean isWellFormed(String text) {
    return text.codePoints().noneMatch(EventTexts::isSurrogate);
  }

  /** The well-formed text at a place of the event; keeps the exact text if it differs. */
  public String at(String pointer, String text) {
    if (isWellFormed(text)) {
      return text;
    }
    keepExact(pointer, text);
    return wellFormed(text);
  }

  /**
   * The JSON form of a value of any class at a place of the event; keeps its exact texts, the
   * classes of values without a JSON form, and the media types of bytes.
   */
  public JsonValue value(String pointer, @Nullable Object value) {
    LenientJson json = LenientJson.of(value, pointer);
    json.exactTexts().forEach((place, text) -> exact = exact.with(place, text));
    if (!json.types().isEmpty()) {
      add(Names.JAVA_TYPES, json.types());
    }
    if (!json.mediaTypes().isEmpty()) {
      add(Names.MEDIA_TYPES, json.mediaTypes());
    }
    return json.value();
  }

  /** Keeps the exact text at a place of the event. */
  public void keepExact(String pointer, String text) {
    ByteBuffer units = ByteBuffer.allocate(Math.multiplyExact(text.length(), Character.BYTES));
    units.asCharBuffer().put(text);
    exact = exact.with(pointer, Base64.getEncoder().encodeToString(units.array()));
  }

  /**
   * The exact text at a place of a recorded event; null if the text is as written.
   *
   * @throws IllegalStateException if the event has one that cannot be read
   */
  public static @Nullable String exact(ReplayEvent event, String pointer) {
    JsonValue base64 =
        event.meta().extra().get(EXACT) instanceof JsonObject texts ? texts.get(pointer) : null;
    if (base64 == null) {
      return null;
    }
    try {
      byte[] units = Base64.getDecoder().decode(base64.asString());
      return ByteBuffer.wrap(units).asCharBuffer().toString();
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw new IllegalStateException(
          "%s of the %s at %s is not text: %s"
              .formatted(EXACT, event.kind().id(), pointer, e.getMessage()),
          e);
    }
  }

  /** The exact text at a place of a recorded event, where a text is written. */
  public static String exact(ReplayEvent event, String pointer, String written) {
    String exact = exact(event, pointer);
    return exact == null ? written : exact;
  }

  /** Adds a member to the event. */
  public void add(String name, @Nullable Object value) {
    additional = additional.with(name, value);
  }

  /** The additional members of the event. */
  public Meta meta() {
    return Meta.NONE.withExtra(exact.isEmpty() ? additional : additional.with(EXACT, exact));
  }

  /** The well-formed message of an exception, or its name if it has none. */
  public static String message(Throwable error) {
    String message = error.getMessage();
    return wellFormed(message == null ? error.toString() : message);
  }

  /** Whether a code point is an unpaired surrogate; paired ones form a single code point. */
  private static boolean isSurrogate(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }
}

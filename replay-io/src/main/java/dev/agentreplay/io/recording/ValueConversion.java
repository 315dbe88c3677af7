package dev.agentreplay.io.recording;

import dev.agentreplay.model.Meta;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.json.LenientJson;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Converts the Java values of one event, as {@link LenientJson} does, and collects the marks of the
 * parts that were replaced.
 */
final class ValueConversion {

  private static final String EXACT_TEXTS = "utf16";

  /** The types of the numbers that have no JSON form: NaN and the infinities. */
  private static final Set<String> FLOATING_POINT =
      Set.of(Double.class.getName(), Float.class.getName());

  private JsonObject exactTexts = JsonObject.EMPTY;
  private JsonObject types = JsonObject.EMPTY;
  private JsonObject mediaTypes = JsonObject.EMPTY;

  /** Converts a value of any type; a part without a JSON form is replaced by a text. */
  JsonValue any(@Nullable Object value, String pointer) {
    LenientJson json = LenientJson.of(value, pointer);
    exactTexts = union(exactTexts, json.exactTexts());
    types = union(types, json.types());
    mediaTypes = union(mediaTypes, json.mediaTypes());
    return json.value();
  }

  /**
   * Converts a value that is entirely JSON.
   *
   * @throws IllegalArgumentException if a part of it has no JSON form
   */
  JsonValue exact(@Nullable Object value, String pointer) {
    if (value instanceof JsonValue json) {
      return json;
    }
    JsonValue converted = any(value, pointer);
    if (!types.isEmpty()) {
      String place = types.name(0);
      String type = types.value(0).asString();
      throw new IllegalArgumentException("%s: expected a value with a JSON form, found a %s"
          .formatted(
              place,
              FLOATING_POINT.contains(type)
                  ? "number that JSON cannot represent: "
                      + converted.at(place.substring(pointer.length())).asString()
                  : type));
    }
    return converted;
  }

  /** The metadata of the event, with the marks. */
  Meta meta() {
    JsonObject marks = JsonObject.EMPTY;
    marks = with(marks, EXACT_TEXTS, exactTexts);
    marks = with(marks, Names.JAVA_TYPES, types);
    marks = with(marks, Names.MEDIA_TYPES, mediaTypes);
    return marks.isEmpty() ? Meta.NONE : Meta.NONE.withExtra(marks);
  }

  private static JsonObject with(JsonObject marks, String name, JsonObject places) {
    return places.isEmpty() ? marks : marks.with(name, places);
  }

  private static JsonObject union(JsonObject marks, JsonObject more) {
    if (marks.isEmpty()) {
      return more;
    }
    JsonObject.Builder union = JsonObject.builder();
    marks.forEach(union::add);
    more.forEach(union::add);
    return union.build();
  }
}

package dev.agentreplay.adk;

import com.google.adk.JsonBaseModel;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.io.agent.EventTexts;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * The JSON form of the kit's contents, configurations and responses: that of its recordings for
 * conformance tests, whose names are in snake case. Names that a user chooses, such as those of
 * arguments, are unchanged.
 */
final class GenAiJson {

  /** The members with values of any form, in snake case. */
  private static final Set<String> FREE = Set.of(
      "args",
      "response",
      "default",
      "example",
      "labels",
      "headers",
      "parameters_json_schema",
      "response_json_schema",
      "extra_body");

  /** The member with an object whose names the user chooses, and values of a known form. */
  private static final String PROPERTIES = "properties";

  private static final List<String> CALLS = List.of(Names.FUNCTION_CALL, Names.FUNCTION_RESPONSE);

  /** The beginning of the ids that the kit generates for calls, and removes from requests. */
  private static final String GENERATED = "adk-";

  private static final Pattern GENERATED_ID =
      Pattern.compile("\"id\":\"adk-[^\"\\\\]*\",|,\"id\":\"adk-[^\"\\\\]*\"(?=\\})");

  private GenAiJson() {}

  /**
   * The form of an object at a place in an event; an object that cannot be serialized is one with
   * the {@code error} and its {@code to_string}.
   */
  static JsonValue at(EventTexts texts, String pointer, Object object) {
    return form(object).at(texts, pointer);
  }

  /**
   * The form of an object.
   *
   * @param value the value
   * @param exact the text that the value was parsed from, if it has no UTF-8 form; otherwise empty
   */
  record Form(JsonValue value, String exact) {

    JsonValue at(EventTexts texts, String pointer) {
      if (!exact.isEmpty()) {
        texts.keepExact(pointer, exact);
      }
      return value;
    }
  }

  static Form form(Object object) {
    String source;
    JsonValue value;
    try {
      source = JsonBaseModel.toJsonString(object);
      value = snake(JsonText.parse(EventTexts.wellFormed(source)));
    } catch (RuntimeException | StackOverflowError e) { // a value of any class, or nested too deep
      source = "";
      value = JsonObject.of(
          "error",
          EventTexts.message(e),
          Names.TO_STRING,
          EventTexts.wellFormed(String.valueOf(object)));
    }
    return new Form(
        value,
        EventTexts.isWellFormed(source) ? "" : GENERATED_ID.matcher(source).replaceAll(""));
  }

  /** Returns a value with its names in snake case, without generated ids of calls. */
  static JsonValue snake(JsonValue value) {
    if (value instanceof JsonArray array) {
      return JsonArray.copyOf(array.stream().map(GenAiJson::snake).toList());
    }
    if (!(value instanceof JsonObject object)) {
      return value;
    }
    JsonObject.Builder snake = JsonObject.builder();
    object.forEach((name, member) -> {
      String named = snake(name);
      JsonValue form = member(named, member, GenAiJson::snake);
      snake.add(
          named,
          CALLS.contains(named) && form instanceof JsonObject call && isGenerated(call)
              ? call.without("id")
              : form);
    });
    return snake.build();
  }

  private static boolean isGenerated(JsonObject call) {
    return call.get("id") instanceof JsonString id && id.value().startsWith(GENERATED);
  }

  /** Returns a value with its names in camel case, as the kit reads it. */
  static JsonValue camel(JsonValue value) {
    if (value instanceof JsonArray array) {
      return JsonArray.copyOf(array.stream().map(GenAiJson::camel).toList());
    }
    if (!(value instanceof JsonObject object)) {
      return value;
    }
    JsonObject.Builder camel = JsonObject.builder();
    object.forEach(
        (name, member) -> camel.add(camel(name), member(snake(name), member, GenAiJson::camel)));
    return camel.build();
  }

  private static JsonValue member(
      String snake, JsonValue value, UnaryOperator<JsonValue> conversion) {
    if (FREE.contains(snake)) {
      return value;
    }
    if (snake.equals(PROPERTIES) && value instanceof JsonObject properties) {
      JsonObject.Builder converted = JsonObject.builder();
      properties.forEach((name, schema) -> converted.add(name, conversion.apply(schema)));
      return converted.build();
    }
    return conversion.apply(value);
  }

  private static String snake(String camel) {
    StringBuilder snake = new StringBuilder(camel.length() + 4);
    for (int i = 0; i < camel.length(); i++) {
      char letter = camel.charAt(i);
      if (letter >= 'A' && letter <= 'Z') {
        snake.append('_').append((char) (letter + 'a' - 'A'));
      } else {
        snake.append(letter);
      }
    }
    return snake.toString();
  }

  private static String camel(String snake) {
    List<String> words = new ArrayList<>(List.of(snake.split("_", -1)));
    StringBuilder camel = new StringBuilder(words.remove(0));
    for (String word : words) {
      camel.append(
          word.isEmpty() ? "_" : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
    }
    return camel.toString();
  }
}

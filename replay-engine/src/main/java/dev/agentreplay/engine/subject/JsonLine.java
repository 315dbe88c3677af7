package dev.agentreplay.engine.subject;

import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.subject.SubjectException.Reason;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.PlainText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Parses a line from a program: one JSON object. */
final class JsonLine {

  private static final JsonLimits LIMITS =
      JsonLimits.defaults().withMaxBytes(Integer.MAX_VALUE); // the reader of lines has a limit

  private static final int SHOWN = 60;

  private JsonLine() {}

  /**
   * Parses a line.
   *
   * @param number the number of the line, for messages
   * @throws SubjectException if it is not a JSON object
   */
  static JsonObject parse(byte[] text, long number) throws SubjectException {
    JsonValue value;
    try {
      value = JsonText.parse(text, 0, text.length, LIMITS);
    } catch (JsonSyntaxException e) {
      String line = text.length == 0 ? "it is empty" : "it begins with " + excerpt(text);
      throw wrong("line %d is not JSON: %s; %s".formatted(number, e.getMessage(), line));
    }
    if (value instanceof JsonObject json) {
      return json;
    }
    throw wrong("line %d: expected a JSON object, found a %s".formatted(number, value.typeName()));
  }

  private static String excerpt(byte[] text) {
    byte[] beginning = Arrays.copyOf(text, Math.min(text.length, 4 * SHOWN));
    return PlainText.fit(new String(beginning, StandardCharsets.UTF_8), SHOWN);
  }

  private static SubjectException wrong(String message) {
    return new SubjectException(Reason.PROTOCOL, message);
  }
}

package dev.agentreplay.model.json;

import dev.agentreplay.model.text.Excerpt;

/** Prints values as JSON in the order of their members, for {@code toString} and messages. */
final class JsonPrinter {

  private JsonPrinter() {}

  static String print(JsonValue value) {
    StringBuilder out = new StringBuilder();
    append(out, value);
    return out.toString();
  }

  static String print(String text) {
    StringBuilder out = new StringBuilder();
    appendString(out, text);
    return out.toString();
  }

  static IllegalStateException wrongType(String expected, JsonValue value) {
    String article = "ao".indexOf(expected.charAt(0)) < 0 ? "a " : "an ";
    return new IllegalStateException("expected "
        + article
        + expected
        + ", is "
        + value.typeName()
        + " "
        + Excerpt.of(value.toString()));
  }

  private static void append(StringBuilder out, JsonValue value) {
    if (value instanceof JsonString string) {
      appendString(out, string.value());
    } else if (value instanceof JsonArray array) {
      char separator = '[';
      for (JsonValue element : array) {
        append(out.append(separator), element);
        separator = ',';
      }
      out.append(array.size() == 0 ? "[]" : "]");
    } else if (value instanceof JsonObject object) {
      out.append('{');
      for (int i = 0; i < object.size(); i++) {
        appendString(i == 0 ? out : out.append(','), object.name(i));
        append(out.append(':'), object.value(i));
      }
      out.append('}');
    } else {
      out.append(value);
    }
  }

  private static void appendString(StringBuilder out, String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\b' -> out.append("\\b");
        case '\f' -> out.append("\\f");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (c < 0x20) {
            out.append("\\u%04x".formatted((int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }
}

package dev.agentreplay.canonical;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;

/** Prints values on several lines, indented by two spaces. */
final class PrettyPrinter {

  private final StringBuilder out = new StringBuilder();

  private PrettyPrinter() {}

  static String print(JsonValue value) {
    PrettyPrinter printer = new PrettyPrinter();
    printer.append(value, "\n");
    return printer.out.toString();
  }

  private void append(JsonValue value, String newLine) {
    String inner = newLine + "  ";
    if (value instanceof JsonObject object && !object.isEmpty()) {
      for (int i = 0; i < object.size(); i++) {
        out.append(i == 0 ? "{" : ",").append(inner);
        out.append(JsonString.of(object.name(i))).append(": ");
        append(object.value(i), inner);
      }
      out.append(newLine).append('}');
    } else if (value instanceof JsonArray array && array.size() > 0) {
      for (int i = 0; i < array.size(); i++) {
        out.append(i == 0 ? "[" : ",").append(inner);
        append(array.get(i), inner);
      }
      out.append(newLine).append(']');
    } else {
      out.append(value);
    }
  }
}

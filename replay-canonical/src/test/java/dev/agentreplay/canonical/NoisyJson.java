package dev.agentreplay.canonical;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.Random;

/** Writes a value in one of its many forms: with white space, and with needless escapes. */
final class NoisyJson {

  private final Random random;
  private final StringBuilder out = new StringBuilder();

  private NoisyJson(Random random) {
    this.random = random;
  }

  static String print(JsonValue value, Random random) {
    NoisyJson noisy = new NoisyJson(random);
    noisy.space().append(value).space();
    return noisy.out.toString();
  }

  private NoisyJson append(JsonValue value) {
    if (value instanceof JsonObject object) {
      out.append('{');
      space();
      for (int i = 0; i < object.size(); i++) {
        out.append(i == 0 ? "" : ",");
        space().string(object.name(i)).space();
        out.append(':');
        space().append(object.value(i)).space();
      }
      out.append('}');
    } else if (value instanceof JsonArray array) {
      out.append('[');
      space();
      for (int i = 0; i < array.size(); i++) {
        out.append(i == 0 ? "" : ",");
        space().append(array.get(i)).space();
      }
      out.append(']');
    } else if (value instanceof JsonString string) {
      string(string.value());
    } else {
      out.append(value);
    }
    return this;
  }

  private NoisyJson string(String text) {
    out.append('"');
    for (char c : text.toCharArray()) {
      boolean must = c < 0x20 || c == '"' || c == '\\';
      if (must && c == '\n' && random.nextBoolean()) {
        out.append("\\n");
      } else if (c == '/' && random.nextBoolean()) {
        out.append("\\/");
      } else if (must || (random.nextInt(4) == 0 && !Character.isSurrogate(c))) {
        out.append((random.nextBoolean() ? "\\u%04x" : "\\u%04X").formatted((int) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
    return this;
  }

  private NoisyJson space() {
    for (int i = random.nextInt(3); i > 0; i--) {
      out.append(" \t\r\n".charAt(random.nextInt(4)));
    }
    return this;
  }
}

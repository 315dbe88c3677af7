package dev.agentreplay.io.session;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Finds a member of an object in its canonical JSON without parsing the other members. */
final class CanonicalMember {

  private final byte[] json;
  private int at;

  private CanonicalMember(byte[] json) {
    this.json = json;
  }

  /**
   * The JSON of a member; null if the text is not an object that has it.
   *
   * @param json canonical JSON
   * @param name the name of the member, which needs no escapes
   */
  static byte @Nullable [] find(byte[] json, String name) {
    if (json.length < 2 || json[0] != '{' || json[1] != '"') {
      return null;
    }
    return new CanonicalMember(json).find(name.getBytes(StandardCharsets.UTF_8));
  }

  private byte @Nullable [] find(byte[] name) {
    while (at < json.length && json[at] != '}') {
      int nameFrom = at + 2; // after a brace or a comma, and a quote
      at++;
      skipString();
      if (at >= json.length || nameFrom >= at) {
        return null; // not JSON
      }
      boolean isIt = Arrays.equals(json, nameFrom, at - 1, name, 0, name.length);
      at++; // the colon
      int from = at;
      skipValue();
      if (from >= at || at > json.length) {
        return null; // not JSON
      }
      if (isIt) {
        return Arrays.copyOfRange(json, from, at);
      }
    }
    return null;
  }

  private void skipString() {
    at++;
    while (at < json.length && json[at] != '"') {
      at += json[at] == '\\' ? 2 : 1;
    }
    at++;
  }

  /** Skips a value, up to the comma or the brace after it. */
  private void skipValue() {
    int depth = 0;
    while (at < json.length) {
      byte b = json[at];
      if (b == '"') {
        skipString();
        continue;
      }
      if (depth == 0 && (b == ',' || b == '}')) {
        return;
      }
      depth += b == '{' || b == '[' ? 1 : b == '}' || b == ']' ? -1 : 0;
      at++;
    }
  }
}

package dev.agentreplay.canonical.commitment;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The value of a line to which a public form commits: its numbers are written as in the canonical
 * form of the line, so that a published line, which is canonical, shows them as they were
 * committed.
 */
public final class CommittedLine {

  private CommittedLine() {}

  /**
   * Returns the value.
   *
   * @param line the line as it was read; returned itself if its numbers are canonical
   * @param canonical the canonicalization of the log; null if it is unknown
   */
  public static JsonObject of(JsonObject line, @Nullable CanonicalJson canonical) {
    if (canonical == null || areCanonical(line, canonical)) {
      return line;
    }
    try {
      return JsonText.parse(canonical.bytes(line)).asObject();
    } catch (IllegalArgumentException wouldBeRounded) {
      return line;
    }
  }

  private static boolean areCanonical(JsonValue value, CanonicalJson canonical) {
    if (value instanceof JsonNumber number) {
      return isShortInteger(number.text()) || isCanonical(number, canonical);
    } else if (value instanceof JsonObject object) {
      for (int i = 0; i < object.size(); i++) {
        if (!areCanonical(object.value(i), canonical)) {
          return false;
        }
      }
    } else if (value instanceof JsonArray array) {
      for (int i = 0; i < array.size(); i++) {
        if (!areCanonical(array.get(i), canonical)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Whether a number is an integer of at most 15 digits, which is canonical in every form. */
  private static boolean isShortInteger(String text) {
    if (text.length() > 15 || text.startsWith("-")) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }

  private static boolean isCanonical(JsonNumber number, CanonicalJson canonical) {
    try {
      return canonical.text(number).equals(number.text());
    } catch (IllegalArgumentException wouldBeRounded) {
      return true; // it stays as it is
    }
  }
}

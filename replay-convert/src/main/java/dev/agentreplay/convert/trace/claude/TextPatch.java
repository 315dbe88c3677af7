package dev.agentreplay.convert.trace.claude;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A patch of a text: hunks with the number of their first line ({@code oldStart}, from 1) and lines
 * that begin with a space, {@code -} or {@code +}, or with a backslash if the line before them has
 * no line feed.
 */
final class TextPatch {

  private final List<String> old;
  private final List<String> patched = new ArrayList<>();
  private int at;
  private boolean isOldEndOpen;
  private boolean isNewEndOpen;

  private TextPatch(String text) {
    this.old = List.of(text.split("\n", -1));
  }

  /**
   * Whether a patch leads from one text to another. Claude Code shows each tab at the beginning of
   * a line as two spaces.
   */
  static boolean leads(JsonArray hunks, String before, String after) {
    boolean hasTabs = before.indexOf('\t') >= 0 || after.indexOf('\t') >= 0;
    return after.equals(apply(hunks, before))
        || (hasTabs && shown(after).equals(apply(hunks, shown(before))));
  }

  private static String shown(String text) {
    StringBuilder shown = new StringBuilder(text.length() + text.length() / 8);
    boolean isStart = true;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean isIndent = isStart && c == '\t';
      if (isIndent) {
        shown.append("  ");
      } else {
        shown.append(c);
      }
      isStart = isIndent || c == '\n';
    }
    return shown.toString();
  }

  /** Returns the text after a patch; null if the patch does not fit the text. */
  private static @Nullable String apply(JsonArray hunks, String text) {
    TextPatch patch = new TextPatch(text);
    for (JsonValue hunk : hunks) {
      if (!(hunk instanceof JsonObject object) || !patch.add(object)) {
        return null;
      }
    }
    patch.copy(patch.old.size());
    return patch.end();
  }

  private boolean add(JsonObject hunk) {
    int start = start(hunk);
    if (start < at || start > old.size() || !(hunk.get("lines") instanceof JsonArray lines)) {
      return false;
    }
    copy(start);
    char last = ' ';
    for (JsonValue value : lines) {
      if (!(value instanceof JsonString text) || text.value().isEmpty()) {
        return false;
      }
      char sign = text.value().charAt(0);
      String line = text.value().substring(1);
      if (sign == '\\') {
        isOldEndOpen |= last != '+';
        isNewEndOpen |= last != '-';
      } else if (sign == '+') {
        patched.add(line);
      } else if ((sign == ' ' || sign == '-') && at < old.size() && old.get(at).equals(line)) {
        at++;
        if (sign == ' ') {
          patched.add(line);
        }
      } else {
        return false;
      }
      last = sign;
    }
    return true;
  }

  private static int start(JsonObject hunk) {
    try {
      return hunk.get("oldStart") instanceof JsonNumber number
          ? Math.max(0, Math.toIntExact(number.asLong()) - 1)
          : -1;
    } catch (ArithmeticException notANumberOfALine) {
      return -1;
    }
  }

  private void copy(int to) {
    while (at < to) {
      patched.add(old.get(at++));
    }
  }

  /** The text, with the line feed at its end that the patch states. */
  private String end() {
    int size = patched.size();
    boolean endsWithLineFeed = size > 0 && patched.get(size - 1).isEmpty();
    if (isOldEndOpen && !isNewEndOpen) {
      patched.add("");
    } else if (isNewEndOpen && !isOldEndOpen && endsWithLineFeed) {
      patched.remove(size - 1);
    }
    return String.join("\n", patched);
  }
}

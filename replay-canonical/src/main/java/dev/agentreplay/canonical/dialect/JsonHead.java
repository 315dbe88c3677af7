package dev.agentreplay.canonical.dialect;

import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The JSON object or array at the start of a file. The value may span many lines. If it is longer
 * than the bytes read, it is closed after the last complete element.
 */
final class JsonHead {

  private final FileHead head;
  private final byte[] closers = new byte[JsonValue.MAX_DEPTH];
  private int depth;

  /** The length of the text that becomes valid JSON when the open containers are closed. */
  private int whole;

  private JsonHead(FileHead head) {
    this.head = head;
  }

  /** Parses the value; null if the file does not start with an object or array. */
  static @Nullable JsonValue parse(FileHead file) {
    JsonHead json = new JsonHead(file.stripped());
    boolean begins = json.head.has(0, "{") || json.head.has(0, "[");
    return begins && json.scan() ? json.close() : null;
  }

  /** Whether the value at the start of a file continues after the first line. */
  static boolean hasSeveralLines(FileHead file) {
    FileHead head = file.stripped();
    int end = head.endOfLine(0);
    JsonHead json = new JsonHead(head);
    return end < head.size() && json.scan() && json.whole > end;
  }

  /**
   * Finds the end of the value or the position to cut it at. Returns whether the brackets match.
   */
  private boolean scan() {
    for (int i = 0; i < head.size(); i++) {
      byte b = head.at(i);
      if (b == '"') {
        i = endOfString(i);
      } else if (b == '{' || b == '[') {
        if (depth == closers.length) {
          return false;
        }
        closers[depth++] = (byte) (b == '{' ? '}' : ']');
        whole = i + 1;
      } else if (b == '}' || b == ']') {
        if (closers[--depth] != b) {
          return false;
        }
        whole = i + 1;
        if (depth == 0) {
          return endsLine(whole);
        }
      } else if (b == ',') {
        whole = i;
      }
    }
    return true;
  }

  private int endOfString(int start) {
    int i = start + 1;
    while (i < head.size() && head.at(i) != '"') {
      i += head.at(i) == '\\' ? 2 : 1;
    }
    return i;
  }

  private boolean endsLine(int start) {
    return head.text(start, head.endOfLine(start)).isBlank();
  }

  private @Nullable JsonValue close() {
    byte[] text = head.copy(whole, depth);
    for (int i = 0; i < depth; i++) {
      text[text.length - 1 - i] = closers[i];
    }
    try {
      return JsonText.parse(text);
    } catch (JsonSyntaxException notJson) {
      return null;
    }
  }
}

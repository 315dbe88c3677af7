package dev.agentreplay.records.recording;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the lines on which the elements of an array begin, in a valid JSON text: the text itself,
 * or the member {@code messages} of its object.
 */
final class ElementLines {

  private static final String NAME = "\"messages\"";

  private final byte[] json;
  private final List<Integer> lines = new ArrayList<>();
  private int line = 1;
  private int depth;

  /** The depth in the array whose elements are found; -1 before it begins. */
  private int inside = -1;

  /** Whether the next value at {@link #inside} is an element. */
  private boolean awaitsElement;

  private String lastText = "";

  private ElementLines(byte[] json) {
    this.json = json;
  }

  /**
   * Returns the lines, from 1, in the order of the elements; empty if the name of the member is
   * written with escapes.
   */
  static List<Integer> of(byte[] json) {
    ElementLines found = new ElementLines(json);
    found.scan();
    return found.lines;
  }

  /** Returns the line, from 1, of a byte. */
  static int lineOf(byte[] text, int offset) {
    int line = 1;
    for (int i = 0; i < Math.min(offset, text.length); i++) {
      line += text[i] == '\n' ? 1 : 0;
    }
    return line;
  }

  private void scan() {
    for (int i = 0; i < json.length; i++) {
      switch (json[i]) {
        case '\n' -> line++;
        case ' ', '\t', '\r', ':' -> {}
        case ',' -> awaitsElement = depth == inside;
        case '[', '{' -> open(json[i]);
        case ']', '}' -> close();
        case '"' -> {
          element();
          i = text(i);
        }
        default -> element();
      }
    }
  }

  /** Skips a string. Returns the index of its last byte. */
  private int text(int start) {
    int i = start + 1;
    while (json[i] != '"') {
      i += json[i] == '\\' ? 2 : 1;
    }
    lastText = depth == 1 && inside < 0
        ? new String(json, start, i + 1 - start, StandardCharsets.UTF_8)
        : "";
    return i;
  }

  private void open(byte bracket) {
    element();
    depth++;
    boolean isArray = bracket == '[' && (depth == 1 || (depth == 2 && lastText.equals(NAME)));
    if (inside < 0 && isArray) {
      inside = depth;
      awaitsElement = true;
    }
    lastText = "";
  }

  private void close() {
    if (depth == inside) {
      inside = Integer.MAX_VALUE; // the array has ended, and no other is searched for
    }
    awaitsElement = false;
    depth--;
  }

  private void element() {
    if (awaitsElement && depth == inside) {
      lines.add(line);
      awaitsElement = false;
    }
  }
}

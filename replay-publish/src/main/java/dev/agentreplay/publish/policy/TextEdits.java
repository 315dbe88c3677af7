package dev.agentreplay.publish.policy;

import org.jspecify.annotations.Nullable;

/** Replaces ranges of a text, from its beginning to its end. Ranges must not overlap. */
final class TextEdits {

  private final String text;
  private @Nullable StringBuilder edited;
  private int copied;

  TextEdits(String text) {
    this.text = text;
  }

  /** Replaces a range that begins at or after the end of the range before it. */
  void replace(int from, int to, String replacement) {
    StringBuilder out = edited == null ? new StringBuilder(text.length() + 16) : edited;
    out.append(text, copied, from).append(replacement);
    edited = out;
    copied = to;
  }

  /** The edited text; null if it is the same. */
  @Nullable
  String result() {
    if (edited == null) {
      return null;
    }
    String result = edited.append(text, copied, text.length()).toString();
    copied = text.length();
    return result.equals(text) ? null : result;
  }
}

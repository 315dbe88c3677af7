package dev.agentreplay.records.replay;

import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.records.TraceMessage;
import dev.agentreplay.records.internal.TextLookup;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The summaries of two messages, at most 200 characters each: the subject, or the first line of the
 * text. If those do not show the difference of two texts, it is the line with the first difference.
 *
 * @param original the summary of the recorded message; empty if there is none, or nothing is known
 * @param replayed the summary of the message of the replay; empty likewise
 */
record Summaries(String original, String replayed) {

  private static final int MAX = 200;

  /** The characters before a difference that are shown. */
  private static final int BEFORE = 60;

  private static final String LEFT_OUT = "…";

  /**
   * Summarizes two messages.
   *
   * @throws IOException if a text cannot be read
   */
  static Summaries of(
      @Nullable TraceMessage original,
      TextLookup originalTexts,
      @Nullable TraceMessage replayed,
      TextLookup replayedTexts)
      throws IOException {
    Summaries first =
        new Summaries(summary(original, originalTexts), summary(replayed, replayedTexts));
    if (original == null || replayed == null) {
      return first;
    }
    String left = originalTexts.text(original.contentHash());
    String right = replayedTexts.text(replayed.contentHash());
    if (left == null || right == null) {
      return first;
    }
    if (hasSubject(original) != hasSubject(replayed)) {
      first = new Summaries(firstLine(left), firstLine(right)); // a subject is not like a text
    }
    return left.equals(right) || !first.original.equals(first.replayed)
        ? first
        : atFirstDifference(left, right);
  }

  private static boolean hasSubject(TraceMessage message) {
    return message.subject() != null && !message.subject().isBlank();
  }

  private static String firstLine(String text) {
    return shortened(text.strip().lines().findFirst().orElse("").strip());
  }

  private static String summary(@Nullable TraceMessage message, TextLookup texts)
      throws IOException {
    if (message == null) {
      return "";
    }
    String subject = message.subject();
    String text =
        subject != null && !subject.isBlank() ? subject : texts.text(message.contentHash());
    return text == null ? "" : firstLine(text);
  }

  private static String shortened(String line) {
    return line.length() <= MAX
        ? line
        : Excerpt.beginning(line, MAX - LEFT_OUT.length()) + LEFT_OUT;
  }

  private static Summaries atFirstDifference(String left, String right) {
    int at = 0;
    int end = Math.min(left.length(), right.length());
    while (at < end && left.charAt(at) == right.charAt(at)) {
      at++;
    }
    return new Summaries(line(left, at), line(right, at));
  }

  /** The line around a place. */
  private static String line(String text, int place) {
    int at = Excerpt.floor(text, place);
    int start = text.lastIndexOf('\n', Math.max(at - 1, 0)) + 1;
    int from = Math.max(start, Excerpt.floor(text, at - BEFORE));
    int lineEnd = text.indexOf('\n', at);
    String line = text.substring(from, lineEnd < 0 ? text.length() : lineEnd).strip();
    return shortened((from > start ? LEFT_OUT : "") + line);
  }
}

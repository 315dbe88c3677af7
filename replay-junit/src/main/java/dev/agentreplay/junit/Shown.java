package dev.agentreplay.junit;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.PlainText;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** Formats recorded values, which may contain any characters, for failure messages. */
final class Shown {

  private static final int NAME = 80;
  private static final int VALUE = 1_000;
  private static final int TEXT = 100_000;

  private Shown() {}

  /** The path of the log of a session. */
  static String path(Session session) {
    return path(session.log());
  }

  /** A text on one line. */
  static String plain(String text) {
    return PlainText.of(text);
  }

  static String path(Path path) {
    return PlainText.of(path.toString());
  }

  /** A tool, an id or a pointer, quoted. */
  static String name(String name) {
    return value(JsonString.of(name), NAME);
  }

  /** Names, quoted. */
  static String names(List<String> names) {
    return names.isEmpty()
        ? "none"
        : names.stream().map(Shown::name).collect(Collectors.joining(", "));
  }

  /** A duration in seconds. */
  static String duration(Duration duration) {
    return BigDecimal.valueOf(duration.toMillis(), 3).stripTrailingZeros().toPlainString() + " s";
  }

  /** Names, each on a line. */
  static String lines(List<String> names) {
    return names.stream().map(PlainText::of).collect(Collectors.joining("\n"));
  }

  /** The beginning of a value on one line. */
  static String value(JsonValue value) {
    return value(value, VALUE);
  }

  static String value(JsonValue value, int width) {
    return PlainText.fit(value.toString(), width);
  }

  /** The beginning of a text, quoted. */
  static String text(String text) {
    return value(JsonString.of(text));
  }

  /** A value on several lines. */
  static String pretty(JsonValue value) {
    return lines(JsonText.pretty(value), TEXT, "");
  }

  /**
   * A text with all its lines made printable, cut to a length.
   *
   * @param mark the text after the number of characters that were cut
   */
  static String lines(String text, int length, String mark) {
    boolean cut = text.length() > length;
    String plain = (cut ? text.substring(0, length) : text)
        .lines()
        .map(PlainText::of)
        .collect(Collectors.joining("\n"));
    return cut
        ? "%s\n… %s%s"
            .formatted(plain, PlainText.count(text.length() - length, "more character"), mark)
        : plain;
  }

  /** A message that a session cannot be read, with the cause, on one line. */
  static String unreadable(IOException e) {
    return "the session cannot be read: " + cause(e);
  }

  /** The cause of a read error on one line; the message of the JDK is often only a path. */
  static String cause(IOException e) {
    if (e instanceof NoSuchFileException missing && missing.getReason() == null) {
      return PlainText.of(missing.getFile()) + ": no such file";
    }
    return PlainText.of(e.getMessage() == null ? e.toString() : e.getMessage());
  }
}

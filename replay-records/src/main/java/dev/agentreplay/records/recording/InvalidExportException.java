package dev.agentreplay.records.recording;

import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a text is not an export of messages. The message lists the first 10 problems,
 * {@link #problems} returns all.
 */
public final class InvalidExportException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  private static final int LISTED = 10;

  private final Problem[] problems;

  InvalidExportException(List<Problem> problems) {
    super(message(problems));
    this.problems = problems.toArray(Problem[]::new);
  }

  /** Returns all problems, at least one, in the order of the export. */
  public List<Problem> problems() {
    return List.of(problems);
  }

  private static String message(List<Problem> problems) {
    String listed =
        problems.stream().limit(LISTED).map(Problem::toString).collect(Collectors.joining("; "));
    int more = problems.size() - LISTED;
    return "invalid export of messages: " + listed + (more > 0 ? "; and " + more + " more" : "");
  }

  /**
   * A problem of an export.
   *
   * @param number the number of the message, from 1; null for the export as a whole
   * @param line the number of the line on which it begins, from 1; null if it is not known
   * @param member the member of the message; empty for the message as a whole
   * @param message the expected and the found value
   */
  public record Problem(
      @Nullable Integer number, @Nullable Integer line, String member, String message)
      implements Serializable {

    /** Checks for null. */
    public Problem {
      Objects.requireNonNull(member, "member");
      Objects.requireNonNull(message, "message");
    }

    /** Returns the place, the member and the message, as {@code message 3, line 4: ts: …}. */
    @Override
    public String toString() {
      String place = place(number, line);
      return (place.isEmpty() ? "" : place + ": ")
          + (member.isEmpty() ? "" : member + ": ")
          + message;
    }
  }

  /** Returns the place of a message for people. */
  static String place(@Nullable Integer number, @Nullable Integer line) {
    String message = number == null ? "" : "message " + number;
    String at = line == null ? "" : "line " + line;
    return message + (message.isEmpty() || at.isEmpty() ? "" : ", ") + at;
  }
}

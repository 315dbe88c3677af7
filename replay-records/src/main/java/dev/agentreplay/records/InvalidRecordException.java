package dev.agentreplay.records;

import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Thrown when a JSON value breaks the constraints of the record that it is read as. The message
 * lists the first 10 problems, {@link #problems} returns all.
 */
public final class InvalidRecordException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private static final int LISTED = 10;

  /** The problems, at least one. */
  private final Problem[] problems;

  InvalidRecordException(Class<?> type, List<Problem> problems) {
    super(message(type, problems));
    this.problems = problems.toArray(Problem[]::new);
  }

  /** Returns all problems, in the order of the specification. */
  public List<Problem> problems() {
    return List.of(problems);
  }

  private static String message(Class<?> type, List<Problem> problems) {
    String listed =
        problems.stream().limit(LISTED).map(Problem::toString).collect(Collectors.joining("; "));
    int more = problems.size() - LISTED;
    String name = type.getName().substring(type.getPackageName().length() + 1).replace('$', '.');
    return "invalid " + name + ": " + listed + (more > 0 ? "; and " + more + " more" : "");
  }

  /**
   * A constraint that a member of a record breaks.
   *
   * @param path the path of the member, as in {@code inputs.agent_roster[0].temperature}; empty for
   *     the value as a whole
   * @param message the constraint and the value found
   */
  public record Problem(String path, String message) implements Serializable {

    /** Checks for null. */
    public Problem {
      Objects.requireNonNull(path, "path");
      Objects.requireNonNull(message, "message");
    }

    /** Returns {@code path: message}, or the message alone when the path is empty. */
    @Override
    public String toString() {
      return path.isEmpty() ? message : path + ": " + message;
    }
  }
}

package dev.agentreplay.records;

import java.util.List;
import java.util.stream.Collectors;

/** A JSON value is not the record that it was read as. The message lists the first problems. */
public final class InvalidRecordException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private static final int LISTED = 10;

  /** All problems, at least one. */
  private final Problem[] problems;

  InvalidRecordException(Class<?> type, List<Problem> problems) {
    super(message(type, problems));
    this.problems = problems.toArray(Problem[]::new);
  }

  /** All that is wrong, in the order of the specification. */
  public List<Problem> problems() {
    return List.of(problems);
  }

  private static String message(Class<?> type, List<Problem> problems) {
    String listed =
        problems.stream().limit(LISTED).map(Problem::toString).collect(Collectors.joining("; "));
    int more = problems.size() - LISTED;
    return "invalid " + type.getSimpleName() + ": " + listed
        + (more > 0 ? "; and " + more + " more" : "");
  }
}

package dev.agentreplay.records.store;

import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.records.InvalidRecordException;
import dev.agentreplay.records.InvalidRecordException.Problem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a file is not a valid session record or replay report. The message states the file
 * and the first 10 problems, {@link #problems} returns all.
 */
public final class RecordFormatException extends IOException {

  private static final long serialVersionUID = 1L;

  private static final int LISTED = 10;

  private final Problem[] problems;

  RecordFormatException(Path file, String expected, InvalidRecordException cause) {
    this(file, expected, cause.problems(), cause);
  }

  RecordFormatException(Path file, String expected, JsonSyntaxException cause) {
    this(file, expected, List.of(new Problem("", String.valueOf(cause.getMessage()))), cause);
  }

  RecordFormatException(Path file, String expected, Problem problem) {
    this(file, expected, List.of(problem), null);
  }

  private RecordFormatException(
      Path file, String expected, List<Problem> problems, @Nullable Throwable cause) {
    super(message(file, expected, problems), cause);
    this.problems = problems.toArray(Problem[]::new);
  }

  private static String message(Path file, String expected, List<Problem> problems) {
    String listed =
        problems.stream().limit(LISTED).map(Problem::toString).collect(Collectors.joining("; "));
    int more = problems.size() - LISTED;
    return "%s: not a %s: %s%s"
        .formatted(
            PlainText.escaped(file.toString()),
            expected,
            listed,
            more > 0 ? "; and " + more + " more" : "");
  }

  /** Returns all problems, at least one; one with an empty path if the file is not JSON. */
  public List<Problem> problems() {
    return List.of(problems);
  }
}

package dev.agentreplay.records.store;

import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.records.InvalidRecordException;
import dev.agentreplay.records.InvalidRecordException.Problem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Thrown when a file is not a valid session record or replay report. The message states the file
 * and the first problems, {@link #problems} returns all.
 */
public final class RecordFormatException extends IOException {

  private static final long serialVersionUID = 1L;

  private final Problem[] problems;

  RecordFormatException(Path file, InvalidRecordException cause) {
    super(PlainText.escaped(file.toString()) + ": " + cause.getMessage(), cause);
    this.problems = cause.problems().toArray(Problem[]::new);
  }

  RecordFormatException(Path file, JsonSyntaxException cause) {
    super(PlainText.escaped(file.toString()) + ": " + cause.getMessage(), cause);
    this.problems = new Problem[] {new Problem("", String.valueOf(cause.getMessage()))};
  }

  RecordFormatException(Path file, Problem problem) {
    super(PlainText.escaped(file.toString()) + ": " + problem);
    this.problems = new Problem[] {problem};
  }

  /** Returns all problems, at least one; one with an empty path if the file is not JSON. */
  public List<Problem> problems() {
    return List.of(problems);
  }
}

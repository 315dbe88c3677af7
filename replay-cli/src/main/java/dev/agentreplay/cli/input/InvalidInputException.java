package dev.agentreplay.cli.input;

import dev.agentreplay.records.InvalidRecordException.Problem;
import dev.agentreplay.records.recording.InvalidExportException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Thrown when a file is not of the expected form, with each problem of it. */
public final class InvalidInputException extends IOException {

  private static final long serialVersionUID = 1L;

  private final Problem[] problems;

  /**
   * Creates an exception.
   *
   * @param message the file and its expected form
   * @param problems all problems, listed under the message
   */
  InvalidInputException(String message, List<Problem> problems, @Nullable Throwable cause) {
    super(message, cause);
    this.problems = problems.toArray(Problem[]::new);
  }

  /** The exception for a file that is not an export of messages. */
  public static InvalidInputException of(Path file, InvalidExportException cause) {
    List<Problem> problems = cause.problems().stream()
        .map(problem -> new Problem("", problem.toString()))
        .toList();
    return new InvalidInputException(file + ": not an export of messages", problems, cause);
  }

  /** The problems, in the order of the file. */
  public List<Problem> problems() {
    return List.of(problems);
  }
}

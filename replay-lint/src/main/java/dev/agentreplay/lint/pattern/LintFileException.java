package dev.agentreplay.lint.pattern;

import java.io.IOException;

/** Thrown when a file of patterns or suppressions has an error, with the position of the first. */
public final class LintFileException extends IOException {

  private static final long serialVersionUID = 1L;

  private final String file;
  private final int line;
  private final int column;

  /**
   * Creates an exception.
   *
   * @param file the name of the file
   * @param line the line of the error, from 1
   * @param column the column of the error in characters, from 1
   * @param reason the problem, and what was expected
   */
  LintFileException(String file, int line, int column, String reason) {
    super("%s: line %d, column %d: %s".formatted(file, line, column, reason));
    this.file = file;
    this.line = line;
    this.column = column;
  }

  /** The name of the file. */
  public String file() {
    return file;
  }

  /** The line of the error, from 1. */
  public int line() {
    return line;
  }

  /** The column of the error in characters, from 1. */
  public int column() {
    return column;
  }
}

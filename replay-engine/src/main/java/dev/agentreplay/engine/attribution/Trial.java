package dev.agentreplay.engine.attribution;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One run of the agent on the first recording with some of the differences. */
public final class Trial {

  /** The outcome of a trial. */
  public enum Result {
    /** That of the first recording. */
    FIRST,
    /** That of the second recording. */
    SECOND,
    /** A different one. */
    OTHER,
    /** None: it did not end, or needed an answer that was neither recorded nor executed. */
    NONE;

    /** The text of the constant in JSON and in reports. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final int number;
  private final List<Integer> differences;
  private final Result result;
  private final long executed;
  private final @Nullable Path directory;
  private final @Nullable String reason;

  Trial(
      int number,
      List<Integer> differences,
      Result result,
      long executed,
      @Nullable Path directory,
      @Nullable String reason) {
    this.number = number;
    this.differences = List.copyOf(differences);
    this.result = result;
    this.executed = executed;
    this.directory = directory;
    this.reason = reason;
  }

  /** Its number, from 1. */
  public int number() {
    return number;
  }

  /** The numbers of the differences that were taken over from the second recording. */
  public List<Integer> differences() {
    return differences;
  }

  /** The outcome. */
  public Result result() {
    return result;
  }

  /** The number of calls of models and tools that were executed. */
  public long executed() {
    return executed;
  }

  /** The directory of its session; null if it was not kept. */
  public @Nullable Path directory() {
    return directory;
  }

  /**
   * The reason why it has no outcome, or how the agent failed if it has a different one; or null.
   */
  public @Nullable String reason() {
    return reason;
  }
}

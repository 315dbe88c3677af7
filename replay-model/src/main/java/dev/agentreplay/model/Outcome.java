package dev.agentreplay.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a tool call.
 *
 * @param ok whether the call succeeded; null when the log does not state it
 * @param exitCode the exit code of the process that the tool ran; null when there is none
 * @param error the error; null when there is none
 * @param known whether the effects of the call are known: false after a time-out, when the tool may
 *     have done its work or not; null, which means known, when the log does not state it
 * @param streams the previews of what the process wrote
 */
public record Outcome(
    @Nullable Boolean ok,
    @Nullable Integer exitCode,
    @Nullable Failure error,
    @Nullable Boolean known,
    StreamPreviews streams) {

  /** An outcome of which nothing is specified. */
  public static final Outcome NONE = of(null, null, null);

  /** A successful call. */
  public static final Outcome OK = of(true, null, null);

  /** Checks for null. */
  public Outcome {
    Objects.requireNonNull(streams, "streams");
  }

  /** Creates an outcome whose effects are known. */
  public static Outcome of(
      @Nullable Boolean ok, @Nullable Integer exitCode, @Nullable Failure error) {
    return new Outcome(ok, exitCode, error, null, StreamPreviews.NONE);
  }

  /** Creates the outcome of a process with the given exit code; 0 is success. */
  public static Outcome exit(int exitCode) {
    return of(exitCode == 0, exitCode, null);
  }

  /** Creates the outcome of a failed call. */
  public static Outcome failed(String name, String message) {
    return failed(Failure.of(name, message));
  }

  /** Creates the outcome of a failed call. */
  public static Outcome failed(Failure error) {
    return of(false, null, Objects.requireNonNull(error, "error"));
  }

  /**
   * Creates the outcome of a call that threw. Its effects are unknown if the exception, or one of
   * its causes, is a time-out, an interruption or a cancellation.
   */
  public static Outcome failed(Throwable thrown) {
    Outcome failed = failed(Failure.of(thrown));
    return Interruptions.isOne(thrown) ? failed.withKnown(false) : failed;
  }

  /**
   * Creates the outcome of a call that was not answered in time, named {@link Failure#TIMEOUT}. Its
   * effects are unknown.
   */
  public static Outcome timedOut(String message) {
    return failed(Failure.TIMEOUT, message).withKnown(false);
  }

  /**
   * Creates the outcome of a call that was cancelled, named {@link Failure#CANCELLED}. Its effects
   * are unknown; if the tool did not begin, {@link #withKnown withKnown(null)} says so.
   */
  public static Outcome cancelled(String message) {
    return failed(Failure.CANCELLED, message).withKnown(false);
  }

  /** Returns a copy that states whether the effects are known; null states nothing. */
  public Outcome withKnown(@Nullable Boolean newKnown) {
    return new Outcome(ok, exitCode, error, newKnown, streams);
  }

  /** Returns a copy with the given previews of what the process wrote. */
  public Outcome withStreams(StreamPreviews newStreams) {
    return new Outcome(ok, exitCode, error, known, newStreams);
  }

  /** Whether the effects of the call are known, which is so unless the log states otherwise. */
  public boolean isKnown() {
    return known == null || known;
  }

  /**
   * Whether the call succeeded: {@code ok} when it is stated, else whether there is neither an exit
   * code other than 0 nor an error.
   */
  public boolean succeeded() {
    return ok != null ? ok : (exitCode == null || exitCode == 0) && error == null;
  }
}

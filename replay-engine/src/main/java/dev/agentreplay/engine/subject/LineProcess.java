package dev.agentreplay.engine.subject;

import dev.agentreplay.engine.replay.execution.NotExecutedException;
import dev.agentreplay.engine.subject.SubjectException.Reason;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.json.JsonObject;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A running program that answers requests: each is one JSON object on one line of its standard
 * input, and each answer one JSON object on one line of its standard output. There is exactly one
 * answer to a request.
 *
 * <pre>{@code
 * try (LineProcess program = LineProcess.start(command, 64 << 20)) {
 *   LineProcess.Line answer = program.ask(JsonObject.of("type", "ping"));
 *   program.end(JsonObject.of("type", "end"));
 * }
 * }</pre>
 *
 * <p>A program that does anything else, or does not exit with 0 after the last message, is killed,
 * and the exception has the number of its line, the expected and the found content, and the end of
 * its standard error. The time for an answer is not limited: the caller interrupts the thread that
 * waits for it, and closes the program, which kills it with the processes that it started.
 *
 * <p>For use by one thread at a time, except for {@link #close}.
 */
public final class LineProcess implements Closeable {

  /** The time in which a program exits after the last message, or after it closed a stream. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  /**
   * The seconds in which the last lines of a program arrive that has exited or closed its input.
   */
  private static final long LAST_LINES = 5;

  /**
   * A line from the program.
   *
   * @param number the number of the line, from 1
   * @param json the object on it
   */
  public record Line(long number, JsonObject json) {

    /** Checks for null. */
    public Line {
      Objects.requireNonNull(json, "json");
    }
  }

  /**
   * A line of the output, or its end.
   *
   * @param json the object on the line; null at the end of the output, or with a failure
   * @param failure the reason why the line is refused, or the output cannot be read; null for none
   */
  private record Found(long number, @Nullable JsonObject json, @Nullable IOException failure) {

    boolean isLine() {
      return json != null
          || (failure instanceof SubjectException wrong && wrong.reason() == Reason.PROTOCOL);
    }
  }

  private final String name;
  private final ChildProcess child;
  private final SubjectOutput out;
  private final Thread reader;
  private final Duration grace;
  private final long lastLines;

  /** The lines that were not taken yet; a program that floods its output waits. */
  private final BlockingQueue<Found> found = new ArrayBlockingQueue<>(2);

  private volatile boolean hasClosedInput;

  /** Whether there was an answer, after which each line follows a request. */
  private boolean hasAnswered;

  private LineProcess(String name, ChildProcess child, int maxLineBytes, Duration grace) {
    this.name = name;
    this.child = child;
    this.grace = grace;
    this.lastLines = Math.min(LAST_LINES, grace.toSeconds());
    this.out = new SubjectOutput(child.in());
    LineInput in = new LineInput(child.out(), maxLineBytes);
    this.reader = ChildProcess.daemon("replay-lines", () -> read(in));
  }

  /**
   * Starts a program.
   *
   * @param maxLineBytes the maximum length of a line from the program, in bytes
   * @throws NotExecutedException if it cannot be started
   * @throws IllegalArgumentException if the maximum is not positive
   */
  public static LineProcess start(ProcessCommand command, int maxLineBytes)
      throws NotExecutedException {
    return start(command, maxLineBytes, GRACE);
  }

  static LineProcess start(ProcessCommand command, int maxLineBytes, Duration grace)
      throws NotExecutedException {
    if (maxLineBytes < 1) {
      throw new IllegalArgumentException(
          "the maximum length of a line must be positive: " + maxLineBytes);
    }
    LineProcess started =
        new LineProcess(command.name(), ChildProcess.start(command), maxLineBytes, grace);
    started.reader.start();
    return started;
  }

  private void read(LineInput in) {
    try {
      try {
        byte[] line = in.read();
        while (line != null) {
          found.put(new Found(in.lines(), JsonLine.parse(line, in.lines()), null));
          line = in.read();
        }
        found.put(new Found(in.lines() + 1, null, null));
      } catch (IOException e) {
        found.put(new Found(in.lines(), null, e));
      } catch (RuntimeException | OutOfMemoryError e) { // of the caller's limit
        found.put(new Found(in.lines(), null, new IOException(String.valueOf(e), e)));
      }
    } catch (InterruptedException closed) {
      // no more lines are taken
    }
  }

  /**
   * Sends a request and waits for its answer.
   *
   * @throws SubjectException if the program does not answer with one line, or has sent a line that
   *     follows its last answer
   * @throws NotExecutedException if it was stopped at a limit of its starter
   * @throws InterruptedException if the thread is interrupted; the caller closes the program
   */
  public Line ask(JsonObject request) throws IOException, InterruptedException {
    Found early = found.peek();
    if (hasAnswered && early != null && early.json() != null) {
      throw killed(
          Reason.PROTOCOL,
          "line %d: expected no line before the request \"%s\""
              .formatted(early.number(), typeOf(request)));
    }
    send(request, false);
    Found answer = next(null);
    JsonObject json = answer == null ? null : answer.json();
    if (answer == null || json == null) {
      throw ended(answer, "an answer to \"%s\"".formatted(typeOf(request)));
    }
    hasAnswered = true;
    return new Line(answer.number(), json);
  }

  /**
   * Sends the last message and closes the input of the program, which then exits with 0.
   *
   * @throws SubjectException if it sends anything else, or does not exit with 0 within 10 s
   * @throws NotExecutedException if it was stopped at a limit of its starter
   * @throws InterruptedException if the thread is interrupted; the caller closes the program
   */
  public void end(JsonObject last) throws IOException, InterruptedException {
    send(last, true);
    Found after = next(grace);
    if (after == null && !child.hasExited()) {
      throw killed(
          Reason.HANGING,
          "it did not exit in %d s after \"%s\"".formatted(grace.toSeconds(), typeOf(last)));
    } else if (after != null && after.isLine()) {
      throw killed(
          Reason.PROTOCOL,
          "line %d: expected no line after the last answer".formatted(after.number()));
    } else if (after != null && after.failure() != null) {
      throw ended(after, "the end of its output");
    }
    IOException failure = exit();
    if (failure != null) {
      throw failure;
    }
    close();
  }

  private static String typeOf(JsonObject message) {
    return message.has("type") ? message.at("/type").asString() : "a request";
  }

  /** Writes on a thread of its own, which a program that does not read blocks. */
  private void send(JsonObject message, boolean isLast) {
    ChildProcess.daemon("replay-request", () -> {
          try {
            out.send(message);
          } catch (IOException e) {
            hasClosedInput = !isLast; // it need not read the last message
          }
          if (isLast) {
            out.close();
          }
        })
        .start();
  }

  /**
   * The next line or the end of the output; null if a process that the program started keeps its
   * output open, if it has closed its input and does not answer, or if the time is over.
   */
  private @Nullable Found next(@Nullable Duration limit) throws InterruptedException {
    int late = 0;
    for (long seconds = 0; limit == null || seconds < limit.toSeconds(); seconds++) {
      Found next = found.poll(1, TimeUnit.SECONDS);
      if (next != null) {
        return next;
      }
      if ((hasClosedInput || child.hasExited()) && ++late >= lastLines) {
        return null;
      }
    }
    return null;
  }

  /** The exception for an output that has ended before a line that is expected. */
  private IOException ended(@Nullable Found end, String expected) throws InterruptedException {
    IOException failure = end == null ? null : end.failure();
    if (failure instanceof SubjectException wrong) {
      NotExecutedException fault = child.hasExited() ? fault() : null;
      return fault == null ? killed(wrong.reason(), wrong.getMessage()) : fault;
    }
    IOException exit = exit();
    if (exit != null) {
      return exit;
    }
    String found = failure == null ? "the end of its output" : Failure.message(failure);
    return killed(
        Reason.CLOSED,
        end == null
            ? "expected %s, found none".formatted(expected)
            : "line %d: expected %s, found %s".formatted(end.number(), expected, found));
  }

  /** Waits for the exit of the program; null if it has exited with 0. */
  private @Nullable IOException exit() throws InterruptedException {
    Integer code = child.exitCode(grace);
    if (code == null) {
      return killed(
          Reason.HANGING,
          "it closed its %s, and did not exit in %d s"
              .formatted(hasClosedInput ? "input" : "output", grace.toSeconds()));
    }
    NotExecutedException fault = fault();
    if (fault != null || code == 0) {
      return fault;
    }
    return killed(Reason.EXIT_CODE, "its exit code is " + code);
  }

  /** The limit at which a program that has exited was stopped; null if it was not. */
  private @Nullable NotExecutedException fault() throws InterruptedException {
    try {
      child.requireNoFault();
      return null;
    } catch (NotExecutedException stopped) {
      close();
      return stopped;
    }
  }

  /**
   * Kills the program because of a line, and returns the exception to throw.
   *
   * @param message the expected and the found content
   */
  public SubjectException wrong(Line line, String message) throws InterruptedException {
    return killed(Reason.PROTOCOL, "line %d: %s".formatted(line.number(), message));
  }

  private SubjectException killed(Reason reason, @Nullable String message)
      throws InterruptedException {
    close();
    return new SubjectException(
        reason, "the program \"%s\": %s%s".formatted(name, message, child.errorTail()));
  }

  /** Kills the program, with the processes that it started, unless it has exited. */
  @Override
  public void close() {
    reader.interrupt();
    child.close();
  }
}

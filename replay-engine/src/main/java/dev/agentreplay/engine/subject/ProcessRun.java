package dev.agentreplay.engine.subject;

import dev.agentreplay.engine.replay.execution.NotExecutedException;
import dev.agentreplay.engine.replay.execution.NotExecutedException.Reason;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.json.JsonValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Runs a program once, with one line of input. */
final class ProcessRun {

  /** The maximum length of an output: that of a JSON text. */
  private static final int MAX_OUTPUT = 64 << 20;

  /** A program that has closed its output exits soon. */
  private static final Duration EXIT = Duration.ofSeconds(10);

  /**
   * The result of a run.
   *
   * @param exitCode the exit code
   * @param output the text that the program wrote to its standard output, without its last line end
   * @param errors the end of what it wrote to its standard error, after a colon; empty if nothing
   */
  record Result(int exitCode, String output, String errors) {}

  /** An output is longer than the limit. */
  private static final class TooLong extends IOException {

    private static final long serialVersionUID = 1L;

    TooLong(String message) {
      super(message);
    }
  }

  private ProcessRun() {}

  /**
   * Runs a program. It is killed, with the processes that it started, if this thread is
   * interrupted.
   *
   * @param input the value that the program gets as one line on its standard input
   * @throws NotExecutedException if it cannot be started, has closed its output and does not exit,
   *     writes more than 64 MiB, or reaches a limit of its starter
   * @throws IOException if its output cannot be read
   */
  static Result run(ProcessCommand command, JsonValue input)
      throws IOException, InterruptedException {
    return run(command, input, null);
  }

  /**
   * Runs a program that answers in a limited time.
   *
   * @param input the value that the program gets as one line on its standard input
   * @param limit the time after which it is killed, as at a limit; null for none
   */
  static Result run(ProcessCommand command, JsonValue input, @Nullable Duration limit)
      throws IOException, InterruptedException {
    byte[] line = (input + "\n").getBytes(StandardCharsets.UTF_8);
    try (ChildProcess child = ChildProcess.start(command)) {
      // threads that wait for a pipe cannot be interrupted
      ChildProcess.daemon("replay-stdin", () -> write(child.in(), line)).start();
      CompletableFuture<String> output = new CompletableFuture<>();
      ChildProcess.daemon("replay-stdout", () -> read(child.out(), output)).start();
      String text = withoutLastLineEnd(
          limit == null ? output.get() : output.get(limit.toMillis(), TimeUnit.MILLISECONDS));
      Integer exitCode = child.exitCode(EXIT);
      if (exitCode == null) {
        throw limit(
            command, "it closed its output, and did not exit in " + EXIT.toSeconds() + " s");
      }
      child.requireNoFault();
      return new Result(exitCode, text, child.errorTail());
    } catch (TimeoutException e) {
      throw limit(command, "it did not answer in " + seconds(limit));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TooLong tooLong) {
        throw limit(command, String.valueOf(tooLong.getMessage()));
      }
      throw new IOException(
          "the program \"%s\": %s"
              .formatted(command.name(), Failure.message(e.getCause() == null ? e : e.getCause())),
          e);
    }
  }

  private static String seconds(@Nullable Duration time) {
    return time == null ? "time" : time.toMillis() / 1000.0 + " s";
  }

  private static NotExecutedException limit(ProcessCommand command, String message) {
    return new NotExecutedException(
        Reason.LIMIT, "the program \"%s\": %s".formatted(command.name(), message), null);
  }

  /** A text as a shell substitutes it, but for a single end of a line. */
  private static String withoutLastLineEnd(String text) {
    if (!text.endsWith("\n")) {
      return text;
    }
    return text.substring(0, text.length() - (text.endsWith("\r\n") ? 2 : 1));
  }

  private static void write(OutputStream stream, byte[] line) {
    try (stream) {
      stream.write(line);
    } catch (IOException closed) {
      // a program need not read its input
    }
  }

  private static void read(InputStream stream, CompletableFuture<String> output) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      byte[] buffer = new byte[1 << 16];
      for (int n = stream.read(buffer); n >= 0; n = stream.read(buffer)) {
        if (bytes.size() + n > MAX_OUTPUT) {
          throw new TooLong("it wrote more than %,d bytes".formatted(MAX_OUTPUT));
        }
        bytes.write(buffer, 0, n);
      }
      output.complete(bytes.toString(StandardCharsets.UTF_8));
    } catch (OutOfMemoryError e) {
      output.completeExceptionally(
          new TooLong("its output needs more memory than this process has"));
    } catch (IOException | RuntimeException e) {
      output.completeExceptionally(e);
    }
  }
}

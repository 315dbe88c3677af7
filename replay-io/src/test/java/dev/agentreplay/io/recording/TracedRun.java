package dev.agentreplay.io.recording;

import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Runs what does the same each time; when it fails, once more, to tell its steps. */
final class TracedRun {

  private TracedRun() {}

  /** A program that tells each of its steps to the trace. */
  interface Program<T> {
    T run(Consumer<Supplier<String>> trace) throws IOException;
  }

  static <T> T of(String name, Program<T> program) throws IOException {
    try {
      return program.run(step -> {});
    } catch (AssertionError | RuntimeException | IOException first) {
      StringBuilder steps = new StringBuilder(name);
      Throwable failure = first;
      try {
        program.run(step -> steps.append('\n').append(step.get()));
        steps.append("\nfailed, but not again");
      } catch (AssertionError | RuntimeException | IOException again) {
        failure = again;
      }
      throw new AssertionError(steps + "\n" + failure.getMessage(), failure);
    }
  }
}

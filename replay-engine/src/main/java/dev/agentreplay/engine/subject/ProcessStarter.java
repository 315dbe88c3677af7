package dev.agentreplay.engine.subject;

import dev.agentreplay.engine.replay.execution.NotExecutedException;
import java.io.Closeable;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Starts the processes of programs, such as in a sandbox. Safe for use by several threads.
 *
 * @see ProcessCommand#withStarter
 */
@FunctionalInterface
public interface ProcessStarter {

  /** A running program. Closing it kills it, with the processes that it started. */
  interface RunningProcess extends Closeable {

    /** The process, whose streams are those of the program. */
    Process process();

    /**
     * The reason why the exit code is not a result of the program. Waits until it has exited.
     *
     * @return null if the program has ended by itself
     */
    @Nullable
    NotExecutedException fault() throws InterruptedException;

    @Override
    void close();
  }

  /**
   * Starts a program.
   *
   * @param words the program and its arguments
   * @param directory the working directory that the command has; null for none
   * @param environment the whole environment of the program
   * @throws NotExecutedException if it cannot be started
   */
  RunningProcess start(
      List<String> words, @Nullable Path directory, Map<String, String> environment)
      throws NotExecutedException;

  /**
   * Checks that a program exists and may be executed, as far as this is known before it starts. By
   * default only its start shows it.
   *
   * @throws NotExecutedException if it cannot be started
   */
  default void requireExecutable(
      List<String> words, @Nullable Path directory, Map<String, String> environment)
      throws NotExecutedException {}
}

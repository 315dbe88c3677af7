package dev.agentreplay.sandbox;

import java.io.Closeable;
import org.jspecify.annotations.Nullable;

/** A program in a sandbox. Closing it kills it, with all processes that it has started. */
public interface SandboxedProcess extends Closeable {

  /**
   * The process, whose streams are those of the program, and whose exit code is that of the program
   * unless there is a {@link #fault}.
   */
  Process process();

  /**
   * The reason why the exit code is not a result of the program: the sandbox was not set up, the
   * program was not started, or it was killed at a limit. Waits until the process has exited.
   *
   * @return null if the program has ended by itself
   */
  @Nullable
  SandboxException fault() throws InterruptedException;

  /** The limits that are in force, and what the program was shown. */
  default Enforcement enforcement() {
    return Enforcement.NONE;
  }

  @Override
  void close();
}

package dev.agentreplay.sandbox;

import java.util.List;

/**
 * Starts programs that are isolated from the machine. Safe for use by several threads; each program
 * is in a sandbox of its own.
 */
public interface Sandbox {

  /** The mechanism that isolates. */
  Mechanism mechanism();

  /**
   * Whether a program can see the workspace at a path other than its own on this machine. By
   * default it can.
   */
  default boolean mapsWorkspace() {
    return true;
  }

  /**
   * Starts a program.
   *
   * @param command the program and its arguments; a program without {@code /} in its name is found
   *     by the {@code PATH} of the options
   * @param options the files and the environment of the program, and its limits
   * @throws SandboxException if the sandbox cannot be set up, or the program not be started
   */
  SandboxedProcess start(List<String> command, SandboxOptions options) throws SandboxException;

  /**
   * Checks that programs can see the workspace at its path, as far as this is known before one
   * starts. By default only the start of a program shows it.
   *
   * @throws SandboxException if they cannot
   */
  default void requireWorkspace(SandboxOptions options) throws SandboxException {}

  /**
   * Checks that the program of a command exists and may be executed, as far as this is known before
   * it starts. By default only its start shows it.
   *
   * @throws SandboxException if it cannot be started
   */
  default void requireProgram(List<String> command, SandboxOptions options)
      throws SandboxException {}
}

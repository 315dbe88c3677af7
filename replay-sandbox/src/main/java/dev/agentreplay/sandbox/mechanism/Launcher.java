package dev.agentreplay.sandbox.mechanism;

import dev.agentreplay.sandbox.Mechanism;
import dev.agentreplay.sandbox.SandboxException;
import dev.agentreplay.sandbox.SandboxException.Reason;
import dev.agentreplay.sandbox.SandboxOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A mechanism that is a program in front of the isolated one. */
interface Launcher {

  Mechanism mechanism();

  /** Whether a program can see the workspace at a path other than its own. */
  default boolean mapsWorkspace() {
    return false;
  }

  /**
   * The process that starts a program.
   *
   * @throws SandboxException if the mechanism cannot do what the options say
   */
  Launch launch(List<String> command, SandboxOptions options) throws SandboxException;

  /**
   * The reason why an exit code is not one of the program; null if it is.
   *
   * @param status the text that the launcher left; empty if there is none
   */
  @Nullable
  Reason fault(int exitCode, String status);

  /** Fails unless the program sees the workspace at its own path. */
  static void requireSamePath(SandboxOptions options, String mechanism) throws SandboxException {
    if (!options.workspacePath().equals(options.workspace())) {
      throw new SandboxException(
          Reason.SETUP,
          "%s cannot show the workspace at %s: it is at %s on this machine, and %s shows files only"
                  .formatted(mechanism, options.workspacePath(), options.workspace(), mechanism)
              + " at their own path");
    }
  }
}

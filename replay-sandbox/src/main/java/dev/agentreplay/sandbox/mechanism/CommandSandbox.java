package dev.agentreplay.sandbox.mechanism;

import dev.agentreplay.sandbox.Mechanism;
import dev.agentreplay.sandbox.Sandbox;
import dev.agentreplay.sandbox.SandboxException;
import dev.agentreplay.sandbox.SandboxException.Reason;
import dev.agentreplay.sandbox.SandboxOptions;
import dev.agentreplay.sandbox.SandboxedProcess;
import java.io.IOException;
import java.util.List;

/** A sandbox that is set up by a program in front of the isolated one. */
final class CommandSandbox implements Sandbox {

  private final Launcher launcher;

  CommandSandbox(Launcher launcher) {
    this.launcher = launcher;
  }

  @Override
  public Mechanism mechanism() {
    return launcher.mechanism();
  }

  @Override
  public boolean mapsWorkspace() {
    return launcher.mapsWorkspace();
  }

  @Override
  public SandboxedProcess start(List<String> command, SandboxOptions options)
      throws SandboxException {
    if (command.isEmpty()) {
      throw new IllegalArgumentException("expected a program, found no word");
    }
    Launch launch = launcher.launch(command, options);
    ProcessBuilder builder =
        new ProcessBuilder(launch.words()).directory(launch.directory().toFile());
    builder.environment().clear();
    builder.environment().putAll(launch.environment());
    try {
      return new CommandProcess(launcher, launch, builder.start());
    } catch (IOException e) {
      deleteStatus(launch, e);
      Reason reason = mechanism() == Mechanism.NONE ? Reason.NOT_STARTED : Reason.SETUP;
      throw new SandboxException(reason, String.valueOf(e.getMessage()));
    }
  }

  private static void deleteStatus(Launch launch, IOException cause) {
    try {
      CommandProcess.deleteStatus(launch);
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }
}

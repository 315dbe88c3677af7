package dev.agentreplay.sandbox.mechanism;

import dev.agentreplay.sandbox.Enforcement;
import dev.agentreplay.sandbox.Mechanism;
import dev.agentreplay.sandbox.SandboxException;
import dev.agentreplay.sandbox.SandboxException.Reason;
import dev.agentreplay.sandbox.SandboxOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Starts programs with the permissions of this process. */
final class NoIsolation implements Launcher {

  @Override
  public Mechanism mechanism() {
    return Mechanism.NONE;
  }

  @Override
  public Launch launch(List<String> command, SandboxOptions options) throws SandboxException {
    Launcher.requireSamePath(options, "a start without isolation");
    return new Launch(
        command, options.environment(), options.directory(), null, Enforcement.NONE, List.of());
  }

  @Override
  public @Nullable Reason fault(int exitCode, String status) {
    return null;
  }
}

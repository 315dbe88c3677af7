package dev.agentreplay.sandbox.mechanism;

import dev.agentreplay.sandbox.Sandbox;
import dev.agentreplay.sandbox.SandboxException;
import dev.agentreplay.sandbox.SandboxException.Reason;
import dev.agentreplay.sandbox.probe.SandboxReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The mechanisms that were tried, the last of which is used if it can be. Immutable. */
public final class SandboxSelection {

  private final List<SandboxAttempt> attempts;

  SandboxSelection(List<SandboxAttempt> attempts) {
    this.attempts = List.copyOf(attempts);
  }

  /** The mechanisms that were tried, in order. */
  public List<SandboxAttempt> attempts() {
    return attempts;
  }

  /** The attempt that succeeded; null if none did. */
  public @Nullable SandboxAttempt used() {
    return attempts.stream()
        .filter(attempt -> attempt.sandbox() != null)
        .findFirst()
        .orElse(null);
  }

  /**
   * The sandbox.
   *
   * @throws SandboxException if no mechanism can be used; the message names each of them, the
   *     reason and the remedies
   */
  public Sandbox sandbox() throws SandboxException {
    return Objects.requireNonNull(required().sandbox());
  }

  /**
   * The results of the probes of the sandbox.
   *
   * @throws SandboxException if no mechanism can be used
   */
  public SandboxReport report() throws SandboxException {
    return Objects.requireNonNull(required().report());
  }

  private SandboxAttempt required() throws SandboxException {
    SandboxAttempt used = used();
    if (used != null) {
      return used;
    }
    List<String> reasons = new ArrayList<>();
    List<String> remedies = new ArrayList<>();
    for (SandboxAttempt attempt : attempts) {
      reasons.add(attempt.mechanism().id() + ": " + attempt.failure());
      remedies.addAll(attempt.remedies());
    }
    throw new SandboxException(
        Reason.SETUP,
        "no sandbox can be used: "
            + String.join("; ", reasons)
            + (remedies.isEmpty() ? "" : ". Remedy: " + String.join("; or: ", remedies)));
  }
}

package dev.agentreplay.sandbox.mechanism;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.sandbox.Mechanism;
import dev.agentreplay.sandbox.Sandbox;
import dev.agentreplay.sandbox.probe.SandboxReport;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One mechanism that was tried. Immutable. */
public final class SandboxAttempt {

  private final Mechanism mechanism;
  private final @Nullable Sandbox sandbox;
  private final @Nullable SandboxReport report;
  private final @Nullable String failure;
  private final List<String> remedies;

  private SandboxAttempt(
      Mechanism mechanism,
      @Nullable Sandbox sandbox,
      @Nullable SandboxReport report,
      @Nullable String failure,
      List<String> remedies) {
    this.mechanism = mechanism;
    this.sandbox = sandbox;
    this.report = report;
    this.failure = failure;
    this.remedies = List.copyOf(remedies);
  }

  static SandboxAttempt usable(Sandbox sandbox, SandboxReport report) {
    return new SandboxAttempt(sandbox.mechanism(), sandbox, report, null, List.of());
  }

  static SandboxAttempt failed(
      Mechanism mechanism, @Nullable SandboxReport report, String failure, List<String> remedies) {
    return new SandboxAttempt(mechanism, null, report, failure, remedies);
  }

  /** The mechanism. */
  public Mechanism mechanism() {
    return mechanism;
  }

  /** The sandbox, which can be used; null if it cannot. */
  public @Nullable Sandbox sandbox() {
    return sandbox;
  }

  /** The results of its probes; null if no program could be started. */
  public @Nullable SandboxReport report() {
    return report;
  }

  /** The reason why it cannot be used; null if it can. */
  public @Nullable String failure() {
    return failure;
  }

  /** The commands that may remove the reason. */
  public List<String> remedies() {
    return remedies;
  }

  /** The attempt as JSON. */
  public JsonObject json() {
    JsonObject json = JsonObject.of("mechanism", mechanism.id(), "usable", sandbox != null);
    if (failure != null) {
      json = json.with("failure", failure);
    }
    if (!remedies.isEmpty()) {
      json = json.with("remedies", JsonArray.of(remedies.toArray()));
    }
    return report == null ? json : json.with("report", report.json());
  }

  /** Returns the mechanism, and the reason why it cannot be used. */
  @Override
  public String toString() {
    return failure == null ? mechanism.id() : mechanism.id() + ": " + failure;
  }
}

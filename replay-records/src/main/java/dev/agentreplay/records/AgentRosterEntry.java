package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonObject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An agent of a session, and what it runs on.
 *
 * @param agentName its name, not empty
 * @param role the part it plays
 * @param program the program, such as {@code claude-code}, not empty
 * @param model the model, such as {@code opus-4.5}, not empty
 * @param modelVersion the version of the model
 * @param temperature the sampling temperature, from 0 to 2
 * @param extra members that no component holds
 */
public record AgentRosterEntry(
    String agentName,
    Role role,
    String program,
    String model,
    @Nullable String modelVersion,
    @Nullable Double temperature,
    JsonObject extra)
    implements RecordObject {

  /** Checks for null. */
  public AgentRosterEntry {
    Objects.requireNonNull(agentName, "agentName");
    Objects.requireNonNull(role, "role");
    Objects.requireNonNull(program, "program");
    Objects.requireNonNull(model, "model");
    Objects.requireNonNull(extra, "extra");
  }

  /** An agent of which neither version nor temperature is known. */
  public static AgentRosterEntry of(String agentName, Role role, String program, String model) {
    return new AgentRosterEntry(agentName, role, program, model, null, null, JsonObject.EMPTY);
  }

  /** With another version of the model. */
  public AgentRosterEntry withModelVersion(@Nullable String newModelVersion) {
    return new AgentRosterEntry(
        agentName, role, program, model, newModelVersion, temperature, extra);
  }

  /** With another temperature. */
  public AgentRosterEntry withTemperature(@Nullable Double newTemperature) {
    return new AgentRosterEntry(
        agentName, role, program, model, modelVersion, newTemperature, extra);
  }

  /** The part that an agent plays in a session. */
  public enum Role implements RecordConstant {
    /** Proposes hypotheses. */
    HYPOTHESIS_GENERATOR,
    /** Designs the tests that could refute them. */
    TEST_DESIGNER,
    /** Attacks hypotheses and tests. */
    ADVERSARIAL_CRITIC
  }
}

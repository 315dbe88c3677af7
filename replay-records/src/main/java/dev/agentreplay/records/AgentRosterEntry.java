package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonObject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An agent of a session with its role, program and model.
 *
 * @param agentName the name of the agent, not empty
 * @param role the role of the agent in the session
 * @param program the program that the agent runs in, such as {@code claude-code}, not empty
 * @param model the model that it uses, such as {@code opus-4.5}, not empty
 * @param modelVersion the version of the model
 * @param temperature the sampling temperature, from 0 to 2
 * @param extra members without a component
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

  /** Creates an entry without model version and temperature. */
  public static AgentRosterEntry of(String agentName, Role role, String program, String model) {
    return new AgentRosterEntry(agentName, role, program, model, null, null, JsonObject.EMPTY);
  }

  /** Returns a copy with the given version of the model. */
  public AgentRosterEntry withModelVersion(@Nullable String newModelVersion) {
    return new AgentRosterEntry(
        agentName, role, program, model, newModelVersion, temperature, extra);
  }

  /** Returns a copy with the given temperature, from 0 to 2. */
  public AgentRosterEntry withTemperature(@Nullable Double newTemperature) {
    return new AgentRosterEntry(
        agentName, role, program, model, modelVersion, newTemperature, extra);
  }

  /** The role of an agent in a session. */
  public enum Role implements RecordConstant {
    /** Proposes hypotheses. */
    HYPOTHESIS_GENERATOR,
    /** Designs tests that could refute hypotheses. */
    TEST_DESIGNER,
    /** Criticizes hypotheses and tests. */
    ADVERSARIAL_CRITIC
  }
}

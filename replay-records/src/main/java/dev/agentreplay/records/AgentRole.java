package dev.agentreplay.records;

/** The part that an agent plays in a session. */
public enum AgentRole implements RecordConstant {
  /** Proposes hypotheses. */
  HYPOTHESIS_GENERATOR,
  /** Designs the tests that could refute them. */
  TEST_DESIGNER,
  /** Attacks hypotheses and tests. */
  ADVERSARIAL_CRITIC
}

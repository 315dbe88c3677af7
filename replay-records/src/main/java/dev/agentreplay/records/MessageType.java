package dev.agentreplay.records;

/** What a message in a session is for. */
public enum MessageType implements RecordConstant {
  /** Opens the session. */
  KICKOFF,
  /** Proposes a change of the artifact. */
  DELTA,
  /** Attacks what another one proposed. */
  CRITIQUE,
  /** Says that a message was received. */
  ACK,
  /** Adds evidence. */
  EVIDENCE,
  /** Reports the result of a test. */
  RESULT,
  /** Is about the session itself. */
  ADMIN,
  /** Asks for the artifact to be compiled, or says that it was. */
  COMPILE,
  /** Publishes the artifact. */
  PUBLISH;

  @Override
  public String id() {
    return name();
  }
}

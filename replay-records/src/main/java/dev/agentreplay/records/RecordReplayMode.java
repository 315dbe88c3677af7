package dev.agentreplay.records;

/** How a session is replayed. */
public enum RecordReplayMode implements RecordConstant {
  /** The same agents and models run again, to see whether the outputs match. */
  VERIFICATION,
  /** Other agents run, to compare their reasoning. */
  COMPARISON,
  /** The recorded messages are stepped through; nothing runs. */
  TRACE
}

package dev.agentreplay.engine.replay;

/** The names of the files that a replay writes in addition to those of a session. */
final class ReplayFiles {

  /** The ledger: one JSON object a line for each request, written when it is answered. */
  static final String LEDGER = "LEDGER.jsonl";

  private ReplayFiles() {}
}

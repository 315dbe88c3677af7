package dev.agentreplay.records.replay;

import dev.agentreplay.records.SessionInputs;

final class LiveSession {
  private LiveSession() {}

  static ReplayedSession run(SessionReplay replay, SessionInputs inputs) {
    throw new UnsupportedOperationException();
  }
}

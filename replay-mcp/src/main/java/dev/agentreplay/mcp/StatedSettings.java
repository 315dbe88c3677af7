package dev.agentreplay.mcp;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.model.Settings;

/** The settings that client and server state in a replay. Safe for use by several threads. */
final class StatedSettings {

  private final AgentScope scope;
  private final ServerSettings settings = new ServerSettings();

  StatedSettings(AgentScope scope) {
    this.scope = scope;
  }

  /** Takes what a client states of itself. */
  synchronized void request(Message request) {
    settings.request(request);
  }

  /** Records the settings that a response states. */
  void response(String method, boolean isFurtherPage, Message response) {
    Settings stated;
    synchronized (this) {
      stated = settings.response(method, isFurtherPage, response);
    }
    if (!stated.values().isEmpty()) {
      scope.settings(stated);
    }
  }
}

package dev.agentreplay.mcp;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.json.JsonObject;

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
    if (response.json() == null || !(response.json().get("result") instanceof JsonObject result)) {
      return;
    }
    Settings stated;
    synchronized (this) {
      stated = settings.response(method, result, isFurtherPage);
    }
    if (!stated.values().isEmpty()) {
      scope.settings(stated);
    }
  }
}

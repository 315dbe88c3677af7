package dev.agentreplay.springai.boot;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.ToolDescription;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The lists of tools that the application got from servers, by the name of the bean that provides
 * them. They are settings of each session, so that a replay has the tools without the server. Safe
 * for use by several threads.
 */
final class ToolListings {

  private static final String PREFIX = "mcp_tools.";

  private record Recorded(Session session, Map<String, List<ToolDescription>> listings) {}

  private record Stated(AgentScope scope, Map<String, JsonArray> listings) {}

  private final Map<String, JsonArray> latest = new TreeMap<>();
  private @Nullable Recorded recorded;
  private @Nullable Stated stated;

  /** Keeps the list of a provider, for sessions that start later. */
  synchronized void keep(String provider, List<ToolDescription> tools) {
    latest.put(provider, json(tools));
  }

  /** Writes the lists to a session that starts. */
  void writeTo(SessionRecorder session) throws IOException {
    Map<String, Settings.Setting> settings = new TreeMap<>();
    synchronized (this) {
      latest.forEach((provider, tools) ->
          settings.put(PREFIX + provider, new Settings.Setting(tools, Settings.RUNTIME)));
    }
    if (!settings.isEmpty()) {
      session.settings(Settings.of(settings));
    }
  }

  /** States the list of a provider in the session of a scope, unless it is stated already. */
  void state(AgentScope scope, String provider, List<ToolDescription> tools) {
    JsonArray list = json(tools);
    synchronized (this) {
      Stated now = stated;
      if (now == null || now.scope() != scope) {
        now = new Stated(scope, new HashMap<>());
        stated = now;
      }
      if (list.equals(now.listings().put(provider, list))) {
        return;
      }
    }
    scope.settings(
        Settings.of(Map.of(PREFIX + provider, new Settings.Setting(list, Settings.RUNTIME))));
  }

  /** The recorded list of a provider; null if the session has none. */
  synchronized @Nullable List<ToolDescription> of(Session session, String provider) {
    Recorded known = recorded;
    if (known == null || !known.session().equals(session)) {
      known = new Recorded(session, read(session));
      recorded = known;
    }
    return known.listings().get(provider);
  }

  private static Map<String, List<ToolDescription>> read(Session session) {
    Map<String, List<ToolDescription>> listings = new HashMap<>();
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line : reader) {
        if (line.event() instanceof Settings settings) {
          settings.values().forEach((name, value) -> {
            Settings.Setting setting = settings.get(name);
            if (name.startsWith(PREFIX) && setting != null) {
              listings.put(name.substring(PREFIX.length()), tools(setting.value()));
            }
          });
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return listings;
  }

  private static List<ToolDescription> tools(JsonValue value) {
    return Settings.of(Map.of(Settings.TOOLS, new Settings.Setting(value, null)))
        .tools();
  }

  private static JsonArray json(List<ToolDescription> tools) {
    return JsonArray.of(tools.stream().map(ToolDescription::json).toArray());
  }
}

package dev.agentreplay.convert.trace.mcp;

import dev.agentreplay.model.Settings;
import dev.agentreplay.model.Settings.Setting;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The settings that client and server state of themselves: versions and tools. */
final class ServerSettings {

  /** The names of the hints of a tool, and those of {@code ToolDescription}. */
  private static final Map<String, String> HINTS = Map.of(
      "readOnlyHint", "read_only",
      "destructiveHint", "destructive",
      "idempotentHint", "idempotent",
      "openWorldHint", "open_world");

  private static final String META = "io.modelcontextprotocol/";

  private final Map<String, JsonValue> versions = new LinkedHashMap<>();
  private final List<JsonValue> tools = new ArrayList<>();

  /** Takes what a client states of itself when it begins. */
  void client(McpMessage request) {
    version(request, "params", "clientInfo");
    version(request, "params", "_meta", META + "clientInfo");
  }

  /** Returns the settings that the response of a server states. */
  Settings server(McpMessage response) {
    Map<String, Setting> settings = new LinkedHashMap<>();
    JsonValue info = version(response, "result", "serverInfo");
    info = info == null ? version(response, "result", "_meta", META + "serverInfo") : info;
    if (response.text("result", "protocolVersion") != null) {
      response.derive("Settings/versions", "result", "protocolVersion");
      versions.put("mcp", response.get("result", "protocolVersion"));
    }
    if (info != null) {
      settings.put("mcp_server", new Setting(info, null));
    }
    JsonValue instructions = response.get("result", "instructions");
    if (instructions != null) {
      response.derive("Settings/mcp_instructions", "result", "instructions");
      settings.put("mcp_instructions", new Setting(instructions, null));
    }
    if (!versions.isEmpty()) {
      JsonObject.Builder all = JsonObject.builder();
      versions.forEach(all::put);
      settings.put(Settings.VERSIONS, new Setting(all.build(), null));
    }
    return Settings.of(settings);
  }

  private @Nullable JsonValue version(McpMessage message, String... path) {
    JsonValue info = message.get(path);
    if (info instanceof JsonObject object
        && object.get("name") instanceof JsonString name
        && object.get("version") instanceof JsonString version) {
      message.derive("Settings/versions", path);
      versions.put(name.value(), version);
    }
    return info;
  }

  /**
   * Returns the settings with the tools of a list.
   *
   * @param isFurther whether the list is a further page of the one before
   */
  Settings tools(McpMessage response, boolean isFurther) {
    if (!isFurther) {
      tools.clear();
    }
    if (response.get("result", "tools") instanceof JsonArray listed) {
      response.derive("Settings/tools", "result", "tools");
      listed.forEach(tool -> tools.add(description(tool)));
    }
    return Settings.of(Map.of(Settings.TOOLS, new Setting(JsonArray.copyOf(tools), null)));
  }

  /** A tool as {@link dev.agentreplay.model.ToolDescription} has it. */
  private static JsonValue description(JsonValue tool) {
    if (!(tool instanceof JsonObject object)) {
      return tool;
    }
    JsonObject described = object;
    JsonValue schema = object.get("inputSchema");
    if (schema != null) {
      described = described.without("inputSchema").with("schema", schema);
    }
    if (object.get("annotations") instanceof JsonObject hints) {
      JsonObject.Builder named = JsonObject.builder();
      hints.forEach((name, value) -> named.put(HINTS.getOrDefault(name, name), value));
      described = described.with("annotations", named.build());
    }
    return described;
  }
}

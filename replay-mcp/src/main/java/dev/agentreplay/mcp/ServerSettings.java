package dev.agentreplay.mcp;

import dev.agentreplay.model.Names;
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

/**
 * The settings that client and server state of themselves: versions, capabilities and tools. In the
 * form of an imported log, with the capabilities. Not safe for use by several threads.
 */
final class ServerSettings {

  /** The names of the hints of a tool, and those of {@code ToolDescription}. */
  private static final Map<String, String> HINTS = Map.of(
      "readOnlyHint",
      Names.READ_ONLY,
      "destructiveHint",
      "destructive",
      "idempotentHint",
      "idempotent",
      "openWorldHint",
      Names.OPEN_WORLD);

  private static final String META = "io.modelcontextprotocol/";

  private final Map<String, JsonValue> versions = new LinkedHashMap<>();
  private final List<JsonValue> tools = new ArrayList<>();
  private final Map<String, Setting> last = new LinkedHashMap<>();

  /** Takes what a client states of itself when it begins. */
  void request(Message request) {
    JsonObject params = request.params();
    version(params.get("clientInfo"));
    version(at(params, "_meta", META + "clientInfo"));
  }

  /**
   * Returns the settings that a response states, as far as they differ from those before; an error
   * states none.
   *
   * @param isFurther whether it has a further page of the list before
   */
  Settings response(String method, boolean isFurther, Message response) {
    JsonObject json = response.json();
    if (json == null || !(json.get("result") instanceof JsonObject result)) {
      return Settings.of(Map.of());
    }
    Map<String, Setting> stated =
        switch (method) {
          case Methods.INITIALIZE, Methods.DISCOVER -> server(result);
          case Methods.LIST_TOOLS -> tools(result, isFurther);
          default -> Map.of();
        };
    Map<String, Setting> changed = new LinkedHashMap<>(stated);
    changed.entrySet().removeIf(each -> each.getValue().equals(last.get(each.getKey())));
    last.putAll(changed);
    return Settings.of(changed);
  }

  private Map<String, Setting> server(JsonObject result) {
    Map<String, Setting> settings = new LinkedHashMap<>();
    JsonValue info = version(result.get("serverInfo"));
    info = info == null ? version(at(result, "_meta", META + "serverInfo")) : info;
    if (result.get("protocolVersion") instanceof JsonString version) {
      versions.put("mcp", version);
    }
    put(settings, "mcp_server", info);
    put(settings, "mcp_instructions", result.get("instructions"));
    put(settings, "mcp_capabilities", result.get("capabilities"));
    if (!versions.isEmpty()) {
      JsonObject.Builder all = JsonObject.builder();
      versions.forEach(all::put);
      put(settings, Settings.VERSIONS, all.build());
    }
    return settings;
  }

  private static void put(Map<String, Setting> settings, String name, @Nullable JsonValue value) {
    if (value != null) {
      settings.put(name, new Setting(value, null));
    }
  }

  private static @Nullable JsonValue at(JsonObject object, String first, String second) {
    return object.get(first) instanceof JsonObject inner ? inner.get(second) : null;
  }

  private @Nullable JsonValue version(@Nullable JsonValue info) {
    if (info instanceof JsonObject object
        && object.get("name") instanceof JsonString name
        && object.get("version") instanceof JsonString version) {
      versions.put(name.value(), version);
    }
    return info;
  }

  private Map<String, Setting> tools(JsonObject result, boolean isFurther) {
    if (!isFurther) {
      tools.clear();
    }
    if (result.get("tools") instanceof JsonArray listed) {
      listed.forEach(tool -> tools.add(description(tool)));
    }
    return Map.of(Settings.TOOLS, new Setting(JsonArray.copyOf(tools), null));
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

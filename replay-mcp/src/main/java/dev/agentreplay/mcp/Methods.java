package dev.agentreplay.mcp;

import dev.agentreplay.model.json.JsonString;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The methods of the protocol, and the events that they are recorded as. */
final class Methods {

  /** The events of a request. */
  enum Kind {
    /** A call of a tool, and its result. */
    TOOL,
    /** A call of a model, and its result. */
    MODEL,
    /** Two kept messages, which comparisons ignore. */
    KEPT
  }

  static final String CALL_TOOL = "tools/call";
  static final String LIST_TOOLS = "tools/list";
  static final String SAMPLE = "sampling/createMessage";
  static final String ELICIT = "elicitation/create";
  static final String LIST_ROOTS = "roots/list";
  static final String INITIALIZE = "initialize";
  static final String DISCOVER = "server/discover";
  static final String PING = "ping";
  static final String SET_LEVEL = "logging/setLevel";
  static final String CANCELLED = "notifications/cancelled";
  static final String PROGRESS = "notifications/progress";

  /** The beginning of the names of tools that stand for methods; a server's tools have no colon. */
  static final String PREFIX = "mcp:";

  /** The requests that make and keep a connection, and list what a server offers. */
  private static final Set<String> OF_CONNECTION = Set.of(
      INITIALIZE,
      DISCOVER,
      PING,
      LIST_TOOLS,
      SET_LEVEL,
      "prompts/list",
      "resources/list",
      "resources/templates/list");

  private Methods() {}

  /** The kind of events of a request. */
  static Kind kind(Message request) {
    String method = String.valueOf(request.method());
    if (request.sender() == Side.SERVER && method.equals(SAMPLE)) {
      return Kind.MODEL;
    }
    boolean isToolWithoutName =
        method.equals(CALL_TOOL) && request.sender() == Side.CLIENT && toolName(request) == null;
    return OF_CONNECTION.contains(method) || isToolWithoutName ? Kind.KEPT : Kind.TOOL;
  }

  /** The name of the tool that a request calls: that of the server, or that of the method. */
  static String tool(Message request) {
    String named = isToolCall(request) ? toolName(request) : null;
    return named == null ? PREFIX + request.method() : named;
  }

  static boolean isToolCall(Message request) {
    return request.sender() == Side.CLIENT && CALL_TOOL.equals(request.method());
  }

  private static @Nullable String toolName(Message request) {
    return request.params().get("name") instanceof JsonString name ? name.value() : null;
  }
}

package dev.agentreplay.convert.trace.mcp;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The methods of the protocol, of all its revisions. */
final class Methods {

  static final String CALL_TOOL = "tools/call";
  static final String LIST_TOOLS = "tools/list";
  static final String SAMPLE = "sampling/createMessage";
  static final String INITIALIZE = "initialize";
  static final String DISCOVER = "server/discover";
  static final String CANCELLED = "notifications/cancelled";

  private static final Set<String> OF_CLIENT = Set.of(
      INITIALIZE,
      DISCOVER,
      CALL_TOOL,
      LIST_TOOLS,
      "resources/list",
      "resources/read",
      "resources/templates/list",
      "resources/subscribe",
      "resources/unsubscribe",
      "prompts/list",
      "prompts/get",
      "completion/complete",
      "logging/setLevel",
      "subscriptions/listen",
      "notifications/initialized",
      "notifications/roots/list_changed");

  private static final Set<String> OF_SERVER = Set.of(
      SAMPLE,
      "elicitation/create",
      "roots/list",
      "notifications/message",
      "notifications/resources/updated",
      "notifications/resources/list_changed",
      "notifications/tools/list_changed",
      "notifications/prompts/list_changed",
      "notifications/elicitation/complete",
      "notifications/subscriptions/acknowledged");

  private static final Set<String> OF_BOTH = Set.of(
      "ping",
      CANCELLED,
      "notifications/progress",
      "notifications/tasks/status",
      "tasks/get",
      "tasks/list",
      "tasks/result",
      "tasks/cancel");

  private Methods() {}

  /** The side that calls a method; null if both do, or it is not known. */
  static @Nullable Side sender(String method) {
    return OF_CLIENT.contains(method)
        ? Side.CLIENT
        : OF_SERVER.contains(method) ? Side.SERVER : null;
  }

  static boolean isKnown(String method) {
    return sender(method) != null || OF_BOTH.contains(method);
  }
}

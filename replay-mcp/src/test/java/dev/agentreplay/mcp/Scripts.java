package dev.agentreplay.mcp;

import java.util.List;

/** Servers that are shell scripts, which start faster than a JVM. */
final class Scripts {

  static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
  static final String PONG = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n";

  private Scripts() {}

  static List<String> script(String shell) {
    return List.of("sh", "-c", shell);
  }

  /** The command of a script that reads a line, and sends one. */
  static String answer(String line) {
    return "read -r line; " + send(line);
  }

  /** The command of a script that sends a line. */
  static String send(String line) {
    return "printf '%s\\n' '" + line.strip() + "'; ";
  }

  /** The line of a call of the tool "count". */
  static String count(int id) {
    return "{\"jsonrpc\":\"2.0\",\"id\":" + id
        + ",\"method\":\"tools/call\",\"params\":{\"name\":\"count\",\"arguments\":{\"of\":" + id
        + "}}}";
  }

  /** A server that answers each call of "count", until its input ends. */
  static List<String> counting() {
    return List.of("sed", "-u", "-e", "s/,\"method\".*/,\"result\":{\"content\":[]}}/");
  }
}

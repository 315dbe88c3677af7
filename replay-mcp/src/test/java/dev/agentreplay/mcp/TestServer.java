package dev.agentreplay.mcp;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * A server over stdio, as a program of its own. Its messages are in the form of different SDKs:
 * with spaces, in various orders, and not always valid.
 */
public final class TestServer {

  private final BufferedReader in;
  private final PrintStream out;

  private TestServer(InputStream in, OutputStream out) {
    this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    this.out = new PrintStream(out, false, StandardCharsets.UTF_8);
  }

  /** The command that starts the server. */
  static List<String> command() {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Xshare:auto",
        "-cp",
        System.getProperty("java.class.path"),
        TestServer.class.getName());
  }

  public static void main(String[] args) throws Exception {
    serve(System.in, System.out);
  }

  /** Serves a client in this process until its input ends. */
  static void serve(InputStream in, OutputStream out) throws IOException {
    new TestServer(in, out).serve();
  }

  private void serve() throws IOException {
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      answer(line);
    }
  }

  private void answer(String line) throws IOException {
    JsonValue value;
    try {
      value = JsonText.parse(line);
    } catch (RuntimeException e) {
      send(
          "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"Parse error\"}}");
      return;
    }
    if (!(value instanceof JsonObject message)) {
      return;
    }
    String method = message.get("method") instanceof JsonString text ? text.value() : "";
    JsonValue id = message.get("id");
    if (id == null || method.isEmpty()) {
      if (method.equals("notifications/initialized")) {
        send("{\"jsonrpc\":\"2.0\",\"id\":\"r1\",\"method\":\"roots/list\"}");
        in.readLine();
        send(
            "{\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":\"roots\"},\"jsonrpc\":\"2.0\"}");
      }
      return;
    }
    switch (method) {
      case "initialize" ->
        result(
            id,
            "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
                + "\"serverInfo\":{\"name\":\"test\",\"version\":\"1\"},\"instructions\":\"call\"}");
      case "tools/list" ->
        result(
            id,
            "{\"tools\":[{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"},"
                + "\"annotations\":{\"readOnlyHint\":true}}]}");
      case "ping" -> result(id, "{}");
      case "resources/read" ->
        result(id, "{\"contents\":[{\"uri\":\"a://b\",\"text\":\"content\"}]}");
      case "prompts/get" -> result(id, "{ \"messages\" : [ ] }");
      case "tools/call" -> call(id, message);
      default ->
        send("{\"jsonrpc\":\"2.0\",\"id\":" + id
            + ",\"error\":{\"code\":-32601,\"message\":\"Method not found\",\"name\":\"x\"}}");
    }
  }

  private void call(JsonValue id, JsonObject message) throws IOException {
    String tool = message.at("/params/name").asString();
    switch (tool) {
      case "echo" ->
        send("{\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
            + message.at("/params/arguments/message") + "}]},\"jsonrpc\":\"2.0\",\"id\":" + id
            + "}");
      case "structured" ->
        result(
            id,
            "{\"structuredContent\":{\"b\":1.50,\"a\":1e2,\"big\":12345678901234567890},"
                + "\"content\":[],\"isError\":false}");
      case "spaced" ->
        send("{\"jsonrpc\": \"2.0\", \"id\": " + id
            + ", \"result\": {\"content\": [], \"x\": \"\\u00e9\\/\"}}  ");
      case "surrogate" ->
        result(id, "{\"content\":[{\"type\":\"text\",\"text\":\"cut \\ud83d\"}]}");
      case "failing" ->
        result(id, "{\"content\":[{\"type\":\"text\",\"text\":\"no\"}],\"isError\":true}");
      case "error" ->
        send("{\"jsonrpc\":\"2.0\",\"id\":" + id
            + ",\"error\":{\"data\":{\"z\":1,\"a\":[]},\"code\":-32002,\"message\":\"gone\"}}");
      case "progress" -> {
        JsonValue token = message.at("/params/_meta/progressToken");
        for (int i = 1; i <= 3; i++) {
          send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":"
              + "{\"progressToken\":" + token + ",\"progress\":" + i + ",\"total\":3}}");
        }
        result(id, "{\"content\":[]}");
      }
      case "sample" -> {
        send("{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"sampling/createMessage\",\"params\":"
            + "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"hi\"}}],"
            + "\"maxTokens\":10,\"modelPreferences\":{\"hints\":[]}}}");
        String answer = JsonText.parse(in.readLine()).toString();
        result(
            id,
            "{\"content\":[{\"type\":\"text\",\"text\":"
                + JsonString.of(String.valueOf(answer.length())) + "}]}");
      }
      case "elicit" -> {
        send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"elicitation/create\",\"params\":"
            + "{\"message\":\"sure?\",\"requestedSchema\":{\"type\":\"object\"}}}");
        in.readLine();
        result(id, "{\"content\":[]}");
      }
      case "garbage" -> {
        send("this is not JSON");
        send("{\"jsonrpc\":\"2.0\",\"method\":\"unknown/notification\"}");
        result(id, "{\"content\":[]}");
      }
      case "big" -> {
        int size = (int) message.at("/params/arguments/bytes").asLong();
        result(id, "{\"content\":[{\"type\":\"text\",\"text\":\"" + "x".repeat(size) + "\"}]}");
      }
      case "never" -> {}
      default -> result(id, "{\"content\":[],\"isError\":true}");
    }
  }

  private void result(JsonValue id, String result) {
    send("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}");
  }

  private void send(String line) {
    out.print(line + "\n");
    out.flush();
  }
}

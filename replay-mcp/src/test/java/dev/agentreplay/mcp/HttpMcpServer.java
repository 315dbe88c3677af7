package dev.agentreplay.mcp;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpClientTransport;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A server over streamable HTTP with the tools of {@link TestTools}: it answers calls with a stream
 * of events, which has its own requests, and other requests with JSON.
 */
final class HttpMcpServer implements AutoCloseable {

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final BlockingQueue<JsonObject> responses = new LinkedBlockingQueue<>();

  HttpMcpServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/mcp", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  McpClientTransport transport() {
    return HttpClientStreamableHttpTransport.builder(
            "http://127.0.0.1:" + server.getAddress().getPort())
        .endpoint("/mcp")
        .build();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (!exchange.getRequestMethod().equals("POST")) {
        exchange.sendResponseHeaders(405, -1);
        return;
      }
      JsonObject message = JsonText.parse(
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8))
          .asObject();
      JsonValue id = message.get("id");
      if (!message.has("method")) {
        responses.add(message);
      }
      if (id == null || !message.has("method")) {
        exchange.sendResponseHeaders(202, -1);
        return;
      }
      String method = message.get("method").asString();
      if (method.equals("tools/call")) {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        call(message, id, exchange.getResponseBody());
      } else {
        byte[] body = result(id, message, method).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String result(JsonValue id, JsonObject request, String method) {
    String result =
        switch (method) {
          case "initialize" ->
            "{\"protocolVersion\":" + request.at("/params/protocolVersion")
                + ",\"capabilities\":{\"tools\":{}},"
                + "\"serverInfo\":{\"name\":\"test\",\"version\":\"1.0\"}}";
          case "tools/list" ->
            TestTools.NAMES.stream()
                .map(name -> "{\"name\":\"" + name + "\",\"inputSchema\":{\"type\":\"object\"}}")
                .collect(Collectors.joining(",", "{\"tools\":[", "]}"));
          default -> "{}";
        };
    return response(id, "result", result);
  }

  private static String response(JsonValue id, String member, String value) {
    return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"" + member + "\":" + value + "}";
  }

  private static String text(String text, boolean isError) {
    return "{\"content\":[{\"type\":\"text\",\"text\":" + JsonString.of(text) + "}],\"isError\":"
        + isError + "}";
  }

  private void call(JsonObject request, JsonValue id, OutputStream events)
      throws IOException, InterruptedException {
    String tool = request.at("/params/name").asString();
    switch (tool) {
      case "echo" -> {
        String message = request.at("/params/arguments/message").asString();
        send(events, response(id, "result", text(message, false)));
      }
      case "failing" -> send(events, response(id, "result", text("no such file", true)));
      case "error" ->
        send(
            events,
            response(
                id,
                "error",
                "{\"code\":-32002,\"message\":\"gone\",\"data\":{\"uri\":\"a://b\"}}"));
      case "progress" -> {
        JsonValue token = request.at("/params/_meta/progressToken");
        for (int i = 1; i <= 3; i++) {
          send(
              events,
              "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":"
                  + "{\"progressToken\":" + token + ",\"progress\":" + i + ",\"total\":3}}");
        }
        send(events, response(id, "result", text("done", false)));
      }
      default -> {
        Map<String, String> asked = Map.of(
            "sample",
            "\"sampling/createMessage\",\"params\":{\"messages\":[{\"role\":\"user\",\"content\":"
                + "{\"type\":\"text\",\"text\":\"hi\"}}],\"maxTokens\":5}}",
            "elicit",
            "\"elicitation/create\",\"params\":{\"message\":\"Which one?\",\"requestedSchema\":"
                + "{\"type\":\"object\",\"properties\":{}}}}");
        send(events, "{\"jsonrpc\":\"2.0\",\"id\":\"s\",\"method\":" + asked.get(tool));
        JsonObject answer = responses.poll(60, TimeUnit.SECONDS);
        send(events, response(id, "result", text(String.valueOf(answer.get("result")), false)));
      }
    }
  }

  private static void send(OutputStream events, String message) throws IOException {
    events.write(("event: message\ndata: " + message + "\n\n").getBytes(StandardCharsets.UTF_8));
    events.flush();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}

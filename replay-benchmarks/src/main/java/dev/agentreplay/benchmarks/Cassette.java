package dev.agentreplay.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Recorded answers by their request, as libraries that stub HTTP keep them: a file of JSON, read
 * into memory, of which each request is looked up as a tree. Nothing is recorded or compared.
 */
final class Cassette {

  static final ObjectMapper JSON = new ObjectMapper();

  private final Map<JsonNode, Deque<JsonNode>> answers = new HashMap<>();

  /** Reads a file whose lines are objects with a request and an answer. */
  Cassette(Path file) throws IOException {
    for (String line : Files.readAllLines(file)) {
      JsonNode exchange = JSON.readTree(line);
      answers
          .computeIfAbsent(exchange.get("request"), request -> new ArrayDeque<>())
          .add(exchange.get("answer"));
    }
  }

  static ObjectNode exchange(JsonNode request, JsonNode answer) {
    ObjectNode exchange = JSON.createObjectNode();
    exchange.set("request", request);
    exchange.set("answer", answer);
    return exchange;
  }

  /** The request of a call of a tool. */
  static ObjectNode request(String tool, JsonNode params) {
    return JSON.createObjectNode().put("tool", tool).set("params", params);
  }

  /** Returns the next answer to a request. */
  synchronized JsonNode answer(JsonNode request) {
    Deque<JsonNode> left = answers.get(request);
    if (left == null || left.isEmpty()) {
      throw new IllegalStateException("no answer to " + request);
    }
    return left.remove();
  }

  /** The cassette behind a server on this machine, and its client. */
  static final class Http implements Closeable {

    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private final HttpServer server;
    private final HttpClient client = HttpClient.newHttpClient();
    private final URI uri;

    Http(Cassette cassette) throws IOException {
      // otherwise each answer waits 40 ms for a delayed acknowledgment
      System.setProperty("sun.net.httpserver.nodelay", "true");
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.setExecutor(threads);
      server.createContext("/", exchange -> serve(cassette, exchange));
      server.start();
      uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    private static void serve(Cassette cassette, HttpExchange exchange) throws IOException {
      try (exchange) {
        byte[] answer =
            JSON.writeValueAsBytes(cassette.answer(JSON.readTree(exchange.getRequestBody())));
        exchange.sendResponseHeaders(200, answer.length);
        exchange.getResponseBody().write(answer);
      }
    }

    JsonNode answer(JsonNode request) throws IOException, InterruptedException {
      HttpRequest post = HttpRequest.newBuilder(uri)
          .POST(HttpRequest.BodyPublishers.ofByteArray(JSON.writeValueAsBytes(request)))
          .build();
      return JSON.readTree(
          client.send(post, HttpResponse.BodyHandlers.ofByteArray()).body());
    }

    @Override
    public void close() {
      server.stop(0);
      threads.shutdown();
    }
  }
}

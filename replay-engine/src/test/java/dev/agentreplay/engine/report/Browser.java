package dev.agentreplay.engine.report;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A headless Chromium, driven over W3C WebDriver. */
final class Browser {

  private static final Pattern STARTED = Pattern.compile("started successfully on port (\\d+)");
  private static final Duration DEADLINE = Duration.ofMinutes(2);

  /** The time for one script: axe takes a second for a page on an idle machine. */
  private static final Duration SCRIPT = Duration.ofMinutes(5);

  /** The maximum number of times that the browser is started until it runs. */
  private static final int ATTEMPTS = 3;

  private static Browser shared;

  private final HttpClient client = HttpClient.newHttpClient();
  private final Process driver;
  private final String server;
  private final String session;

  private Browser(Process driver, int port, Path binary) throws IOException {
    this.driver = driver;
    this.server = "http://127.0.0.1:" + port + "/session";
    JsonObject options = JsonObject.of(
        "binary",
        binary,
        "args",
        List.of(
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--in-process-gpu",
            "--disable-site-isolation-trials",
            "--renderer-process-limit=1",
            "--window-size=1440,900"));
    JsonObject capabilities = JsonObject.of(
        "goog:chromeOptions",
        options,
        "goog:loggingPrefs",
        JsonObject.of("browser", "ALL", "performance", "ALL"),
        "timeouts",
        JsonObject.of("script", SCRIPT.toMillis()));
    JsonObject wanted = JsonObject.of("capabilities", JsonObject.of("alwaysMatch", capabilities));
    this.session = send("POST", server, wanted).at("/sessionId").asString();
  }

  /**
   * The browser on the PATH, which all tests of this process share; null if it or its driver is
   * missing.
   */
  static synchronized Browser shared() throws IOException {
    if (shared == null) {
      Browser started = start();
      if (started != null) {
        Runtime.getRuntime().addShutdownHook(new Thread(started::close));
      }
      shared = started;
    }
    return shared;
  }

  private static Browser start() throws IOException {
    Path binary = onPath("chromium", "chromium-browser", "google-chrome");
    Path driver = onPath("chromedriver");
    if (binary == null || driver == null) {
      return null;
    }
    Process process = new ProcessBuilder(driver.toString(), "--port=0")
        .redirectErrorStream(true)
        .start();
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Matcher started = STARTED.matcher(line);
      if (started.find()) {
        try {
          return start(process, Integer.parseInt(started.group(1)), binary);
        } catch (IOException | RuntimeException e) {
          process.destroy();
          throw e;
        }
      }
    }
    throw new IOException(driver + " did not start");
  }

  /** Starts the browser; it exits once in a while if others start at the same time. */
  private static Browser start(Process driver, int port, Path binary) throws IOException {
    IOException failure = new IOException("the browser did not start");
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        return new Browser(driver, port, binary);
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
    }
    throw failure;
  }

  private static Path onPath(String... names) {
    List<String> directories =
        Arrays.asList(System.getenv("PATH").split(java.io.File.pathSeparator));
    return Stream.of(names)
        .flatMap(name -> directories.stream().map(directory -> Path.of(directory, name)))
        .filter(Files::isExecutable)
        .findFirst()
        .orElse(null);
  }

  /** Reloads a page, at a fragment or at its beginning, with empty logs. */
  void open(Path page, String fragment) throws IOException {
    post("/url", JsonObject.of("url", "about:blank"));
    log("browser");
    log("performance");
    post("/url", JsonObject.of("url", page.toUri() + fragment));
  }

  void reload() throws IOException {
    post("/refresh", JsonObject.EMPTY);
  }

  /** Runs the body of a function, and returns what it returns. */
  JsonValue run(String script, Object... args) throws IOException {
    return post("/execute/sync", JsonObject.of("script", script, "args", JsonArray.of(args)));
  }

  String text(String expression) throws IOException {
    return run("return String(" + expression + ")").asString();
  }

  /** Waits until an expression is true. */
  void await(String expression) throws IOException {
    Instant end = Instant.now().plus(DEADLINE);
    while (!run("return Boolean(" + expression + ")").asBoolean()) {
      if (Instant.now().isAfter(end)) {
        throw new AssertionError("not within " + DEADLINE + ": " + expression);
      }
    }
  }

  /** Types keys, one after the other. */
  void type(String keys) throws IOException {
    List<JsonObject> actions = new ArrayList<>();
    keys.codePoints().mapToObj(Character::toString).forEach(key -> {
      actions.add(JsonObject.of("type", "keyDown", "value", key));
      actions.add(JsonObject.of("type", "keyUp", "value", key));
    });
    JsonObject keyboard = JsonObject.of("type", "key", "id", "keyboard", "actions", actions);
    post("/actions", JsonObject.of("actions", List.of(keyboard)));
  }

  /** Emulates a medium, such as {@code print}, and a preferred color scheme. */
  void emulate(String medium, String scheme) throws IOException {
    JsonObject feature = JsonObject.of("name", "prefers-color-scheme", "value", scheme);
    JsonObject params = JsonObject.of("media", medium, "features", List.of(feature));
    command("Emulation.setEmulatedMedia", params);
  }

  /** Emulates a window of this size. */
  void resize(int width, int height) throws IOException {
    command(
        "Emulation.setDeviceMetricsOverride",
        JsonObject.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  private void command(String name, JsonObject params) throws IOException {
    post("/goog/cdp/execute", JsonObject.of("cmd", name, "params", params));
  }

  /** The messages on the console since the last call. */
  List<String> console() throws IOException {
    return log("browser");
  }

  /** The addresses that were requested since the page was opened. */
  List<String> requests() throws IOException {
    return log("performance").stream()
        .map(entry -> JsonText.parse(entry).at("/message").asObject())
        .filter(message -> message.at("/method").asString().equals("Network.requestWillBeSent"))
        .map(message -> message.at("/params/request/url").asString())
        .toList();
  }

  private List<String> log(String type) throws IOException {
    return post("/se/log", JsonObject.of("type", type)).asArray().stream()
        .map(entry -> entry.at("/message").asString())
        .toList();
  }

  private JsonValue post(String path, JsonObject body) throws IOException {
    return send("POST", server + "/" + session + path, body);
  }

  private JsonValue send(String method, String address, JsonObject body) throws IOException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(address))
        .timeout(SCRIPT.plusSeconds(30))
        .method(method, HttpRequest.BodyPublishers.ofString(body.toString()))
        .build();
    try {
      HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() != 200) {
        throw new IOException(response.statusCode() + ": " + response.body());
      }
      return JsonText.parse(response.body()).at("/value");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private void close() {
    try {
      send("DELETE", server + "/" + session, JsonObject.EMPTY);
    } catch (IOException e) {
      e.printStackTrace(); // a shutdown hook has no caller
    } finally {
      driver.destroy();
    }
  }
}

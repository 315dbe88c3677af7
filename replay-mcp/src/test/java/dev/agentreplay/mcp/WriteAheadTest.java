package dev.agentreplay.mcp;

import static dev.agentreplay.mcp.Scripts.count;
import static dev.agentreplay.mcp.Scripts.counting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.log.LogRecovery;
import dev.agentreplay.io.recording.FailingDisk;
import dev.agentreplay.io.recording.FailurePolicy;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.Redactor;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A line is recorded before it is forwarded: after a crash, and with a disk that fails. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(60)
class WriteAheadTest {

  private static final int CALLS = 40;

  @TempDir
  Path home;

  private final List<String> failures = Collections.synchronizedList(new ArrayList<>());

  private static String calls() {
    return IntStream.rangeClosed(1, CALLS)
        .mapToObj(i -> count(i) + "\n")
        .collect(Collectors.joining());
  }

  private static InputStream input(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * A server that copies the lines that it receives to a file. It is one process, which the proxy
   * waits for: a program of it could create the file while the directory is deleted.
   */
  private List<String> copying() {
    return List.of(
        "sed",
        "-u",
        "-e",
        "w " + home.resolve("received"),
        "-e",
        "s/,\"method\".*/,\"result\":{}}/");
  }

  /** The lines that the server has received; none if it was ended before it created the file. */
  private List<String> received() throws IOException {
    Path file = home.resolve("received");
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  @Test
  void killed_proxy_has_recorded_every_line_that_a_side_received() throws Exception {
    List<String> command = new ArrayList<>(TestServer.command());
    command.set(command.size() - 1, ProxyProcess.class.getName());
    command.add(home.resolve("sessions").toString());
    command.addAll(copying());
    Process proxy = new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
    Thread client = new Thread(() -> {
      try (OutputStream out = proxy.getOutputStream()) {
        for (int i = 1; i < 1_000_000; i++) {
          out.write((count(i) + "\n").getBytes(StandardCharsets.UTF_8));
          out.flush();
        }
      } catch (IOException killed) {
        // the end of the test
      }
    });
    client.start();
    List<String> answers = new ArrayList<>();
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(proxy.getInputStream(), StandardCharsets.UTF_8))) {
      while (answers.size() < 200) {
        answers.add(reader.readLine());
      }
      proxy.destroyForcibly();
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        answers.add(line);
      }
    } catch (IOException closed) {
      // by the kill
    }
    proxy.waitFor();
    client.join();

    Path session;
    try (Stream<Path> all = Files.list(home.resolve("sessions"))) {
      session = all.findFirst().orElseThrow();
    }
    LogRecovery.of(session.resolve(Session.LOG_NAME)).repair();
    Recorded recorded = Recorded.read(Session.open(session));
    List<String> received = received();
    assertThat(received).hasSizeGreaterThanOrEqualTo(200);
    assertThat(recorded.only(ToolCall.class)).hasSizeGreaterThanOrEqualTo(received.size());
    assertThat(recorded.only(ToolResult.class)).hasSizeGreaterThanOrEqualTo(answers.size());
    assertThat(recorded.only(SessionEnd.class)).isEmpty();
  }

  /** A proxy as a process of its own. */
  static final class ProxyProcess {
    private ProxyProcess() {}

    public static void main(String[] args) throws Exception {
      System.exit(McpProxy.recordingInto(Path.of(args[0]))
          .run(List.of(args).subList(1, args.length), System.in, System.out));
    }
  }

  private McpProxy proxy(FailingDisk disk, FailurePolicy policy) {
    RecorderOptions options = RecorderOptions.defaults().withFailurePolicy(policy);
    return new McpProxy(
            () -> disk.start(home.resolve("session"), SessionStart.of("full"), options), policy)
        .onFailure(
            failure -> failures.add(failure.event() + ": " + failure.cause().getMessage()));
  }

  @Test
  void conversation_continues_without_a_recording() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    // all calls are recorded before the first result, so that some of them are lost
    List<String> atTheEnd = List.of(
        "sed",
        "-n",
        "-e",
        "s/,\"method\".*/,\"result\":{\"content\":[]}}/",
        "-e",
        "H",
        "-e",
        "${x;s/^\\n//;p;}");

    int code =
        proxy(new FailingDisk(20, 30), FailurePolicy.DEGRADE).run(atTheEnd, input(calls()), out);

    assertThat(code).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8).lines()).hasSize(CALLS);
    assertThat(failures.get(0)).startsWith("message: ").contains("no space left");
    assertThat(failures.stream().filter(each -> each.startsWith("message"))).hasSize(1);
    Recorded recorded = Recorded.read(Session.open(home.resolve("session")));
    assertThat(recorded.gaps()).isNotEmpty().allMatch(gap -> gap.contains("no space left"));
    assertThat(recorded.only(ToolCall.class)).hasSizeLessThan(CALLS);
  }

  @Test
  void conversation_ends_with_a_recording_that_is_required() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    assertThatThrownBy(() -> proxy(new FailingDisk(20, Integer.MAX_VALUE), FailurePolicy.FAIL)
            .run(copying(), input(calls()), out))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("line ")
        .hasMessageContaining("was not forwarded, because it cannot be recorded: ")
        .hasMessageContaining("no space left");

    Recorded recorded = Recorded.read(Session.open(home.resolve("session")));
    assertThat(received())
        .hasSizeLessThanOrEqualTo(recorded.only(ToolCall.class).size());
    assertThat(recorded.only(ToolCall.class)).hasSizeLessThan(CALLS);
    assertThat(recorded.only(SessionEnd.class)).isEmpty();
  }

  private McpProxy required(Redactor redactor) {
    return McpProxy.recordingInto(
            home.resolve("sessions"), RecorderOptions.defaults().withRedactor(redactor))
        .onFailure(failure -> failures.add(String.valueOf(failure.cause().getMessage())));
  }

  @Test
  void line_whose_event_is_rejected_is_not_forwarded() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    McpProxy proxy = required(event -> {
      if (event instanceof ToolResult) {
        throw new StackOverflowError("rejected");
      }
      return event;
    });

    assertThatThrownBy(() -> proxy.run(counting(), input(calls()), out))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("was not forwarded, because it was not recorded");

    assertThat(out.size()).isZero();
    assertThat(failures).contains("rejected");
  }

  @Test
  void line_that_is_too_long_is_not_forwarded() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    assertThatThrownBy(() -> required(event -> event)
            .maxLineBytes(300)
            .run(counting(), input("x".repeat(1_000) + "\n"), out))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("too long to be recorded");

    assertThat(out.size()).isZero();
  }

  @Test
  void session_that_is_required_and_cannot_be_started_ends_the_run() throws Exception {
    Path file = Files.createFile(home.resolve("file"));
    McpProxy proxy = McpProxy.recordingInto(file, RecorderOptions.defaults());

    assertThatThrownBy(() -> proxy.run(counting(), input(calls()), OutputStream.nullOutputStream()))
        .isInstanceOf(IOException.class);
  }
}

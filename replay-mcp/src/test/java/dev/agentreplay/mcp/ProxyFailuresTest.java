package dev.agentreplay.mcp;

import static dev.agentreplay.mcp.Conversation.call;
import static dev.agentreplay.mcp.Conversation.send;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.session.Sessions;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerifyPolicy;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The proxy when a side fails, ends early, or sends what is not a message. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(60)
class ProxyFailuresTest {

  private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
  private static final String PONG = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n";

  @TempDir
  Path sessions;

  private final AtomicInteger exitCode = new AtomicInteger();

  private String record(List<String> server, Conversation.Step... script) throws Exception {
    McpProxy proxy = McpProxy.recordingInto(sessions);
    return Conversation.run(List.of(script), (in, out) -> {
      exitCode.set(proxy.run(server, in, out));
      return 0;
    });
  }

  /** A server that is a script, which starts faster than a JVM. */
  private static List<String> script(String shell) {
    return List.of("sh", "-c", shell);
  }

  /** The command of a script that sends a line. */
  private static String answer(String line) {
    return "read -r line; printf '%s\\n' '" + line.strip() + "'; ";
  }

  private Session session() throws IOException {
    return Sessions.find(sessions).iterator().next().open().session();
  }

  private List<ReplayEvent> events() throws IOException {
    Session session = session();
    assertThat(SessionVerifier.of(VerifyPolicy.defaults()).verify(session).verdict())
        .isEqualTo(Verdict.VALID);
    List<ReplayEvent> events = new ArrayList<>();
    try (var reader = session.reader()) {
      for (ReplayLine line : reader) {
        assertThat(line.findings()).isEmpty();
        events.add(line.event());
      }
    }
    return events;
  }

  private static <T extends ReplayEvent> List<T> only(List<ReplayEvent> events, Class<T> type) {
    return events.stream().filter(type::isInstance).map(type::cast).toList();
  }

  @Test
  void crash_of_the_server_is_that_of_the_proxy() throws Exception {
    assertThat(record(
            script(answer(PONG) + "read -r line; exit 7"),
            send(PING, 1),
            call(2, "crash", "{}", 0)))
        .isEqualTo(PONG);

    assertThat(exitCode).hasValue(7);
    List<ReplayEvent> events = events();
    assertThat(only(events, ToolCall.class)).hasSize(1);
    SessionEnd end = only(events, SessionEnd.class).get(0);
    assertThat(end.status().kind()).isEqualTo(Status.FAILED.kind());
    assertThat(end.summary()).contains("exit code 7").contains("1 requests");
  }

  @Test
  void end_of_the_client_is_that_of_the_server() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    int code = McpProxy.recordingInto(sessions)
        .run(
            script(answer(PONG) + "cat"),
            new ByteArrayInputStream((PING + "\n{\"cut").getBytes(StandardCharsets.UTF_8)),
            out);

    assertThat(code).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(PONG + "{\"cut");
    List<ReplayEvent> events = events();
    assertThat(only(events, SessionEnd.class).get(0).status().isSuccess()).isTrue();
    assertThat(only(events, RuntimeEvent.class).stream().map(RuntimeEvent::type))
        .containsExactlyInAnyOrder("mcp/ping", "mcp/ping/result", "mcp/text", "mcp/text");
  }

  @Test
  void client_that_does_not_read_any_more_ends_the_server() throws Exception {
    OutputStream closed = new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        throw new IOException("Broken pipe");
      }
    };

    int code = McpProxy.recordingInto(sessions)
        .run(
            script(answer(PONG) + "cat"),
            new ByteArrayInputStream((PING + "\n").getBytes(StandardCharsets.UTF_8)),
            closed);

    assertThat(code).isZero();
    assertThat(events()).hasSizeGreaterThan(3);
  }

  @Test
  void large_message_is_passed_on_and_recorded() throws Exception {
    String server =
        "read -r line; printf '{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"content\":[{\"text\":\"';"
            + "head -c 2000000 /dev/zero | tr '\\0' x; printf '\"}]}}\\n'";
    String transcript = record(script(server), call(2, "big", "{}", 1));

    assertThat(transcript).hasSizeGreaterThan(2_000_000).endsWith("\"}]}}\n");
    ToolResult result = only(events(), ToolResult.class).get(0);
    assertThat(result.output().blob()).isNotNull();
    assertThat(session().resolve(result.output()).at("/content/0/text").asString())
        .hasSize(2_000_000);
  }

  @Test
  void batch_is_recorded_message_by_message() throws Exception {
    String answers = "[{\"jsonrpc\":\"2.0\",\"id\":\"b1\",\"result\":{}},"
        + "{\"jsonrpc\":\"2.0\",\"id\":\"b2\",\"result\":{}}]";
    record(
        script(answer(answers)),
        send(
            "[{\"jsonrpc\":\"2.0\",\"id\":\"b1\",\"method\":\"tools/call\",\"params\":{\"name\":\"one\"}},"
                + "{\"jsonrpc\":\"2.0\",\"id\":\"b2\",\"method\":\"tools/call\",\"params\":{\"name\":\"two\"}}]",
            1));

    List<ReplayEvent> events = events();
    assertThat(only(events, ToolCall.class).stream().map(ToolCall::tool))
        .containsExactly("one", "two");
    assertThat(only(events, ToolResult.class).stream().map(ToolResult::id))
        .containsExactly("b1", "b2");
  }

  @Test
  void ids_are_of_a_type_and_of_a_side() throws Exception {
    String one = "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"tools/call\",\"params\":"
        + "{\"name\":\"never\",\"arguments\":{}}}";
    record(
        script("read a; read b; read c; " + answer(PONG.replace("\"id\":1", "\"id\":9"))),
        send(one.formatted("1"), 0),
        send(one.formatted("\"1\""), 0),
        send(one.formatted("1"), 0),
        send(PING.replace("\"id\":1", "\"id\":9"), 1));

    List<String> ids =
        only(events(), ToolCall.class).stream().map(ToolCall::id).collect(Collectors.toList());
    assertThat(ids).hasSize(3).doesNotHaveDuplicates().startsWith("1");
  }

  @Test
  void settings_state_versions_and_tools() throws Exception {
    record(TestServer.command(), Conversation.script().toArray(Conversation.Step[]::new));

    List<Settings> settings = only(events(), Settings.class).stream()
        .filter(each -> each.get("mcp_server") != null || !each.tools().isEmpty())
        .toList();
    assertThat(settings).hasSize(2);
    assertThat(settings.get(0).get(Settings.VERSIONS).value().at("/mcp").asString())
        .isEqualTo("2025-11-25");
    assertThat(settings.get(0).get("mcp_instructions").value().asString()).isEqualTo("call");
    assertThat(settings.get(1).tools().get(0).name()).isEqualTo("echo");
    assertThat(
            settings.get(1).tools().get(0).json().at("/annotations/read_only").toString())
        .isEqualTo("true");
  }

  @Test
  void directory_that_cannot_be_created_does_not_affect_the_server() throws Exception {
    Path file = Files.createFile(sessions.resolve("file"));
    McpProxy proxy = McpProxy.recordingInto(file).onFailure(failure -> {});

    String transcript = Conversation.run(
        List.of(send(PING, 1)), (in, out) -> proxy.run(script(answer(PONG)), in, out));

    assertThat(transcript).isEqualTo(PONG);
    assertThat(proxy.failures()).isEqualTo(1);
  }

  @Test
  @Tag("slow")
  void termination_of_the_proxy_ends_the_server_and_the_session() throws Exception {
    List<String> command = new ArrayList<>(TestServer.command());
    command.set(command.size() - 1, ProxyProcess.class.getName());
    command.add(sessions.toString());
    Process proxy = new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
    proxy.getOutputStream().write((PING + "\n").getBytes(StandardCharsets.UTF_8));
    proxy.getOutputStream().flush();
    assertThat(new String(proxy.getInputStream().readNBytes(PONG.length()), StandardCharsets.UTF_8))
        .isEqualTo(PONG);
    List<ProcessHandle> servers = proxy.descendants().toList();

    proxy.toHandle().destroy(); // Process.destroy would also close the input

    assertThat(proxy.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(servers).isNotEmpty();
    for (ProcessHandle server : servers) {
      server.onExit().get(60, TimeUnit.SECONDS);
    }
    assertThat(only(events(), SessionEnd.class).get(0).status().kind())
        .isEqualTo(Status.CANCELLED.kind());
  }

  /** A proxy as a process of its own. */
  static final class ProxyProcess {
    private ProxyProcess() {}

    public static void main(String[] args) throws Exception {
      System.exit(McpProxy.recordingInto(Path.of(args[0]))
          .run(script(answer(PONG) + "cat"), System.in, System.out));
    }
  }
}

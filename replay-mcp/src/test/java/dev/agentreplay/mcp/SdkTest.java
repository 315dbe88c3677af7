package dev.agentreplay.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.report.TextOptions;
import dev.agentreplay.engine.report.TextReport;
import dev.agentreplay.io.recording.FailingDisk;
import dev.agentreplay.io.recording.FailurePolicy;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.session.Sessions;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerifyPolicy;
import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;

/** Clients and servers of the SDK are recorded by decorators of their transports, and replayed. */
@SuppressWarnings("deprecation") // the forms that all supported versions of the SDK have
@Timeout(60)
class SdkTest {

  @TempDir
  Path sessions;

  private List<Session> recorded() throws Exception {
    List<Session> found = new ArrayList<>();
    for (var location : Sessions.find(sessions)) {
      found.add(location.open().session());
      assertThat(SessionVerifier.of(VerifyPolicy.defaults())
              .verify(found.get(found.size() - 1))
              .verdict())
          .isEqualTo(Verdict.VALID);
    }
    return found;
  }

  @Test
  void client_is_recorded_and_replayed_without_its_server() throws Exception {
    List<String> plain;
    List<String> recorded;
    McpRecorder recorder = McpRecorder.into(sessions);
    try (InProcess server = new InProcess()) {
      plain = SdkAgent.run(server.transport(), "hello");
      recorded = SdkAgent.run(recorder.record(server.transport()), "hello");
    }
    assertThat(recorded).isEqualTo(plain).hasSize(11).anyMatch(text -> text.contains("-32002"));
    assertThat(recorder.failures()).isZero();
    Session session = recorded().get(0);

    List<String> replayed = new ArrayList<>();
    ReplayReport report = Replay.of(session)
        .policy(McpReplayer.policy(ReplayMode.MOCK))
        .run(scope -> replayed.addAll(SdkAgent.run(McpReplayer.of(scope).transport(), "hello")));

    assertThat(replayed).isEqualTo(plain);
    assertThat(report.verdict()).as(report.headline()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(SdkAgent.run(McpReplayer.transport(session), "hello")).isEqualTo(plain);
  }

  @Test
  void changed_argument_is_found() throws Exception {
    try (InProcess server = new InProcess()) {
      SdkAgent.run(McpRecorder.into(sessions).record(server.transport()), "hello");
    }
    List<Throwable> thrown = new ArrayList<>();

    ReplayReport report = Replay.of(recorded().get(0))
        .policy(McpReplayer.policy(ReplayMode.MOCK))
        .run(scope -> {
          try {
            SdkAgent.run(McpReplayer.of(scope).transport(), "hallo");
          } catch (McpError e) {
            thrown.add(e);
          }
        });

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(TextReport.render(report, TextOptions.defaults())).contains("/params/message");
    assertThat(thrown).hasSize(1);
    assertThat(((McpError) thrown.get(0)).getJsonRpcError().code()).isEqualTo(-32603);
    assertThat(thrown.get(0)).hasMessageContaining("replay: ").hasMessageContaining("echo");
  }

  @Test
  void server_is_recorded_as_its_client_is() throws Exception {
    McpRecorder recorder = McpRecorder.into(sessions);
    List<String> seen;
    try (InProcess server = new InProcess(recorder::record)) {
      seen = SdkAgent.run(server.transport(), "hello");
    }
    assertThat(recorder.failures()).isZero();
    Session session = recorded().get(0);

    ReplayReport report = Replay.of(session)
        .policy(McpReplayer.policy(ReplayMode.MOCK))
        .run(scope ->
            assertThat(SdkAgent.run(McpReplayer.of(scope).transport(), "hello")).isEqualTo(seen));

    assertThat(report.verdict()).as(report.headline()).isEqualTo(ReplayVerdict.IDENTICAL);
  }

  @Test
  void concurrent_calls_are_recorded_and_replayed() throws Exception {
    List<String> live;
    McpRecorder recorder = McpRecorder.into(sessions);
    try (InProcess server = new InProcess()) {
      live = concurrently(recorder.record(server.transport()));
      assertThat(server.executed).hasValue(64);
    }
    assertThat(recorder.failures()).isZero();
    Session session = recorded().get(0);
    List<String> replayed = new ArrayList<>();

    ReplayReport report = Replay.of(session)
        .policy(McpReplayer.policy(ReplayMode.MOCK))
        .run(scope -> replayed.addAll(concurrently(McpReplayer.of(scope).transport())));

    assertThat(replayed).isEqualTo(live).doesNotHaveDuplicates().hasSize(64);
    assertThat(report.verdict()).as(report.headline()).isEqualTo(ReplayVerdict.IDENTICAL);
  }

  private static List<String> concurrently(McpClientTransport transport) {
    McpAsyncClient client = McpClient.async(transport).build();
    client.initialize().block();
    List<String> results = Flux.range(0, 64)
        .flatMap(i -> client.callTool(SdkAgent.call("echo", "message " + i)), 64)
        .map(result -> ((TextContent) result.content().get(0)).text())
        .collectSortedList()
        .block();
    client.closeGracefully().block();
    return results;
  }

  @Test
  void tools_run_on_a_live_server_where_the_policy_says_so() throws Exception {
    try (InProcess server = new InProcess()) {
      SdkAgent.run(McpRecorder.into(sessions).record(server.transport()), "hello");
      server.executed.set(0);

      ReplayReport report = Replay.of(recorded().get(0))
          .policy(McpReplayer.policy(ReplayMode.TOOLS_LIVE)
              .withEffect("echo", Effect.PURE)
              .withEffect("sample", Effect.PURE))
          .run(scope -> SdkAgent.run(McpReplayer.of(scope).replay(server.transport()), "hello"));

      assertThat(report.verdict()).as(report.headline()).isEqualTo(ReplayVerdict.IDENTICAL);
      assertThat(server.executed).hasValue(2);
    }
  }

  @ParameterizedTest
  @EnumSource(FailurePolicy.class)
  void failing_disk_does_not_affect_the_client(FailurePolicy policy) throws Exception {
    List<String> failures = new ArrayList<>();
    try (InProcess server = new InProcess()) {
      List<String> plain = SdkAgent.run(server.transport(), "hello");
      try (SessionRecorder session = new FailingDisk(6, Integer.MAX_VALUE)
          .start(
              sessions.resolve("full"),
              SessionStart.of("full"),
              RecorderOptions.defaults().withFailurePolicy(policy))) {
        McpRecorder recorder = McpRecorder.into(session)
            .onFailure(failure -> failures.add(failure.event() + ": " + failure.cause()));

        assertThat(SdkAgent.run(recorder.record(server.transport()), "hello")).isEqualTo(plain);

        assertThat(session.lastFailure() != null || recorder.failures() > 0).isTrue();
        if (policy == FailurePolicy.FAIL) {
          assertThat(failures).hasSize(1);
        }
      } catch (java.io.IOException e) {
        assertThat(e).hasMessageContaining("no space left");
      }
    }
  }

  @Test
  void session_of_a_directory_that_cannot_be_created_is_reported() throws Exception {
    Path file = java.nio.file.Files.createFile(sessions.resolve("file"));
    McpRecorder recorder = McpRecorder.into(file).onFailure(failure -> {});
    try (InProcess server = new InProcess()) {
      CallToolResult result;
      try (McpSyncClient client = SdkAgent.client(recorder.record(server.transport()))) {
        client.initialize();
        result = client.callTool(SdkAgent.call("echo", "still works"));
      }
      assertThat(result.isError()).isNotEqualTo(true);
    }
    assertThat(recorder.failures()).isEqualTo(1);
  }

  @Test
  void replay_without_a_recorded_answer_reports_a_miss() throws Exception {
    try (InProcess server = new InProcess();
        McpSyncClient client =
            SdkAgent.client(McpRecorder.into(sessions).record(server.transport()))) {
      client.initialize();
    }
    try (McpSyncClient client = SdkAgent.client(McpReplayer.transport(recorded().get(0)))) {
      client.initialize();
      assertThatThrownBy(client::listTools).isInstanceOf(McpError.class);
    }
  }
}

package dev.agentreplay.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client of the SDK over streamable HTTP is recorded, and replayed without HTTP. */
@Timeout(60)
class HttpTest {

  @TempDir
  Path home;

  private void replay(List<String> expected) throws Exception {
    Recorded recorded = Recorded.in(home.resolve("sessions"));
    assertThat(recorded.end().status().isSuccess()).as(recorded.end().summary()).isTrue();
    List<String> replayed = new ArrayList<>();

    ReplayReport report = Replay.of(recorded.session())
        .policy(McpReplayer.policy(ReplayMode.MOCK))
        .run(scope -> replayed.addAll(SdkAgent.run(McpReplayer.of(scope).transport(), "hello")));

    assertThat(replayed).isEqualTo(expected);
    assertThat(report.verdict()).as(report.headline()).isEqualTo(ReplayVerdict.IDENTICAL);
  }

  @Test
  void client_over_streamable_http_is_recorded_and_replayed() throws Exception {
    McpRecorder recorder = McpRecorder.into(home.resolve("sessions"));
    List<String> plain;
    try (HttpMcpServer server = new HttpMcpServer()) {
      plain = SdkAgent.run(server.transport(), "hello");

      assertThat(SdkAgent.run(recorder.record(server.transport()), "hello")).isEqualTo(plain);

      ReplayReport live = Replay.of(Recorded.in(home.resolve("sessions")).session())
          .policy(McpReplayer.policy(ReplayMode.TOOLS_LIVE).withEffect("echo", Effect.PURE))
          .run(scope -> assertThat(
                  SdkAgent.run(McpReplayer.of(scope).replay(server.transport()), "hello"))
              .isEqualTo(plain));
      assertThat(live.verdict()).as(live.headline()).isEqualTo(ReplayVerdict.IDENTICAL);
    }
    assertThat(recorder.failures()).isZero();
    replay(plain);
  }
}

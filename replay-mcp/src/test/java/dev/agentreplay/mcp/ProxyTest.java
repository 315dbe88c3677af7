package dev.agentreplay.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.replay.ActiveReplay;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.session.SessionLocation;
import dev.agentreplay.io.session.Sessions;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerifyPolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The proxy passes every byte on, and a session that it recorded answers with the same bytes. */
class ProxyTest {

  @TempDir
  Path sessions;

  private Session recorded() throws Exception {
    List<SessionLocation> found = new ArrayList<>();
    Sessions.find(sessions).forEach(found::add);
    assertThat(found).hasSize(1);
    Session session = found.get(0).open().session();
    assertThat(SessionVerifier.of(VerifyPolicy.defaults()).verify(session).verdict())
        .isEqualTo(Verdict.VALID);
    return session;
  }

  private String record(List<Conversation.Step> script) throws Exception {
    McpProxy proxy = McpProxy.recordingInto(sessions);
    String transcript =
        Conversation.run(script, (in, out) -> proxy.run(TestServer.command(), in, out));
    assertThat(proxy.failures()).isZero();
    return transcript;
  }

  private record Replayed(String transcript, ReplayReport report) {}

  private static Replayed replay(Session session, List<Conversation.Step> script) throws Exception {
    try (ActiveReplay replay =
        Replay.of(session).policy(McpReplayer.policy(ReplayMode.MOCK)).start()) {
      String transcript = Conversation.run(script, (in, out) -> {
        McpProxy.replay(replay.scope(), in, out);
        return 0;
      });
      return new Replayed(transcript, replay.finish());
    }
  }

  @Test
  void the_client_gets_the_same_bytes_directly_recorded_and_replayed() throws Exception {
    String direct = Conversation.direct(Conversation.script());

    assertThat(record(Conversation.script())).isEqualTo(direct);
    Replayed replayed = replay(recorded(), Conversation.script());

    assertThat(replayed.transcript()).isEqualTo(direct);
    assertThat(replayed.report().verdict())
        .as(replayed.report().headline() + replayed.report())
        .isEqualTo(ReplayVerdict.IDENTICAL);
  }
}

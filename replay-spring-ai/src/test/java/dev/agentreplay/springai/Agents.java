package dev.agentreplay.springai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.io.recording.Durability;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.WriterOptions;
import dev.agentreplay.io.session.Session;
import java.nio.file.Path;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.ToolCallingAdvisor;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.model.tool.ToolCallingManager;

/** Agents that are recorded and replayed by the same code. */
final class Agents {

  /** An agent that is recorded and replayed by the same code. */
  interface Agent {
    void run(SpringAiCalls calls) throws Exception;
  }

  /** Options for tests, which do not wait for the disk. */
  static final RecorderOptions BUFFERED = RecorderOptions.defaults()
      .withWriter(WriterOptions.defaults().withDurability(Durability.BUFFERED));

  private Agents() {}

  /** The builder of a client. */
  static ChatClient.Builder client(SpringAiCalls calls, ChatModel model) {
    return client(calls, model, ToolCallingManager.builder().build());
  }

  /** The builder of a client with a manager of tools. */
  static ChatClient.Builder client(
      SpringAiCalls calls, ChatModel model, ToolCallingManager manager) {
    return ChatClient.builder(calls.wrap(model))
        .defaultAdvisors(
            calls.advisor(),
            ToolCallingAdvisor.builder().toolCallingManager(calls.wrap(manager)).build());
  }

  /** Records the only call of an agent, which may fail. */
  static Recorded record(Path sessions, Agent agent) {
    try (SpringAiRecorder recorder = SpringAiRecorder.into(sessions, BUFFERED)) {
      try {
        agent.run(SpringAiCalls.to(recorder));
      } catch (Exception e) {
        // recorded
      }
      assertThat(recorder.failures()).isZero();
      assertThat(recorder.openSessions()).isEmpty();
    }
    return Recorded.only(sessions);
  }

  /** Replays a session of one call. */
  static ReplayReport replay(Session session, ReplayPolicy policy, Agent agent) throws Exception {
    return Replay.of(session)
        .policy(policy)
        .run(scope -> agent.run(SpringAiCalls.to(SpringAiReplayer.of(scope))));
  }

  /** Replays a session of one call from the recording. */
  static ReplayReport mock(Session session, Agent agent) throws Exception {
    return replay(session, ReplayPolicy.of(ReplayMode.MOCK), agent);
  }

  static void assertIdentical(ReplayReport report) {
    assertThat(report.verdict())
        .as(
            "%s %s %s %s",
            report.headline(), report.divergences(), report.incomplete(), report.failure())
        .isEqualTo(ReplayVerdict.IDENTICAL);
  }
}

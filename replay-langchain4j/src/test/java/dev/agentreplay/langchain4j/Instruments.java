package dev.agentreplay.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.rag.content.retriever.ContentRetriever;
import dev.langchain4j.service.AiServices;
import java.nio.file.Path;

/** The recorder or the replayer that an agent is built with. */
interface Instruments {

  /** An agent that is recorded and replayed by the same code. */
  interface Agent {
    void run(Instruments instruments) throws Exception;
  }

  <T> AiServices<T> add(AiServices<T> builder);

  ContentRetriever retriever(String tool, ContentRetriever retriever);

  StreamingChatModel streaming(StreamingChatModel model);

  static Instruments of(AiServiceRecorder recorder) {
    return new Instruments() {
      @Override
      public <T> AiServices<T> add(AiServices<T> builder) {
        return recorder.record(builder);
      }

      @Override
      public ContentRetriever retriever(String tool, ContentRetriever retriever) {
        return recorder.retriever(tool, retriever);
      }

      @Override
      public StreamingChatModel streaming(StreamingChatModel model) {
        return recorder.streaming(model);
      }
    };
  }

  static Instruments of(AiServiceReplayer replayer) {
    return new Instruments() {
      @Override
      public <T> AiServices<T> add(AiServices<T> builder) {
        return replayer.replay(builder);
      }

      @Override
      public ContentRetriever retriever(String tool, ContentRetriever retriever) {
        return replayer.retriever(tool, retriever);
      }

      @Override
      public StreamingChatModel streaming(StreamingChatModel model) {
        return model;
      }
    };
  }

  /** Records the only invocation of an agent, which may fail, as a session of its own. */
  static Session record(Path sessions, Agent agent) {
    try (AiServiceRecorder recorder = AiServiceRecorder.into(sessions)) {
      try {
        agent.run(of(recorder));
      } catch (Exception e) {
        // recorded
      }
      assertThat(recorder.failures()).isZero();
    }
    return Recorded.only(sessions).isValid().session();
  }

  /** Records all invocations of an agent as one session. */
  static Session recordShared(Path directory, Agent agent) throws Exception {
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      AiServiceRecorder recorder = AiServiceRecorder.into(session);
      agent.run(of(recorder));
      session.end(Status.SUCCESS, 1.0);
      assertThat(recorder.failures()).isZero();
    }
    Recorded.read(Session.open(directory)).isValid();
    return Session.open(directory);
  }

  /** Runs an agent in the scope of a session of its own. */
  static void run(AgentScope scope, Agent agent) throws Exception {
    agent.run(of(AiServiceReplayer.of(scope)));
  }

  /** Runs an agent in the scope of a session that all invocations share. */
  static void runShared(AgentScope scope, Agent agent) throws Exception {
    agent.run(of(AiServiceReplayer.ofShared(scope)));
    scope.end(SessionEnd.of(Status.SUCCESS).withConfidence(1.0));
  }

  /** Replays a session of its own from the recording. */
  static ReplayReport mock(Session session, Agent agent) throws Exception {
    return Replay.of(session).mode(ReplayMode.MOCK).run(scope -> run(scope, agent));
  }

  /** Replays a session that all invocations share. */
  static ReplayReport replayShared(Session session, ReplayPolicy policy, Agent agent)
      throws Exception {
    return Replay.of(session).policy(policy).run(scope -> runShared(scope, agent));
  }

  static void assertIdentical(ReplayReport report) {
    assertThat(report.verdict())
        .as(
            "%s %s %s %s",
            report.headline(), report.divergences(), report.incomplete(), report.failure())
        .isEqualTo(ReplayVerdict.IDENTICAL);
  }
}

package dev.agentreplay.langchain4j;

import static dev.agentreplay.langchain4j.Instruments.assertIdentical;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayAgent;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.langchain4j.StreamRecordingTest.StreamingAssistant;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.AiServices;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Agents that are recorded and replayed by the same code, in the scope that they are given. */
@Timeout(60)
class ScopedModelTest {

  @TempDir
  private Path sessions;

  private final Executed executed = new Executed();
  private final AtomicInteger created = new AtomicInteger();

  private ScriptedModel model() {
    created.incrementAndGet();
    return executed.model(request -> AiMessage.from("done"));
  }

  private Assistant assistant(AgentScope scope, AiServiceReplayer replayer) {
    return replayer
        .replay(AiServices.builder(Assistant.class)
            .chatModel(RecordedModel.of(scope, this::model))
            .tools(executed.files()))
        .build();
  }

  private Session record(ReplayAgent agent, boolean isEnded) throws Exception {
    Path directory = sessions.resolve("s");
    try (SessionRecorder recorder = SessionRecorder.start(directory, "s")) {
      agent.run(AgentScope.recording(recorder, Executors.none()));
      if (!isEnded) {
        recorder.end(Status.SUCCESS);
      }
    }
    return Session.open(directory);
  }

  private static ReplayReport replay(Session session, ReplayMode mode, ReplayAgent agent)
      throws Exception {
    return Replay.of(session).mode(mode).run(agent);
  }

  @Test
  void model_is_created_where_it_is_called() throws Exception {
    ReplayAgent agent = scope -> assistant(scope, AiServiceReplayer.of(scope)).chat("go");
    Session session = record(agent, true);
    assertThat(created.getAndSet(0)).isOne();
    assertThat(executed.take()).containsExactly("model");

    assertIdentical(replay(session, ReplayMode.MOCK, agent));
    assertThat(created).hasValue(0);

    assertIdentical(replay(session, ReplayMode.MODEL_LIVE, agent));
    assertThat(created).hasValue(1);
    assertThat(executed.take()).containsExactly("model");
  }

  @Test
  void streaming_model_is_created_where_it_is_called() throws Exception {
    ReplayAgent agent = scope -> {
      CompletableFuture<ChatResponse> answer = new CompletableFuture<>();
      AiServiceReplayer.of(scope)
          .replay(AiServices.builder(StreamingAssistant.class)
              .streamingChatModel(RecordedModel.streaming(scope, () -> {
                created.incrementAndGet();
                return executed.streaming(AiMessage.from("one two"));
              })))
          .build()
          .chat("go")
          .onPartialResponse(piece -> {})
          .onCompleteResponse(answer::complete)
          .onError(answer::completeExceptionally)
          .start();
      assertThat(answer.get().aiMessage().text()).isEqualTo("one two");
    };
    Session session = record(agent, true);
    assertThat(created.getAndSet(0)).isOne();

    assertIdentical(replay(session, ReplayMode.MOCK, agent));
    assertThat(created).hasValue(0);
    assertIdentical(replay(session, ReplayMode.MODEL_LIVE, agent));
    assertThat(created).hasValue(1);
  }

  @Test
  void second_invocation_of_a_session_of_one_names_the_other_replayer() throws Exception {
    record(
        scope -> {
          Assistant assistant = assistant(scope, AiServiceReplayer.of(scope));
          assistant.chat("one");
          assertThatThrownBy(() -> assistant.chat("two"))
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("has ended")
              .hasMessageContaining("ofShared(scope)");
        },
        true);
  }

  @Test
  void end_of_a_shared_session_names_the_other_replayer() throws Exception {
    Session session =
        record(scope -> assistant(scope, AiServiceReplayer.ofShared(scope)).chat("go"), false);

    ReplayReport report =
        replay(session, ReplayMode.MOCK, scope -> assistant(scope, AiServiceReplayer.of(scope))
            .chat("go"));

    assertThat(report.divergences()).hasSize(1);
    assertThat(report.circumstances())
        .filteredOn(each -> each.name().equals("end.summary"))
        .singleElement()
        .satisfies(each -> assertThat(each.message())
            .contains("end of the replay has a summary")
            .contains("ofShared"));
  }

  @Test
  void end_of_a_session_of_one_invocation_names_the_other_replayer() throws Exception {
    Session session =
        record(scope -> assistant(scope, AiServiceReplayer.of(scope)).chat("go"), true);

    ReplayReport report = replay(session, ReplayMode.MOCK, scope -> {
      assistant(scope, AiServiceReplayer.ofShared(scope)).chat("go");
      scope.end(SessionEnd.of(Status.SUCCESS));
    });

    assertThat(report.circumstances())
        .filteredOn(each -> each.name().equals("end.summary"))
        .singleElement()
        .satisfies(each -> assertThat(each.message())
            .contains("end of the recording has a summary")
            .contains("ofShared"));
  }
}

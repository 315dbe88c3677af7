package dev.agentreplay.langchain4j;

import static dev.agentreplay.langchain4j.Instruments.assertIdentical;
import static dev.agentreplay.langchain4j.Instruments.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.agentreplay.engine.diff.EventChange;
import dev.agentreplay.engine.diff.ValueChange;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.langchain4j.Instruments.Agent;
import dev.agentreplay.langchain4j.StreamRecordingTest.StreamingAssistant;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.exception.RateLimitException;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.service.AiServices;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A streaming model is called in a replay, and its answer is compared. */
@Timeout(60)
class LiveStreamTest {

  @TempDir
  private Path sessions;

  private final Executed executed = new Executed();
  private final List<String> pieces = new CopyOnWriteArrayList<>();

  private Agent agent(StreamingChatModel model) {
    return instruments -> {
      CompletableFuture<ChatResponse> answer = new CompletableFuture<>();
      instruments
          .add(AiServices.builder(StreamingAssistant.class)
              .streamingChatModel(instruments.streaming(model))
              .tools(executed.files()))
          .build()
          .chat("go")
          .onPartialResponse(pieces::add)
          .onCompleteResponse(answer::complete)
          .onError(answer::completeExceptionally)
          .start();
      try {
        answer.get();
      } catch (ExecutionException e) {
        throw (Exception) e.getCause();
      }
    };
  }

  private ReplayReport replay(StreamingChatModel model) throws Exception {
    Session session = record(
        sessions,
        agent(executed.streaming(
            ScriptedModel.call("a", "read", "{\"path\": \"x\"}"), AiMessage.from("one two"))));
    assertThat(executed.take()).containsExactly("model", "read", "model");
    pieces.clear();
    return Replay.of(session)
        .mode(ReplayMode.MODEL_LIVE)
        .run(scope -> Instruments.run(scope, agent(model)));
  }

  private StreamingChatModel reading(AiMessage answer) {
    return executed.streaming(ScriptedModel.call("a", "read", "{\"path\": \"x\"}"), answer);
  }

  @Test
  void same_answer_is_identical() throws Exception {
    ReplayReport report = replay(reading(AiMessage.from("one two")));

    assertIdentical(report);
    assertThat(executed.take()).containsExactly("model", "model");
    assertThat(pieces).containsExactly("one ", "two");
    assertThat(report.exchanges().executed()).isEqualTo(2);
    assertThat(report.exchanges().served()).isOne();
  }

  @Test
  void different_answer_is_a_divergence() throws Exception {
    ReplayReport report = replay(reading(AiMessage.from("one three")));

    assertThat(executed.take()).containsExactly("model", "model");
    assertThat(report.divergencesByKind())
        .containsExactly(entry("ASSESSMENT", 1L), entry("RESPONSE", 1L));
    assertThat(report.root().kind()).isEqualTo("RESPONSE");
    assertThat(report.root().recordedLine()).isEqualTo(7);
  }

  @Test
  void failure_after_some_pieces_is_a_divergence() throws Exception {
    StreamingChatModel model = new StreamingChatModel() {
      @Override
      public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
        executed.add("model");
        if (request.messages().size() == 1) {
          handler.onCompleteResponse(
              ScriptedModel.response(ScriptedModel.call("a", "read", "{\"path\": \"x\"}")));
        } else {
          handler.onPartialResponse("one ");
          handler.onError(new RateLimitException("slow down"));
        }
      }
    };

    ReplayReport report = replay(model);

    assertThat(executed.take()).containsExactly("model", "model");
    assertThat(report.failure()).isInstanceOf(RateLimitException.class).hasMessage("slow down");
    assertThat(pieces).containsExactly("one ");
    assertThat(report.divergences()).hasSize(2);
    assertThat(report.root().recordedLine()).isEqualTo(7);
    assertThat(report.root().comparison().changes())
        .flatExtracting(EventChange::values)
        .extracting(ValueChange::pointer)
        .contains("/answer")
        .anyMatch(pointer -> pointer.startsWith("/error"));
    assertThat(report.divergences().get(1).kind()).isEqualTo("END");
  }
}

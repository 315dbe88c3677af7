package dev.agentreplay.langchain4j;

import static dev.agentreplay.langchain4j.Instruments.assertIdentical;
import static dev.agentreplay.langchain4j.Instruments.mock;
import static dev.agentreplay.langchain4j.Instruments.record;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.exchange.MissKind;
import dev.agentreplay.engine.replay.ReplayMissException;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.ReplayVerdict;
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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Streams are replayed in their recorded pieces. */
@Timeout(60)
class StreamReplayTest {

  private static final String ARGUMENTS = "{\"path\": \"x\"}";

  @TempDir
  private Path sessions;

  private final Executed executed = new Executed();

  /** The events that the handlers of the agent got. */
  private final List<String> seen = new CopyOnWriteArrayList<>();

  private Agent agent(
      StreamingChatModel model,
      boolean recordsPieces,
      UnaryOperator<AiServices<StreamingAssistant>> configuration) {
    return instruments -> {
      CompletableFuture<ChatResponse> answer = new CompletableFuture<>();
      instruments
          .add(configuration.apply(AiServices.builder(StreamingAssistant.class)
              .streamingChatModel(recordsPieces ? instruments.streaming(model) : model)))
          .build()
          .chat("go")
          .onPartialResponse(piece -> seen.add("piece " + piece))
          .onIntermediateResponse(response -> seen.add("intermediate"))
          .onCompleteResponse(response -> {
            seen.add("complete " + response.aiMessage().text());
            answer.complete(response);
          })
          .onError(error -> {
            seen.add("error " + error.getMessage());
            answer.completeExceptionally(error);
          })
          .start();
      try {
        answer.get();
      } catch (ExecutionException e) {
        throw (Exception) e.getCause();
      }
    };
  }

  private List<String> takeSeen() {
    List<String> taken = List.copyOf(seen);
    seen.clear();
    return taken;
  }

  /** Records and replays an agent, which sees the same. */
  private ReplayReport again(Agent agent) throws Exception {
    Session session = record(sessions, agent);
    assertThat(executed.take()).isNotEmpty();
    List<String> before = takeSeen();
    ReplayReport report = mock(session, agent);
    assertThat(executed.take()).isEmpty();
    assertThat(takeSeen()).isEqualTo(before);
    assertIdentical(report);
    return report;
  }

  @Test
  void pieces_are_those_of_the_recording() throws Exception {
    again(agent(executed.streaming(AiMessage.from("one two three")), true, builder -> builder));
  }

  @Test
  void answer_without_recorded_pieces_is_one_piece() throws Exception {
    Agent agent = agent(executed.streaming(AiMessage.from("one two")), false, builder -> builder);
    Session session = record(sessions, agent);
    takeSeen();

    assertIdentical(mock(session, agent));
    assertThat(takeSeen()).containsExactly("piece one two", "complete one two");
  }

  @Test
  void tools_are_served() throws Exception {
    again(agent(
        executed.streaming(
            AiMessage.from("I read", List.of(ScriptedModel.request("a", "read", ARGUMENTS))),
            ScriptedModel.call("b", "broken", ARGUMENTS),
            AiMessage.from("that is all")),
        true,
        builder -> builder.tools(executed.files())));
  }

  @Test
  void concurrent_tools_are_served() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      again(agent(
          executed.streaming(
              AiMessage.from(List.of(
                  ScriptedModel.request("a", "meet", ARGUMENTS),
                  ScriptedModel.request("b", "meet", ARGUMENTS))),
              AiMessage.from("done")),
          true,
          builder -> builder.tools(executed.meeting(2)).executeToolsConcurrently(threads)));
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void failure_follows_the_pieces_that_had_arrived() throws Exception {
    StreamingChatModel model = new StreamingChatModel() {
      @Override
      public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
        executed.add("model");
        handler.onPartialResponse("one ");
        handler.onPartialResponse("two");
        handler.onError(new RateLimitException("slow down"));
      }
    };

    ReplayReport report = again(agent(model, true, builder -> builder));

    assertThat(report.failure()).isInstanceOf(RateLimitException.class).hasMessage("slow down");
  }

  @Test
  void miss_reaches_the_handler_of_errors() throws Exception {
    Session session = record(
        sessions, agent(executed.streaming(AiMessage.from("one")), true, builder -> builder));
    executed.take();
    takeSeen();

    ReplayReport report = mock(
        session, agent(executed.streaming(), true, builder -> builder.systemMessage("be polite")));

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.failure())
        .isInstanceOfSatisfying(
            ReplayMissException.class,
            miss -> assertThat(miss.miss().kind()).isEqualTo(MissKind.DIVERGED));
    assertThat(executed.take()).isEmpty();
  }

  @Test
  void model_is_not_needed() throws Exception {
    Session session = record(
        sessions, agent(executed.streaming(AiMessage.from("one two")), true, builder -> builder));
    takeSeen();

    assertIdentical(mock(session, agent(RecordedModel.of(session), true, builder -> builder)));
    assertThat(takeSeen()).containsExactly("piece one ", "piece two", "complete one two");
  }
}

package dev.agentreplay.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.langchain4j.AgentLanesTest.Ask;
import dev.agentreplay.langchain4j.AgentLanesTest.Researcher;
import dev.agentreplay.langchain4j.Instruments.Agent;
import dev.agentreplay.langchain4j.StreamRecordingTest.StreamingAssistant;
import dev.agentreplay.model.Chunks;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.ToolResult;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.rag.content.Content;
import dev.langchain4j.service.AiServices;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A replayer in a scope that records writes the same events as the recorder. */
class ScopeRecordingTest {

  private static final String ARGUMENTS = "{\"path\": \"x\"}";
  private static final AiMessage DONE = AiMessage.from("done");

  /** An agent with a name. */
  record Named(String name, Agent agent) {
    @Override
    public String toString() {
      return name;
    }
  }

  @TempDir
  private Path sessions;

  private static Agent chat(
      Function<ChatRequest, AiMessage> script, UnaryOperator<AiServices<Assistant>> configuration) {
    return instruments -> instruments
        .add(configuration.apply(AiServices.builder(Assistant.class)
            .systemMessage("be brief")
            .chatModel(new ScriptedModel(script))
            .tools(new Executed().files())))
        .build()
        .chat("go");
  }

  private static Agent chat(AiMessage... answers) {
    return instruments ->
        chat(ScriptedModel.inTurn(answers), builder -> builder).run(instruments);
  }

  private static Stream<Named> agents() {
    return Stream.of(
        new Named("answer", chat(DONE)),
        new Named(
            "tools",
            chat(
                ScriptedModel.call("a", "read", ARGUMENTS),
                ScriptedModel.call("b", "broken", ARGUMENTS),
                ScriptedModel.call(null, "picture", ARGUMENTS),
                ScriptedModel.call("d", "touch", ARGUMENTS),
                ScriptedModel.call("e", "cut", "{\"path\": \"\ud83d\"}"),
                DONE)),
        new Named("rejected arguments", chat(ScriptedModel.call("a", "read", "no JSON"))),
        new Named("unknown tool", chat(ScriptedModel.call("a", "delete", ARGUMENTS))),
        new Named("prevented call", instruments -> chat(
                ScriptedModel.inTurn(ScriptedModel.call("a", "read", ARGUMENTS)),
                builder -> builder.beforeToolExecution(event -> {
                  throw new IllegalStateException("not allowed");
                }))
            .run(instruments)),
        new Named("throwing handler", instruments -> chat(
                ScriptedModel.inTurn(ScriptedModel.call("a", "broken", ARGUMENTS)),
                builder -> builder.toolExecutionErrorHandler((error, context) -> {
                  throw new IllegalStateException("handler");
                }))
            .run(instruments)),
        new Named("failing model", instruments -> chat(
                request -> {
                  throw new IllegalStateException("down");
                },
                builder -> builder)
            .run(instruments)),
        new Named("guardrail", instruments -> chat(
                ScriptedModel.inTurn(AiMessage.from("rude"), DONE),
                builder -> builder.outputGuardrails(new MockReplayTest.Politeness()))
            .run(instruments)),
        new Named("retrieval", instruments -> chat(
                ScriptedModel.inTurn(DONE),
                builder -> builder.contentRetriever(instruments.retriever(
                    "documents", query -> List.of(Content.from("about bees")))))
            .run(instruments)),
        new Named("failing retrieval", instruments -> chat(
                ScriptedModel.inTurn(DONE),
                builder -> builder.contentRetriever(instruments.retriever("documents", query -> {
                  throw new IllegalStateException("no index");
                })))
            .run(instruments)));
  }

  private static Stream<Named> sharedAgents() {
    return Stream.of(
        new Named("stream", instruments -> stream(instruments, ScriptedStreamingModel.of(DONE))),
        new Named("failing stream", instruments -> stream(instruments, interrupted())),
        new Named(
            "stream with tools",
            instruments -> stream(
                instruments,
                ScriptedStreamingModel.of(ScriptedModel.call("a", "read", ARGUMENTS), DONE))),
        new Named("agent with the id of the call that is open", instruments -> {
          Researcher researcher = instruments
              .add(AiServices.builder(Researcher.class)
                  .chatModel(ScriptedModel.of(
                      ScriptedModel.call("a", "read", ARGUMENTS), AiMessage.from("found")))
                  .tools(new Executed().files()))
              .build();
          instruments
              .add(AiServices.builder(Assistant.class)
                  .chatModel(
                      ScriptedModel.of(ScriptedModel.call("a", "ask", "{\"topic\": \"x\"}"), DONE))
                  .tools(new Ask(researcher)))
              .build()
              .chat("go");
        }));
  }

  /** A model whose stream fails after two pieces. */
  private static StreamingChatModel interrupted() {
    return new StreamingChatModel() {
      @Override
      public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
        handler.onPartialResponse("one ");
        handler.onPartialResponse("two");
        handler.onError(new IllegalStateException("reset"));
      }
    };
  }

  private static void stream(Instruments instruments, StreamingChatModel model) throws Exception {
    CompletableFuture<ChatResponse> answer = new CompletableFuture<>();
    instruments
        .add(AiServices.builder(StreamingAssistant.class)
            .streamingChatModel(instruments.streaming(model))
            .tools(new Executed().files()))
        .build()
        .chat("go")
        .onCompleteResponse(answer::complete)
        .onError(answer::completeExceptionally)
        .start();
    answer.get();
  }

  @ParameterizedTest
  @MethodSource("agents")
  void session_of_one_invocation(Named named) throws Exception {
    Session expected = sessions("expected", directory -> {
      try (AiServiceRecorder recorder =
          AiServiceRecorder.of((event, start) -> SessionRecorder.start(directory, "s"))) {
        run(named.agent(), Instruments.of(recorder));
        assertThat(recorder.failures()).isZero();
      }
    });
    Session actual = sessions("actual", directory -> {
      try (SessionRecorder recorder = SessionRecorder.start(directory, "s")) {
        AgentScope scope = AgentScope.recording(recorder, Executors.none());
        run(named.agent(), Instruments.of(AiServiceReplayer.of(scope)));
      }
    });

    assertSame(actual, expected);
  }

  @ParameterizedTest
  @MethodSource({"agents", "sharedAgents"})
  void shared_session(Named named) throws Exception {
    Session expected = sessions("expected", directory -> {
      try (SessionRecorder recorder = SessionRecorder.start(directory, "s");
          AiServiceRecorder instruments = AiServiceRecorder.into(recorder)) {
        run(named.agent(), Instruments.of(instruments));
        assertThat(instruments.failures()).isZero();
      }
    });
    Session actual = sessions("actual", directory -> {
      try (SessionRecorder recorder = SessionRecorder.start(directory, "s")) {
        AgentScope scope = AgentScope.recording(recorder, Executors.none());
        run(named.agent(), Instruments.of(AiServiceReplayer.ofShared(scope)));
      }
    });

    assertSame(actual, expected);
  }

  private interface Recording {
    void to(Path directory) throws Exception;
  }

  private Session sessions(String name, Recording recording) throws Exception {
    Path directory = sessions.resolve(name);
    recording.to(directory);
    return Session.open(directory);
  }

  private static void run(Agent agent, Instruments instruments) {
    try {
      agent.run(instruments);
    } catch (Exception e) {
      // recorded
    }
  }

  private static void assertSame(Session actual, Session expected) throws IOException {
    List<ReplayEvent> events = events(actual);
    assertThat(events).hasSizeGreaterThan(2).isEqualTo(events(expected));
    Recorded.read(actual).isValid();
  }

  /** The events without times. */
  private static List<ReplayEvent> events(Session session) throws IOException {
    return Recorded.read(session).events().stream()
        .skip(1)
        .map(ScopeRecordingTest::timeless)
        .toList();
  }

  private static ReplayEvent timeless(ReplayEvent event) {
    Meta meta = event.meta().withTime(null);
    if (event instanceof ModelResult result) {
      return result
          .withTiming(new Timing(null, timeless(result.timing().chunks())))
          .withMeta(meta);
    } else if (event instanceof ToolResult result) {
      return result.withLatencyMillis(null).withMeta(meta);
    } else if (event instanceof SessionEnd end) {
      Long calls = end.totalToolCalls();
      return end.withTotals(calls == null ? 0 : calls, 0).withMeta(meta);
    } else if (event instanceof SessionStart) {
      return SessionStart.of("s");
    }
    return event.withMeta(meta);
  }

  private static Chunks timeless(Chunks chunks) {
    Chunks.Builder timeless = Chunks.builder();
    for (int i = 0; i < chunks.size(); i++) {
      timeless.add(0, chunks.length(i));
    }
    return timeless.build();
  }
}

package dev.agentreplay.springai;

import static dev.agentreplay.springai.ScriptedChatModel.calling;
import static dev.agentreplay.springai.ScriptedChatModel.text;
import static dev.agentreplay.springai.ScriptedChatModel.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.api.AdvisorChain;
import org.springframework.ai.chat.client.advisor.api.BaseAdvisor;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.core.Ordered;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Streams whose advisors and tools run in threads of Reactor, without its context propagation. */
class StreamThreadsTest {

  private static final int STREAMS = 64;
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @TempDir
  Path sessions;

  /** Hooks are global to the JVM: one that a test registers would remain for the next. */
  @BeforeEach
  void resetHooks() {
    Hooks.disableAutomaticContextPropagation();
    Hooks.resetOnEachOperator();
  }

  /** An advisor that asks a model, blocking, before each call of the model. */
  private record Rewriting(ChatModel model, int getOrder) implements BaseAdvisor {

    @Override
    public ChatClientRequest before(ChatClientRequest request, AdvisorChain chain) {
      String user = request.prompt().getUserMessage().getText();
      model.call("rewrite " + user);
      return request;
    }

    @Override
    public ChatClientResponse after(ChatClientResponse response, AdvisorChain chain) {
      return response;
    }
  }

  /** A tool that asks a client; as a stream, in a different thread. */
  private record Asking(ChatClient client, boolean isStream) {

    @Tool(description = "asks")
    String ask(String question) {
      ChatClient.ChatClientRequestSpec request = client.prompt("inner " + question);
      return isStream
          ? request.stream()
              .content()
              .subscribeOn(Schedulers.parallel())
              .collectList()
              .map(pieces -> String.join("", pieces))
              .block(LIMIT)
          : request.call().content();
    }
  }

  /** A model that emits each answer from a thread of its own, as a client of a network does. */
  private record Remote(ChatModel model) implements ChatModel {

    @Override
    public ChatResponse call(Prompt prompt) {
      return model.call(prompt);
    }

    @Override
    public Flux<ChatResponse> stream(Prompt prompt) {
      return Flux.create(sink -> new Thread(
              () -> model.stream(prompt).subscribe(sink::next, sink::error, sink::complete),
              "remote")
          .start());
    }

    @Override
    public ChatOptions getOptions() {
      return model.getOptions();
    }
  }

  /** A model whose answers do not end. */
  private record Endless(ChatModel model) implements ChatModel {

    @Override
    public ChatResponse call(Prompt prompt) {
      return model.call(prompt);
    }

    @Override
    public Flux<ChatResponse> stream(Prompt prompt) {
      Flux<ChatResponse> stream = model.stream(prompt);
      boolean isAnswer = prompt.getInstructions().size() > 1;
      return isAnswer ? stream.concatWith(Flux.never()) : stream;
    }

    @Override
    public ChatOptions getOptions() {
      return model.getOptions();
    }
  }

  /** Calls the tool with the text of the user, then answers with it. */
  private static ChatResponse answer(Prompt prompt) {
    String user = prompt.getInstructions().get(0).getText();
    return prompt.getInstructions().size() == 1
        ? ScriptedChatModel.response(
            calling(tool("c1", "ask", JsonObject.of("question", user).toString())))
        : text("done " + user);
  }

  private static ScriptedChatModel echo() {
    return new ScriptedChatModel(prompt -> text(prompt.getContents()));
  }

  /** A client with an advisor in each round, whose tool asks a client. */
  private static ChatClient client(
      SpringAiCalls calls, UnaryOperator<ChatModel> model, boolean isToolStreaming) {
    ChatClient inner = Agents.client(calls, model.apply(echo())).build();
    return Agents.client(calls, model.apply(new ScriptedChatModel(StreamThreadsTest::answer)))
        .defaultAdvisors(new Rewriting(calls.wrap(echo()), Ordered.LOWEST_PRECEDENCE - 1))
        .defaultTools(new Asking(inner, isToolStreaming))
        .build();
  }

  private static Flux<String> streamed(ChatClient client, int number) {
    return client.prompt("user-" + number + ".").stream()
        .content()
        .publishOn(Schedulers.single())
        .subscribeOn(number % 2 == 0 ? Schedulers.parallel() : Schedulers.boundedElastic());
  }

  @ParameterizedTest
  @CsvSource({"false, 64", "true, 64", "false, 4", "true, 4"})
  void callsOfAdvisorsAndTools_belongToTheirStream(boolean isRemote, int concurrency) {
    // a tool that waits for a stream needs two threads of the bounded pool
    boolean isToolStreaming = concurrency < STREAMS;
    int streams = isToolStreaming ? 2 * concurrency : STREAMS;
    try (SpringAiRecorder recorder = SpringAiRecorder.into(sessions, Agents.BUFFERED)) {
      ChatClient client = client(
          SpringAiCalls.to(recorder),
          isRemote ? Remote::new : UnaryOperator.identity(),
          isToolStreaming);
      List<String> answers = Flux.range(0, streams)
          .flatMap(
              i -> streamed(client, i).collectList().map(pieces -> String.join("", pieces)),
              concurrency)
          .collectList()
          .block(LIMIT);
      assertThat(answers).hasSize(streams).doesNotHaveDuplicates();
      assertThat(recorder.failures()).isZero();
    }

    List<Recorded> all = Recorded.all(sessions);
    assertThat(all).hasSize(2 * streams).allSatisfy(Recorded::isValid);
    List<Recorded> outer =
        all.stream().filter(each -> !each.toolCalls().isEmpty()).toList();
    assertThat(outer).hasSize(streams);
    for (Recorded recorded : outer) {
      String user = recorded.start().task().text();
      assertThat(recorded.kinds().stream().filter("ModelCall"::equals)).hasSize(4);
      assertThat(recorded.modelCalls())
          .extracting(ModelCall::prompt)
          .allSatisfy(prompt -> assertThat(prompt.toString()).contains(user));
      assertThat(recorded.end().summary()).isEqualTo("done " + user);
    }
    assertThat(all.stream().filter(each -> each.toolCalls().isEmpty())).allSatisfy(inner -> {
      assertThat(inner.start().labels().tags()).contains("parent_call:c1");
      assertThat(inner.start().task().text()).startsWith("inner user-");
      assertThat(inner.modelCalls()).hasSize(1);
    });
  }

  @Test
  void aClientThatAToolStreams_isALaneOfASharedSession() throws Exception {
    Path directory = sessions.resolve("s");
    try (SessionRecorder session =
        SessionRecorder.start(directory, SessionStart.of("s"), Agents.BUFFERED)) {
      SpringAiRecorder recorder = SpringAiRecorder.into(session);
      streamed(client(SpringAiCalls.to(recorder), Remote::new, true), 1).blockLast(LIMIT);
      session.end(Status.SUCCESS, 1.0);
      assertThat(recorder.failures()).isZero();
    }

    Recorded recorded = Recorded.read(Session.open(directory)).isValid();
    assertThat(recorded.modelCalls())
        .extracting(call -> call.meta().agent())
        .containsExactly(null, null, "agent", null, null);
  }

  @Test
  void aStreamIsReplayed_withTheCallsOfItsAdvisors() throws Exception {
    Agents.Agent agent =
        calls -> Agents.client(calls, new Remote(ScriptedChatModel.inTurn("one", "two")))
            .defaultAdvisors(new Rewriting(calls.wrap(echo()), 0))
            .build()
            .prompt("hi")
            .stream()
            .content()
            .subscribeOn(Schedulers.boundedElastic())
            .blockLast(LIMIT);
    Recorded recorded = Agents.record(sessions, agent);

    assertThat(recorded.modelCalls()).hasSize(2);
    Agents.assertIdentical(Agents.mock(recorded.session(), agent));
  }

  @Test
  void aStreamThatIsCancelled_endsItsOwnSessionOnly() {
    try (SpringAiRecorder recorder = SpringAiRecorder.into(sessions, Agents.BUFFERED)) {
      SpringAiCalls calls = SpringAiCalls.to(recorder);
      ChatClient client = client(calls, UnaryOperator.identity(), false);
      ChatClient endless = client(calls, Endless::new, false);
      Flux.range(0, STREAMS)
          .flatMap(i -> i % 4 == 0 ? streamed(endless, i).take(1) : streamed(client, i), STREAMS)
          .blockLast(LIMIT);
      // the last piece passes its thread on before the session has ended
      long deadline = System.nanoTime() + LIMIT.toNanos();
      while (!recorder.openSessions().isEmpty() && System.nanoTime() < deadline) {
        Thread.onSpinWait();
      }
      assertThat(recorder.openSessions()).isEmpty();
      assertThat(recorder.failures()).isZero();
    }

    List<Recorded> outer = Recorded.all(sessions).stream()
        .filter(each -> !each.toolCalls().isEmpty())
        .toList();
    assertThat(outer).hasSize(STREAMS).allSatisfy(each -> {
      each.isValid();
      assertThat(each.modelResults()).hasSize(4);
    });
    assertThat(outer.stream().filter(each -> each.end().status().equals(Status.CANCELLED)))
        .hasSize(STREAMS / 4);
    assertThat(outer.stream().filter(each -> each.end().status().equals(Status.SUCCESS)))
        .hasSize(STREAMS - STREAMS / 4);
  }

  /** Any thread may cancel a stream while the model completes it in a different one. */
  @Test
  void aStreamThatIsCancelledWhenItCompletes_isRecordedWhole() {
    try (SpringAiRecorder recorder = SpringAiRecorder.into(sessions, Agents.BUFFERED)) {
      ChatClient client = client(SpringAiCalls.to(recorder), UnaryOperator.identity(), false);
      Flux.range(0, STREAMS / 2).flatMap(i -> streamed(client, i).take(1), 8).blockLast(LIMIT);
      long deadline = System.nanoTime() + LIMIT.toNanos();
      while (!recorder.openSessions().isEmpty() && System.nanoTime() < deadline) {
        Thread.onSpinWait();
      }
      assertThat(recorder.failures()).isZero();
    }

    assertThat(Recorded.all(sessions)).hasSize(STREAMS).allSatisfy(Recorded::isValid);
  }

  @Test
  void subscribersOfAStream_areOutsideOfIt_andItsThreadsForgetIt() {
    Queue<Boolean> isKnown = new ConcurrentLinkedQueue<>();
    Runnable look = () -> isKnown.add(CurrentInvocation.ofThread() != null);
    try (SpringAiRecorder recorder = SpringAiRecorder.into(sessions, Agents.BUFFERED)) {
      ChatClient client = client(SpringAiCalls.to(recorder), UnaryOperator.identity(), false);
      client.prompt("user-1.").stream()
          .content()
          .doOnSubscribe(subscription -> look.run())
          .doOnNext(piece -> look.run())
          .doOnComplete(look)
          .blockLast(LIMIT);
    }
    for (Scheduler scheduler :
        List.of(Schedulers.parallel(), Schedulers.boundedElastic(), Schedulers.single())) {
      Flux.range(0, 32)
          .flatMap(i -> Mono.fromRunnable(look).subscribeOn(scheduler))
          .blockLast(LIMIT);
    }

    assertThat(isKnown).hasSizeGreaterThan(96).containsOnly(false);
  }
}

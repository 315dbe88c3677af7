package dev.agentreplay.springai;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.api.AdvisorChain;
import org.springframework.ai.chat.client.advisor.api.BaseAdvisor;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/** Calls of models that outlive the invocation or the recorder. */
class LateCallsTest {

  private static final Prompt PROMPT = new Prompt("hi");

  @TempDir
  Path sessions;

  @Test
  void aCallAfterTheEnd_isNeitherRecordedNorAFailure() {
    try (SpringAiRecorder recorder = SpringAiRecorder.into(sessions, Agents.BUFFERED)) {
      Invocation invocation =
          Objects.requireNonNull(recorder.begin(new InvocationStart(PROMPT, Map.of(), "")));
      invocation.completed(() -> "done");
      ScriptedChatModel model = ScriptedChatModel.inTurn("late", "later");

      assertThat(RecordedModelCall.text(Objects.requireNonNull(invocation.call(model, PROMPT))))
          .isEqualTo("late");
      List<ChatResponse> stream =
          invocation.stream(model, PROMPT, null).collectList().block();
      assertThat(stream).isNotEmpty();
      assertThat(recorder.failures()).isZero();
    }

    assertThat(Recorded.only(sessions).kinds()).containsExactly("SessionEnd");
  }

  @Test
  void aCallThatRunsWhenTheRecorderIsClosed_isNotAFailure() {
    SpringAiRecorder recorder = SpringAiRecorder.into(sessions, Agents.BUFFERED);
    Invocation invocation =
        Objects.requireNonNull(recorder.begin(new InvocationStart(PROMPT, Map.of(), "")));
    Sinks.Many<ChatResponse> answer = Sinks.many().unicast().onBackpressureBuffer();
    ScriptedChatModel model = ScriptedChatModel.inTurn("unused");
    invocation.stream(model, PROMPT, answer.asFlux()).subscribe();
    answer.tryEmitNext(ScriptedChatModel.text("a"));
    recorder.close();
    answer.tryEmitNext(ScriptedChatModel.text("b"));
    answer.tryEmitComplete();

    assertThat(recorder.failures()).isZero();
    assertThat(Recorded.all(sessions).get(0).kinds()).containsExactly("ModelCall");
  }

  /**
   * Calls a model in a thread of Reactor when the client has its answer, and when the gate opens.
   */
  private record Judging(ChatClient judge, CountDownLatch gate, CountDownLatch done)
      implements BaseAdvisor {

    @Override
    public ChatClientRequest before(ChatClientRequest request, AdvisorChain chain) {
      return request;
    }

    @Override
    public ChatClientResponse after(ChatClientResponse response, AdvisorChain chain) {
      Mono.fromRunnable(() -> {
            await(gate);
            judge.prompt("Was it right?").call().content();
          })
          .doFinally(end -> done.countDown())
          .subscribeOn(Schedulers.boundedElastic())
          .subscribe();
      return response;
    }

    @Override
    public int getOrder() {
      return 0;
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(2, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aCallOfAnAdvisorsThreadAfterTheAnswer_isASessionOfItsOwn() {
    CountDownLatch gate = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(1);
    try (SpringAiRecorder recorder = SpringAiRecorder.into(sessions, Agents.BUFFERED)) {
      SpringAiCalls calls = SpringAiCalls.to(recorder);
      ChatClient judge =
          Agents.client(calls, ScriptedChatModel.inTurn("It was.")).build();
      ChatClient client = Agents.client(calls, ScriptedChatModel.inTurn("Hello."))
          .defaultAdvisors(new Judging(judge, gate, done))
          .build();

      assertThat(client.prompt("hi").call().content()).isEqualTo("Hello.");
      gate.countDown();
      await(done);
      assertThat(recorder.failures()).isZero();
    }

    List<Recorded> recorded = Recorded.all(sessions);
    assertThat(recorded).hasSize(2);
    for (Recorded each : recorded) {
      assertThat(each.kinds()).containsSubsequence("ModelCall", "ModelResult", "SessionEnd");
    }
  }

  @Test
  void aModelThatAnswersAfterTheClient_hasNoResult() {
    try (SpringAiRecorder recorder = SpringAiRecorder.into(sessions, Agents.BUFFERED)) {
      Invocation invocation =
          Objects.requireNonNull(recorder.begin(new InvocationStart(PROMPT, Map.of(), "")));
      Sinks.Many<ChatResponse> answer = Sinks.many().unicast().onBackpressureBuffer();
      invocation.stream(ScriptedChatModel.inTurn("unused"), PROMPT, answer.asFlux())
          .subscribe();
      invocation.completed(() -> "done");
      answer.tryEmitNext(ScriptedChatModel.text("late"));
      answer.tryEmitComplete();
      assertThat(recorder.failures()).isZero();
    }

    assertThat(Recorded.only(sessions).kinds()).containsExactly("ModelCall", "SessionEnd");
  }

  @Test
  void anEndThatIsRequestedWhileAnEventIsRecorded_followsIt() {
    RecordedState state = new RecordedState();
    List<String> recorded = new ArrayList<>();
    state.ifOpen(() -> {
      state.end(() -> recorded.add("end"));
      assertThat(state.hasEnded()).isTrue();
      assertThat(state.<String>ifOpen(() -> "late")).isNull();
      return recorded.add("event");
    });
    state.end(() -> recorded.add("second end"));

    assertThat(recorded).containsExactly("event", "end");
  }

  @Test
  void aCancellationDoesNotWaitForTheEventOfADifferentThread() throws Exception {
    RecordedState state = new RecordedState();
    CountDownLatch isRecording = new CountDownLatch(1);
    CountDownLatch gate = new CountDownLatch(1);
    List<String> recorded = Collections.synchronizedList(new ArrayList<>());
    Thread recording = new Thread(() -> state.ifOpen(() -> {
      isRecording.countDown();
      await(gate);
      return recorded.add("event");
    }));
    recording.start();
    await(isRecording);

    state.end(() -> recorded.add("end"));
    gate.countDown();
    recording.join();

    assertThat(recorded).containsExactly("event", "end");
  }
}

package dev.agentreplay.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.agentreplay.io.agent.RecordingFailure;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.tool.ToolErrorHandlerResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pairing of results with their calls. */
@Timeout(60)
class ToolPairingTest {

  private static final AiMessage DONE = AiMessage.from("done");

  @TempDir
  Path sessions;

  private final List<RecordingFailure> failures = new CopyOnWriteArrayList<>();

  private AiServiceRecorder recorder() {
    return AiServiceRecorder.into(sessions).onFailure(failures::add);
  }

  @Test
  void repeated_id_of_an_open_call_is_replaced_by_a_generated_one_and_kept() throws Exception {
    CountDownLatch both = new CountDownLatch(2);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (AiServiceRecorder recording = recorder()) {
      recording
          .record(AiServices.builder(Assistant.class)
              .chatModel(ScriptedModel.of(
                  AiMessage.from(
                      ScriptedModel.request("same", "tool", "1"),
                      ScriptedModel.request("same", "tool", "2")),
                  DONE))
              .executeToolsConcurrently(threads)
              .tools(Tools.tool(request -> {
                arriveAndAwait(both);
                return Tools.text("out of " + request.arguments());
              })))
          .build()
          .chat("go");
    } finally {
      threads.shutdown();
    }

    Recorded recorded = Recorded.only(sessions).isValid();
    assertThat(recorded.toolCalls())
        .extracting(ToolCall::id, call -> call.meta().extra())
        .containsExactlyInAnyOrder(
            tuple("same", JsonObject.EMPTY),
            tuple("call-1", JsonObject.of("tool_call_id", "same")));
    assertIsPaired(recorded);
  }

  @Test
  void calls_of_64_threads_at_once_are_paired_with_their_results() throws Exception {
    int count = 64;
    CountDownLatch all = new CountDownLatch(count);
    ExecutorService threads = Executors.newFixedThreadPool(count);
    // a third has an id of its own, a third none, a third the same one
    AiMessage calls = AiMessage.from(IntStream.range(0, count)
        .mapToObj(i -> ScriptedModel.request(
            i % 3 == 0 ? "id-" + i : i % 3 == 1 ? null : "same", "tool", Integer.toString(i)))
        .toList());
    try (AiServiceRecorder recording = recorder()) {
      Assistant assistant = recording
          .record(AiServices.builder(Assistant.class)
              .chatModel(ScriptedModel.of(calls, DONE))
              .executeToolsConcurrently(threads)
              .tools(Tools.tool(request -> {
                arriveAndAwait(all);
                return Tools.text("out of " + request.arguments());
              })))
          .build();
      assertThat(assistant.chat("go")).isEqualTo("done");
    } finally {
      threads.shutdown();
    }

    Recorded recorded = Recorded.only(sessions).isValid();
    assertThat(recorded.toolCalls()).hasSize(count);
    Set<String> ids = new HashSet<>();
    recorded.toolCalls().forEach(call -> ids.add(call.id()));
    assertThat(ids).hasSize(count);
    assertIsPaired(recorded);
    assertThat(failures).isEmpty();
  }

  @Test
  void equal_requests_without_ids_that_run_at_once_are_each_recorded_with_a_result()
      throws Exception {
    CountDownLatch both = new CountDownLatch(2);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (AiServiceRecorder recording = recorder()) {
      recording
          .record(AiServices.builder(Assistant.class)
              .chatModel(new ScriptedModel(request -> {
                // LangChain4j waits for one of two equal calls; the other has started by now
                boolean first = request.messages().size() == 1;
                return first
                    ? AiMessage.from(
                        ScriptedModel.request(null, "tool", "1"),
                        ScriptedModel.request(null, "tool", "1"))
                    : DONE;
              }))
              .executeToolsConcurrently(threads)
              .tools(Tools.tool(request -> {
                arriveAndAwait(both);
                return Tools.text("out of " + request.arguments());
              })))
          .build()
          .chat("go");
    } finally {
      threads.shutdown();
    }

    Recorded recorded = Recorded.only(sessions).isValid();
    assertThat(recorded.toolCalls())
        .extracting(ToolCall::id)
        .containsExactlyInAnyOrder("call-1", "call-2");
    assertThat(recorded.toolResults()).hasSizeBetween(1, 2);
    assertThat(recorded.toolResults()).extracting(ToolResult::id).doesNotHaveDuplicates();
  }

  private static void arriveAndAwait(CountDownLatch latch) {
    latch.countDown();
    await(latch);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void assertIsPaired(Recorded recorded) {
    Map<String, ToolResult> results = recorded.toolResultsById();
    for (ToolCall call : recorded.toolCalls()) {
      assertThat(results.get(call.id()).output().value())
          .isEqualTo(JsonValue.of("out of " + call.params().value()));
    }
  }

  @Test
  void callbacks_of_the_callers_run_in_addition_to_those_of_the_recorder() {
    List<String> seen = new ArrayList<>();
    try (AiServiceRecorder recording = recorder()) {
      recording
          .record(AiServices.builder(Assistant.class)
              .chatModel(
                  ScriptedModel.of(ScriptedModel.call("a1", "read", "{\"path\":\"a\"}"), DONE))
              .tools(new Tools.Files()))
          .beforeToolExecution(
              recording.beforeToolExecution().andThen(before -> seen.add("before")))
          .afterToolExecution(recording.afterToolExecution().andThen(after -> seen.add("after")))
          .build()
          .chat("go");
    }
    assertThat(seen).containsExactly("before", "after");
    assertThat(Recorded.only(sessions).isValid().toolResults().get(0).outcome())
        .isEqualTo(Outcome.OK);
    assertThat(failures).isEmpty();
  }

  @Test
  void callbacks_that_the_builder_has_are_called_after_those_of_all_recorders() {
    List<String> seen = new ArrayList<>();
    Path others = sessions.resolve("others");
    try (AiServiceRecorder recording = recorder();
        AiServiceRecorder other = AiServiceRecorder.into(others).onFailure(failures::add)) {
      AiServices<Assistant> builder = AiServices.builder(Assistant.class)
          .chatModel(ScriptedModel.of(ScriptedModel.call("a1", "read", "{\"path\":\"a\"}"), DONE))
          .tools(new Tools.Files())
          .beforeToolExecution(before -> seen.add("before"))
          .afterToolExecution(after -> seen.add("after"));
      recording.record(other.record(recording.record(builder))).build().chat("go");
    }
    assertThat(seen).containsExactly("before", "after");
    assertThat(failures).isEmpty();
    List<Recorded> all = Recorded.all(sessions);
    assertThat(all).hasSize(2);
    for (Recorded recorded : all) {
      assertThat(recorded.isValid().toolCalls()).hasSize(1);
      assertThat(recorded.toolResults()).extracting(ToolResult::outcome).containsOnly(Outcome.OK);
    }
  }

  @Test
  void callback_that_the_builder_has_forbids_a_tool() {
    List<String> executed = new ArrayList<>();
    try (AiServiceRecorder recording = recorder()) {
      AiServices<Assistant> builder = AiServices.builder(Assistant.class)
          .chatModel(ScriptedModel.of(ScriptedModel.call("a1", "tool", "1"), DONE))
          .tools(Tools.tool(request -> {
            executed.add(request.id());
            return Tools.text("done");
          }))
          .beforeToolExecution(before -> {
            throw new IllegalStateException("forbidden");
          });
      Assistant assistant = recording.record(builder).build();
      assertThatThrownBy(() -> assistant.chat("go")).hasMessage("forbidden");
    }
    assertThat(executed).isEmpty();
    Recorded recorded = Recorded.only(sessions).isValid();
    assertThat(recorded.toolResults())
        .extracting(ToolResult::outcome)
        .containsExactly(Outcome.failed("java.lang.IllegalStateException", "forbidden"));
  }

  @ParameterizedTest
  @CsvSource({"true, false", "false, true", "true, true"})
  void displaced_callbacks_lose_no_call_and_are_reported_once(boolean before, boolean after) {
    try (AiServiceRecorder recording = recorder()) {
      AiServices<Assistant> builder = recording.record(AiServices.builder(Assistant.class)
          .chatModel(ScriptedModel.of(
              ScriptedModel.call("a1", "read", "{\"path\":\"a\"}"),
              ScriptedModel.call("a2", "read", "{\"path\":\"b\"}"),
              DONE))
          .tools(new Tools.Files()));
      if (before) {
        builder.beforeToolExecution(execution -> {});
      }
      if (after) {
        builder.afterToolExecution(execution -> {});
      }
      assertThat(builder.build().chat("go")).isEqualTo("done");
      assertThat(recording.failures()).isEqualTo(1);
    }

    Recorded recorded = Recorded.only(sessions).isValid();
    assertThat(recorded.toolCalls()).extracting(ToolCall::id).containsExactly("a1", "a2");
    assertThat(recorded.toolResults())
        .extracting(result -> result.output().value())
        .containsExactly(JsonValue.of("content of a"), JsonValue.of("content of b"));
    assertThat(recorded.toolResults())
        .extracting(ToolResult::outcome)
        .containsOnly(after ? Outcome.NONE : Outcome.OK);
    assertThat(recorded.all(RecordingGap.class)).hasSize(after ? 2 : 0);
    assertThat(recorded.toolResults()).extracting(ToolResult::latencyMillis).containsOnly(0L);
    assertThat(failures).hasSize(1);
    assertThat(failures.get(0).cause()).hasMessageContaining("were replaced");
  }

  @Test
  void exception_of_a_tool_is_recorded_if_only_the_messages_have_its_result() {
    try (AiServiceRecorder recording = recorder()) {
      AiServices<Assistant> builder = recording.record(AiServices.builder(Assistant.class)
          .chatModel(ScriptedModel.of(ScriptedModel.call("a1", "tool", "1"), DONE))
          .toolExecutionErrorHandler((error, context) -> ToolErrorHandlerResult.text("later"))
          .tools(Tools.tool(request -> {
            throw new IllegalStateException("no room");
          })));
      builder.afterToolExecution(execution -> {});
      assertThat(builder.build().chat("go")).isEqualTo("done");
    }

    Recorded recorded = Recorded.only(sessions).isValid();
    ToolResult result = recorded.toolResults().get(0);
    assertThat(result.output().value()).isEqualTo(JsonValue.of("later"));
    assertThat(result.outcome().ok()).isFalse();
    assertThat(result.meta().extra().get("exception").at("/message").asString())
        .isEqualTo("no room");
    assertThat(recorded.all(RecordingGap.class)).isEmpty();
  }

  @Test
  void result_that_comes_after_the_error_of_another_call_is_reported() throws Exception {
    CountDownLatch failed = new CountDownLatch(1);
    CountDownLatch started = new CountDownLatch(2);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (AiServiceRecorder recording = recorder()) {
      Assistant assistant = recording
          .record(AiServices.builder(Assistant.class)
              .chatModel(ScriptedModel.of(
                  AiMessage.from(
                      ScriptedModel.request("bad", "tool", "bad"),
                      ScriptedModel.request("slow", "tool", "slow")),
                  DONE))
              .executeToolsConcurrently(threads)
              .toolExecutionErrorHandler((error, context) -> {
                throw new IllegalStateException("gave up");
              })
              .tools(Tools.tool(request -> {
                arriveAndAwait(started);
                if (request.id().equals("bad")) {
                  throw new IllegalStateException("bad");
                }
                await(failed);
                return Tools.text("late");
              })))
          .build();
      assertThatThrownBy(() -> assistant.chat("go")).hasMessage("gave up");
      failed.countDown();
      threads.shutdown();
      assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }

    Recorded recorded = Recorded.only(sessions).isValid();
    assertThat(recorded.toolCalls()).hasSize(2);
    assertThat(recorded.toolResults()).isEmpty();
    assertThat(recorded.end().status()).isEqualTo(Status.FAILED);
    assertThat(failures).extracting(RecordingFailure::event).containsExactly("ToolResult");
  }

  @Test
  void tool_that_continues_when_the_agent_is_interrupted_has_not_failed() throws Exception {
    Thread agent = Thread.currentThread();
    CountDownLatch quickIsDone = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (AiServiceRecorder recording = recorder()) {
      Assistant assistant = recording
          .record(AiServices.builder(Assistant.class)
              .chatModel(ScriptedModel.of(
                  AiMessage.from(
                      ScriptedModel.request("quick", "tool", "1"),
                      ScriptedModel.request("slow", "tool", "2")),
                  DONE))
              .executeToolsConcurrently(threads)
              .afterToolExecution(execution -> quickIsDone.countDown())
              .tools(Tools.tool(request -> {
                if (request.id().equals("slow")) {
                  await(quickIsDone);
                  agent.interrupt();
                  await(interrupted);
                }
                return Tools.text("done");
              })))
          .build();
      assertThatThrownBy(() -> assistant.chat("go"))
          .hasRootCauseInstanceOf(InterruptedException.class);
      assertThat(Thread.interrupted()).isTrue();
      interrupted.countDown();
      threads.shutdown();
      assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }

    Recorded recorded = Recorded.only(sessions).isValid();
    assertThat(recorded.toolResults()).extracting(ToolResult::id).containsExactly("quick");
    assertThat(recorded.end().status()).isEqualTo(Status.FAILED);
  }

  @Test
  void equal_requests_are_distinguished() {
    OpenCalls calls = new OpenCalls();
    ToolExecutionRequest first = ScriptedModel.request(null, "tool", "1");
    ToolExecutionRequest second = ScriptedModel.request(null, "tool", "1");
    calls.add(new OpenCalls.OpenCall(first, "first", 0));
    calls.add(new OpenCalls.OpenCall(second, "second", 0));
    calls.add(new OpenCalls.OpenCall(second, "third", 0));

    assertThat(calls.take(second).id()).isEqualTo("second");
    assertThat(calls.take(second).id()).isEqualTo("third");
    assertThat(calls.take(second)).isNull();
    assertThat(calls.takeNewest().id()).isEqualTo("first");
    assertThat(calls.takeNewest()).isNull();
  }
}

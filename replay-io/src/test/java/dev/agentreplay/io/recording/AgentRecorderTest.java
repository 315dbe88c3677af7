package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.PlanStart;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.receipt.SessionReceipt;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentRecorderTest {

  private static final int LANES = 16;
  private static final int CALLS = 25;

  @TempDir
  private Path directory;

  private SessionRecorder recorder;

  @BeforeEach
  void start() throws IOException {
    recorder = SessionRecorder.start(directory, "s");
  }

  @AfterEach
  void close() throws IOException {
    recorder.close();
  }

  @Test
  void every_event_of_a_lane_has_its_agent_and_the_call_that_started_it() throws Exception {
    PendingCall research = recorder.call("research", "login");
    AgentRecorder researcher = recorder.agent("researcher", research.id());
    researcher.modelCall("gpt", "Where?").answer("there");
    researcher.run("search", "login", () -> "a.txt");
    PendingCall read = researcher.call(ToolCall.of("mine", "read", JsonNull.NULL));
    AgentRecorder reader = researcher.agent("reader", read.id());
    reader.modelCall(ModelCall.of("m", "gpt", Prompt.of("Read"))).failed(new IOException("no"));
    reader.emit(StepComplete.of("s", Status.SUCCESS, 1));
    read.failed(new IOException("no"));
    research.result("done");
    recorder.end(Status.SUCCESS, 1);

    assertThat(lanes())
        .containsExactly(
            "SessionStart null null",
            "ToolCall null null",
            "ModelCall researcher call-1",
            "ModelResult researcher call-1",
            "ToolCall researcher call-1",
            "ToolResult researcher call-1",
            "ToolCall researcher call-1",
            "ModelCall reader mine",
            "ModelResult reader mine",
            "StepComplete reader mine",
            "ToolResult researcher call-1",
            "ToolResult null null",
            "SessionEnd null null");
  }

  @Test
  void agent_without_a_call_has_no_parent() throws IOException {
    recorder.agent("worker", null).call("a", null).result(1);

    assertThat(lanes()).contains("ToolCall worker null", "ToolResult worker null");
  }

  @Test
  void agent_needs_an_id() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> recorder.agent(" ", null))
        .withMessage("an agent needs an id, found \" \"");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> recorder.agent("a", ""))
        .withMessage("the call that starts an agent needs an id, found \"\"");
  }

  @Test
  void agent_may_outlive_the_call_that_started_it() throws IOException {
    PendingCall spawn = recorder.call("spawn", null);
    spawn.result("task-1");
    recorder.agent("task-1", spawn.id()).call("a", null).result(1);
    assertThat(events())
        .filteredOn(event -> "task-1".equals(event.meta().agent()))
        .extracting(event -> event.meta().parent())
        .containsExactly(spawn.id(), spawn.id());
  }

  @Test
  void event_of_a_different_agent_is_refused() throws IOException {
    AgentRecorder one = recorder.agent("one", null);
    ReplayEvent other =
        PlanStart.of(ContentHash.sha256(new byte[0]), 1).withMeta(Meta.NONE.withAgent("two"));
    ReplayEvent same = other.withMeta(Meta.NONE.withAgent("one"));

    assertThatThrownBy(() -> one.emit(other))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "the event states the agent \"two\", but is recorded by agent \"one\"");
    assertThatThrownBy(() -> one.emit(same.withMeta(same.meta().withParent("call-1"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the event states the parent \"call-1\"");
    one.emit(same);

    assertThat(lanes()).containsExactly("SessionStart null null", "PlanStart one null");
  }

  @Test
  void result_is_that_of_a_call_of_its_lane() throws IOException {
    AgentRecorder one = recorder.agent("one", null);
    AgentRecorder two = recorder.agent("two", null);
    one.modelCall(ModelCall.of("m", "gpt", Prompt.of("1")));
    two.modelCall(ModelCall.of("m", "gpt", Prompt.of("2")));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> recorder.emit(ModelResult.of("m", "?")))
        .withMessage("ModelResult: calls of several agents with the id \"m\" wait for their"
            + " results: state the agent");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> recorder.agent("three", null).emit(ModelResult.of("m", "?")))
        .withMessage(
            "ModelResult: no call with the id \"m\" of agent \"three\" waits for its result");
    two.emit(ModelResult.of("m", "2"));
    assertThatIllegalArgumentException().isThrownBy(() -> two.emit(ModelResult.of("m", "2")));
    recorder.emit(ModelResult.of("m", "1"));

    assertThat(lanes()).endsWith("ModelResult two null", "ModelResult null null");
  }

  @Test
  void call_of_a_resumed_session_waits_in_its_lane() throws IOException {
    PendingCall spawned = recorder.call("spawn", null);
    recorder.agent("one", spawned.id()).call(ToolCall.of("x", "read", JsonNull.NULL));
    recorder.agent("two", spawned.id()).modelCall(ModelCall.of("m", "gpt", Prompt.of("2")));
    recorder.close();
    recorder = SessionRecorder.resume(directory, RecorderOptions.defaults());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> recorder.agent("two", null).emit(ToolResult.of("x", 1)));
    recorder.agent("one", spawned.id()).emit(ToolResult.of("x", 1).withLatencyMillis(1L));
    recorder.emit(ModelResult.of("m", 1));

    assertThat(lanes()).endsWith("ToolResult one call-1", "ModelResult null null");
  }

  @Test
  void lanes_of_many_threads_keep_their_order_and_pairs() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(LANES);
    try {
      PendingCall spawned = recorder.call("spawn", LANES);
      List<Future<?>> running = new ArrayList<>();
      for (int lane = 0; lane < LANES; lane++) {
        AgentRecorder agent = recorder.agent("agent-" + lane, spawned.id());
        running.add(threads.submit(() -> work(agent)));
      }
      for (Future<?> lane : running) {
        lane.get();
      }
      spawned.result("done");
    } finally {
      threads.shutdown();
    }
    SessionReceipt receipt = recorder.end(Status.SUCCESS, 1);

    Map<String, List<String>> lanes = new TreeMap<>();
    for (ReplayEvent event : events()) {
      String agent = event.meta().agent();
      if (agent != null) {
        assertThat(event.meta().parent()).isEqualTo("call-1");
        lanes.computeIfAbsent(agent, name -> new ArrayList<>()).add(work(event));
      }
    }
    List<String> work = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      work.addAll(List.of("call " + i, "result " + i, "asked", "answered " + i));
    }
    assertThat(lanes).hasSize(LANES).allSatisfy((agent, done) -> assertThat(done)
        .isEqualTo(work));
    assertThat(receipt.toolCalls()).hasSize(LANES * CALLS + 1);
  }

  /** Makes calls whose ids are those of other lanes, too. */
  private static Void work(AgentRecorder agent) throws Exception {
    for (int i = 0; i < CALLS; i++) {
      int number = i;
      agent.run("tool", number, () -> number);
      agent.modelCall(ModelCall.of("m", "gpt", Prompt.of("p"))).answer(number);
    }
    return null;
  }

  private static String work(ReplayEvent event) {
    if (event instanceof ToolCall call) {
      return "call " + call.params().value();
    } else if (event instanceof ToolResult result) {
      return "result " + result.output().value();
    }
    return event instanceof ModelResult result ? "answered " + result.answer().value() : "asked";
  }

  private List<String> lanes() throws IOException {
    return events().stream()
        .skip(1)
        .map(event ->
            event.kind().id() + " " + event.meta().agent() + " " + event.meta().parent())
        .toList();
  }

  private List<ReplayEvent> events() throws IOException {
    List<ReplayEvent> events = new ArrayList<>();
    try (ReplayReader reader = Session.open(directory).readerWithFullPrompts()) {
      for (ReplayLine line : reader) {
        events.add(line.event());
      }
    }
    return events;
  }
}

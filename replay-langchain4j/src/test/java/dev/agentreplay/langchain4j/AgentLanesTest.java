package dev.agentreplay.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.service.AiServices;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Agents that are tools of other agents, recorded into one session. */
class AgentLanesTest {

  /** An agent that is a tool. */
  interface Researcher {
    String research(String topic);
  }

  /** Tools that ask an agent. */
  record Ask(Researcher researcher) {
    @Tool
    String ask(String topic) {
      return researcher.research(topic);
    }

    @Tool
    String fail(String topic) {
      throw new IllegalStateException(topic);
    }
  }

  /** A tool whose call for the topic x asks its agent after that of the other call has answered. */
  record AskLater(Researcher researcher, CountDownLatch answered) {
    @Tool
    String ask(String topic) throws Exception {
      if (topic.equals("x")) {
        answered.await();
      }
      String answer = researcher.research(topic);
      answered.countDown();
      return answer;
    }
  }

  /** A tool that waits until it runs in several threads. */
  record Reading(CyclicBarrier barrier) {
    @Tool
    String read(String path) throws Exception {
      barrier.await();
      return "content of " + path;
    }
  }

  @TempDir
  private Path sessions;

  @Test
  void agents_that_run_at_the_same_time_have_a_lane_each() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (SessionRecorder session = SessionRecorder.start(sessions.resolve("s"), "s")) {
      AiServiceRecorder recording = AiServiceRecorder.into(session);
      Researcher researcher = researcher(recording, 2);
      Assistant assistant = recording
          .record(AiServices.builder(Assistant.class)
              .chatModel(ScriptedModel.of(
                  AiMessage.from(List.of(
                      ScriptedModel.request("a", "ask", "{\"arg0\":\"x\",\"topic\":\"x\"}"),
                      ScriptedModel.request("b", "ask", "{\"arg0\":\"y\",\"topic\":\"y\"}"))),
                  AiMessage.from("done")))
              .executeToolsConcurrently(threads)
              .tools(new Ask(researcher)))
          .build();
      assertThat(assistant.chat("go")).isEqualTo("done");
      assertThat(recording.failures()).isZero();
      session.end(Status.SUCCESS, 1.0);
    } finally {
      threads.shutdown();
    }

    Recorded recorded = Recorded.read(Session.open(sessions.resolve("s"))).isValid();
    Map<String, List<String>> lanes = recorded.events().stream()
        .filter(event -> event.meta().agent() != null)
        .collect(Collectors.groupingBy(
            event -> event.meta().agent(),
            Collectors.mapping(event -> event.kind().id(), Collectors.toList())));
    List<String> research =
        List.of("ModelCall", "ModelResult", "ToolCall", "ToolResult", "ModelCall", "ModelResult");
    assertThat(lanes)
        .containsOnlyKeys("Researcher", "Researcher-2")
        .allSatisfy((agent, kinds) -> assertThat(kinds).isEqualTo(research));
    assertThat(recorded.toolCalls())
        .filteredOn(call -> call.meta().agent() != null)
        .extracting(call -> call.meta().parent())
        .containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void lanes_are_numbered_as_the_model_requested_them() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (SessionRecorder session = SessionRecorder.start(sessions.resolve("s"), "s")) {
      AiServiceRecorder recording = AiServiceRecorder.into(session);
      recording
          .record(AiServices.builder(Assistant.class)
              .chatModel(ScriptedModel.of(
                  AiMessage.from(List.of(
                      ScriptedModel.request("a", "ask", "{\"arg0\":\"x\",\"topic\":\"x\"}"),
                      ScriptedModel.request("b", "ask", "{\"arg0\":\"y\",\"topic\":\"y\"}"))),
                  AiMessage.from("done")))
              .executeToolsConcurrently(threads)
              .tools(new AskLater(researcher(recording, 1), new CountDownLatch(1))))
          .build()
          .chat("go");
      session.end(Status.SUCCESS, 1.0);
    } finally {
      threads.shutdown();
    }

    assertThat(Recorded.read(Session.open(sessions.resolve("s"))).isValid().toolCalls())
        .filteredOn(call -> call.meta().agent() != null)
        .extracting(call -> call.meta().agent() + " " + call.meta().parent())
        .containsExactly("Researcher-2 b", "Researcher a");
  }

  @Test
  void agent_of_an_agent_is_named_by_the_path_to_it() throws Exception {
    try (SessionRecorder session = SessionRecorder.start(sessions.resolve("s"), "s")) {
      AiServiceRecorder recording = AiServiceRecorder.into(session);
      Assistant inner = assistant(recording, researcher(recording, 1), "ask");
      Assistant outer = assistant(recording, inner::chat, "ask");
      assertThat(outer.chat("go")).isEqualTo("done");
      assertThat(recording.failures()).isZero();
    }

    assertThat(Recorded.read(Session.open(sessions.resolve("s"))).toolCalls())
        .extracting(call -> call.meta().agent() + " " + call.tool())
        .containsExactly("null ask", "Assistant ask", "Assistant/Researcher read");
  }

  @Test
  void equal_requests_have_different_lanes() throws Exception {
    try (SessionRecorder session = SessionRecorder.start(sessions.resolve("s"), "s")) {
      AiServiceRecorder recording = AiServiceRecorder.into(session);
      recording
          .record(AiServices.builder(Assistant.class)
              .chatModel(ScriptedModel.of(
                  AiMessage.from(List.of(
                      ScriptedModel.request(null, "ask", arguments()),
                      ScriptedModel.request(null, "ask", arguments()))),
                  AiMessage.from("done")))
              .tools(new Ask(researcher(recording, 1))))
          .build()
          .chat("go");
    }

    assertThat(Recorded.read(Session.open(sessions.resolve("s"))).toolCalls())
        .filteredOn(call -> call.meta().agent() != null)
        .extracting(call -> call.meta().agent())
        .containsExactly("Researcher", "Researcher-2");
  }

  @Test
  void agent_that_runs_again_has_the_same_lane() throws Exception {
    try (SessionRecorder session = SessionRecorder.start(sessions.resolve("s"), "s")) {
      AiServiceRecorder recording = AiServiceRecorder.into(session);
      Assistant assistant = assistant(recording, researcher(recording, 1), "ask", "ask");
      assertThat(assistant.chat("go")).isEqualTo("done");
      assertThat(recording.failures()).isZero();
      session.end(Status.SUCCESS, 1.0);
    }

    Recorded recorded = Recorded.read(Session.open(sessions.resolve("s"))).isValid();
    assertThat(recorded.toolCalls())
        .filteredOn(call -> call.meta().agent() != null)
        .extracting(ToolCall::meta)
        .extracting(meta -> meta.agent() + " " + meta.parent())
        .containsExactly("Researcher c0", "Researcher c1");
  }

  @Test
  void agent_after_a_failed_call_was_not_started_by_it() throws Exception {
    try (SessionRecorder session = SessionRecorder.start(sessions.resolve("s"), "s")) {
      AiServiceRecorder recording = AiServiceRecorder.into(session);
      Assistant failing = recording
          .record(AiServices.builder(Assistant.class)
              .chatModel(ScriptedModel.of(ScriptedModel.call("f", "fail", arguments())))
              .toolExecutionErrorHandler((error, context) -> {
                throw new IllegalStateException("handler");
              })
              .tools(new Ask(researcher(recording, 1))))
          .build();
      assertThatThrownBy(() -> failing.chat("go")).hasMessageContaining("handler");
      researcher(recording, 1).research("z");
      assertThat(recording.failures()).isZero();
      session.end(Status.FAILED, 0.0);
    }

    assertThat(Recorded.read(Session.open(sessions.resolve("s"))).lanes())
        .allSatisfy(lane -> assertThat(lane).endsWith(" null null"));
  }

  @Test
  void agent_with_a_session_of_its_own_names_what_started_it() throws Exception {
    try (AiServiceRecorder recording = AiServiceRecorder.into(sessions)) {
      assistant(recording, researcher(recording, 1), "ask").chat("go");
      assertThat(recording.failures()).isZero();
    }

    List<Recorded> all = Recorded.all(sessions);
    assertThat(all).hasSize(2).allSatisfy(recorded -> assertThat(
            recorded.isValid().lanes())
        .allSatisfy(lane -> assertThat(lane).endsWith(" null null")));
    Map<Boolean, SessionStart> starts = all.stream()
        .map(Recorded::start)
        .collect(Collectors.toMap(
            start -> start.labels().tags().contains("method:research"), Function.identity()));
    assertThat(starts.get(true).labels().tags())
        .containsExactly(
            "service:" + Researcher.class.getName(),
            "method:research",
            "memory:default",
            "parent_invocation:" + starts.get(false).meta().sessionId(),
            "parent_call:c0");
    assertThat(starts.get(false).labels().tags()).noneMatch(tag -> tag.startsWith("parent_"));
  }

  @Test
  void agent_in_a_different_session_has_no_lane() throws Exception {
    try (SessionRecorder outer = SessionRecorder.start(sessions.resolve("outer"), "outer");
        SessionRecorder inner = SessionRecorder.start(sessions.resolve("inner"), "inner")) {
      Researcher researcher = researcher(AiServiceRecorder.into(inner), 1);
      assistant(AiServiceRecorder.into(outer), researcher, "ask").chat("go");
    }

    assertThat(Recorded.read(Session.open(sessions.resolve("inner"))).lanes())
        .hasSize(6)
        .allSatisfy(lane -> assertThat(lane).endsWith(" null null"));
  }

  private static String arguments() {
    return "{\"arg0\":\"x\",\"topic\":\"x\"}";
  }

  private static Assistant assistant(
      AiServiceRecorder recording, Researcher researcher, String... tools) {
    List<AiMessage> answers = new ArrayList<>();
    for (String tool : tools) {
      answers.add(ScriptedModel.call("c" + answers.size(), tool, arguments()));
    }
    answers.add(AiMessage.from("done"));
    return recording
        .record(AiServices.builder(Assistant.class)
            .chatModel(ScriptedModel.of(answers.toArray(AiMessage[]::new)))
            .tools(new Ask(researcher)))
        .build();
  }

  /** An agent that calls a tool and answers; the tool waits for that of other invocations. */
  private static Researcher researcher(AiServiceRecorder recording, int threads) {
    return recording
        .record(AiServices.builder(Researcher.class)
            .chatModel(new ScriptedModel(request -> request.messages().size() == 1
                ? ScriptedModel.call("r", "read", "{\"arg0\":\"a\",\"path\":\"a\"}")
                : AiMessage.from("found")))
            .tools(new Reading(new CyclicBarrier(threads))))
        .build();
  }
}

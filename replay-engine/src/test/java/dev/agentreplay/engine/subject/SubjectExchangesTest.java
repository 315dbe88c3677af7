package dev.agentreplay.engine.subject;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.exchange.MatchRung;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayAgent;
import dev.agentreplay.engine.replay.ReplayControl;
import dev.agentreplay.engine.replay.ReplayListener;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.engine.replay.TimeoutAfter;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayTimeouts;
import dev.agentreplay.engine.subject.SubjectException.Reason;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The order of messages between a subject and a replay, each subject a script of a shell. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(60)
class SubjectExchangesTest {

  private static final String HELLO =
      "echo '{\"id\":0,\"type\":\"hello\",\"protocol\":1}'; read a; ";

  @TempDir
  Path directory;

  private final List<String> answers = new CopyOnWriteArrayList<>();

  private Session record(ReplayAgent agent) throws Exception {
    Path recorded = directory.resolve("recorded");
    try (SessionRecorder recorder = SessionRecorder.start(recorded, "s")) {
      agent.run(AgentScope.recording(
          recorder,
          Executors.none()
              .withTool("echo", ToolExecutor.of(params -> params))
              .withTool("slow", ToolExecutor.of(params -> "done"))));
    }
    return Session.open(recorded);
  }

  private SubjectProcess subject(String script) {
    return SubjectProcess.of(
        ProcessCommand.of(List.of("sh", "-c", HELLO + script)).withErrors(answers::add));
  }

  /** A script that sends a message. */
  private static String send(String message) {
    return "echo '" + message + "'; ";
  }

  /** A script that sends a message, and prints the answer to its standard error. */
  private static String ask(String message) {
    return send(message) + "read a; echo \"$a\" >&2; ";
  }

  private static String end(int id) {
    return "{\"id\":%d,\"type\":\"end\",\"status\":\"Success\"}".formatted(id);
  }

  /** A replay of a subject whose tool does not return before it has timed out. */
  private ReplayReport timedOut(String afterTheTimeout) throws Exception {
    Session session = record(scope -> {
      scope.call("slow", Map.of());
      scope.call("echo", Map.of("n", 1));
      scope.end(SessionEnd.of(Status.SUCCESS));
    });
    String script = ask("{\"id\":1,\"type\":\"tool\",\"name\":\"slow\",\"local\":true}")
        + "read a; echo \"$a\" >&2; "
        + afterTheTimeout;
    return Replay.of(session)
        .mode(ReplayMode.TOOLS_LIVE)
        .tool("slow", Effect.PURE, ToolExecutor.of(params -> "not used"))
        .timeouts(ReplayTimeouts.defaults().withStep(Duration.ofMillis(1)))
        .listener(new TimeoutAfter(() -> !answers.isEmpty())) // asked to execute the tool
        .run(subject(script));
  }

  @Test
  void late_output_of_a_call_that_timed_out_is_discarded() throws Exception {
    String output = "{\"id\":1,\"type\":\"output\",\"output\":\"late\"}";
    String echo = "{\"id\":1,\"type\":\"tool\",\"name\":\"echo\",\"params\":{\"n\":1}}";

    ReplayReport report = timedOut(send(output) + ask(echo) + ask(end(3)));

    assertThat(answers).hasSize(4);
    assertThat(answers.get(0)).isEqualTo("{\"id\":1,\"type\":\"execute\"}");
    assertThat(answers.get(1)).contains("\"code\":\"timeout\"");
    assertThat(answers.get(2)).contains("\"output\":{\"n\":1}");
    assertThat(report.failure()).isNull();
    assertThat(report.exchanges().unread()).isZero();
  }

  @Test
  void late_output_may_follow_the_end() throws Exception {
    String echo = "{\"id\":2,\"type\":\"tool\",\"name\":\"echo\",\"params\":{\"n\":1}}";
    String output = "{\"id\":1,\"type\":\"output\",\"output\":\"late\"}";

    ReplayReport report = timedOut(ask(echo) + ask(end(3)) + send(output));

    assertThat(report.failure()).isNull();
    assertThat(report.exchanges().unread()).isZero();
  }

  @Test
  void only_one_late_output_is_discarded() throws Exception {
    String output = "{\"id\":1,\"type\":\"output\",\"output\":\"late\"}";

    ReplayReport report = timedOut(send(output) + send(output) + "cat >&2");

    assertThat(report.failure())
        .isInstanceOfSatisfying(
            SubjectException.class, e -> assertThat(e.reason()).isEqualTo(Reason.PROTOCOL))
        .hasMessageContaining("\"output\" of a call that was not to be run");
  }

  @Test
  void id_of_a_call_that_timed_out_is_in_use_until_its_output_was_sent() throws Exception {
    ReplayReport report =
        timedOut(send("{\"id\":1,\"type\":\"tool\",\"name\":\"echo\"}") + "cat >&2");

    assertThat(report.failure()).hasMessageContaining("is used again");
  }

  @Test
  void output_of_a_call_that_timed_out_need_not_be_sent() throws Exception {
    String echo = "{\"id\":2,\"type\":\"tool\",\"name\":\"echo\",\"params\":{\"n\":1}}";

    ReplayReport report = timedOut(ask(echo) + ask(end(3)));

    assertThat(report.failure()).isNull();
    assertThat(report.exchanges().unread()).isZero();
  }

  @Test
  void agent_that_fails_because_of_a_timeout_leaves_the_replay_incomplete() throws Exception {
    ReplayReport report = timedOut("exit 1");

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(report.divergencesByKind()).containsOnlyKeys("TIMEOUT");
    assertThat(report.failure())
        .isInstanceOf(TimeoutException.class)
        .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessageContaining("exit code is 1"));
  }

  /** A replay of a subject that ends a session like the recorded one, which has failed. */
  private ReplayReport ended(String status, String afterTheEnd, SubjectLimits limits)
      throws Exception {
    Session session = record(scope -> {
      scope.call("echo", Map.of("n", 1));
      scope.end(SessionEnd.of(Status.FAILED));
    });
    String echo = "{\"id\":1,\"type\":\"tool\",\"name\":\"echo\",\"params\":{\"n\":1}}";
    String end = "{\"id\":2,\"type\":\"end\",\"status\":\"%s\"}".formatted(status);
    return Replay.of(session)
        .mode(ReplayMode.MOCK)
        .run(subject(ask(echo) + ask(end) + afterTheEnd).withLimits(limits));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "exit 1",
        "echo '{\"id\":3,\"type\":\"tool\",\"name\":\"echo\"}'; read a",
        "sleep 1000"
      })
  void subject_that_fails_after_the_end_is_not_identical(String afterTheEnd) throws Exception {
    ReplayReport report =
        ended("Failed", afterTheEnd, SubjectLimits.defaults().withGrace(Duration.ofMillis(500)));

    assertThat(report.failure()).isInstanceOf(SubjectException.class);
    assertThat(report.incomplete())
        .hasSize(1)
        .allMatch(reason -> reason.startsWith("the agent failed: "));
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Failed", "failed", "FAILURE"})
  void case_of_a_status_is_ignored(String status) throws Exception {
    ReplayReport report = ended(status, "exit 0", SubjectLimits.defaults());

    assertThat(report.failure()).isNull();
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
  }

  @Test
  void subject_does_not_get_names_of_files_of_the_machine() throws Exception {
    Session session = record(scope -> scope.call("echo", Map.of("n", 1)));
    String glob =
        "{\"id\":1,\"type\":\"value\",\"source\":\"glob\",\"path\":\"/\",\"pattern\":\"*\"}";
    String variable = "{\"id\":2,\"type\":\"value\",\"source\":\"environment\",\"name\":\"PATH\"}";

    ReplayReport report = Replay.of(session)
        .mode(ReplayMode.MOCK)
        .onUnmatched(OnUnmatched.ERROR)
        .run(subject(ask(glob) + ask(variable)));

    assertThat(answers).hasSize(2).allMatch(answer -> answer.contains("\"type\":\"miss\""));
    assertThat(report.divergencesByKind()).containsEntry("DRIFT", 2L);
  }

  /** A subject that sends all requests before it reads an answer. */
  private SubjectProcess pipelined(int requests) {
    String count = "i=0; while [ $i -lt " + requests + " ]; do i=$((i+1)); ";
    String request =
        "echo '{\"id\":'$i',\"type\":\"tool\",\"name\":\"echo\",\"params\":{\"n\":'$i'}}'";
    return subject(count + request + "; done; " + count + "read a; done; " + ask(end(0)));
  }

  private static List<String> numbers(int to) {
    return IntStream.rangeClosed(1, to).mapToObj(n -> "{\"n\":" + n + "}").toList();
  }

  private static List<String> calls(Session session) throws IOException {
    List<String> calls = new ArrayList<>();
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        if (line.event() instanceof ToolCall call) {
          calls.add(String.valueOf(call.params().value()));
        }
      }
    }
    return calls;
  }

  @Test
  void requests_that_are_sent_at_once_are_matched_in_their_order() throws Exception {
    int requests = 200;
    Session session = record(scope -> {
      for (int n = 1; n <= requests; n++) {
        scope.call("echo", Map.of("n", n));
      }
      scope.end(SessionEnd.of(Status.SUCCESS));
    });
    ReplayControl control = new ReplayControl();
    control.pause();

    ReplayReport report = Replay.of(session)
        .mode(ReplayMode.MOCK)
        .control(control)
        .directory(directory.resolve("replayed"))
        .listener(new ReplayListener() {
          @Override
          public void progress(Progress progress) {
            control.resume(); // after a second, in which the requests wait
          }
        })
        .run(pipelined(requests));

    assertThat(report.divergences()).isEmpty();
    assertThat(report.matched().get(MatchRung.EXACT)).isEqualTo(requests);
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(calls(Session.open(directory.resolve("replayed")))).isEqualTo(numbers(requests));
  }

  @Test
  void requests_that_are_executed_at_the_same_time_are_recorded_in_their_order() throws Exception {
    int requests = 50;
    CyclicBarrier all = new CyclicBarrier(requests);
    Path recorded = directory.resolve("recorded");
    try (SessionRecorder recorder = SessionRecorder.start(recorded, "s")) {
      pipelined(requests)
          .run(AgentScope.recording(
              recorder, Executors.none().withTool("echo", ToolExecutor.of(params -> {
                all.await();
                return params;
              }))));
    }

    assertThat(calls(Session.open(recorded))).isEqualTo(numbers(requests));
  }

  @Test
  void end_follows_the_requests_before_it() throws Exception {
    Path recorded = directory.resolve("recorded");
    CountDownLatch ends = new CountDownLatch(1);
    String call = "{\"id\":1,\"type\":\"tool\",\"name\":\"echo\"}";
    String script = HELLO + send(call) + send(end(2)) + "echo >&2; read a; read a";
    SubjectProcess subject = SubjectProcess.of(
        ProcessCommand.of(List.of("sh", "-c", script)).withErrors(line -> ends.countDown()));
    try (SessionRecorder recorder = SessionRecorder.start(recorded, "s")) {
      subject.run(AgentScope.recording(
          recorder, Executors.none().withTool("echo", ToolExecutor.of(params -> {
            ends.await();
            return params;
          }))));
    }

    List<ReplayEvent> events = new ArrayList<>();
    try (ReplayReader reader = Session.open(recorded).reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        events.add(line.event());
      }
    }
    assertThat(events.subList(events.size() - 2, events.size()))
        .extracting(event -> event.kind())
        .containsExactly(EventKind.TOOL_RESULT, EventKind.SESSION_END);
  }
}

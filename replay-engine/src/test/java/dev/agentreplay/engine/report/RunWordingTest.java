package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.accept.Proposal;
import dev.agentreplay.engine.diff.DiffLimits;
import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.rule.Ignore;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayAgent;
import dev.agentreplay.engine.replay.ReplayControl;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Status;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The hints and notes of a text report: each is true of its situation. */
class RunWordingTest {

  private static final String POSITION = "--on-unmatched position";
  private static final String ERROR = "--on-unmatched error";

  @TempDir
  Path directory;

  private Session session;

  private final ReplayAgent agent = scope -> {
    scope.call("read_file", Map.of("path", "a.txt"));
    scope.call("write_file", Map.of("path", "b.txt"));
  };

  @BeforeEach
  void record() throws Exception {
    Path recorded = directory.resolve("recorded");
    try (SessionRecorder recorder = SessionRecorder.start(recorded, "s")) {
      AgentScope scope = AgentScope.recording(recorder, Executors.none());
      scope.run("read_file", Map.of("path", "a.txt"), () -> "text");
      scope.run("write_file", Map.of("path", "b.txt"), () -> "text");
      recorder.end(Status.SUCCESS);
    }
    session = Session.open(recorded);
  }

  private Replay mock() {
    return Replay.of(session).mode(ReplayMode.MOCK);
  }

  private static String next(ReplayReport report) {
    return String.valueOf(RunWording.next(report));
  }

  @Test
  void changed_request_can_be_served_by_its_position() throws Exception {
    ReplayAgent changed = scope -> scope.call("read_file", Map.of("path", "c.txt"));

    assertThat(next(mock().run(changed)))
        .startsWith("record the session again if the change is intended; ")
        .contains(ERROR, POSITION);
    assertThat(next(mock().onUnmatched(OnUnmatched.ERROR).run(changed)))
        .contains(POSITION)
        .doesNotContain(ERROR);
  }

  @Test
  void call_without_a_recorded_answer_needs_a_new_recording() throws Exception {
    assertThat(next(mock().run(scope -> scope.call("send_mail", Map.of()))))
        .isEqualTo("the recording has no answer for this call: record the session again");
  }

  @Test
  void repeated_call_has_no_recorded_exchange_at_its_place() throws Exception {
    ReplayReport report = mock().run(scope -> {
      agent.run(scope);
      scope.call("write_file", Map.of("path", "b.txt"));
    });

    assertThat(next(report)).contains(ERROR).doesNotContain(POSITION);
  }

  @Test
  void call_without_an_executor_needs_one() throws Exception {
    ReplayReport report = Replay.of(session)
        .policy(ReplayPolicy.of(ReplayMode.TOOLS_LIVE).withEffect("read_file", Effect.PURE))
        .run(agent);

    assertThat(report.divergencesByKind()).containsKey("REFUSED");
    assertThat(next(report)).contains("--tools FILE").doesNotContain("--out DIR");
  }

  @Test
  void aborted_replay_has_no_limit_to_raise() throws Exception {
    ReplayControl control = new ReplayControl();
    ReplayReport report = mock().control(control).run(scope -> {
      scope.call("read_file", Map.of("path", "a.txt"));
      control.abort("aborted by the user");
      scope.call("write_file", Map.of("path", "b.txt"));
    });

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(report.isAborted()).isTrue();
    assertThat(next(report)).contains("until the abort").doesNotContain("limit");
  }

  @Test
  void recording_without_an_end_has_no_limit_to_raise() throws Exception {
    Path open = directory.resolve("open");
    try (SessionRecorder recorder = SessionRecorder.start(open, "s")) {
      AgentScope.recording(recorder, Executors.none()).run("read_file", Map.of(), () -> "text");
    }

    ReplayReport report = Replay.of(Session.open(open)).run();

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(next(report)).contains("a recording with its end").doesNotContain("limit");
    assertThat(TextReport.render(report)).contains("  note        end: the recording has no end");
  }

  @Test
  void agent_that_fails_at_once_is_reported_before_the_counts() throws Exception {
    ReplayReport report = mock().run(scope -> {
      throw new IllegalStateException("no configuration");
    });

    assertThat(next(report)).contains("failed before its first request");
    assertThat(TextReport.render(report).lines().toList().get(2))
        .isEqualTo("  agent       IllegalStateException: no configuration");
  }

  @Test
  void ignored_tool_that_was_not_requested_is_a_note_of_an_identical_replay() throws Exception {
    ReplayReport report = mock()
        .comparison(DiffOptions.defaults().plus(Ignore.tool("write_file")))
        .run(scope -> scope.call("read_file", Map.of("path", "a.txt")));

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(TextReport.render(report))
        .contains("  note        ignored: 1 recorded exchange of tools that the comparison ignores"
            + " was not requested");
  }

  @Test
  void accepted_exchanges_that_are_not_listed_are_not_ignored() throws Exception {
    Path recorded = directory.resolve("many");
    try (SessionRecorder recorder = SessionRecorder.start(recorded, "many")) {
      AgentScope scope = AgentScope.recording(recorder, Executors.none());
      for (int i = 0; i < 5; i++) {
        scope.run("read_file", Map.of("path", "a" + i), () -> "text");
      }
      scope.run("write_file", Map.of("path", "b.txt"), () -> "text");
      recorder.end(Status.SUCCESS);
    }
    session = Session.open(recorded);
    ReplayAgent first = scope -> scope.call("read_file", Map.of("path", "a0"));
    ReplayAgent both = scope -> {
      first.run(scope);
      scope.call("write_file", Map.of("path", "b.txt"));
    };
    DiffOptions ignoring = DiffOptions.defaults().plus(Ignore.tool("write_file"));
    ReplayReport before = mock().comparison(ignoring).run(first);
    Set<ContentHash> all =
        Proposal.of(before).stream().map(Proposal::fingerprint).collect(Collectors.toSet());
    assertThat(all).hasSize(4);

    for (DiffOptions options : List.of(
        ignoring.withMaxDivergences(2),
        ignoring.withLimits(DiffLimits.defaults().withMaxListedBytes(1)))) {
      ReplayReport one = mock().comparison(options.accepting(all)).run(first);
      ReplayReport none = mock().comparison(options.accepting(all)).run(both);

      assertThat(one.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
      assertThat(one.acceptedCount()).isEqualTo(4).isGreaterThan(one.accepted().size());
      assertThat(RunWording.ignored(one)).startsWith("ignored: 1 recorded exchange of tools");
      assertThat(none.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
      assertThat(RunWording.ignored(none)).isNull();
    }
  }

  @Test
  void strict_replay_does_not_count_the_id_of_its_own_session() throws Exception {
    DiffOptions strict = DiffOptions.defaults().withStrict(true);

    assertThat(mock().comparison(strict.plus(Ignore.at("/t"))).run(agent).verdict())
        .isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(mock().comparison(strict).run(agent).divergencesByKind()).containsKey("TIMING");
  }
}

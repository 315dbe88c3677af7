package dev.agentreplay.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All divergences are counted, however few are listed. */
class CountedDivergencesTest {

  private static final int CALLS = 30;
  private static final int LISTED = 3;

  @TempDir
  Path directory;

  private Session session;

  @BeforeEach
  void record() throws Exception {
    session = record("one", "");
  }

  private Session record(String name, String suffix) throws Exception {
    Path recorded = directory.resolve(name);
    try (SessionRecorder recorder = SessionRecorder.start(recorded, "read")) {
      agent(suffix).run(AgentScope.recording(recorder, Executors.none()));
    }
    return Session.open(recorded);
  }

  private static ReplayAgent agent(String suffix) {
    return scope -> {
      for (int call = 0; call < CALLS; call++) {
        String output = "text " + call + suffix;
        scope.run("read", Map.of("number", call), () -> output);
      }
      scope.end(SessionEnd.of(Status.SUCCESS));
    };
  }

  private static void hasAll(ReplayReport report) {
    assertThat(report.divergences()).hasSize(LISTED);
    assertThat(report.divergencesByKind()).containsExactly(Map.entry("OUTPUT", (long) CALLS));
    assertThat(report.divergenceCount()).isEqualTo(CALLS);
  }

  @Test
  void divergences_of_a_validation_are_counted() throws Exception {
    hasAll(Replay.of(session)
        .against(record("other", "!"))
        .comparison(DiffOptions.defaults().withMaxDivergences(LISTED))
        .run());
  }

  @Test
  void divergences_of_a_replay_are_counted() throws Exception {
    hasAll(Replay.of(session)
        .policy(ReplayPolicy.of(ReplayMode.TOOLS_LIVE).withEffect("read", Effect.PURE))
        .comparison(DiffOptions.defaults().withMaxDivergences(LISTED))
        .run(agent("!")));
  }
}

package dev.agentreplay.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonString;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The states of files that an agent records are compared in a replay. */
class FileStateReplayTest {

  @TempDir
  Path directory;

  private Session session;

  @BeforeEach
  void record() throws Exception {
    try (SessionRecorder recorder = SessionRecorder.start(directory, "write")) {
      agent("fn login() {}").run(AgentScope.recording(recorder, Executors.none()));
    }
    session = Session.open(directory);
  }

  private static ReplayAgent agent(String content) {
    return scope -> {
      scope.run("write_file", Map.of("path", "a.rs"), () -> "done");
      scope.emit(FileState.created(
          "a.rs", CanonicalJson.SERDE.hash(JsonString.of(content)), content.length()));
      scope.end(SessionEnd.of(Status.SUCCESS));
    };
  }

  private ReplayReport replay(ReplayAgent agent) throws Exception {
    return Replay.of(session).mode(ReplayMode.MOCK).run(agent);
  }

  @Test
  void same_state_of_a_file_is_identical() throws Exception {
    assertThat(replay(agent("fn login() {}")).verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
  }

  @Test
  void different_state_of_a_file_is_a_divergence() throws Exception {
    ReplayReport report = replay(agent("fn logout() {}"));

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.divergencesByKind()).containsExactly(Map.entry("FILE_STATE", 1L));
    assertThat(report.root().message()).contains("a.rs");
  }

  @Test
  void agent_that_states_no_files_is_not_compared_by_them() throws Exception {
    ReplayReport report = replay(scope -> {
      scope.run("write_file", Map.of("path", "a.rs"), () -> "done");
      scope.end(SessionEnd.of(Status.SUCCESS));
    });

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
  }
}

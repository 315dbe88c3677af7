package dev.agentreplay.sandbox.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.fork.Fork;
import dev.agentreplay.engine.fork.ForkPoint;
import dev.agentreplay.engine.fork.ForkPoints;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayAgent;
import dev.agentreplay.engine.replay.ReplayRefusedException;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayAction;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.workspace.Circumstances;
import dev.agentreplay.io.workspace.SnapshotFiles;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Replays on a restored snapshot, whose files are captured. */
@DisabledOnOs(OS.WINDOWS)
class SnapshotReplayTest {

  @TempDir
  private Path directory;

  private Session session;
  private String built = "binary";

  @BeforeEach
  void record() throws Exception {
    Path workspace = Files.createDirectory(directory.resolve("workspace"));
    Files.writeString(workspace.resolve("a.txt"), "one");
    Path recorded = directory.resolve("session");
    RecorderOptions options = RecorderOptions.defaults()
        .withCircumstances(Circumstances.none().withWorkspace(SnapshotCapture.of(workspace)));
    try (SessionRecorder recorder =
        SessionRecorder.start(recorded, SessionStart.of("s"), options)) {
      agent().run(AgentScope.recording(recorder, executors(workspace)));
      recorder.end(SessionEnd.of(Status.SUCCESS));
    }
    session = Session.open(recorded);
  }

  private static ReplayAgent agent() {
    return scope -> {
      scope.call("edit", Map.of("text", "two"));
      scope.call("build", Map.of());
      scope.call("clean", Map.of());
    };
  }

  private Executors executors(Path workspace) {
    return Executors.none()
        .withTool("edit", ToolExecutor.of(params -> {
          Files.writeString(workspace.resolve("a.txt"), params.at("/text").asString());
          Files.createDirectories(workspace.resolve("notes/today"));
          return "edited";
        }))
        .withTool("build", ToolExecutor.of(params -> {
          String text = Files.readString(workspace.resolve("a.txt"));
          Files.createDirectories(workspace.resolve("out"));
          Files.writeString(workspace.resolve("out/a.bin"), built + " of " + text);
          return text;
        }))
        .withTool("clean", ToolExecutor.of(params -> {
          Files.delete(workspace.resolve("notes/today"));
          Files.delete(workspace.resolve("notes"));
          return "cleaned";
        }));
  }

  private ReplayReport replay(ReplayPolicy policy) throws IOException, InterruptedException {
    return replay(policy, null);
  }

  private ReplayReport replay(ReplayPolicy policy, @Nullable Fork fork)
      throws IOException, InterruptedException {
    Path snapshot = session.log().resolveSibling(SnapshotCapture.DIRECTORY);
    Path restored = directory.resolve("restored");
    SnapshotRestorer.restore(snapshot, restored);
    return Replay.of(session)
        .fork(fork)
        .policy(policy
            .withEffect("edit", Effect.WRITES_WORKSPACE)
            .withEffect("build", Effect.WRITES_WORKSPACE)
            .withEffect("clean", Effect.WRITES_WORKSPACE))
        .executors(executors(restored))
        .workspace(SnapshotCapture.ofChanges(restored, SnapshotOptions.defaults())
            .withRecordedContents(snapshot))
        .run(agent());
  }

  @Test
  void same_tools_change_the_same_files() throws Exception {
    assertThat(replay(ReplayPolicy.of(ReplayMode.FULL)).verdict())
        .isEqualTo(ReplayVerdict.IDENTICAL);
  }

  @Test
  void file_with_another_byte_is_the_only_divergence() throws Exception {
    built = "Binary";

    ReplayReport report = replay(ReplayPolicy.of(ReplayMode.FULL));

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.divergencesByKind()).containsExactly(Map.entry("FILE_STATE", 1L));
    assertThat(report.root().message()).contains("out/a.bin");
  }

  @Test
  void tool_that_is_executed_finds_the_files_of_one_that_is_served() throws Exception {
    ReplayReport report = replay(ReplayPolicy.of(ReplayMode.TOOLS_LIVE)
        .withTool("edit", ReplayAction.SERVE)
        .withTool("clean", ReplayAction.SERVE));

    assertThat(report.divergencesByKind()).isEmpty();
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(directory.resolve("restored/a.txt")).hasContent("two");
    assertThat(directory.resolve("restored/notes")).doesNotExist();
    assertThat(report.circumstances()).noneMatch(one -> one.name().equals("files"));
  }

  @Test
  void fork_executes_its_tools_on_the_files_at_its_point() throws Exception {
    ForkPoint build = ForkPoints.of(session).all().get(1);
    assertThat(build.unknownFiles()).isNull();
    assertThat(build.files()).isEqualTo(ForkPoint.Files.RECORDED);

    ReplayReport report = replay(ReplayPolicy.of(ReplayMode.FULL), Fork.at(build.line()));

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(report.exchanges().executed()).isEqualTo(2);
    assertThat(directory.resolve("restored/out/a.bin")).hasContent("binary of two");
  }

  @Test
  void fork_is_refused_if_a_content_before_its_point_is_missing() throws Exception {
    List<ForkPoint> points = ForkPoints.of(session).all();
    ContentHash two = ContentHash.sha256("two".getBytes(UTF_8));
    Path snapshot = session.log().resolveSibling(SnapshotCapture.DIRECTORY);
    Files.delete(SnapshotFiles.in(snapshot).path(two));

    assertThat(ForkPoints.of(session).all().get(0).files()).isEqualTo(ForkPoint.Files.RECORDED);
    assertThatThrownBy(
            () -> replay(ReplayPolicy.of(ReplayMode.FULL), Fork.at(points.get(1).line())))
        .isInstanceOf(ReplayRefusedException.class)
        .hasMessageContaining("the content of a.txt on line");
  }
}

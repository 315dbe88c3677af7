package dev.agentreplay.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayAction;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.workspace.Circumstances;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replays whose workspace is captured: the files that change are those of the recording. */
class CapturedReplayTest {

  private static final Map<ContentHash, String> CONTENTS =
      Map.of(MemoryWorkspace.hash("fn login() {}"), "fn login() {}");

  @TempDir
  Path directory;

  private Session session;

  /** The text that the tool writes. */
  private String written = "fn login() {}";

  /** The text that the agent itself writes between its calls, and at the end. */
  private String note = "note";

  @BeforeEach
  void record() throws Exception {
    MemoryWorkspace workspace = new MemoryWorkspace(Map.of());
    session = TestRecordings.record(
        directory.resolve("recorded"),
        agent(workspace),
        executors(workspace),
        RecorderOptions.defaults()
            .withCircumstances(Circumstances.defaults().withWorkspace(workspace)));
    assertThat(files(session)).containsExactly("a.rs", "between.txt", "end.txt");
  }

  private ReplayAgent agent(MemoryWorkspace workspace) {
    return scope -> {
      scope.call("write", Map.of("path", "a.rs"));
      workspace.write("between.txt", note);
      scope.call("read", Map.of("path", "a.rs"));
      workspace.write("end.txt", note);
    };
  }

  private Executors executors(MemoryWorkspace workspace) {
    return Executors.none()
        .withTool("write", ToolExecutor.of(params -> {
          workspace.write(params.at("/path").asString(), written);
          return "done";
        }))
        .withTool(
            "read", ToolExecutor.of(params -> workspace.read(params.at("/path").asString())));
  }

  private Replay replay(ReplayMode mode, MemoryWorkspace workspace) {
    return Replay.of(session)
        .mode(mode)
        .executors(executors(workspace))
        .policy(ReplayPolicy.of(mode)
            .withEffect("write", Effect.WRITES_WORKSPACE)
            .withEffect("read", Effect.PURE))
        .directory(directory.resolve("replay"))
        .workspace(workspace);
  }

  private static List<ReplayEvent> events(Session session) throws IOException {
    List<ReplayEvent> events = new ArrayList<>();
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        events.add(line.event());
      }
    }
    return events;
  }

  private static List<String> files(Session session) throws IOException {
    return events(session).stream()
        .filter(FileState.class::isInstance)
        .map(ReplayEvent::name)
        .toList();
  }

  private List<String> notCompared(ReplayReport report) {
    return report.circumstances().stream()
        .filter(circumstance -> circumstance.name().equals("files"))
        .map(Circumstance::message)
        .toList();
  }

  @Test
  void same_changes_are_identical_and_between_the_same_events() throws Exception {
    MemoryWorkspace workspace = new MemoryWorkspace(Map.of());

    ReplayReport report = replay(ReplayMode.TOOLS_LIVE, workspace).run(agent(workspace));

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(notCompared(report)).isEmpty();
    Session replayed = Session.open(directory.resolve("replay"));
    assertThat(events(replayed))
        .filteredOn(event -> !(event instanceof Settings))
        .extracting(ReplayEvent::kind)
        .isEqualTo(events(session).stream()
            .filter(event -> !(event instanceof Settings))
            .map(ReplayEvent::kind)
            .toList());
  }

  @Test
  void recorded_snapshot_is_not_stated_by_the_session_of_the_replay() throws Exception {
    MemoryWorkspace workspace = new MemoryWorkspace(Map.of());
    workspace.write("other.txt", "x");

    replay(ReplayMode.TOOLS_LIVE, workspace).run(agent(workspace));
    Replay.of(session)
        .mode(ReplayMode.MOCK)
        .directory(directory.resolve("mock"))
        .run(agent(workspace));

    assertThat(snapshots(Session.open(directory.resolve("replay"))))
        .containsExactly(MemoryWorkspace.hash("{other.txt=x}").toString());
    assertThat(snapshots(Session.open(directory.resolve("mock")))).isEmpty();
    assertThat(snapshots(session)).containsExactly(MemoryWorkspace.hash("{}").toString());
  }

  private static List<String> snapshots(Session session) throws IOException {
    return events(session).stream()
        .filter(event ->
            event instanceof Settings settings && settings.values().has(Settings.WORKSPACE))
        .map(event -> ((Settings) event).values().at("/workspace/value/hash").asString())
        .toList();
  }

  @Test
  void different_change_by_a_tool_is_the_divergence_of_that_file() throws Exception {
    MemoryWorkspace workspace = new MemoryWorkspace(Map.of());
    written = "fn logout() {}";

    ReplayReport report = replay(ReplayMode.TOOLS_LIVE, workspace).run(agent(workspace));

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.divergencesByKind()).containsEntry("FILE_STATE", 1L);
    assertThat(report.root().message()).contains("a.rs");
  }

  @Test
  void different_change_at_the_end_is_a_divergence() throws Exception {
    MemoryWorkspace workspace = new MemoryWorkspace(Map.of());
    ReplayAgent careless = scope -> {
      agent(workspace).run(scope);
      workspace.write("end.txt", "other");
    };

    ReplayReport report = replay(ReplayMode.TOOLS_LIVE, workspace).run(careless);

    assertThat(report.divergencesByKind()).containsExactly(Map.entry("FILE_STATE", 1L));
    assertThat(report.root().message()).contains("end.txt");
  }

  @Test
  void missing_and_additional_changes_are_divergences() throws Exception {
    MemoryWorkspace workspace = new MemoryWorkspace(Map.of());
    ReplayAgent careless = scope -> {
      agent(workspace).run(scope);
      workspace.delete("end.txt");
      workspace.write("new.txt", "x");
    };

    ReplayReport report = replay(ReplayMode.TOOLS_LIVE, workspace).run(careless);

    assertThat(report.divergencesByKind())
        .containsExactlyInAnyOrderEntriesOf(Map.of("MISSING", 1L, "ADDED", 1L));
  }

  @Test
  void files_of_a_served_call_are_not_expected_if_their_contents_are_missing() throws Exception {
    MemoryWorkspace workspace = new MemoryWorkspace(Map.of());

    ReplayReport report = replay(ReplayMode.MOCK, workspace).run(agent(workspace));

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(notCompared(report))
        .containsExactly(
            "1 recorded file state not compared, because what changed the files was not run");
    assertThat(workspace.read("a.rs")).isEqualTo("missing");
  }

  @Test
  void files_of_a_served_call_are_made_for_the_tools_that_are_executed() throws Exception {
    MemoryWorkspace workspace = new MemoryWorkspace(CONTENTS);
    Replay replay = replay(ReplayMode.TOOLS_LIVE, workspace);
    replay.policy(replay.policy.withTool("write", ReplayAction.SERVE));

    ReplayReport report = replay.run(agent(workspace));

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(report.exchanges()).isEqualTo(new ReplayReport.ExchangeCounts(2, 1, 1, 0));
    assertThat(notCompared(report)).isEmpty();
    assertThat(files(Session.open(directory.resolve("replay"))))
        .containsExactly("a.rs", "between.txt", "end.txt");
  }

  @Test
  void file_whose_served_change_is_missing_is_compared_by_its_next_content() throws Exception {
    ReplayAgent twice = scope -> {
      scope.call("write", Map.of("path", "a.rs"));
      scope.call("format", Map.of("path", "a.rs"));
    };
    MemoryWorkspace original = new MemoryWorkspace(Map.of());
    session = TestRecordings.record(
        directory.resolve("formatted"),
        twice,
        formatting(original, "formatted"),
        RecorderOptions.defaults()
            .withCircumstances(Circumstances.defaults().withWorkspace(original)));

    assertThat(replayFormatting(twice, "formatted", "same").divergencesByKind()).isEmpty();
    assertThat(replayFormatting(twice, "different", "other").divergencesByKind())
        .containsExactly(Map.entry("FILE_STATE", 1L));
  }

  private Executors formatting(MemoryWorkspace workspace, String text) {
    return executors(workspace).withTool("format", ToolExecutor.of(params -> {
      workspace.write(params.at("/path").asString(), text);
      return "done";
    }));
  }

  private ReplayReport replayFormatting(ReplayAgent agent, String text, String name)
      throws Exception {
    MemoryWorkspace workspace = new MemoryWorkspace(Map.of());
    return replay(ReplayMode.TOOLS_LIVE, workspace)
        .executors(formatting(workspace, text))
        .policy(ReplayPolicy.of(ReplayMode.TOOLS_LIVE)
            .withEffect("write", Effect.WRITES_WORKSPACE)
            .withEffect("format", Effect.WRITES_WORKSPACE)
            .withTool("write", ReplayAction.SERVE))
        .directory(directory.resolve(name))
        .run(agent);
  }

  @Test
  void executed_tool_sees_that_the_files_of_a_served_call_are_missing() throws Exception {
    MemoryWorkspace workspace = new MemoryWorkspace(Map.of());
    Replay replay = replay(ReplayMode.TOOLS_LIVE, workspace);
    replay.policy(replay.policy.withTool("write", ReplayAction.SERVE));

    ReplayReport report = replay.run(agent(workspace));

    assertThat(report.divergencesByKind()).containsExactly(Map.entry("OUTPUT", 1L));
  }

  @Test
  void changes_of_the_agent_are_not_expected_without_an_agent() throws Exception {
    MemoryWorkspace workspace = new MemoryWorkspace(Map.of());

    ReplayReport report = replay(ReplayMode.FULL, workspace).run();

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(notCompared(report))
        .containsExactly(
            "2 recorded file states not compared, because what changed the files was not run");
  }

  @Test
  void changes_of_the_agent_are_made_without_an_agent() throws Exception {
    MemoryWorkspace workspace = new MemoryWorkspace(Map.of(MemoryWorkspace.hash("note"), "note"));

    ReplayReport report = replay(ReplayMode.FULL, workspace).run();

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(notCompared(report)).isEmpty();
    assertThat(workspace.read("between.txt")).isEqualTo("note");
    assertThat(files(Session.open(directory.resolve("replay"))))
        .containsExactly("a.rs", "between.txt", "end.txt");
  }

  @Test
  void files_that_the_replay_cannot_read_are_named() throws Exception {
    MemoryWorkspace workspace = new MemoryWorkspace(Map.of()) {
      @Override
      public List<String> unreadable() {
        return List.of("hidden", "z.txt");
      }
    };

    ReplayReport report = replay(ReplayMode.TOOLS_LIVE, workspace).run(agent(workspace));

    assertThat(notCompared(report))
        .containsExactly("2 unreadable files not compared, the first: hidden");
  }

  @Test
  void files_of_a_workspace_that_is_not_captured_are_counted() throws Exception {
    MemoryWorkspace workspace = new MemoryWorkspace(Map.of());

    ReplayReport report = replay(ReplayMode.FULL, workspace).workspace(null).run();

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(notCompared(report))
        .containsExactly(
            "2 recorded file states not compared, because what changed the files was not run",
            "1 recorded file state not compared, because the workspace of the replay is not"
                + " captured");
  }

  @Test
  void recording_without_a_snapshot_is_not_compared_by_captured_files() throws Exception {
    MemoryWorkspace first = new MemoryWorkspace(Map.of());
    session = TestRecordings.record(directory.resolve("plain"), agent(first), executors(first));
    MemoryWorkspace workspace = new MemoryWorkspace(Map.of());

    ReplayReport report = replay(ReplayMode.TOOLS_LIVE, workspace).run(agent(workspace));

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(notCompared(report))
        .containsExactly(
            "3 changed files not compared, because the recording states no snapshot of its"
                + " workspace");
  }

  @Test
  void failed_capture_fails_the_replay() throws Exception {
    MemoryWorkspace workspace = new MemoryWorkspace(Map.of()) {
      @Override
      public List<FileState> afterTool(String callId) throws IOException {
        throw new IOException("disk failed");
      }
    };

    assertThatThrownBy(() -> replay(ReplayMode.TOOLS_LIVE, workspace).run(agent(workspace)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(
            "changed files (of call call-1, write) were not recorded: disk failed");
  }

  /** A setting that is only the recorded snapshot leaves no empty event behind. */
  @Test
  void settings_without_the_snapshot_are_copied() throws Exception {
    Replay.of(session)
        .mode(ReplayMode.MOCK)
        .directory(directory.resolve("mock"))
        .run(agent(new MemoryWorkspace(Map.of())));

    assertThat(events(Session.open(directory.resolve("mock"))))
        .filteredOn(Settings.class::isInstance)
        .extracting(event -> ((Settings) event).values().get(Settings.MODE))
        .containsExactly(JsonObject.of("value", JsonString.of("record"), "source", "default"));
  }

  /** Two tools at the same time; {@code b} has written a part of its file when {@code a} ends. */
  private ReplayReport replayConcurrently(String end, boolean writesPart) throws Exception {
    MemoryWorkspace before = new MemoryWorkspace(Map.of());
    session = TestRecordings.record(
        directory.resolve("concurrent"),
        new Concurrent(before, "12", true).agent,
        Executors.none(),
        RecorderOptions.defaults()
            .withCircumstances(Circumstances.defaults().withWorkspace(before)));
    assertThat(files(session)).containsExactly("b.txt", "b.txt");
    MemoryWorkspace after = new MemoryWorkspace(Map.of());
    return replay(ReplayMode.FULL, after)
        .policy(ReplayPolicy.of(ReplayMode.FULL)
            .withEffect("a", Effect.WRITES_WORKSPACE)
            .withEffect("b", Effect.WRITES_WORKSPACE))
        .run(new Concurrent(after, end, writesPart).agent);
  }

  private static final class Concurrent {

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    final ReplayAgent agent;

    Concurrent(MemoryWorkspace workspace, String end, boolean writesPart) {
      ToolExecutor first = ToolExecutor.of(params -> {
        begun.await();
        return "done";
      });
      ToolExecutor second = ToolExecutor.of(params -> {
        if (writesPart) {
          workspace.write("b.txt", "1");
        }
        begun.countDown();
        ended.await();
        workspace.write("b.txt", end);
        return "done";
      });
      this.agent = scope -> {
        CountDownLatch called = new CountDownLatch(1);
        Thread other = new Thread(() -> {
          try {
            called.await();
            scope.execute(ToolCall.of("", "b", JsonObject.EMPTY), second);
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
        other.start();
        called.countDown();
        scope.execute(ToolCall.of("", "a", JsonObject.EMPTY), first);
        ended.countDown();
        other.join();
      };
    }
  }

  @Test
  void part_of_a_change_during_another_call_is_not_a_divergence() throws Exception {
    ReplayReport report = replayConcurrently("12", false);

    assertThat(report.divergencesByKind()).isEmpty();
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
  }

  @Test
  void different_content_after_concurrent_calls_is_a_divergence() throws Exception {
    assertThat(replayConcurrently("13", false).verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(files(session)).hasSize(2);
  }
}

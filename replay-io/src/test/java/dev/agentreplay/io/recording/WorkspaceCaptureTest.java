package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.workspace.Circumstances;
import dev.agentreplay.io.workspace.FileChange;
import dev.agentreplay.io.workspace.WorkspaceCapture;
import dev.agentreplay.io.workspace.WorkspaceSnapshot;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The calls of a workspace capture, and the changes of single files. */
@SuppressWarnings("try") // a change is closed, not used
class WorkspaceCaptureTest {

  @TempDir
  private Path directory;

  private final MemoryWorkspace workspace = new MemoryWorkspace();

  @Test
  void snapshot_is_a_setting_and_changed_files_precede_the_result() throws Exception {
    workspace.files.put("a", "1");
    try (SessionRecorder session = start(FailurePolicy.FAIL)) {
      session.run("write", JsonObject.EMPTY, () -> {
        workspace.files.put("a", "2");
        workspace.files.put("b", "3");
        return "done";
      });
      session.run("read", JsonObject.EMPTY, () -> "2");
      PendingCall call = session.call("delete", JsonObject.EMPTY);
      workspace.files.remove("b");
      call.failed(new IOException("half done"));
      session.end(Status.SUCCESS);
    }
    List<ReplayEvent> events = events();
    assertThat(events)
        .extracting(ReplayEvent::kind)
        .containsExactly(
            EventKind.REPLAY_HEADER,
            EventKind.SESSION_START,
            EventKind.SETTINGS,
            EventKind.TOOL_CALL,
            EventKind.FILE_STATE,
            EventKind.FILE_STATE,
            EventKind.TOOL_RESULT,
            EventKind.TOOL_CALL,
            EventKind.TOOL_RESULT,
            EventKind.TOOL_CALL,
            EventKind.FILE_STATE,
            EventKind.TOOL_RESULT,
            EventKind.SESSION_END);
    assertThat(((Settings) events.get(2)).values())
        .isEqualTo(JsonObject.of(
            "workspace",
            JsonObject.of(
                "value", JsonObject.of("hash", hash("{a=1}").toString(), "location", "snapshot"))));
    assertThat(events.get(4)).extracting("before", "after").containsExactly(hash("1"), hash("2"));
    assertThat(events.get(5)).extracting("before", "after").containsExactly(null, hash("3"));
    assertThat(events.get(10)).extracting("before", "after").containsExactly(hash("3"), null);
  }

  @Test
  void resumed_session_has_a_new_snapshot_only_if_the_workspace_differs() throws IOException {
    start(FailurePolicy.FAIL).close();
    SessionRecorder.resume(directory, options(FailurePolicy.FAIL)).close();
    assertThat(events()).filteredOn(Settings.class::isInstance).hasSize(1);
    workspace.files.put("a", "1");
    SessionRecorder.resume(directory, options(FailurePolicy.FAIL)).close();
    assertThat(events()).filteredOn(Settings.class::isInstance).hasSize(2);
  }

  @ParameterizedTest
  @EnumSource(FailurePolicy.class)
  void session_does_not_start_without_its_snapshot(FailurePolicy policy) {
    workspace.failsAt = "capture";
    assertThatThrownBy(() -> start(policy)).hasMessage("capture");
    assertThat(directory.resolve(Session.LOG_NAME)).doesNotExist();
  }

  @Test
  void tool_is_not_run_after_a_failure_before_it() throws Exception {
    try (SessionRecorder session = start(FailurePolicy.FAIL)) {
      workspace.failsAt = "beforeTool";
      assertThatThrownBy(() -> session.run("t", null, () -> {
            throw new AssertionError("the tool was run");
          }))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(
              "the workspace was not captured before call \"call-1\": beforeTool");
      workspace.failsAt = "";
      assertThat(session.<String>run("t", null, () -> "x")).isEqualTo("x");
    }
    assertThat(events()).filteredOn(ToolCall.class::isInstance).hasSize(1);
  }

  @Test
  void result_is_recorded_and_a_later_call_throws_after_a_failure_behind_the_tool()
      throws Exception {
    try (SessionRecorder session = start(FailurePolicy.FAIL)) {
      workspace.failsAt = "afterTool";
      assertThat(session.<String>run("t", null, () -> "x")).isEqualTo("x");
      workspace.failsAt = "";
      assertThat(session.unrecordedEvents()).isEqualTo(1);
      assertThatThrownBy(session::sync)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("changed files (of call call-1, t) were not recorded: afterTool");
      session.sync();
    }
    assertThat(events()).filteredOn(ToolResult.class::isInstance).hasSize(1);
  }

  @Test
  void failure_at_the_end_names_the_call_after_which_captures_fail() throws Exception {
    try (SessionRecorder session = start(FailurePolicy.FAIL)) {
      session.run("first", null, () -> "x");
      PendingCall second = session.call("second", JsonObject.EMPTY);
      workspace.failsAt = "afterTool";
      second.result("x");
      assertThatThrownBy(session::sync)
          .hasMessage("changed files (of call call-2, second) were not recorded: afterTool");
      workspace.failsAt = "atEnd";
      assertThatThrownBy(() -> session.end(Status.SUCCESS))
          .hasMessage("changed files (of call call-2, second, and later) were not recorded: atEnd");
      session.end(Status.SUCCESS);
    }
  }

  @ParameterizedTest
  @EnumSource(Failure.class)
  void agent_continues_after_any_failure_if_the_policy_degrades(Failure failure) throws Exception {
    workspace.failure = failure;
    try (SessionRecorder session = start(FailurePolicy.DEGRADE)) {
      for (String place : List.of("beforeTool", "afterTool")) {
        workspace.failsAt = place;
        assertThat(session.<String>run("t", null, () -> "x")).isEqualTo("x");
      }
      workspace.failsAt = "atEnd";
      session.end(Status.SUCCESS);
      assertThat(session.unrecordedEvents()).isEqualTo(3);
    }
    assertThat(events()).filteredOn(ToolResult.class::isInstance).hasSize(2);
    assertThat(events())
        .filteredOn(RecordingGap.class::isInstance)
        .extracting(gap -> ((RecordingGap) gap).events())
        .containsExactly(1L, 1L, 1L);
  }

  @Test
  void only_calls_whose_start_was_captured_are_captured_at_their_end() throws Exception {
    PendingCall open;
    try (SessionRecorder session = start(FailurePolicy.FAIL)) {
      open = session.call("t", JsonObject.EMPTY);
    }
    workspace.calls.clear();
    try (SessionRecorder session = SessionRecorder.resume(directory, options(FailurePolicy.FAIL))) {
      session.emit(ToolResult.of(open.id(), "x").withLatencyMillis(0L));
      assertThatThrownBy(() -> session.run("t", new Object(), () -> "x"))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(workspace.calls).containsExactly("capture", "atEnd");
  }

  @Test
  void files_that_change_outside_of_tools_precede_the_next_call_or_the_end() throws Exception {
    try (SessionRecorder session = start(FailurePolicy.FAIL)) {
      workspace.files.put("a", "1");
      session.run("read", JsonObject.EMPTY, () -> "1");
      workspace.files.put("a", "2");
      session.end(Status.SUCCESS);
      workspace.files.put("a", "3");
    }
    assertThat(events().subList(3, events().size()))
        .extracting(ReplayEvent::kind)
        .containsExactly(
            EventKind.FILE_STATE,
            EventKind.TOOL_CALL,
            EventKind.TOOL_RESULT,
            EventKind.FILE_STATE,
            EventKind.SESSION_END);
    assertThat(events().get(3)).extracting("before", "after").containsExactly(null, hash("1"));
    assertThat(events().get(6)).extracting("before", "after").containsExactly(hash("1"), hash("2"));
  }

  @Test
  void recorder_that_is_closed_without_an_end_records_the_last_changes() throws Exception {
    SessionRecorder session = start(FailurePolicy.FAIL);
    workspace.files.put("a", "1");
    session.close();
    workspace.files.put("b", "1");
    session.close();
    assertThat(events())
        .filteredOn(FileState.class::isInstance)
        .extracting("path")
        .containsExactly("a");
  }

  @Test
  void files_of_a_tool_are_in_the_lane_of_its_agent() throws Exception {
    try (SessionRecorder session = start(FailurePolicy.FAIL)) {
      PendingCall call = session.call("research", JsonObject.EMPTY);
      AgentRecorder researcher = session.agent("researcher", call.id());
      researcher.run("write", JsonObject.EMPTY, () -> workspace.files.put("a", "1"));
      workspace.files.put("b", "1");
      call.result("done");
    }
    assertThat(events())
        .filteredOn(FileState.class::isInstance)
        .extracting(
            file -> file.name() + " " + file.meta().agent() + " " + file.meta().parent())
        .containsExactly("a researcher call-1", "b null null");
  }

  @Test
  void failure_at_the_end_is_thrown_once_and_the_session_ends_when_asked_again() throws Exception {
    try (SessionRecorder session = start(FailurePolicy.FAIL)) {
      session.run("t", null, () -> "x");
      workspace.failsAt = "atEnd";
      assertThatThrownBy(() -> session.end(Status.SUCCESS))
          .isInstanceOf(IOException.class)
          .hasMessage("changed files (at the end) were not recorded: atEnd");
      session.end(Status.SUCCESS);
      assertThat(session.unrecordedEvents()).isEqualTo(1);
    }
    assertThat(events().subList(5, 7))
        .extracting(ReplayEvent::kind)
        .containsExactly(EventKind.RECORDING_GAP, EventKind.SESSION_END);
  }

  @Test
  void call_after_the_end_is_refused_as_without_a_capture() throws Exception {
    try (SessionRecorder session = start(FailurePolicy.FAIL)) {
      session.end(Status.SUCCESS);
      workspace.files.put("a", "1");
      assertThatThrownBy(() -> session.call("t", JsonObject.EMPTY))
          .isInstanceOf(IllegalStateException.class);
    }
    assertThat(events()).last().isInstanceOf(SessionEnd.class);
  }

  @Test
  void close_throws_a_failure_at_the_end_and_closes_the_log() throws Exception {
    SessionRecorder session = start(FailurePolicy.FAIL);
    workspace.failsAt = "atEnd";
    assertThatThrownBy(session::close)
        .isInstanceOf(IOException.class)
        .hasMessage("changed files (at the end) were not recorded: atEnd");
    session.close();
    assertThat(events()).last().isInstanceOf(RecordingGap.class);
  }

  @Test
  void single_files_are_recorded_by_the_agent() throws IOException {
    Path root = Files.createDirectory(directory.resolve("workspace"));
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      try (FileChange change = session.fileChange(root, "a")) {
        Files.writeString(root.resolve("a"), "1");
      }
      session.fileChange(root, "a").close();
      assertThatThrownBy(() -> session.fileChange(root, "../a"))
          .isInstanceOf(IllegalArgumentException.class);
      Files.createDirectory(root.resolve("b"));
      assertThatThrownBy(() -> session.fileChange(root, "b")).isInstanceOf(IOException.class);
      assertThat(session.unrecordedEvents()).isZero();
    }
    assertThat(events())
        .filteredOn(FileState.class::isInstance)
        .extracting("path", "after")
        .containsExactly(org.assertj.core.groups.Tuple.tuple("a", hash("1")));
  }

  @Test
  void unreadable_file_leaves_a_gap_if_the_policy_degrades() throws IOException {
    Path root = Files.createDirectories(directory.resolve("workspace/b")).getParent();
    try (SessionRecorder session = SessionRecorder.start(
        directory,
        SessionStart.of("s"),
        RecorderOptions.defaults().withFailurePolicy(FailurePolicy.DEGRADE))) {
      session.fileChange(root, "b").close();
      FileChange late = session.fileChange(root, "c");
      FileChange directory = session.fileChange(root, "d");
      session.end(Status.SUCCESS);
      Files.writeString(root.resolve("c"), "1");
      late.close();
      assertThat(session.lastFailure()).hasMessageContaining("changed files (c) were not recorded");
      Files.createDirectory(root.resolve("d"));
      directory.close();
      assertThat(session.unrecordedEvents()).isEqualTo(3);
    }
    assertThat(events()).filteredOn(RecordingGap.class::isInstance).hasSize(1);
  }

  private SessionRecorder start(FailurePolicy policy) throws IOException {
    return SessionRecorder.start(directory, SessionStart.of("s"), options(policy));
  }

  private RecorderOptions options(FailurePolicy policy) {
    return RecorderOptions.defaults()
        .withFailurePolicy(policy)
        .withCircumstances(Circumstances.none().withWorkspace(workspace));
  }

  private List<ReplayEvent> events() throws IOException {
    List<ReplayEvent> events = new ArrayList<>();
    try (ReplayReader reader = Session.open(directory).reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        events.add(line.event());
      }
    }
    return events;
  }

  private static ContentHash hash(String text) {
    return ContentHash.sha256(text.getBytes(StandardCharsets.UTF_8));
  }

  private enum Failure {
    CHECKED,
    UNCHECKED
  }

  /** A workspace in memory, for tools that run one after the other. */
  private static final class MemoryWorkspace implements WorkspaceCapture {

    final Map<String, String> files = new TreeMap<>();
    final List<String> calls = new ArrayList<>();
    String failsAt = "";
    Failure failure = Failure.CHECKED;
    private Map<String, String> known = Map.of();

    @Override
    public WorkspaceSnapshot capture(Path session) throws IOException {
      called("capture");
      known = new TreeMap<>(files);
      return new WorkspaceSnapshot(hash(files.toString()), "snapshot");
    }

    @Override
    public List<FileState> beforeTool(ToolCall call) throws IOException {
      return changes("beforeTool");
    }

    @Override
    public List<FileState> afterTool(String callId) throws IOException {
      return changes("afterTool");
    }

    @Override
    public List<FileState> atEnd() throws IOException {
      return changes("atEnd");
    }

    private List<FileState> changes(String method) throws IOException {
      called(method);
      Map<String, String> before = known;
      known = new TreeMap<>(files);
      Map<String, String> all = new TreeMap<>(before);
      all.putAll(files);
      return all.keySet().stream()
          .filter(path -> !Objects.equals(before.get(path), files.get(path)))
          .map(path -> state(path, before.get(path), files.get(path)))
          .toList();
    }

    private static FileState state(String path, String before, String after) {
      return after == null
          ? FileState.deleted(path, hash(before))
          : FileState.changed(
              path, before == null ? null : hash(before), hash(after), after.length());
    }

    private void called(String method) throws IOException {
      calls.add(method);
      if (method.equals(failsAt)) {
        IOException reason = new IOException(method);
        if (failure == Failure.UNCHECKED) {
          throw new UncheckedIOException(method, reason);
        }
        throw reason;
      }
    }
  }
}

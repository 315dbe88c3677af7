package dev.agentreplay.sandbox.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.recording.PendingCall;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.workspace.Circumstances;
import dev.agentreplay.io.workspace.SnapshotEntry;
import dev.agentreplay.io.workspace.SnapshotFiles;
import dev.agentreplay.io.workspace.SnapshotManifest;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.sandbox.workspace.Workspace;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The files that change while a session is recorded. */
@DisabledOnOs(OS.WINDOWS)
class SnapshotCaptureTest {

  private static final ContentHash NO_BYTES = ContentHash.sha256(new byte[0]);

  @TempDir
  private Path directory;

  private Path workspace;
  private Path recorded;

  @BeforeEach
  void prepare() throws IOException {
    workspace = Files.createDirectory(directory.resolve("workspace"));
    recorded = directory.resolve("session");
    write("src/a.txt", "one");
    write("b.txt", "two");
  }

  private Path write(String path, String text) throws IOException {
    Path file = workspace.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    return permit(path, "rw-r--r--");
  }

  private Path permit(String path, String permissions) throws IOException {
    return Files.setPosixFilePermissions(
        workspace.resolve(path), PosixFilePermissions.fromString(permissions));
  }

  private SessionRecorder start(SnapshotCapture capture) throws IOException {
    return SessionRecorder.start(recorded, SessionStart.of("s"), options(capture));
  }

  private static RecorderOptions options(SnapshotCapture capture) {
    return RecorderOptions.defaults()
        .withCircumstances(Circumstances.none().withWorkspace(capture));
  }

  private List<ReplayEvent> events() throws IOException {
    List<ReplayEvent> events = new ArrayList<>();
    try (ReplayReader reader = Session.open(recorded).reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        events.add(line.event());
      }
    }
    return events;
  }

  private List<FileState> files() throws IOException {
    return events().stream()
        .filter(FileState.class::isInstance)
        .map(event -> ((FileState) event).withMeta(Meta.NONE))
        .toList();
  }

  @Test
  void pipe_is_a_change_without_bytes_unless_it_was_there_at_first() throws Exception {
    pipe("first");
    try (SessionRecorder recorder = start(SnapshotCapture.of(workspace))) {
      recorder.run("create", JsonObject.EMPTY, () -> pipe("new"));
      recorder.run("replace", JsonObject.EMPTY, () -> {
        Files.delete(workspace.resolve("first"));
        Files.delete(workspace.resolve("new"));
        Files.delete(workspace.resolve("b.txt"));
        return pipe("b.txt");
      });
    }
    assertThat(files())
        .containsExactly(
            new FileState("new", null, NO_BYTES, 0L, "010644", Meta.NONE),
            new FileState(
                "b.txt", ContentHash.sha256(bytes("two")), NO_BYTES, 0L, "010644", Meta.NONE),
            FileState.deleted("new", NO_BYTES));
  }

  private String pipe(String name) throws Exception {
    Path pipe = workspace.resolve(name);
    assertThat(
            new ProcessBuilder("mkfifo", "-m", "644", pipe.toString()).start().waitFor())
        .isZero();
    return name;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void directory_that_cannot_be_read_is_a_change_of_its_mode_and_reported() throws Exception {
    SnapshotCapture capture = SnapshotCapture.of(workspace);
    try (SessionRecorder recorder = start(capture)) {
      recorder.run("hide", JsonObject.EMPTY, () -> {
        write("hidden/a.txt", "x");
        write("c.txt", "x");
        permit("c.txt", "---------");
        return permit("hidden", "---------").toString();
      });
      assumeFalse(Files.isReadable(workspace.resolve("hidden")), "the superuser reads everything");
      assertThat(capture.unreadable()).containsExactly("c.txt", "hidden");
    } finally {
      permit("hidden", "rwx------");
    }
    assertThat(files())
        .containsExactly(new FileState("hidden", null, NO_BYTES, 0L, "040000", Meta.NONE));
  }

  @Test
  void database_that_a_tool_deletes_is_a_change_like_any_other() throws Exception {
    Path database = write("app.db", "rows");
    SnapshotOptions options = SnapshotOptions.defaults().withDatabase("app.db");
    try (SessionRecorder recorder = start(SnapshotCapture.of(workspace, options))) {
      recorder.run("drop", JsonObject.EMPTY, () -> Files.deleteIfExists(database));
      recorder.run("create", JsonObject.EMPTY, () -> write("app.db", "new").toString());
    }
    assertThat(files())
        .extracting(FileState::path, state -> state.after() == null)
        .containsExactly(tuple("app.db", true), tuple("app.db", false));
  }

  @Test
  void file_that_a_tool_in_the_jvm_is_writing_is_not_a_change() throws Exception {
    try (SessionRecorder recorder = start(SnapshotCapture.of(workspace));
        Workspace tool = Workspace.open(workspace)) {
      try (OutputStream out = tool.newOutputStream("c.txt")) {
        out.write('c');
        recorder.run("other", JsonObject.EMPTY, () -> "nothing");
      }
    }
    assertThat(files()).extracting(FileState::path).containsExactly("c.txt");
  }

  @Test
  void content_behind_a_link_that_replaces_a_directory_is_not_read() throws IOException {
    Path outside = Files.createDirectory(directory.resolve("outside"));
    Files.writeString(outside.resolve("secret"), "secret");
    WorkspaceScan scan = WorkspaceScan.of(workspace, SnapshotOptions.defaults()).whileItChanges();
    ScannedWorkspace first = scan.scan(FileIndex.EMPTY, ContentReader.hashing());
    SnapshotFiles contents = SnapshotFiles.in(recorded);
    FollowedWorkspace followed =
        new FollowedWorkspace(scan, first.entries(), FileIndex.EMPTY, contents, 1_000);
    Files.move(workspace.resolve("src"), directory.resolve("moved"));
    Files.createSymbolicLink(workspace.resolve("src"), outside);

    try (Workspace opened = Workspace.open(workspace)) {
      assertThatThrownBy(() -> followed.read(opened, workspace.resolve("src/secret"), 1_000))
          .isInstanceOf(NoSuchFileException.class);
    }
    assertThat(contents.find(ContentHash.sha256("secret".getBytes(StandardCharsets.UTF_8))))
        .isNull();
  }

  /** Waits until the clock has a time that no change of the workspace can have. */
  private static void awaitNextTime() {
    Instant next = Instant.now().plusMillis(100);
    while (Instant.now().isBefore(next)) {
      Thread.onSpinWait();
    }
  }

  private static ContentHash hash(String text) {
    return ContentHash.sha256(text.getBytes(StandardCharsets.UTF_8));
  }

  private String stored(ContentHash hash) throws IOException {
    SnapshotFiles files = SnapshotFiles.in(recorded.resolve("snapshot"));
    Path file = files.find(hash);
    if (file == null) {
      return "missing";
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    files.copy(BlobRef.of(hash, Files.size(file)), out);
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void snapshot_is_in_the_session_and_its_hash_in_the_log() throws IOException {
    start(SnapshotCapture.of(workspace)).close();

    SnapshotManifest manifest = SnapshotManifest.read(recorded.resolve("snapshot"));
    assertThat(manifest.entries())
        .extracting(SnapshotEntry::path)
        .containsExactly("b.txt", "src", "src/a.txt");
    assertThat(stored(hash("one"))).isEqualTo("one");
    assertThat(stored(hash("two"))).isEqualTo("two");
    assertThat(events())
        .filteredOn(Settings.class::isInstance)
        .extracting(event -> ((Settings) event).values())
        .containsExactly(JsonObject.of(
            "workspace",
            JsonObject.of(
                "value",
                JsonObject.of(
                    "hash", manifest.hash().toString(), "location", "snapshot/MANIFEST.jsonl"))));
  }

  @Test
  void each_kind_of_change_is_recorded_with_its_content() throws Exception {
    Files.createDirectory(workspace.resolve("empty"));
    try (SessionRecorder session = start(SnapshotCapture.of(workspace))) {
      session.run("edit", JsonObject.EMPTY, () -> {
        write("src/a.txt", "changed");
        write("new/c.txt", "created");
        Files.delete(workspace.resolve("b.txt"));
        Files.delete(workspace.resolve("empty"));
        Files.createSymbolicLink(workspace.resolve("link"), Path.of("src/a.txt"));
        permit("new", "rwxr-x---");
        Files.createDirectory(workspace.resolve("new/folder"));
        permit("new/folder", "rwxr-xr-x");
        return "done";
      });
      session.run(
          "chmod", JsonObject.EMPTY, () -> permit("src/a.txt", "rwxr-xr-x").toString());
      session.run("chmod", JsonObject.EMPTY, () -> permit("new", "rwx------").toString());
      session.run(
          "nothing", JsonObject.EMPTY, () -> write("src/a.txt", "changed").toString());
      permit("src/a.txt", "rw-r--r--");
      session.end(Status.SUCCESS);
    }

    assertThat(files())
        .containsExactly(
            FileState.deleted("b.txt", hash("two")),
            FileState.deleted("empty", NO_BYTES),
            FileState.created("link", hash("src/a.txt"), 9).withMode("120777"),
            FileState.created("new", NO_BYTES, 0).withMode("040750"),
            FileState.created("new/c.txt", hash("created"), 7).withMode("100644"),
            FileState.created("new/folder", NO_BYTES, 0).withMode("040755"),
            FileState.changed("src/a.txt", hash("one"), hash("changed"), 7).withMode("100644"),
            FileState.changed("src/a.txt", hash("changed"), hash("changed"), 7).withMode("100755"),
            FileState.changed("new", NO_BYTES, NO_BYTES, 0).withMode("040700"),
            FileState.changed("src/a.txt", hash("changed"), hash("changed"), 7).withMode("100644"));
    assertThat(List.of(stored(hash("changed")), stored(hash("created")), stored(hash("src/a.txt"))))
        .containsExactly("changed", "created", "src/a.txt");
  }

  @Test
  void directory_is_recorded_when_it_becomes_empty() throws Exception {
    permit("src", "rwxr-x---");
    try (SessionRecorder session = start(SnapshotCapture.of(workspace))) {
      session.run("clean", null, () -> {
        Files.delete(workspace.resolve("src/a.txt"));
        return "";
      });
      session.run("fill", null, () -> write("src/d.txt", "new").toString());
    }

    assertThat(files())
        .containsExactly(
            FileState.changed("src", NO_BYTES, NO_BYTES, 0).withMode("040750"),
            FileState.deleted("src/a.txt", hash("one")),
            FileState.created("src/d.txt", hash("new"), 3).withMode("100644"));
  }

  @Test
  void change_outside_of_tools_precedes_the_call() throws Exception {
    try (SessionRecorder session = start(SnapshotCapture.of(workspace))) {
      write("b.txt", "by the agent");
      session.run("t", null, () -> "x");
      write("b.txt", "at the end");
      session.end(Status.SUCCESS);
    }

    assertThat(events().subList(3, events().size()))
        .extracting(ReplayEvent::kind)
        .containsExactly(
            EventKind.FILE_STATE,
            EventKind.TOOL_CALL,
            EventKind.TOOL_RESULT,
            EventKind.FILE_STATE,
            EventKind.SESSION_END);
  }

  @Test
  void change_right_after_a_scan_is_seen_even_if_times_and_size_are_the_same() throws Exception {
    try (SessionRecorder session = start(SnapshotCapture.of(workspace))) {
      for (int i = 0; i < 50; i++) {
        String text = "%03d".formatted(i);
        session.run("t", null, () -> Files.writeString(workspace.resolve("b.txt"), text));
      }
    }
    assertThat(files()).hasSize(50);
  }

  @Test
  void each_change_of_parallel_tools_is_recorded_once_and_in_order() throws Exception {
    int tools = 40;
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (SessionRecorder session = start(SnapshotCapture.of(workspace))) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < tools; i++) {
        String name = "f" + i;
        running.add(threads.submit(() -> {
          PendingCall call = session.call("write", JsonObject.of("name", name));
          Files.writeString(workspace.resolve("b.txt"), name);
          Files.writeString(workspace.resolve(name), name);
          call.result("done");
          return null;
        }));
      }
      for (Future<?> each : running) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }

    assertThat(files())
        .filteredOn(file -> file.before() == null) // it may be found before it has its text
        .extracting(FileState::path)
        .doesNotHaveDuplicates()
        .hasSize(tools);
    ContentHash last = hash("two");
    for (FileState file : files()) {
      if (file.path().equals("b.txt")) {
        assertThat(file.before()).isEqualTo(last);
        last = file.after();
      }
    }
    assertThat(last).isEqualTo(hash(Files.readString(workspace.resolve("b.txt"))));
  }

  @Test
  void workspace_that_changes_all_the_time_is_captured() throws Exception {
    AtomicBoolean isDone = new AtomicBoolean();
    AtomicInteger rounds = new AtomicInteger();
    CountDownLatch isRunning = new CountDownLatch(3);
    ExecutorService background = Executors.newSingleThreadExecutor();
    SnapshotCapture capture = SnapshotCapture.of(workspace);
    try (SessionRecorder session = start(capture)) {
      Future<?> writer = background.submit(() -> {
        while (!isDone.get()) {
          int number = rounds.incrementAndGet() % 20;
          Files.writeString(workspace.resolve("log.txt"), "x".repeat(number));
          Files.writeString(workspace.resolve("src/" + number), "y");
          Files.deleteIfExists(workspace.resolve("src/" + (number + 10) % 20));
          isRunning.countDown();
        }
        return null;
      });
      isRunning.await();
      for (int i = 0; i < 30; i++) {
        session.run("t", null, () -> "x");
      }
      isDone.set(true);
      writer.get();
      session.end(Status.SUCCESS);
    } finally {
      isDone.set(true);
      background.shutdownNow();
    }

    Map<String, ContentHash> last = new HashMap<>();
    for (FileState file : files()) {
      assertThat(file.before()).isEqualTo(last.put(file.path(), file.after()));
    }
    assertThat(last.get("log.txt")).isEqualTo(hash(Files.readString(workspace.resolve("log.txt"))));
  }

  @Test
  void file_that_becomes_unreadable_is_not_taken_for_a_deleted_one() throws Exception {
    awaitNextTime();
    try (SessionRecorder session = start(SnapshotCapture.of(workspace))) {
      session.run("lock", null, () -> permit("b.txt", "---------").toString());
      assumeFalse(Files.isReadable(workspace.resolve("b.txt")), "a user who can read everything");
      permit("src", "---------");
      assertThatThrownBy(() -> session.run("t", null, () -> "x"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("src")
          .hasMessageContaining("it was readable before");
      permit("src", "rwxr-xr-x");
      session.run("t", null, () -> "x");
    } finally {
      permit("src", "rwxr-xr-x");
    }
    assertThat(files())
        .containsExactly(
            FileState.changed("b.txt", hash("two"), hash("two"), 3).withMode("100000"));
  }

  @Test
  void content_above_the_limit_is_recorded_by_its_hash() throws Exception {
    try (SessionRecorder session = start(SnapshotCapture.of(workspace).withMaxContentBytes(4))) {
      session.run(
          "t", null, () -> write("b.txt", "12345") + write("c.txt", "1234").toString());
    }

    assertThat(files()).extracting(FileState::after).containsExactly(hash("12345"), hash("1234"));
    assertThat(stored(hash("12345"))).isEqualTo("missing");
    assertThat(stored(hash("1234"))).isEqualTo("1234");
    assertThatThrownBy(() -> SnapshotCapture.of(workspace).withMaxContentBytes(-1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void files_with_holes_are_not_read_above_the_limit() throws Exception {
    SnapshotCapture capture = SnapshotCapture.of(workspace).withMaxBytes(1 << 20);
    try (SessionRecorder session = start(capture)) {
      try (RandomAccessFile file =
          new RandomAccessFile(workspace.resolve("holes").toFile(), "rw")) {
        file.setLength(1L << 42);
      }
      assertThatThrownBy(() -> session.run("t", null, () -> "x"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("holes")
          .hasMessageContaining("more than the limit of 1048576");
      Files.delete(workspace.resolve("holes"));
      session.run("t", null, () -> "x");
    }
    assertThatThrownBy(() -> SnapshotCapture.of(workspace).withMaxBytes(0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void capture_of_changes_stores_only_them() throws Exception {
    try (SessionRecorder session =
        start(SnapshotCapture.ofChanges(workspace, SnapshotOptions.defaults()))) {
      session.run("t", null, () -> write("b.txt", "changed").toString());
    }

    assertThat(files()).extracting(FileState::after).containsExactly(hash("changed"));
    assertThat(stored(hash("changed"))).isEqualTo("changed");
    assertThat(recorded.resolve("snapshot")).isDirectoryNotContaining("glob:**.jsonl");
    assertThat(events()).filteredOn(Settings.class::isInstance).allSatisfy(event -> assertThat(
            ((Settings) event).values().at("/workspace/value").asObject().names())
        .containsExactly("hash"));
  }

  @Test
  void files_that_the_rules_leave_out_are_not_recorded() throws Exception {
    SnapshotOptions options = SnapshotOptions.defaults().withIgnored("*.log");
    try (SessionRecorder session = start(SnapshotCapture.of(workspace, options))) {
      session.run("t", null, () -> {
        write(".env", "SECRET=1");
        write("a.log", "x");
        write(".git/HEAD", "x");
        return write("c.txt", "x").toString();
      });
    }
    assertThat(files()).extracting(FileState::path).containsExactly("c.txt");
  }

  @Test
  void session_inside_of_the_workspace_is_left_out() throws Exception {
    recorded = workspace.resolve("sessions/1");
    try (SessionRecorder session = start(SnapshotCapture.of(workspace))) {
      session.run("t", null, () -> write("c.txt", "x").toString());
    }
    assertThat(files()).extracting(FileState::path).containsExactly("c.txt");
  }

  @Test
  void resumed_session_has_a_second_manifest_only_if_the_workspace_differs() throws Exception {
    start(SnapshotCapture.of(workspace)).close();
    SessionRecorder.resume(recorded, options(SnapshotCapture.of(workspace))).close();
    assertThat(events()).filteredOn(Settings.class::isInstance).hasSize(1);

    write("b.txt", "while no agent ran");
    SessionRecorder.resume(recorded, options(SnapshotCapture.of(workspace))).close();

    SnapshotManifest second = SnapshotManifest.read(recorded.resolve("snapshot/MANIFEST-2.jsonl"));
    assertThat(events())
        .filteredOn(Settings.class::isInstance)
        .last()
        .extracting(event -> ((Settings) event).values().at("/workspace/value"))
        .isEqualTo(JsonObject.of(
            "hash", second.hash().toString(), "location", "snapshot/MANIFEST-2.jsonl"));
    assertThat(stored(hash("while no agent ran"))).isEqualTo("while no agent ran");
    assertThat(stored(hash("two"))).isEqualTo("two");
  }

  @Test
  void contents_of_an_earlier_session_are_hard_links() throws Exception {
    awaitNextTime();
    start(SnapshotCapture.of(workspace)).close();
    Path earlier = recorded.resolve("snapshot");
    recorded = directory.resolve("second");
    SnapshotOptions options = SnapshotOptions.defaults().withBase(earlier);

    start(SnapshotCapture.of(workspace, options)).close();

    assertThat(stored(hash("one"))).isEqualTo("one");
    assertThat(Files.getAttribute(SnapshotFiles.in(earlier).path(hash("one")), "unix:nlink"))
        .isEqualTo(2);
  }

  @Test
  void snapshot_without_its_manifest_is_replaced() throws IOException {
    Path files = Files.createDirectories(recorded.resolve("snapshot/files/ab"));
    Files.writeString(files.resolve("cd"), "of a start that was interrupted");

    start(SnapshotCapture.of(workspace)).close();

    assertThat(files.resolve("cd")).doesNotExist();
    assertThat(stored(hash("one"))).isEqualTo("one");
  }

  @Test
  void directory_that_is_not_a_snapshot_is_kept() throws IOException {
    Path other = Files.createDirectories(recorded.resolve("snapshot"));
    Files.writeString(other.resolve("mine"), "x");

    assertThatThrownBy(() -> start(SnapshotCapture.of(workspace)))
        .isInstanceOf(DirectoryNotEmptyException.class);
    assertThat(other.resolve("mine")).hasContent("x");
  }

  @Test
  void file_that_cannot_be_captured_is_an_error_of_the_start() throws IOException {
    SnapshotOptions options =
        SnapshotOptions.defaults().withLimits(SnapshotLimits.defaults().withFileBytes(2));
    assertThatThrownBy(() -> start(SnapshotCapture.of(workspace, options)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("more than the limit of 2");
    assertThat(recorded.resolve(Session.LOG_NAME)).doesNotExist();
  }

  @Test
  void capture_without_a_session_is_refused() {
    assertThatThrownBy(
            () -> SnapshotCapture.of(workspace).beforeTool(ToolCall.of("1", "t", JsonObject.EMPTY)))
        .isInstanceOf(IllegalStateException.class);
  }
}

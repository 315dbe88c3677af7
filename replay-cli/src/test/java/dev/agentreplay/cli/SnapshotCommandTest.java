package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.workspace.SnapshotFiles;
import dev.agentreplay.io.workspace.SnapshotManifest;
import dev.agentreplay.io.workspace.WorkspaceSnapshot;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Snapshots are taken and restored on the command line, alone and with a session. */
class SnapshotCommandTest {

  @TempDir
  Path home;

  private Path workspace;
  private Path snapshot;
  private Path copy;

  @BeforeEach
  void create() throws IOException {
    workspace = Files.createDirectories(home.resolve("work"));
    snapshot = home.resolve("snapshot");
    copy = home.resolve("copy");
    Files.createDirectories(workspace.resolve("src"));
    Files.writeString(workspace.resolve("src/a.txt"), "one");
    Files.writeString(workspace.resolve(".env"), "SECRET=1");
    Files.createDirectories(workspace.resolve("target"));
  }

  @Test
  void snapshot_is_restored() throws IOException {
    Console taken = run("snapshot", workspace, snapshot);
    assertThat(taken.err()).isEmpty();
    assertThat(taken.exit()).isZero();
    assertThat(taken.out())
        .isEqualTo(
            """
            copied 1 files, 3 bytes, into %s
            manifest %s
            left out, ignored: 1: target
            left out, secret: 1: .env
            """
                .formatted(snapshot, SnapshotManifest.read(snapshot).hash()));

    Console restored = run("restore", snapshot, copy);
    assertThat(restored.exit()).isZero();
    assertThat(restored.out())
        .isEqualTo(
            "restored 1 files, 3 bytes, of %s into %s\n".formatted(workspace.toRealPath(), copy));
    assertThat(copy.resolve("src/a.txt")).hasContent("one");
  }

  @Test
  void report_is_json_on_request() throws IOException {
    Console taken = Console.run(
        "snapshot",
        "--format",
        "json",
        "--include",
        ".env",
        "--ignore",
        "*.txt",
        workspace.toString(),
        snapshot.toString());
    SnapshotManifest manifest = SnapshotManifest.read(snapshot);
    assertThat(taken.out())
        .isEqualTo("{\"schema\":\"replay.snapshot/1\",\"manifest\":\"%s\",\"tree\":\"%s\","
                .formatted(manifest.hash(), manifest.treeHash())
            + "\"files\":1,\"bytes\":8,\"linked\":0,"
            + "\"left_out\":{\"ignored\":{\"count\":2,\"first\":[\"src/a.txt\",\"target\"]}}}\n");
  }

  @Test
  void base_is_used_and_must_be_a_snapshot() {
    run("snapshot", workspace, snapshot);
    Console second = Console.run(
        "snapshot", "--base", snapshot.toString(), workspace.toString(), copy.toString());
    assertThat(second.exit()).isZero();
    assertThat(second.out()).contains("contents are links to the base");
    Console wrong = Console.run(
        "snapshot",
        "--base",
        workspace.toString(),
        workspace.toString(),
        home.resolve("other").toString());
    assertThat(wrong.exit()).isEqualTo(3);
    assertThat(wrong.err()).contains("work/files: no such file or directory");
    assertThat(home.resolve("other")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
      snapshot --ignore / %w %c            | 2 | expected a pattern
      snapshot --max-bytes 0 %w %c         | 2 | expected positive limits
      snapshot --max-bytes x %w %c         | 2 | expected a whole number
      snapshot --max-bytes 2 %w %c         | 3 | has 3 bytes, more than the limit of 2
      snapshot --database ../x %w %c       | 2 | expected a file in DIR
      snapshot --database src/x.db %w %c   | 2 | expected a file in DIR
      snapshot --database %w/x.db %w %c    | 3 | the database is not a file of the workspace
      snapshot --database src %w %c        | 3 | the database is not a file of the workspace
      snapshot --format xml %w %c          | 2 | --format
      snapshot %w/missing %c               | 3 | no such file
      snapshot %w/src/a.txt %c             | 3 | a.txt: expected a directory
      snapshot %w %w                       | 2 | OUT: expected a new or empty directory
      snapshot %w %w/src/a.txt             | 2 | OUT: expected a new or empty directory
      snapshot %w                          | 2 | OUT
      restore %w %c                        | 3 | expected a session directory
      restore %w/missing %c                | 3 | no such file
      restore %w/src/a.txt %c              | 3 | a.txt: line 1
      restore %w                           | 2 | DIR
      """)
  void wrong_use_and_rubbish_are_refused(String words, int exit, String message) {
    String[] args =
        words.replace("%w", workspace.toString()).replace("%c", copy.toString()).split(" ", -1);
    Console refused = Console.run(args);
    assertThat(refused.err()).contains(message);
    assertThat(refused.exit()).isEqualTo(exit);
    assertThat(copy).doesNotExist();
  }

  @Test
  void directory_that_is_not_empty_is_refused() {
    run("snapshot", workspace, snapshot);
    Console refused = run("restore", snapshot, workspace);
    assertThat(refused.exit()).isEqualTo(2);
    assertThat(refused.err())
        .contains("DIR: expected a new or empty directory, found " + workspace);
  }

  @Test
  void rubbish_in_place_of_a_manifest_is_unreadable() throws IOException {
    run("snapshot", workspace, snapshot);
    Path manifest = snapshot.resolve(SnapshotManifest.NAME);
    byte[] whole = Files.readAllBytes(manifest);
    Random random = new Random(3);
    for (int i = 0; i < 40; i++) {
      byte[] bytes = whole.clone();
      if (i % 2 == 0) {
        random.nextBytes(bytes);
      } else {
        bytes[random.nextInt(bytes.length - 1)] ^= (byte) (1 << random.nextInt(3));
      }
      Files.write(manifest, bytes);
      Console refused = run("restore", snapshot, copy);
      if (refused.exit() == 0) { // a different name or time is not an error without a log
        try (Stream<Path> files = Files.walk(copy)) {
          files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        }
      } else {
        assertThat(refused.exit()).isEqualTo(3);
        assertThat(refused.err()).doesNotContain("internal error");
      }
      assertThat(copy).doesNotExist();
    }
  }

  @Test
  void snapshot_of_a_session_is_verified_packed_and_restored() throws IOException {
    Path session = record();
    ContentHash one = ContentHash.sha256("one".getBytes(StandardCharsets.UTF_8));
    Files.createLink(
        home.resolve("shared"), SnapshotFiles.in(session.resolve("snapshot")).path(one));
    Console verified = Console.run("verify", "--strict", session.toString());
    assertThat(verified.out()).contains("2 of 2 files of the snapshot match their hash");
    Path pack = home.resolve("one.tar.gz");
    Path unpacked = home.resolve("unpacked");
    assertThat(run("pack", session, pack).err()).doesNotContain("left out");
    assertThat(run("unpack", pack, unpacked).exit()).isZero();
    assertThat(Console.run("verify", unpacked.toString()).out())
        .contains("2 of 2 files of the snapshot match their hash");

    assertThat(run("restore", unpacked, copy).exit()).isZero();
    assertThat(copy.resolve("src/a.txt")).hasContent("one");
    Path second = home.resolve("second");
    assertThat(run("restore", pack, second).err()).isEmpty();
    assertThat(second.resolve("src/a.txt")).hasContent("one");
  }

  @Test
  void snapshot_that_differs_from_the_hash_in_the_log_is_not_restored() throws IOException {
    Path session = record();
    Path manifest = session.resolve("snapshot/MANIFEST.jsonl");
    String text = Files.readString(manifest, StandardCharsets.UTF_8);
    Files.writeString(manifest, text.replace("src/a.txt", "src/b.txt"));
    Console refused = run("restore", session, copy);
    assertThat(refused.exit()).isEqualTo(3);
    assertThat(refused.err()).contains("expected the hash sha256:", "that the log states");
    assertThat(copy).doesNotExist();
    Files.delete(manifest);
    assertThat(run("restore", session, copy).err())
        .contains("the snapshot snapshot/MANIFEST.jsonl that the log names is missing");
  }

  @Test
  void session_without_a_snapshot_is_refused() throws IOException {
    Path session = home.resolve("plain");
    try (SessionRecorder recorder = SessionRecorder.start(session, "one")) {
      recorder.end(Status.SUCCESS, 1);
    }
    Console refused = run("restore", session, copy);
    assertThat(refused.exit()).isEqualTo(3);
    assertThat(refused.err()).contains("the session has no snapshot of its workspace");
  }

  private Path record() throws IOException {
    Path session = home.resolve("session");
    try (SessionRecorder recorder =
        SessionRecorder.start(session, SessionStart.of("one"), RecorderOptions.defaults())) {
      assertThat(run("snapshot", workspace, session.resolve("snapshot")).exit()).isZero();
      SnapshotManifest manifest = SnapshotManifest.read(session.resolve("snapshot"));
      recorder.emit(Settings.of(Map.of(
          Settings.WORKSPACE,
          new Settings.Setting(
              new WorkspaceSnapshot(manifest.hash(), "snapshot/MANIFEST.jsonl").json(), null))));
      recorder.call("tool", JsonObject.EMPTY).result("short");
      recorder.end(Status.SUCCESS, 1);
    }
    return session;
  }

  private static Console run(String command, Path first, Path second) {
    return Console.run(command, first.toString(), second.toString());
  }
}

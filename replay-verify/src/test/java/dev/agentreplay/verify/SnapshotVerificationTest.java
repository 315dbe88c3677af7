package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.workspace.HostIdentity;
import dev.agentreplay.io.workspace.SnapshotEntry;
import dev.agentreplay.io.workspace.SnapshotFiles;
import dev.agentreplay.io.workspace.SnapshotHeader;
import dev.agentreplay.io.workspace.SnapshotManifest;
import dev.agentreplay.io.workspace.WorkspaceSnapshot;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.verify.VerificationReport.Counter;
import dev.agentreplay.verify.VerifyPolicy.Requirement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The snapshot of a workspace is verified against the hash in the log, whatever is altered. */
class SnapshotVerificationTest {

  private static final Instant TIME = Instant.parse("2026-11-24T03:00:00Z");
  private static final String LOCATION = "snapshot/MANIFEST.jsonl";

  @TempDir
  private Path parent;

  private Path directory;
  private SnapshotFiles files;
  private SnapshotManifest manifest;
  private BlobRef one;
  private BlobRef two;
  private BlobRef after;

  @BeforeEach
  void create() throws IOException {
    directory = Files.createDirectory(parent.resolve("session"));
    Path snapshot = Files.createDirectory(directory.resolve(Session.SNAPSHOT_NAME));
    files = SnapshotFiles.in(snapshot);
    one = files.put("one".getBytes(StandardCharsets.UTF_8));
    two = files.put("two".getBytes(StandardCharsets.UTF_8));
    after = files.put("written by a tool".getBytes(StandardCharsets.UTF_8));
    manifest = SnapshotManifest.of(
        new SnapshotHeader(
            "/work", "040755", TIME, HostIdentity.UNKNOWN, JsonObject.EMPTY, JsonObject.EMPTY),
        List.of(
            new SnapshotEntry.File("a", "100644", TIME, one.blob(), 3),
            new SnapshotEntry.Directory("src", "040755", TIME),
            new SnapshotEntry.File("src/b", "100644", TIME, two.blob(), 3),
            new SnapshotEntry.File("src/copy", "100644", TIME, two.blob(), 3)));
    manifest.write(snapshot.resolve(SnapshotManifest.NAME));
  }

  @Test
  void manifest_and_contents_that_match_are_counted() throws IOException {
    VerificationReport report = recordAndVerify(LOCATION);
    assertThat(report.findings()).isEmpty();
    assertThat(report.verdict()).isEqualTo(Verdict.VALID);
    assertThat(report.count(Counter.SNAPSHOT_FILES)).isEqualTo(5);
    assertThat(report.count(Counter.SNAPSHOT_FILES_VERIFIED)).isEqualTo(5);
    assertThat(report.conclusions())
        .anyMatch(fact -> fact.text().equals("5 of 5 files of the snapshot match their hash"));
  }

  @Test
  void content_with_one_byte_changed_is_a_mismatch() throws IOException {
    alter(two, "twO");
    VerificationReport report = recordAndVerify(LOCATION);
    assertThat(report.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(report.findings().get(0).message())
        .isEqualTo("the content %s of \"src/b\" in the snapshot has the hash %s"
            .formatted(two.blob(), hash("twO")));
    assertThat(report.findings().get(0).expected()).isEqualTo(two.blob().toString());
    assertThat(report.findings().get(0).found()).isEqualTo(hash("twO").toString());
    close(report, 3, 2, 0);
  }

  @Test
  void content_of_a_different_length_or_type_is_a_mismatch() throws IOException {
    alter(one, "ones");
    Files.delete(files.path(two.blob()));
    Files.createDirectory(files.path(two.blob()));
    VerificationReport report = recordAndVerify(LOCATION);
    assertThat(report.count(FindingCode.BLOB_MISMATCH)).isEqualTo(3);
    assertThat(report.findings().get(0).message()).contains("has 4 bytes, but 3 are stated");
    assertThat(report.findings().get(1).message()).contains("found a directory");
    close(report, 2, 3, 0);
  }

  @Test
  void missing_content_is_unverifiable_and_fails_if_values_are_required() throws IOException {
    Files.delete(files.path(one.blob()));
    VerificationReport report = recordAndVerify(LOCATION);
    assertThat(report.findings())
        .extracting(finding -> finding.code() + " " + finding.message())
        .containsExactly("HASH_UNVERIFIABLE the content %s of \"a\" is missing in the snapshot"
            .formatted(one.blob()));
    assertThat(report.verdict()).isEqualTo(Verdict.VALID);
    close(report, 4, 0, 1);
    VerifyPolicy strict = VerifyPolicy.defaults().requiring(Requirement.VALUES);
    assertThat(SessionVerifier.of(strict).verify(Session.open(directory)).verdict())
        .isEqualTo(Verdict.UNVERIFIED);
  }

  @Test
  void manifest_without_a_line_is_a_mismatch_and_its_files_are_not_trusted() throws IOException {
    Path file = directory.resolve(LOCATION);
    List<String> lines = Files.readAllLines(file);
    Files.writeString(file, String.join("\n", lines.subList(0, 4)) + "\n");
    VerificationReport report = recordAndVerify(LOCATION);
    assertThat(report.count(FindingCode.BLOB_MISMATCH)).isEqualTo(1);
    assertThat(report.findings().get(0).message())
        .startsWith("the snapshot \"snapshot/MANIFEST.jsonl\" has the hash sha256:");
    close(report, 1, 1, 0);
  }

  @Test
  void manifest_that_is_malformed_is_a_mismatch_although_its_hash_is_in_the_log()
      throws IOException {
    Path file = directory.resolve(LOCATION);
    Files.writeString(file, Files.readString(file).replace("src/b", "../b"));
    record(ContentHash.sha256(Files.readAllBytes(file)), LOCATION);
    VerificationReport report = verify();
    assertThat(report.findings().get(0).message())
        .contains("cannot be read")
        .contains("line 4: expected a path relative to the workspace, found \"../b\"");
    close(report, 1, 1, 0);
  }

  @Test
  void stored_content_of_a_changed_file_is_verified() throws IOException {
    alter(after, "written by a fool");
    VerificationReport report = recordAndVerify(LOCATION);
    assertThat(report.findings())
        .extracting(finding -> finding.message())
        .containsExactly("the content %s of \"out\" in the snapshot has the hash %s"
            .formatted(after.blob(), hash("written by a fool")));
    Files.delete(files.path(after.blob()));
    assertThat(verify().findings()).isEmpty(); // only the hash was recorded
    close(verify(), 4, 0, 0);
  }

  @Test
  void log_without_its_snapshot_is_unverifiable() throws IOException {
    record(manifest.hash(), LOCATION);
    Files.move(directory.resolve("snapshot"), parent.resolve("moved"));
    VerificationReport report = verify();
    assertThat(report.findings())
        .extracting(finding -> finding.message())
        .containsExactly("the snapshot \"snapshot/MANIFEST.jsonl\" is missing");
    close(report, 0, 0, 1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"../moved/MANIFEST.jsonl", "/etc/passwd", "snapshot/../../moved/MANIFEST.jsonl"})
  void location_that_leads_out_of_the_session_is_not_read(String location) throws IOException {
    Files.move(directory.resolve("snapshot"), parent.resolve("moved"));
    VerificationReport report = recordAndVerify(location);
    assertThat(report.findings())
        .extracting(finding -> finding.message())
        .containsExactly(
            "the snapshot \"%s\" is not in the directory of the session".formatted(location));
    close(report, 0, 0, 1);
  }

  @Test
  void link_on_the_way_to_the_snapshot_is_a_mismatch() throws IOException {
    Files.move(directory.resolve("snapshot"), parent.resolve("moved"));
    Files.createSymbolicLink(directory.resolve("snapshot"), parent.resolve("moved"));
    VerificationReport report = recordAndVerify(LOCATION);
    assertThat(report.count(FindingCode.BLOB_MISMATCH)).isPositive();
    assertThat(report.findings().get(0).message()).contains("found a symbolic link");
    assertThat(report.count(Counter.SNAPSHOT_FILES_VERIFIED)).isZero();
  }

  private VerificationReport recordAndVerify(String location) throws IOException {
    record(manifest.hash(), location);
    return verify();
  }

  private void record(ContentHash hash, String location) throws IOException {
    try (SessionRecorder recorder =
        SessionRecorder.start(directory, SessionStart.of("s"), RecorderOptions.defaults())) {
      recorder.emit(Settings.of(Map.of(
          Settings.WORKSPACE,
          new Settings.Setting(new WorkspaceSnapshot(hash, location).json(), null))));
      recorder.emit(FileState.created("out", after.blob(), after.bytes()));
      recorder.call("tool", JsonObject.EMPTY).result("short");
      recorder.end(Status.SUCCESS, 1);
    }
  }

  private VerificationReport verify() throws IOException {
    return SessionVerifier.of(VerifyPolicy.defaults()).verify(Session.open(directory));
  }

  /** The counters close; the manifest counts as a file. */
  private static void close(
      VerificationReport report, long verified, long mismatched, long unverifiable) {
    assertThat(report.count(Counter.SNAPSHOT_FILES_VERIFIED)).isEqualTo(verified);
    assertThat(report.count(Counter.SNAPSHOT_FILES_MISMATCHED)).isEqualTo(mismatched);
    assertThat(report.count(Counter.SNAPSHOT_FILES_UNVERIFIABLE)).isEqualTo(unverifiable);
    assertThat(report.count(Counter.SNAPSHOT_FILES))
        .isEqualTo(verified + mismatched + unverifiable);
  }

  private void alter(BlobRef content, String text) throws IOException {
    Files.delete(files.path(content.blob()));
    Files.writeString(files.path(content.blob()), text);
  }

  private static ContentHash hash(String text) {
    return ContentHash.sha256(text.getBytes(StandardCharsets.UTF_8));
  }
}

package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.session.ReceiptFile;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.model.receipt.SessionReceipt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A session is as secret as what the agent saw: no other user can read a file of it. */
class OwnerOnlyFilesTest {

  @TempDir
  private Path root;

  private Path session;

  @BeforeEach
  void resolve() throws IOException {
    Assumptions.assumeThat(Files.getFileStore(root).supportsFileAttributeView("posix"))
        .isTrue();
    session = root.resolve("sessions/one");
  }

  @Test
  void recording_creates_files_that_only_their_owner_can_read() throws IOException {
    Map<String, String> whileWriting = new TreeMap<>();
    record(whileWriting);
    assertThat(whileWriting)
        .containsEntry("", "rwx------")
        .containsEntry("blobs", "rwx------")
        .containsEntry("REPLAY.jsonl", "rw-------")
        .containsEntry("REPLAY.jsonl.lock", "rw-------");
    Map<String, String> ended = permissions(session);
    assertThat(ended).containsKeys("RECEIPT.json", "RECEIPT.dsse.json", "REPLAY.jsonl");
    assertThat(ended).allSatisfy((name, permissions) -> assertThat(permissions)
        .isEqualTo(Files.isDirectory(session.resolve(name)) ? "rwx------" : "rw-------"));
  }

  @Test
  void directories_above_a_session_get_what_any_directory_gets() throws IOException {
    record(new TreeMap<>());
    Path any = Files.createDirectory(root.resolve("any"));
    assertThat(Files.getPosixFilePermissions(session.getParent()))
        .isEqualTo(Files.getPosixFilePermissions(any));
  }

  @Test
  void every_segment_of_a_log_is_for_its_owner_alone() throws IOException {
    Path log = root.resolve("REPLAY.jsonl");
    WriterOptions segments = WriterOptions.defaults().withMaxSegmentBytes(1 << 10);
    try (ReplayWriter writer = ReplayWriter.create(log, ReplayHeader.of("p"), segments)) {
      for (int i = 0; i < 20; i++) {
        writer.emit(SessionStart.of("s".repeat(200)));
      }
    }
    assertThat(permissions(root).keySet()).contains("REPLAY.jsonl", "REPLAY.jsonl.2");
    assertThat(permissions(root).entrySet())
        .filteredOn(file -> !file.getKey().isEmpty())
        .allMatch(file -> file.getValue().equals("rw-------"));
  }

  @Test
  void file_in_the_place_of_a_link_is_for_its_owner_alone() throws IOException {
    Receipt made = record(new TreeMap<>());
    Path receipt = session.resolve("RECEIPT.json");
    Path target = Files.move(receipt, root.resolve("target"));
    Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rw-rw-rw-"));
    Files.createSymbolicLink(receipt, target);
    ReceiptFile.replace(receipt, made);
    assertThat(receipt).isRegularFile();
    assertThat(permission(receipt)).isEqualTo("rw-------");
  }

  /** Tells also the permissions while the log is open. */
  private SessionReceipt record(Map<String, String> whileWriting) throws IOException {
    RecorderOptions options = RecorderOptions.defaults()
        .withBlobThreshold(10)
        .withWriter(WriterOptions.defaults()
            .withEvidence(TamperEvidenceOptions.defaults().withSigner(new HashingSigner())));
    try (SessionRecorder recorder = SessionRecorder.start(session, SessionStart.of("s"), options)) {
      recorder.call("t", JsonObject.of()).result("a text of more than ten bytes");
      whileWriting.putAll(permissions(session));
      return recorder.end(Status.SUCCESS, 1);
    }
  }

  private static Map<String, String> permissions(Path directory) throws IOException {
    Map<String, String> permissions = new TreeMap<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.toList()) {
        permissions.put(directory.relativize(file).toString(), permission(file));
      }
    }
    return permissions;
  }

  private static String permission(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }
}

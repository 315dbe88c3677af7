package dev.agentreplay.convert.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentreplay.convert.pack.PackFormatException.Reason;
import dev.agentreplay.io.file.TemporaryDirectory;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.OpenSession;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.signature.Ed25519Signer;
import dev.agentreplay.testkit.JavaTempDir;
import dev.agentreplay.testkit.TestFiles;
import dev.agentreplay.verify.SessionSigner;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerifyPolicy;
import java.io.IOException;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.ReadOnlyFileSystemException;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A packed session that is opened is read like a directory, and leaves nothing. */
class OpenPackedSessionTest {

  @TempDir
  private Path root;

  @RegisterExtension
  private final JavaTempDir tmp = new JavaTempDir();

  private Path file;

  @BeforeEach
  void setFile() {
    file = root.resolve("packed");
  }

  private Path record() throws IOException {
    Path directory = root.resolve("one");
    RecorderOptions options = RecorderOptions.defaults().withBlobThreshold(100);
    try (SessionRecorder session =
        SessionRecorder.start(directory, SessionStart.of("s"), options)) {
      session.call("tool", JsonObject.EMPTY).result("long ".repeat(100));
      session.end(Status.SUCCESS, 1);
    }
    return directory;
  }

  private OpenSession open(String... namesAndContents) throws IOException {
    Files.write(file, TestFiles.gzip(TestTar.of(namesAndContents).end()));
    return PackedSession.open(file);
  }

  private PackFormatException refuse(byte[] packed, UnpackLimits limits) throws IOException {
    Files.write(file, packed);
    PackFormatException refused =
        catchThrowableOfType(PackFormatException.class, () -> PackedSession.open(file, limits));
    assertThat(refused).hasMessageStartingWith(file + ": byte " + refused.offset());
    assertThat(tmp.path()).isEmptyDirectory();
    return refused;
  }

  @Test
  void packed_session_with_blobs_verifies_like_its_directory() throws IOException {
    Path directory = record();
    PackedSession.pack(directory, file);
    SessionVerifier verifier = SessionVerifier.of(VerifyPolicy.defaults());
    try (OpenSession open = PackedSession.open(file)) {
      assertThat(verifier.verify(open.session()).verdict()).isEqualTo(Verdict.VALID);
      assertThat(verifier.verify(open.session()).counts())
          .isEqualTo(verifier.verify(Session.open(directory)).counts());
      assertThat(open.session().segments()).containsExactly(open.session().log());
      assertThat(open.session().isBeingWritten()).isFalse();
    }
  }

  @Test
  void paths_name_the_packed_file() throws IOException {
    try (OpenSession open = open("REPLAY.jsonl", "{}\n", "RECEIPT.json", "{}")) {
      assertThat(open.session().log()).hasToString(file + "/REPLAY.jsonl");
      assertThat(open.session().receipt()).hasToString(file + "/RECEIPT.json");
      Path missing = open.session().log().resolveSibling("blobs");
      assertThatThrownBy(() -> Files.newInputStream(missing))
          .isInstanceOf(NoSuchFileException.class)
          .hasMessage(file + "/blobs");
      assertThatThrownBy(() -> Files.list(open.session().log()))
          .isInstanceOf(FileSystemException.class)
          .hasMessage(file + "/REPLAY.jsonl: NotDirectoryException");
    }
  }

  @Test
  void temporary_directory_is_of_its_owner_and_deleted_when_closed() throws IOException {
    OpenSession open = open("REPLAY.jsonl", "{}\n", "blobs/b", "b");
    Path log = open.session().log();
    try (Stream<Path> directories = Files.list(tmp.path())) {
      assertThat(directories).singleElement().satisfies(directory -> assertThat(
              PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
          .isEqualTo("rwx------"));
    }
    open.close();
    open.close();
    assertThat(tmp.path()).isEmptyDirectory();
    assertThatThrownBy(() -> Files.exists(log)).isInstanceOf(ClosedFileSystemException.class);
  }

  @Test
  void files_cannot_be_changed() throws IOException {
    PackedSession.pack(record(), file);
    byte[] before = Files.readAllBytes(file);
    try (OpenSession open = PackedSession.open(file)) {
      Path log = open.session().log();
      Path other = log.resolveSibling("other");
      List<ThrowingCallable> changes = List.of(
          () -> Files.writeString(log, "x"),
          () -> Files.newByteChannel(log, StandardOpenOption.WRITE),
          () -> Files.createDirectory(other),
          () -> Files.delete(log),
          () -> Files.copy(log, other),
          () -> Files.move(log, other, StandardCopyOption.ATOMIC_MOVE),
          () -> Files.setAttribute(log, "lastModifiedTime", FileTime.fromMillis(0)),
          () -> SessionSigner.sign(open.session(), Ed25519Signer.generate()));
      assertThat(changes).allSatisfy(change -> assertThatThrownBy(change)
          .isInstanceOf(ReadOnlyFileSystemException.class));
      assertThat(Files.isWritable(log)).isFalse();
      assertThat(Files.isReadable(log)).isTrue();
    }
    assertThat(file).hasBinaryContent(before);
  }

  @Test
  void path_out_of_the_packed_file_is_not_found() throws IOException {
    Files.writeString(root.resolve("other"), "mine");
    try (OpenSession open = open("REPLAY.jsonl", "{}\n")) {
      Path other = open.session().log().resolveSibling("../other");
      assertThat(other).hasToString(file + "/../other");
      assertThatThrownBy(() -> Files.readString(other))
          .isInstanceOf(NoSuchFileException.class)
          .hasMessageContaining("not a file of " + file);
    }
  }

  @Test
  void paths_relate_as_those_of_a_directory() throws IOException {
    try (OpenSession open = open("REPLAY.jsonl", "{}\n", "blobs/b", "b")) {
      Path directory = open.session().log().getParent();
      try (Stream<Path> walked = Files.walk(directory)) {
        assertThat(walked.map(path -> directory.relativize(path).toString()))
            .containsExactlyInAnyOrder("", "REPLAY.jsonl", "blobs", "blobs/b");
      }
      Path blob = directory.resolve("blobs/b");
      assertThat(blob.getParent()).isEqualTo(directory.resolve("x/../blobs").normalize());
      assertThat(blob.startsWith(directory)).isTrue();
      assertThat(blob.startsWith(file)).isFalse();
      assertThat(blob.endsWith("b")).isTrue();
      assertThat(blob.toRealPath()).isEqualTo(blob);
      assertThat(Files.isSameFile(blob, directory.resolve("blobs/../blobs/b"))).isTrue();
      assertThat(Files.isSameFile(blob, file)).isFalse();
      assertThat(Files.readString(blob)).isEqualTo("b");
    }
  }

  @Test
  void file_that_is_not_of_a_session_is_read() throws IOException {
    try (OpenSession open = open("REPLAY.jsonl", "{}\n", "notes.md", "mine", ".git/config", "x")) {
      assertThat(open.session().log().resolveSibling("notes.md")).exists();
    }
  }

  @Test
  void damaged_file_leaves_nothing() throws IOException {
    byte[] tar = TestTar.of("REPLAY.jsonl", "{}\n", "blobs/b", "b").end();
    byte[] packed = TestFiles.gzip(tar);
    UnpackLimits limits = UnpackLimits.defaults();
    for (int length = 0; length < packed.length; length += 7) {
      assertThat(refuse(Arrays.copyOf(packed, length), limits).reason())
          .isEqualTo(Reason.COMPRESSION);
    }
    byte[] changed = tar.clone();
    changed[tar.length - 1_024 - 512] ^= 1; // the content of the last file
    assertThat(refuse(TestFiles.gzip(changed), limits).reason()).isEqualTo(Reason.CONTENT);
    assertThat(refuse(packed, limits.withMaxTotalBytes(2)).reason()).isEqualTo(Reason.SIZE);
  }

  @Test
  void packed_file_is_recognized_by_its_content() throws IOException {
    byte[] packed = TestFiles.gzip(TestTar.of("REPLAY.jsonl", "{}\n").end());
    assertThat(isPacked(packed)).isTrue();
    assertThat(isPacked(Arrays.copyOf(packed, packed.length - 9))).isTrue();
    assertThat(
            isPacked(TestFiles.gzip(new TestTar().file("REPLAY.jsonl", "{}\n").end())))
        .isFalse();
    assertThat(isPacked(TestFiles.gzip("{}\n".getBytes()))).isFalse();
    assertThat(isPacked(TestTar.of("REPLAY.jsonl", "{}\n").end())).isFalse();
    assertThat(isPacked(new byte[0])).isFalse();
    assertThat(PackedSession.isPacked(root)).isFalse();
    assertThat(PackedSession.isPacked(root.resolve("missing"))).isFalse();
  }

  private boolean isPacked(byte[] content) throws IOException {
    return PackedSession.isPacked(Files.write(file, content));
  }

  @Test
  void directory_that_is_deleted_while_it_is_filled_is_not_created_again() throws IOException {
    Files.write(
        file, TestFiles.gzip(TestTar.of("A/b", "b", "REPLAY.jsonl", "{}\n").end()));
    TemporaryDirectory directory = TemporaryDirectory.create();
    try (PackReader reader = PackReader.open(file, TestPacks.ALL)) {
      List<PackedFile> files = reader.readManifest();
      assertThat(files.get(0).path()).isEqualTo("A/b");
      directory.close();
      assertThatThrownBy(() -> reader.readFiles(files, directory.path()))
          .isInstanceOf(NoSuchFileException.class);
    }
    assertThat(tmp.path()).isEmptyDirectory();
  }
}

package dev.agentreplay.sandbox.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentreplay.io.workspace.SnapshotEntry;
import dev.agentreplay.io.workspace.SnapshotFiles;
import dev.agentreplay.io.workspace.SnapshotManifest;
import dev.agentreplay.model.ContentHash;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Taking snapshots: which files are in them, and what is stated about the others. */
class SnapshotWriterTest {

  private static final Instant OLD = Instant.parse("2020-01-02T03:04:05.123456789Z");

  @TempDir
  private Path directory;

  private Path workspace;
  private Path snapshot;

  @BeforeEach
  void create() throws IOException {
    workspace = Files.createDirectory(directory.resolve("workspace"));
    snapshot = directory.resolve("snapshot");
  }

  @Test
  void snapshot_has_files_directories_and_links_with_modes_and_times() throws IOException {
    Path file = write("src/run.sh", "echo");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x---"));
    Files.setLastModifiedTime(file, FileTime.from(OLD));
    Files.createDirectory(workspace.resolve("empty"));
    Files.createSymbolicLink(workspace.resolve("link"), Path.of("/etc/passwd"));

    SnapshotManifest manifest = take(SnapshotOptions.defaults());

    assertThat(manifest.entries())
        .extracting(SnapshotEntry::path)
        .containsExactly("empty", "link", "src", "src/run.sh");
    assertThat(manifest.entries().get(1)).isEqualTo(new SnapshotEntry.Link("link", "/etc/passwd"));
    assertThat(manifest.entries().get(3))
        .isEqualTo(new SnapshotEntry.File("src/run.sh", "100750", OLD, hash("echo"), 4));
    assertThat(SnapshotFiles.in(snapshot).find(hash("echo"))).hasContent("echo");
    assertThat(SnapshotManifest.read(snapshot)).isEqualTo(manifest);
    assertThat(manifest.header().root()).isEqualTo(workspace.toRealPath().toString());
    assertThat(manifest.header().leftOut().isEmpty()).isTrue();
    assertThat(manifest.header().identity().user()).isEqualTo(System.getProperty("user.name"));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(snapshot)))
        .isEqualTo("rwx------");
  }

  @Test
  void what_rules_leave_out_is_stated() throws IOException {
    write(".git/config", "x");
    write("a/node_modules/b/c.js", "x");
    write("logs/1.log", "x");
    write("keep.log", "x");
    write(".env", "SECRET=1");
    write("a/.env.local", "SECRET=1");
    write("a/.env.example", "SECRET=");
    write("tls.pem", "x");

    SnapshotManifest manifest = take(SnapshotOptions.defaults().withIgnored("*.log", "!keep.log"));

    assertThat(manifest.entries())
        .extracting(SnapshotEntry::path)
        .containsExactly("a", "a/.env.example", "keep.log", "logs");
    assertThat(manifest.header().leftOut())
        .hasToString(
            "{\"ignored\":{\"count\":3,\"first\":[\".git\",\"a/node_modules\",\"logs/1.log\"]},"
                + "\"secret\":{\"count\":3,\"first\":[\".env\",\"a/.env.local\",\"tls.pem\"]}}");
    assertThat(manifest.header().rules().get("ignored").toString())
        .startsWith("[\".git/\",")
        .endsWith(",\"*.log\",\"!keep.log\"]");
  }

  @Test
  void files_with_secrets_are_left_out_in_any_directory_and_case() throws IOException {
    List<String> secrets = List.of(
        ".env",
        ".env.production",
        ".envrc",
        "id_rsa",
        "ID_ED25519",
        "Server.PEM",
        "tls.key",
        ".netrc",
        ".npmrc",
        ".pypirc",
        ".git-credentials",
        ".vault-token",
        ".my.cnf",
        "keys.kdbx",
        ".aws/credentials",
        ".docker/config.json",
        ".config/gcloud/access_tokens.db",
        ".ssh/config");
    List<String> others = List.of(
        ".env.example", "environment", "keyboard", "pem", ".docker/Dockerfile", ".config/a");
    for (String prefix : List.of("", "a/b/")) {
      for (String path : secrets) {
        write(prefix + path, "x");
      }
      for (String path : others) {
        write(prefix + path, "x");
      }
    }
    assertThat(take(SnapshotOptions.defaults()).entries().stream()
            .filter(SnapshotEntry.File.class::isInstance)
            .map(SnapshotEntry::path))
        .containsExactlyInAnyOrderElementsOf(
            others.stream().flatMap(path -> Stream.of(path, "a/b/" + path)).toList());
  }

  @Test
  void included_files_are_taken_although_they_are_ignored_or_secret() throws IOException {
    write(".env", "SECRET=1");
    write(".env.local", "SECRET=1");
    write("target/classes/A.class", "a");
    write("target/classes/.env.local", "a");
    write("target/logs/1", "a");
    write("build/x", "a");

    SnapshotManifest manifest =
        take(SnapshotOptions.defaults().withIncluded(".env", "target/classes"));

    assertThat(manifest.entries())
        .extracting(SnapshotEntry::path)
        .containsExactly(".env", "target", "target/classes", "target/classes/A.class");
    assertThat(manifest.header().leftOut())
        .hasToString("{\"ignored\":{\"count\":2,\"first\":[\"build\",\"target/logs\"]},"
            + "\"secret\":{\"count\":2,\"first\":[\".env.local\",\"target/classes/.env.local\"]}}");
  }

  @Test
  void only_the_first_names_of_many_are_stated() throws IOException {
    for (int i = 0; i < 30; i++) {
      write("%02d.pem".formatted(i), "x");
    }
    assertThat(take(SnapshotOptions.defaults()).header().leftOut().toString())
        .startsWith("{\"secret\":{\"count\":30,\"first\":[\"00.pem\",")
        .endsWith("\"09.pem\"]}}");
  }

  @Test
  void sockets_and_pipes_are_left_out() throws Exception {
    write("a", "x");
    run("mkfifo", workspace.resolve("pipe").toString());
    Path socket = workspace.resolve("socket");
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      SnapshotManifest manifest = take(SnapshotOptions.defaults());
      assertThat(manifest.entries()).hasSize(1);
      assertThat(manifest.header().leftOut())
          .hasToString("{\"special_file\":{\"count\":2,\"first\":[\"pipe\",\"socket\"]}}");
    }
  }

  @Test
  void name_that_is_not_text_is_left_out() throws Exception {
    write("a", "x");
    run("sh", "-c", "cd '%s' && printf x > \"$(printf 'b\\377')\"".formatted(workspace));
    SnapshotManifest manifest = take(SnapshotOptions.defaults());
    assertThat(manifest.entries()).hasSize(1);
    assertThat(manifest.header().leftOut().toString()).startsWith("{\"name\":{\"count\":1,");
  }

  @Test
  void link_whose_target_ends_with_a_slash_is_taken_without_it() throws Exception {
    run("ln", "-s", "lib/", workspace.resolve("a").toString());
    run("ln", "-s", "x//lib", workspace.resolve("b").toString());
    run("ln", "-s", "x", workspace.resolve("c").toString());

    SnapshotManifest manifest = take(SnapshotOptions.defaults());

    assertThat(manifest.entries())
        .containsExactly(
            new SnapshotEntry.Link("a", "lib"),
            new SnapshotEntry.Link("b", "x/lib"),
            new SnapshotEntry.Link("c", "x"));
    assertThat(manifest.header().leftOut())
        .hasToString("{\"link_slashes\":{\"count\":2,\"first\":[\"a\",\"b\"]}}");
  }

  @Test
  void file_that_may_not_be_read_is_left_out() throws IOException {
    Path file = write("a", "x");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("-w-------"));
    assumeTrue(!Files.isReadable(file), "root reads each file");
    assertThat(take(SnapshotOptions.defaults()).header().leftOut())
        .hasToString("{\"unreadable\":{\"count\":1,\"first\":[\"a\"]}}");
  }

  @Test
  void bits_that_are_not_permissions_are_stated() throws IOException {
    Files.setAttribute(write("a", "x"), "unix:mode", 04755);
    SnapshotManifest manifest = take(SnapshotOptions.defaults());
    assertThat(manifest.entries().get(0).mode()).isEqualTo("100755");
    assertThat(manifest.header().leftOut())
        .hasToString("{\"special_bits\":{\"count\":1,\"first\":[\"a\"]}}");
  }

  @Test
  void session_and_snapshot_in_the_workspace_are_left_out() throws IOException {
    write("a", "x");
    write("sessions/now/REPLAY.jsonl", "x");
    write("sessions/earlier/REPLAY.jsonl", "x");
    write("sessions/earlier/snapshot/MANIFEST.jsonl", "x");
    write("sessions/earlier/snapshot/files/ab/cd", "x");
    snapshot = workspace.resolve("sessions/now/snapshot");

    SnapshotManifest manifest =
        take(SnapshotOptions.defaults().without(workspace.resolve("sessions/now")));

    assertThat(manifest.entries())
        .extracting(SnapshotEntry::path)
        .containsExactly("a", "sessions", "sessions/earlier", "sessions/earlier/REPLAY.jsonl");
    assertThat(manifest.header().leftOut())
        .hasToString("{\"excluded\":{\"count\":2,"
            + "\"first\":[\"sessions/earlier/snapshot\",\"sessions/now\"]}}");
  }

  @Test
  void exceeded_limit_names_the_file_and_leaves_nothing() throws IOException {
    write("a/small", "xx");
    write("a/large", "xxxx");
    SnapshotLimits limits = SnapshotLimits.defaults();
    refuse(limits.withFileBytes(3), "a/large: the file has 4 bytes, more than the limit of 3");
    refuse(limits.withBytes(5), "a/large: the workspace has 6 bytes, more than the limit of 5");
    refuse(limits.withFiles(2), "more than the limit of 2 files and directories");
    take(SnapshotOptions.defaults().withLimits(new SnapshotLimits(3, 6, 4)));
  }

  private void refuse(SnapshotLimits limits, String message) {
    assertThatThrownBy(() -> take(SnapshotOptions.defaults().withLimits(limits)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(message);
    assertThat(snapshot).doesNotExist();
  }

  @Test
  void target_that_is_not_empty_is_refused_and_kept() throws IOException {
    write("a", "x");
    Path kept = Files.writeString(Files.createDirectory(snapshot).resolve("kept"), "x");
    assertThatThrownBy(() -> take(SnapshotOptions.defaults()))
        .isInstanceOf(DirectoryNotEmptyException.class);
    assertThat(kept).hasContent("x");
    Files.delete(kept);
    take(SnapshotOptions.defaults());
    assertThatThrownBy(() -> SnapshotWriter.take(workspace, kept(), SnapshotOptions.defaults()))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(() -> SnapshotWriter.take(
            directory.resolve("missing"), directory.resolve("new"), SnapshotOptions.defaults()))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(directory.resolve("new")).doesNotExist();
  }

  @Test
  void path_through_a_missing_directory_does_not_lead_to_an_existing_one() throws IOException {
    write("a", "x");
    Path kept = Files.writeString(Files.createDirectory(snapshot).resolve("kept"), "x");
    Path through = directory.resolve("missing/../snapshot");
    assertThatThrownBy(() -> SnapshotWriter.take(workspace, through, SnapshotOptions.defaults()))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(kept).hasContent("x");
  }

  @Test
  void path_through_a_link_is_that_of_the_operating_system() throws IOException {
    write("a", "x");
    Path kept = Files.writeString(Files.createDirectory(snapshot).resolve("kept"), "x");
    Path target = Files.createDirectories(directory.resolve("elsewhere/target"));
    Files.createSymbolicLink(directory.resolve("link"), target);
    Path through = directory.resolve("link/../snapshot");

    SnapshotWriter.take(workspace, through, SnapshotOptions.defaults());
    assertThat(directory.resolve("elsewhere/snapshot/MANIFEST.jsonl")).isRegularFile();
    assertThat(snapshot)
        .isDirectoryContaining(kept::equals)
        .isDirectoryNotContaining("glob:**.jsonl");
  }

  private Path kept() throws IOException {
    return Files.writeString(directory.resolve("file"), "x");
  }

  @Test
  void unchanged_files_are_links_to_the_earlier_contents() throws Exception {
    write("old", "one");
    write("copy", "one");
    write("changed", "two");
    awaitClock();
    SnapshotManifest first = take(SnapshotOptions.defaults());
    Path earlier = snapshot;
    Files.setLastModifiedTime(workspace.resolve("changed"), FileTime.from(OLD));
    Files.writeString(workspace.resolve("changed"), "six");
    Files.setLastModifiedTime(workspace.resolve("changed"), time(first, "changed"));

    snapshot = directory.resolve("second");
    SnapshotReport report =
        SnapshotWriter.take(workspace, snapshot, SnapshotOptions.defaults().withBase(earlier));

    assertThat(report.linkedContents()).isEqualTo(1);
    assertThat(inode(snapshot, "one")).isEqualTo(inode(earlier, "one"));
    assertThat(SnapshotFiles.in(snapshot).find(hash("six"))).hasContent("six");
    assertThat(report.manifest().treeHash()).isNotEqualTo(first.treeHash());
    SnapshotRestorer.restore(snapshot, directory.resolve("restored"));
    assertThat(directory.resolve("restored/changed")).hasContent("six");
    assertThat(directory.resolve("restored/copy")).hasContent("one");
  }

  @Test
  @Timeout(60)
  void file_that_changed_just_before_the_snapshot_is_read_again() throws IOException {
    ScannedWorkspace scanned;
    long written;
    do { // until the machine is fast enough
      write("a", "one");
      written = System.nanoTime();
      scanned = WorkspaceScan.of(workspace, SnapshotOptions.defaults())
          .scan(FileIndex.EMPTY, ContentReader.hashing());
    } while (System.nanoTime() - written > 15_000_000);
    assertThat(scanned.index().files()).doesNotContainKey("a");
  }

  @Test
  void file_that_changes_at_the_time_of_the_snapshot_is_read_again() throws IOException {
    write("a", "one");
    AtomicBoolean isChanged = new AtomicBoolean();
    ContentReader changing = (file, most) -> {
      if (!isChanged.getAndSet(true)) {
        Files.writeString(file, "two");
      }
      return ContentReader.hashing().read(file, most);
    };
    ScannedWorkspace scanned =
        WorkspaceScan.of(workspace, SnapshotOptions.defaults()).scan(FileIndex.EMPTY, changing);
    assertThat(scanned.index().files()).doesNotContainKey("a");
  }

  @Test
  void contents_that_are_missing_in_the_earlier_snapshot_are_read() throws Exception {
    write("a", "one");
    awaitClock();
    take(SnapshotOptions.defaults());
    Path earlier = snapshot;
    Files.delete(SnapshotFiles.in(earlier).path(hash("one")));
    snapshot = directory.resolve("second");
    take(SnapshotOptions.defaults().withBase(earlier));
    assertThat(SnapshotFiles.in(snapshot).find(hash("one"))).hasContent("one");
  }

  @Test
  void contents_that_are_missing_in_the_same_directory_are_read_again() throws Exception {
    write("a", "one");
    write("b", "two");
    awaitClock();
    take(SnapshotOptions.defaults());
    SnapshotFiles files = SnapshotFiles.in(snapshot);
    Files.delete(files.path(hash("one")));
    SnapshotWriter.add(workspace, snapshot, "MANIFEST-2.jsonl", SnapshotOptions.defaults());
    assertThat(files.find(hash("one"))).hasContent("one");
  }

  @Test
  void index_of_an_unchanged_workspace_is_kept_and_one_of_a_changed_workspace_replaced()
      throws Exception {
    write("a", "one");
    awaitClock();
    take(SnapshotOptions.defaults());
    Path index = snapshot.resolve(IndexFile.NAME);
    Path first = Files.createLink(directory.resolve("index"), index);
    SnapshotWriter.add(workspace, snapshot, "MANIFEST-2.jsonl", SnapshotOptions.defaults());
    assertThat(Files.isSameFile(index, first)).isTrue();

    write("b", "two");
    awaitClock();
    SnapshotWriter.add(workspace, snapshot, "MANIFEST-3.jsonl", SnapshotOptions.defaults());
    assertThat(IndexFile.read(index, workspace.toRealPath().toString()).files())
        .containsOnlyKeys("a", "b");
  }

  @Test
  void damaged_index_or_one_of_a_different_workspace_is_not_used() throws Exception {
    write("a", "one");
    awaitClock();
    take(SnapshotOptions.defaults());
    Path index = snapshot.resolve(IndexFile.NAME);
    String root = workspace.toRealPath().toString();
    assertThat(IndexFile.read(index, root).files()).containsOnlyKeys("a");
    assertThat(IndexFile.read(index, root + "/b").files()).isEmpty();
    byte[] bytes = Files.readAllBytes(index);
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] ^= 1;
      Files.write(index, bytes);
      assertThat(IndexFile.read(index, root).files()).as("byte %d", i).isEmpty();
      bytes[i] ^= 1;
      Files.write(index, Arrays.copyOf(bytes, i));
      assertThat(IndexFile.read(index, root).files()).as("%d bytes", i).isEmpty();
    }
  }

  @Test
  void second_snapshot_in_a_directory_shares_the_contents() throws IOException {
    write("a", "one");
    SnapshotManifest first = take(SnapshotOptions.defaults());
    write("b", "two");
    SnapshotManifest second = SnapshotWriter.add(
            workspace, snapshot, "MANIFEST-2.jsonl", SnapshotOptions.defaults())
        .manifest();

    assertThat(SnapshotManifest.read(snapshot)).isEqualTo(first);
    assertThat(SnapshotManifest.read(snapshot.resolve("MANIFEST-2.jsonl"))).isEqualTo(second);
    Path copy = directory.resolve("copy");
    SnapshotRestorer.restore(snapshot.resolve("MANIFEST-2.jsonl"), copy);
    assertThat(copy.resolve("b")).hasContent("two");
    assertThatThrownBy(() ->
            SnapshotWriter.add(workspace, snapshot, "MANIFEST-2.jsonl", SnapshotOptions.defaults()))
        .isInstanceOf(FileAlreadyExistsException.class);
  }

  @Test
  void failed_second_snapshot_leaves_the_first_as_it_was() throws IOException {
    write("a", "one");
    SnapshotManifest first = take(SnapshotOptions.defaults());
    write("b", "two");
    write("c", "x".repeat(2_000));
    SnapshotLimits limits = SnapshotLimits.defaults().withFileBytes(1_000);
    assertThatThrownBy(() -> SnapshotWriter.add(
            workspace, snapshot, "MANIFEST-2.jsonl", SnapshotOptions.defaults().withLimits(limits)))
        .hasMessageContaining("c: the file has 2000 bytes");
    assertThat(SnapshotManifest.read(snapshot)).isEqualTo(first);
    assertThat(SnapshotFiles.in(snapshot).find(hash("one"))).isNotNull();
    assertThat(SnapshotFiles.in(snapshot).find(hash("two"))).isNull();
  }

  @Test
  void failed_second_snapshot_keeps_a_large_content_of_the_first_that_was_read_again()
      throws IOException {
    Path large = write("large", "x".repeat(Buffers.SMALL_BYTES + 1));
    take(SnapshotOptions.defaults());
    Files.setLastModifiedTime(large, FileTime.from(OLD)); // it is read again
    String name = "missing/MANIFEST-2.jsonl"; // cannot be written
    assertThatThrownBy(
            () -> SnapshotWriter.add(workspace, snapshot, name, SnapshotOptions.defaults()))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(SnapshotFiles.in(snapshot).find(hash(Files.readString(large)))).isNotNull();
  }

  private SnapshotManifest take(SnapshotOptions options) throws IOException {
    return SnapshotWriter.take(workspace, snapshot, options).manifest();
  }

  /** Makes the next times of the file system differ from those so far, as in a later second. */
  private void awaitClock() throws IOException {
    Path probe = directory.resolve("probe");
    Instant first = Instant.now();
    while (true) {
      Files.deleteIfExists(probe);
      Files.writeString(probe, "x");
      if (FileStat.of(probe).changed().isAfter(first.plusMillis(50))) {
        return;
      }
      Thread.onSpinWait();
    }
  }

  private static FileTime time(SnapshotManifest manifest, String path) {
    for (SnapshotEntry entry : manifest.entries()) {
      if (entry instanceof SnapshotEntry.File file && file.path().equals(path)) {
        return FileTime.from(file.modified());
      }
    }
    throw new AssertionError(path);
  }

  private static Object inode(Path snapshot, String content) throws IOException {
    return Files.getAttribute(SnapshotFiles.in(snapshot).path(hash(content)), "unix:ino");
  }

  private Path write(String path, String text) throws IOException {
    Path file = workspace.resolve(path);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private static ContentHash hash(String text) {
    return ContentHash.sha256(text.getBytes(StandardCharsets.UTF_8));
  }

  private static void run(String... command) throws Exception {
    assertThat(new ProcessBuilder(List.of(command)).inheritIO().start().waitFor())
        .isZero();
  }
}

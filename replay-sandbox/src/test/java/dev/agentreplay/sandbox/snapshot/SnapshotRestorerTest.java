package dev.agentreplay.sandbox.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.workspace.HostIdentity;
import dev.agentreplay.io.workspace.SnapshotEntry;
import dev.agentreplay.io.workspace.SnapshotFiles;
import dev.agentreplay.io.workspace.SnapshotHeader;
import dev.agentreplay.io.workspace.SnapshotManifest;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Restored workspaces are exact; damaged and hostile snapshots restore nothing. */
public class SnapshotRestorerTest {

  private static final Instant TIME = Instant.parse("2020-01-02T03:04:05.123456789Z");

  @TempDir
  private Path directory;

  private Path workspace;
  private Path snapshot;
  private Path copy;

  @BeforeEach
  void create() throws IOException {
    places(directory);
  }

  private void places(Path parent) throws IOException {
    workspace = Files.createDirectories(parent.resolve("workspace"));
    snapshot = parent.resolve("snapshot");
    copy = parent.resolve("copy");
  }

  @Test
  void restored_tree_has_contents_modes_times_links_and_empty_directories() throws IOException {
    Path run = write("bin/run", "echo");
    Files.setPosixFilePermissions(run, PosixFilePermissions.fromString("r-x--x---"));
    Files.createDirectory(workspace.resolve("empty"));
    Files.createSymbolicLink(workspace.resolve("link"), Path.of("../outside"));
    byte[] large = new byte[(1 << 20) + 12_345];
    new Random(1).nextBytes(large);
    Files.write(workspace.resolve("large"), large);
    Files.write(workspace.resolve("limit"), Arrays.copyOf(large, 1 << 20));
    for (String path : List.of("bin/run", "bin", "empty", "large")) {
      Files.setLastModifiedTime(workspace.resolve(path), FileTime.from(TIME));
    }
    Files.setPosixFilePermissions(
        workspace.resolve("bin"), PosixFilePermissions.fromString("r-xr-x---"));

    ContentHash before = take().treeHash();
    SnapshotRestorer.restore(snapshot, copy);

    assertThat(copy.resolve("bin/run")).hasContent("echo");
    assertThat(copy.resolve("large")).hasBinaryContent(large);
    assertThat(Files.getLastModifiedTime(copy.resolve("bin"))).isEqualTo(FileTime.from(TIME));
    assertThat(Files.getLastModifiedTime(copy.resolve("bin/run")).toInstant()).isEqualTo(TIME);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copy.resolve("bin"))))
        .isEqualTo("r-xr-x---");
    assertThat(Files.readSymbolicLink(copy.resolve("link"))).isEqualTo(Path.of("../outside"));
    assertThat(treeHash(copy)).isEqualTo(before);
    FileTrees.empty(copy);
    assertThat(copy).isEmptyDirectory();
    FileTrees.empty(workspace);
  }

  @Property(tries = 60)
  @Tag("slow")
  void any_tree_is_restored_exactly(@ForAll("trees") List<Made> tree) throws IOException {
    Path parent = Files.createTempDirectory("snapshot-restorer-test");
    try {
      places(parent);
      for (Made made : tree) {
        made.in(workspace);
      }
      List<String> before = described(workspace);
      ContentHash hash = take().treeHash();
      SnapshotRestorer.restore(snapshot, copy);
      assertThat(described(copy)).isEqualTo(before);
      assertThat(treeHash(copy)).isEqualTo(hash);
      assertThat(described(workspace)).isEqualTo(before);
    } finally {
      FileTrees.empty(parent);
      Files.delete(parent);
    }
  }

  /** All entries of a tree, read without the classes that are tested. */
  private static List<String> described(Path root) throws IOException {
    List<String> entries = new ArrayList<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.sorted().toList()) {
        boolean isLink = Files.isSymbolicLink(file);
        entries.add("%s %o %s %s"
            .formatted(
                root.relativize(file),
                (Integer) Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS),
                isLink ? "" : Files.getLastModifiedTime(file).toInstant(),
                isLink
                    ? Files.readSymbolicLink(file)
                    : Files.isDirectory(file) ? "" : Arrays.toString(Files.readAllBytes(file))));
      }
    }
    return entries;
  }

  /** An entry of a generated tree; what is not possible in the tree is not created. */
  record Made(List<String> path, int kind, int bits, int bytes, long time) {
    void in(Path root) throws IOException {
      Path file = root;
      for (String name : path) {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
            && !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
          return;
        }
        Files.createDirectories(file);
        file = file.resolve(name);
      }
      if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
        return;
      }
      if (kind == 0) {
        Files.createDirectory(file);
        Files.setAttribute(file, "unix:mode", bits | 0700);
      } else if (kind == 1) {
        List<String> targets = List.of(
            "../" + path.get(0), path.get(path.size() - 1), "/missing", "/usr", ".", "../..");
        Files.createSymbolicLink(file, Path.of(targets.get(bits % targets.size())));
        return;
      } else {
        byte[] content = new byte[bytes];
        new Random(bytes % 3).nextBytes(content);
        Files.write(file, content);
        // the owner keeps what reading the tree requires
        Files.setAttribute(file, "unix:mode", bits | 0400);
      }
      Files.setLastModifiedTime(
          file,
          FileTime.from(
              Instant.ofEpochSecond(time / 1_000, time < 0 ? 0 : time % 1_000 * 1_001_003)));
    }
  }

  @Provide
  Arbitrary<List<Made>> trees() {
    Arbitrary<String> names = Arbitraries.of(
        "a",
        "b",
        "A",
        "a.txt",
        "ä",
        "\ud83d\ude00",
        "a b",
        "a\nb",
        "-",
        "'\"\\",
        "*",
        "ﬀ\u0301",
        "e\u0301",
        "\u00e9",
        "...",
        "..a",
        " a",
        "a ",
        "a\\b",
        "C:",
        "NUL",
        "\u202e",
        "\u007f",
        "\t",
        "files",
        ".index",
        ".git",
        "target",
        ".replay-a.tmp",
        "x".repeat(255));
    return Combinators.combine(
            names.list().ofMinSize(1).ofMaxSize(4),
            Arbitraries.integers().between(0, 5),
            Arbitraries.integers().between(0, 0777),
            Arbitraries.integers().between(0, 3_000),
            Arbitraries.longs().between(-2_000_000_000_000L, 9_000_000_000_000L))
        .as(Made::new)
        .list()
        .ofMaxSize(15);
  }

  @Test
  void content_with_different_bytes_is_refused_and_nothing_remains() throws IOException {
    write("src/a", "one");
    write("src/b", "two");
    take();
    Path content = SnapshotFiles.in(snapshot).path(hash("two"));
    for (String wrong : List.of("twO", "two ", "tw", "")) {
      Files.delete(content);
      Files.writeString(content, wrong);
      refuse("expected 3 bytes with the hash " + hash("two") + " for \"src/b\"");
    }
    Files.delete(content);
    refuse("the content is missing");
  }

  @Test
  void large_content_with_different_bytes_is_refused() throws IOException {
    byte[] large = new byte[2 << 20];
    Files.write(workspace.resolve("large"), large);
    take();
    Path content = SnapshotFiles.in(snapshot).path(ContentHash.sha256(large));
    large[1 << 20] = 1;
    Files.delete(content);
    Files.write(content, large);
    refuse("the bytes have the hash");
  }

  @Test
  void pipe_in_place_of_a_content_is_refused_and_not_opened() throws Exception {
    write("a", "one");
    take();
    Path content = SnapshotFiles.in(snapshot).path(hash("one"));
    Files.delete(content);
    assertThat(new ProcessBuilder("mkfifo", content.toString()).start().waitFor())
        .isZero();
    refuse("expected a regular file, found a special file");
    Files.delete(content);
    Files.createSymbolicLink(content, Files.writeString(directory.resolve("outside"), "one"));
    refuse("expected a regular file, found a symbolic link");
  }

  @Test
  void directory_that_is_not_empty_is_refused_and_kept() throws IOException {
    write("a", "one");
    take();
    Path kept = Files.writeString(Files.createDirectory(copy).resolve("kept"), "x");
    assertThatThrownBy(() -> SnapshotRestorer.restore(snapshot, copy))
        .isInstanceOf(DirectoryNotEmptyException.class);
    assertThat(kept).hasContent("x");
    assertThatThrownBy(() -> SnapshotRestorer.restore(snapshot, kept))
        .isInstanceOf(FileAlreadyExistsException.class);
    Path link = Files.createSymbolicLink(directory.resolve("link"), workspace);
    assertThatThrownBy(() -> SnapshotRestorer.restore(snapshot, link))
        .isInstanceOf(FileAlreadyExistsException.class);
    Files.delete(kept);
    SnapshotRestorer.restore(snapshot, copy);
    assertThat(copy.resolve("a")).hasContent("one");
  }

  @ParameterizedTest
  @CsvSource({
    "1969-12-31T23:59:58Z, 1969-12-31T23:59:58Z",
    "1969-12-31T23:59:58.25Z, 1969-12-31T23:59:58Z",
    "1970-01-01T00:00:00.25Z, 1970-01-01T00:00:00.25Z",
    "2262-04-11T23:47:16.854775807Z, 2262-04-11T23:47:16.854775807Z",
  })
  void time_is_exact_but_for_fractions_before_1970(Instant modified, Instant restored)
      throws IOException {
    SnapshotManifest manifest =
        manifest(List.of(new SnapshotEntry.Directory("a", "040755", modified)));
    SnapshotRestorer.restore(manifest, SnapshotFiles.in(snapshot), copy);
    assertThat(Files.getLastModifiedTime(copy.resolve("a")).toInstant()).isEqualTo(restored);
  }

  @Test
  void path_through_a_missing_directory_does_not_lead_to_an_existing_one() throws IOException {
    write("a", "one");
    take();
    Path kept = Files.writeString(Files.createDirectory(copy).resolve("kept"), "x");
    assertThatThrownBy(
            () -> SnapshotRestorer.restore(snapshot, directory.resolve("missing/../copy")))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(kept).hasContent("x");
  }

  @Test
  void failure_in_an_existing_directory_leaves_it_empty() throws IOException {
    write("a/b/c", "one");
    Files.setPosixFilePermissions(
        workspace.resolve("a"), PosixFilePermissions.fromString("r-x------"));
    take();
    Files.delete(SnapshotFiles.in(snapshot).path(hash("one")));
    Files.createDirectory(copy);
    assertThatThrownBy(() -> SnapshotRestorer.restore(snapshot, copy))
        .hasMessageContaining("the content is missing");
    assertThat(copy).isEmptyDirectory();
    Files.setPosixFilePermissions(
        workspace.resolve("a"), PosixFilePermissions.fromString("rwx------"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"mode\":\"120777\",\"path\":\"../escaped\",\"target\":\"x\"}",
        "{\"mode\":\"120777\",\"path\":\"/escaped\",\"target\":\"x\"}",
        "{\"mode\":\"120777\",\"path\":\"a\\u0000b\",\"target\":\"x\"}",
        "{\"mode\":\"120777\",\"path\":\"escaped\",\"target\":\"x\"}\n"
            + "{\"mode\":\"120777\",\"path\":\"escaped/b\",\"target\":\"x\"}",
        "{\"mode\":\"120777\",\"path\":\"a\",\"target\":\"x\"}\n"
            + "{\"mode\":\"120777\",\"path\":\"a\",\"target\":\"y\"}",
      })
  void manifest_that_leads_out_of_the_directory_is_refused(String lines) throws IOException {
    take();
    String whole = Files.readString(snapshot.resolve(SnapshotManifest.NAME));
    Files.writeString(
        snapshot.resolve(SnapshotManifest.NAME),
        whole.lines().findFirst().orElseThrow() + "\n" + lines + "\n");
    assertThatThrownBy(() -> SnapshotRestorer.restore(snapshot, copy))
        .isInstanceOf(DocumentFormatException.class)
        .hasMessageMatching("(?s).*MANIFEST.jsonl: line [23]: .*");
    assertThat(copy).doesNotExist();
    assertThat(directory.resolve("escaped")).doesNotExist();
  }

  @Test
  void no_generated_manifest_writes_outside() throws IOException {
    Path outside = Files.createDirectory(directory.resolve("outside"));
    Files.writeString(outside.resolve("kept"), "x");
    ContentHash before = treeHash(outside);
    List<String> parts = List.of("..", ".", "", "a", "b", "outside", "/", "a/b", "\0", "\\", "C:");
    Random random = new Random(7);
    List<SnapshotEntry> entries = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      List<String> names = new ArrayList<>();
      for (int n = random.nextInt(4); n >= 0; n--) {
        names.add(parts.get(random.nextInt(parts.size())));
      }
      try {
        SnapshotEntry entry = random.nextBoolean()
            ? new SnapshotEntry.Link(String.join("/", names), "../outside")
            : new SnapshotEntry.Directory(String.join("/", names), "040755", TIME);
        entries.add(entry);
        SnapshotManifest manifest = manifest(entries);
        FileTrees.empty(copy);
        SnapshotRestorer.restore(manifest, SnapshotFiles.in(snapshot), copy);
      } catch (IllegalArgumentException refused) {
        entries.clear();
      }
      assertThat(treeHash(outside)).isEqualTo(before);
    }
  }

  private static SnapshotManifest manifest(List<SnapshotEntry> entries) {
    return SnapshotManifest.of(
        new SnapshotHeader(
            "/x", "040755", TIME, HostIdentity.UNKNOWN, JsonObject.EMPTY, JsonObject.EMPTY),
        entries);
  }

  private void refuse(String message) throws IOException {
    assertThatThrownBy(() -> SnapshotRestorer.restore(snapshot, copy))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(message);
    assertThat(copy).doesNotExist();
    try (Stream<Path> entries = Files.list(directory)) {
      assertThat(entries.filter(Files::isDirectory)).containsOnly(workspace, snapshot);
    }
  }

  private SnapshotManifest take() throws IOException {
    return SnapshotWriter.take(workspace, snapshot, SnapshotOptions.defaults().withNothingIgnored())
        .manifest();
  }

  private static ContentHash treeHash(Path root) throws IOException {
    return WorkspaceScan.of(root, SnapshotOptions.defaults().withNothingIgnored())
        .scan(FileIndex.EMPTY, ContentReader.hashing())
        .manifest()
        .treeHash();
  }

  private Path write(String path, String text) throws IOException {
    Path file = workspace.resolve(path);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private static ContentHash hash(String text) {
    return ContentHash.sha256(text.getBytes(StandardCharsets.UTF_8));
  }
}

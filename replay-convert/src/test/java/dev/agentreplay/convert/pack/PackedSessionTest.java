package dev.agentreplay.convert.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.testkit.TestFiles;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The content of a packed session, and files that cannot be packed. */
class PackedSessionTest {

  @TempDir
  private Path root;

  private Path directory;
  private Path file;

  @BeforeEach
  void create() throws IOException {
    directory = Files.createDirectory(root.resolve("session"));
    file = root.resolve("session.tar.gz");
  }

  @Test
  void archive_is_the_manifest_and_the_files_byte_by_byte() throws IOException {
    write("REPLAY.jsonl", "{}\n");
    write("blobs/b", "");
    write("RECEIPT.json", "r".repeat(513));

    PackedSession packed = TestPacks.pack(directory, file);

    byte[] expected = TestTar.of(
            "RECEIPT.json", "r".repeat(513), "REPLAY.jsonl", "{}\n", "blobs/b", "")
        .end();
    assertThat(gunzip(file)).isEqualTo(expected);
    assertThat(packed.file()).isEqualTo(file);
    assertThat(packed.totalBytes()).isEqualTo(516);
    assertThat(packed.files())
        .extracting(PackedFile::path, PackedFile::bytes)
        .containsExactly(
            tuple("RECEIPT.json", 513L), tuple("REPLAY.jsonl", 3L), tuple("blobs/b", 0L));
    assertThat(packed.files().get(1).sha256())
        .isEqualTo(ContentHash.sha256("{}\n".getBytes(StandardCharsets.UTF_8)));
    assertThat(new String(gunzip(file), 512, 200, StandardCharsets.UTF_8))
        .startsWith("{\"files\":[{\"bytes\":513,\"path\":\"RECEIPT.json\",\"sha256\":\"sha256:");
    assertThat(root.toFile().list()).containsExactlyInAnyOrder("session", "session.tar.gz");
  }

  @Test
  void two_packs_are_the_same_bytes_whatever_the_times_and_modes() throws IOException {
    write("REPLAY.jsonl", "{}\n");
    write("snapshot/src/a.txt", "a");
    TestPacks.pack(directory, file);
    Files.setLastModifiedTime(directory.resolve("REPLAY.jsonl"), FileTime.fromMillis(0));
    assertThat(directory.resolve("snapshot/src/a.txt").toFile().setExecutable(true))
        .isTrue();
    Files.createDirectory(directory.resolve("empty"));
    Path again = root.resolve("again");
    TestPacks.pack(directory, again);
    assertThat(again).hasSameBinaryContentAs(file);

    Path unpacked = root.resolve("unpacked");
    assertThat(TestPacks.unpack(file, unpacked).files())
        .usingRecursiveComparison()
        .isEqualTo(TestPacks.packReplacing(unpacked, again).files());
    assertThat(again).hasSameBinaryContentAs(file);
  }

  @Test
  void rotated_log_survives_in_its_segments() throws IOException {
    write("REPLAY.jsonl", "{\"event\":\"A\"}\n");
    write("REPLAY.jsonl.2", "{\"event\":\"B\"}\n");
    write("REPLAY.jsonl.3", "{\"event\":\"C\"}\n");
    TestPacks.pack(directory, file);
    Path target = root.resolve("target");
    TestPacks.unpack(file, target);

    Session session = Session.open(target);
    assertThat(session.segments())
        .extracting(segment -> segment.getFileName().toString())
        .containsExactly("REPLAY.jsonl", "REPLAY.jsonl.2", "REPLAY.jsonl.3");
    assertThat(session.replayHash()).isEqualTo(Session.open(directory).replayHash());
    assertThat(session.openLog())
        .hasContent("{\"event\":\"A\"}\n{\"event\":\"B\"}\n{\"event\":\"C\"}\n");
  }

  @Test
  void recorded_session_survives_with_its_blobs() throws IOException {
    RecorderOptions options = RecorderOptions.defaults().withBlobThreshold(100);
    String text = "output ".repeat(100);
    try (SessionRecorder session =
        SessionRecorder.start(directory, SessionStart.of("s"), options)) {
      session.call("tool", JsonObject.EMPTY).result(text);
      session.end(Status.SUCCESS, 1);
    }
    TestPacks.pack(directory, file);
    Path target = Files.createDirectory(root.resolve("target"));
    TestPacks.unpack(file, target);

    Session session = Session.open(target);
    assertThat(session.replayHash()).isEqualTo(Session.open(directory).replayHash());
    assertThat(session.receipt()).isNotNull();
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line : reader) {
        if (line.event() instanceof ToolResult result) {
          assertThat(session.resolve(result.output())).isEqualTo(JsonValue.of(text));
          return;
        }
      }
    }
    throw new AssertionError("no result");
  }

  @Test
  void tar_of_the_platform_lists_and_extracts_the_same_files() throws Exception {
    String deep = "snapshot/" + "directory-of-a-long-name/".repeat(6) + "é-" + "x".repeat(100);
    write("REPLAY.jsonl", "{}\n");
    write(deep, "deep");
    TestPacks.pack(directory, file);
    Path extracted = Files.createDirectory(root.resolve("extracted"));
    assumeTrue(tarIsHere(), "no tar here");
    Process tar = new ProcessBuilder("tar", "xzf", file.toString(), "-C", extracted.toString())
        .redirectErrorStream(true)
        .start();
    assertThat(new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEmpty();
    assertThat(tar.waitFor()).isZero();
    assertThat(extracted.resolve("REPLAY.jsonl")).hasContent("{}\n");
    assertThat(extracted.resolve(deep)).hasContent("deep");
    assertThat(JsonText.parse(Files.readAllBytes(extracted.resolve("MANIFEST.json")))
            .at("/files/1/path")
            .asString())
        .isEqualTo(deep);
  }

  @Test
  void archive_that_tar_of_the_platform_made_is_unpacked() throws Exception {
    assumeTrue(tarIsHere(), "no tar here");
    write("REPLAY.jsonl", "{}\n");
    write("snapshot/" + "s/".repeat(10) + "x".repeat(90), "y");
    TestPacks.pack(directory, file);
    Path extracted = Files.createDirectory(root.resolve("extracted"));
    assertThat(tar("xzf", file.toString(), "-C", extracted.toString())).isZero();
    Path remade = root.resolve("remade.tar.gz");
    String log = "REPLAY.jsonl";
    assertThat(tar(
            "czf",
            remade.toString(),
            "--format=ustar",
            "-C",
            extracted.toString(),
            "MANIFEST.json",
            log,
            "snapshot/" + "s/".repeat(10) + "x".repeat(90)))
        .isZero();
    Path target = root.resolve("target");
    TestPacks.unpack(remade, target);
    assertThat(target.resolve(log)).hasContent("{}\n");
    assertThat(target.toFile().list()).containsExactlyInAnyOrder(log, "snapshot");
  }

  @Test
  void all_regular_files_are_packed_but_leftovers_where_they_are_left() throws IOException {
    write("REPLAY.jsonl.gz", "log");
    write("notes.tmp", "mine");
    write(".hidden", "mine");
    write(".cache.0123456789abcdef.tmp", "mine");
    write("snapshot/.replay.0123456789abcdef.tmp", "mine");
    write("snapshot/REPLAY.jsonl.lock", "mine");
    write("blobs/REPLAY.jsonl.lock", "mine");
    write("blobs/.replay.0123456789abcdef.tmp", "cut");
    write(".replay.0123456789abcde0.tmp", "cut");
    write(".replay.0123456789abcde1.tmp/a/REPLAY.jsonl", "cut");
    write("REPLAY.jsonl.lock", "");
    PackedSession packed = TestPacks.pack(directory, file);
    assertThat(packed.files())
        .extracting(PackedFile::path)
        .containsExactly(
            ".cache.0123456789abcdef.tmp",
            ".hidden",
            "REPLAY.jsonl.gz",
            "blobs/REPLAY.jsonl.lock",
            "notes.tmp",
            "snapshot/.replay.0123456789abcdef.tmp",
            "snapshot/REPLAY.jsonl.lock");
    assertThat(packed.leftOut())
        .containsExactlyInAnyOrder(
            ".replay.0123456789abcde0.tmp",
            ".replay.0123456789abcde1.tmp",
            "REPLAY.jsonl.lock",
            "blobs/.replay.0123456789abcdef.tmp");
  }

  @Test
  void existing_file_is_refused_unless_it_is_to_be_replaced() throws IOException {
    write("REPLAY.jsonl", "{}\n");
    Files.writeString(file, "mine");
    assertThatThrownBy(() -> TestPacks.pack(directory, file))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(file).hasContent("mine");
    TestPacks.packReplacing(directory, file);
    assertThat(gunzip(file)).isNotEmpty();
    assertThat(root.toFile().list()).containsExactlyInAnyOrder("session", "session.tar.gz");
  }

  @Test
  void directory_may_be_reached_by_a_link() throws IOException {
    write("REPLAY.jsonl", "{}\n");
    Path link = Files.createSymbolicLink(root.resolve("link"), directory);
    assertThat(TestPacks.pack(link, file).files()).hasSize(1);
    assertThatThrownBy(() -> TestPacks.pack(link, directory.resolve("in.tar.gz")))
        .hasMessageContaining("the file would be in the directory that is packed");
    assertThatThrownBy(() -> TestPacks.pack(directory, link.resolve("in.tar.gz")))
        .hasMessageContaining("the file would be in the directory that is packed");
    assertThat(directory.toFile().list()).containsExactly("REPLAY.jsonl");
  }

  @Test
  void directory_without_a_session_is_refused() throws IOException {
    assertThatThrownBy(() -> TestPacks.pack(directory, file))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("directory holds no REPLAY.jsonl");
    assertThatThrownBy(() -> TestPacks.pack(root.resolve("none"), file))
        .isInstanceOf(NoSuchFileException.class);
    write("REPLAY.jsonl", "{}\n");
    assertThatThrownBy(() -> TestPacks.pack(directory.resolve("REPLAY.jsonl"), file))
        .hasMessageEndingWith("REPLAY.jsonl: not a directory");
    assertThat(file).doesNotExist();
  }

  @Test
  void links_and_special_files_are_refused_wherever_they_are() throws Exception {
    write("REPLAY.jsonl", "{}\n");
    Path inside = Files.createDirectories(directory.resolve("snapshot/a")).resolve("b");
    Files.createSymbolicLink(inside, directory.resolve("REPLAY.jsonl"));
    refused(inside + ": expected a regular file, found a symbolic link");
    Files.delete(inside);
    Files.createSymbolicLink(inside, directory);
    refused(inside + ": expected a regular file, found a symbolic link");
    Files.delete(inside);
    assumeTrue(TestFiles.makePipe(inside), "no named pipes here");
    refused(inside + ": expected a regular file, found a special file");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "back\\slash",
        "a:b",
        "tab\there",
        "nul.txt",
        "dot.",
        "space ",
        "COM1",
        "snapshot/aux/x",
        "MANIFEST.json",
        "manifest.JSON",
        "MANIFEST.json/x",
        "what?",
        "a<b>c",
        "\"quoted\""
      })
  void name_that_is_not_the_same_everywhere_is_refused(String name) throws IOException {
    write("REPLAY.jsonl", "{}\n");
    write(name, "x");
    assertThatThrownBy(() -> TestPacks.pack(directory, file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot be packed: ")
        .hasMessageNotContainingAny("\n", "\t");
    assertThat(root.toFile().list()).containsExactly("session");
  }

  @Test
  void names_that_some_file_system_takes_for_one_are_refused() throws IOException {
    write("REPLAY.jsonl", "{}\n");
    Path readme = write("snapshot/README", "1");
    Path other = write("snapshot/readme", "2");
    assumeTrue(!Files.isSameFile(readme, other), "this file system folds names");
    refused("\"snapshot/readme\" cannot be packed: the path collides with \"snapshot/README\"");
    Files.delete(other);
    write("Snapshot/other", "3");
    refused("collides with another on file systems that fold names");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "short", "longer than it was", "another"})
  void file_that_changes_while_it_is_packed_is_an_error(String after) throws IOException {
    write("REPLAY.jsonl", "{}\n");
    write("a", "before.");
    PackWriter writer = PackWriter.of(directory, TestPacks.ALL);
    List<PackedFile> measured = writer.measure();
    write("a", after);
    assertThatThrownBy(() -> writer.write(new ByteArrayOutputStream(), measured))
        .isInstanceOf(IOException.class)
        .hasMessageEndingWith("a: the file changed while it was packed");
  }

  @Test
  void path_of_100_ascii_bytes_is_in_the_header_and_any_other_in_a_record() throws IOException {
    String longest = "x".repeat(100);
    for (String path : List.of(longest, longest + "y", "\u00e9", "a\u4e2d".repeat(30))) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      TarWriter tar = new TarWriter(out);
      tar.begin(path, 0);
      tar.finish();
      TarReader reader = new TarReader(new ByteArrayInputStream(out.toByteArray()), "t", 1_000);
      assertThat(reader.next()).isEqualTo(new TarReader.Entry(path, 0));
      assertThat(reader.next()).isNull();
      assertThat(out.size()).isEqualTo((path.equals(longest) ? 3 : 5) * 512);
    }
  }

  @Test
  void header_of_a_file_beyond_8_gib_is_a_pax_record() throws IOException {
    long size = 1L << 33;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new TarWriter(out).begin("large", size);
    TarReader reader = new TarReader(new ByteArrayInputStream(out.toByteArray()), "t", 100);
    assertThat(reader.next()).isEqualTo(new TarReader.Entry("large", size));
    assertThat(out.toString(StandardCharsets.US_ASCII)).contains("19 size=8589934592\n");
    assertThat(TarWriter.record("path", "x".repeat(89))).startsWith("98 path=x").hasSize(98);
    assertThat(TarWriter.record("path", "x".repeat(91)))
        .startsWith("101 path=x")
        .hasSize(101);
  }

  private void refused(String message) {
    assertThatThrownBy(() -> TestPacks.pack(directory, file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(message);
    assertThat(root.toFile().list()).containsExactly("session");
  }

  private Path write(String path, String content) throws IOException {
    Path written = directory.resolve(path);
    Files.createDirectories(written.getParent());
    return Files.writeString(written, content);
  }

  private static byte[] gunzip(Path packed) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(packed))) {
      return in.readAllBytes();
    }
  }

  private static boolean tarIsHere() throws InterruptedException {
    try {
      return tar("--version") == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static int tar(String... arguments) throws IOException, InterruptedException {
    ProcessBuilder tar = new ProcessBuilder("tar");
    tar.command().addAll(List.of(arguments));
    return tar.redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }
}

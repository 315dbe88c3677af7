package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.convert.pack.PackedSession;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.testkit.JavaTempDir;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A packed session is a SESSION: a command that reads it prints what it prints of the directory
 * with the name of the packed file, and leaves nothing in the temporary directory.
 */
class PackedSessionInputTest {

  @TempDir
  private Path home;

  @RegisterExtension
  private final JavaTempDir tmp = new JavaTempDir();

  /** The session, and the file in which it is packed; the names have the same length. */
  private Path session;

  private Path packed;

  @BeforeEach
  void record() throws IOException {
    Files.createDirectory(home.resolve("p"));
    session = record("one", "fn main() {}\n" + "x".repeat(200));
    packed = pack("one");
  }

  private Path record(String id, String output) throws IOException {
    return record(id, output, RecorderOptions.defaults().withBlobThreshold(100));
  }

  private Path record(String id, String output, RecorderOptions options) throws IOException {
    Path directory = home.resolve("d/" + id);
    try (SessionRecorder recorder =
        SessionRecorder.start(directory, SessionStart.of(id), options)) {
      recorder.call("file_read", JsonObject.of("path", "a")).result(output);
      recorder.end(Status.SUCCESS, 0.9);
    }
    return directory;
  }

  private Path pack(String id) throws IOException {
    Path file = home.resolve("p/" + id);
    Files.deleteIfExists(file);
    return PackedSession.pack(home.resolve("d/" + id), file).file();
  }

  private Path blob(Path directory) throws IOException {
    try (Stream<Path> blobs = Files.list(directory.resolve("blobs"))) {
      return blobs.findFirst().orElseThrow();
    }
  }

  /** Runs a command on the directories and on the packed files, which must print the same. */
  private Console runBoth(String command) throws IOException {
    Console expected = run(command, home.resolve("d"));
    Console found = run(command, home.resolve("p"));
    assertThat(tmp.path()).isEmptyDirectory();
    String directory = home.resolve("d").toString();
    String files = home.resolve("p").toString();
    assertThat(found)
        .isEqualTo(new Console(
            expected.exit(),
            expected.out().replace(directory, files),
            expected.err().replace(directory, files)));
    return found;
  }

  private Console run(String command, Path place) throws IOException {
    Files.deleteIfExists(home.resolve("out"));
    return Console.run(Arrays.stream(command.split(" "))
        .map(word -> word.startsWith("@")
            ? place.resolve(word.substring(1)).toString()
            : word.startsWith("~") ? home.resolve(word.substring(1)).toString() : word)
        .toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "verify @one",
        "verify @one --strict --format json",
        "verify @one @two @one",
        "verify @one @two --jobs 2 --format json",
        "show @one",
        "show @one --full --verified",
        "show @one --format json --expand",
        "show @one --html ~out",
        "stats @one",
        "stats @one --format json",
        "diff @one @two",
        "diff @one @two --format json --verified",
        "diff @one @two --html ~out",
        "diff @one @two @two",
        "prove @one --line 2",
        "prove @one --since 1 --out ~out",
        "checkpoint @one",
        "receipt @one --form openagents.v1",
        "recover @one",
        "recover @one --format json",
        "recover @one --salvage ~out",
        "convert @one ~out --to bundle"
      })
  void command_that_reads_prints_the_same_of_a_packed_session(String command) throws IOException {
    record("two", "different");
    pack("two");
    Console console = runBoth(command);
    assertThat(console.exit()).isEqualTo(command.startsWith("diff") ? 1 : 0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "verify @one",
        "verify @one @one --format json",
        "show @one",
        "show @one --verified",
        "show @one --html ~out",
        "stats @one",
        "diff @one @one",
        "prove @one --line 2",
        "checkpoint @one",
        "receipt @one",
        "recover @one --format json",
        "recover @one --salvage ~out",
        "convert @one ~out --to bundle"
      })
  void fault_of_a_packed_session_names_the_packed_file(String command) throws IOException {
    Files.writeString(session.resolve("REPLAY.jsonl"), "{\"event\":", StandardOpenOption.APPEND);
    pack("one");
    runBoth(command);
    Files.writeString(session.resolve("REPLAY.jsonl"), "");
    pack("one");
    runBoth(command);
    Files.writeString(session.resolve("REPLAY.jsonl"), "{\"event\":\"X\"}\n");
    pack("one");
    runBoth(command);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "verify @one --format json",
        "show @one --verified",
        "diff @one @two",
        "convert @one ~out --to bundle"
      })
  void damaged_blob_in_a_packed_session_is_reported(String command) throws IOException {
    record("two", "different");
    pack("two");
    Files.writeString(blob(session), "\"y\"");
    pack("one");
    runBoth(command);
    Files.delete(blob(session));
    pack("one");
    runBoth(command);
  }

  @Test
  void report_in_json_names_the_files_in_the_packed_file() throws IOException {
    assertThat(runBoth("verify @one --format json").out())
        .contains(
            "\"log\":\"%s/REPLAY.jsonl\",\"receipt\":\"%1$s/RECEIPT.json\"".formatted(packed));
  }

  @Test
  void page_of_a_packed_session_has_its_name() throws IOException {
    runBoth("show @one --html ~out");
    assertThat(home.resolve("out")).content().contains("<title>one").doesNotContain("/tmp/");
  }

  @Test
  void receipt_in_a_packed_session_is_a_trusted_checkpoint() throws IOException {
    run("prove @one --line 2 --out ~proof", home.resolve("d"));
    assertThat(runBoth("check ~proof --checkpoint @one").exit()).isZero();
  }

  @Test
  void packed_session_is_found_by_its_name_below_a_directory() {
    Console console =
        Console.run("stats", "one", "--sessions", home.resolve("p").toString());
    assertThat(console.exit()).as(console.err()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "verify @one",
        "verify @two @one",
        "show @one",
        "show @one --html ~out",
        "stats @one",
        "diff @two @one",
        "diff @one @two",
        "prove @one --line 1",
        "checkpoint @one",
        "receipt @one",
        "recover @one",
        "convert @one ~out --to type",
        "check ~proof --checkpoint @one"
      })
  void damaged_packed_session_is_refused_with_its_position(String command) throws IOException {
    record("two", "different");
    pack("two");
    run("prove @two --line 2 --out ~proof", home.resolve("p"));
    byte[] bytes = Files.readAllBytes(packed);
    Files.write(packed, Arrays.copyOf(bytes, bytes.length - 3));
    Console console = run(command, home.resolve("p"));
    assertThat(console.exit()).isEqualTo(3);
    assertThat(console.err())
        .contains(packed + ": byte ", "the compressed data is cut short")
        .doesNotContain(tmp.path().toString());
    assertThat(tmp.path()).isEmptyDirectory();
    assertThat(home.resolve("out")).doesNotExist();
  }

  @Test
  @Tag("slow")
  void limits_of_unpacking_apply() throws IOException {
    Path snapshot = Files.createDirectory(session.resolve("snapshot"));
    Files.write(snapshot.resolve("zeros"), new byte[70 << 20]);
    pack("one");
    Console console = run("stats @one", home.resolve("p"));
    assertThat(console.exit()).isEqualTo(3);
    assertThat(console.err())
        .contains("more than 200 times as many; replay unpack has options that take more");
    assertThat(tmp.path()).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"sign @one --key ~key", "recover --repair @one"})
  void command_that_writes_refuses_a_packed_session(String command) throws IOException {
    Console.run("keygen", home.resolve("key").toString());
    byte[] before = Files.readAllBytes(packed);
    Console console = run(command, home.resolve("p"));
    assertThat(console.exit()).isEqualTo(2);
    assertThat(console.out()).isEmpty();
    assertThat(console.err())
        .contains("%1$s is a packed session, which is only read; unpack it first: replay unpack"
            .formatted(packed))
        .contains("replay unpack %s DIR".formatted(packed));
    assertThat(packed).hasBinaryContent(before);
    assertThat(tmp.path()).isEmptyDirectory();
  }

  @Test
  void compressed_log_is_read_as_before() throws IOException {
    Path log = session.resolve("REPLAY.jsonl");
    Path compressed = home.resolve("MANIFEST.json");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(compressed))) {
      Files.copy(log, out);
    }
    assertThat(Console.run("stats", compressed.toString()))
        .isEqualTo(Console.run("stats", log.toString()));
  }

  @Test
  void interrupted_command_deletes_the_unpacked_files() throws Exception {
    record("long", "x".repeat(1 << 20), RecorderOptions.defaults().withBlobThreshold(1 << 22));
    pack("long");
    Process process = CommandProcess.in(
            tmp.path(), "show", "--format", "json", home.resolve("p/long"))
        .redirectErrorStream(true)
        .start();
    try (InputStream out = process.getInputStream()) {
      assertThat(out.read()).isEqualTo('{'); // more than a pipe holds follows
      assertThat(tmp.path()).isNotEmptyDirectory();
      process.destroy();
      assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(tmp.path()).isEmptyDirectory();
  }
}

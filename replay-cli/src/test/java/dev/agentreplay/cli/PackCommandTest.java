package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Packing and unpacking on the command line. */
class PackCommandTest {

  @TempDir
  Path home;

  private Path session;
  private Path file;

  @BeforeEach
  void record() throws IOException {
    session = home.resolve("one");
    file = home.resolve("one.tar.gz");
    try (SessionRecorder recorder = SessionRecorder.start(session, "one")) {
      recorder.call("file_read", JsonObject.of("path", "a")).result("text");
      recorder.end(Status.SUCCESS, 0.9);
    }
  }

  @Test
  void packed_session_is_unpacked_and_verifies() throws IOException {
    Path target = home.resolve("two");
    long bytes =
        Files.size(session.resolve("REPLAY.jsonl")) + Files.size(session.resolve("RECEIPT.json"));
    Console packed = Console.run("pack", session.toString(), file.toString());
    assertThat(packed)
        .isEqualTo(
            new Console(0, "packed 2 files, %,d bytes, into %s\n".formatted(bytes, file), ""));
    Console unpacked = Console.run("unpack", file.toString(), target.toString());
    assertThat(unpacked)
        .isEqualTo(
            new Console(0, "unpacked 2 files, %,d bytes, into %s\n".formatted(bytes, target), ""));
    Console verified = Console.run("verify", target.toString());
    assertThat(verified.exit()).isZero();
    assertThat(verified.out()).contains("1 of 1 calls match the receipt", "the tree root over");
  }

  @Test
  void existing_file_is_refused_without_overwrite() throws IOException {
    Files.writeString(file, "mine");
    Console refused = Console.run("pack", session.toString(), file.toString());
    assertThat(refused.exit()).isEqualTo(2);
    assertThat(refused.err()).contains("one.tar.gz exists; --overwrite replaces it");
    assertThat(file).hasContent("mine");
    assertThat(Console.run("pack", "--overwrite", session.toString(), file.toString())
            .exit())
        .isZero();
  }

  @Test
  void directory_that_is_not_empty_is_refused() {
    Console.run("pack", session.toString(), file.toString());
    Console refused = Console.run("unpack", file.toString(), session.toString());
    assertThat(refused.exit()).isEqualTo(2);
    assertThat(refused.err())
        .contains("DIR: expected a new or empty directory, found " + session)
        .doesNotContain("--overwrite");
  }

  @Test
  @Tag("slow")
  void session_that_is_compressed_too_well_is_unpacked_with_the_reported_ratio()
      throws IOException {
    File snapshot =
        Files.createDirectory(session.resolve("snapshot")).resolve("zeros").toFile();
    try (RandomAccessFile zeros = new RandomAccessFile(snapshot, "rw")) {
      zeros.setLength(70L << 20);
    }
    Console packed = Console.run("pack", session.toString(), file.toString());
    assertThat(packed.exit()).isZero();
    Matcher said = Pattern.compile("unpacking it needs --max-ratio (\\d+)\n").matcher(packed.err());
    assertThat(said.find()).isTrue();

    String target = home.resolve("two").toString();
    Console refused = Console.run("unpack", file.toString(), target);
    assertThat(refused.exit()).isEqualTo(3);
    assertThat(refused.err())
        .contains("more than 200 times as many; --max-ratio takes more, if you trust the file");
    assertThat(Console.run("unpack", "--max-ratio", said.group(1), file.toString(), target)
            .exit())
        .isZero();
  }

  @Test
  void more_bytes_than_the_limit_are_refused_with_the_option_that_accepts_them() {
    Console.run("pack", session.toString(), file.toString());
    String target = home.resolve("two").toString();
    Console refused = Console.run("unpack", "--max-bytes", "10", file.toString(), target);
    assertThat(refused.exit()).isEqualTo(3);
    assertThat(refused.err())
        .contains("at most 10 of one file and 10 of all are read; --max-bytes takes more");
    Console wrong = Console.run("unpack", "--max-bytes", "0", file.toString(), target);
    assertThat(wrong.exit()).isEqualTo(2);
    assertThat(wrong.err()).contains("--max-bytes and --max-ratio must be positive");
    assertThat(Console.run("unpack", "--max-bytes", "9000000000", file.toString(), target)
            .exit())
        .isZero();
  }

  @Test
  void what_is_left_out_is_named() throws IOException {
    Files.writeString(session.resolve(".replay.0123456789abcdef.tmp"), "cut");
    Console packed = Console.run("pack", session.toString(), file.toString());
    assertThat(packed.out()).startsWith("packed 2 files");
    assertThat(packed.err())
        .isEqualTo(
            "replay: left out: .replay.0123456789abcdef.tmp; the lock or a temporary file of a"
                + " recorder\n");
    Files.writeString(session.resolve("notes.md"), "mine");
    Console again = Console.run("pack", session.toString(), file.toString(), "--overwrite");
    assertThat(again.err()).contains("replay: left out: notes.md; --include notes.md packs it\n");
  }

  @Test
  void file_that_not_every_session_has_is_packed_and_unpacked_where_it_is_included()
      throws IOException {
    Files.writeString(session.resolve("notes.md"), "mine");
    String[] places = {session.toString(), file.toString()};
    Console packed = Console.run("pack", places[0], places[1], "--include", "*.md");
    assertThat(packed.out()).startsWith("packed 3 files");
    String target = home.resolve("two").toString();

    Console refused = Console.run("unpack", file.toString(), target);

    assertThat(refused.exit()).isEqualTo(3);
    assertThat(refused.err())
        .contains("\"notes.md\": not a file of a session; unpack --include notes.md takes it");
    assertThat(
            Console.run("unpack", file.toString(), target, "--include", "*.md").exit())
        .isZero();
    assertThat(Console.run("unpack", file.toString(), target, "--include", "{").exit())
        .isEqualTo(2);
    assertThat(
            Console.run("unpack", file.toString(), target, "--max-files", "0").err())
        .contains("--max-files and --max-directories must be positive");
  }

  @Test
  void file_that_cannot_be_unpacked_is_reported_with_the_reason() throws IOException {
    Console.run("pack", session.toString(), file.toString());
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length - 3));
    Console refused = Console.run("unpack", file.toString(), home.resolve("two").toString());
    assertThat(refused.exit()).isEqualTo(3);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err()).contains("one.tar.gz: byte ", "the compressed data is cut short");
    assertThat(home.resolve("two")).doesNotExist();
  }

  @Test
  void directory_without_a_session_is_not_packed() {
    Console none = Console.run("pack", home.toString(), file.toString());
    assertThat(none.exit()).isEqualTo(3);
    assertThat(none.err()).contains("directory holds no REPLAY.jsonl");
    assertThat(Console.run("pack", session.toString()).exit()).isEqualTo(2);
    assertThat(
            Console.run("pack", home.resolve("no").toString(), file.toString()).err())
        .contains("no: no such file or directory");
  }
}

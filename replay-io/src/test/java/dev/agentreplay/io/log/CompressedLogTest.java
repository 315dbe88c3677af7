package dev.agentreplay.io.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.testkit.TestFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log that is compressed with gzip is the log. */
public class CompressedLogTest {

  private static final byte[] LOG =
      TestLogs.bytes(TestLogs.HEADER + "\n" + TestLogs.STEP + "\n" + TestLogs.STEP + "\n");

  @TempDir
  private Path directory;

  @Test
  void compressed_log_is_known_by_its_bytes_whatever_its_name() throws IOException {
    for (String name : List.of("REPLAY.jsonl.gz", "REPLAY.jsonl", "x")) {
      Path file = Files.write(directory.resolve(name), TestFiles.gzip(LOG));
      Session session = new Session(file, null);
      assertThat(read(session.reader())).isEqualTo(plainLines());
      assertThat(session.replayHash()).isEqualTo(ContentHash.sha256(LOG));
      assertThat(session.openLog()).hasBinaryContent(LOG);
    }
  }

  @Test
  void stream_that_was_closed_is_not_read_on() throws IOException {
    for (byte[] log : List.of(LOG, TestFiles.gzip(LOG))) {
      Path file = Files.write(directory.resolve("log"), log);
      for (int read : List.of(0, 5)) {
        InputStream in = LogSegments.open(file);
        in.skipNBytes(read);
        in.close();
        assertThatThrownBy(in::read)
            .isInstanceOf(IOException.class)
            .hasMessageContaining("found a closed one");
      }
    }
  }

  @Test
  void several_members_are_one_log_wherever_they_are_cut() throws IOException {
    for (int cut = 0; cut <= LOG.length; cut++) {
      byte[] both = TestFiles.concat(
          TestFiles.gzip(Arrays.copyOf(LOG, cut)),
          TestFiles.gzip(Arrays.copyOfRange(LOG, cut, LOG.length)));
      Path file = Files.write(directory.resolve("log"), both);
      assertThat(read(ReplayReader.open(file))).isEqualTo(plainLines());
    }
  }

  @Test
  void truncated_log_is_an_error_and_never_a_shorter_log() throws IOException {
    byte[] whole = TestFiles.gzip(LOG);
    for (int length = 2; length < whole.length; length++) {
      Path file = Files.write(directory.resolve("log"), Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> read(ReplayReader.open(file)))
          .as("%d bytes", length)
          .isInstanceOf(IOException.class)
          .hasMessage("%s: byte %d: the compressed data is cut short", file, length);
      assertThatThrownBy(() -> new Session(file, null).replayHash())
          .hasMessageContaining("cut short");
    }
  }

  @Test
  void garbage_behind_the_log_is_an_error_with_its_place() throws IOException {
    byte[] member = TestFiles.gzip(LOG);
    byte[] both = TestFiles.concat(member, TestLogs.bytes(TestLogs.STEP + "\n"));
    Path file = Files.write(directory.resolve("log"), both);
    assertThatThrownBy(() -> read(ReplayReader.open(file)))
        .hasMessageContaining("byte " + member.length + ": expected the end or another gzip member")
        .hasMessageContaining("found the byte 0x7b");
  }

  @Test
  void short_and_empty_files_are_what_they_are() throws IOException {
    Path empty = Files.write(directory.resolve("empty"), new byte[0]);
    assertThat(read(ReplayReader.open(empty))).isEmpty();
    Path one = Files.write(directory.resolve("one"), new byte[] {0x1f});
    assertThatThrownBy(() -> read(ReplayReader.open(one)))
        .isInstanceOf(ReplayFormatException.class);
  }

  @Test
  void pipe_is_read_once_and_in_small_pieces() throws Exception {
    Path pipe = directory.resolve("pipe");
    assumeTrue(TestFiles.makePipe(pipe), "no named pipes here");
    for (byte[] bytes : List.of(LOG, TestFiles.gzip(LOG))) {
      CompletableFuture<Void> written = CompletableFuture.runAsync(() -> {
        try (OutputStream out = Files.newOutputStream(pipe)) {
          for (byte b : bytes) {
            out.write(b);
          }
        } catch (IOException e) {
          throw new IllegalStateException(e);
        }
      });
      assertThat(read(Session.open(pipe).reader())).isEqualTo(plainLines());
      written.join();
    }
  }

  private static List<String> plainLines() {
    return List.of(TestLogs.HEADER, TestLogs.STEP, TestLogs.STEP);
  }

  private static List<String> read(ReplayReader opened) throws IOException {
    List<String> lines = new ArrayList<>();
    try (opened) {
      for (ReplayLine line = opened.read(); line != null; line = opened.read()) {
        lines.add(line.json().toString());
      }
    }
    return lines;
  }
}

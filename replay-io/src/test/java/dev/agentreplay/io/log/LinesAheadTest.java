package dev.agentreplay.io.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.canonical.tree.MerkleTree;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonValue;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log that is decoded ahead is read as one that is decoded line by line. */
class LinesAheadTest {

  private static final String HEADER =
      "{\"created_at\":\"2026-01-01T00:00:00Z\",\"event\":\"ReplayHeader\",\"producer\":\"p\",\"replay_version\":1}\n";

  private static final ReaderOptions OPTIONS = ReaderOptions.defaults().withMaxLineBytes(400_000);

  @Property
  void lines_and_exceptions_are_the_same(@ForAll long seed) throws IOException {
    byte[] log = log(new Random(seed));

    List<String> expected = read(new ByteArrayInputStream(log), false);

    assertThat(read(new ByteArrayInputStream(log), true)).isEqualTo(expected);
  }

  @Test
  void lines_that_are_kept_do_not_change() throws IOException {
    StringBuilder log = new StringBuilder(HEADER);
    Random random = new Random(5);
    for (int i = 0; log.length() < 2_000_000; i++) {
      log.append(call(random, i));
    }
    byte[] bytes = log.toString().getBytes(StandardCharsets.UTF_8);
    for (int maxLineBytes : new int[] {400_000, JsonLimits.defaults().maxBytes() + 1}) {
      ReaderOptions options = ReaderOptions.defaults().withMaxLineBytes(maxLineBytes);
      List<ReplayLine> ahead = new ArrayList<>();
      try (ReplayReader reader = ReplayReader.of(new ByteArrayInputStream(bytes), "log", options)) {
        reader.hashLeavesAhead();
        reader.decodeAhead(CanonicalJson.SERDE);
        reader.forEach(ahead::add);
      }
      ByteArrayOutputStream written = new ByteArrayOutputStream();
      try (ReplayReader reader = ReplayReader.of(new ByteArrayInputStream(bytes), "log", options)) {
        for (ReplayLine line : ahead) {
          line.writeTo(written);
          boolean isAhead =
              line.position().line() > 1 && Runtime.getRuntime().availableProcessors() > 1;
          assertThat(line.leafHash()).isEqualTo(isAhead ? MerkleTree.leafHash(line.bytes()) : null);
          assertThat(line.json()).isEqualTo(reader.read().json());
        }
        assertThat(reader.read()).isNull();
      }
      assertThat(written.toByteArray()).isEqualTo(bytes);
    }
  }

  @Test
  void line_with_another_finding_is_the_same_leaf() throws IOException {
    byte[] log = (HEADER + call(new Random(6), 1).repeat(1_000)).getBytes(StandardCharsets.UTF_8);
    LogDigest digest = new LogDigest(true);
    LogDigest other = new LogDigest(true);
    try (ReplayReader reader = ReplayReader.of(new ByteArrayInputStream(log), "log")) {
      reader.hashLeavesAhead();
      reader.decodeAhead(null);
      for (ReplayLine line : reader) {
        digest.add(line);
        boolean isChanged = line.position().line() % 3 == 0;
        other.add(
            isChanged
                ? line.withFinding(new Finding(FindingCode.NOT_CANONICAL, line.position(), "it"))
                : line);
      }
    }
    assertThat(other.toTree()).isEqualTo(digest.toTree());
    assertThat(other.toHash()).isEqualTo(digest.toHash()).isEqualTo(ContentHash.sha256(log));
  }

  @Test
  void many_logs_are_read_at_the_same_time() {
    List<ForkJoinTask<List<String>>> reads = new ArrayList<>();
    byte[] log = log(new Random(1));
    for (int i = 0; i < 20; i++) {
      reads.add(ForkJoinPool.commonPool().submit(() -> read(new ByteArrayInputStream(log), true)));
    }

    assertThat(reads)
        .allSatisfy(read -> assertThat(read.join()).isEqualTo(reads.get(0).join()));
  }

  @Test
  void failure_to_read_is_thrown_after_the_lines_before_it() throws IOException {
    byte[] log = log(new Random(2));
    for (int length : List.of(HEADER.length(), 1_000, 150_000, log.length)) {
      List<String> expected = read(failing(log, length), false);

      assertThat(read(failing(log, length), true)).isEqualTo(expected);
      assertThat(expected.get(expected.size() - 1)).contains("the disk is gone");
    }
  }

  private static InputStream failing(byte[] log, int length) {
    return new SequenceInputStream(new ByteArrayInputStream(log, 0, length), new InputStream() {
      @Override
      public int read() throws IOException {
        throw new IOException("the disk is gone");
      }
    });
  }

  @Test
  void error_is_thrown_after_the_lines_before_it() throws IOException {
    byte[] log = log(new Random(4));
    int length = log.length * 3 / 4;
    for (Throwable thrown :
        List.of(new OutOfMemoryError("a test"), new IllegalStateException("it"))) {
      List<String> expected = read(throwing(log, length, thrown), false);

      assertThat(read(throwing(log, length, thrown), true)).isEqualTo(expected);
      assertThat(expected.get(expected.size() - 1)).contains(thrown.getMessage());
    }
  }

  private static InputStream throwing(byte[] log, int length, Throwable thrown) {
    return new SequenceInputStream(new ByteArrayInputStream(log, 0, length), new InputStream() {
      @Override
      public int read() {
        if (thrown instanceof Error error) {
          throw error;
        }
        throw (RuntimeException) thrown;
      }

      @Override
      public int read(byte[] buffer, int from, int count) {
        return read();
      }
    });
  }

  @Test
  void reader_refuses_to_continue_after_a_failure() throws IOException {
    try (ReplayReader reader =
        ReplayReader.of(failing(HEADER.getBytes(StandardCharsets.UTF_8), HEADER.length()), "log")) {
      reader.decodeAhead(null);
      assertThat(reader.read()).isNotNull();
      assertThatThrownBy(reader::read).hasMessage("the disk is gone");
      assertThatThrownBy(reader::read)
          .hasMessage("reading ended with an earlier failure")
          .hasRootCauseMessage("the disk is gone");
    }
  }

  @Test
  void position_is_that_of_the_next_line() throws IOException {
    byte[] log = log(new Random(3));
    try (ReplayReader ahead = ReplayReader.of(new ByteArrayInputStream(log), "log", OPTIONS);
        ReplayReader one = ReplayReader.of(new ByteArrayInputStream(log), "log", OPTIONS)) {
      ahead.decodeAhead(null);
      ReplayLine line;
      do {
        assertThat(ahead.position()).isEqualTo(one.position());
        line = next(ahead);
        next(one);
      } while (line != null || ahead.position().offset() < log.length);
    }
  }

  private static ReplayLine next(ReplayReader reader) throws IOException {
    try {
      return reader.read();
    } catch (ReplayFormatException e) {
      return null;
    }
  }

  @Test
  void line_is_skipped_without_decoding_it() throws IOException {
    String text = HEADER + "not JSON\n" + call(new Random(1), 3);
    for (boolean isAhead : new boolean[] {false, true}) {
      try (ReplayReader reader =
          ReplayReader.of(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "log")) {
        if (isAhead) {
          reader.decodeAhead(null);
        }
        assertThat(reader.skip()).isTrue();
        assertThat(reader.skip()).isTrue();
        assertThat(reader.position().line()).isEqualTo(3);
        assertThat(reader.read().event().callId()).isEqualTo("c3");
        assertThat(reader.skip()).isFalse();
      }
    }
  }

  @Test
  void faulty_line_is_named_by_its_segment(@TempDir Path directory) throws IOException {
    Path log = directory.resolve("REPLAY.jsonl");
    Files.writeString(log, HEADER + call(new Random(1), 1).repeat(1_000));
    Files.writeString(
        directory.resolve("REPLAY.jsonl.2"), "{\"event\":1,\n" + call(new Random(1), 2));
    try (ReplayReader reader = ReplayReader.open(log)) {
      reader.decodeAhead(null);
      for (int i = 0; i < 1_001; i++) {
        assertThat(reader.read()).isNotNull();
      }

      assertThatThrownBy(reader::read).hasMessageContaining("REPLAY.jsonl.2, byte ");
    }
  }

  /**
   * The lines and exceptions, with what is known about them, and the hash and tree of the lines.
   */
  private static List<String> read(InputStream in, boolean isAhead) throws IOException {
    List<String> lines = new ArrayList<>();
    LogDigest digest = new LogDigest(true);
    try (ReplayReader reader = ReplayReader.of(in, "log", OPTIONS)) {
      if (isAhead) {
        reader.hashLeavesAhead();
        reader.decodeAhead(CanonicalJson.SERDE);
      }
      while (true) {
        try {
          ReplayLine line = reader.read();
          if (line == null) {
            lines.add(digest.toHash() + " " + digest.toTree());
            return lines;
          }
          digest.add(line);
          JsonValue content = line.event().content().value();
          lines.add(line + " " + line.findings() + line.json() + line.hasLineFeed()
              + (content == null ? "" : line.hash(content, CanonicalJson.SERDE))
              + reader.position());
        } catch (ReplayFormatException e) {
          lines.add(e.code() + " " + e.getMessage() + reader.position());
        } catch (IOException | IllegalStateException | OutOfMemoryError e) {
          lines.add(e.getMessage());
          return lines;
        }
      }
    }
  }

  /** A log of some chunks, with faulty lines, long ones, and too long ones. */
  private static byte[] log(Random random) {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    log.writeBytes(HEADER.getBytes(StandardCharsets.UTF_8));
    int size = random.nextInt(600_000);
    while (log.size() < size) {
      int n = log.size();
      String line =
          switch (random.nextInt(400)) {
            case 0 -> "{\"event\":\"ToolCall\",\"id\":\"x\"\n";
            case 1 -> "\n";
            case 2 -> call(random, n).replace("\n", "\r\n");
            case 3 ->
              "{\"event\":\"ToolCall\",\"id\":\"" + "x".repeat(random.nextInt(300_000)) + "\"}\n";
            case 4 -> "{\"a\":\"" + "y".repeat(random.nextInt(10) == 0 ? 400_001 : 100) + "\"}\n";
            default -> call(random, n);
          };
      log.writeBytes(line.getBytes(StandardCharsets.UTF_8));
    }
    if (random.nextBoolean()) {
      log.writeBytes("{\"event\":\"SessionEnd\"}".getBytes(StandardCharsets.UTF_8));
    }
    return log.toByteArray();
  }

  private static String call(Random random, int n) {
    String words =
        IntStream.range(0, random.nextInt(60)).mapToObj(i -> "w\\n" + i).reduce("", String::concat);
    return "{\"event\":\"ToolCall\",\"id\":\"c%d\",\"params\":{\"text\":\"%s\"},\"tool\":\"t\"}\n"
        .formatted(n, words);
  }
}

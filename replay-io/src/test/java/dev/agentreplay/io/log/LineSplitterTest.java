package dev.agentreplay.io.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.log.LineSplitter.LineTooLongException;
import dev.agentreplay.model.finding.Position;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Differential: the splitter against a naive split of the whole. */
class LineSplitterTest {

  private static final int NO_LIMIT = Integer.MAX_VALUE;

  /** A line; text is null where it was too long. */
  private record Line(long number, long offset, boolean terminated, List<Byte> text) {}

  @Property
  void any_bytes_in_any_portions_are_split_at_line_feeds_only(
      @ForAll("fewDistinctBytes") byte[] bytes, @ForAll long seed) throws IOException {
    assertThat(split(bytes, seed, NO_LIMIT)).isEqualTo(naive(bytes, NO_LIMIT));
  }

  @Property
  void too_long_lines_are_skipped_and_the_next_ones_are_in_their_place(
      @ForAll("fewDistinctBytes") byte[] bytes,
      @ForAll long seed,
      @ForAll @IntRange(max = 12) int maxLineBytes)
      throws IOException {
    assertThat(split(bytes, seed, maxLineBytes)).isEqualTo(naive(bytes, maxLineBytes));
  }

  @Property(tries = 60)
  void lines_around_the_size_of_the_buffer_are_whole(
      @ForAll("lengthsAroundTheBuffer") List<Integer> lengths,
      @ForAll long seed,
      @ForAll boolean limited)
      throws IOException {
    int size = lengths.stream().mapToInt(length -> length + 1).sum();
    byte[] bytes = new byte[Math.max(0, size - 1)];
    new Random(seed).nextBytes(bytes);
    int at = 0;
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = bytes[i] == '\n' ? 0 : bytes[i];
    }
    for (int length : lengths) {
      at += length + 1;
      if (at <= bytes.length) {
        bytes[at - 1] = '\n';
      }
    }
    int max = limited ? 65_536 : NO_LIMIT;
    assertThat(split(bytes, seed, max)).isEqualTo(naive(bytes, max));
  }

  @Example
  void too_long_line_takes_no_more_memory_than_the_longest_that_is_read() throws Exception {
    int max = 1 << 16;
    byte[] bytes = new byte[100 * max];
    bytes[bytes.length - 2] = '\n';
    try (LineSplitter splitter = new LineSplitter(new ByteArrayInputStream(bytes), max)) {
      assertThatThrownBy(splitter::next).isInstanceOf(LineTooLongException.class);
      assertThat(splitter.next()).isTrue();
      assertThat(splitter.offset()).isEqualTo(bytes.length - 1);
      assertThat(splitter.buffer()).hasSizeLessThanOrEqualTo(2 * max);
    }
  }

  @Example
  void buffer_shrinks_behind_a_giant_line_and_no_line_is_lost() throws Exception {
    int giant = 20 << 20;
    byte[] bytes = new byte[giant + 4 * 200_000];
    for (int at = giant; at < bytes.length; at += 1_000) {
      bytes[at] = '\n';
    }
    try (LineSplitter splitter = new LineSplitter(new ByteArrayInputStream(bytes), NO_LIMIT)) {
      assertThat(splitter.next()).isTrue();
      assertThat(splitter.to() - splitter.from()).isEqualTo(giant);
      assertThat(splitter.buffer()).hasSizeGreaterThan(giant);
      int smallest = Integer.MAX_VALUE;
      while (splitter.next()) {
        assertThat(splitter.offset()).isEqualTo(giant + 1 + (splitter.line() - 2) * 1_000);
        smallest = Math.min(smallest, splitter.buffer().length);
      }
      assertThat(splitter.line()).isEqualTo(4 * 200 + 1);
      assertThat(smallest).isEqualTo(1 << 16);
    }
  }

  @Example
  void line_is_in_pieces_when_the_stream_was_read_more_than_once_for_it() throws Exception {
    byte[] bytes = {'a', 'b', '\n', 'c', '\n', 'd', 'e', '\n'};
    InputStream twoAtATime = new FilterInputStream(new ByteArrayInputStream(bytes)) {
      @Override
      public int read(byte[] buffer, int offset, int length) throws IOException {
        return super.read(buffer, offset, Math.min(length, 2));
      }
    };
    List<Boolean> pieced = new ArrayList<>();
    try (LineSplitter splitter = new LineSplitter(twoAtATime, NO_LIMIT)) {
      while (splitter.next()) {
        pieced.add(splitter.isPieced());
      }
    }
    // ab|LF c|LF d|e LF
    assertThat(pieced).containsExactly(true, true, true);
    try (LineSplitter splitter = new LineSplitter(new ByteArrayInputStream(bytes), NO_LIMIT)) {
      while (splitter.next()) {
        assertThat(splitter.isPieced()).isFalse();
      }
    }
  }

  @Example
  void restarted_at_a_line_it_continues_from_there() throws Exception {
    ByteArrayInputStream in = new ByteArrayInputStream(new byte[] {'a', '\n', 'b', 'c', '\n'});
    try (LineSplitter splitter = new LineSplitter(in, NO_LIMIT)) {
      assertThat(splitter.next()).isTrue();
      Position second = splitter.nextPosition();
      assertThat(second).isEqualTo(new Position(2, 2));
      assertThat(splitter.next()).isTrue();
      assertThat(splitter.next()).isFalse();
      in.reset();
      assertThat(in.skip(second.offset())).isEqualTo(2);
      splitter.restart(second);
      assertThat(splitter.next()).isTrue();
      assertThat(splitter.position()).isEqualTo(second);
      assertThat(splitter.to() - splitter.from()).isEqualTo(2);
    }
  }

  @Example
  void failure_of_the_stream_ends_reading() throws Exception {
    byte[] bytes = {'a', '\n', 'b', '\n'};
    InputStream in = new FilterInputStream(new ByteArrayInputStream(bytes)) {
      private int reads;

      @Override
      public int read(byte[] buffer, int offset, int length) throws IOException {
        reads++;
        if (reads == 2) {
          throw new IOException("the disk is gone");
        }
        return super.read(buffer, offset, Math.min(length, 2));
      }
    };
    try (LineSplitter splitter = new LineSplitter(in, NO_LIMIT)) {
      assertThat(splitter.next()).isTrue();
      assertThatThrownBy(splitter::next).hasMessage("the disk is gone");
      assertThatThrownBy(splitter::next)
          .isInstanceOf(IOException.class)
          .hasRootCauseMessage("the disk is gone");
    }
  }

  @Provide
  Arbitrary<byte[]> fewDistinctBytes() {
    return Arbitraries.of((byte) '\n', (byte) '\r', (byte) 0, (byte) 0xff, (byte) 'a')
        .array(byte[].class)
        .ofMaxSize(80);
  }

  @Provide
  Arbitrary<List<Integer>> lengthsAroundTheBuffer() {
    return Arbitraries.of(0, 1, 40_000, 65_534, 65_535, 65_536, 65_537, 131_071, 131_072, 200_000)
        .list()
        .ofMinSize(1)
        .ofMaxSize(6);
  }

  private static List<Line> split(byte[] bytes, long seed, int maxLineBytes) throws IOException {
    List<Line> lines = new ArrayList<>();
    try (LineSplitter splitter = new LineSplitter(new Portions(bytes, seed), maxLineBytes)) {
      while (true) {
        try {
          if (!splitter.next()) {
            assertThat(splitter.next()).as("at the end it stays").isFalse();
            return lines;
          }
          byte[] text = Arrays.copyOfRange(splitter.buffer(), splitter.from(), splitter.to());
          lines.add(
              new Line(splitter.line(), splitter.offset(), splitter.isTerminated(), list(text)));
        } catch (LineTooLongException e) {
          lines.add(new Line(splitter.line(), splitter.offset(), splitter.isTerminated(), null));
        }
      }
    }
  }

  private static List<Line> naive(byte[] bytes, int maxLineBytes) {
    List<Line> lines = new ArrayList<>();
    int from = 0;
    while (from < bytes.length) {
      int to = from;
      while (to < bytes.length && bytes[to] != '\n') {
        to++;
      }
      List<Byte> text = to - from > maxLineBytes ? null : list(Arrays.copyOfRange(bytes, from, to));
      lines.add(new Line(lines.size() + 1, from, to < bytes.length, text));
      from = to + 1;
    }
    return lines;
  }

  private static List<Byte> list(byte[] bytes) {
    List<Byte> list = new ArrayList<>(bytes.length);
    for (byte b : bytes) {
      list.add(b);
    }
    return list;
  }

  /** Hands out the bytes in portions of random size, often of one byte. */
  private static final class Portions extends FilterInputStream {
    private final Random random;
    private final int largest;

    Portions(byte[] bytes, long seed) {
      super(new ByteArrayInputStream(bytes));
      random = new Random(seed);
      largest = random.nextBoolean() ? 3 : 100_000;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      return super.read(buffer, offset, Math.min(length, 1 + random.nextInt(largest)));
    }
  }
}

package dev.agentreplay.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;

/** Lines of a stream that is read in any pieces. */
class LineFeedTest {

  private static final int MAX = 5;

  /** The lines that are passed on, those in pieces in brackets. */
  private static final class Passed implements LineFeed.Lines {
    final List<String> lines = new ArrayList<>();
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private String pieces = "";
    boolean isEnded;

    @Override
    public void line(Line line) throws IOException {
      lines.add(line.text());
      line.writeTo(bytes);
    }

    @Override
    public void piece(byte[] piece, int from, int to, boolean isLast) {
      pieces += new String(piece, from, to - from, StandardCharsets.UTF_8);
      bytes.write(piece, from, to - from);
      if (isLast) {
        lines.add("[" + pieces.replaceAll("\r?\n\\z", "") + "]");
        pieces = "";
      }
    }

    @Override
    public void end() {
      assertThat(pieces).isEmpty();
      isEnded = true;
    }
  }

  @Property(tries = 1000)
  void lines_do_not_depend_on_the_pieces_that_are_read(
      @ForAll @AlphaChars @Chars({'\n', '\r'}) @StringLength(max = 30) String text,
      @ForAll @IntRange(min = 1, max = 9) int size)
      throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    Passed passed = new Passed();
    LineFeed feed = new LineFeed(passed, MAX);
    for (int i = 0; i < bytes.length; i += size) {
      byte[] piece = Arrays.copyOfRange(bytes, i, Math.min(bytes.length, i + size));
      feed.add(piece, piece.length);
    }
    feed.end();

    assertThat(passed.bytes.toByteArray()).isEqualTo(bytes);
    assertThat(passed.isEnded).isTrue();
    List<String> expected = new ArrayList<>();
    for (String line : text.split("(?<=\n)")) {
      String content = line.replaceAll("\r?\n\\z|\r\\z", "");
      if (line.length() > MAX) {
        expected.add("[" + line.replaceAll("\r?\n\\z", "") + "]");
      } else if (!line.isEmpty()) {
        expected.add(content);
      }
    }
    assertThat(passed.lines).isEqualTo(expected);
  }

  @Example
  void line_for_which_memory_is_missing_is_passed_on_in_pieces() throws IOException {
    Passed passed = new Passed();
    LineFeed feed = new LineFeed(passed, Integer.MAX_VALUE, new Line() {
      @Override
      public synchronized void write(byte[] bytes, int from, int length) {
        if (size() + length > 8) {
          throw new OutOfMemoryError("Java heap space");
        }
        super.write(bytes, from, length);
      }
    });
    byte[] bytes = "0123456789\nab\n".getBytes(StandardCharsets.UTF_8);
    feed.add(bytes, 6);
    feed.add(Arrays.copyOfRange(bytes, 6, bytes.length), bytes.length - 6);
    feed.end();

    assertThat(passed.bytes.toByteArray()).isEqualTo(bytes);
    assertThat(passed.lines).containsExactly("[0123456789]", "ab");
  }
}

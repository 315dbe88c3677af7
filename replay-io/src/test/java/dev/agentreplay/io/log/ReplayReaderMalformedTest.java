package dev.agentreplay.io.log;

import static dev.agentreplay.io.log.TestLogs.HEADER;
import static dev.agentreplay.io.log.TestLogs.STEP;
import static dev.agentreplay.io.log.TestLogs.bytes;
import static dev.agentreplay.model.finding.FindingCode.DUPLICATE_KEY;
import static dev.agentreplay.model.finding.FindingCode.MALFORMED_LINE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.dialect.LineEncoder;
import dev.agentreplay.io.log.TestLogs.Outcome;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Position;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Lines other than events: each is refused with its offset, and reading continues after it. */
class ReplayReaderMalformedTest {

  /** The text is ISO 8859-1, so that it can hold any byte; at is the byte that is wrong. */
  static Stream<Arguments> badLines() {
    return Stream.of(
        Arguments.of("blank line", "", MALFORMED_LINE, 0),
        Arguments.of("spaces", "   ", MALFORMED_LINE, 3),
        Arguments.of("carriage return only", "\r", MALFORMED_LINE, 1),
        Arguments.of("NUL bytes", "\0\0\0", MALFORMED_LINE, 0),
        Arguments.of("NUL byte behind the object", "{}\0", MALFORMED_LINE, 2),
        Arguments.of("NUL byte in a string", "{\"a\":\"\0\"}", MALFORMED_LINE, 6),
        Arguments.of("byte order mark", "\u00ef\u00bb\u00bf{}", MALFORMED_LINE, 0),
        Arguments.of("invalid UTF-8", "{\"a\":\"\u00ff\"}", MALFORMED_LINE, 6),
        Arguments.of("overlong UTF-8", "{\"a\":\"\u00c0\u00af\"}", MALFORMED_LINE, 6),
        Arguments.of("surrogate in UTF-8", "{\"a\":\"\u00ed\u00a0\u0080\"}", MALFORMED_LINE, 6),
        Arguments.of("lone surrogate escape", "{\"a\":\"\\ud800\"}", MALFORMED_LINE, 6),
        Arguments.of("UTF-16", "\u00fe\u00ff\0{\0}", MALFORMED_LINE, 0),
        Arguments.of("array", "[{}]", MALFORMED_LINE, 0),
        Arguments.of("string", "\"a\"", MALFORMED_LINE, 0),
        Arguments.of("number", "1", MALFORMED_LINE, 0),
        Arguments.of("null", "null", MALFORMED_LINE, 0),
        Arguments.of("no JSON", "hello", MALFORMED_LINE, 0),
        Arguments.of("two objects", "{\"a\":1}{\"b\":2}", MALFORMED_LINE, 7),
        Arguments.of("two objects apart", "{} {}", MALFORMED_LINE, 3),
        Arguments.of("comma behind", "{},", MALFORMED_LINE, 2),
        Arguments.of("cut short", "{\"event\":\"To", MALFORMED_LINE, 12),
        Arguments.of("comment", "{/**/}", MALFORMED_LINE, 1),
        Arguments.of("number out of range", "{\"a\":1e999}", MALFORMED_LINE, 5),
        Arguments.of("NaN", "{\"a\":NaN}", MALFORMED_LINE, 5),
        Arguments.of("deep nesting", "{\"a\":" + "[".repeat(1_000), MALFORMED_LINE, 1_004),
        Arguments.of("duplicate key", "{\"a\":1,\"b\":2,\"a\":1}", DUPLICATE_KEY, 13),
        Arguments.of("escaped duplicate key", "{\"a\":1,\"\\u0061\":1}", DUPLICATE_KEY, 7),
        Arguments.of("nested duplicate key", "{\"p\":[{\"x\":1,\"x\":null}]}", DUPLICATE_KEY, 13),
        Arguments.of("duplicate empty key", "{\"\":1,\"\":2}", DUPLICATE_KEY, 6),
        Arguments.of("duplicate key, then cut", "{\"a\":1,\"a\":", MALFORMED_LINE, 11));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("badLines")
  void bad_line_is_refused_with_its_byte_and_the_next_is_read(
      String name, String line, FindingCode code, int at) throws IOException {
    byte[] bad = line.getBytes(StandardCharsets.ISO_8859_1);
    byte[] before = bytes(HEADER + "\n");
    byte[] log = concat(before, bad, bytes("\n" + STEP + "\n"));

    List<Outcome> outcomes = TestLogs.readAll(log);

    assertThat(outcomes).hasSize(3);
    assertThat(outcomes.get(0).text()).isEqualTo(HEADER);
    assertThat(outcomes.get(1).code()).isEqualTo(code);
    assertThat(outcomes.get(1).position())
        .isEqualTo(new Position(2, before.length + at, before.length));
    assertThat(outcomes.get(2))
        .isEqualTo(new Outcome(null, new Position(3, before.length + bad.length + 1), STEP));
  }

  @Test
  void several_bad_lines_are_refused_one_by_one() throws IOException {
    List<Outcome> outcomes = TestLogs.readAll(bytes("\n\nx\n" + HEADER + "\n\n"));
    assertThat(outcomes)
        .extracting(Outcome::code)
        .containsExactly(MALFORMED_LINE, MALFORMED_LINE, MALFORMED_LINE, null, MALFORMED_LINE);
    assertThat(outcomes)
        .extracting(outcome -> outcome.position().line())
        .containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(outcomes)
        .extracting(outcome -> outcome.position().offset())
        .containsExactly(0L, 1L, 2L, 4L, 4L + HEADER.length() + 1);
  }

  @Test
  void line_beyond_the_limit_is_skipped_and_the_next_is_read() throws IOException {
    long length = LineEncoder.MAX_LINE_BYTES + 1L;
    InputStream endless = new InputStream() {
      private long at;
      private final byte[] rest = bytes("\n" + HEADER + "\n");

      @Override
      public int read() {
        throw new UnsupportedOperationException();
      }

      @Override
      public int read(byte[] buffer, int offset, int size) {
        if (at < length) {
          int n = (int) Math.min(size, length - at);
          Arrays.fill(buffer, offset, offset + n, (byte) ' ');
          at += n;
          return n;
        }
        int from = (int) (at - length);
        int n = Math.min(size, rest.length - from);
        System.arraycopy(rest, from, buffer, offset, n);
        at += n;
        return n == 0 ? -1 : n;
      }
    };
    try (ReplayReader reader = ReplayReader.of(endless, "endless")) {
      assertThatThrownBy(reader::read).isInstanceOfSatisfying(ReplayFormatException.class, e -> {
        assertThat(e.code()).isEqualTo(MALFORMED_LINE);
        assertThat(e.position()).isEqualTo(new Position(1, 0));
        assertThat(e).hasMessageContaining("longer than 16777216 bytes");
      });
      ReplayLine next = reader.read();
      assertThat(next.position()).isEqualTo(new Position(2, length + 1));
      assertThat(next.bytes()).isEqualTo(bytes(HEADER));
      assertThat(reader.read()).isNull();
    }
  }

  private static byte[] concat(byte[]... parts) {
    byte[] whole = new byte[0];
    for (byte[] part : parts) {
      whole = Arrays.copyOf(whole, whole.length + part.length);
      System.arraycopy(part, 0, whole, whole.length - part.length, part.length);
    }
    return whole;
  }
}

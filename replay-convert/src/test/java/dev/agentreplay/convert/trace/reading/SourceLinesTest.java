package dev.agentreplay.convert.trace.reading;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.convert.trace.reading.SourceLines.Line;
import dev.agentreplay.convert.trace.report.SourceFault.Kind;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines are read whole, and what is broken is reported with its place. */
class SourceLinesTest {

  private static List<Line> read(String text) throws IOException {
    return read(new ByteArrayInputStream(text.getBytes(UTF_8)));
  }

  private static List<Line> read(InputStream in) throws IOException {
    List<Line> lines = new ArrayList<>();
    try (SourceLines source = new SourceLines(in, null)) {
      for (Line line = source.next(); line != null; line = source.next()) {
        lines.add(line);
      }
    }
    return lines;
  }

  private static Kind kind(Line line) {
    return line.fault() == null ? null : line.fault().kind();
  }

  @Test
  void lineHasNumberOffsetAndHash() throws IOException {
    List<Line> lines = read("{\"a\":1}\n\r\n  {\"b\":\"é\"}\r\n");

    assertThat(lines).extracting(line -> line.place().line()).containsExactly(1L, 3L);
    assertThat(lines).extracting(line -> line.place().offset()).containsExactly(0L, 10L);
    assertThat(lines.get(1).json()).isEqualTo(JsonObject.of("b", "é"));
    assertThat(lines.get(1).hash())
        .isEqualTo(ContentHash.sha256("  {\"b\":\"é\"}\r".getBytes(UTF_8)));
  }

  @Test
  void byteOrderMarkIsPassedOver() throws IOException {
    assertThat(read("\ufeff{\"a\":1}\n").get(0).json()).isEqualTo(JsonObject.of("a", 1));
  }

  @Test
  void lineThatIsLongerThanTheBufferIsWhole() throws IOException {
    String text = "x".repeat(1 << 20);
    List<Line> lines = read("{\"a\":\"" + text + "\"}\n{\"b\":2}\n");

    assertThat(lines.get(0).json()).isEqualTo(JsonObject.of("a", text));
    assertThat(lines.get(1).json()).isEqualTo(JsonObject.of("b", 2));
  }

  @Test
  void lineThatIsTooLongIsReported_andTheNextOneIsRead() throws IOException {
    long tooLong = SourceLines.MAX_LINE_BYTES + 10_000_000L;
    byte[] rest = "\n{\"b\":2}\n".getBytes(UTF_8);
    InputStream in = new java.io.SequenceInputStream(
        new InputStream() {
          private long left = tooLong;

          @Override
          public int read() {
            return left-- > 0 ? 'x' : -1;
          }

          @Override
          public int read(byte[] buffer, int from, int length) {
            if (left <= 0) {
              return -1;
            }
            int read = (int) Math.min(length, left);
            java.util.Arrays.fill(buffer, from, from + read, (byte) 'x');
            left -= read;
            return read;
          }
        },
        new ByteArrayInputStream(rest));

    List<Line> lines = read(in);

    assertThat(lines).extracting(SourceLinesTest::kind).containsExactly(Kind.RECORD_TOO_LONG, null);
    assertThat(lines.get(0).fault().message()).contains("43,554,432 bytes");
    assertThat(lines.get(1).place().line()).isEqualTo(2);
    assertThat(lines.get(1).place().offset()).isEqualTo(tooLong + 1);
  }

  @Test
  void recordsOnOneLineAreReadApart() throws IOException {
    List<Line> lines = read("{\"a\":\"}{\"}{\"b\":2} {\"c\":3}\n{\"d\":4}\n");

    assertThat(lines)
        .extracting(Line::json)
        .containsExactly(
            JsonObject.of("a", "}{"),
            JsonObject.of("b", 2),
            JsonObject.of("c", 3),
            JsonObject.of("d", 4));
    assertThat(lines).extracting(line -> line.place().line()).containsExactly(1L, 1L, 1L, 2L);
    assertThat(lines).extracting(line -> line.place().offset()).containsExactly(0L, 10L, 18L, 26L);
    assertThat(kind(lines.get(0))).isEqualTo(Kind.SPLICED_LINE);
  }

  @Test
  void recordThatWasCutAndSplicedIsReported_andTheTextIsKept() throws IOException {
    List<Line> lines = read("{\"a\":1}{\"b\":[1,\n{\"c\":3}\n");

    assertThat(lines)
        .extracting(SourceLinesTest::kind)
        .containsExactly(Kind.SPLICED_LINE, Kind.BROKEN_LINE, null);
    assertThat(lines.get(1).text()).isEqualTo("{\"b\":[1,");
  }

  @Test
  void recordAfterOneThatWasCutIsFound() throws IOException {
    List<Line> lines = read("{\"a\":{\"b\":\"x{\"c\":{\"d\":[{\"e\":1}]}}\n{\"f\":2}\n");

    assertThat(lines)
        .extracting(SourceLinesTest::kind)
        .containsExactly(Kind.BROKEN_LINE, null, null);
    assertThat(lines.get(0).text()).isEqualTo("{\"a\":{\"b\":\"x");
    assertThat(lines.get(1).json().toString()).isEqualTo("{\"c\":{\"d\":[{\"e\":1}]}}");
    assertThat(lines.get(1).place().offset()).isEqualTo(12);
  }

  @Test
  void manyRecordsOnOneLineAreReadInLinearTime() throws IOException {
    assertThat(read("{\"a\":1}".repeat(100_000) + "\n")).hasSize(100_000);
  }

  @Test
  void integerOfMoreThan64BitsIsReported() throws IOException {
    List<Line> lines = read("{\"a\":18446744073709551615,\"b\":-9223372036854775808}\n"
        + "{\"a\":[18446744073709551616]}\n{\"a\":\"18446744073709551616\"}\n"
        + "{\"a\":-9223372036854775809}\n");

    assertThat(lines)
        .extracting(SourceLinesTest::kind)
        .containsExactly(null, Kind.ROUNDED_NUMBER, null, Kind.ROUNDED_NUMBER);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"a\":", "{\"a", "{", "[1", "{\"a\":1"})
  void lastLineThatEndsWithinARecordIsATruncatedEnd(String end) throws IOException {
    List<Line> lines = read("{\"a\":1}\n" + end);

    assertThat(kind(lines.get(1))).isEqualTo(Kind.TRUNCATED_END);
    assertThat(lines.get(1).text()).isEqualTo(end);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"a\":1,}", "nonsense", "{\"a\":1}]", "{\"a\":1 \"b\":2}", "\u0000"})
  void lineThatIsNotJsonIsBroken(String line) throws IOException {
    List<Line> lines = read(line + "\n{\"b\":2}\n");

    assertThat(lines.stream().filter(found -> found.fault() != null)).isNotEmpty();
    assertThat(lines.get(lines.size() - 1).json()).isEqualTo(JsonObject.of("b", 2));
  }

  @ParameterizedTest
  @ValueSource(strings = {"17", "\"text\"", "[1,2]", "null"})
  void lineThatIsNoObjectIsBroken(String line) throws IOException {
    assertThat(read(line + "\n"))
        .extracting(SourceLinesTest::kind)
        .containsExactly(Kind.BROKEN_LINE);
  }

  @Test
  void messageOfAFaultDoesNotQuoteTheSource() throws IOException {
    for (Line line :
        read("{\"key\":\"sk-secret\" oops\n{\"key\":\"sk-secret\"}sk-secret\nsk-secret")) {
      assertThat(String.valueOf(line.fault())).doesNotContain("secret");
    }
  }

  @Test
  void surrogateWithoutItsPartnerIsReplaced() throws IOException {
    List<Line> lines = read("{\"a\":\"x\\ud83d\",\"b\":\"\\ud83d\\ude00\",\"c\":\"\\\\ud83d\"}\n");

    assertThat(lines.get(0).json())
        .isEqualTo(JsonObject.of("a", "x\ufffd", "b", "\ud83d\ude00", "c", "\\ud83d"));
    assertThat(kind(lines.get(0))).isEqualTo(Kind.LONE_SURROGATE);
  }

  @Test
  void bytesThatAreNotUtf8AreReported() throws IOException {
    List<Line> lines = read(new ByteArrayInputStream(
        new byte[] {'{', '"', 'a', '"', ':', '"', (byte) 0xff, '"', '}', '\n'}));

    assertThat(kind(lines.get(0))).isEqualTo(Kind.BROKEN_LINE);
    assertThat(lines.get(0).fault().message()).contains("encoding");
  }
}

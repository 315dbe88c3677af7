package dev.agentreplay.io.log;

import static dev.agentreplay.io.log.TestLogs.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Lines and gaps are all bytes of the log, each once, however damaged it is. */
class SalvagePropertiesTest {

  private static final int EVENTS = 12;

  @Property
  void pieces_cover_every_byte_once_in_order(@ForAll("damagedLogs") byte[] log) throws IOException {
    assertCovered(log, SalvageTest.salvage(log));
  }

  @Property(tries = 500)
  void pieces_cover_every_byte_of_anything(@ForAll byte[] log) throws IOException {
    assertCovered(log, SalvageTest.salvage(log));
  }

  @Property
  void loss_of_some_bytes_loses_only_the_events_that_they_were_in(
      @ForAll("offsets") int first, @ForAll("offsets") int second) throws IOException {
    List<String> events = events();
    byte[] log = bytes(String.join("\n", events) + "\n");
    int from = Math.min(first, second) % log.length;
    int to = Math.max(from, Math.max(first, second) % log.length);
    byte[] spliced = Arrays.copyOf(log, log.length - (to - from));
    System.arraycopy(log, to, spliced, from, log.length - to);

    List<String> read = texts(SalvageTest.salvage(spliced));

    List<String> untouched = new ArrayList<>();
    int offset = 0;
    for (String event : events) {
      int end = offset + bytes(event).length;
      // an event right behind what is left of another may be a value of it
      boolean isValue = offset == to && from > 0 && ":,[".indexOf(log[from - 1]) >= 0;
      if (end <= from || (offset >= to && !isValue)) {
        untouched.add(event);
      }
      offset = end + 1;
    }
    assertThat(read).as("without bytes %d to %d", from, to).containsAll(untouched);
  }

  @Provide
  Arbitrary<Integer> offsets() {
    return Arbitraries.integers().between(0, 1 << 20).withoutEdgeCases();
  }

  /** Pieces of logs, cut anywhere, with what damage leaves between them. */
  @Provide
  Arbitrary<byte[]> damagedLogs() {
    return Arbitraries.longs().map(seed -> damaged(new Random(seed)));
  }

  private static byte[] damaged(Random random) {
    List<String> events = events();
    List<byte[]> debris = List.of(
        bytes("\n"),
        bytes("\0\0\0"),
        bytes("\ufeff"),
        bytes(" \r"),
        bytes("\\\""),
        bytes("{\"a\":1}"),
        new byte[] {(byte) 0xc3},
        bytes("}"));
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    for (int i = random.nextInt(12); i > 0; i--) {
      byte[] event = bytes(events.get(random.nextInt(events.size())));
      int from = random.nextInt(4) == 0 ? random.nextInt(event.length) : 0;
      int to = random.nextInt(3) == 0 ? from + random.nextInt(event.length - from) : event.length;
      log.write(event, from, to - from);
      for (int more = random.nextInt(3); more > 0; more--) {
        log.writeBytes(debris.get(random.nextInt(debris.size())));
      }
      if (random.nextInt(3) > 0) {
        log.write('\n');
      }
    }
    return log.toByteArray();
  }

  private static List<String> events() {
    List<String> events = new ArrayList<>(List.of(TestLogs.HEADER));
    for (int i = 0; i < EVENTS; i++) {
      events.add("{\"event\":\"ToolCall\",\"id\":\"%d\",\"params\":{\"é\":[{\"b\":\"{\\\"}\"}]}"
              .formatted(i)
          + ",\"tool\":\"t\"}");
    }
    return events;
  }

  private static void assertCovered(byte[] log, List<Salvaged> pieces) {
    long offset = 0;
    for (Salvaged piece : pieces) {
      assertThat(piece.position().offset()).isEqualTo(offset);
      int from = (int) offset;
      assertThat(piece.position().line()).isEqualTo(1 + feedsBefore(log, from));
      if (piece instanceof Salvaged.Line line) {
        int to = from + line.line().length();
        assertThat(line.line().bytes()).isEqualTo(Arrays.copyOfRange(log, from, to));
        assertThat(!line.lineFeed() || log[to] == '\n').isTrue();
      }
      offset += piece.bytes();
    }
    assertThat(offset).isEqualTo(log.length);
  }

  private static long feedsBefore(byte[] log, int offset) {
    long feeds = 0;
    for (int i = 0; i < offset; i++) {
      feeds += log[i] == '\n' ? 1 : 0;
    }
    return feeds;
  }

  private static List<String> texts(List<Salvaged> pieces) {
    List<String> texts = new ArrayList<>();
    for (Salvaged piece : pieces) {
      if (piece instanceof Salvaged.Line line) {
        texts.add(new String(line.line().bytes(), StandardCharsets.UTF_8));
      }
    }
    return texts;
  }
}

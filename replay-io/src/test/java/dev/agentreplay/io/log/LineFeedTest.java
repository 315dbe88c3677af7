package dev.agentreplay.io.log;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;

class LineFeedTest {

  @Property
  void first_line_feed_in_a_part_is_found_and_none_outside_it(
      @ForAll("bytes") byte[] bytes,
      @ForAll @IntRange(max = 60) int start,
      @ForAll @IntRange(max = 60) int end) {
    int from = Math.min(start, bytes.length);
    int to = Math.max(from, Math.min(end, bytes.length));
    int expected = from;
    while (expected < to && bytes[expected] != '\n') {
      expected++;
    }
    assertThat(LineFeed.indexOf(bytes, from, to)).isEqualTo(expected == to ? -1 : expected);
  }

  /**
   * With those that differ from a line feed in one bit, or by one, which is what could go wrong.
   */
  @Provide
  Arbitrary<byte[]> bytes() {
    return Arbitraries.frequencyOf(
            Tuple.of(1, Arbitraries.just((byte) '\n')),
            Tuple.of(
                9, Arbitraries.of((byte) 0x0b, (byte) 0x09, (byte) 0x8a, (byte) 0x8b, (byte) 0)))
        .array(byte[].class)
        .ofMaxSize(60);
  }
}

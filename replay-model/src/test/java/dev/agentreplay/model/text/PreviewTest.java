package dev.agentreplay.model.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Text is cut as specification 000 says, and never within a character. */
class PreviewTest {

  private static final String ROCKET = "\ud83d\ude80";

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1_999, 2_000})
  void output_that_is_not_longer_than_2000_is_unchanged(int length) {
    String ascii = "x".repeat(length);
    String astral = ROCKET.repeat(length);
    assertThat(Preview.ofOutput(ascii)).isSameAs(ascii);
    assertThat(Preview.ofOutput(astral)).isSameAs(astral);
  }

  @Test
  void output_of_2001_is_its_first_and_last_1000() {
    String head = "a".repeat(1_000);
    String tail = "b".repeat(1_000);
    assertThat(Preview.ofOutput(head + "?" + tail)).isEqualTo(head + "..." + tail);
  }

  @Test
  void stream_of_10001_is_its_first_and_last_5000() {
    String head = "a".repeat(5_000);
    String tail = "b".repeat(5_000);
    assertThat(Preview.ofStream(head + tail)).isEqualTo(head + tail);
    assertThat(Preview.ofStream(head + "?" + tail)).isEqualTo(head + "..." + tail);
  }

  @Test
  void pair_of_surrogates_is_one_character_and_stays_whole() {
    String head = "a".repeat(999) + ROCKET;
    String tail = ROCKET + "b".repeat(999);
    assertThat(Preview.ofOutput(head + tail)).isEqualTo(head + tail);
    assertThat(Preview.ofOutput(head + ROCKET + tail)).isEqualTo(head + "..." + tail);
  }

  @Test
  void text_of_pairs_only_is_counted_by_pairs() {
    assertThat(Preview.ofOutput(ROCKET.repeat(2_001)))
        .isEqualTo(ROCKET.repeat(1_000) + "..." + ROCKET.repeat(1_000));
  }

  @Test
  void huge_text_allocates_no_more_than_its_preview() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    String huge = ROCKET.repeat(10_000_000);
    Preview.ofOutput(huge); // what is linked at first use
    long before = threads.getCurrentThreadAllocatedBytes();
    String preview = Preview.ofOutput(huge);
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    assertThat(preview).hasSize(4_003);
    assertThat(allocated).isLessThan(100_000);
  }
}

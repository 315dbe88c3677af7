package dev.agentreplay.canonical;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The memory that a call allocates. */
class AllocationTest {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** A hash is an object with four longs, and the array that was digested into is kept. */
  private static final long HASH_BYTES = 48;

  private static final long MOST_BYTES = HASH_BYTES + 64;
  private static final int CALLS = 2_000;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\":[1,-2,true,null],\"b\":{\"c\":\"x\",\"d\":\"a line\\n and \\u00e9\"},\"z\":120}",
        "{ \"b\" : { \"d\":1, \"c\":2 } , \"a\" : \"y\", \"tool\":\"bash\", \"\\u0061a\":7 }"
      })
  void hash_of_text_allocates_little_more_than_itself(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    for (CanonicalJson json : Outcome.PROFILES) {
      allocated(json, utf8); // the buffers, and what is linked at first use

      assertThat(allocated(json, utf8) / CALLS).isLessThanOrEqualTo(MOST_BYTES);
    }
  }

  private static long allocated(CanonicalJson json, byte[] utf8) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < CALLS; i++) {
      json.hash(utf8);
    }
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }
}

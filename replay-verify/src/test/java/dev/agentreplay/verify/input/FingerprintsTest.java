package dev.agentreplay.verify.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Differential: fingerprints against a set. */
class FingerprintsTest {

  @Property
  void ids_within_the_bound_are_found_like_in_a_set(@ForAll @Size(max = 400) List<String> texts) {
    Fingerprints ids = new Fingerprints();
    Set<String> seen = new HashSet<>();
    for (String text : texts) {
      assertThat(ids.add(text)).isEqualTo(!seen.add(text));
    }
  }

  @Test
  void ids_chosen_to_share_a_slot_of_unkeyed_fingerprints_are_spread() {
    int slots = 1 << 11;
    List<String> chosen = IntStream.iterate(0, i -> i + 1)
        .mapToObj(i -> "call-" + i)
        .filter(id -> (unkeyed(id) & slots - 1) == 0)
        .limit(slots / 2)
        .toList();
    Fingerprints ids = new Fingerprints();
    assertThat(chosen.stream().map(id -> ids.of(id) & slots - 1).distinct().count())
        .isGreaterThan(slots / 4);
  }

  @Test
  void a_string_has_another_fingerprint_in_each_set() {
    Fingerprints ids = new Fingerprints();
    assertThat(ids.of("call-1")).isEqualTo(ids.of("call-1"));
    assertThat(ids.of("call-1")).isNotEqualTo(new Fingerprints().of("call-1"));
  }

  @Test
  void strings_that_differ_in_zeros_or_length_only_have_different_fingerprints() {
    Fingerprints ids = new Fingerprints();
    assertThat(IntStream.range(0, 12).mapToObj("\0"::repeat).map(ids::of)).doesNotHaveDuplicates();
  }

  /** FNV-1a, which needs no key, so that anyone can find strings that collide. */
  private static long unkeyed(String text) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
    }
    hash = (hash ^ hash >>> 32) * 0x9e3779b97f4a7c15L;
    return hash ^ hash >>> 29;
  }
}

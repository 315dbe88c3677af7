package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;

/** Differential: fingerprints against a set. */
class FingerprintsTest {

  @Property
  void idsWithinTheBoundAreFoundLikeInASet(@ForAll @Size(max = 400) List<String> texts) {
    Fingerprints ids = new Fingerprints();
    Set<String> seen = new HashSet<>();
    for (String text : texts) {
      assertThat(ids.add(text)).isEqualTo(!seen.add(text));
    }
  }
}

package dev.agentreplay.engine.accept;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.testkit.TestFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;

/** Any two sessions are identical if all of their divergences are accepted, and only then. */
class AcceptancePropertiesTest {

  private Path folder;

  @BeforeProperty
  void create() throws IOException {
    folder = Files.createTempDirectory("accepted");
  }

  @AfterProperty
  void delete() throws IOException {
    TestFiles.delete(folder);
  }

  private static TestPair session(Random random, int ids) {
    TestPair pair = TestPair.ids(ids);
    int calls = 1 + random.nextInt(12);
    for (int i = 0; i < calls; i++) {
      Object output = random.nextBoolean()
          ? List.of(random.nextInt(3), "x" + random.nextInt(3))
          : Map.of("a", random.nextInt(3), "b", List.of(random.nextInt(2)));
      pair.call("t" + random.nextInt(3), Map.of("n", random.nextInt(2)), output);
    }
    return pair;
  }

  @Property(tries = 200)
  @Tag("slow")
  void all_accepted_is_identical_and_a_strict_subset_is_not(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    Session left = session(random, 0).write(folder.resolve("left"));
    Session right = session(random, 100).write(folder.resolve("right"));
    SessionDiff plain = SessionDiff.between(left, right);
    List<Divergence> relevant = plain.divergences().stream()
        .filter(divergence -> divergence.severity() != DivergenceSeverity.NONE)
        .toList();
    Set<ContentHash> all =
        relevant.stream().map(Divergence::fingerprint).collect(Collectors.toSet());
    assertThat(all).as("one for each").hasSize(relevant.size());

    SessionDiff accepted =
        SessionDiff.between(left, right, DiffOptions.defaults().accepting(all));
    assertThat(accepted.isIdentical()).isTrue();
    assertThat(accepted.passes()).isTrue();
    assertThat(accepted.accepted()).isEqualTo(all);
    assertThat(accepted.notFound()).isEmpty();
    assertThat(accepted.first()).isNull();
    assertThat(accepted.summary().steps().left())
        .isEqualTo(plain.summary().steps().left());

    if (!all.isEmpty()) {
      Set<ContentHash> some = new HashSet<>(all);
      some.removeIf(each -> random.nextBoolean());
      some.remove(relevant.get(random.nextInt(relevant.size())).fingerprint());
      SessionDiff partly =
          SessionDiff.between(left, right, DiffOptions.defaults().accepting(some));
      assertThat(partly.isIdentical()).isFalse();
      assertThat(partly.passes()).isFalse();
      assertThat(partly.accepted()).isEqualTo(some);
      assertThat(partly.divergences())
          .extracting(Divergence::fingerprint)
          .containsExactlyElementsOf(
              plain.divergences().stream().map(Divergence::fingerprint).toList());
      assertThat(partly.divergences())
          .filteredOn(divergence -> divergence.accepted() != null)
          .allMatch(divergence -> divergence.severity() == DivergenceSeverity.NONE)
          .hasSameSizeAs(some);
    }
  }

  @Property(tries = 50)
  void fingerprints_do_not_depend_on_what_was_accepted_or_listed(@ForAll long seed)
      throws IOException {
    Random random = new Random(seed);
    Session left = session(random, 0).write(folder.resolve("left"));
    Session right = session(random, 100).write(folder.resolve("right"));
    Set<ContentHash> all = SessionDiff.between(left, right).divergences().stream()
        .map(Divergence::fingerprint)
        .collect(Collectors.toSet());

    SessionDiff unlisted = SessionDiff.between(
        left, right, DiffOptions.defaults().withMaxDivergences(0).accepting(all));

    assertThat(unlisted.isIdentical()).isTrue();
    assertThat(unlisted.accepted()).isEqualTo(all);
  }
}

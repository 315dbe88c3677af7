package dev.agentreplay.canonical.tree;

import static dev.agentreplay.canonical.tree.TreeFixture.MOST_LINES;
import static dev.agentreplay.canonical.tree.TreeFixture.RFC;
import static dev.agentreplay.canonical.tree.TreeFixture.flipped;
import static dev.agentreplay.canonical.tree.TreeFixture.head;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.TreeHead;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConsistencyProofTest {

  /** Trees in which every alteration is tried. */
  private static final int ALTERED_LINES = 40;

  @Test
  void proof_of_all_pairs_of_sizes_is_that_of_the_definition_and_holds() {
    for (int second = 1; second <= MOST_LINES; second++) {
      for (int first = 1; first <= second; first++) {
        GrowthProof proof = TreeFixture.growthProof(first, second);
        assertThat(proof.path()).isEqualTo(RFC.proof(first, second));
        assertThat(proof.first()).isEqualTo(head(first));
        assertThat(proof.second()).isEqualTo(head(second));
        assertThat(proof.holds()).isTrue();
      }
    }
  }

  @Test
  void every_tree_grew_out_of_the_empty_one() {
    for (int second = 0; second <= ALTERED_LINES; second++) {
      GrowthProof proof = TreeFixture.growthProof(0, second);
      assertThat(proof).isEqualTo(new GrowthProof(head(0), head(second), List.of()));
      assertThat(proof.holds()).isTrue();
    }
  }

  @Test
  void empty_tree_with_another_root_is_refused() {
    TreeHead other = new TreeHead(0, flipped(head(0).root()));
    assertThat(new ConsistencyProof(0, 5, List.of()).isProofOf(other, head(5))).isFalse();
    assertThat(new ConsistencyProof(0, 0, List.of()).isProofOf(other, other)).isFalse();
  }

  @Test
  void path_that_was_altered_is_refused() {
    forEachProof((first, second, path) -> {
      for (List<ContentHash> altered : TreeFixture.altered(path)) {
        assertThat(
                new ConsistencyProof(first, second, altered).isProofOf(head(first), head(second)))
            .isFalse();
      }
    });
  }

  @Test
  void proof_of_other_sizes_or_roots_is_refused() {
    forEachProof((first, second, path) -> {
      ConsistencyProof proof = new ConsistencyProof(first, second, path);
      TreeHead older = head(first);
      TreeHead newer = head(second);
      for (int other = 0; other <= ALTERED_LINES; other++) {
        if (other != first) {
          ConsistencyProof altered = new ConsistencyProof(other, second, path);
          assertThat(altered.isProofOf(older, newer)).isFalse();
          assertThat(altered.isProofOf(new TreeHead(other, older.root()), newer))
              .isFalse();
          assertThat(proof.isProofOf(head(other), newer)).isFalse();
        }
        if (other != second) {
          assertThat(new ConsistencyProof(first, other, path).isProofOf(older, newer))
              .isFalse();
          assertThat(proof.isProofOf(older, head(other))).isFalse();
        }
      }
      assertThat(proof.isProofOf(new TreeHead(first, flipped(older.root())), newer))
          .isFalse();
      if (first > 0) {
        assertThat(proof.isProofOf(older, new TreeHead(second, flipped(newer.root()))))
            .isFalse();
      }
    });
  }

  @ParameterizedTest
  @CsvSource({
    "2,1",
    "-1,1",
    "-1,-1",
    "1,-1",
    "9223372036854775807,1",
    "-9223372036854775808,9223372036854775807"
  })
  void sizes_that_no_log_has_are_refused(long first, long second) {
    for (List<ContentHash> path : TreeFixture.altered(RFC.proof(5, 13))) {
      assertThat(new ConsistencyProof(first, second, path)
              .isProofOf(
                  new TreeHead(first, head(1).root()),
                  new TreeHead(second, head(1).root())))
          .isFalse();
    }
  }

  @Test
  void log_whose_past_was_changed_is_not_proved_by_any_path_of_it() {
    for (int second = 2; second <= ALTERED_LINES; second++) {
      List<byte[]> changed = new ArrayList<>(TreeFixture.LINES.subList(0, second));
      changed.set(0, new byte[] {'x'});
      Rfc6962 other = new Rfc6962(changed);
      for (int first = 1; first < second; first++) {
        assertThat(new ConsistencyProof(first, second, other.proof(first, second))
                .isProofOf(head(first), new TreeHead(second, other.mth(0, second))))
            .isFalse();
      }
    }
  }

  private interface ProofAction {
    void accept(int first, int second, List<ContentHash> path);
  }

  private static void forEachProof(ProofAction action) {
    for (int second = 1; second <= ALTERED_LINES; second++) {
      action.accept(0, second, List.of());
      for (int first = 1; first <= second; first++) {
        action.accept(first, second, RFC.proof(first, second));
      }
    }
  }
}

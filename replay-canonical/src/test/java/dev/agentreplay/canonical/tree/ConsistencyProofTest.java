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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConsistencyProofTest {

  /** Trees in which every alteration is tried. */
  private static final int ALTERED_LINES = 40;

  @Test
  @Tag("slow")
  void proof_of_all_pairs_of_sizes_is_that_of_the_definition_and_holds() {
    for (int second = 1; second <= MOST_LINES; second++) {
      for (int first = 1; first <= second; first++) {
        ConsistencyProof proof = TreeFixture.consistencyProof(first, second);
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
      ConsistencyProof proof = TreeFixture.consistencyProof(0, second);
      assertThat(proof).isEqualTo(new ConsistencyProof(head(0), head(second), List.of()));
      assertThat(proof.holds()).isTrue();
    }
  }

  @Test
  void empty_tree_with_another_root_is_refused() {
    TreeHead other = new TreeHead(0, flipped(head(0).root()));
    assertThat(new ConsistencyProof(other, head(5), List.of()).holds()).isFalse();
    assertThat(new ConsistencyProof(other, other, List.of()).holds()).isFalse();
  }

  @Test
  void path_that_was_altered_is_refused() {
    forEachProof((first, second, path) -> {
      for (List<ContentHash> altered : TreeFixture.altered(path)) {
        assertThat(new ConsistencyProof(head(first), head(second), altered).holds())
            .isFalse();
      }
    });
  }

  @Test
  void proof_of_other_sizes_or_roots_is_refused() {
    forEachProof((first, second, path) -> {
      TreeHead older = head(first);
      TreeHead newer = head(second);
      for (int other = 0; other <= ALTERED_LINES; other++) {
        if (other != first) {
          TreeHead resized = new TreeHead(other, older.root());
          assertThat(new ConsistencyProof(resized, newer, path).holds()).isFalse();
          assertThat(new ConsistencyProof(head(other), newer, path).holds())
              .isEqualTo(isGenuine(other, second, path));
        }
        if (other != second && !isGenuine(first, other, path)) {
          assertThat(new ConsistencyProof(older, head(other), path).holds()).isFalse();
        }
      }
      assertThat(
              new ConsistencyProof(new TreeHead(first, flipped(older.root())), newer, path).holds())
          .isFalse();
      if (first > 0) {
        TreeHead changed = new TreeHead(second, flipped(newer.root()));
        assertThat(new ConsistencyProof(older, changed, path).holds()).isFalse();
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
      TreeHead older = new TreeHead(first, head(1).root());
      TreeHead newer = new TreeHead(second, head(1).root());
      assertThat(new ConsistencyProof(older, newer, path).holds()).isFalse();
    }
  }

  @Test
  void log_whose_past_was_changed_is_not_proved_by_any_path_of_it() {
    for (int second = 2; second <= ALTERED_LINES; second++) {
      List<byte[]> changed = new ArrayList<>(TreeFixture.LINES.subList(0, second));
      changed.set(0, new byte[] {'x'});
      Rfc6962 other = new Rfc6962(changed);
      for (int first = 1; first < second; first++) {
        TreeHead newer = new TreeHead(second, other.mth(0, second));
        assertThat(new ConsistencyProof(head(first), newer, other.proof(first, second)).holds())
            .isFalse();
      }
    }
  }

  private static boolean isGenuine(int first, int second, List<ContentHash> path) {
    return first <= second && path.equals(first == 0 ? List.of() : RFC.proof(first, second));
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

package dev.agentreplay.canonical.tree;

import static dev.agentreplay.canonical.tree.TreeFixture.LINES;
import static dev.agentreplay.canonical.tree.TreeFixture.MOST_LINES;
import static dev.agentreplay.canonical.tree.TreeFixture.RFC;
import static dev.agentreplay.canonical.tree.TreeFixture.head;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.TreeHead;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InclusionProofTest {

  /** Trees in which every alteration is tried. */
  private static final int ALTERED_LINES = 40;

  @Test
  @Tag("slow")
  void proof_of_every_line_in_every_size_is_that_of_the_definition_and_holds() {
    for (int size = 1; size <= MOST_LINES; size++) {
      for (int index = 0; index < size; index++) {
        InclusionProof proof = TreeFixture.inclusionProof(index + 1, size);
        assertThat(proof.path()).isEqualTo(RFC.path(index, size));
        assertThat(proof.tree()).isEqualTo(head(size));
        assertThat(proof.holds()).isTrue();
      }
    }
  }

  @Test
  void path_that_was_altered_is_refused() {
    forEachProof((index, size, path) -> {
      for (List<ContentHash> altered : TreeFixture.altered(path)) {
        assertThat(proof(index, LINES.get(index), head(size), altered).holds()).isFalse();
      }
    });
  }

  @Test
  void proof_of_another_index_size_leaf_or_root_is_refused() {
    forEachProof((index, size, path) -> {
      byte[] line = LINES.get(index);
      TreeHead head = head(size);
      for (int other = 0; other <= ALTERED_LINES; other++) {
        if (other != index) {
          assertThat(proof(other, line, head, path).holds()).isFalse();
          assertThat(proof(index, LINES.get(other), head, path).holds()).isFalse();
        }
        if (other != size) {
          assertThat(proof(index, line, head(other), path).holds()).isFalse();
          assertThat(proof(index, line, new TreeHead(size, head(other).root()), path)
                  .holds())
              .isFalse();
        }
      }
      TreeHead flipped = new TreeHead(size, TreeFixture.flipped(head.root()));
      assertThat(proof(index, line, flipped, path).holds()).isFalse();
    });
  }

  @ParameterizedTest
  @CsvSource({
    "-1,1",
    "1,1",
    "0,0",
    "0,-1",
    "-1,-1",
    "9223372036854775807,9223372036854775807",
    "-9223372036854775808,9223372036854775807",
    "9223372036854775807,-9223372036854775808"
  })
  void leaf_that_the_tree_cannot_have_is_refused(long index, long size) {
    for (List<ContentHash> path : TreeFixture.altered(RFC.path(5, 13))) {
      assertThat(AuditPath.root(index, size, head(1).root(), path)).isNull();
      TreeHead head = new TreeHead(size, head(1).root());
      assertThat(proof(index, LINES.get(0), head, path).holds()).isFalse();
    }
  }

  @Test
  void last_leaf_of_the_largest_tree_is_proved_by_as_many_hashes_as_its_edge_has() {
    List<ContentHash> edge =
        LINES.subList(0, 62).stream().map(MerkleTree::leafHash).toList();
    MerkleTree tree = MerkleTree.of(Long.MAX_VALUE - 1, edge);
    tree.add(LINES.get(70));
    List<ContentHash> deepestFirst = new ArrayList<>(edge);
    Collections.reverse(deepestFirst);
    assertThat(
            proof(Long.MAX_VALUE - 1, LINES.get(70), tree.head(), deepestFirst).holds())
        .isTrue();
  }

  private static InclusionProof proof(
      long index, byte[] line, TreeHead head, List<ContentHash> path) {
    return new InclusionProof(index + 1, new String(line, UTF_8), head, path);
  }

  private interface ProofAction {
    void accept(int index, int size, List<ContentHash> path);
  }

  private static void forEachProof(ProofAction action) {
    for (int size = 1; size <= ALTERED_LINES; size++) {
      for (int index = 0; index < size; index++) {
        action.accept(index, size, RFC.path(index, size));
      }
    }
  }
}

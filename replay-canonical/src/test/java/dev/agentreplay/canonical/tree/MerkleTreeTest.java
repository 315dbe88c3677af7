package dev.agentreplay.canonical.tree;

import static dev.agentreplay.canonical.tree.TreeFixture.LINES;
import static dev.agentreplay.canonical.tree.TreeFixture.RFC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.management.ThreadMXBean;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.TreeHead;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MerkleTreeTest {

  /** The leaves that the tests of Certificate Transparency logs use. */
  private static final List<byte[]> KNOWN_LEAVES = Stream.of(
          "",
          "00",
          "10",
          "2021",
          "3031",
          "40414243",
          "5051525354555657",
          "606162636465666768696a6b6c6d6e6f")
      .map(HexFormat.of()::parseHex)
      .toList();

  @ParameterizedTest
  @CsvSource({
    "0,e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "1,6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "2,fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "3,aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "4,d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "5,4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "6,76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "7,ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "8,5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"
  })
  void root_of_the_known_leaves_is_the_known_root(int size, String root) {
    assertThat(treeOf(KNOWN_LEAVES.subList(0, size)).head())
        .isEqualTo(new TreeHead(size, ContentHash.parse("sha256:" + root)));
  }

  @Test
  void root_of_every_size_is_that_of_the_definition() {
    MerkleTree tree = new MerkleTree();
    for (int size = 0; size <= LINES.size(); size++) {
      assertThat(tree.head()).isEqualTo(TreeFixture.head(size));
      if (size < LINES.size()) {
        tree.add(LINES.get(size));
      }
    }
  }

  @Test
  void leaf_is_added_by_its_line_by_a_part_of_an_array_or_by_its_hash() {
    MerkleTree byLine = new MerkleTree();
    MerkleTree byPart = new MerkleTree();
    MerkleTree byHash = new MerkleTree();
    for (byte[] line : LINES) {
      byte[] longer = new byte[line.length + 5];
      System.arraycopy(line, 0, longer, 3, line.length);
      byLine.add(line);
      byPart.add(longer, 3, line.length);
      byHash.addLeafHash(MerkleTree.leafHash(line));
    }
    assertThat(byPart.head()).isEqualTo(byLine.head());
    assertThat(byHash.head()).isEqualTo(byLine.head());
  }

  @Test
  void edge_is_of_the_perfect_subtrees_the_largest_first() {
    assertThat(treeOf(LINES.subList(0, 13)).edge())
        .containsExactly(RFC.mth(0, 8), RFC.mth(8, 12), RFC.mth(12, 13));
    assertThat(new MerkleTree().edge()).isEmpty();
  }

  @Test
  void tree_of_an_edge_and_a_copy_grow_as_the_tree_does() {
    for (int size = 0; size <= 70; size++) {
      MerkleTree tree = treeOf(LINES.subList(0, size));
      MerkleTree ofEdge = MerkleTree.of(tree.size(), tree.edge());
      MerkleTree copy = tree.copy();
      TreeHead before = tree.head();
      for (byte[] line : LINES.subList(size, size + 40)) {
        tree.add(line);
        ofEdge.add(line);
        assertThat(ofEdge.head()).isEqualTo(tree.head());
        assertThat(ofEdge.edge()).isEqualTo(tree.edge());
      }
      assertThat(copy.head()).isEqualTo(before);
    }
  }

  @ParameterizedTest
  @CsvSource({"0,1", "1,0", "1,2", "13,2", "13,4"})
  void edge_that_does_not_fit_the_size_is_refused(long size, int hashes) {
    List<ContentHash> edge = Collections.nCopies(hashes, MerkleTree.leafHash(new byte[0]));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MerkleTree.of(size, edge))
        .withMessage("the edge of a tree of %d leaves must have %d hashes, found %d"
            .formatted(size, Long.bitCount(size), hashes));
  }

  @Test
  void negative_size_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MerkleTree.of(-1, List.of()))
        .withMessage("the size of a tree must not be negative: -1");
  }

  @Test
  void largest_tree_cannot_grow_and_stays_as_it_is() {
    MerkleTree tree =
        MerkleTree.of(Long.MAX_VALUE, Collections.nCopies(63, MerkleTree.leafHash(new byte[0])));
    TreeHead head = tree.head();
    assertThatExceptionOfType(ArithmeticException.class).isThrownBy(() -> tree.add(new byte[0]));
    assertThat(tree.head()).isEqualTo(head);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 3})
  void range_beyond_the_array_is_refused_and_leaves_the_tree_unchanged(int from) {
    MerkleTree tree = treeOf(LINES.subList(0, 5));
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> tree.add(new byte[4], from, 2));
    tree.add(LINES.get(5));
    assertThat(tree.head()).isEqualTo(treeOf(LINES.subList(0, 6)).head());
  }

  @Test
  void adding_a_line_allocates_nothing() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    byte[] line = new byte[300];
    MerkleTree tree = new MerkleTree();
    List<Long> allocated = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 2_000; i++) {
        tree.add(line, 0, line.length);
      }
      allocated.add(threads.getCurrentThreadAllocatedBytes() - before);
    }
    assertThat(allocated.get(2) / 2_000).isZero();
  }

  private static MerkleTree treeOf(List<byte[]> lines) {
    MerkleTree tree = new MerkleTree();
    lines.forEach(tree::add);
    return tree;
  }
}

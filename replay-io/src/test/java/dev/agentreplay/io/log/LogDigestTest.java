package dev.agentreplay.io.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.tree.MerkleTree;
import dev.agentreplay.model.ContentHash;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class LogDigestTest {

  @Property(tries = 300)
  @Tag("slow")
  void it_is_the_hash_of_the_bytes_however_they_come(
      @ForAll @Size(max = 30) List<@IntRange(max = 200_000) Integer> lengths, @ForAll long seed) {
    Random random = new Random(seed);
    LogDigest hash = new LogDigest(false);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int length : lengths) {
      byte[] bytes = new byte[length + 2];
      random.nextBytes(bytes);
      hash.write(bytes, 1, length);
      all.write(bytes, 1, length);
      switch (random.nextInt(4)) {
        case 0 -> hash.catchUp();
        case 2 -> hash.passOn();
        case 1 -> assertThat(hash.toHash()).isEqualTo(ContentHash.sha256(all.toByteArray()));
        default -> {
          // neither
        }
      }
    }
    assertThat(hash.toHash()).isEqualTo(ContentHash.sha256(all.toByteArray()));
  }

  @Property(tries = 100)
  void its_tree_is_that_of_the_lines_however_they_come(
      @ForAll @Size(max = 60) List<@IntRange(max = 200_000) Integer> lengths, @ForAll long seed) {
    Random random = new Random(seed);
    LogDigest digest = new LogDigest(true);
    MerkleTree tree = new MerkleTree();
    for (int length : lengths) {
      byte[] line = new byte[length + 1];
      random.nextBytes(line);
      line[length] = '\n';
      boolean hasLineFeed = length == 0 || random.nextInt(8) > 0; // all but perhaps the last
      digest.write(line, 0, hasLineFeed ? length + 1 : length);
      boolean isCut = !hasLineFeed && line[length - 1] == '\n';
      tree.add(line, 0, isCut ? length - 1 : length);
      switch (random.nextInt(4)) {
        case 0 -> digest.catchUp();
        case 2 -> digest.passOn();
        case 1 -> assertThat(digest.toTree()).isEqualTo(tree.head());
        default -> {
          // neither
        }
      }
    }
    assertThat(digest.toTree()).isEqualTo(tree.head());
  }

  @Test
  void batches_are_hashed_in_their_order_by_whichever_thread() throws InterruptedException {
    LogDigest hash = new LogDigest(false);
    AtomicBoolean done = new AtomicBoolean();
    Thread helper = new Thread(() -> {
      while (!done.get()) {
        hash.catchUp();
      }
    });
    helper.start();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    Random random = new Random(7);
    for (int i = 0; i < 2_000; i++) {
      byte[] bytes = new byte[random.nextInt(5_000)];
      random.nextBytes(bytes);
      hash.write(bytes, 0, bytes.length);
      all.write(bytes, 0, bytes.length);
    }
    done.set(true);
    helper.join();
    assertThat(hash.toHash()).isEqualTo(ContentHash.sha256(all.toByteArray()));
  }
}

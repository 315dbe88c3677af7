package dev.agentreplay.canonical.tree;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.TreeHead;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/** 300 lines, what RFC 6962 defines over them, and paths that are not as they should be. */
final class TreeFixture {

  static final int MOST_LINES = Math.min(300, 130 * Integer.getInteger("replay.effort", 1));

  static final List<byte[]> LINES = IntStream.range(0, MOST_LINES)
      .mapToObj(i -> ("{\"event\":\"line é %d\"}".formatted(i)).getBytes(UTF_8))
      .toList();

  static final Rfc6962 RFC = new Rfc6962(LINES);

  private TreeFixture() {}

  static TreeHead head(int size) {
    return new TreeHead(size, RFC.mth(0, size));
  }

  static InclusionProof inclusionProof(int line, int size) {
    InclusionProof.Builder builder = InclusionProof.builder(line, size);
    LINES.subList(0, size).forEach(builder::add);
    return builder.build();
  }

  static ConsistencyProof consistencyProof(int first, int second) {
    ConsistencyProof.Builder builder = ConsistencyProof.builder(first, second);
    LINES.subList(0, second).forEach(builder::add);
    return builder.build();
  }

  /** The hash with one bit changed. */
  static ContentHash flipped(ContentHash hash) {
    String hex = hash.hex();
    int last = Character.digit(hex.charAt(63), 16) ^ 1;
    return ContentHash.parse("sha256:" + hex.substring(0, 63) + Character.forDigit(last, 16));
  }

  /** All paths with one element changed, dropped, doubled, added or replaced by a different one. */
  static List<List<ContentHash>> altered(List<ContentHash> path) {
    List<List<ContentHash>> altered = new ArrayList<>();
    for (int i = 0; i <= path.size(); i++) {
      List<ContentHash> longer = new ArrayList<>(path);
      longer.add(i, i < path.size() ? path.get(i) : head(1).root());
      altered.add(longer);
      if (i == path.size()) {
        break;
      }
      List<ContentHash> changed = new ArrayList<>(path);
      changed.set(i, flipped(path.get(i)));
      altered.add(changed);
      List<ContentHash> shorter = new ArrayList<>(path);
      shorter.remove(i);
      altered.add(shorter);
      for (int j = 0; j < i; j++) {
        List<ContentHash> exchanged = new ArrayList<>(path);
        Collections.swap(exchanged, i, j);
        altered.add(exchanged);
      }
    }
    if (!path.isEmpty()) {
      altered.add(List.of());
    }
    altered.add(Collections.nCopies(1_000, head(1).root()));
    return altered;
  }
}

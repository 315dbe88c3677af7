package dev.agentreplay.canonical.tree;

import dev.agentreplay.model.ContentHash;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Computes the path of a proof in one pass over the lines. It keeps one hash for each element of
 * the path rather than for each line: every element is the root over a range of lines, and the
 * ranges together cover all lines. Not safe for use by several threads.
 */
final class PathBuilder {

  /** A range of lines, counted from 0; the end is exclusive. */
  private record Range(long from, long to) {}

  private final long size;

  /** The range that the proof starts from, then those of the path, the deepest first. */
  private final List<Range> ranges;

  private final List<Range> asTheyLie;
  private final Map<Range, ContentHash> hashes = new HashMap<>();
  private MerkleTree open = new MerkleTree();
  private long added;

  private PathBuilder(long size, Deque<Range> ranges) {
    this.size = size;
    this.ranges = List.copyOf(ranges);
    asTheyLie = new ArrayList<>(ranges);
    asTheyLie.sort(Comparator.comparingLong(Range::from));
    if (size == 0) {
      close(asTheyLie.get(0));
    }
  }

  /** Builds the path of one leaf: PATH(m, D[n]) of RFC 6962, section 2.1.1. */
  static PathBuilder ofLeaf(long index, long size) {
    Objects.checkIndex(index, size);
    Deque<Range> ranges = new ArrayDeque<>();
    Range rest = new Range(0, size);
    while (rest.to - rest.from > 1) {
      rest = descend(rest, index, ranges);
    }
    ranges.addFirst(rest);
    return new PathBuilder(size, ranges);
  }

  /**
   * Builds the path of a consistency proof: PROOF(m, D[n]) of RFC 6962, section 2.1.2. Starts from
   * the largest perfect subtree at the right edge of the older tree, or from the whole newer tree
   * if the older one is empty.
   */
  static PathBuilder ofOlderTree(long first, long second) {
    Objects.checkFromToIndex(0, first, second);
    Deque<Range> ranges = new ArrayDeque<>();
    Range rest = new Range(0, second);
    while (first > 0 && rest.to != first) {
      rest = descend(rest, first - 1, ranges);
    }
    ranges.addFirst(rest);
    return new PathBuilder(second, ranges);
  }

  /** The child of a node that contains a leaf; the other child becomes an element of the path. */
  private static Range descend(Range node, long leaf, Deque<Range> path) {
    long middle = node.from + Long.highestOneBit(node.to - node.from - 1);
    Range left = new Range(node.from, middle);
    Range right = new Range(middle, node.to);
    path.addFirst(leaf < middle ? right : left);
    return leaf < middle ? left : right;
  }

  /**
   * Adds the next line.
   *
   * @throws IllegalStateException if all lines have already been added
   */
  void add(byte[] bytes, int from, int length) {
    if (isComplete()) {
      throw new IllegalStateException("all %d lines have already been added".formatted(size));
    }
    open.add(bytes, from, length);
    added++;
    Range range = asTheyLie.get(hashes.size());
    if (added == range.to) {
      close(range);
    }
  }

  private void close(Range range) {
    hashes.put(range, open.head().root());
    open = new MerkleTree();
  }

  /** The number of lines added. */
  long added() {
    return added;
  }

  /** Whether all lines have been added. */
  boolean isComplete() {
    return added == size;
  }

  /**
   * The hash that the proof starts from, then those of its path.
   *
   * @throws IllegalStateException if not all lines have been added
   */
  List<ContentHash> hashes() {
    if (!isComplete()) {
      throw new IllegalStateException("only %d of %d lines have been added".formatted(added, size));
    }
    return ranges.stream().map(hashes::get).map(Objects::requireNonNull).toList();
  }
}

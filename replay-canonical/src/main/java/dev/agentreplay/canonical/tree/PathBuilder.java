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
 * Makes the path of a proof in one pass over the lines, with a hash for each of its elements and
 * not for each line: every element is the root over a range of lines, and the ranges together are
 * all lines. Not safe for use by several threads.
 */
final class PathBuilder {

  /** The lines from one, counted from 0, to another, which does not belong to it. */
  private record Range(long from, long to) {}

  private final long size;

  /** The range that the proof starts at, then those of the path, the deepest first. */
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

  /** Starts at one leaf: PATH(m, D[n]) of RFC 6962, section 2.1.1. */
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
   * Starts at the largest perfect subtree at the right edge of the older tree, or where that is
   * empty at the whole newer tree: PROOF(m, D[n]) of RFC 6962, section 2.1.2.
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

  /** The child of a node that has a leaf; the other one is an element of the path. */
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
   * @throws IllegalStateException if all lines were added
   */
  void add(byte[] bytes, int from, int length) {
    if (isComplete()) {
      throw new IllegalStateException("all %d lines were added".formatted(size));
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

  /** How many lines were added. */
  long added() {
    return added;
  }

  /** Whether all lines were added. */
  boolean isComplete() {
    return added == size;
  }

  /** The hashes: what the proof starts at, then its path. */
  List<ContentHash> hashes() {
    if (!isComplete()) {
      throw new IllegalStateException("%d of %d lines were added".formatted(added, size));
    }
    return ranges.stream().map(hashes::get).map(Objects::requireNonNull).toList();
  }
}

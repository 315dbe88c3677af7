package dev.agentreplay.canonical;

import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The names of the first members of an object, in order; a node of a tree that begins with no
 * names. The objects of a log repeat a few sequences of names: a parser that follows the tree
 * recognizes the next name by comparing bytes with those of the name that came next last time, and
 * objects with the same names share the array of them. Not safe for use by several threads.
 */
final class ObjectShape {

  /** The maximum number of nodes of a tree; further names are not in it. */
  static final int MAX_NODES = 1 << 10;

  /** The maximum number of names that follow the same names. */
  private static final int MAX_CHILDREN = 16;

  /** The maximum length of a name, so that a tree is small. */
  private static final int MAX_NAME = 64;

  /** The maximum length of a name that is recognized by its bytes, with quotes and colon. */
  private static final int MAX_BYTES = 3 * Long.BYTES;

  /** The maximum number of names whose array is kept. */
  private static final int MAX_SHARED = 64;

  private static final VarHandle LONG = JsonScanner.LONG;

  /** The number of nodes of the tree, in an array that they share. */
  private final int[] nodes;

  private final @Nullable ObjectShape before;
  private final String name;
  private final int size;

  /** Whether each name is greater than the one before it. */
  final boolean ascends;

  /** The length of the last name with its quotes and the colon; too large to match if longer. */
  private final int length;

  /** The length of the words in which the name is compared. */
  private final int compared;

  /** The bytes of the last name with its quotes and the colon, and the masks to select them. */
  private final long first;

  private final long second;
  private final long third;
  private final long firstMask;
  private final long secondMask;
  private final long thirdMask;

  private final Map<String, ObjectShape> children = new HashMap<>(4);

  /** The shape with the name that came next last, and with the one before if it was different. */
  private @Nullable ObjectShape likely;

  private @Nullable ObjectShape likelyBefore;
  private String @Nullable [] names;

  private ObjectShape(@Nullable ObjectShape before, String name, int[] nodes) {
    this.nodes = nodes;
    this.before = before;
    this.name = name;
    this.size = before == null ? 0 : before.size + 1;
    this.ascends =
        before == null || (before.ascends && (before.size == 0 || before.name.compareTo(name) < 0));
    byte[] text = ("\"" + name + "\":").getBytes(StandardCharsets.US_ASCII);
    this.length = text.length <= MAX_BYTES ? text.length : Integer.MAX_VALUE;
    this.compared = (Math.min(text.length, MAX_BYTES) + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
    byte[] padded = Arrays.copyOf(text, MAX_BYTES);
    this.first = (long) LONG.get(padded, 0);
    this.second = (long) LONG.get(padded, Long.BYTES);
    this.third = (long) LONG.get(padded, 2 * Long.BYTES);
    this.firstMask = mask(text.length);
    this.secondMask = mask(text.length - Long.BYTES);
    this.thirdMask = mask(text.length - 2 * Long.BYTES);
    nodes[0]++;
  }

  /** A mask of the first bytes of a word. */
  private static long mask(int bytes) {
    return bytes >= Long.BYTES ? -1 : bytes <= 0 ? 0 : (1L << (bytes * Byte.SIZE)) - 1;
  }

  /** Creates the root of a tree. */
  static ObjectShape root() {
    return new ObjectShape(null, "", new int[1]);
  }

  /**
   * The shape with one of the two names that are likely next, if its bytes, with quotes and colon,
   * are at this index; null otherwise.
   */
  @Nullable
  ObjectShape likely(byte[] bytes, int at, int to) {
    ObjectShape next = likely;
    if (next == null || next.isNameAt(bytes, at, to)) {
      return next;
    }
    ObjectShape other = likelyBefore;
    return other != null && other.isNameAt(bytes, at, to) ? other : null;
  }

  /** Whether the bytes of the last name, with quotes and colon, are at this index. */
  private boolean isNameAt(byte[] bytes, int at, int to) {
    return length <= to - at
        && at + compared <= bytes.length
        && (((long) LONG.get(bytes, at) ^ first) & firstMask) == 0
        && (compared <= Long.BYTES
            || (((long) LONG.get(bytes, at + Long.BYTES) ^ second) & secondMask) == 0)
        && (compared < MAX_BYTES
            || (((long) LONG.get(bytes, at + 2 * Long.BYTES) ^ third) & thirdMask) == 0);
  }

  /** The shape with one more name, of ASCII characters; null if the tree has no room for it. */
  @Nullable
  ObjectShape with(String next) {
    ObjectShape child = children.get(next);
    if (child == null
        && nodes[0] < MAX_NODES
        && children.size() < MAX_CHILDREN
        && next.length() <= MAX_NAME) {
      child = new ObjectShape(this, next, nodes);
      children.put(next, child);
    }
    if (child != null && child != likely) {
      likelyBefore = likely;
      likely = child;
    }
    return child;
  }

  /** The length of the last name with its quotes and the colon. */
  int length() {
    return length;
  }

  /** The names. The array is shared, unless it is long, and must not be modified. */
  String[] names() {
    String[] known = names;
    if (known == null) {
      known = new String[size];
      copyNames(known, 0);
      if (size <= MAX_SHARED) {
        names = known;
      }
    }
    return known;
  }

  /** Copies the names into an array. */
  void copyNames(@Nullable String[] target, int from) {
    for (ObjectShape shape = this; shape.before != null; shape = shape.before) {
      target[from + shape.size - 1] = shape.name;
    }
  }
}

package dev.agentreplay.canonical;

import java.util.Arrays;

/**
 * The objects of a text whose members are out of order, with the correct order of their members.
 *
 * <p>Objects may be nested in members of others. All are sorted in one copy, so that each byte is
 * moved once rather than once for each enclosing object.
 */
final class Rearrangement {

  private static final int INITIAL = 8;
  private static final int MAX_KEPT = 1 << 14;

  /**
   * For each object, the index of its opening brace in the high half and its number in the low
   * half.
   */
  private long[] begins = new long[INITIAL];

  private int[] ends = new int[INITIAL];
  private int[] firstMembers = new int[INITIAL];
  private int objects;

  /** For each member, its start and end; the members of an object are in their new order. */
  private int[] members = new int[2 * INITIAL];

  private int memberCount;

  /** Whether the objects were added in the order of their opening braces. */
  private boolean ascending = true;

  /**
   * The objects being copied. For each: the object, its next member, the end of the enclosing
   * range.
   */
  private int[] stack = new int[3 * INITIAL];

  void reset() {
    ascending = true;
    objects = 0;
    memberCount = 0;
  }

  /** Drops buffers that are too large to keep. */
  void release() {
    if (members.length > MAX_KEPT) {
      begins = new long[INITIAL];
      ends = new int[INITIAL];
      firstMembers = new int[INITIAL];
      members = new int[2 * INITIAL];
      stack = new int[3 * INITIAL];
    }
  }

  boolean isEmpty() {
    return objects == 0;
  }

  /**
   * Adds an object. Objects nested in it must be added before; its members are added next, in their
   * new order.
   *
   * @param begin the index of its opening brace
   * @param end the index of its closing brace
   */
  void addObject(int begin, int end) {
    if (objects == begins.length) {
      begins = Arrays.copyOf(begins, objects * 2);
      ends = Arrays.copyOf(ends, objects * 2);
      firstMembers = Arrays.copyOf(firstMembers, objects * 2);
    }
    ascending &= objects == 0 || begin > begin(objects - 1);
    begins[objects] = (long) begin << Integer.SIZE | objects;
    ends[objects] = end;
    firstMembers[objects] = memberCount;
    objects++;
  }

  /** Adds a member to the object that was added last. */
  void addMember(int from, int to) {
    if (memberCount * 2 == members.length) {
      members = Arrays.copyOf(members, members.length * 2);
    }
    members[memberCount * 2] = from;
    members[memberCount * 2 + 1] = to;
    memberCount++;
  }

  /** Copies a text in the new order. */
  void copy(byte[] text, int length, byte[] out) {
    if (!ascending) {
      Arrays.sort(begins, 0, objects);
    }
    int next = 0;
    int size = 0;
    int depth = 0;
    int from = 0;
    int to = length;
    while (true) {
      next = firstBehind(from, next);
      boolean inside = next < objects && begin(next) < to;
      int end = inside ? begin(next) + 1 : to;
      System.arraycopy(text, from, out, size, end - from);
      size += end - from;
      if (inside) {
        int object = (int) begins[next];
        push(depth++, object, firstMembers[object], to);
      }
      if (depth == 0) {
        return;
      }
      int top = (depth - 1) * 3;
      int object = stack[top];
      int member = stack[top + 1]++;
      if (member == endOfMembers(object)) {
        from = ends[object];
        to = stack[top + 2];
        depth--;
      } else {
        if (member > firstMembers[object]) {
          out[size++] = ',';
        }
        from = members[member * 2];
        to = members[member * 2 + 1];
      }
    }
  }

  private void push(int depth, int object, int member, int to) {
    if (depth * 3 == stack.length) {
      stack = Arrays.copyOf(stack, stack.length * 2);
    }
    stack[depth * 3] = object;
    stack[depth * 3 + 1] = member;
    stack[depth * 3 + 2] = to;
  }

  private int endOfMembers(int object) {
    return object + 1 < objects ? firstMembers[object + 1] : memberCount;
  }

  /**
   * The first object, in the order of the text, that begins at or after an index.
   *
   * @param near the guess to try first
   */
  private int firstBehind(int place, int near) {
    for (int i = near; i <= near + 1 && i <= objects; i++) {
      boolean behind = i == objects || begin(i) >= place;
      if (behind && (i == 0 || begin(i - 1) < place)) {
        return i;
      }
    }
    int found = Arrays.binarySearch(begins, 0, objects, (long) place << Integer.SIZE);
    return found < 0 ? -found - 1 : found;
  }

  private int begin(int index) {
    return (int) (begins[index] >>> Integer.SIZE);
  }
}

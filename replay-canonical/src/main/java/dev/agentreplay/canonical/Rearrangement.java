package dev.agentreplay.canonical;

import java.util.Arrays;

/**
 * The objects of a text whose members have another order than they should, and that order.
 *
 * <p>Objects may lie within members of others. All are put in order in one copy, so that a byte is
 * moved once, and not once for each object around it.
 */
final class Rearrangement {

  private static final int INITIAL = 8;
  private static final int MAX_KEPT = 1 << 14;

  /** Each object: where it begins, in the high half, and its number, in the low half. */
  private long[] begins = new long[INITIAL];

  private int[] ends = new int[INITIAL];
  private int[] firstMembers = new int[INITIAL];
  private int objects;

  /** Each member: where it begins and ends; those of an object stand in their new order. */
  private int[] members = new int[2 * INITIAL];

  private int memberCount;

  /** Whether the objects were added in the order in which they begin. */
  private boolean ascending = true;

  /** The objects being copied: the object, its next member, the end of what it is a part of. */
  private int[] stack = new int[3 * INITIAL];

  void reset() {
    ascending = true;
    objects = 0;
    memberCount = 0;
  }

  /** Lets go of what is too large to be kept. */
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
   * Adds an object, after those within it; its members follow, in their new order.
   *
   * @param begin where its opening brace stands
   * @param end where its closing brace stands
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
   * The first object, in the order of the text, that begins at a place or behind it.
   *
   * @param near where to look first
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

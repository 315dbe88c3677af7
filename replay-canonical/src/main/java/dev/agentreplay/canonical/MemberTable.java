package dev.agentreplay.canonical;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Where the members of the objects that are open stand in a copy of the text. */
final class MemberTable {

  /** More members of open objects do not fit into an array. */
  static final int MAX_MEMBERS = 1 << 28;

  /** Up to so many members are sorted by insertion. */
  private static final int MAX_INSERTED = 24;

  private static final int INITIAL_MEMBERS = 32;
  private static final int MAX_KEPT_MEMBERS = 1 << 14;

  /** The fields of a member: its name with quotes, the end of its value, the name in the text. */
  private static final int NAME_FROM = 0;

  private static final int NAME_TO = 1;
  private static final int VALUE_TO = 2;
  private static final int NAME_AT = 3;
  private static final int FIELDS = 4;

  private final KeyOrder order;
  private final Rearrangement rearrangement = new Rearrangement();

  private int[] table = new int[INITIAL_MEMBERS * FIELDS];

  /** Whether a name has escape sequences. */
  private boolean[] escaped = new boolean[INITIAL_MEMBERS];

  /** Whether the object that begins with a member is not sorted. */
  private boolean[] unsorted = new boolean[INITIAL_MEMBERS];

  private int[] sorted = new int[INITIAL_MEMBERS];
  private int size;
  private boolean portable;

  MemberTable(Canonicalization canonicalization) {
    this.order = KeyOrder.of(canonicalization);
  }

  void reset() {
    size = 0;
    portable = true;
    rearrangement.reset();
  }

  /** Lets go of what is too large to be kept. */
  void release() {
    rearrangement.release();
    if (unsorted.length > MAX_KEPT_MEMBERS) {
      resize(INITIAL_MEMBERS);
      sorted = new int[INITIAL_MEMBERS];
    }
  }

  /** The number of members of all open objects. */
  int size() {
    return size;
  }

  /** Whether every canonical form has all names in the same order. */
  boolean isPortable() {
    return portable;
  }

  /** The objects that are not sorted, of those that are closed. */
  Rearrangement rearrangement() {
    return rearrangement;
  }

  /**
   * Adds a member to the innermost object.
   *
   * @param first the first member of the object
   * @param nameFrom where its name begins in the copy, with its quotes
   * @param nameAt where its name begins in the text
   */
  void add(int first, byte[] copy, int nameFrom, int nameTo, boolean hasEscapes, int nameAt) {
    if (size == unsorted.length) {
      resize(size * 2);
    }
    int member = size++;
    set(member, NAME_FROM, nameFrom);
    set(member, NAME_TO, nameTo);
    set(member, NAME_AT, nameAt);
    escaped[member] = hasEscapes;
    unsorted[member] = false;
    if (member > first && compare(copy, member - 1, member) >= 0) {
      unsorted[first] = true;
    }
  }

  /** The value of the last member ends here. */
  void endValue(int valueTo) {
    set(size - 1, VALUE_TO, valueTo);
  }

  /**
   * Closes the innermost object.
   *
   * @param first its first member
   * @param end where its closing brace will stand in the copy
   * @return the first member that has the name of an earlier one, or -1
   */
  int close(int first, byte[] copy, int end) {
    if (unsorted[first]) {
      int count = size - first;
      sort(copy, first, count);
      int duplicate = firstDuplicate(copy, count);
      if (duplicate >= 0) {
        return duplicate;
      }
      rearrangement.addObject(get(first, NAME_FROM) - 1, end);
      for (int i = 0; i < count; i++) {
        rearrangement.addMember(get(sorted[i], NAME_FROM), get(sorted[i], VALUE_TO));
      }
    }
    size = first;
    return -1;
  }

  /** Where the name of a member begins in the text. */
  int nameAt(int member) {
    return get(member, NAME_AT);
  }

  /** The name of a member, as JSON. */
  String name(int member, byte[] copy) {
    int from = get(member, NAME_FROM);
    return new String(copy, from, get(member, NAME_TO) - from, StandardCharsets.UTF_8);
  }

  private void sort(byte[] copy, int first, int count) {
    if (sorted.length < count) {
      sorted = new int[Math.max(count, sorted.length * 2)];
    }
    if (count > MAX_INSERTED) {
      Integer[] members = new Integer[count];
      Arrays.setAll(members, i -> first + i);
      Arrays.sort(members, (left, right) -> compare(copy, left, right));
      Arrays.setAll(members, i -> sorted[i] = members[i]);
      return;
    }
    for (int i = 0; i < count; i++) {
      int at = i;
      for (; at > 0 && compare(copy, sorted[at - 1], first + i) > 0; at--) {
        sorted[at] = sorted[at - 1];
      }
      sorted[at] = first + i;
    }
  }

  /** Of the sorted members; those of one name are in the order of the text. */
  private int firstDuplicate(byte[] copy, int count) {
    int found = -1;
    for (int i = 1; i < count; i++) {
      int member = sorted[i];
      if ((found < 0 || member < found) && compare(copy, sorted[i - 1], member) == 0) {
        found = member;
      }
    }
    return found;
  }

  private int compare(byte[] copy, int left, int right) {
    if (escaped[left] || escaped[right]) {
      return compareDecoded(copy, left, right);
    }
    int leftFrom = get(left, NAME_FROM) + 1;
    int rightFrom = get(right, NAME_FROM) + 1;
    int leftLength = get(left, NAME_TO) - 1 - leftFrom;
    int rightLength = get(right, NAME_TO) - 1 - rightFrom;
    if (leftLength > 0 && rightLength > 0 && copy[leftFrom] != copy[rightFrom]) {
      return compareBytes(copy[leftFrom] & 0xff, copy[rightFrom] & 0xff);
    }
    int at = Arrays.mismatch(
        copy, leftFrom, leftFrom + leftLength, copy, rightFrom, rightFrom + rightLength);
    if (at < 0 || at == leftLength || at == rightLength) {
      return Integer.compare(leftLength, rightLength);
    }
    return compareBytes(copy[leftFrom + at] & 0xff, copy[rightFrom + at] & 0xff);
  }

  /** Compares what names stand for; only ASCII is escaped. */
  private int compareDecoded(byte[] copy, int left, int right) {
    int leftAt = get(left, NAME_FROM) + 1;
    int rightAt = get(right, NAME_FROM) + 1;
    int leftTo = get(left, NAME_TO) - 1;
    int rightTo = get(right, NAME_TO) - 1;
    while (leftAt < leftTo && rightAt < rightTo) {
      int leftByte = copy[leftAt] & 0xff;
      int rightByte = copy[rightAt] & 0xff;
      if (leftByte == '\\') {
        leftByte = CharacterWriter.escaped(copy, leftAt);
        leftAt += CharacterWriter.escapeLength(copy, leftAt);
      } else {
        leftAt++;
      }
      if (rightByte == '\\') {
        rightByte = CharacterWriter.escaped(copy, rightAt);
        rightAt += CharacterWriter.escapeLength(copy, rightAt);
      } else {
        rightAt++;
      }
      if (leftByte != rightByte) {
        return compareBytes(leftByte, rightByte);
      }
    }
    return Integer.compare(leftTo - leftAt, rightTo - rightAt);
  }

  private int compareBytes(int left, int right) {
    portable &= KeyOrder.isCommon(left, right);
    return order.compare(left, right);
  }

  private int get(int member, int field) {
    return table[member * FIELDS + field];
  }

  private void set(int member, int field, int value) {
    table[member * FIELDS + field] = value;
  }

  private void resize(int capacity) {
    table = Arrays.copyOf(table, capacity * FIELDS);
    escaped = Arrays.copyOf(escaped, capacity);
    unsorted = Arrays.copyOf(unsorted, capacity);
  }
}

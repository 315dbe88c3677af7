package dev.agentreplay.canonical;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The positions of the members of all open objects in a copy of the text. */
final class MemberTable {

  /** The maximum number of members of all open objects, limited by the size of an array. */
  static final int MAX_MEMBERS = 1 << 28;

  /** The maximum number of members sorted by insertion. */
  private static final int MAX_INSERTED = 24;

  private static final int INITIAL_MEMBERS = 32;
  private static final int MAX_KEPT_MEMBERS = 1 << 14;

  /**
   * The fields of a member: start and end of its quoted name, end of its value, offset in the text.
   */
  private static final int NAME_FROM = 0;

  private static final int NAME_TO = 1;
  private static final int VALUE_TO = 2;
  private static final int NAME_AT = 3;
  private static final int FIELDS = 4;

  private final KeyOrder order;
  private final Rearrangement rearrangement = new Rearrangement();

  private int[] table = new int[INITIAL_MEMBERS * FIELDS];

  /** For each member, whether its name contains escape sequences. */
  private boolean[] escaped = new boolean[INITIAL_MEMBERS];

  /** For each member that is the first of an object, whether the object is unsorted. */
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

  /** Drops buffers that are too large to keep. */
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

  /** Whether all names are in the same order in every canonical form. */
  boolean isPortable() {
    return portable;
  }

  /** The closed objects whose members were unsorted. */
  Rearrangement rearrangement() {
    return rearrangement;
  }

  /**
   * Adds a member to the innermost object.
   *
   * @param first the index of the object's first member
   * @param copy the copy of the text
   * @param nameFrom the start of the quoted name in the copy
   * @param nameTo the end of the quoted name in the copy
   * @param hasEscapes whether the name contains escape sequences
   * @param nameAt the start of the name in the text
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

  /**
   * Ends the value of the last member.
   *
   * @param valueTo the end of the value in the copy
   */
  void endValue(int valueTo) {
    set(size - 1, VALUE_TO, valueTo);
  }

  /**
   * Closes the innermost object.
   *
   * @param first the index of its first member
   * @param end the position that its closing brace will have in the copy
   * @return the first member with the name of an earlier member; -1 if there is none
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

  /** The start of the name of a member in the text. */
  int nameAt(int member) {
    return get(member, NAME_AT);
  }

  /** The name of a member as JSON text. */
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

  /**
   * The first sorted member that repeats a name; members with one name are in the order of the
   * text.
   */
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

  /** Compares names after unescaping; the copy escapes only ASCII characters. */
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

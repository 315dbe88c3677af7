package dev.agentreplay.convert.trace.claude;

import dev.agentreplay.convert.trace.reading.SourceRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The records in order, in which the lines of one answer are together. Claude Code writes a line
 * for each block of an answer, and a tool that was asked for in the first line may have its result
 * before the last. An answer waits until the next one begins in its lane, or too much waits with
 * it.
 */
final class AnswerQueue {

  /** The maximum number of records that wait. */
  private static final int MAX_WAITING = 512;

  /** A record that is not a part of an answer, or an answer. */
  static final class Item {
    final @Nullable String lane;
    final @Nullable String parent;
    final @Nullable String messageId;
    final List<SourceRecord> records = new ArrayList<>(1);
    boolean isOpen;

    Item(
        SourceRecord record,
        @Nullable String lane,
        @Nullable String parent,
        @Nullable String messageId) {
      this.lane = lane;
      this.parent = parent;
      this.messageId = messageId;
      this.isOpen = messageId != null;
      records.add(record);
    }
  }

  private final Deque<Item> items = new ArrayDeque<>();
  private final Map<String, Item> open = new HashMap<>();
  private int waiting;

  /** Adds a record that is not a part of an answer. */
  void add(SourceRecord record, @Nullable String lane, @Nullable String parent) {
    items.add(new Item(record, lane, parent, null));
    waiting++;
  }

  /**
   * Adds a line of an answer.
   *
   * @param messageId the id of the answer; null if the line states none and is one of its own
   */
  void addAnswer(
      SourceRecord record,
      @Nullable String lane,
      @Nullable String parent,
      @Nullable String messageId) {
    String key = lane == null ? "" : lane;
    Item last = open.get(key);
    waiting++;
    if (last != null && messageId != null && messageId.equals(last.messageId)) {
      last.records.add(record);
      return;
    }
    if (last != null) {
      last.isOpen = false;
    }
    Item item = new Item(record, lane, parent, messageId);
    items.add(item);
    if (messageId == null) {
      open.remove(key);
    } else {
      open.put(key, item);
    }
  }

  /** Returns the next item that is complete; null if there is none yet. */
  @Nullable
  Item next(boolean isAtEnd) {
    Item first = items.peek();
    if (first == null || (first.isOpen && !isAtEnd && waiting <= MAX_WAITING)) {
      return null;
    }
    items.remove();
    waiting -= first.records.size();
    if (first.isOpen) {
      open.remove(first.lane == null ? "" : first.lane);
    }
    return first;
  }
}

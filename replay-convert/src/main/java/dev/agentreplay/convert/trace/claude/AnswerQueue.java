package dev.agentreplay.convert.trace.claude;

import dev.agentreplay.convert.trace.reading.SourceLines;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The records in order, in which the lines of one answer are together. Claude Code writes a line
 * for each block of an answer, and a tool that was asked for in the first line may have its result
 * before the last. An answer waits until the next one begins in its lane, or too much waits with
 * it; the calls of its later lines stay where these lines are.
 */
final class AnswerQueue {

  /** The maximum number of records that wait. */
  private static final int MAX_WAITING = 512;

  /** The maximum length of the lines that wait in bytes, without the last one. */
  private static final long MAX_WAITING_BYTES = 4L << 20;

  /** The kinds of items. */
  enum Kind {
    /** A record that is not a part of an answer. */
    RECORD,
    /** An answer with all its lines. */
    ANSWER,
    /** The calls of the lines of an answer that have other records before them. */
    CALLS,
    /** A line that is not a record. */
    BROKEN_LINE
  }

  /** An item that is written at once: one record, or several of one answer. */
  static final class Item {
    final Kind kind;
    final @Nullable String lane;
    final @Nullable String parent;
    final @Nullable String messageId;
    final SourceLines.@Nullable Line broken;
    final List<SourceRecord> records = new ArrayList<>(1);

    /** The number of records of an answer whose calls are written with it. */
    int together;

    private final long offset;
    private boolean isOpen;

    private Item(
        Kind kind,
        @Nullable String lane,
        @Nullable String parent,
        @Nullable String messageId,
        SourceLines.@Nullable Line broken,
        long offset) {
      this.kind = kind;
      this.lane = lane;
      this.parent = parent;
      this.messageId = messageId;
      this.broken = broken;
      this.offset = offset;
    }
  }

  private final Deque<Item> items = new ArrayDeque<>();
  private final Map<String, Item> open = new HashMap<>();
  private int waiting;
  private long lastOffset;

  /** Adds a record that is not a part of an answer. */
  void add(SourceRecord record, @Nullable String lane, @Nullable String parent) {
    add(Kind.RECORD, record, lane, parent, null);
  }

  /** Adds a line that is not a record. */
  void addBroken(SourceLines.Line line) {
    waiting++;
    lastOffset = line.place().offset();
    items.add(new Item(Kind.BROKEN_LINE, null, null, null, line, lastOffset));
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
    String key = key(lane);
    Item last = open.get(key);
    if (last != null && messageId != null && messageId.equals(last.messageId)) {
      addLine(record, last);
      return;
    }
    if (last != null) {
      last.isOpen = false;
      open.remove(key);
    }
    Item item = add(Kind.ANSWER, record, lane, parent, messageId);
    item.together = 1;
    if (messageId != null) {
      item.isOpen = true;
      open.put(key, item);
    }
  }

  private void addLine(SourceRecord record, Item answer) {
    answer.records.add(record);
    Item last = items.peekLast();
    boolean isAfterCalls = last != null
        && last.kind == Kind.CALLS
        && Objects.equals(last.lane, answer.lane)
        && Objects.equals(last.messageId, answer.messageId);
    if (last != null && isAfterCalls) {
      last.records.add(record);
    } else if (last != answer) {
      add(Kind.CALLS, record, answer.lane, answer.parent, answer.messageId);
      return;
    } else {
      answer.together++;
    }
    waiting++;
    lastOffset = record.place().offset();
  }

  private Item add(
      Kind kind,
      SourceRecord record,
      @Nullable String lane,
      @Nullable String parent,
      @Nullable String messageId) {
    waiting++;
    lastOffset = record.place().offset();
    Item item = new Item(kind, lane, parent, messageId, null, lastOffset);
    item.records.add(record);
    items.add(item);
    return item;
  }

  /** Returns the next item that is complete; null if there is none yet. */
  @Nullable
  Item next(boolean isAtEnd) {
    Item first = items.peek();
    if (first == null || (first.isOpen && !isAtEnd && !isFull(first))) {
      return null;
    }
    items.remove();
    waiting -= first.kind == Kind.ANSWER ? first.together : Math.max(1, first.records.size());
    if (first.isOpen) {
      open.remove(key(first.lane));
    }
    return first;
  }

  private boolean isFull(Item first) {
    return waiting > MAX_WAITING || lastOffset - first.offset > MAX_WAITING_BYTES;
  }

  private static String key(@Nullable String lane) {
    return lane == null ? "" : lane;
  }
}

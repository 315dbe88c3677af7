package dev.agentreplay.convert.trace.gemini;

import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The records of a chat in order, in which a message has the place of its first version and the
 * content of its last. Records after it wait until the last version was read.
 */
final class ChatQueue {

  /** The maximum number of records that wait; then a message has the place of its last version. */
  private static final int MAX_WAITING = 2_048;

  /** A place in the order; a message whose last version is still to come has no record. */
  private static final class Item {
    private @Nullable SourceRecord record;
  }

  private final ChatIndex index;
  private final ChatEvents events;
  private final Deque<Item> items = new ArrayDeque<>();
  private final Map<String, Item> open = new HashMap<>();

  ChatQueue(ChatIndex index, ChatEvents events) {
    this.index = index;
    this.events = events;
  }

  void add(SourceRecord record) throws IOException {
    String id = SourceHead.text(record.json(), "id");
    boolean isLast = index.isLast(record.json(), record.place().offset());
    Item item = id == null ? null : open.get(id);
    if (item == null) {
      item = new Item();
      items.add(item);
    }
    if (isLast) {
      item.record = record;
      open.remove(String.valueOf(id));
    } else {
      record.dropAll("a later version of the message follows, which is imported");
      open.put(String.valueOf(id), item);
    }
    while (!items.isEmpty() && (items.element().record != null || items.size() > MAX_WAITING)) {
      next();
    }
  }

  private void next() throws IOException {
    Item item = items.remove();
    if (item.record == null) {
      open.values().remove(item);
    } else {
      events.write(item.record);
    }
  }

  /** Writes all records that wait and are complete. */
  void drain() throws IOException {
    while (!items.isEmpty()) {
      next();
    }
  }
}

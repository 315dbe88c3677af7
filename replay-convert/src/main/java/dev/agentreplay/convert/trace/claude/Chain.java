package dev.agentreplay.convert.trace.claude;

import dev.agentreplay.convert.trace.reading.Conversation;
import dev.agentreplay.convert.trace.reading.Conversation.Mark;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonNull;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The last records of a file by their {@code uuid}. A record names the one before it
 * ({@code parentUuid}), which tells the lane of a side chain, and where a conversation was taken up
 * again. The lines of an answer and the results of its calls are one turn: tools that run at the
 * same time have results whose parents are different lines of the answer, which is not a fork.
 */
final class Chain {

  /** The maximum number of records that are remembered. */
  private static final int MAX_RECORDS = 50_000;

  /** The maximum number of lanes whose last turn is remembered. */
  private static final int MAX_LANES = 10_000;

  /** A message of the user, or an answer with the results of its calls. */
  private static final class Turn {
    final @Nullable String messageId;
    Mark end;

    Turn(@Nullable String messageId, Mark end) {
      this.messageId = messageId;
      this.end = end;
    }
  }

  /** A record: its lane, and its turn as soon as it was written. */
  private static final class Link {
    final ContentHash hash;
    final @Nullable String lane;

    @Nullable
    Turn turn;

    Link(ContentHash hash, @Nullable String lane) {
      this.hash = hash;
      this.lane = lane;
    }
  }

  /** A map of the last entries. */
  private static final class Recent<V> extends LinkedHashMap<String, V> {
    private static final long serialVersionUID = 1L;
    private final int max;

    Recent(int max, boolean isByUse) {
      super(16, 0.75f, isByUse);
      this.max = max;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
      return size() > max;
    }
  }

  private final Map<String, Link> links = new Recent<>(MAX_RECORDS, false);
  private final Map<String, Turn> last = new Recent<>(MAX_LANES, true);

  /** Whether a record with the same {@code uuid} and the same bytes was added before. */
  boolean isRepeated(SourceRecord record) {
    Link link = find(record.text("uuid"));
    return link != null && link.hash.equals(record.hash());
  }

  /** Adds a record, which may be written later. */
  void add(SourceRecord record, @Nullable String lane) {
    String uuid = record.text("uuid");
    if (uuid != null) {
      links.put(uuid, new Link(record.hash(), lane));
    }
  }

  /** The lane of the record before a record; null if it is not known, or the main one. */
  @Nullable
  String laneBefore(SourceRecord record) {
    Link before = find(record.text("parentUuid"));
    return before == null ? null : before.lane;
  }

  /**
   * Continues a conversation after the record that a message names as the one before it, if that is
   * not in the last turn.
   */
  void follow(SourceRecord message, @Nullable String lane, Conversation conversation) {
    Link before = find(message.text("parentUuid"));
    Turn turn = before == null || !Objects.equals(before.lane, lane) ? null : before.turn;
    if (turn != null && turn != last.get(key(lane))) {
      conversation.rewind(turn.end);
      last.put(key(lane), turn);
    }
  }

  /** Continues a conversation at its beginning if a message states that none is before it. */
  void followRoot(SourceRecord message, @Nullable String lane, Conversation conversation) {
    if (message.get("parentUuid") instanceof JsonNull) {
      conversation.clear();
      last.remove(key(lane));
    }
  }

  /** Begins a turn with the message at the end of a conversation. */
  void begin(@Nullable String lane, Conversation conversation) {
    last.put(key(lane), new Turn(null, conversation.mark()));
  }

  /** Begins the turn of an answer, unless its id is that of the last turn. */
  void beginAnswer(@Nullable String lane, @Nullable String messageId, Conversation conversation) {
    Turn turn = last.get(key(lane));
    if (turn != null && messageId != null && messageId.equals(turn.messageId)) {
      turn.end = conversation.mark();
    } else {
      last.put(key(lane), new Turn(messageId, conversation.mark()));
    }
  }

  /** Adds the message at the end of a conversation to the last turn. */
  void extend(@Nullable String lane, Conversation conversation) {
    Turn turn = last.get(key(lane));
    if (turn == null) {
      begin(lane, conversation);
    } else {
      turn.end = conversation.mark();
    }
  }

  /** States that a record was written in the last turn. */
  void written(SourceRecord record, @Nullable String lane) {
    Link link = find(record.text("uuid"));
    if (link != null) {
      link.turn = last.get(key(lane));
    }
  }

  /**
   * States that a record was written that is not a message: it is in the turn of the one before.
   */
  void writtenBetween(SourceRecord record, @Nullable String lane) {
    Link link = find(record.text("uuid"));
    if (link != null) {
      Link before = find(record.text("parentUuid"));
      link.turn = before != null && before.turn != null && Objects.equals(before.lane, lane)
          ? before.turn
          : last.get(key(lane));
    }
  }

  private @Nullable Link find(@Nullable String uuid) {
    return uuid == null ? null : links.get(uuid);
  }

  private static String key(@Nullable String lane) {
    return lane == null ? "" : lane;
  }
}

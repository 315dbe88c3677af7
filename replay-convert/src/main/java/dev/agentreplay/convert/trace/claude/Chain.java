package dev.agentreplay.convert.trace.claude;

import dev.agentreplay.convert.trace.reading.Conversation.Mark;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The last records by their {@code uuid}: a record names the one before it, which tells the lane of
 * a side chain, and where a conversation was taken up again.
 */
final class Chain {

  /** The maximum number of records that are remembered. */
  private static final int MAX_RECORDS = 50_000;

  /** A record: its lane, and the end of the conversation after it. */
  static final class Link {
    final @Nullable String lane;
    final Mark mark;

    /** Whether a message of the user follows it. */
    boolean isContinued;

    Link(@Nullable String lane, Mark mark) {
      this.lane = lane;
      this.mark = mark;
    }
  }

  private final Map<String, Link> links = new LinkedHashMap<>() {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Link> eldest) {
      return size() > MAX_RECORDS;
    }
  };

  void add(String uuid, Link link) {
    links.put(uuid, link);
  }

  @Nullable
  Link find(@Nullable String uuid) {
    return uuid == null ? null : links.get(uuid);
  }
}

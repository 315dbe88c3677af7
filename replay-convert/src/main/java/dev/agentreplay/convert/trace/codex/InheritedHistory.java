package dev.agentreplay.convert.trace.codex;

import dev.agentreplay.model.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Tells the history that a thread was forked with from its own. Codex copies the records of the
 * parent into the rollout of a fork or a sub-agent, after the first record of the parent. Their
 * calls and tokens are those of the parent, in whose rollout they are as well.
 *
 * <p>The ids of threads and turns begin with their time (UUID version 7): a turn with a later id
 * than that of the thread is its own. Where turns have no ids, the copied records are those before
 * the thread began, or within moments of it.
 */
final class InheritedHistory {

  private static final Duration MOMENTS = Duration.ofSeconds(2);

  private static final Pattern ORDERED_ID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}");

  private @Nullable String thread;
  private @Nullable Instant began;
  private boolean isInherited;
  private boolean hasTurns;

  /** Takes the head of a thread, and returns whether it is that of the thread itself. */
  boolean isOwn(CodexItem meta) {
    String id = meta.text("id") == null ? meta.text("session_id") : meta.text("id");
    if (thread == null) {
      thread = id;
      began = instant(meta);
      return true;
    }
    isInherited = id != null && !id.equals(thread);
    return !isInherited;
  }

  /** Whether a record is a copy of one of the parent. */
  boolean includes(CodexItem item) {
    if (!isInherited) {
      return false;
    }
    String turn = item.text("turn_id");
    if (turn != null && isOrdered(turn) && thread != null && isOrdered(thread)) {
      hasTurns = true;
      isInherited = turn.compareTo(thread) < 0;
    } else if (!hasTurns) {
      Instant time = instant(item);
      isInherited = time != null && began != null && !time.isAfter(began.plus(MOMENTS));
    }
    return isInherited;
  }

  private static boolean isOrdered(String id) {
    return ORDERED_ID.matcher(id).matches();
  }

  private static @Nullable Instant instant(CodexItem item) {
    Timestamp time = item.meta().time();
    return time == null ? null : time.instant();
  }
}

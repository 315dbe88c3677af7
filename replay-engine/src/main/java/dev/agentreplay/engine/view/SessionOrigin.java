package dev.agentreplay.engine.view;

import dev.agentreplay.model.ForkOrigin;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.ReplayOrigin;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.text.Excerpt;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The session that a session was made from, its <em>parent</em>: the one that it was forked from,
 * or that it replays. It is what the header of the session states, which {@code replay verify
 * --parent} checks. Immutable and safe for use by several threads.
 */
public final class SessionOrigin {

  private static final int MAX_ID = 200;
  private static final int MAX_VALUE = 40;

  private final @Nullable ForkOrigin fork;
  private final @Nullable ReplayOrigin replay;

  private SessionOrigin(@Nullable ForkOrigin fork, @Nullable ReplayOrigin replay) {
    this.fork = fork;
    this.replay = replay;
  }

  /** Returns the origin that a header states; null if it states none. */
  public static @Nullable SessionOrigin of(ReplayHeader header) {
    ForkOrigin fork = ForkOrigin.of(header);
    return fork == null && header.replayOf() == null
        ? null
        : new SessionOrigin(fork, header.replayOf());
  }

  /** The point and the changes of a fork; null if the session is not a fork. */
  public @Nullable ForkOrigin fork() {
    return fork;
  }

  /**
   * The replay that the session is; null if its header states none. A fork is a replay, too, unless
   * its header was changed.
   */
  public @Nullable ReplayOrigin replay() {
    return replay;
  }

  /** The id of the parent; null if its log does not state one. */
  public @Nullable String sessionId() {
    return fork == null ? replayed().sessionId() : fork.sessionId();
  }

  /**
   * The head of the tree over lines of the parent that the header states: over all of its lines, or
   * if it states only a fork, over those before the point.
   */
  public TreeHead head() {
    return replay == null ? Objects.requireNonNull(fork).head() : replay.head();
  }

  private ReplayOrigin replayed() {
    return Objects.requireNonNull(replay);
  }

  /** The origin with the parent, as in "mock fork of session s-1 at line 14, with set /output". */
  public String text() {
    String mode = replay == null ? "" : replay.mode() + " ";
    return fork == null
        ? "%sreplay of %s".formatted(mode, parent())
        : "%sfork of %s %s".formatted(mode, parent(), point(fork));
  }

  /** The origin without the parent, as in "at line 14: set /output to 7", or "mock replay". */
  public String shortText() {
    return fork == null
        ? replayed().mode() + " replay"
        : "at line %d: %s".formatted(fork.line(), changes(fork, MAX_VALUE));
  }

  /** The point of a fork with its changes, as in "at line 14, with set /output". */
  public static String point(ForkOrigin fork) {
    return "at line %d, with %s".formatted(fork.line(), changes(fork, 0));
  }

  private static String changes(ForkOrigin fork, int valueLength) {
    List<String> changes = fork.changesInWords(valueLength);
    return changes.isEmpty() ? "no change" : String.join(", ", changes);
  }

  /** The parent in words: its id, or if its log states none, the root of the stated tree head. */
  public String parent() {
    String id = sessionId();
    return id == null
        ? head().root().toString()
        : "session " + (id.length() <= MAX_ID ? id : Excerpt.beginning(id, MAX_ID) + "…");
  }

  @Override
  public String toString() {
    return text();
  }
}

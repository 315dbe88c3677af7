package dev.agentreplay.engine.view;

import dev.agentreplay.model.ForkOrigin;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.ReplayOrigin;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import java.util.ArrayList;
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
  private static final int MAX_WORD = 200;

  /** The members of a change that name it. */
  private static final List<String> WORDS = List.of("change", "tool", "pointer");

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
        : "at line %d: %s".formatted(fork.line(), joined(fork, MAX_VALUE));
  }

  /** The point of a fork with its changes, as in "at line 14, with set /output". */
  public static String point(ForkOrigin fork) {
    return "at line %d, with %s".formatted(fork.line(), joined(fork, 0));
  }

  private static String joined(ForkOrigin fork, int valueLength) {
    List<String> changes = changes(fork, valueLength);
    return changes.isEmpty() ? "no change" : String.join(", ", changes);
  }

  /**
   * Returns the changes of a fork in words, in their order, as in {@code set /output/status} or
   * {@code tool read_file}; one of a line that is not that of the point states it, as in
   * {@code result at line 22}. Each is shortened, because a log may state any text.
   *
   * @param valueLength the maximum number of characters of the new value that follows, as in
   *     {@code set /output/status to "paid"}; 0 for none
   */
  public static List<String> changes(ForkOrigin fork, int valueLength) {
    boolean areOfPoint = fork.changes().stream()
        .map(change -> change instanceof JsonObject json ? json.get("line") : null)
        .allMatch(line -> !(line instanceof JsonNumber number) || isLine(number, fork.line()));
    return fork.changes().stream()
        .map(change -> inWords(change, !areOfPoint, valueLength))
        .toList();
  }

  private static boolean isLine(JsonNumber number, long line) {
    try {
      return number.asLong() == line;
    } catch (ArithmeticException notAnInteger) {
      return false;
    }
  }

  private static String inWords(JsonValue change, boolean hasLine, int valueLength) {
    if (!(change instanceof JsonObject json)) {
      return Excerpt.shortened(change.toString(), MAX_WORD);
    }
    List<String> words = new ArrayList<>();
    for (String member : WORDS) {
      if (json.get(member) instanceof JsonString word) {
        words.add(Excerpt.shortened(word.value(), MAX_WORD));
      }
    }
    if (words.isEmpty()) {
      return Excerpt.shortened(change.toString(), MAX_WORD);
    }
    if (hasLine && json.get("line") instanceof JsonNumber line) {
      words.add("at line " + Excerpt.shortened(line.toString(), MAX_WORD));
    }
    JsonValue value = json.get("value");
    if (value != null && valueLength > 0) {
      words.add("to " + Excerpt.shortened(value.toString(), valueLength));
    }
    return String.join(" ", words);
  }

  /** The parent in words: its id, or if its log states none, the root of the stated tree head. */
  public String parent() {
    String id = sessionId();
    return id == null ? head().root().toString() : "session " + Excerpt.shortened(id, MAX_ID);
  }

  @Override
  public String toString() {
    return text();
  }
}

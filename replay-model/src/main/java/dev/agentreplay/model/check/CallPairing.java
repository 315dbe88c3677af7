package dev.agentreplay.model.check;

import dev.agentreplay.model.ContentHash;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Pairs results with calls: a result belongs to the first unanswered call with its id before it.
 * Real logs use one id for several calls, so neither the id alone nor the position alone will do.
 *
 * <p>Feed it the calls and results of a session in order. It holds the calls that are still open,
 * and at most as many as it was told to: to make room for another call, the oldest open one is
 * given up. Of an id it keeps at most 71 characters: of a longer one its hash. Not safe for use by
 * several threads.
 *
 * @param <C> what to keep of a call until its result arrives
 */
public final class CallPairing<C> {

  private static final int MAX_KEPT = 64;

  /** How many calls may be open by default. */
  public static final int DEFAULT_MAX_OPEN = 100_000;

  /** A call; of those of one id, in order, the first that is open knows the last. */
  private static final class Made<C> {
    final String key;
    final C call;
    boolean answered;

    @Nullable
    Made<C> next;

    Made<C> last = this;

    Made(String key, C call) {
      this.key = key;
      this.call = call;
    }
  }

  private final int maxOpen;

  /** The first open call of each id. */
  private final Map<String, Made<C>> byId = new HashMap<>();

  /** The open calls in order, among some that were answered since and are skipped. */
  private final Deque<Made<C>> inOrder = new ArrayDeque<>();

  private int open;

  /** A pairing that holds up to {@link #DEFAULT_MAX_OPEN} open calls. */
  public CallPairing() {
    this(DEFAULT_MAX_OPEN);
  }

  /**
   * A pairing that holds up to so many open calls.
   *
   * @throws IllegalArgumentException if {@code maxOpen} is less than 1
   */
  public CallPairing(int maxOpen) {
    if (maxOpen < 1) {
      throw new IllegalArgumentException("maximum of open calls must be positive: " + maxOpen);
    }
    this.maxOpen = maxOpen;
  }

  /** A call was made. Returns the call that is given up to make room for it, or null. */
  public @Nullable C call(String id, C call) {
    String key = key(id);
    C givenUp = open == maxOpen ? giveUpOldest() : null;
    Made<C> made = new Made<>(key, call);
    Made<C> first = byId.putIfAbsent(key, made);
    if (first != null) {
      first.last.next = made;
      first.last = made;
    }
    inOrder.add(made);
    open++;
    return givenUp;
  }

  /** A result arrived. Returns the call that it answers, or null when there is none. */
  public @Nullable C result(String id) {
    return take(key(id));
  }

  private @Nullable C take(String key) {
    Made<C> first = byId.get(key);
    if (first == null) {
      return null;
    }
    Made<C> next = first.next;
    if (next == null) {
      byId.remove(key);
    } else {
      next.last = first.last;
      byId.put(key, next);
    }
    first.answered = true;
    open--;
    dropAnswered();
    return first.call;
  }

  /** The calls that are not answered, in order. */
  public List<C> open() {
    List<C> calls = new ArrayList<>(open);
    for (Made<C> made : inOrder) {
      if (!made.answered) {
        calls.add(made.call);
      }
    }
    return calls;
  }

  private static String key(String id) {
    return id.length() <= MAX_KEPT
        ? id
        : ContentHash.sha256(id.getBytes(StandardCharsets.UTF_8)).toString();
  }

  private C giveUpOldest() {
    Made<C> oldest = inOrder.remove();
    while (oldest.answered) {
      oldest = inOrder.remove();
    }
    C call = take(oldest.key);
    if (call == null) {
      throw new IllegalStateException("an open call is found by its id");
    }
    return call;
  }

  /** Forgets answered calls: at the front always, elsewhere once they are the most. */
  private void dropAnswered() {
    while (!inOrder.isEmpty() && inOrder.element().answered) {
      inOrder.remove();
    }
    if (inOrder.size() > 2 * open + 16) {
      inOrder.removeIf(made -> made.answered);
    }
  }
}

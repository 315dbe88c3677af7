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
 * Real logs use one id for several calls, so that neither the id alone nor the position alone is
 * sufficient.
 *
 * <p>The caller adds the calls and results of a session in order. The pairing holds the open calls,
 * up to a maximum: when it is reached, the oldest open call is dropped to make room for the next.
 * An id takes at most 71 characters: instead of an id longer than 64 its hash is kept. Not safe for
 * use by several threads.
 *
 * @param <C> the type of the data that is kept of a call until its result arrives
 */
public final class CallPairing<C> {

  private static final int MAX_KEPT = 64;

  /** The default maximum number of open calls. */
  public static final int DEFAULT_MAX_OPEN = 100_000;

  /** A call. The open calls with one id are a linked list, whose first element knows the last. */
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

  /** The first open call with each id. */
  private final Map<String, Made<C>> byId = new HashMap<>();

  /** The open calls in order, and answered ones that have not been removed yet. */
  private final Deque<Made<C>> inOrder = new ArrayDeque<>();

  private int open;

  /** Creates a pairing that holds up to {@link #DEFAULT_MAX_OPEN} open calls. */
  public CallPairing() {
    this(DEFAULT_MAX_OPEN);
  }

  /**
   * Creates a pairing that holds up to {@code maxOpen} open calls.
   *
   * @throws IllegalArgumentException if {@code maxOpen} is less than 1
   */
  public CallPairing(int maxOpen) {
    if (maxOpen < 1) {
      throw new IllegalArgumentException("maximum of open calls must be positive: " + maxOpen);
    }
    this.maxOpen = maxOpen;
  }

  /** Adds a call. Returns the call that is dropped to make room for it, or null. */
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

  /** Adds a result. Returns the call that it answers, or null when it does not answer any. */
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

  /** The open calls in order: those that have no result yet and were not dropped. */
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

  /** Removes answered calls: at the front always, elsewhere when they outnumber the open ones. */
  private void dropAnswered() {
    while (!inOrder.isEmpty() && inOrder.element().answered) {
      inOrder.remove();
    }
    if (inOrder.size() > 2 * open + 16) {
      inOrder.removeIf(made -> made.answered);
    }
  }
}

package dev.agentreplay.model;

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

  private record Open<C>(String key, long number, C call) {}

  private final int maxOpen;
  private final Map<String, Deque<Open<C>>> byId = new HashMap<>();

  /** The open calls in order, among some that were answered since and are skipped. */
  private final Deque<Open<C>> inOrder = new ArrayDeque<>();

  private long calls;
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
    Open<C> made = new Open<>(key, calls++, call);
    byId.computeIfAbsent(key, k -> new ArrayDeque<>(1)).add(made);
    inOrder.add(made);
    open++;
    return givenUp;
  }

  /** A result arrived. Returns the call that it answers, or null when there is none. */
  public @Nullable C result(String id) {
    return take(key(id));
  }

  private @Nullable C take(String key) {
    Deque<Open<C>> sameId = byId.get(key);
    if (sameId == null) {
      return null;
    }
    Open<C> answered = sameId.remove();
    if (sameId.isEmpty()) {
      byId.remove(key);
    }
    open--;
    dropAnswered();
    return answered.call();
  }

  /** The calls that are not answered, in order. */
  public List<C> open() {
    List<C> calls = new ArrayList<>(open);
    for (Open<C> candidate : inOrder) {
      if (isOpen(candidate)) {
        calls.add(candidate.call());
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
    Open<C> oldest = inOrder.remove();
    while (!isOpen(oldest)) {
      oldest = inOrder.remove();
    }
    C call = take(oldest.key());
    if (call == null) {
      throw new IllegalStateException("an open call is found by its id");
    }
    return call;
  }

  /** Forgets answered calls: at the front always, elsewhere once they are the most. */
  private void dropAnswered() {
    while (!inOrder.isEmpty() && !isOpen(inOrder.element())) {
      inOrder.remove();
    }
    if (inOrder.size() > 2 * open + 16) {
      inOrder.removeIf(candidate -> !isOpen(candidate));
    }
  }

  /** Calls of one id are answered in order: those before the first that is left are answered. */
  private boolean isOpen(Open<C> candidate) {
    Deque<Open<C>> sameId = byId.get(candidate.key());
    return sameId != null && candidate.number() >= sameId.element().number();
  }
}

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
 * Pairs results with calls: a result belongs to the first unanswered call with its id before it, in
 * its own lane if there is one. Real logs use one id for several calls, so that neither the id
 * alone nor the position alone is sufficient; logs of several agents do so at the same time.
 *
 * <p>The lane of an event is its {@link dev.agentreplay.model.Meta#agent}. If no call of its lane
 * waits, a result belongs to the first unanswered call with its id of which the agent is not known
 * to be a different one: a result without an agent to a call of any lane, one with an agent to a
 * call without.
 *
 * <p>The caller adds the calls and results of a session in order. The pairing holds the open calls,
 * up to a maximum: when it is reached, the oldest open call is dropped to make room for the next.
 * An id or agent takes at most 71 characters: instead of one longer than 64 its hash is kept. Not
 * safe for use by several threads.
 *
 * @param <C> the type of the data that is kept of a call until its result arrives
 */
public final class CallPairing<C> {

  private static final int MAX_KEPT = 64;

  /** The default maximum number of open calls. */
  public static final int DEFAULT_MAX_OPEN = 100_000;

  /**
   * A call. The open calls of one lane with one id are a linked list, whose first element knows the
   * last.
   */
  private static final class Made<C> {
    final String key;
    final @Nullable String agent;
    final C call;
    boolean answered;

    @Nullable
    Made<C> next;

    Made<C> last = this;

    Made(String key, @Nullable String agent, C call) {
      this.key = key;
      this.agent = agent;
      this.call = call;
    }
  }

  /** An id in the lane of an agent. */
  private record InLane(String id, String agent) {}

  private final int maxOpen;

  /** The first open call with each id, in the lane of the calls without an agent. */
  private final Map<String, Made<C>> byId = new HashMap<>();

  /** The first open call with each id, in the lane of each agent. */
  private final Map<InLane, Made<C>> byLane = new HashMap<>();

  /**
   * The open calls with each id that have an agent, in order, and answered ones that have not been
   * removed yet.
   */
  private final Map<String, Deque<Made<C>>> ofAgents = new HashMap<>();

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

  /**
   * Adds a call. Returns the call that is dropped to make room for it, or null.
   *
   * @param agent the agent that made the call; null if it is not stated
   */
  public @Nullable C call(String id, @Nullable String agent, C call) {
    String key = key(id);
    String lane = agent == null ? null : key(agent);
    C givenUp = open == maxOpen ? giveUpOldest() : null;
    Made<C> made = new Made<>(key, lane, call);
    Made<C> first;
    if (lane == null) {
      first = byId.putIfAbsent(key, made);
    } else {
      first = byLane.putIfAbsent(new InLane(key, lane), made);
      ofAgents.computeIfAbsent(key, k -> new ArrayDeque<>(1)).add(made);
    }
    if (first != null) {
      first.last.next = made;
      first.last = made;
    }
    inOrder.add(made);
    open++;
    return givenUp;
  }

  /**
   * Adds a result. Returns the call that it answers, or null when it does not answer any.
   *
   * @param agent the agent that received the result; null if it is not stated
   */
  public @Nullable C result(String id, @Nullable String agent) {
    String key = key(id);
    Made<C> made = agent == null ? byId.get(key) : byLane.get(new InLane(key, key(agent)));
    if (made == null) {
      made = agent == null ? firstOfAgents(key) : byId.get(key);
    }
    if (made == null && agent != null) {
      made = onlyOfAgents(key);
    }
    return made == null ? null : take(made);
  }

  /** The first open call with an id that has an agent; null if there is none. */
  private @Nullable Made<C> firstOfAgents(String key) {
    Deque<Made<C>> calls = ofAgents.get(key);
    return calls == null ? null : calls.peek(); // the first one is open
  }

  /** The only open call with an id, if it has an agent; null if there is none or several. */
  private @Nullable Made<C> onlyOfAgents(String key) {
    Made<C> only = null;
    for (Made<C> made : ofAgents.getOrDefault(key, new ArrayDeque<>(1))) {
      if (!made.answered) {
        if (only != null) {
          return null;
        }
        only = made;
      }
    }
    return only;
  }

  /** Takes a call that is the first with its id in its lane. */
  private C take(Made<C> first) {
    Made<C> next = first.next;
    if (next != null) {
      next.last = first.last;
    }
    String agent = first.agent;
    first.answered = true;
    if (agent == null) {
      replace(byId, first.key, next);
    } else {
      replace(byLane, new InLane(first.key, agent), next);
      ofAgents.computeIfPresent(first.key, (key, calls) -> removeAnswered(calls) ? null : calls);
    }
    open--;
    dropAnswered();
    return first.call;
  }

  private static <K, C> void replace(Map<K, Made<C>> calls, K key, @Nullable Made<C> next) {
    if (next == null) {
      calls.remove(key);
    } else {
      calls.put(key, next);
    }
  }

  /** Removes answered calls at the front. Returns whether none is left. */
  private static <C> boolean removeAnswered(Deque<Made<C>> calls) {
    while (!calls.isEmpty() && calls.element().answered) {
      calls.remove();
    }
    return calls.isEmpty();
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
    return take(oldest); // the oldest of all is the first with its id in its lane
  }

  /** Removes answered calls: at the front always, elsewhere when they outnumber the open ones. */
  private void dropAnswered() {
    removeAnswered(inOrder);
    if (inOrder.size() > 2 * open + 16) {
      inOrder.removeIf(made -> made.answered);
      ofAgents.values().forEach(calls -> calls.removeIf(made -> made.answered));
    }
  }
}

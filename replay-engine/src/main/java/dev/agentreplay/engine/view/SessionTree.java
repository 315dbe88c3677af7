package dev.agentreplay.engine.view;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of a folder as a tree: below each session the forks and replays that were made from
 * it. Immutable and safe for use by several threads.
 *
 * <p>The parent of a session is the one with the id that its header states. If several have that
 * id, such as the forks of one recording, it is the first whose log has the tree head that the
 * header states: each of their logs is read once, up to the last line that a header names. A single
 * session with the id is the parent, unless its log has fewer lines, and {@link Parent#evidence}
 * states whether its log has the tree head; {@code replay verify --parent} proves that a session
 * was forked from it.
 *
 * <pre>{@code
 * SessionTree.Builder builder = SessionTree.builder();
 * try (Stream<FolderEntry<SessionSummary>> entries = SessionFolder.at(directory).summaries()) {
 *   entries.forEach(entry -> {
 *     if (entry instanceof FolderEntry.Loaded<SessionSummary> session) {
 *       builder.add(session.value());
 *     }
 *   });
 * }
 * SessionTree tree = builder.build();
 * }</pre>
 */
public final class SessionTree {

  /** The reason why a session is regarded as the parent of one that states its id. */
  public enum Evidence {
    /** It is the only session with this id, and its log could not be read to check the head. */
    SESSION_ID("session_id"),
    /** It is the only session with this id, but its log does not have the stated tree head. */
    OTHER_CONTENT("other_content"),
    /** It is the first session with this id whose log has the stated tree head. */
    TREE("tree");

    private final String id;

    Evidence(String id) {
      this.id = id;
    }

    /** The text of the constant in JSON. */
    public String id() {
      return id;
    }
  }

  /** The parent of a session. */
  public static final class Parent {

    private final int number;
    private final Evidence evidence;
    private final @Nullable String fault;

    Parent(int number, Evidence evidence, @Nullable String fault) {
      this.number = number;
      this.evidence = evidence;
      this.fault = fault;
    }

    /** Its number in the tree, from 0. */
    public int number() {
      return number;
    }

    /** The reason why it is regarded as the parent. */
    public Evidence evidence() {
      return evidence;
    }

    /** The reason why its log could not be read; null if it was read. */
    public @Nullable String fault() {
      return fault;
    }
  }

  /** A session at its place in a list that shows the tree. */
  public static final class Nested {

    private final int number;
    private final int depth;

    Nested(int number, int depth) {
      this.number = number;
      this.depth = depth;
    }

    /** Its number in the tree, from 0. */
    public int number() {
      return number;
    }

    /** The number of sessions of the list above it, from 0. */
    public int depth() {
      return depth;
    }
  }

  /** Collects sessions; of each it keeps only what the tree is made of. Not thread-safe. */
  public static final class Builder {

    private final ParentSearch search = new ParentSearch();

    private Builder() {}

    /** Adds a session, and returns its number, from 0. */
    public int add(SessionSummary session) {
      return search.add(session);
    }

    /**
     * Makes the tree, for which the logs of the sessions with an id that a header states are read.
     * Of several with one id, one that cannot be read is not a parent.
     */
    public SessionTree build() {
      return new SessionTree(search.parents());
    }
  }

  private final List<@Nullable Parent> parents;

  private SessionTree(List<@Nullable Parent> parents) {
    this.parents = parents;
  }

  /** Returns a builder of a tree. */
  public static Builder builder() {
    return new Builder();
  }

  /** The number of sessions. */
  public int size() {
    return parents.size();
  }

  /**
   * The parent of a session; null if it states none, or none of these sessions is.
   *
   * @throws IndexOutOfBoundsException if there is no session with this number
   */
  public @Nullable Parent parent(int number) {
    return parents.get(number);
  }

  /**
   * Returns sessions in the order of a list that shows the tree: each is followed by those below
   * it. One whose parent is not among them is at the top.
   *
   * @param order numbers of sessions, each once, in the order of those with the same parent
   */
  public List<Nested> nest(List<Integer> order) {
    Set<Integer> shown = new HashSet<>(order);
    List<Integer> top = new ArrayList<>();
    Map<Integer, List<Integer>> below = new HashMap<>();
    for (int number : order) {
      Parent parent = parents.get(number);
      boolean isBelow = parent != null && shown.contains(parent.number());
      (isBelow ? below.computeIfAbsent(parent.number(), key -> new ArrayList<>()) : top)
          .add(number);
    }
    List<Nested> nested = new ArrayList<>(order.size());
    Deque<Nested> open = new ArrayDeque<>();
    push(top, 0, open);
    for (Nested next = open.poll(); next != null; next = open.poll()) {
      nested.add(next);
      push(below.getOrDefault(next.number(), List.of()), next.depth() + 1, open);
    }
    return nested;
  }

  private static void push(List<Integer> numbers, int depth, Deque<Nested> open) {
    for (int i = numbers.size() - 1; i >= 0; i--) {
      open.push(new Nested(numbers.get(i), depth));
    }
  }
}

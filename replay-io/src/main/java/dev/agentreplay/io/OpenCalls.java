package dev.agentreplay.io;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The calls of one kind in a session that wait for their results: those in the log, and those that
 * could not be written, whose results must not be in the log either. Also finds ids for new ones.
 * Not safe for use by several threads.
 */
final class OpenCalls {

  private final GeneratedIds ids;

  /** By id, how many results may come; none while the only one is being written. */
  private final Map<String, Integer> waiting = new HashMap<>();

  private final Set<String> lost = new HashSet<>();

  /** Has no call; {@code prefix} is what generated ids begin with. */
  OpenCalls(String prefix) {
    this.ids = new GeneratedIds(prefix);
  }

  /** An id that no call has or had. */
  String newId() {
    String id;
    do {
      id = ids.next();
    } while (isOpen(id));
    return id;
  }

  /** A call with this id was recorded, or lost: no other gets it by {@link #newId}. */
  void taken(String id) {
    ids.taken(id);
  }

  /** Whether a call of this id waits for its result, or for the end of its being written. */
  boolean isOpen(String id) {
    return waiting.containsKey(id);
  }

  /** A call waits for its result. */
  void open(String id) {
    waiting.merge(id, 1, Integer::sum);
    lost.remove(id); // the result that comes is one of this call
  }

  /**
   * A call waits for its result, alone.
   *
   * @throws IllegalArgumentException if another one with this id waits
   */
  void openAlone(String id) {
    if (isOpen(id)) {
      throw new IllegalArgumentException(
          "another call with the id \"" + id + "\" waits for its result");
    }
    open(id);
  }

  /** A call could not be written. */
  void lose(String id) {
    lost.add(id);
  }

  /** The result of a call that was lost has come. Returns whether there was such a call. */
  boolean takeLost(String id) {
    return lost.remove(id);
  }

  /** A result is about to be written. Returns whether a call waits for it. */
  boolean claim(String id) {
    Integer results = waiting.get(id);
    if (results == null || results == 0) {
      return false;
    }
    waiting.put(id, results - 1);
    return true;
  }

  /** The result that was claimed could not be written. */
  void unclaim(String id) {
    waiting.merge(id, 1, Integer::sum);
  }

  /** The result that was claimed is written, or will never be. */
  void answered(String id) {
    waiting.remove(id, 0);
  }

  /** A call that was opened is not one after all, or nothing is said of its result. */
  void close(String id) {
    waiting.computeIfPresent(id, (key, results) -> results > 1 ? results - 1 : null);
  }
}

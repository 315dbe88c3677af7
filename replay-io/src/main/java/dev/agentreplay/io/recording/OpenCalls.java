package dev.agentreplay.io.recording;

import dev.agentreplay.model.EventKind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The calls of one kind in a session that wait for their results: those in the log, and those that
 * could not be written, whose results must not be in the log either. Also generates ids of new
 * ones. Safe for use by several threads; nothing in it blocks.
 */
final class OpenCalls {

  private final GeneratedIds ids;
  private final EventKind resultKind;
  private final boolean isExclusive;

  /** By id, how many results may come; none while the only one is being written. */
  private final Map<String, Integer> waiting = new HashMap<>();

  private final Set<String> lost = new HashSet<>();

  private OpenCalls(String prefix, EventKind resultKind, boolean isExclusive) {
    this.ids = new GeneratedIds(prefix);
    this.resultKind = resultKind;
    this.isExclusive = isExclusive;
  }

  /** Calls of tools, of which one at a time may have an id. */
  static OpenCalls ofTools() {
    return new OpenCalls("call-", EventKind.TOOL_RESULT, true);
  }

  /** Calls of models. */
  static OpenCalls ofModels() {
    return new OpenCalls("model-", EventKind.MODEL_RESULT, false);
  }

  /** An id that no call has or had. */
  synchronized String newId() {
    String id;
    do {
      id = ids.next();
    } while (waiting.containsKey(id));
    return id;
  }

  /** A call with a generated id waits for its result. Returns the id. */
  synchronized String openNew() {
    String id = newId();
    add(id);
    return id;
  }

  /**
   * A call waits for its result.
   *
   * @throws IllegalArgumentException if another call with this id waits, and only one may
   */
  synchronized void open(String id) {
    if (isExclusive && waiting.containsKey(id)) {
      throw new IllegalArgumentException(
          "another call with the id \"" + id + "\" waits for its result");
    }
    add(id);
  }

  /** A call is in a log that is resumed, which may have several with one id. */
  synchronized void found(String id) {
    add(id);
    ids.taken(id);
  }

  private void add(String id) {
    waiting.merge(id, 1, Integer::sum);
    lost.remove(id); // the result that comes is one of this call
  }

  /** A call that was opened is in the log: no other gets its id by {@link #newId}. */
  synchronized void recorded(String id) {
    ids.taken(id);
  }

  /** A call that was opened could not be written: no other gets its id by {@link #newId}. */
  synchronized void lost(String id) {
    close(id);
    ids.taken(id);
    lost.add(id);
  }

  /** A call that was opened is not one after all, or its result will not come. */
  synchronized void close(String id) {
    waiting.computeIfPresent(id, (key, results) -> results > 1 ? results - 1 : null);
  }

  /**
   * A result is about to be written.
   *
   * @return whether its call is in the log; else the call was lost, and the result is with it
   * @throws IllegalArgumentException if no call waits for it
   */
  synchronized boolean claim(String id) {
    if (lost.remove(id)) {
      return false;
    }
    int results = waiting.getOrDefault(id, 0);
    if (results == 0) {
      throw new IllegalArgumentException(
          "%s: no call with the id \"%s\" waits for its result".formatted(resultKind.id(), id));
    }
    waiting.put(id, results - 1);
    return true;
  }

  /** The result that was claimed could not be written, and may be again. */
  synchronized void unclaim(String id) {
    waiting.merge(id, 1, Integer::sum);
  }

  /** The result that was claimed is written, or will never be. */
  synchronized void answered(String id) {
    waiting.remove(id, 0);
  }
}

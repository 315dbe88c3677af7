package dev.agentreplay.io.recording;

import dev.agentreplay.model.EventKind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The calls of one kind in a session that wait for their results: those in the log, and those that
 * could not be written, whose results must not be written either. Also generates ids for new calls.
 * Safe for use by several threads; no method blocks.
 */
final class OpenCalls {

  private final GeneratedIds ids;
  private final EventKind resultKind;
  private final boolean isExclusive;

  /**
   * The number of results that may still be written, by id; zero while the only one is being
   * written.
   */
  private final Map<String, Integer> waiting = new HashMap<>();

  private final Set<String> lost = new HashSet<>();

  private OpenCalls(String prefix, EventKind resultKind, boolean isExclusive) {
    this.ids = new GeneratedIds(prefix);
    this.resultKind = resultKind;
    this.isExclusive = isExclusive;
  }

  /** Creates the calls of tools, which have unique ids while they wait. */
  static OpenCalls ofTools() {
    return new OpenCalls("call-", EventKind.TOOL_RESULT, true);
  }

  /** Creates the calls of models. */
  static OpenCalls ofModels() {
    return new OpenCalls("model-", EventKind.MODEL_RESULT, false);
  }

  /** Generates an id that no call has or had. */
  synchronized String newId() {
    String id;
    do {
      id = ids.next();
    } while (waiting.containsKey(id));
    return id;
  }

  /** Opens a call with a generated id. Returns the id. */
  synchronized String openNew() {
    String id = newId();
    add(id);
    return id;
  }

  /**
   * Opens a call, which waits for its result.
   *
   * @throws IllegalArgumentException if another call with this id waits, and ids are unique
   */
  synchronized void open(String id) {
    if (isExclusive && waiting.containsKey(id)) {
      throw new IllegalArgumentException(
          "another call with the id \"" + id + "\" waits for its result");
    }
    add(id);
  }

  /** Adds a call of a log that is resumed, which may have several with the same id. */
  synchronized void found(String id) {
    add(id);
    ids.taken(id);
  }

  private void add(String id) {
    waiting.merge(id, 1, Integer::sum);
    lost.remove(id); // the next result belongs to this call
  }

  /** Marks a call that was opened as written: {@link #newId} does not generate its id. */
  synchronized void recorded(String id) {
    ids.taken(id);
  }

  /** Marks a call that was opened as lost: {@link #newId} does not generate its id. */
  synchronized void lost(String id) {
    close(id);
    ids.taken(id);
    lost.add(id);
  }

  /** Closes a call that was rejected, or whose result will not come. */
  synchronized void close(String id) {
    waiting.computeIfPresent(id, (key, results) -> results > 1 ? results - 1 : null);
  }

  /**
   * Claims a call for a result that is about to be written.
   *
   * @return whether its call is in the log; otherwise the call was lost, and the result is, too
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

  /** Releases the claim of a result that could not be written, and may be written later. */
  synchronized void unclaim(String id) {
    waiting.merge(id, 1, Integer::sum);
  }

  /** Closes the claim of a result that is written, or will never be. */
  synchronized void answered(String id) {
    waiting.remove(id, 0);
  }
}

package dev.agentreplay.convert.trace.reading;

import java.util.HashMap;
import java.util.Map;

/** Ids that are generated for what a source does not name. Not safe for use by several threads. */
public final class UniqueIds {

  private final Map<String, Integer> used = new HashMap<>();

  /** Creates ids of which none is used. */
  public UniqueIds() {}

  /** Returns an id that was not returned before: the given one, or one with a number after it. */
  public String unused(String id) {
    String unused = id;
    while (used.putIfAbsent(unused, 1) != null) {
      unused = id + "#" + used.merge(id, 1, Integer::sum);
    }
    return unused;
  }
}

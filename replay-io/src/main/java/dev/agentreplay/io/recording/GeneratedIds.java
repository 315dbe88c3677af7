package dev.agentreplay.io.recording;

import java.util.HashSet;
import java.util.Set;

/**
 * Generates ids of the form "call-1", "call-2", none of which a caller has used. Not safe for use
 * by several threads.
 */
final class GeneratedIds {

  private final String prefix;
  private final Set<String> given = new HashSet<>();
  private long generated;

  GeneratedIds(String prefix) {
    this.prefix = prefix;
  }

  /** Returns an id that was neither generated nor used before. */
  String next() {
    String id;
    do {
      id = prefix + ++generated;
    } while (given.contains(id));
    return id;
  }

  /** Marks an id as used, generated or not. */
  void taken(String id) {
    if (id.startsWith(prefix) && !isGenerated(id)) {
      given.add(id);
    }
  }

  /** Whether the id is one of those generated so far, which need not be remembered. */
  private boolean isGenerated(String id) {
    try {
      long number = Long.parseLong(id, prefix.length(), id.length(), 10);
      return number > 0 && number <= generated;
    } catch (NumberFormatException notGenerated) {
      return false;
    }
  }
}

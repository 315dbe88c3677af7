package dev.agentreplay.io.recording;

import java.util.HashSet;
import java.util.Set;

/**
 * Ids of the form "call-1", "call-2", none of which a caller has given. Not safe for use by several
 * threads.
 */
final class GeneratedIds {

  private final String prefix;
  private final Set<String> given = new HashSet<>();
  private long generated;

  GeneratedIds(String prefix) {
    this.prefix = prefix;
  }

  /** An id that was neither generated nor given before. */
  String next() {
    String id;
    do {
      id = prefix + ++generated;
    } while (given.contains(id));
    return id;
  }

  /** An id is in use, generated or given. */
  void taken(String id) {
    if (id.startsWith(prefix) && !isGenerated(id)) {
      given.add(id);
    }
  }

  /** Whether it is one of those generated so far, of which nothing needs to be remembered. */
  private boolean isGenerated(String id) {
    try {
      long number = Long.parseLong(id, prefix.length(), id.length(), 10);
      return number > 0 && number <= generated;
    } catch (NumberFormatException notGenerated) {
      return false;
    }
  }
}

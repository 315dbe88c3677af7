package dev.agentreplay.io;

import java.util.HashSet;
import java.util.Set;

/**
 * Ids of the form "call-1", "call-2", none of which was given by others. Not safe for use by
 * several threads.
 */
final class MadeUpIds {

  private final String prefix;
  private final Set<String> given = new HashSet<>();
  private long made;

  MadeUpIds(String prefix) {
    this.prefix = prefix;
  }

  /** An id that was neither made up nor given before. */
  String next() {
    String id;
    do {
      id = prefix + ++made;
    } while (given.contains(id));
    return id;
  }

  /** This id is taken, whoever made it up. */
  void taken(String id) {
    if (id.startsWith(prefix) && !isMade(id)) {
      given.add(id);
    }
  }

  /** Whether it is one of those made so far, of which nothing needs to be remembered. */
  private boolean isMade(String id) {
    try {
      long number = Long.parseLong(id, prefix.length(), id.length(), 10);
      return number > 0 && number <= made;
    } catch (NumberFormatException notMadeUp) {
      return false;
    }
  }
}

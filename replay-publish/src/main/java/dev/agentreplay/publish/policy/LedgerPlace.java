package dev.agentreplay.publish.policy;

import dev.agentreplay.model.json.JsonPointer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** The place in a line that is being treated, for the entries of the ledger. */
final class LedgerPlace {

  /** The name of any member and element in a place. */
  static final String ANY = "*";

  /** The number of names in a place; the rest is {@code **}. */
  private static final int MAX_DEPTH = 8;

  private final RemovalLedger ledger;
  private final String[] names = new String[MAX_DEPTH];

  /** The pointers to members of a line, of which the names are those of policies and dialects. */
  private final Map<String, String> outer = new HashMap<>();

  private String event = ANY;
  private int depth;

  LedgerPlace(RemovalLedger ledger) {
    this.ledger = ledger;
    Arrays.fill(names, ANY);
  }

  /** Begins a line. */
  void begin(String newEvent) {
    event = newEvent;
    depth = 0;
    ledger.line();
  }

  void enter(String name) {
    if (depth < MAX_DEPTH) {
      names[depth] = name;
    }
    depth++;
  }

  void leave() {
    depth--;
  }

  void add(RemovalLedger.Kind kind, String reason) {
    ledger.add(event, pointer(), kind, reason);
  }

  void shown() {
    ledger.shown();
  }

  private String pointer() {
    if (depth == 1) {
      return outer.computeIfAbsent(names[0], name -> "/" + JsonPointer.escape(name));
    }
    StringBuilder pointer = new StringBuilder();
    for (int i = 0; i < Math.min(depth, MAX_DEPTH); i++) {
      pointer.append('/').append(JsonPointer.escape(names[i]));
    }
    return depth > MAX_DEPTH ? pointer.append("/**").toString() : pointer.toString();
  }
}

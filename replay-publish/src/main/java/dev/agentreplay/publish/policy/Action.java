package dev.agentreplay.publish.policy;

import org.jspecify.annotations.Nullable;

/** The decision of a policy on a member. */
enum Action {
  /** The value is shown if it has the form of the member. */
  SHOW("show"),
  /** The value is shown after the text rules, with all texts in it. */
  TEXT("text"),
  /** An id that is equal for equal values is shown in place of the value. */
  ID("id"),
  /** A commitment to the hash is shown in place of the hash. */
  HASH("hash"),
  /** The day of the time is shown in place of the time. */
  DAY("day"),
  /** The value is withheld, and the name of the member is shown. */
  WITHHOLD("withhold"),
  /** The value and the name of the member are withheld. */
  HIDE("hide");

  private final String id;

  Action(String id) {
    this.id = id;
  }

  /** The word in a policy. */
  String id() {
    return id;
  }

  /** Whether nothing of the value is shown, except a placeholder. */
  boolean isWithheld() {
    return this == WITHHOLD || this == HIDE;
  }

  /** The action with this word; null if there is none. */
  static @Nullable Action tryParse(String id) {
    for (Action action : values()) {
      if (action.id.equals(id)) {
        return action;
      }
    }
    return null;
  }
}

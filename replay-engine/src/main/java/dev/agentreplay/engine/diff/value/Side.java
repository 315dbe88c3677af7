package dev.agentreplay.engine.diff.value;

import java.util.Locale;

/** One of the two sessions of a comparison. */
public enum Side {
  LEFT,
  RIGHT;

  /** The text of the constant in messages. */
  String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}

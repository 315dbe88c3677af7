package dev.agentreplay.engine.diff;

/** One of the two sessions of a comparison. */
enum Side {
  LEFT,
  RIGHT
}

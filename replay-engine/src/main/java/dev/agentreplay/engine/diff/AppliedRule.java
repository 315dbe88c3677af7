package dev.agentreplay.engine.diff;

/** A rule of a comparison with the number of places that it applied to. */
public sealed interface AppliedRule permits Results.AppliedRuleData {

  /** The rule in words, such as {@code ignore timestamps}. */
  String rule();

  /** The number of places in the left session that it applied to. */
  long left();

  /** The number of places in the right session that it applied to. */
  long right();
}

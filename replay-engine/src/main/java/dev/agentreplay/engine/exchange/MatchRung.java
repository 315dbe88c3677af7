package dev.agentreplay.engine.exchange;

import java.util.Locale;

/**
 * The rule by which a request of a replay was matched with a recorded exchange of the same lane, in
 * the order in which they are tried.
 */
public enum MatchRung {
  /** The same request, by its canonical form, at its place in the order of the recording. */
  EXACT,
  /**
   * The same request, at a different place: the first with this canonical form that was not used,
   * as among concurrent calls.
   */
  OUT_OF_ORDER,
  /** A request that is equal under the rules of the comparison. */
  RULES,
  /**
   * A model call that adds the same to the prompt of an earlier one as in the recording: what
   * differs was in the earlier prompt, or is the output of an exchange of this replay that differs
   * from the recorded one. The earlier request was matched with the model call that the recorded
   * one continues, or was missed, and that one is the nearest to it.
   */
  DELTA,
  /**
   * A different request of the same tool, or of a model, at the same place; only with
   * {@code OnUnmatched.POSITION}.
   */
  POSITION;

  /** The text of the constant in JSON and in reports. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}

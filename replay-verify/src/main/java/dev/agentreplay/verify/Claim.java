package dev.agentreplay.verify;

import java.util.Locale;

/** What a verification may prove of a session. Stable; more may be added. */
public enum Claim {
  /** The log is what somebody stated of it: in a receipt, or earlier. */
  LOG,
  /** The answered calls are those that the receipt lists. */
  CALLS,
  /** The parameters of calls have the hashes beside them. */
  PARAMS,
  /** The outputs of calls have the hashes beside them. */
  OUTPUTS,
  /** Prompts, answers and payloads have the hashes beside them. */
  PAYLOADS,
  /** Previews follow from the values that they are of. */
  PREVIEWS,
  /** The receipt has the digest that is in it. */
  RECEIPT,
  /** Somebody who is trusted vouches for the log. */
  SIGNER,
  /** The session was recorded to its end. */
  END;

  /** What it is called in reports. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}

package dev.agentreplay.verify;

import dev.agentreplay.model.ContentHash;
import java.util.Objects;

/**
 * A fact about the session that the caller wants to verify, known from elsewhere: a genuine session
 * of the same signer is not the one that is expected. Where it is not so, a verification reports
 * {@link dev.agentreplay.model.finding.FindingCode#EXPECTATION_UNMET}.
 */
public sealed interface Expectation {

  /** Each event that names a session names this one, and at least one does. */
  static Expectation sessionId(String id) {
    return new SessionId(id);
  }

  /** The tree over all lines of the log has this root. */
  static Expectation root(ContentHash root) {
    return new Root(root);
  }

  /**
   * The id of the session.
   *
   * @param id the id
   */
  record SessionId(String id) implements Expectation {

    /** Checks for null. */
    public SessionId {
      Objects.requireNonNull(id, "id");
    }
  }

  /**
   * The root of the tree over all lines of the log.
   *
   * @param root the root
   */
  record Root(ContentHash root) implements Expectation {

    /** Checks for null. */
    public Root {
      Objects.requireNonNull(root, "root");
    }
  }
}

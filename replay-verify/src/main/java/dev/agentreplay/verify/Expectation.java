package dev.agentreplay.verify;

import dev.agentreplay.model.ContentHash;
import java.util.Objects;

/**
 * A fact about the session that the caller knows from elsewhere. It detects a genuine session of
 * the same signer that is not the expected one. A verification reports an expectation that is not
 * met as {@link dev.agentreplay.model.finding.FindingCode#EXPECTATION_UNMET}.
 */
public sealed interface Expectation {

  /** Expects this id in each event that states a session id, and in at least one. */
  static Expectation sessionId(String id) {
    return new SessionId(id);
  }

  /** Expects this root of the Merkle tree over all lines of the log. */
  static Expectation root(ContentHash root) {
    return new Root(root);
  }

  /**
   * The expected id of the session.
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
   * The expected root of the Merkle tree over all lines of the log.
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

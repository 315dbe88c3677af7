package dev.agentreplay.verify;

import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.json.JsonPointer;
import java.util.Objects;

/**
 * A fact about the session that the caller knows from elsewhere, or demands. It detects a genuine
 * session of the same signer that is not the expected one, and a published copy that withholds too
 * much. A verification reports an expectation that is not met as
 * {@link dev.agentreplay.model.finding.FindingCode#EXPECTATION_UNMET}, and a withheld value as
 * {@link dev.agentreplay.model.finding.FindingCode#DISCLOSURE_MISSING}. That a session is not the
 * fork of a recording is a {@link dev.agentreplay.model.finding.FindingCode#PARENT_MISMATCH} or
 * {@link dev.agentreplay.model.finding.FindingCode#FORK_PREFIX_MISMATCH}.
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
   * Expects each event of a kind to show a value as the session has it, and at least one of them to
   * have it. Events that a published copy shows without their type do not meet it, nor does any
   * copy with plain hashes, which prove nothing. A log that is not a published copy shows
   * everything: only a signature tells that it is not a copy whose openings were removed.
   *
   * @param pointer the place of the value in the event, with the names of the log's dialect
   */
  static Expectation shown(EventKind kind, JsonPointer pointer) {
    return new Shown(kind, pointer);
  }

  /**
   * Expects the session to be a {@linkplain dev.agentreplay.model.ForkOrigin fork} of a recording:
   * the recording is not invalid, the Merkle tree (RFC 6962) over its first lines has the head that
   * the fork states, and every exchange and value in them is repeated once, unchanged, and not
   * before a result that it followed.
   *
   * @param parent the recording
   */
  static Expectation forkOf(Session parent) {
    return new ForkOf(parent);
  }

  /**
   * The expected recording from which a session is forked.
   *
   * @param parent the recording
   */
  record ForkOf(Session parent) implements Expectation {

    /** Checks for null. */
    public ForkOf {
      Objects.requireNonNull(parent, "parent");
    }
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

  /**
   * A value that a published copy is expected to show.
   *
   * @param kind the kind of the events
   * @param pointer the place of the value in the event, with the names of the log's dialect
   */
  record Shown(EventKind kind, JsonPointer pointer) implements Expectation {

    /** Checks for null. */
    public Shown {
      Objects.requireNonNull(kind, "kind");
      Objects.requireNonNull(pointer, "pointer");
    }
  }
}

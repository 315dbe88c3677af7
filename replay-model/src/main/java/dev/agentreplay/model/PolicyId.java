package dev.agentreplay.model;

import java.util.Objects;

/**
 * The id of the policy that a session ran under. Specification 000 calls it a version, 001 a
 * bundle.
 *
 * @param id the id
 * @param form the member in which the id was read, or is to be written
 */
public record PolicyId(String id, Form form) {

  /** The member that holds the id of a policy. */
  public enum Form {
    /** {@code policy_version}. */
    VERSION,
    /** {@code policy_bundle_id}. */
    BUNDLE
  }

  /** Checks for null. */
  public PolicyId {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(form, "form");
  }

  /** Creates the id of a policy version. */
  public static PolicyId version(String id) {
    return new PolicyId(id, Form.VERSION);
  }

  /** Creates the id of a policy bundle. */
  public static PolicyId bundle(String id) {
    return new PolicyId(id, Form.BUNDLE);
  }
}

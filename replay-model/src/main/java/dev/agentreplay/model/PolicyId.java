package dev.agentreplay.model;

import java.util.Objects;

/**
 * The policy a session ran under. Specification 000 calls it a version, 001 a bundle.
 *
 * @param id its name
 * @param form which of the two the writer meant
 */
public record PolicyId(String id, Form form) {

  /** How a policy is named. */
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

  /** A policy named by its version. */
  public static PolicyId version(String id) {
    return new PolicyId(id, Form.VERSION);
  }

  /** A policy named by its bundle. */
  public static PolicyId bundle(String id) {
    return new PolicyId(id, Form.BUNDLE);
  }
}

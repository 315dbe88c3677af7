package dev.agentreplay.model.internal;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Makes SHA-256 digests. */
public final class Sha256 {

  private Sha256() {}

  /** A new digest. */
  public static MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** A digest that has seen what another one has seen so far. */
  public static MessageDigest copyOf(MessageDigest digest) {
    try {
      return (MessageDigest) digest.clone();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("the platform's SHA-256 cannot be copied", e);
    }
  }
}

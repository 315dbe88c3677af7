package dev.agentreplay.io.recording;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.signature.Signature;
import dev.agentreplay.model.signature.Signer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Signs by hashing, which says what was signed; may be out of reach. */
final class HashingSigner implements Signer {

  private boolean isAway;
  private boolean isBroken;

  /** Whether it cannot sign now. */
  void setAway(boolean newIsAway) {
    isAway = newIsAway;
  }

  /** Makes it fail as it should not. */
  void setBroken() {
    isBroken = true;
  }

  @Override
  public String algorithm() {
    return Signature.ED25519;
  }

  @Override
  public String keyId() {
    return "k";
  }

  @Override
  public byte[] sign(byte[] message) throws IOException {
    if (isAway) {
      throw new IOException("the device is away");
    }
    if (isBroken) {
      throw new IllegalStateException("broken");
    }
    return value(message);
  }

  static byte[] value(byte[] message) {
    return ContentHash.sha256(message).hex().getBytes(StandardCharsets.US_ASCII);
  }
}

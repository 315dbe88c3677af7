package dev.agentreplay.io.log;

import dev.agentreplay.model.ContentHash;
import java.io.OutputStream;
import java.security.MessageDigest;

/**
 * Computes the SHA-256 of the bytes written to it, and returns it at any time. Not safe for use by
 * several threads.
 */
final class RunningHash extends OutputStream {

  private final MessageDigest digest = ContentHash.newDigest();

  @Override
  public void write(int b) {
    digest.update((byte) b);
  }

  @Override
  public void write(byte[] bytes, int from, int length) {
    digest.update(bytes, from, length);
  }

  /** The hash of the bytes so far. */
  ContentHash toHash() {
    return ContentHash.of(ContentHash.copyOf(digest).digest());
  }
}

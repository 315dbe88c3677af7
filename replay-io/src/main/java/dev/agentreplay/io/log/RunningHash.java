package dev.agentreplay.io.log;

import dev.agentreplay.model.ContentHash;
import java.io.OutputStream;
import java.security.MessageDigest;

/** The SHA-256 of all bytes that are written to it, at any time. Not safe for several threads. */
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

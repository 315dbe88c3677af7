package dev.agentreplay.mcp;

import dev.agentreplay.model.ContentHash;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * Forwards the lines of one side, each after it is recorded. A line that is too long to be kept is
 * forwarded in pieces, and recorded as a gap with its length and hash before its last piece.
 */
final class Relay implements LineFeed.Lines {

  /** The receiver of the lines has closed its end. */
  static final class ReceiverClosedException extends IOException {
    private static final long serialVersionUID = 1;

    ReceiverClosedException(IOException cause) {
      super(cause);
    }
  }

  private final Side sender;
  private final MessageRecording recording;
  private final OutputStream to;
  private @Nullable MessageDigest hash;
  private long length;

  Relay(Side sender, MessageRecording recording, OutputStream to) {
    this.sender = sender;
    this.recording = recording;
    this.to = to;
  }

  @Override
  public void line(Line line) throws IOException {
    recording.addBeforeForwarding(sender, line::text, recording.nanoTime());
    try {
      line.writeTo(to);
      to.flush();
    } catch (IOException e) {
      throw new ReceiverClosedException(e);
    }
  }

  @Override
  public void piece(byte[] bytes, int from, int to, boolean isLast) throws IOException {
    recording.requireShort(sender);
    MessageDigest digest = hash == null ? sha256() : hash;
    hash = digest;
    digest.update(bytes, from, to - from);
    length += to - from;
    if (isLast) {
      recording.skip(sender, length, ContentHash.of(digest.digest()));
      hash = null;
      length = 0;
    }
    try {
      this.to.write(bytes, from, to - from);
      this.to.flush();
    } catch (IOException e) {
      throw new ReceiverClosedException(e);
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JDK has it
    }
  }

  @Override
  public void end() throws IOException {
    try {
      to.close();
    } catch (IOException e) {
      throw new ReceiverClosedException(e);
    }
  }
}

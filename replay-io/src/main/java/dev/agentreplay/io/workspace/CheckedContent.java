package dev.agentreplay.io.workspace;

import dev.agentreplay.model.ContentHash;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.security.MessageDigest;

/** A stream that fails at its end if its bytes do not have the expected hash. */
final class CheckedContent extends FilterInputStream {

  private final MessageDigest digest = ContentHash.newDigest();
  private final Path file;
  private final ContentHash expected;
  private boolean isChecked;

  CheckedContent(InputStream in, Path file, ContentHash expected) {
    super(in);
    this.file = file;
    this.expected = expected;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int read = super.read(bytes, offset, length);
    if (read > 0) {
      digest.update(bytes, offset, read);
    } else if (read < 0 && !isChecked) {
      isChecked = true;
      ContentHash found = ContentHash.of(digest.digest());
      if (!found.equals(expected)) {
        throw new IOException("%s: the bytes have the hash %s".formatted(file, found));
      }
    }
    return read;
  }

  @Override
  public long skip(long count) throws IOException {
    byte[] skipped = new byte[(int) Math.min(Math.max(count, 0), 8_192)];
    return Math.max(0, read(skipped, 0, skipped.length));
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}

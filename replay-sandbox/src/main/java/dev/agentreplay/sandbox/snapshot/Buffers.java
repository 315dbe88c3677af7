package dev.agentreplay.sandbox.snapshot;

import dev.agentreplay.model.ContentHash;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Buffers for the contents of small files, as many as there are threads that use them. */
final class Buffers {

  /** The length up to which a file is read into memory. */
  static final int SMALL_BYTES = 1 << 20;

  private static final Set<OpenOption> READ =
      Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

  private final Queue<ByteBuffer> idle = new ConcurrentLinkedQueue<>();

  /** Returns an empty buffer with room for one byte more than a small file has. */
  ByteBuffer acquire() {
    ByteBuffer buffer = idle.poll();
    return buffer == null ? ByteBuffer.allocate(SMALL_BYTES + 1) : buffer.clear();
  }

  void release(ByteBuffer buffer) {
    idle.add(buffer);
  }

  /** Reads a file, which must not be a link; a file that is not small fills the buffer. */
  static void read(Path file, ByteBuffer buffer) throws IOException {
    try (SeekableByteChannel in = Files.newByteChannel(file, READ)) {
      int read = 0;
      while (read >= 0 && buffer.hasRemaining()) {
        read = in.read(buffer);
      }
    }
    buffer.flip();
  }

  /** The hash of the bytes of a buffer, whose position is kept. */
  static ContentHash hash(ByteBuffer buffer) {
    MessageDigest digest = ContentHash.newDigest();
    digest.update(buffer.duplicate());
    return ContentHash.of(digest.digest());
  }
}

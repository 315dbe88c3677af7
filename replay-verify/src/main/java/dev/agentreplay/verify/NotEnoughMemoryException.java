package dev.agentreplay.verify;

import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.finding.Position;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a session cannot be verified because a line of it, or its receipt, takes more memory
 * than is available. The message gives the position. A larger heap ({@code java -Xmx}) helps or,
 * for deeply nested values, a larger stack ({@code java -Xss}).
 */
public final class NotEnoughMemoryException extends IOException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception of one session.
   *
   * @param line the position of the line being verified; null when it is not about a line
   * @param bytes the length of the line in bytes; 0 when it is not known
   * @param cause an {@link OutOfMemoryError} or a {@link StackOverflowError}
   */
  NotEnoughMemoryException(
      Session session, @Nullable Position line, long bytes, VirtualMachineError cause) {
    super(
        "%s: %s takes more memory than %s"
            .formatted(session.log(), subject(line, bytes), available(cause)),
        cause);
  }

  private static String subject(@Nullable Position line, long bytes) {
    if (line == null) {
      return "the session";
    }
    return bytes == 0 ? line + ": the line" : "%s: the line, of %,d bytes,".formatted(line, bytes);
  }

  private static String available(VirtualMachineError cause) {
    return cause instanceof StackOverflowError
        ? "the stack of a thread (java -Xss) has"
        : "the heap (java -Xmx) has, which is of %,d MiB"
            .formatted(Runtime.getRuntime().maxMemory() >> 20);
  }
}

package dev.agentreplay.convert;

import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the values of blobs that are embedded in a log, up to a total number of bytes. A blob
 * that consecutive events refer to is read once.
 */
final class EmbeddedBlobs implements Function<Content, @Nullable JsonValue> {

  private final Session session;
  private final long maxBytes;
  private long bytes;
  private @Nullable BlobRef last;
  private @Nullable JsonValue value;

  EmbeddedBlobs(Session session, long maxBytes) {
    this.session = session;
    this.maxBytes = maxBytes;
  }

  /**
   * Returns the value of a content, or null if its blob is missing.
   *
   * @throws UncheckedIOException if the blob cannot be read or exceeds the limit
   */
  @Override
  public @Nullable JsonValue apply(Content content) {
    try {
      return resolve(content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private @Nullable JsonValue resolve(Content content) throws IOException {
    BlobRef ref = content.blob();
    if (ref == null || session.blob(ref.blob()) == null) {
      return content.value();
    }
    if (ref.bytes() > maxBytes - bytes) {
      throw new ConvertLimitException(ref, bytes, maxBytes);
    }
    if (!ref.equals(last) || (content.hash() != null && !content.hash().equals(ref.blob()))) {
      value = session.resolve(content);
      last = ref;
    }
    bytes += ref.bytes();
    return value;
  }
}

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
 * The values of blobs that are written into a log, up to a number of bytes in all. A blob that
 * several events in a row refer to is read once.
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
   * The value of a content, or null if its blob is not there.
   *
   * @throws UncheckedIOException if it cannot be read, or is beyond the limit
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

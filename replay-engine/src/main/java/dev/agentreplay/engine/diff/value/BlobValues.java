package dev.agentreplay.engine.diff.value;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The values of a session's contents, with a cache of the most recently used blobs, because many
 * events may refer to the same blob and equal references must have the same value. Not safe for use
 * by several threads.
 */
public final class BlobValues {

  /** The most bytes of cached blobs; they take several times that in memory. */
  private static final long MAX_BYTES = 2 << 20;

  private final Session session;
  private final CanonicalJson canonical;
  private final RecentlyUsed<BlobKey, Blob> blobs = new RecentlyUsed<>(MAX_BYTES);

  public BlobValues(Session session, CanonicalJson canonical) {
    this.session = session;
    this.canonical = canonical;
  }

  /** A reference of an event to a blob. */
  public record BlobKey(ContentHash hash, long bytes) {

    /**
     * Returns the blob that holds the value of a content; null when the content has its value in
     * the log, has no blob, or states a hash different from that of the blob.
     */
    public static @Nullable BlobKey of(Content content) {
      BlobRef ref = content.blob();
      return content.value() != null
              || ref == null
              || (content.hash() != null && !content.hash().equals(ref.blob()))
          ? null
          : new BlobKey(ref.blob(), ref.bytes());
    }
  }

  private static final class Blob {
    private final JsonValue value;
    private @Nullable ContentHash comparable;

    Blob(JsonValue value) {
      this.value = value;
    }
  }

  /**
   * Returns the value of a content as {@link Session#resolve(Content)} does; null when there is
   * none.
   */
  @Nullable
  public JsonValue resolve(Content content) throws IOException {
    Blob blob = blob(content);
    return blob == null ? session.resolve(content) : blob.value;
  }

  /** Returns the hash by which the value of a content is compared; null when there is no value. */
  @Nullable
  public ContentHash comparable(Content content) throws IOException {
    Blob blob = blob(content);
    if (blob == null) {
      JsonValue value = session.resolve(content);
      return value == null ? null : CanonicalJson.comparableHash(value, canonical);
    }
    if (blob.comparable == null) {
      blob.comparable = CanonicalJson.comparableHash(blob.value, canonical);
    }
    return blob.comparable;
  }

  /**
   * Returns the blob of a content; null when the content does not refer to one, or the blob is
   * missing or cannot be read.
   */
  private @Nullable Blob blob(Content content) throws IOException {
    BlobKey key = BlobKey.of(content);
    if (key == null) {
      return null;
    }
    Blob known = blobs.get(key);
    if (known == null) {
      blobs.makeRoom(key.bytes());
      JsonValue value = session.resolve(content);
      if (value == null) {
        return null;
      }
      known = new Blob(value);
      blobs.put(key, known, key.bytes());
    }
    return known;
  }
}

package dev.agentreplay.canonical;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Parses many texts to documents with the buffers of one parser, which is faster for short ones
 * than {@link JsonDocument#parse(byte[], int, int)} and returns the same. Closing it returns the
 * buffers to a pool; it can be used again afterwards. Not safe for use by several threads.
 */
public final class DocumentParser implements AutoCloseable {

  private @Nullable JsonParser parser;

  /** The thread that used the parser last. */
  private @Nullable Thread user;

  /** Creates a parser without buffers. */
  public DocumentParser() {}

  /**
   * Parses one value from a range of an array like {@link JsonDocument#parse(byte[], int, int)}.
   *
   * @param from the index of the first byte
   * @param to the index after the last byte
   * @throws JsonSyntaxException if the range is not one JSON value
   * @throws IndexOutOfBoundsException if the range is out of bounds
   */
  public JsonDocument parse(byte[] utf8, int from, int to) {
    Objects.checkFromToIndex(from, to, utf8.length);
    JsonParser used = parser;
    if (used == null) {
      used = JsonParser.acquire();
      parser = used;
    }
    user = Thread.currentThread();
    try {
      return JsonDocument.parse(used, utf8, from, to);
    } finally {
      used.clear();
    }
  }

  /**
   * Returns the buffers to the pool. If another thread has used them last, it may still do so,
   * against the contract of this class, and they are not returned.
   */
  @Override
  public void close() {
    JsonParser used = parser;
    parser = null;
    if (used != null && user == Thread.currentThread()) {
      used.giveBack();
    }
    user = null;
  }
}

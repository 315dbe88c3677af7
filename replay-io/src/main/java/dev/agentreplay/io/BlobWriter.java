package dev.agentreplay.io;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Preview;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Puts values that are too large for a log beside it. Safe for use by several threads. */
final class BlobWriter {

  /** The longest number in any canonical form has fewer bytes, unless its text has more. */
  private static final int MAX_NUMBER_BYTES = 32;

  /** The longest form of a UTF-16 unit in JSON is that of a control character. */
  private static final long MAX_CHARACTER_BYTES = 6;

  private final BlobStore store;
  private final CanonicalJson canonical;
  private final long threshold;

  /**
   * A writer of blobs.
   *
   * @param threshold how many bytes of canonical JSON a log may hold itself
   */
  BlobWriter(BlobStore store, CanonicalJson canonical, long threshold) {
    this.store = store;
    this.canonical = canonical;
    this.threshold = threshold;
  }

  /**
   * What to write into the log and beside it for an event, or null if its content is small, so that
   * the event is written as it is. Nothing is kept yet.
   *
   * @param with makes the event with another content
   * @throws IllegalArgumentException if the value has another hash than the content says, none
   *     because an integer would be rounded, or is too large to be read again
   */
  @Nullable
  LargeEvent prepare(Content content, Function<Content, ReplayEvent> with) {
    JsonValue value = content.value();
    if (value == null || content.blob() != null || isSurelySmall(value)) {
      return null;
    }
    byte[] bytes = canonical.bytes(value);
    if (bytes.length <= threshold) {
      return null;
    }
    requireReadable(bytes.length);
    ContentHash hash = ContentHash.sha256(bytes);
    if (content.hash() != null && !content.hash().equals(hash)) {
      throw new IllegalArgumentException(
          "the hash is given as %s, but the value has %s".formatted(content.hash(), hash));
    }
    String preview = content.preview() == null ? preview(value, bytes) : content.preview();
    BlobRef ref = BlobRef.of(hash, bytes.length);
    return new LargeEvent(with.apply(new Content(null, hash, ref, preview)), ref, bytes);
  }

  /** Fails if a blob of some length could be kept, but not be read again. */
  static void requireReadable(int bytes) {
    if (bytes > BlobStore.LIMITS.maxBytes()) {
      throw new IllegalArgumentException("a value must have at most %d bytes of canonical JSON: %d"
          .formatted(BlobStore.LIMITS.maxBytes(), bytes));
    }
  }

  private static String preview(JsonValue value, byte[] bytes) {
    return Preview.ofOutput(
        value instanceof JsonString string
            ? string.value()
            : new String(bytes, StandardCharsets.UTF_8));
  }

  /** Whether the value is small whatever is in its strings, so that it need not be written. */
  private boolean isSurelySmall(JsonValue value) {
    return room(value, threshold) >= 0;
  }

  /** What is left of some room when a value has taken the most it may need; negative if less. */
  private static long room(JsonValue value, long before) {
    long room = before;
    if (value instanceof JsonString string) {
      return room - most(string.value());
    }
    if (value instanceof JsonNumber number) {
      return room - Math.max(number.text().length(), MAX_NUMBER_BYTES);
    }
    if (value instanceof JsonObject object) {
      room -= 2;
      for (int i = 0; i < object.size() && room >= 0; i++) {
        room = room(object.value(i), room - most(object.name(i)) - 2);
      }
      return room;
    }
    if (value instanceof JsonArray array) {
      room -= 2;
      for (int i = 0; i < array.size() && room >= 0; i++) {
        room = room(array.get(i), room - 1);
      }
      return room;
    }
    return room - value.toString().length(); // true, false, null
  }

  private static long most(String text) {
    return text.length() * MAX_CHARACTER_BYTES + 2;
  }

  /** An event whose value belongs beside the log. */
  final class LargeEvent {
    private final ReplayEvent event;
    private final BlobRef ref;
    private final byte[] bytes;

    private LargeEvent(ReplayEvent event, BlobRef ref, byte[] bytes) {
      this.event = event;
      this.ref = ref;
      this.bytes = bytes;
    }

    /** The event that refers to the value. */
    ReplayEvent event() {
      return event;
    }

    /** Keeps the value. It does no harm when the event is not written after all. */
    void keep() throws IOException {
      store.write(ref, bytes);
    }
  }
}

package dev.agentreplay.io.recording;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.io.session.BlobCheck;
import dev.agentreplay.io.session.BlobStore;
import dev.agentreplay.io.session.PreviewText;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
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

  /** Blobs that the caller named and that were found to be as it said. */
  private final Map<BlobRef, BlobCheck> sound = BlobCheck.newCache();

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
   * What to write into the log and beside it for an event, or null if nothing of it belongs beside
   * the log, so that the event is written as it is. Nothing is kept yet.
   *
   * @param with makes the event with another content
   * @param mayMove whether a large value goes into a blob; else it is checked, and stays
   * @throws IllegalArgumentException if the value has another hash or preview than the content
   *     says, another hash than the blob that the content names, none because an integer would be
   *     rounded, or is too large to be read again
   */
  @Nullable
  LargeEvent prepare(Content content, Function<Content, ReplayEvent> with, boolean mayMove) {
    BlobRef named = content.blob();
    if (named != null) {
      return referring(content, named, with.apply(content));
    }
    JsonValue value = content.value();
    if (value == null || (content.preview() == null && (!mayMove || isSurelySmall(value)))) {
      return null;
    }
    byte[] bytes = canonical.bytes(value);
    requirePreview(content, value, bytes);
    if (!mayMove || bytes.length <= threshold) {
      return null;
    }
    requireReadable(bytes.length);
    ContentHash hash = ContentHash.sha256(bytes);
    if (content.hash() != null && !content.hash().equals(hash)) {
      throw new IllegalArgumentException(
          "the hash is given as %s, but the value has %s".formatted(content.hash(), hash));
    }
    BlobRef ref = BlobRef.of(hash, bytes.length);
    Content kept = new Content(null, hash, ref, PreviewText.of(value, bytes));
    return new LargeEvent(with.apply(kept), () -> store.write(ref, bytes));
  }

  /** An event that names a blob itself, which is checked if it is there. */
  private LargeEvent referring(Content content, BlobRef named, ReplayEvent event) {
    JsonValue value = content.value();
    ContentHash hash = content.hash();
    if (value != null) {
      byte[] bytes = canonical.bytes(value);
      requirePreview(content, value, bytes);
      hash = ContentHash.sha256(bytes);
    }
    if (hash != null && !hash.equals(named.blob())) {
      throw new IllegalArgumentException(
          "the blob is given as %s, but the hash of the value is %s".formatted(named.blob(), hash));
    }
    return new LargeEvent(event, () -> requireSound(content, named));
  }

  private static void requirePreview(Content content, JsonValue value, byte[] bytes) {
    String given = content.preview();
    if (given != null) {
      String preview = PreviewText.of(value, bytes);
      if (!given.equals(preview)) {
        throw wrongPreview(given, Excerpt.of(preview));
      }
    }
  }

  /**
   * Fails if the blob that a content names is there and is not as the content says.
   *
   * @throws IOException if its bytes have another hash than its name
   */
  private void requireSound(Content content, BlobRef named) throws IOException {
    BlobCheck check = sound.get(named);
    if (check == null) {
      Path file = store.find(named.blob());
      if (file == null) {
        return;
      }
      check = BlobCheck.read(file, named, canonical);
      if (check instanceof BlobCheck.Faulty faulty) {
        if (faulty.found() != null) {
          throw new IOException(file + ": " + faulty.detail());
        }
        throw new IllegalArgumentException(faulty.detail());
      }
      sound.put(named, check);
    }
    String given = content.preview();
    PreviewText preview = check instanceof BlobCheck.Sound found ? found.preview() : null;
    if (given != null && preview != null && !preview.is(given)) {
      throw wrongPreview(given, preview.start());
    }
  }

  private static IllegalArgumentException wrongPreview(String given, String start) {
    return new IllegalArgumentException("the preview is given as \"%s\", but the value has \"%s\""
        .formatted(Excerpt.of(given), start));
  }

  /** Fails if a blob of some length could be kept, but not be read again. */
  static void requireReadable(int bytes) {
    if (bytes > BlobStore.LIMITS.maxBytes()) {
      throw new IllegalArgumentException("a value must have at most %d bytes of canonical JSON: %d"
          .formatted(BlobStore.LIMITS.maxBytes(), bytes));
    }
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
  static final class LargeEvent {
    private final ReplayEvent event;
    private final Keeping keeping;

    private LargeEvent(ReplayEvent event, Keeping keeping) {
      this.event = event;
      this.keeping = keeping;
    }

    /** The event that refers to the value. */
    ReplayEvent event() {
      return event;
    }

    /**
     * Keeps the value, or checks the one that is there. It does no harm when the event is not
     * written after all.
     *
     * @throws IllegalArgumentException if the blob that the event names is not as the event says
     */
    void keep() throws IOException {
      keeping.keep();
    }
  }

  private interface Keeping {
    void keep() throws IOException;
  }
}

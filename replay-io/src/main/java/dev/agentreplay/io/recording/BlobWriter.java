package dev.agentreplay.io.recording;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.session.BlobCheck;
import dev.agentreplay.io.session.BlobStore;
import dev.agentreplay.io.session.PreviewText;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.StreamPreviews;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.check.EventRules;
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

/**
 * Stores values that are too large for the log in blobs next to it. Safe for use by several
 * threads.
 */
final class BlobWriter {

  /** The maximum length of a number in any canonical form, unless its text is longer. */
  private static final int MAX_NUMBER_BYTES = 32;

  /** The maximum length of a UTF-16 unit in JSON, which is that of an escaped control character. */
  private static final long MAX_CHARACTER_BYTES = 6;

  private final BlobStore store;
  private final CanonicalJson canonical;
  private final long threshold;

  /** The blobs that callers referred to and that matched the reference. */
  private final Map<BlobRef, BlobCheck> sound = BlobCheck.newCache();

  /**
   * Creates a writer of blobs.
   *
   * @param threshold the maximum length of a value in the log, in bytes of canonical JSON
   */
  BlobWriter(BlobStore store, CanonicalJson canonical, long threshold) {
    this.store = store;
    this.canonical = canonical;
    this.threshold = threshold;
  }

  /**
   * Prepares an event for a log and a blob for its value; returns null if the event needs no blob.
   * Nothing is stored yet.
   *
   * @throws IllegalArgumentException as {@link #prepare(Content, Function, boolean)} throws it
   */
  @Nullable
  LargeEvent prepare(ReplayEvent event, Dialect dialect) {
    boolean mayMove = !dialect.requiresContent(event.kind());
    Content content = event.content();
    if (event instanceof ToolCall call) {
      return prepare(content, call::withParams, mayMove);
    } else if (event instanceof ToolResult result) {
      return prepare(content, output -> withStreams(result, output), mayMove);
    } else if (event instanceof ModelCall call) {
      return prepare(content, call::withPrompt, mayMove);
    } else if (event instanceof ModelResult result) {
      return prepare(content, result::withAnswer, mayMove);
    } else if (event instanceof RuntimeEvent runtime) {
      return prepare(content, runtime::withPayload, mayMove);
    }
    return null;
  }

  /** A result with a content of its output; of one that is not in the log, with its previews. */
  private static ToolResult withStreams(ToolResult result, Content output) {
    Outcome outcome = result.outcome();
    if (output.value() != null || result.output().value() == null) {
      return result.withOutput(output);
    }
    StreamPreviews streams = StreamPreviews.of(result.output().value());
    return result
        .withOutput(output)
        .withOutcome(outcome.withStreams(outcome.streams().or(streams)));
  }

  /**
   * Prepares an event for the log and a blob for its value; returns null if the event needs no blob
   * and is written unchanged. Nothing is stored yet.
   *
   * @param with creates the event with different content
   * @param mayMove whether a large value may be moved to a blob; otherwise it is checked, and stays
   * @throws IllegalArgumentException if hash or preview of the value differ from the content, its
   *     hash differs from that of the blob to which the content refers, an integer would be rounded
   *     so that it has no hash, or it is too large to be read again
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
    requireReadable(with.apply(content).kind(), bytes.length);
    ContentHash hash = ContentHash.sha256(bytes);
    if (content.hash() != null && !content.hash().equals(hash)) {
      throw new IllegalArgumentException(
          "the hash is given as %s, but the value has %s".formatted(content.hash(), hash));
    }
    BlobRef ref = BlobRef.of(hash, bytes.length);
    Content kept = new Content(null, hash, ref, PreviewText.of(value, bytes));
    return new LargeEvent(with.apply(kept), () -> store.write(ref, bytes));
  }

  /** An event that refers to a blob itself, which is checked if it exists. */
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
    return new LargeEvent(event, () -> requireSound(event, named));
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
   * Fails if the blob to which an event refers exists and differs from the event.
   *
   * @throws IOException if the hash of its bytes differs from its name
   */
  private void requireSound(ReplayEvent event, BlobRef named) throws IOException {
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
    if (check instanceof BlobCheck.Sound found) {
      String given = event.content().preview();
      PreviewText preview = found.preview();
      if (given != null && preview != null && !preview.is(given)) {
        throw wrongPreview(given, preview.start());
      }
      if (found.textLength() != null) {
        LogAppender.requireNone(event, EventRules.checkTextLength(event, found.textLength()));
      }
    }
  }

  private static IllegalArgumentException wrongPreview(String given, String start) {
    return new IllegalArgumentException("the preview is given as \"%s\", but the value has \"%s\""
        .formatted(Excerpt.of(given), start));
  }

  /** Fails if a blob of some length could be stored, but not read again. */
  static void requireReadable(EventKind kind, int bytes) {
    if (bytes > BlobStore.LIMITS.maxBytes()) {
      throw new IllegalArgumentException(
          "%s: %s must have at most %d bytes of canonical JSON, the limit of a blob: %d"
              .formatted(kind.id(), kind.contentName(), BlobStore.LIMITS.maxBytes(), bytes));
    }
  }

  /** Whether a value is longer than the threshold. */
  boolean isLarge(JsonValue value) {
    return !isSurelySmall(value) && canonical.bytes(value).length > threshold;
  }

  /**
   * Whether the value is below the threshold whatever its strings contain, so that it need not be
   * encoded.
   */
  private boolean isSurelySmall(JsonValue value) {
    return room(value, threshold) >= 0;
  }

  /**
   * The space that is left after a value of the maximum length it may need; negative if it does not
   * fit.
   */
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

  /** An event whose value is stored in a blob. */
  static final class LargeEvent {
    private final ReplayEvent event;
    private final Keeping keeping;

    private LargeEvent(ReplayEvent event, Keeping keeping) {
      this.event = event;
      this.keeping = keeping;
    }

    /** The event that refers to the blob. */
    ReplayEvent event() {
      return event;
    }

    /**
     * Stores the blob, or checks the existing one. If the event is not written afterwards, the blob
     * is harmless.
     *
     * @throws IllegalArgumentException if the blob to which the event refers differs from the event
     */
    void keep() throws IOException {
      keeping.keep();
    }
  }

  private interface Keeping {
    void keep() throws IOException;
  }
}

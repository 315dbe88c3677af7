package dev.agentreplay.io.session;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.ContentHash;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of comparing a blob with a reference to it.
 *
 * @param outcome what it is
 * @param detail why it is faulty, or was not parsed; else null
 * @param found the hash that it has instead of the stated one; null where it has that, or was not
 *     hashed
 * @param preview that of its value; null when it is not sound, or was not parsed
 */
public record BlobCheck(
    Outcome outcome,
    @Nullable String detail,
    @Nullable ContentHash found,
    @Nullable PreviewText preview) {

  /** The result for a blob that is missing. */
  public static final BlobCheck ABSENT = new BlobCheck(Outcome.ABSENT, null, null, null);

  /** As much as a line may have: a larger blob is hashed as a stream, and not parsed. */
  private static final int MAX_PARSED_BYTES = JsonLimits.defaults().maxBytes();

  private static final int MAX_CACHED = 1_024;

  /** Whether a blob is as the reference says. */
  public enum Outcome {
    /** It has the length and the hash that are stated, and is canonical JSON. */
    SOUND,
    /** It has the length and the hash that are stated, and is too large to be parsed. */
    UNPARSED,
    /** It is missing. */
    ABSENT,
    /** It has another length or hash, or is no canonical JSON. */
    FAULTY
  }

  /** A cache of the last 1,024 results that were used; safe for use by several threads. */
  public static Map<BlobRef, BlobCheck> newCache() {
    return Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
      @Override
      protected boolean removeEldestEntry(Map.Entry<BlobRef, BlobCheck> eldest) {
        return size() > MAX_CACHED;
      }
    });
  }

  /**
   * Compares a file with a reference to it.
   *
   * @param canonical the canonicalization of the log; null when it is not known, and then only the
   *     bytes are looked at
   */
  public static BlobCheck of(Path file, BlobRef stated, @Nullable CanonicalJson canonical)
      throws IOException {
    long size = Files.size(file);
    if (size != stated.bytes()) {
      return faulty("the reference says %d bytes, but the blob %s has %d"
          .formatted(stated.bytes(), stated.blob(), size));
    }
    if (size > MAX_PARSED_BYTES) {
      return ofLarge(file, stated);
    }
    try (InputStream in = RegularFiles.open(file)) {
      return ofBytes(in.readNBytes((int) size), stated, canonical);
    }
  }

  private static BlobCheck ofBytes(
      byte[] bytes, BlobRef stated, @Nullable CanonicalJson canonical) {
    ContentHash found = ContentHash.sha256(bytes);
    if (!found.equals(stated.blob())) {
      return ofOtherHash(stated, found);
    }
    if (canonical != null && !isCanonical(bytes, canonical)) {
      return faulty("the blob %s is not the canonical JSON of a value".formatted(stated.blob()));
    }
    return new BlobCheck(Outcome.SOUND, null, null, PreviewText.ofJson(bytes));
  }

  private static BlobCheck ofLarge(Path file, BlobRef stated) throws IOException {
    // a file that grows has another hash, and is not read for ever
    long most = stated.bytes() + 1;
    ContentHash found =
        RegularFiles.measure(file, most, OutputStream.nullOutputStream()).blob();
    if (!found.equals(stated.blob())) {
      return ofOtherHash(stated, found);
    }
    String detail = "the blob %s has its hash; its %d bytes are not parsed, which is done up to %d"
        .formatted(stated.blob(), stated.bytes(), MAX_PARSED_BYTES);
    return new BlobCheck(Outcome.UNPARSED, detail, null, null);
  }

  private static BlobCheck ofOtherHash(BlobRef stated, ContentHash found) {
    String detail = "the blob %s has the hash %s".formatted(stated.blob(), found);
    return new BlobCheck(Outcome.FAULTY, detail, found, null);
  }

  /** A blob that is not what the reference says. */
  public static BlobCheck faulty(String detail) {
    return new BlobCheck(Outcome.FAULTY, detail, null, null);
  }

  private static boolean isCanonical(byte[] bytes, CanonicalJson canonical) {
    try {
      return canonical.isCanonical(bytes);
    } catch (JsonSyntaxException notJson) {
      return false;
    }
  }

  /** Whether the blob is there and was found to be what the reference says. */
  public boolean isSound() {
    return outcome == Outcome.SOUND;
  }

  /** Whether the blob is there and is not what the reference says. */
  public boolean isFaulty() {
    return outcome == Outcome.FAULTY;
  }
}

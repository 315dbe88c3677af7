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

/** The result of comparing a blob with a reference to it. Immutable. */
public sealed interface BlobCheck
    permits BlobCheck.Sound, BlobCheck.Unparsed, BlobCheck.Absent, BlobCheck.Faulty {

  /**
   * The blob has the length and the hash that are stated, and is canonical JSON as far as the
   * canonicalization is known.
   *
   * @param preview that of its value; null if it is not JSON
   */
  record Sound(@Nullable PreviewText preview) implements BlobCheck {}

  /**
   * The blob has the length and the hash that are stated, and is too large to be parsed.
   *
   * @param detail the same, for people
   */
  record Unparsed(String detail) implements BlobCheck {}

  /** The blob is missing. */
  record Absent() implements BlobCheck {}

  /**
   * The blob has another length or hash, cannot be read, or is not canonical JSON.
   *
   * @param detail the same, for people
   * @param found the hash that it has instead of the stated one; null where it has that, or was not
   *     hashed
   */
  record Faulty(String detail, @Nullable ContentHash found) implements BlobCheck {}

  /** A cache of the last 1,024 results that were used; safe for use by several threads. */
  static Map<BlobRef, BlobCheck> newCache() {
    return Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
      @Override
      protected boolean removeEldestEntry(Map.Entry<BlobRef, BlobCheck> eldest) {
        return size() > 1_024;
      }
    });
  }

  /**
   * Compares a file with a reference to it.
   *
   * @param canonical the canonicalization of the log; null when it is not known, and then only the
   *     bytes are looked at
   */
  static BlobCheck read(Path file, BlobRef stated, @Nullable CanonicalJson canonical)
      throws IOException {
    long size = Files.size(file);
    if (size != stated.bytes()) {
      return faulty("the reference says %d bytes, but the blob %s has %d"
          .formatted(stated.bytes(), stated.blob(), size));
    }
    int most = JsonLimits.defaults().maxBytes(); // as much as a line may have
    if (size > most) {
      return ofLarge(file, stated, most);
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
    return new Sound(PreviewText.ofJson(bytes));
  }

  private static BlobCheck ofLarge(Path file, BlobRef stated, int mostParsed) throws IOException {
    // a file that grows has another hash, and is not read for ever
    long most = stated.bytes() + 1;
    ContentHash found =
        RegularFiles.measure(file, most, OutputStream.nullOutputStream()).blob();
    if (!found.equals(stated.blob())) {
      return ofOtherHash(stated, found);
    }
    String detail = "the blob %s has its hash; its %d bytes are not parsed, which is done up to %d"
        .formatted(stated.blob(), stated.bytes(), mostParsed);
    return new Unparsed(detail);
  }

  private static BlobCheck ofOtherHash(BlobRef stated, ContentHash found) {
    return new Faulty("the blob %s has the hash %s".formatted(stated.blob(), found), found);
  }

  /** A blob that is not what the reference says. */
  static BlobCheck faulty(String detail) {
    return new Faulty(detail, null);
  }

  private static boolean isCanonical(byte[] bytes, CanonicalJson canonical) {
    try {
      return canonical.isCanonical(bytes);
    } catch (JsonSyntaxException notJson) {
      return false;
    }
  }
}

package dev.agentreplay.verify;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.io.Session;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.internal.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a session keeps beside its log, held against the references to it. A log may refer to one
 * blob often: what came of the last 1,024 references is remembered, and so each of them is read
 * once as long as no more of them take turns.
 */
final class Blobs {

  private static final int REMEMBERED = 1_024;

  /** As much as a line may have: a larger blob is hashed as a stream, and not parsed. */
  private static final int MAX_PARSED_BYTES = JsonLimits.defaults().maxBytes();

  private static final int CHUNK = 1 << 16;

  private final Session session;
  private final Map<BlobRef, BlobCheck> checked = new LinkedHashMap<>(16, 0.75f, true) {
    @Override
    protected boolean removeEldestEntry(Map.Entry<BlobRef, BlobCheck> eldest) {
      return size() > REMEMBERED;
    }
  };

  Blobs(Session session) {
    this.session = session;
  }

  /**
   * Holds a blob against a reference to it.
   *
   * @param canonical the canonicalization of the log, which is always the same one; null when it is
   *     not known, and then only the bytes are looked at
   */
  BlobCheck check(BlobRef stated, @Nullable CanonicalJson canonical) {
    BlobCheck known = checked.get(stated);
    if (known == null) {
      known = read(stated, canonical);
      checked.put(stated, known);
    }
    return known;
  }

  /**
   * The preview of the value in a blob that was checked; null when it is not sound, or was not
   * parsed.
   */
  @Nullable
  PreviewText preview(BlobRef stated) {
    BlobCheck known = checked.get(stated);
    return known == null ? null : known.preview();
  }

  private BlobCheck read(BlobRef stated, @Nullable CanonicalJson canonical) {
    try {
      Path file = session.blob(stated.blob());
      if (file == null) {
        return BlobCheck.ABSENT;
      }
      long size = Files.size(file);
      if (size != stated.bytes()) {
        return BlobCheck.faulty("the reference says %d bytes, but the blob %s has %d"
            .formatted(stated.bytes(), stated.blob(), size));
      }
      try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
        return size <= MAX_PARSED_BYTES
            ? small(stated, in.readNBytes((int) size), canonical)
            : large(stated, in);
      }
    } catch (IOException e) {
      return BlobCheck.faulty("the blob %s cannot be read: %s".formatted(stated.blob(), reason(e)));
    }
  }

  private static BlobCheck small(BlobRef stated, byte[] bytes, @Nullable CanonicalJson canonical) {
    BlobCheck check = hash(stated, ContentHash.sha256(bytes));
    if (!check.isSound()) {
      return check;
    }
    if (canonical != null && !isCanonical(bytes, canonical)) {
      return BlobCheck.faulty(
          "the blob %s is not the canonical JSON of a value".formatted(stated.blob()));
    }
    return BlobCheck.sound(PreviewText.ofJson(bytes));
  }

  private static BlobCheck large(BlobRef stated, InputStream in) throws IOException {
    MessageDigest digest = Sha256.newDigest();
    byte[] chunk = new byte[CHUNK];
    long left = stated.bytes() + 1; // a file that grows has another hash, and is not read for ever
    while (left > 0) {
      int read = in.read(chunk, 0, (int) Math.min(chunk.length, left));
      if (read < 0) {
        break;
      }
      digest.update(chunk, 0, read);
      left -= read;
    }
    BlobCheck check = hash(stated, ContentHash.of(digest.digest()));
    return check.isSound()
        ? BlobCheck.unparsed(
            "the blob %s has its hash; its %d bytes are not parsed, which is done up to %d"
                .formatted(stated.blob(), stated.bytes(), MAX_PARSED_BYTES))
        : check;
  }

  private static BlobCheck hash(BlobRef stated, ContentHash found) {
    return found.equals(stated.blob())
        ? BlobCheck.sound(null)
        : BlobCheck.ofOtherHash(stated.blob(), found);
  }

  private static boolean isCanonical(byte[] bytes, CanonicalJson canonical) {
    try {
      return canonical.isCanonical(bytes);
    } catch (JsonSyntaxException notJson) {
      return false;
    }
  }

  /** The JDK's messages are often the bare path. */
  private static String reason(IOException e) {
    return e instanceof FileSystemException system && system.getReason() == null
        ? system.getClass().getSimpleName()
        : String.valueOf(e.getMessage());
  }
}

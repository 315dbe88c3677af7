package dev.agentreplay.verify.input;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.io.session.BlobCheck;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.BlobRef;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The blobs of a session, compared with the references to them. The results for the last 1,024
 * references are cached, so that a blob is usually read once even if a log refers to it often.
 */
public final class Blobs {

  private final Session session;
  private final Map<BlobRef, BlobCheck> checked = BlobCheck.newCache();

  public Blobs(Session session) {
    this.session = session;
  }

  /**
   * Compares a blob with a reference to it.
   *
   * @param stated the reference
   * @param canonical the canonicalization of the log, the same at each call; null when it is not
   *     known, and then only the bytes are checked
   */
  public BlobCheck check(BlobRef stated, @Nullable CanonicalJson canonical) {
    BlobCheck known = checked.get(stated);
    if (known == null) {
      known = read(stated, canonical);
      checked.put(stated, known);
    }
    return known;
  }

  /**
   * The previews and the length of the value in a blob that was checked; null when the blob is not
   * sound or was not parsed.
   */
  public BlobCheck.@Nullable Sound sound(BlobRef stated) {
    return checked.get(stated) instanceof BlobCheck.Sound sound ? sound : null;
  }

  private BlobCheck read(BlobRef stated, @Nullable CanonicalJson canonical) {
    try {
      Path file = session.blob(stated.blob());
      return file == null ? new BlobCheck.Absent() : BlobCheck.read(file, stated, canonical);
    } catch (IOException e) {
      return BlobCheck.faulty("the blob %s cannot be read: %s".formatted(stated.blob(), reason(e)));
    }
  }

  /** The reason of a failure, because the messages of the JDK are often only the path. */
  private static String reason(IOException e) {
    return e instanceof FileSystemException system && system.getReason() == null
        ? system.getClass().getSimpleName()
        : String.valueOf(e.getMessage());
  }
}

package dev.agentreplay.verify;

import dev.agentreplay.model.ContentHash;
import org.jspecify.annotations.Nullable;

/**
 * What came of holding a blob against a reference to it.
 *
 * @param outcome what it is
 * @param detail why it is faulty, or was not parsed; else null
 * @param found the hash that it has instead of the stated one; null where it has that, or was not
 *     hashed
 * @param preview that of its value; null when it is not sound, or was not parsed
 */
record BlobCheck(
    Outcome outcome,
    @Nullable String detail,
    @Nullable ContentHash found,
    @Nullable PreviewText preview) {

  static final BlobCheck ABSENT = new BlobCheck(Outcome.ABSENT, null, null, null);

  enum Outcome {
    /** It has the length and the hash that are stated, and is canonical JSON. */
    SOUND,
    /** It has the length and the hash that are stated, and is too large to be parsed. */
    UNPARSED,
    /** It is not there. */
    ABSENT,
    /** It is there, and is something else. */
    FAULTY
  }

  static BlobCheck sound(@Nullable PreviewText preview) {
    return new BlobCheck(Outcome.SOUND, null, null, preview);
  }

  static BlobCheck unparsed(String detail) {
    return new BlobCheck(Outcome.UNPARSED, detail, null, null);
  }

  static BlobCheck faulty(String detail) {
    return new BlobCheck(Outcome.FAULTY, detail, null, null);
  }

  static BlobCheck ofOtherHash(ContentHash stated, ContentHash found) {
    return new BlobCheck(
        Outcome.FAULTY, "the blob %s has the hash %s".formatted(stated, found), found, null);
  }

  boolean isSound() {
    return outcome == Outcome.SOUND;
  }
}

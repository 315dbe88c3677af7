package dev.agentreplay.verify;

import org.jspecify.annotations.Nullable;

/**
 * What came of holding a blob against a reference to it.
 *
 * @param outcome what it is
 * @param detail why it is faulty, or was not parsed; else null
 */
record BlobCheck(Outcome outcome, @Nullable String detail) {

  static final BlobCheck SOUND = new BlobCheck(Outcome.SOUND, null);
  static final BlobCheck ABSENT = new BlobCheck(Outcome.ABSENT, null);

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

  static BlobCheck unparsed(String detail) {
    return new BlobCheck(Outcome.UNPARSED, detail);
  }

  static BlobCheck faulty(String detail) {
    return new BlobCheck(Outcome.FAULTY, detail);
  }

  boolean isSound() {
    return outcome == Outcome.SOUND;
  }
}

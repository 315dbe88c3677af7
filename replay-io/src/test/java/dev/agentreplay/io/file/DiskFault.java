package dev.agentreplay.io.file;

/** A fault of one call of a simulated disk. */
public enum DiskFault {
  /** Nothing. */
  NONE,

  /** It throws, and did nothing. */
  FAIL_BEFORE,

  /** It throws after half of the bytes, or the first half of a move; else it did nothing. */
  FAIL_HALF,

  /** It throws, and did everything. */
  FAIL_AFTER,

  /**
   * A force throws, and the data that it should have forced is lost, although it can still be read
   * and the next force succeeds. Linux does that. Any other call does nothing, and throws.
   */
  FAIL_DROPPED,

  /** As the three before, and no later call of the disk does anything: there is no process. */
  DIE_BEFORE,
  DIE_HALF,
  DIE_AFTER;

  boolean isDeath() {
    return this == DIE_BEFORE || this == DIE_HALF || this == DIE_AFTER;
  }

  boolean isAfter() {
    return this == NONE || this == FAIL_AFTER || this == DIE_AFTER;
  }

  boolean isHalf() {
    return this == FAIL_HALF || this == DIE_HALF;
  }
}

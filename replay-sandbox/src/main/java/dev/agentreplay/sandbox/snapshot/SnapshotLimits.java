package dev.agentreplay.sandbox.snapshot;

/**
 * The limits of a snapshot. A workspace that exceeds one is an error, and nothing is copied.
 *
 * @param files the maximum number of files, directories and links
 * @param bytes the maximum number of bytes of all files
 * @param fileBytes the maximum number of bytes of one file
 */
public record SnapshotLimits(int files, long bytes, long fileBytes) {

  private static final SnapshotLimits DEFAULTS = new SnapshotLimits(200_000, 4L << 30, 1L << 30);

  /** Checks that all are positive. */
  public SnapshotLimits {
    if (files <= 0 || bytes <= 0 || fileBytes <= 0) {
      throw new IllegalArgumentException(
          "expected positive limits, found %d files, %d bytes, %d bytes of a file"
              .formatted(files, bytes, fileBytes));
    }
  }

  /** 200,000 files, directories and links, 4 GiB, and 1 GiB for a file. */
  public static SnapshotLimits defaults() {
    return DEFAULTS;
  }

  /** Returns these limits with a different maximum number of files, directories and links. */
  public SnapshotLimits withFiles(int count) {
    return new SnapshotLimits(count, bytes, fileBytes);
  }

  /** Returns these limits with a different maximum of all bytes. */
  public SnapshotLimits withBytes(long most) {
    return new SnapshotLimits(files, most, fileBytes);
  }

  /** Returns these limits with a different maximum of the bytes of a file. */
  public SnapshotLimits withFileBytes(long most) {
    return new SnapshotLimits(files, bytes, most);
  }
}

package dev.agentreplay.convert.pack;

/**
 * How much is taken from a packed session that is not trusted. Immutable.
 *
 * @param maxFiles the most files; 20,000 by default, each of which is forced to disk
 * @param maxDirectories the most directories, of all levels; 5,000 by default
 * @param maxTotalBytes the most bytes of all files together; 16 GiB by default
 * @param maxFileBytes the most bytes of one file; 8 GiB by default
 * @param maxManifestBytes the most bytes of the manifest; 32 MiB by default
 * @param maxPathBytes the longest path, in bytes of UTF-8; 1,000 by default
 * @param maxDepth the most segments of a path; 32 by default
 * @param maxRatio how many bytes a compressed byte may become, on the average of all up to each
 *     moment, once they are more than 64 MiB; 200 by default. Deflate cannot reach 1,033
 */
public record UnpackLimits(
    int maxFiles,
    int maxDirectories,
    long maxTotalBytes,
    long maxFileBytes,
    int maxManifestBytes,
    int maxPathBytes,
    int maxDepth,
    int maxRatio) {

  private static final UnpackLimits DEFAULTS =
      new UnpackLimits(20_000, 5_000, 16L << 30, 8L << 30, 32 << 20, 1_000, 32, 200);

  /** Checks the ranges. */
  public UnpackLimits {
    requirePositive(maxFiles, "maxFiles");
    requirePositive(maxDirectories, "maxDirectories");
    requirePositive(maxTotalBytes, "maxTotalBytes");
    requirePositive(maxFileBytes, "maxFileBytes");
    requirePositive(maxManifestBytes, "maxManifestBytes");
    requirePositive(maxPathBytes, "maxPathBytes");
    requirePositive(maxDepth, "maxDepth");
    requirePositive(maxRatio, "maxRatio");
  }

  /** The limits that hold where none are given. */
  public static UnpackLimits defaults() {
    return DEFAULTS;
  }

  /** These limits with another one for the number of files. */
  public UnpackLimits withMaxFiles(int files) {
    return new UnpackLimits(
        files,
        maxDirectories,
        maxTotalBytes,
        maxFileBytes,
        maxManifestBytes,
        maxPathBytes,
        maxDepth,
        maxRatio);
  }

  /** These limits with another one for the number of directories. */
  public UnpackLimits withMaxDirectories(int directories) {
    return new UnpackLimits(
        maxFiles,
        directories,
        maxTotalBytes,
        maxFileBytes,
        maxManifestBytes,
        maxPathBytes,
        maxDepth,
        maxRatio);
  }

  /** These limits with another one for the bytes of all files together. */
  public UnpackLimits withMaxTotalBytes(long bytes) {
    return new UnpackLimits(
        maxFiles,
        maxDirectories,
        bytes,
        maxFileBytes,
        maxManifestBytes,
        maxPathBytes,
        maxDepth,
        maxRatio);
  }

  /** These limits with another one for the bytes of one file. */
  public UnpackLimits withMaxFileBytes(long bytes) {
    return new UnpackLimits(
        maxFiles,
        maxDirectories,
        maxTotalBytes,
        bytes,
        maxManifestBytes,
        maxPathBytes,
        maxDepth,
        maxRatio);
  }

  /** These limits with another one for the bytes of the manifest. */
  public UnpackLimits withMaxManifestBytes(int bytes) {
    return new UnpackLimits(
        maxFiles,
        maxDirectories,
        maxTotalBytes,
        maxFileBytes,
        bytes,
        maxPathBytes,
        maxDepth,
        maxRatio);
  }

  /** These limits with another one for the length of a path. */
  public UnpackLimits withMaxPathBytes(int bytes) {
    return new UnpackLimits(
        maxFiles,
        maxDirectories,
        maxTotalBytes,
        maxFileBytes,
        maxManifestBytes,
        bytes,
        maxDepth,
        maxRatio);
  }

  /** These limits with another one for the segments of a path. */
  public UnpackLimits withMaxDepth(int segments) {
    return new UnpackLimits(
        maxFiles,
        maxDirectories,
        maxTotalBytes,
        maxFileBytes,
        maxManifestBytes,
        maxPathBytes,
        segments,
        maxRatio);
  }

  /** These limits with another one for the ratio of compression. */
  public UnpackLimits withMaxRatio(int ratio) {
    return new UnpackLimits(
        maxFiles,
        maxDirectories,
        maxTotalBytes,
        maxFileBytes,
        maxManifestBytes,
        maxPathBytes,
        maxDepth,
        ratio);
  }

  private static void requirePositive(long limit, String name) {
    if (limit <= 0) {
      throw new IllegalArgumentException(name + " must be positive: " + limit);
    }
  }
}

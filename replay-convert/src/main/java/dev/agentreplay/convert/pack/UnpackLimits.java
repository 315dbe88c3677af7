package dev.agentreplay.convert.pack;

/**
 * Limits on an untrusted packed session. Immutable.
 *
 * @param maxFiles the maximum number of files, each of which is forced to disk; 20,000 by default
 * @param maxDirectories the maximum number of directories of all levels; 5,000 by default
 * @param maxTotalBytes the maximum number of bytes of all files together; 16 GiB by default
 * @param maxFileBytes the maximum number of bytes of one file; 8 GiB by default
 * @param maxManifestBytes the maximum number of bytes of the manifest; 32 MiB by default
 * @param maxPathBytes the maximum length of a path, in bytes of UTF-8; 1,000 by default
 * @param maxDepth the maximum number of segments of a path; 32 by default
 * @param maxRatio the maximum number of bytes per compressed byte, on average up to each offset,
 *     once they are more than 64 MiB; 200 by default. Deflate cannot reach 1,033
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

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a limit is not positive
   */
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

  /** The default limits. */
  public static UnpackLimits defaults() {
    return DEFAULTS;
  }

  /**
   * Returns limits with this maximum number of files.
   *
   * @throws IllegalArgumentException if {@code files} is not positive
   */
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

  /**
   * Returns limits with this maximum number of directories.
   *
   * @throws IllegalArgumentException if {@code directories} is not positive
   */
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

  /**
   * Returns limits with this maximum number of bytes of all files together.
   *
   * @throws IllegalArgumentException if {@code bytes} is not positive
   */
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

  /**
   * Returns limits with this maximum number of bytes of one file.
   *
   * @throws IllegalArgumentException if {@code bytes} is not positive
   */
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

  /**
   * Returns limits with this maximum number of bytes of the manifest.
   *
   * @throws IllegalArgumentException if {@code bytes} is not positive
   */
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

  /**
   * Returns limits with this maximum length of a path in bytes.
   *
   * @throws IllegalArgumentException if {@code bytes} is not positive
   */
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

  /**
   * Returns limits with this maximum number of segments of a path.
   *
   * @throws IllegalArgumentException if {@code segments} is not positive
   */
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

  /**
   * Returns limits with this maximum compression ratio.
   *
   * @throws IllegalArgumentException if {@code ratio} is not positive
   */
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

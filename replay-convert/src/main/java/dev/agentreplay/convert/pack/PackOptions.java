package dev.agentreplay.convert.pack;

import java.util.List;
import java.util.Objects;

/**
 * Options of packing and unpacking a session. Immutable.
 *
 * @param overwrite whether packing replaces an existing file; unpacking never does
 * @param include patterns of additional files, besides those that every session has:
 *     {@link java.nio.file.FileSystem#getPathMatcher glob} patterns of paths in the session's
 *     directory with {@code /} between segments, such as {@code notes/*.md}; {@code **} matches all
 *     that can be packed
 * @param limits the limits
 */
public record PackOptions(boolean overwrite, List<String> include, UnpackLimits limits) {

  private static final PackOptions DEFAULTS =
      new PackOptions(false, List.of(), UnpackLimits.defaults());

  /**
   * Checks for null and copies.
   *
   * @throws IllegalArgumentException if a pattern is invalid
   */
  public PackOptions {
    include = List.copyOf(include);
    Objects.requireNonNull(limits, "limits");
    PackSelection.of(include);
  }

  /**
   * The default options: no overwriting, only the files that every session has, the default limits.
   */
  public static PackOptions defaults() {
    return DEFAULTS;
  }

  /** Returns options that replace an existing file, or do not. */
  public PackOptions withOverwrite(boolean newOverwrite) {
    return new PackOptions(newOverwrite, include, limits);
  }

  /**
   * Returns options with these patterns of additional files.
   *
   * @throws IllegalArgumentException if a pattern is invalid
   */
  public PackOptions withInclude(String... patterns) {
    return new PackOptions(overwrite, List.of(patterns), limits);
  }

  /** Returns options with these limits. */
  public PackOptions withLimits(UnpackLimits newLimits) {
    return new PackOptions(overwrite, include, newLimits);
  }
}

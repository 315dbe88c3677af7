package dev.agentreplay.convert.pack;

import java.util.List;
import java.util.Objects;

/**
 * How a session is packed or unpacked. Immutable.
 *
 * @param overwrite whether packing replaces a file that exists; unpacking never does
 * @param include which other files are taken than those that every session has: patterns of
 *     {@link java.nio.file.FileSystem#getPathMatcher glob}, for paths in the session's directory
 *     with {@code /} between segments, such as {@code notes/*.md}; {@code **} takes all that can be
 *     packed
 * @param limits how much is taken
 */
public record PackOptions(boolean overwrite, List<String> include, UnpackLimits limits) {

  private static final PackOptions DEFAULTS =
      new PackOptions(false, List.of(), UnpackLimits.defaults());

  /**
   * Checks for null and copies.
   *
   * @throws IllegalArgumentException if one of the patterns is none
   */
  public PackOptions {
    include = List.copyOf(include);
    Objects.requireNonNull(limits, "limits");
    PackSelection.of(include);
  }

  /** Nothing is replaced, only what every session has is taken, within the default limits. */
  public static PackOptions defaults() {
    return DEFAULTS;
  }

  /** With a file that exists replaced, or not. */
  public PackOptions withOverwrite(boolean newOverwrite) {
    return new PackOptions(newOverwrite, include, limits);
  }

  /** With other patterns of files that are taken, too. */
  public PackOptions withInclude(String... patterns) {
    return new PackOptions(overwrite, List.of(patterns), limits);
  }

  /** With other limits. */
  public PackOptions withLimits(UnpackLimits newLimits) {
    return new PackOptions(overwrite, include, newLimits);
  }
}

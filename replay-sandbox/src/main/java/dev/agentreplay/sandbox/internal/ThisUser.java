package dev.agentreplay.sandbox.internal;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The user of this process. Java states {@code ?} for the name and the home directory of a user who
 * is not in {@code /etc/passwd}, as in many containers.
 */
public final class ThisUser {

  private static final String UNKNOWN = "?";

  private ThisUser() {}

  /** The name of the user; null if it is not known. */
  public static @Nullable String name() {
    return name(System.getProperty("user.name"));
  }

  /** The home directory of the user; null if it is not known. */
  public static @Nullable Path home() {
    return home(System.getProperty("user.home"), System.getenv("HOME"));
  }

  static @Nullable String name(@Nullable String property) {
    return property == null || property.isEmpty() || property.equals(UNKNOWN) ? null : property;
  }

  static @Nullable Path home(@Nullable String property, @Nullable String variable) {
    Path home = absolute(property);
    return home == null ? absolute(variable) : home;
  }

  private static @Nullable Path absolute(@Nullable String text) {
    try {
      Path path = text == null ? null : Path.of(text);
      return path != null && path.isAbsolute() ? path.normalize() : null;
    } catch (InvalidPathException e) {
      return null;
    }
  }
}

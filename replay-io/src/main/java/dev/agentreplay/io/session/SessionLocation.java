package dev.agentreplay.io.session;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where a session is, or should be. Nothing is opened yet.
 *
 * @param path the session's directory, or its log
 * @param failure why it is known already that nothing can be read there; null if it is not
 */
public record SessionLocation(Path path, @Nullable IOException failure) {

  /** Checks for null. */
  public SessionLocation {
    Objects.requireNonNull(path, "path");
  }

  /** The place that a path names, as {@link Session#open} takes it. */
  public static SessionLocation of(Path path) {
    return new SessionLocation(path, null);
  }

  /**
   * Opens the session.
   *
   * @throws IOException {@link #failure}, or as {@link Session#open} says
   */
  public Session open() throws IOException {
    if (failure != null) {
      throw failure;
    }
    return Session.open(path);
  }
}

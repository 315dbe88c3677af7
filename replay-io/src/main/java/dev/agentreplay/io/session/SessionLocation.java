package dev.agentreplay.io.session;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

/** The location of a session that has not been opened. Immutable. */
public sealed interface SessionLocation permits SessionLocation.Found, SessionLocation.Unreadable {

  /** The session's directory, or its log. */
  Path path();

  /**
   * Opens the session.
   *
   * @throws IOException {@link Unreadable#failure}, or as {@link Session#open} does
   */
  Session open() throws IOException;

  /** The location of a session at a path, as {@link Session#open} accepts it. */
  static SessionLocation of(Path path) {
    return new Found(path);
  }

  /** A location that is known to be unreadable. */
  static SessionLocation unreadable(Path path, IOException failure) {
    return new Unreadable(path, failure);
  }

  /**
   * A location that may be readable.
   *
   * @param path the session's directory, or its log
   */
  record Found(Path path) implements SessionLocation {

    /** Checks for null. */
    public Found {
      Objects.requireNonNull(path, "path");
    }

    @Override
    public Session open() throws IOException {
      return Session.open(path);
    }
  }

  /** A location that is known to be unreadable. */
  final class Unreadable implements SessionLocation {

    private final Path path;
    private final IOException failure;

    private Unreadable(Path path, IOException failure) {
      this.path = Objects.requireNonNull(path, "path");
      this.failure = Objects.requireNonNull(failure, "failure");
    }

    @Override
    public Path path() {
      return path;
    }

    /** The reason why it is unreadable. */
    public IOException failure() {
      return failure;
    }

    @Override
    public Session open() throws IOException {
      throw failure;
    }

    @Override
    public String toString() {
      return path + ": " + failure.getMessage();
    }
  }
}

package dev.agentreplay.io.session;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

/** The location of a session that has not been opened. Immutable. */
public sealed interface SessionLocation
    permits SessionLocation.Found, SessionLocation.Packed, SessionLocation.Unreadable {

  /** The session's directory, its log, or the file in which it is packed. */
  Path path();

  /**
   * Opens the session, which is closed after it was read.
   *
   * @throws IOException {@link Unreadable#failure}, or as {@link Session#open} or the
   *     {@link Opener} of a packed session does
   */
  OpenSession open() throws IOException;

  /** The location of a session at a path, as {@link Session#open} accepts it. */
  static SessionLocation of(Path path) {
    return new Found(path);
  }

  /** The location of a session that is packed in a file. */
  static SessionLocation packed(Path file, Opener opener) {
    return new Packed(file, opener);
  }

  /** Opens the session in a packed file. */
  @FunctionalInterface
  interface Opener {
    /** Opens the session in a file. */
    OpenSession open(Path file) throws IOException;
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
    public OpenSession open() throws IOException {
      return OpenSession.of(Session.open(path));
    }
  }

  /** The location of a session that is packed in a file. */
  final class Packed implements SessionLocation {

    private final Path path;
    private final Opener opener;

    private Packed(Path path, Opener opener) {
      this.path = Objects.requireNonNull(path, "path");
      this.opener = Objects.requireNonNull(opener, "opener");
    }

    @Override
    public Path path() {
      return path;
    }

    @Override
    public OpenSession open() throws IOException {
      return opener.open(path);
    }

    @Override
    public String toString() {
      return path.toString();
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
    public OpenSession open() throws IOException {
      throw failure;
    }

    @Override
    public String toString() {
      return path + ": " + failure.getMessage();
    }
  }
}

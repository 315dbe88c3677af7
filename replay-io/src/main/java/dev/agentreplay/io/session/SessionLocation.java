package dev.agentreplay.io.session;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

/** The location of a session that has not been opened. Immutable. */
public sealed interface SessionLocation permits SessionLocation.Found, SessionLocation.Unreadable {

  /** The session's directory, its log, or the file in which it is packed. */
  Path path();

  /**
   * Opens the session, which is closed after it was read.
   *
   * @throws IOException {@link Unreadable#failure}, or as {@link Session#open} or the
   *     {@link Opener} of the location does
   */
  OpenSession open() throws IOException;

  /** The location of a session at a path, as {@link Session#open} accepts it. */
  static SessionLocation of(Path path) {
    return of(path, file -> OpenSession.of(Session.open(file)));
  }

  /** The location of a session that is opened differently, such as one in a packed file. */
  static SessionLocation of(Path path, Opener opener) {
    return new Found(path, opener);
  }

  /** Opens the session at a path. */
  @FunctionalInterface
  interface Opener {
    /** Opens the session. */
    OpenSession open(Path path) throws IOException;
  }

  /** A location that is known to be unreadable. */
  static SessionLocation unreadable(Path path, IOException failure) {
    return new Unreadable(path, failure);
  }

  /** A location that may be readable. */
  final class Found implements SessionLocation {

    private final Path path;
    private final Opener opener;

    private Found(Path path, Opener opener) {
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

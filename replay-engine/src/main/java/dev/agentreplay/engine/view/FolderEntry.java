package dev.agentreplay.engine.view;

import dev.agentreplay.io.session.SessionSkippedException;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The content read of one of several sessions, or the reason why it could not be read. Immutable if
 * the value is.
 *
 * @param <T> the type of what is read of a session
 */
public sealed interface FolderEntry<T> permits FolderEntry.Loaded, FolderEntry.Failed {

  /** The path of the session, or of a place that was not searched. */
  Path path();

  /**
   * A session that was read.
   *
   * @param <T> the type of what is read of a session
   */
  final class Loaded<T> implements FolderEntry<T> {

    private final Path path;
    private final T value;

    Loaded(Path path, T value) {
      this.path = path;
      this.value = value;
    }

    @Override
    public Path path() {
      return path;
    }

    /** The content that was read of the session. */
    public T value() {
      return value;
    }

    @Override
    public String toString() {
      return "%s: %s".formatted(path, value);
    }
  }

  /**
   * A session that could not be read, or a place that was not searched for sessions.
   *
   * @param <T> the type of what is read of a session
   */
  final class Failed<T> implements FolderEntry<T> {

    private final Path path;
    private final IOException failure;

    Failed(Path path, IOException failure) {
      this.path = path;
      this.failure = failure;
    }

    @Override
    public Path path() {
      return path;
    }

    /** The reason why it could not be read. */
    public IOException failure() {
      return failure;
    }

    /** Whether this is not a session but a place that was not searched for sessions. */
    public boolean isSkipped() {
      return failure instanceof SessionSkippedException;
    }

    @Override
    public String toString() {
      return "%s: %s".formatted(path, failure);
    }
  }
}

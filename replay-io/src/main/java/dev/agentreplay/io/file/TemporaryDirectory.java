package dev.agentreplay.io.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A directory for temporary files below {@code java.io.tmpdir}, accessible only to its owner. It is
 * deleted with all that is in it when it is closed, unless it is {@linkplain #keep kept}, by
 * default also when the JVM ends before that, such as by Ctrl+C. Safe for use by several threads.
 *
 * <pre>{@code
 * try (TemporaryDirectory temporary = TemporaryDirectory.create()) {
 *   Files.writeString(temporary.path().resolve("a.txt"), "text");
 * }
 * }</pre>
 *
 * <p>A JVM that is killed leaves its directories. The next one that creates a temporary directory
 * deletes them, within limits of time: those of the same user whose owner does not run any more. A
 * directory {@code agentreplay-*} has a file {@code owner}, which its JVM locks for as long as it
 * uses the directory; the temporary files are in {@code files}. One without that file is kept, or
 * was left before there was anything in it.
 */
public final class TemporaryDirectory implements Closeable {

  /** Attempts to delete the directory; on NFS a file that is still open stays in it. */
  private static final int ATTEMPTS = 10;

  /** Deletes a directory with all files in it. */
  @FunctionalInterface
  interface Deletion {
    void delete(Path directory) throws IOException;
  }

  private final OwnedDirectory owned;
  private final Deletion deletion;
  private final Runnable beforeExit;
  private final Thread atExit = new Thread(this::deleteAtExit, "replay-delete");
  private boolean deleted;
  private boolean kept;
  private volatile boolean closed;

  private TemporaryDirectory(OwnedDirectory owned, Deletion deletion, Runnable beforeExit) {
    this.owned = owned;
    this.deletion = deletion;
    this.beforeExit = beforeExit;
  }

  /** Creates a directory. */
  public static TemporaryDirectory create() throws IOException {
    return create(() -> {});
  }

  /**
   * Creates a directory.
   *
   * @param beforeExit is run when the JVM ends, before the directory is deleted; it may wait for a
   *     thread that uses the directory
   */
  public static TemporaryDirectory create(Runnable beforeExit) throws IOException {
    return create(FileTree::delete, beforeExit);
  }

  /**
   * Creates a directory that is not deleted when the JVM ends before it is closed, because a thread
   * may use it until then: the next JVM deletes it.
   */
  public static TemporaryDirectory createWithoutExitHook() throws IOException {
    return create(FileTree::delete, null);
  }

  /** Creates a directory that is deleted in a given way; no hook if there is no action. */
  static TemporaryDirectory create(Deletion deletion, @Nullable Runnable beforeExit)
      throws IOException {
    Path parent = Path.of(System.getProperty("java.io.tmpdir")).toRealPath();
    OwnedDirectory owned = OwnedDirectory.create(parent);
    AbandonedDirectories.deleteSometimes(owned.path());
    TemporaryDirectory directory =
        new TemporaryDirectory(owned, deletion, beforeExit == null ? () -> {} : beforeExit);
    if (beforeExit == null) {
      return directory;
    }
    try {
      Runtime.getRuntime().addShutdownHook(directory.atExit);
    } catch (IllegalStateException alreadyExiting) {
      directory.delete();
      throw new IOException(directory.path() + ": the program is about to end", alreadyExiting);
    }
    return directory;
  }

  /** The path of the directory for files. */
  public Path path() {
    return owned.files();
  }

  /** Whether the directory has not been closed. */
  public boolean isOpen() {
    return !closed;
  }

  /**
   * Leaves the directory where it is: neither {@link #close} nor a later JVM deletes it.
   *
   * @return the path of the directory for files
   * @throws IOException if it was closed, or the file of its owner cannot be deleted
   */
  public synchronized Path keep() throws IOException {
    if (closed && !kept) {
      throw new IOException(path() + ": the directory is closed");
    }
    owned.keep();
    kept = true;
    removeHook();
    return path();
  }

  /** Deletes the directory, unless it is kept. */
  @Override
  public void close() throws IOException {
    delete();
    removeHook();
  }

  private void removeHook() {
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException alreadyExiting) {
      return; // the hook finds nothing to delete
    }
  }

  private void deleteAtExit() {
    try {
      beforeExit.run();
    } finally {
      deleteQuietly();
    }
  }

  private void deleteQuietly() {
    try {
      delete();
    } catch (IOException e) {
      return; // there is no caller to report it to; the next JVM deletes it
    }
  }

  private synchronized void delete() throws IOException {
    closed = true;
    for (int attempt = 1; !deleted && !kept; attempt++) {
      try {
        deletion.delete(owned.files());
        owned.delete();
        deleted = true;
      } catch (DirectoryNotEmptyException | NoSuchFileException e) {
        // a thread that still writes has created a file since the directory was listed; it cannot
        // create the directory again
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }
}

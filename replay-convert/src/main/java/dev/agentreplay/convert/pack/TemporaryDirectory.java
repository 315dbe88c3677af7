package dev.agentreplay.convert.pack;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * A directory for temporary files in {@code java.io.tmpdir}, accessible only to its owner. It is
 * deleted with all files in it when it is closed, or when the JVM ends before that, also by a
 * signal such as that of Ctrl+C. Safe for use by several threads.
 */
final class TemporaryDirectory implements Closeable {

  /** Attempts to delete the directory; on NFS a file that is still open stays in it. */
  private static final int ATTEMPTS = 10;

  private static final String PREFIX = "replay-packed-";

  /** Deletes a directory with all files in it. */
  @FunctionalInterface
  interface Deletion {
    void delete(Path directory) throws IOException;
  }

  private final Path path;
  private final Deletion deletion;
  private final Runnable beforeExit;
  private final Thread atExit = new Thread(this::deleteAtExit, "replay-delete");
  private boolean deleted;
  private volatile boolean closed;

  private TemporaryDirectory(Path path, Deletion deletion, Runnable beforeExit) {
    this.path = path;
    this.deletion = deletion;
    this.beforeExit = beforeExit;
  }

  /** Creates a directory. */
  static TemporaryDirectory create() throws IOException {
    return create(() -> {});
  }

  /**
   * Creates a directory.
   *
   * @param beforeExit is run when the JVM ends, before the directory is deleted
   */
  static TemporaryDirectory create(Runnable beforeExit) throws IOException {
    return create(TemporaryDirectory::deleteAll, beforeExit);
  }

  /** Creates a directory that is deleted in a given way. */
  static TemporaryDirectory create(Deletion deletion) throws IOException {
    return create(deletion, () -> {});
  }

  private static TemporaryDirectory create(Deletion deletion, Runnable beforeExit)
      throws IOException {
    Path parent = Path.of(System.getProperty("java.io.tmpdir"));
    TemporaryDirectory directory = new TemporaryDirectory(
        Files.createTempDirectory(parent, PREFIX).toRealPath(), deletion, beforeExit);
    try {
      Runtime.getRuntime().addShutdownHook(directory.atExit);
    } catch (IllegalStateException alreadyExiting) {
      directory.delete();
      throw new IOException(directory.path + ": the program is about to end", alreadyExiting);
    }
    return directory;
  }

  /** The path of the directory. */
  Path path() {
    return path;
  }

  /** Whether the directory has not been closed. */
  boolean isOpen() {
    return !closed;
  }

  @Override
  public void close() throws IOException {
    delete();
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
      return; // there is no caller to report it to
    }
  }

  private synchronized void delete() throws IOException {
    closed = true;
    for (int attempt = 1; !deleted; attempt++) {
      try {
        deletion.delete(path);
        deleted = true;
      } catch (DirectoryNotEmptyException | NoSuchFileException e) {
        // a thread that still unpacks has created a file since the directory was listed; it cannot
        // create the directory again
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /** Deletes a file, or a directory with all files in it, if it exists. */
  static void deleteAll(Path path) throws IOException {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Files.walkFileTree(path, new SimpleFileVisitor<>() {
      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
          throws IOException {
        Files.delete(file);
        return FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
          throws IOException {
        Files.delete(visited);
        return FileVisitResult.CONTINUE;
      }
    });
  }
}

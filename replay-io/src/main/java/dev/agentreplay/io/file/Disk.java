package dev.agentreplay.io.file;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The file system operations with which logs are written and read. A test can simulate a disk that
 * fails, or that loses power: then any part of the operations that were not forced to disk (fsync)
 * is lost.
 *
 * <p>Implementations are safe for use by several threads. An interrupt of the thread stops none of
 * the operations, and the interrupt status is kept.
 */
public interface Disk {

  /**
   * The state of a file at some time.
   *
   * @param isRegular whether it is a regular file: not a link, a directory or a special file
   * @param size the number of its bytes
   * @param key the identity of the file, which differs from that of a file created in its place;
   *     null if the file system has none
   */
  record FileState(boolean isRegular, long size, @Nullable Object key) {}

  /** The lock of a log for one writer, held until it is closed. */
  interface Lock extends Closeable {

    /** The locked log. */
    Path log();
  }

  /**
   * Creates an empty file to append to; only its owner can access it.
   *
   * @throws FileAlreadyExistsException if it exists
   */
  AppendFile create(Path file) throws IOException;

  /**
   * Creates an empty file to append to, with the permissions of the file that it will replace; if
   * there is none, with those that {@link #create} gives.
   *
   * @throws FileAlreadyExistsException if it exists
   */
  AppendFile createReplacement(Path file, Path replaced) throws IOException;

  /**
   * Opens an existing file to append to.
   *
   * @throws NoSuchFileException if it does not exist
   */
  AppendFile append(Path file) throws IOException;

  /** Opens a file, which must not be a symbolic link, to read it from its beginning. */
  InputStream read(Path file) throws IOException;

  /** The current state of a file; null if it does not exist. */
  @Nullable
  FileState state(Path file) throws IOException;

  /**
   * Locks a log for one writer, until the returned lock is closed.
   *
   * @throws LogLockedException if another writer, in this process or a different one, has locked it
   */
  Lock lock(Path file) throws IOException;

  /** Whether a file, or anything else with that name, exists. */
  boolean exists(Path file);

  /** The names of all entries of a directory. */
  List<String> names(Path directory) throws IOException;

  /** Renames a file atomically, and replaces an existing file of that name. */
  void move(Path file, Path name) throws IOException;

  /**
   * Renames a file, unless the new name exists.
   *
   * @throws FileAlreadyExistsException if the new name exists
   */
  void moveIfAbsent(Path file, Path name) throws IOException;

  /** Deletes a file, if it exists. */
  void delete(Path file) throws IOException;

  /**
   * Creates a directory that only its owner can access, with its missing parents, and forces their
   * directory entries to disk; does nothing if it exists.
   */
  void createDirectory(Path directory) throws IOException;

  /**
   * Forces the entries of a directory to disk (fsync of the directory), on platforms that can open
   * directories: after that, creations, renames and deletions in it survive power loss.
   */
  void forceDirectory(Path directory) throws IOException;

  /** Forces the directory entry of a file to disk, as {@link #forceDirectory} does. */
  default void forceParent(Path file) throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    if (parent != null) {
      forceDirectory(parent);
    }
  }
}

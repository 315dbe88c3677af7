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
 * The calls by which logs are written and read on a file system. Tests simulate one that fails, and
 * one that loses power: what was not forced is lost then, or part of it, in any order.
 *
 * <p>None of its calls is broken off by an interrupt of the thread, and the interrupt is kept.
 */
public interface Disk {

  /**
   * A file at some time.
   *
   * @param isRegular whether it is neither a link nor a directory nor a special file
   * @param size the number of its bytes
   * @param key what tells it from another file of its name; null if the file system has nothing
   */
  record FileState(boolean isRegular, long size, @Nullable Object key) {}

  /** The claim of a log for one writer, held until it is closed. */
  interface Lock extends Closeable {

    /** The log. */
    Path log();
  }

  /**
   * Creates an empty file to append to, which no other user can read.
   *
   * @throws FileAlreadyExistsException if it exists
   */
  AppendFile create(Path file) throws IOException;

  /**
   * Creates an empty file to append to, with the permissions of the file that it will replace; as
   * {@link #create} does if there is none.
   *
   * @throws FileAlreadyExistsException if it exists
   */
  AppendFile createReplacement(Path file, Path replaced) throws IOException;

  /**
   * Opens a file to append to.
   *
   * @throws NoSuchFileException if there is none
   */
  AppendFile append(Path file) throws IOException;

  /** Opens a file that is not a link to read, from its beginning. */
  InputStream read(Path file) throws IOException;

  /** The state of a file now; null if there is none. */
  @Nullable
  FileState state(Path file) throws IOException;

  /**
   * Claims a log for one writer, until what is returned is closed.
   *
   * @throws LogLockedException if another writer, in this process or another, has it
   */
  Lock lock(Path file) throws IOException;

  /** Whether there is a file, or anything else of that name. */
  boolean exists(Path file);

  /** The names of what is in a directory. */
  List<String> names(Path directory) throws IOException;

  /** Gives a file another name, in place of what has that name. */
  void move(Path file, Path name) throws IOException;

  /**
   * Gives a file another name, where nothing is.
   *
   * @throws FileAlreadyExistsException if something has that name
   */
  void moveIfAbsent(Path file, Path name) throws IOException;

  /** Deletes a file, if it is there. */
  void delete(Path file) throws IOException;

  /** Forces the names in a directory to the disk, where the platform opens directories. */
  void forceDirectory(Path directory) throws IOException;

  /** Forces the name of a file to the disk, as {@link #forceDirectory} does. */
  default void forceParent(Path file) throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    if (parent != null) {
      forceDirectory(parent);
    }
  }
}

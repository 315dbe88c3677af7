package dev.agentreplay.convert.trace;

import dev.agentreplay.convert.trace.reading.SourceFiles;
import dev.agentreplay.io.file.FileTree;
import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.file.WholeFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A directory that is created, or replaces an earlier one, as a whole: it is filled under a
 * temporary name next to its place, and then renamed. Closing it without that leaves nothing, and
 * deletes the parents of the place that were missing before. Not safe for use by several threads.
 *
 * <p>A directory that is replaced is first renamed to a temporary name, too: if the process is
 * killed between the two renames, there is nothing in the place, and both are next to it, as
 * {@code .replay.<16 hexadecimal digits>.tmp}.
 */
final class WholeDirectory implements Closeable {

  /** A check of a directory that is about to be deleted, at the path where it is then. */
  interface Check {
    /** Throws an exception if the directory must not be deleted. */
    void accept(Path renamed) throws IOException;
  }

  private final Path place;
  private final Path temporary;

  /** The parents that are missing, the innermost first. */
  private final List<Path> missing = new ArrayList<>();

  private boolean isDone;

  WholeDirectory(Path place) {
    this.place = place;
    this.temporary = WholeFile.temporaryBeside(place);
    Path parent = place.toAbsolutePath().normalize().getParent();
    while (parent != null && !Files.exists(parent)) {
      missing.add(parent);
      parent = parent.getParent();
    }
  }

  /** The path under which it is filled. Its directory is created by those who fill it. */
  Path temporary() {
    return temporary;
  }

  /**
   * Moves the content to a place that is free or an empty directory.
   *
   * @param content the temporary directory, or a directory in it
   * @throws IOException if files were created there meanwhile, which stay
   */
  void create(Path content) throws IOException {
    if (SourceFiles.isDirectory(place)) {
      Files.delete(place); // fails unless it is empty
    }
    move(content);
  }

  /**
   * Moves the content to a place where a directory is, which is deleted.
   *
   * @param content the temporary directory, or a directory in it
   * @throws IOException if the check fails, or a file cannot be moved; the directory is where it
   *     was then, or a suppressed exception names its place
   */
  void replace(Path content, Check check) throws IOException {
    Path old = WholeFile.temporaryBeside(place);
    Files.move(place, old);
    try {
      check.accept(old); // nothing is created in it by its former name from here on
      move(content);
    } catch (Throwable e) {
      restore(old, e);
      throw e;
    }
    FileTree.delete(old);
  }

  private void move(Path content) throws IOException {
    Files.move(content, place); // fails if anything is there
    try {
      LocalDisk.INSTANCE.forceParent(place);
    } catch (Throwable e) { // a crash may undo the rename
      Files.move(place, content);
      throw e;
    }
    isDone = true;
  }

  private void restore(Path old, Throwable failure) {
    try {
      Files.move(old, place);
    } catch (IOException e) {
      failure.addSuppressed(new IOException("the earlier import is in " + old, e));
    }
  }

  @Override
  public void close() throws IOException {
    FileTree.delete(temporary);
    if (!isDone) {
      deleteParents();
    }
  }

  private void deleteParents() throws IOException {
    for (Path parent : missing) {
      try {
        Files.deleteIfExists(parent);
      } catch (DirectoryNotEmptyException usedMeanwhile) {
        return;
      }
    }
  }
}

package dev.agentreplay.convert;

import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.io.file.WholeFile;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The files that a conversion writes: first all of them under temporary names, then they are moved
 * into place one after the other. Closing without {@link #commit} leaves no files. Files that are
 * replaced or removed are kept under temporary names until then. Links are not followed, except to
 * the directory itself.
 */
final class ConversionOutput implements Closeable {

  private record Staged(Path file, WholeFile content, boolean isNew) {}

  private final Disk disk;
  private final boolean overwrite;
  private final List<Staged> staged = new ArrayList<>();
  private final List<Path> directories = new ArrayList<>();
  private final List<Path> stale = new ArrayList<>();
  private boolean committed;

  /**
   * Creates an output without files.
   *
   * @param overwrite whether files that exist are replaced
   */
  ConversionOutput(Disk disk, boolean overwrite) {
    this.disk = disk;
    this.overwrite = overwrite;
  }

  /**
   * Checks that a file can be written.
   *
   * @return whether the file does not exist yet
   * @throws FileAlreadyExistsException if it exists and must not be replaced
   * @throws IOException if a link, a directory or a special file is in its place
   */
  boolean requireFree(Path file) throws IOException {
    boolean exists = RegularFiles.file(file) != null;
    if (exists && !overwrite) {
      throw new FileAlreadyExistsException(file.toString());
    }
    return !exists;
  }

  /** Creates a directory if it does not exist; it is deleted again if there is no commit. */
  void directory(Path directory) throws IOException {
    Path missing = directory.toAbsolutePath();
    List<Path> created = new ArrayList<>();
    while (missing != null && !Files.exists(missing, LinkOption.NOFOLLOW_LINKS)) {
      created.add(missing);
      missing = missing.getParent();
    }
    LocalDisk.createDirectories(directory);
    for (int i = created.size() - 1; i >= 0; i--) {
      directories.add(created.get(i));
    }
  }

  /** Adds a file, and returns the stream to write its content to. */
  OutputStream add(Path file) throws IOException {
    boolean isNew = requireFree(file);
    WholeFile content = isNew ? WholeFile.creating(disk, file) : WholeFile.replacing(disk, file);
    staged.add(new Staged(file, content, isNew));
    return content.out();
  }

  /** Adds a copy of a file that is not a link; a file is not copied onto itself. */
  void copy(Path from, Path to) throws IOException {
    if (RegularFiles.file(to) != null && Files.isSameFile(from, to)) {
      return;
    }
    OutputStream out = add(to);
    try (InputStream in = RegularFiles.open(from)) {
      in.transferTo(out);
    }
  }

  /** Removes a file at the commit, because it belongs to the session that is replaced. */
  void remove(Path file) throws IOException {
    if (!requireFree(file)) {
      stale.add(file);
    }
  }

  /** The files to write, in the order they were added. */
  List<Path> files() {
    return staged.stream().map(Staged::file).toList();
  }

  /** The files to remove. */
  List<Path> removed() {
    return stale;
  }

  /**
   * Moves all files into place, the file that was added first last: the session appears only when
   * all its files exist. A replaced file has its name at any time. After a failure, the previous
   * state is restored.
   *
   * @return previous files that could not be deleted, under temporary names
   */
  List<Path> commit() throws IOException {
    for (Staged each : staged) {
      each.content.finish();
    }
    Map<Path, Path> kept = new LinkedHashMap<>();
    List<Path> created = new ArrayList<>();
    try {
      for (Staged each : staged) {
        if (!each.isNew) {
          keep(each.file, kept);
        }
      }
      for (Path file : stale) {
        keep(file, kept);
      }
      for (int i = staged.size() - 1; i >= 0; i--) {
        Staged each = staged.get(i);
        each.content.commit();
        if (each.isNew) {
          created.add(each.file);
        }
      }
      for (Path file : stale) {
        disk.delete(file);
      }
    } catch (Throwable e) {
      restore(created, kept, e);
      throw e;
    }
    committed = true;
    List<Path> left = new ArrayList<>();
    for (Path old : kept.values()) {
      try {
        disk.delete(old);
      } catch (IOException e) {
        left.add(old);
      }
    }
    return left;
  }

  /** Keeps a file under a second name: a hard link, or a copy if the file system has no links. */
  private static void keep(Path file, Map<Path, Path> kept) throws IOException {
    Path old = WholeFile.temporaryBeside(file);
    try {
      Files.createLink(old, file);
    } catch (UnsupportedOperationException | FileSystemException noLinksHere) {
      Files.copy(file, old, StandardCopyOption.COPY_ATTRIBUTES);
    }
    kept.put(file, old);
  }

  /** Restores the previous state after a failure. */
  private void restore(List<Path> created, Map<Path, Path> kept, Throwable failure) {
    for (Path file : created) {
      try {
        disk.delete(file);
      } catch (Throwable e) {
        failure.addSuppressed(e);
      }
    }
    kept.forEach((file, old) -> {
      try {
        disk.move(old, file);
        disk.delete(old); // a rename between two names of one file keeps both
      } catch (Throwable e) {
        failure.addSuppressed(e);
      }
    });
  }

  @Override
  public void close() throws IOException {
    for (Staged each : staged) {
      each.content.close();
    }
    if (!committed) {
      for (int i = directories.size() - 1; i >= 0; i--) {
        Files.deleteIfExists(directories.get(i));
      }
    }
  }
}

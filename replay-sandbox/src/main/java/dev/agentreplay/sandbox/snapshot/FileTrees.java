package dev.agentreplay.sandbox.snapshot;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/** Trees of files. */
final class FileTrees {

  private FileTrees() {}

  /**
   * Deletes everything in a directory, also in those of its directories that are read-only; links
   * are deleted, not followed.
   */
  static void empty(Path root) throws IOException {
    if (!Files.isDirectory(root, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Files.walkFileTree(root, new SimpleFileVisitor<>() {
      @Override
      public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
          throws IOException {
        if (!directory.equals(root)) {
          open(directory);
        }
        return FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
        if (!Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
          throw failure;
        }
        open(file); // its list could not be read
        empty(file);
        Files.delete(file);
        return FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
          throws IOException {
        Files.delete(file);
        return FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
          throws IOException {
        if (failure != null) {
          throw failure;
        }
        if (!directory.equals(root)) {
          Files.delete(directory);
        }
        return FileVisitResult.CONTINUE;
      }
    });
  }

  /** Gives the owner all permissions of a directory, so that its entries can be deleted. */
  private static void open(Path directory) throws IOException {
    PosixFileAttributeView view =
        Files.getFileAttributeView(directory, PosixFileAttributeView.class);
    if (view != null) {
      view.setPermissions(PosixFilePermissions.fromString("rwx------"));
    }
  }
}

package dev.agentreplay.io.file;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileOwnerAttributeView;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Deletes the {@linkplain OwnedDirectory owned directories} of JVMs that were killed. Never deletes
 * one of a different user, one whose JVM runs, or one that was kept.
 */
final class AbandonedDirectories {

  /** The time between two searches of this JVM in one directory. */
  private static final Duration INTERVAL = Duration.ofMinutes(1);

  /** The maximum time of a search; the next one continues. */
  private static final Duration LIMIT = Duration.ofSeconds(5);

  /** The age of an empty directory without an owner, which a JVM left while it created it. */
  private static final Duration OLD = Duration.ofHours(1);

  private static final Map<Path, Long> SEARCHED = new HashMap<>();

  private AbandonedDirectories() {}

  /** A logger, which is not loaded before it is used. */
  private static final class Log {
    static final Logger LOGGER = System.getLogger("dev.agentreplay.io");
  }

  /**
   * Deletes the abandoned directories next to a directory of this JVM, unless that was done a short
   * time ago.
   */
  static void deleteSometimes(Path own) {
    Path parent = own.resolveSibling("");
    long now = System.nanoTime();
    synchronized (SEARCHED) {
      Long last = SEARCHED.get(parent);
      if (last != null && now - last < INTERVAL.toNanos()) {
        return;
      }
      SEARCHED.put(parent, now);
    }
    deleteAll(own, () -> System.nanoTime() - now > LIMIT.toNanos());
  }

  /**
   * Deletes the abandoned directories next to a directory of this JVM until it is late. One that
   * cannot be deleted is logged: it does not concern what the caller is about to do.
   */
  static void deleteAll(Path own, BooleanSupplier isLate) {
    Path parent = own.resolveSibling("");
    try (DirectoryStream<Path> found =
        Files.newDirectoryStream(parent, OwnedDirectory.PREFIX + "*")) {
      UserPrincipal user = owner(own);
      if (user == null) {
        return; // on this platform nothing shows whose directories they are
      }
      for (Path directory : found) {
        if (OwnedDirectory.isOfThisJvm(directory.getFileName().toString())) {
          continue;
        } else if (isLate.getAsBoolean()) {
          return;
        }
        delete(directory, user, isLate);
      }
    } catch (IOException | DirectoryIteratorException e) {
      warn(parent, e);
    }
  }

  private static void warn(Path path, Exception e) {
    Log.LOGGER.log(
        Level.WARNING, "abandoned temporary files of this program are not deleted: " + path, e);
  }

  private static @Nullable UserPrincipal owner(Path file) throws IOException {
    FileOwnerAttributeView view =
        Files.getFileAttributeView(file, FileOwnerAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    return view == null ? null : view.getOwner();
  }

  private static void delete(Path directory, UserPrincipal user, BooleanSupplier isLate) {
    try {
      if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
          || !user.equals(owner(directory))) {
        return;
      }
      Path owner = directory.resolve(OwnedDirectory.OWNER);
      if (Files.isRegularFile(owner, LinkOption.NOFOLLOW_LINKS)) {
        deleteIfAbandoned(directory, owner, isLate);
      } else if (isOld(directory)) {
        Files.deleteIfExists(directory); // only if it is empty: one with files is kept
      }
    } catch (DirectoryNotEmptyException | NoSuchFileException e) {
      return; // it is kept, or was deleted by a different JVM
    } catch (IOException e) {
      warn(directory, e);
    }
  }

  private static boolean isOld(Path directory) throws IOException {
    return Files.getLastModifiedTime(directory, LinkOption.NOFOLLOW_LINKS)
        .toInstant()
        .isBefore(Instant.now().minus(OLD));
  }

  private static void deleteIfAbandoned(Path directory, Path owner, BooleanSupplier isLate)
      throws IOException {
    try (FileChannel channel =
        FileChannel.open(owner, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      // an owner that keeps its directory deletes the file before it releases the lock
      if (!isLate.getAsBoolean()
          && channel.tryLock() != null
          && Files.exists(owner, LinkOption.NOFOLLOW_LINKS)
          && FileTree.delete(directory.resolve(OwnedDirectory.FILES), isLate)) {
        boolean unused = FileTree.delete(directory, isLate);
      }
    } catch (OverlappingFileLockException ofThisJvm) {
      return; // it is being created or deleted
    }
  }
}

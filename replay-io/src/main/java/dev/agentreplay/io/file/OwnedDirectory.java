package dev.agentreplay.io.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A directory that belongs to this JVM for as long as it runs: the JVM locks the file
 * {@value #OWNER} in it. Not safe for use by several threads.
 *
 * <p>The lock of a process is released when it closes any channel of the file, so that no code of
 * this JVM may open it twice. The names of directories therefore begin with an id of the JVM, which
 * is also that of copies of this class that other class loaders have loaded.
 */
final class OwnedDirectory {

  /** The beginning of the name of each such directory. */
  static final String PREFIX = "agentreplay-";

  /** The name of the file that is locked. */
  static final String OWNER = "owner";

  /** The name of the directory for files. */
  static final String FILES = "files";

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final String JVM = jvm();
  private static final int ATTEMPTS = 100;

  /** Keeps channels open, and so their locks, whatever becomes of the objects that use them. */
  private static final Set<FileChannel> LOCKED = ConcurrentHashMap.newKeySet();

  private final Path path;
  private @Nullable FileChannel channel;

  private OwnedDirectory(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /** The id of this JVM, which all copies of this class share. */
  private static String jvm() {
    Object id = System.getProperties().computeIfAbsent("dev.agentreplay.io.jvm", name -> random(6));
    return id.toString();
  }

  private static String random(int bytes) {
    byte[] random = new byte[bytes];
    RANDOM.nextBytes(random);
    return HexFormat.of().formatHex(random);
  }

  /** Whether a directory of this name belongs to this JVM. */
  static boolean isOfThisJvm(String name) {
    return name.startsWith(PREFIX + JVM + "-");
  }

  /** Creates a directory, and locks it. */
  static OwnedDirectory create(Path parent) throws IOException {
    for (int attempt = 1; ; attempt++) {
      Path path = parent.resolve(PREFIX + JVM + "-" + random(8));
      try {
        OwnerOnly.createDirectory(path);
        OwnedDirectory directory = lock(path);
        if (directory != null) {
          OwnerOnly.createDirectory(directory.files());
          return directory;
        }
      } catch (FileAlreadyExistsException | NoSuchFileException e) {
        // the name is in use, or a different JVM took the directory for an abandoned one
        if (attempt == ATTEMPTS || !Files.isDirectory(parent)) {
          throw e;
        }
      }
    }
  }

  /**
   * Locks a new directory.
   *
   * @return null if a different JVM has locked it to delete it, before this one could
   */
  private static @Nullable OwnedDirectory lock(Path path) throws IOException {
    Path owner = path.resolve(OWNER);
    FileChannel channel = FileChannel.open(
        owner, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    boolean isLocked = false;
    try {
      FileLock lock = channel.tryLock();
      isLocked = lock != null && Files.exists(owner, LinkOption.NOFOLLOW_LINKS);
      if (!isLocked) {
        return null;
      }
      String text = "pid " + ProcessHandle.current().pid() + "\n";
      LOCKED.add(channel);
      channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
      return new OwnedDirectory(path, channel);
    } finally {
      if (!isLocked) {
        channel.close();
      }
    }
  }

  Path path() {
    return path;
  }

  /** The directory for files. */
  Path files() {
    return path.resolve(FILES);
  }

  /** Deletes the directory, which has no files any more. */
  void delete() throws IOException {
    release();
    Files.deleteIfExists(path);
  }

  /** Leaves the directory without an owner. */
  void keep() throws IOException {
    release();
  }

  /** Deletes the file of the owner before its lock is released: then it is not abandoned. */
  private void release() throws IOException {
    if (channel != null) {
      Files.deleteIfExists(path.resolve(OWNER));
      channel.close();
      LOCKED.remove(channel);
      channel = null;
    }
  }
}

package dev.agentreplay.sandbox;

import dev.agentreplay.io.file.FileTree;
import dev.agentreplay.sandbox.internal.Owner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** The private directory of a sandbox on this machine, with what {@code bwrap} reads and writes. */
record RunDirectory(Path path) {

  /** Creates a directory that only this user can read. */
  static RunDirectory create() throws IOException {
    RunDirectory directory = new RunDirectory(Files.createTempDirectory(
        base(),
        Owner.namePrefix(),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))));
    // not by the shell, whose umask is the recorded one, and may forbid to read the file
    directory.write("status", "");
    return directory;
  }

  /** Removes the directories that crashed processes of this user have left. */
  static void removeAbandoned() throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(base(), "replay-sandbox-*")) {
      for (Path entry : entries) {
        if (Owner.isAbandoned(entry.getFileName().toString())) {
          removeOwn(entry);
        }
      }
    }
  }

  private static void removeOwn(Path entry) throws IOException {
    try {
      if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)
          && Files.isReadable(entry)
          && Files.getOwner(entry, LinkOption.NOFOLLOW_LINKS)
              .equals(Files.getOwner(Path.of("/proc/self")))) {
        Leftovers.killSession(entry);
        // a different user may have put a link in its place, which this does not follow
        FileTree.delete(entry);
      }
    } catch (NoSuchFileException removedMeanwhile) {
      // a different process is removing the same directory
    }
  }

  /** The file to which bwrap writes its status. */
  Path status() {
    return path.resolve("status");
  }

  void write(String name, String text) throws IOException {
    write(name, text.getBytes(StandardCharsets.UTF_8));
  }

  void write(String name, byte[] bytes) throws IOException {
    Files.write(path.resolve(name), bytes);
  }

  /** Deletes the directory. */
  void remove() throws IOException {
    FileTree.delete(path);
  }

  private static Path base() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }
}

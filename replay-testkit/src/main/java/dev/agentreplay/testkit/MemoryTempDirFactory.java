package dev.agentreplay.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Creates temporary directories in a file system in memory where there is a large one: tests record
 * thousands of sessions, and each forces its files to the device several times. Elsewhere it
 * creates them in {@code java.io.tmpdir}, like JUnit, and also if the system property
 * {@code replay.tempDirs} is not {@code memory}, which the Maven build sets.
 */
public final class MemoryTempDirFactory implements TempDirFactory {

  private static final Path MEMORY = Path.of("/dev/shm");
  private static final long MIN_FREE_BYTES = 4L << 30;
  private static final boolean HAS_MEMORY = hasMemory();

  /** Creates the factory; JUnit calls it. */
  public MemoryTempDirFactory() {}

  @Override
  public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test)
      throws IOException {
    return HAS_MEMORY
        ? Files.createTempDirectory(MEMORY, "junit-")
        : Files.createTempDirectory("junit-");
  }

  /** Containers often have a small one, or one in which no program may be run. */
  private static boolean hasMemory() {
    try {
      return System.getProperty("replay.tempDirs", "").equals("memory")
          && Files.isWritable(MEMORY)
          && Files.getFileStore(MEMORY).type().equals("tmpfs")
          && Files.getFileStore(MEMORY).getUsableSpace() >= MIN_FREE_BYTES
          && runs();
    } catch (IOException noAccess) {
      return false;
    }
  }

  private static boolean runs() throws IOException {
    Path program = Files.createTempFile(MEMORY, "junit-", ".sh");
    try {
      Files.writeString(program, "#!/bin/sh\n");
      Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
      return new ProcessBuilder(program.toString()).start().waitFor() == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      Files.delete(program);
    }
  }
}

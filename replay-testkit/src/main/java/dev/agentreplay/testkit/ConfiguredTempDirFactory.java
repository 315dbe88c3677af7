package dev.agentreplay.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Creates temporary directories in the directory that the system property {@code replay.tempDirs}
 * names; in the build, this is {@code /dev/shm}, which is in memory, by default: tests record
 * thousands of sessions, and each forces its files to the device several times. Creates them in
 * {@code java.io.tmpdir}, like JUnit, if the property is not set, or the directory is missing, has
 * less than 4 GiB free, as is common in containers, or is mounted {@code noexec}.
 */
public final class ConfiguredTempDirFactory implements TempDirFactory {

  private static final long MIN_FREE_BYTES = 4L << 30;
  private static final @Nullable Path PARENT = parent();

  /** Creates the factory; JUnit calls it. */
  public ConfiguredTempDirFactory() {}

  @Override
  public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test)
      throws IOException {
    return PARENT == null
        ? Files.createTempDirectory("junit-")
        : Files.createTempDirectory(PARENT, "junit-");
  }

  private static @Nullable Path parent() {
    String name = System.getProperty("replay.tempDirs", "");
    Path directory = Path.of(name);
    try {
      return !name.isEmpty()
              && Files.isDirectory(directory)
              && Files.isWritable(directory)
              && Files.getFileStore(directory).getUsableSpace() >= MIN_FREE_BYTES
              && runsPrograms(directory)
          ? directory
          : null;
    } catch (IOException noAccess) {
      return null;
    }
  }

  private static boolean runsPrograms(Path directory) throws IOException {
    Path program = Files.createTempFile(directory, "junit-", ".sh");
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

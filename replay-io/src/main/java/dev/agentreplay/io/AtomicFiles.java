package dev.agentreplay.io;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes small files whole or not at all. */
final class AtomicFiles {

  private AtomicFiles() {}

  /**
   * Writes a new file: beside it first, then moved to its place.
   *
   * @throws FileAlreadyExistsException if the file exists
   */
  static void writeString(Path file, String text) throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    Files.deleteIfExists(temporary);
    try {
      try (FileOutputStream out = new FileOutputStream(temporary.toFile())) {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.getFD().sync();
      }
      if (Files.exists(file)) {
        throw new FileAlreadyExistsException(file.toString());
      }
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }
}

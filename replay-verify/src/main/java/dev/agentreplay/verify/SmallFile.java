package dev.agentreplay.verify;

import dev.agentreplay.canonical.JsonLimits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads files beside a log, which may be larger than any such file should be. */
final class SmallFile {

  private static final int MAX_BYTES = JsonLimits.defaults().maxBytes();

  /** What is said of a file that is too large. */
  static final String TOO_LARGE = "has more than " + MAX_BYTES + " bytes";

  private SmallFile() {}

  /** The bytes of a file; null when it has more than a JSON text may have. */
  static byte @Nullable [] read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = Files.size(file) > MAX_BYTES ? null : in.readNBytes(MAX_BYTES + 1);
      return bytes == null || bytes.length > MAX_BYTES ? null : bytes;
    }
  }
}

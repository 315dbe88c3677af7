package dev.agentreplay.verify.input;

import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.io.file.RegularFiles;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads files next to a log, and refuses those that are larger than any such file should be. */
public final class SmallFile {

  private static final int MAX_BYTES = JsonLimits.defaults().maxBytes();

  /** The message for a file that is too large. */
  public static final String TOO_LARGE = "has more than " + MAX_BYTES + " bytes";

  private SmallFile() {}

  /** Returns the bytes of a file; null when it has more bytes than a JSON text may have. */
  public static byte @Nullable [] read(Path file) throws IOException {
    return RegularFiles.read(file, MAX_BYTES);
  }
}

package dev.agentreplay.verify.proof;

import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.canonical.StrictObject;
import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.signature.SignatureVerifier.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads files that contain one JSON object, which may be signed. */
final class DocumentFile {

  private DocumentFile() {}

  /**
   * Reads the object.
   *
   * @param what the expected kind of file, with its article
   */
  static JsonObject read(Path file, String what, int maxBytes) throws IOException {
    if (Files.isDirectory(file)) {
      throw new IOException(file + ": is a directory");
    }
    byte[] bytes = RegularFiles.read(file, maxBytes);
    if (bytes == null || bytes.length == 0) {
      throw new IOException("%s: not %s: %s"
          .formatted(
              file,
              what,
              bytes == null ? "has more than " + maxBytes + " bytes" : "the file is empty"));
    }
    try {
      return StrictObject.parse(bytes, JsonLimits.defaults().withMaxBytes(maxBytes));
    } catch (DocumentFormatException e) {
      throw refused(file, what, e);
    }
  }

  /** Returns the exception for a file of a different kind. */
  static IOException refused(Path file, String what, DocumentFormatException fault) {
    return new IOException("%s: not %s: %s".formatted(file, what, fault.getMessage()), fault);
  }

  /** Throws unless a trusted key signed the file. */
  static void requireSigned(Path file, String noun, boolean isSigned, Outcome outcome)
      throws IOException {
    if (outcome != Outcome.VALID) {
      throw new IOException("%s: the %s is %s"
          .formatted(
              file,
              noun,
              outcome == Outcome.INVALID
                  ? "not what was signed"
                  : isSigned ? "signed, but not with a trusted key" : "not signed"));
    }
  }
}

package dev.agentreplay.cli;

import dev.agentreplay.io.Session;
import dev.agentreplay.io.internal.WholeFile;
import dev.agentreplay.verify.ReceiptVerifier;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerificationState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Where it is kept how far a log that grows was verified. */
record StateFile(Path file) {

  /**
   * Verifies a session from where the file says, if it is there, and keeps how far that came. Where
   * there is nothing to go on with, the file stays as it is, and the complaint says so.
   */
  VerificationReport verify(ReceiptVerifier verifier, Session session, Consumer<String> complaint)
      throws IOException {
    VerificationState since = Files.exists(file) ? read() : null;
    VerificationReport report =
        since == null ? verifier.verify(session) : verifier.verify(session, since);
    VerificationState state = report.state();
    if (state != null) {
      WholeFile.replace(file, (state.toJson() + "\n").getBytes(StandardCharsets.UTF_8));
    } else {
      complaint.accept(
          "nothing is kept in %s: the session has ended, or is held against more than its log, or"
                  .formatted(file)
              + " its log is not what it was");
    }
    return report;
  }

  private VerificationState read() throws IOException {
    try {
      return VerificationState.fromJson(JsonFile.read(file, "a state of verification"));
    } catch (IllegalArgumentException e) {
      throw new IOException(
          "%s: not a state of verification: %s".formatted(file, e.getMessage()), e);
    }
  }
}

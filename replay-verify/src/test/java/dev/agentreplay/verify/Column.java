package dev.agentreplay.verify;

import dev.agentreplay.io.session.Session;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The evidence that is presented to an auditor.
 *
 * @param title the title of the column in the documentation
 * @param exhibit the session before the attack
 * @param shown the files that are presented
 * @param policy the equivalent of the command in the documentation
 */
record Column(String title, Exhibit exhibit, Shown shown, VerifyPolicy policy) {

  /** The presented files of a session. */
  enum Shown {
    LOG,
    ALL
  }

  /** Verifies an attacked session, which is written to a directory. */
  VerificationReport verify(Exhibit attacked, VerifyPolicy by, Path directory) throws IOException {
    Session session = attacked.write(directory);
    return SessionVerifier.of(by).verify(shown == Shown.LOG ? session.withReceipt(null) : session);
  }
}

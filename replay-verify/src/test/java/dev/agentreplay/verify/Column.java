package dev.agentreplay.verify;

import dev.agentreplay.io.session.Session;
import java.io.IOException;
import java.nio.file.Path;

/**
 * What an auditor is presented with.
 *
 * @param title what the documentation calls it
 * @param exhibit the session before it was attacked
 * @param shown what of its files is presented
 * @param policy what the command in the documentation stands for
 */
record Column(String title, Exhibit exhibit, Shown shown, VerifyPolicy policy) {

  /** Which files of a session. */
  enum Shown {
    LOG,
    ALL
  }

  /** Verifies what came of an attack; it is written into a directory. */
  VerificationReport verify(Exhibit attacked, VerifyPolicy by, Path directory) throws IOException {
    Session session = attacked.write(directory);
    return SessionVerifier.of(by).verify(shown == Shown.LOG ? session.withReceipt(null) : session);
  }
}

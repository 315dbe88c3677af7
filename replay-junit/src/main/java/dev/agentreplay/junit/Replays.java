package dev.agentreplay.junit;

import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.session.SessionLocation;
import dev.agentreplay.io.session.Sessions;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerifyPolicy;
import dev.agentreplay.verify.batch.BatchResult;
import dev.agentreplay.verify.batch.BatchVerifier;
import dev.agentreplay.verify.report.VerificationText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;

/**
 * Verifies recorded sessions that are checked in.
 *
 * <pre>{@code
 * Replays.verify(Path.of("src/test/resources/sessions"));
 * }</pre>
 */
public final class Replays {

  private static final int MAX_SHOWN = 20;

  private Replays() {}

  /**
   * Verifies a log, or all sessions in a directory and below it, as found by {@link Sessions#find},
   * except received sessions ({@code *.received}), which are not accepted yet. Each session must be
   * valid by {@link VerifyPolicy#defaults()}; a session in which nothing could be checked is not
   * valid. Each place that is skipped, which is a link or a directory that cannot be listed, is a
   * failure.
   *
   * @throws AssertionError if a session is not valid or cannot be read, or if there is no session
   */
  public static void verify(Path path) {
    List<SessionLocation> places = Files.isDirectory(path)
        ? new RecordingsFolder(path).all()
        : List.of(SessionLocation.of(path));
    List<String> shown = new ArrayList<>();
    int failed = 0;
    try (Stream<BatchResult> results = BatchVerifier.of(VerifyPolicy.defaults()).verify(places)) {
      for (BatchResult result : (Iterable<BatchResult>) results::iterator) {
        String failure = failure(result);
        if (failure != null && failed++ < MAX_SHOWN) {
          shown.add(failure);
        }
      }
    }
    if (places.isEmpty()) {
      throw new AssertionFailedError(Shown.path(path) + ": no session in this directory");
    }
    if (failed > 0) {
      throw new AssertionFailedError(
          places.size() == 1 ? shown.get(0) : text(failed, places.size(), shown));
    }
  }

  private static String text(int failed, int sessions, List<String> shown) {
    String text = "%d of %s do not verify\n%s"
        .formatted(failed, PlainText.count(sessions, "session"), String.join("\n", shown));
    return failed == shown.size() ? text : "%s\nand %d more".formatted(text, failed - shown.size());
  }

  private static @Nullable String failure(BatchResult result) {
    return result instanceof BatchResult.Verified verified
        ? failure(verified.report())
        : Shown.unreadable(((BatchResult.Failed) result).failure());
  }

  /** The reason why a session is not valid; null if it is valid. */
  static @Nullable String failure(Session session, VerifyPolicy policy) throws IOException {
    return failure(SessionVerifier.of(policy).verify(session));
  }

  private static @Nullable String failure(VerificationReport report) {
    return report.verdict() == Verdict.VALID ? null : VerificationText.renderFailure(report);
  }
}

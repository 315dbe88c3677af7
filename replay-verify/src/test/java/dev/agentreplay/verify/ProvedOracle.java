package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.verify.VerificationReport.Conclusion;
import dev.agentreplay.verify.VerificationReport.Counter;
import java.util.List;

/**
 * Computes independently which claims may be proved about an attacked session: about the log, those
 * that the presented receipt states; about signed lines, and the end of a signed session, that they
 * are those of a genuine one.
 */
final class ProvedOracle {

  private final List<List<String>> genuine;
  private final boolean trustsKey;

  /**
   * Creates an oracle for sessions that are presented in the same way.
   *
   * @param genuine the lines of the sessions that were signed with the trusted key
   * @param trustsKey whether the verifier requires a signature
   */
  ProvedOracle(List<List<String>> genuine, boolean trustsKey) {
    this.genuine = List.copyOf(genuine);
    this.trustsKey = trustsKey;
  }

  /** Fails when a claim is proved that does not hold. */
  void check(VerificationReport report, Exhibit shown, boolean hasReceipt) {
    List<String> lines = shown.lines();
    long signed = report.count(Counter.LINES_SIGNED);
    assertThat(report.signers().isEmpty())
        .as("signers of %d lines: %s", signed, report.signers())
        .isEqualTo(signed == 0);
    assertThat(genuine)
        .as("%d lines are signed", signed)
        .anyMatch(those -> isPrefix(lines, those, signed));
    for (Conclusion conclusion : report.conclusions()) {
      if (!conclusion.isProved()) {
        continue;
      }
      String text = conclusion.text();
      switch (conclusion.claim()) {
        case END -> {
          assertThat(report.verdict()).as(text).isIn(Verdict.VALID, Verdict.UNVERIFIED);
          assertThat(hasReceipt && (states(shown) || statesEvents(shown)))
              .as(text)
              .isTrue();
          assertThat(!trustsKey || genuine.contains(lines)).as(text).isTrue();
        }
        case LOG -> {
          if (text.startsWith("every event except the header")) {
            assertThat(hasReceipt && statesEvents(shown)).as(text).isTrue();
          } else if (text.startsWith("every")) {
            boolean isGenuine =
                genuine.stream().anyMatch(those -> isPrefix(lines, those, lines.size()));
            assertThat(isGenuine || (hasReceipt && states(shown))).as(text).isTrue();
          }
          assertThat(text).doesNotContain("envelope");
        }
        case SIGNER -> assertThat(signed).as(text).isPositive();
        default -> assertThat(text).isNotEmpty();
      }
    }
  }

  private static boolean isPrefix(List<String> lines, List<String> genuine, long size) {
    return size <= lines.size()
        && size <= genuine.size()
        && lines.subList(0, (int) size).equals(genuine.subList(0, (int) size));
  }

  /** Whether the receipt states the hash of all events except the header. */
  private static boolean statesEvents(Exhibit shown) {
    JsonObject first = shown.json(1);
    int header = first.at("/event").equals(JsonString.of("ReplayHeader")) ? 1 : 0;
    String trajectory = TestLog.trajectoryHash(
        shown.numbers().subList(header, shown.size()).stream().map(shown::json).toList());
    return shown.receipt() != null
        && JsonString.of(trajectory).equals(shown.receiptJson().get("trajectory_hash"));
  }

  /** Whether the receipt states the hash of the log's bytes, or the tree over all of its lines. */
  private static boolean states(Exhibit shown) {
    if (shown.receipt() == null) {
      return false;
    }
    JsonObject receipt = shown.receiptJson();
    TreeHead tree = shown.tree(shown.size());
    String log = ContentHash.sha256(shown.log()).toString();
    return JsonString.of(log).equals(receipt.get("replay_hash"))
        || JsonString.of(tree.root().toString()).equals(receipt.get("tree_root"));
  }
}

package dev.agentreplay.verify;

import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Severity;
import dev.agentreplay.verify.VerificationReport.Counter;
import dev.agentreplay.verify.VerifyPolicy.Requirement;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** Applies a policy to the counters and findings of a verification. */
final class Assessment {

  /** The counters of values that are missing, or that do not match their hash or preview. */
  private static final Set<Counter> UNCHECKED_VALUES = EnumSet.of(
      Counter.PARAMS_HASHES_MISMATCHED,
      Counter.PARAMS_HASHES_UNVERIFIABLE,
      Counter.OUTPUT_HASHES_MISMATCHED,
      Counter.OUTPUT_HASHES_UNVERIFIABLE,
      Counter.PAYLOAD_HASHES_MISMATCHED,
      Counter.PAYLOAD_HASHES_UNVERIFIABLE,
      Counter.PREVIEWS_MISMATCHED,
      Counter.PREVIEWS_UNVERIFIABLE,
      Counter.SNAPSHOT_FILES_MISMATCHED,
      Counter.SNAPSHOT_FILES_UNVERIFIABLE);

  private final VerifyPolicy policy;
  private final Session session;
  private final Tally tally;
  private final Set<FindingCode> found;

  Assessment(VerifyPolicy policy, Session session, Tally tally) {
    this.policy = policy;
    this.session = session;
    this.tally = tally;
    this.found = tally.findingCounts().keySet();
  }

  /** Returns the requirements of the policy that are not met. */
  Set<Requirement> unmet() {
    Set<Requirement> unmet = EnumSet.noneOf(Requirement.class);
    for (Requirement requirement : policy.requirements()) {
      if (!isMet(requirement)) {
        unmet.add(requirement);
      }
    }
    return unmet;
  }

  Verdict verdict() {
    if (tally.hasAny(Severity.UNREADABLE)) {
      return Verdict.UNREADABLE;
    }
    if (!Collections.disjoint(policy.failing(), found)) {
      return Verdict.INVALID;
    }
    return wasChecked() && unmet().isEmpty() ? Verdict.VALID : Verdict.UNVERIFIED;
  }

  private boolean isMet(Requirement requirement) {
    return switch (requirement) {
      case HASHES ->
        tally.get(Counter.PARAMS_HASHES_VERIFIED) + tally.get(Counter.OUTPUT_HASHES_VERIFIED) > 0;
      case VALUES -> wasReadWhole() && isNone(UNCHECKED_VALUES);
      case RECEIPT -> session.receipt() != null && doesReceiptFit();
      case TREE -> isEachLineIn(Counter.LINES_IN_TREE);
      case SIGNATURE -> isEachLineIn(Counter.LINES_SIGNED);
      case SESSION_END -> wasReadWhole() && !found.contains(FindingCode.SESSION_END_MISSING);
      case CANONICAL_LINES ->
        wasReadWhole()
            && !found.contains(FindingCode.NOT_CANONICAL)
            // the canonical form is unknown
            && !found.contains(FindingCode.UNSUPPORTED_CANONICALIZATION);
    };
  }

  private boolean doesReceiptFit() {
    return tally.get(Counter.RECEIPT_CALLS_MATCHED) > 0
        || tally.get(Counter.LOG_DIGESTS_VERIFIED) > 0
        || tally.get(Counter.RUN_DIGESTS_VERIFIED) > 0
        || tally.get(Counter.EVENT_DIGESTS_VERIFIED) > 0
        || isEachLineIn(Counter.LINES_IN_TREE);
  }

  private boolean isNone(Set<Counter> counters) {
    return counters.stream().allMatch(counter -> tally.get(counter) == 0);
  }

  private boolean isEachLineIn(Counter lines) {
    return wasReadWhole() && tally.get(lines) == tally.get(Counter.EVENTS);
  }

  /** Whether there are lines and all are events, so that what was not found does not exist. */
  private boolean wasReadWhole() {
    return tally.get(Counter.EVENTS) > 0
        && tally.get(Counter.UNREADABLE_LINES) == 0
        && !found.contains(FindingCode.UNSUPPORTED_VERSION);
  }

  private boolean wasChecked() {
    return tally.get(Counter.PARAMS_HASHES_VERIFIED) > 0
        || tally.get(Counter.OUTPUT_HASHES_VERIFIED) > 0
        || tally.get(Counter.PAYLOAD_HASHES_VERIFIED) > 0
        || tally.get(Counter.RECEIPT_CALLS_MATCHED) > 0
        || tally.get(Counter.LOG_DIGESTS_VERIFIED) > 0
        || tally.get(Counter.RUN_DIGESTS_VERIFIED) > 0
        || tally.get(Counter.EVENT_DIGESTS_VERIFIED) > 0
        || tally.get(Counter.LINES_IN_TREE) > 0
        || tally.get(Counter.LINES_SIGNED) > 0
        || tally.get(Counter.PUBLISHED_LINES_VERIFIED) > 0;
  }
}

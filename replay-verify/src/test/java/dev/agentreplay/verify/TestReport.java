package dev.agentreplay.verify;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.verify.VerificationReport.Counter;
import dev.agentreplay.verify.VerifyPolicy.Requirement;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reports that no verification has made. */
public final class TestReport {

  private TestReport() {}

  /** The report of a log of the dialect {@code type} in the default canonicalization. */
  public static VerificationReport invalid(
      Session session,
      Set<Requirement> unmet,
      Map<Counter, Long> counts,
      Map<FindingCode, Long> findingCounts,
      List<Finding> findings) {
    return new VerificationReport(
        session,
        Verdict.INVALID,
        unmet,
        null,
        null,
        Dialect.TYPE,
        Canonicalization.SERDE,
        counts,
        findingCounts,
        findings,
        Set.of(),
        null,
        null);
  }

  /** The report of which nothing is known but the session. */
  public static VerificationReport empty(Session session) {
    return new VerificationReport(
        session,
        Verdict.UNVERIFIED,
        Set.of(),
        null,
        null,
        null,
        null,
        Map.of(),
        Map.of(),
        List.of(),
        Set.of(),
        null,
        null);
  }
}

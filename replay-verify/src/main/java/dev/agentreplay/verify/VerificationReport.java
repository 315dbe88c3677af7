package dev.agentreplay.verify;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a verification found.
 *
 * @param session what was verified, and by which receipt
 * @param verdict what it came to
 * @param unmet what the policy requires and could not be had
 * @param dialect the dialect of the log; null when it could not be told
 * @param canonicalization the profile that its hashes were checked with; null when it is not known
 * @param counts how much was checked
 * @param findingCounts how often each code was found
 * @param findings the findings in the order of the log, at most as many of a code as the policy
 *     says
 * @param signers the trusted keys whose signature covers the {@link Counter#LINES_SIGNED} first
 *     lines as they are here; empty when no line is signed
 */
public record VerificationReport(
    Session session,
    Verdict verdict,
    Set<Requirement> unmet,
    @Nullable Dialect dialect,
    @Nullable Canonicalization canonicalization,
    Map<Counter, Long> counts,
    Map<FindingCode, Long> findingCounts,
    List<Finding> findings,
    Set<String> signers) {

  /** Checks for null and copies. */
  public VerificationReport {
    Objects.requireNonNull(session, "session");
    Objects.requireNonNull(verdict, "verdict");
    Set<Requirement> sorted = EnumSet.noneOf(Requirement.class);
    sorted.addAll(unmet);
    unmet = Collections.unmodifiableSet(sorted);
    counts = copy(Counter.class, counts);
    findingCounts = copy(FindingCode.class, findingCounts);
    findings = List.copyOf(findings);
    signers = Collections.unmodifiableSet(new TreeSet<>(signers));
  }

  /** How often something was counted. */
  public long count(Counter counter) {
    return counts.getOrDefault(counter, 0L);
  }

  /** How often a code was found, listed or not. */
  public long count(FindingCode code) {
    return findingCounts.getOrDefault(code, 0L);
  }

  /** Whether more was found than is listed. */
  public boolean isTruncated() {
    return findingCounts.values().stream().mapToLong(Long::longValue).sum() > findings.size();
  }

  /** What is proved of the session and by what, and what is not and why. */
  public List<Conclusion> conclusions() {
    return Conclusions.of(this);
  }

  /** With one more finding, of the whole session, and with what the policy makes of it. */
  public VerificationReport with(Finding finding, VerifyPolicy policy) {
    FindingCode code = finding.code();
    Map<FindingCode, Long> newCounts = new EnumMap<>(FindingCode.class);
    newCounts.putAll(findingCounts);
    long count = count(code) + 1;
    newCounts.put(code, count);
    List<Finding> newFindings = new ArrayList<>(findings);
    if (count <= policy.maxFindings()) {
      newFindings.add(finding);
    }
    boolean fails = policy.failing().contains(code) && verdict != Verdict.UNREADABLE;
    return new VerificationReport(
        session,
        fails ? Verdict.INVALID : verdict,
        unmet,
        dialect,
        canonicalization,
        counts,
        newCounts,
        newFindings,
        signers);
  }

  private static <K extends Enum<K>> Map<K, Long> copy(Class<K> keys, Map<K, Long> counts) {
    Map<K, Long> copy = new EnumMap<>(keys);
    copy.putAll(counts);
    return Collections.unmodifiableMap(copy);
  }
}

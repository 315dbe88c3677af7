package dev.agentreplay.verify;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.verify.VerifyPolicy.Requirement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The outcome of a verification: what was checked and found, and what is proved. Immutable. */
public final class VerificationReport {

  private final Session session;
  private final Verdict verdict;
  private final Set<Requirement> unmet;
  private final @Nullable String sessionId;
  private final @Nullable ContentHash root;
  private final @Nullable Dialect dialect;
  private final @Nullable Canonicalization canonicalization;
  private final Map<Counter, Long> counts;
  private final Map<FindingCode, Long> findingCounts;
  private final List<Finding> findings;
  private final Set<String> signers;

  VerificationReport(
      Session session,
      Verdict verdict,
      Set<Requirement> unmet,
      @Nullable String sessionId,
      @Nullable ContentHash root,
      @Nullable Dialect dialect,
      @Nullable Canonicalization canonicalization,
      Map<Counter, Long> counts,
      Map<FindingCode, Long> findingCounts,
      List<Finding> findings,
      Set<String> signers) {
    this.session = session;
    this.verdict = verdict;
    Set<Requirement> sorted = EnumSet.noneOf(Requirement.class);
    sorted.addAll(unmet);
    this.unmet = Collections.unmodifiableSet(sorted);
    this.sessionId = sessionId;
    this.root = root;
    this.dialect = dialect;
    this.canonicalization = canonicalization;
    this.counts = copy(Counter.class, counts);
    this.findingCounts = copy(FindingCode.class, findingCounts);
    this.findings = List.copyOf(findings);
    this.signers = Collections.unmodifiableSet(new TreeSet<>(signers));
  }

  /** The session that was verified, and the receipt that it was verified by. */
  public Session session() {
    return session;
  }

  /** The verdict, by the policy. */
  public Verdict verdict() {
    return verdict;
  }

  /** The requirements of the policy that are not met, in their order. */
  public Set<Requirement> unmet() {
    return unmet;
  }

  /** The id that the first event states which states one; null when none does. */
  public @Nullable String sessionId() {
    return sessionId;
  }

  /** The root of the tree over the lines that are events; null when there are none. */
  public @Nullable ContentHash root() {
    return root;
  }

  /** The dialect of the log; null when it could not be told. */
  public @Nullable Dialect dialect() {
    return dialect;
  }

  /** The profile that the hashes of the log were checked with; null when it is not known. */
  public @Nullable Canonicalization canonicalization() {
    return canonicalization;
  }

  /** How much was checked, in the order of the counters. */
  public Map<Counter, Long> counts() {
    return counts;
  }

  /** How often each code was found. */
  public Map<FindingCode, Long> findingCounts() {
    return findingCounts;
  }

  /** The findings in the order of the log, at most as many of a code as the policy says. */
  public List<Finding> findings() {
    return findings;
  }

  /**
   * The trusted keys whose signature covers the {@link Counter#LINES_SIGNED} first lines as they
   * are here; empty when no line is signed.
   */
  public Set<String> signers() {
    return signers;
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

  /** The conclusions: what is proved of the session and by what, and what is not and why. */
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
        sessionId,
        root,
        dialect,
        canonicalization,
        counts,
        newCounts,
        newFindings,
        signers);
  }

  @Override
  public String toString() {
    return "%s: %s %s".formatted(session.log(), verdict.id(), findingCounts);
  }

  private static <K extends Enum<K>> Map<K, Long> copy(Class<K> keys, Map<K, Long> counts) {
    Map<K, Long> copy = new EnumMap<>(keys);
    copy.putAll(counts);
    return Collections.unmodifiableMap(copy);
  }

  /** What a verification may prove of a session. Stable; more may be added. */
  public enum Claim {
    /** The log is what somebody stated of it: in a receipt, or earlier. */
    LOG,
    /** The answered calls are those that the receipt lists. */
    CALLS,
    /** The parameters of calls have the hashes beside them. */
    PARAMS,
    /** The outputs of calls have the hashes beside them. */
    OUTPUTS,
    /** Prompts, answers and payloads have the hashes beside them. */
    PAYLOADS,
    /** Previews follow from the values that they are of. */
    PREVIEWS,
    /** The receipt has the digest that is in it. */
    RECEIPT,
    /** Somebody who is trusted vouches for the log. */
    SIGNER,
    /** The session was recorded to its end. */
    END;

    /** The text of the constant in reports. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A statement that a verification proved, or did not. */
  public static final class Conclusion {

    private final Claim claim;
    private final boolean isProved;
    private final String text;

    Conclusion(Claim claim, boolean isProved, String text) {
      this.claim = claim;
      this.isProved = isProved;
      this.text = text;
    }

    /** The claim, for programs. */
    public Claim claim() {
      return claim;
    }

    /** Whether it is proved. */
    public boolean isProved() {
      return isProved;
    }

    /** To what extent it is proved, and by what; or what is not proved, and why: for people. */
    public String text() {
      return text;
    }

    @Override
    public String toString() {
      return "%s%s: %s".formatted(isProved ? "" : "not proved: ", claim.id(), text);
    }
  }

  /**
   * What a verification counts. {@code EVENTS} is the sum of known and unknown ones;
   * {@code TOOL_CALLS} that of the four counts of parameter hashes, {@code TOOL_RESULTS} that of
   * the four counts of output hashes. Once the whole log was read, {@code TOOL_CALLS} is the sum of
   * answered and unanswered ones, so is {@code MODEL_CALLS}, and {@code RECEIPT_CALLS} is that of
   * receipt calls matched, mismatched and missing: behind a line that cannot be read, calls are not
   * looked for.
   */
  public enum Counter {
    /** Lines that are events. */
    EVENTS,
    /** Events of a type that is known. */
    KNOWN_EVENTS,
    /** Events of another type, or that lack what identifies them. */
    UNKNOWN_EVENTS,
    /** Lines that are not events. */
    UNREADABLE_LINES,
    /** Tool calls. */
    TOOL_CALLS,
    /** Tool results. */
    TOOL_RESULTS,
    /** Results that belong to a call. */
    ANSWERED_CALLS,
    /** Tool calls that no result belongs to, once the whole log was read. */
    UNANSWERED_CALLS,
    /** Calls of a model. */
    MODEL_CALLS,
    /** Results of a model. */
    MODEL_RESULTS,
    /** Results of a model that belong to a call. */
    ANSWERED_MODEL_CALLS,
    /** Calls of a model that no result belongs to, once the whole log was read. */
    UNANSWERED_MODEL_CALLS,
    /** Parameters that have the hash beside them. */
    PARAMS_HASHES_VERIFIED,
    /** Parameters that do not have the hash beside them. */
    PARAMS_HASHES_MISMATCHED,
    /** Hashes of parameters that are not in the log. */
    PARAMS_HASHES_UNVERIFIABLE,
    /** Calls without a hash of their parameters. */
    PARAMS_HASHES_MISSING,
    /** Outputs that have the hash beside them. */
    OUTPUT_HASHES_VERIFIED,
    /** Outputs that do not have the hash beside them. */
    OUTPUT_HASHES_MISMATCHED,
    /** Hashes of outputs that are not in the log. */
    OUTPUT_HASHES_UNVERIFIABLE,
    /** Results without a hash of their output. */
    OUTPUT_HASHES_MISSING,
    /** Prompts, answers and payloads that have the hash beside them. */
    PAYLOAD_HASHES_VERIFIED,
    /** Prompts, answers and payloads that do not have the hash beside them. */
    PAYLOAD_HASHES_MISMATCHED,
    /** Hashes of prompts, answers and payloads that are missing. */
    PAYLOAD_HASHES_UNVERIFIABLE,
    /** Previews that follow from their value. */
    PREVIEWS_VERIFIED,
    /** Previews that do not follow from their value. */
    PREVIEWS_MISMATCHED,
    /** Previews whose value is missing. */
    PREVIEWS_UNVERIFIABLE,
    /** Calls in the receipt. */
    RECEIPT_CALLS,
    /** Calls in the receipt that are as in the log. */
    RECEIPT_CALLS_MATCHED,
    /** Calls in the receipt that differ from those in the log. */
    RECEIPT_CALLS_MISMATCHED,
    /** Calls in the receipt that are not in the log. */
    RECEIPT_CALLS_MISSING,
    /** Answered calls in the log that are not in the receipt. */
    RECEIPT_CALLS_UNEXPECTED,
    /** Digests in the receipt that were verified: of the bytes of the log. */
    LOG_DIGESTS_VERIFIED,
    /** Digests in the receipt that were verified: of every event of the log but the header. */
    EVENT_DIGESTS_VERIFIED,
    /**
     * Digests in the receipt of the events of the runtime that were verified: of the
     * {@code RuntimeEvent} lines, and not of what stands around them.
     */
    RUN_DIGESTS_VERIFIED,
    /** Digests of the receipt itself that were verified. */
    RECEIPT_DIGESTS_VERIFIED,
    /** Stated tree roots that are those of the lines: the receipt's, and earlier checkpoints'. */
    TREE_ROOTS_VERIFIED,
    /** Earlier checkpoints whose lines the log begins with. */
    EARLIER_TREES_VERIFIED,
    /** Lines, from the first, that the largest verified root covers. */
    LINES_IN_TREE,
    /** Checkpoints in the log. */
    CHECKPOINTS,
    /** Checkpoints in the log whose tree root is that of the lines before them. */
    CHECKPOINTS_VERIFIED,
    /** Signatures that a trusted key has made over what they are beside. */
    SIGNATURES_VERIFIED,
    /** Signatures of keys or algorithms that are not trusted or not known. */
    SIGNATURES_UNVERIFIABLE,
    /** Lines, from the first, that a verified signature covers. */
    LINES_SIGNED;

    /** The text of the constant in reports. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}

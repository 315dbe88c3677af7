package dev.agentreplay.verify;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ImportOrigin;
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

/** The result of a verification: checks, findings and conclusions. Immutable. */
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
  private final @Nullable Publication publication;
  private final @Nullable ImportOrigin importedFrom;

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
      Set<String> signers,
      @Nullable Publication publication,
      @Nullable ImportOrigin importedFrom) {
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
    this.publication = publication;
    this.importedFrom = importedFrom;
  }

  /** The session that was verified, with the receipt it was compared with. */
  public Session session() {
    return session;
  }

  /** The verdict under the policy. */
  public Verdict verdict() {
    return verdict;
  }

  /** The requirements of the policy that are not met, in their declared order. */
  public Set<Requirement> unmet() {
    return unmet;
  }

  /** The session id in the first event that states one; null when none does. */
  public @Nullable String sessionId() {
    return sessionId;
  }

  /** The root of the Merkle tree over the lines that are events; null when there are none. */
  public @Nullable ContentHash root() {
    return root;
  }

  /** The dialect of the log; null when it could not be determined. */
  public @Nullable Dialect dialect() {
    return dialect;
  }

  /** The canonicalization that hashes were checked with; null when it is not known. */
  public @Nullable Canonicalization canonicalization() {
    return canonicalization;
  }

  /** The value of each counter, in the order of the counters. */
  public Map<Counter, Long> counts() {
    return counts;
  }

  /** The number of findings of each code. */
  public Map<FindingCode, Long> findingCounts() {
    return findingCounts;
  }

  /** The findings in the order of the log, up to {@link VerifyPolicy#maxFindings} of each code. */
  public List<Finding> findings() {
    return findings;
  }

  /**
   * The trusted keys whose signatures cover the first {@link Counter#LINES_SIGNED} lines as they
   * are in the log, or, in a published log, the values that they show unchanged; empty when no line
   * is signed.
   */
  public Set<String> signers() {
    return signers;
  }

  /** The publication that the log states it is; null when it states none that can be read. */
  public @Nullable Publication publication() {
    return publication;
  }

  /** The trace that the header states the session was imported from; null when it states none. */
  public @Nullable ImportOrigin importedFrom() {
    return importedFrom;
  }

  /** The value of a counter. */
  public long count(Counter counter) {
    return counts.getOrDefault(counter, 0L);
  }

  /** The number of findings of a code, listed or not. */
  public long count(FindingCode code) {
    return findingCounts.getOrDefault(code, 0L);
  }

  /** Whether there are more findings than are listed. */
  public boolean isTruncated() {
    return findingCounts.values().stream().mapToLong(Long::longValue).sum() > findings.size();
  }

  /**
   * The conclusions: the statements that are proved, and by what; and those that are not, and why.
   */
  public List<Conclusion> conclusions() {
    return Conclusions.of(this);
  }

  /**
   * Returns the report with one more finding about the whole session, and the verdict of a policy
   * on it.
   */
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
        signers,
        publication,
        importedFrom);
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

  /** The claims that a verification may prove about a session. Stable; more may be added. */
  public enum Claim {
    /** The log matches what the receipt, an earlier checkpoint or a signature states of it. */
    LOG,
    /** The answered calls match the calls in the receipt. */
    CALLS,
    /** The parameters of calls match their hashes. */
    PARAMS,
    /** The outputs of calls match their hashes. */
    OUTPUTS,
    /** Prompts, answers and payloads match their hashes. */
    PAYLOADS,
    /** Previews follow from the values that they were made of. */
    PREVIEWS,
    /** The snapshots of the workspace match the hashes in the log. */
    SNAPSHOT,
    /** The receipt matches its own digest. */
    RECEIPT,
    /** A trusted key signed the log. */
    SIGNER,
    /** The session was recorded to its end. */
    END,
    /** The values that a published log shows are those of the session. */
    PUBLICATION,
    /** The session is a fork of a recording, and repeats what is before its point. */
    FORK,
    /** The trace from which the session was imported states what happened. */
    IMPORT;

    /** The text of the constant in reports. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A claim that a verification proved, or did not prove. */
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

    /** Whether the claim is proved. */
    public boolean isProved() {
      return isProved;
    }

    /**
     * The text for people: what is proved, to what extent and by what; or what is not proved, and
     * why.
     */
    public String text() {
      return text;
    }

    @Override
    public String toString() {
      return "%s%s: %s".formatted(isProved ? "" : "not proved: ", claim.id(), text);
    }
  }

  /**
   * The counters of a verification. {@code EVENTS} is the sum of known and unknown events;
   * {@code TOOL_CALLS} is the sum of the four counters of parameter hashes, {@code TOOL_RESULTS}
   * that of the four counters of output hashes. If the whole log was read, {@code TOOL_CALLS} is
   * the sum of answered and unanswered calls, {@code MODEL_CALLS} likewise, and
   * {@code RECEIPT_CALLS} is the sum of receipt calls matched, mismatched and missing: calls after
   * an unreadable line are not matched.
   */
  public enum Counter {
    /** Lines that are events. */
    EVENTS,
    /** Events of a known type. */
    KNOWN_EVENTS,
    /** Events of an unknown type, and events without the members that identify them. */
    UNKNOWN_EVENTS,
    /** Lines that are not events. */
    UNREADABLE_LINES,
    /** Tool calls. */
    TOOL_CALLS,
    /** Tool results. */
    TOOL_RESULTS,
    /** Tool results that answer a call. */
    ANSWERED_CALLS,
    /** Tool calls without a result, counted when the whole log was read. */
    UNANSWERED_CALLS,
    /** Model calls. */
    MODEL_CALLS,
    /** Model results. */
    MODEL_RESULTS,
    /** Model results that answer a call. */
    ANSWERED_MODEL_CALLS,
    /** Model calls without a result, counted when the whole log was read. */
    UNANSWERED_MODEL_CALLS,
    /** Parameters that match their hash. */
    PARAMS_HASHES_VERIFIED,
    /** Parameters that do not match their hash. */
    PARAMS_HASHES_MISMATCHED,
    /**
     * Hashes of parameters that could not be checked: the parameters are missing or their blob is
     * too large to be parsed, or the canonicalization is unknown.
     */
    PARAMS_HASHES_UNVERIFIABLE,
    /** Calls without a hash of their parameters. */
    PARAMS_HASHES_MISSING,
    /** Outputs that match their hash. */
    OUTPUT_HASHES_VERIFIED,
    /** Outputs that do not match their hash. */
    OUTPUT_HASHES_MISMATCHED,
    /**
     * Hashes of outputs that could not be checked: the output is missing or its blob is too large
     * to be parsed, or the canonicalization is unknown.
     */
    OUTPUT_HASHES_UNVERIFIABLE,
    /** Results without a hash of their output. */
    OUTPUT_HASHES_MISSING,
    /** Prompts, answers and payloads that match their hash. */
    PAYLOAD_HASHES_VERIFIED,
    /** Prompts, answers and payloads that do not match their hash. */
    PAYLOAD_HASHES_MISMATCHED,
    /**
     * Hashes of prompts, answers and payloads that could not be checked: the value is missing or
     * its blob is too large to be parsed, or the canonicalization is unknown.
     */
    PAYLOAD_HASHES_UNVERIFIABLE,
    /** Previews that follow from their value. */
    PREVIEWS_VERIFIED,
    /** Previews that do not follow from their value. */
    PREVIEWS_MISMATCHED,
    /** Previews whose value is missing. */
    PREVIEWS_UNVERIFIABLE,
    /** Manifests of the snapshots that the log names, their files, and stored file states. */
    SNAPSHOT_FILES,
    /** Those that match their hash. */
    SNAPSHOT_FILES_VERIFIED,
    /** Those that do not match their hash, or cannot be read. */
    SNAPSHOT_FILES_MISMATCHED,
    /** Those that are missing. */
    SNAPSHOT_FILES_UNVERIFIABLE,
    /** Calls in the receipt. */
    RECEIPT_CALLS,
    /** Calls in the receipt that match the log. */
    RECEIPT_CALLS_MATCHED,
    /** Calls in the receipt that differ from those in the log. */
    RECEIPT_CALLS_MISMATCHED,
    /** Calls in the receipt that are missing from the log. */
    RECEIPT_CALLS_MISSING,
    /** Answered calls in the log that are missing from the receipt. */
    RECEIPT_CALLS_UNEXPECTED,
    /** Verified digests in the receipt of the bytes of the log. */
    LOG_DIGESTS_VERIFIED,
    /** Verified digests in the receipt of every event of the log except the header. */
    EVENT_DIGESTS_VERIFIED,
    /**
     * Verified digests in the receipt of the events of the runtime: they cover the
     * {@code RuntimeEvent} lines, and no other lines.
     */
    RUN_DIGESTS_VERIFIED,
    /** Verified digests of the receipt itself. */
    RECEIPT_DIGESTS_VERIFIED,
    /** Stated tree roots that match the lines: of the receipt and of earlier checkpoints. */
    TREE_ROOTS_VERIFIED,
    /** Earlier checkpoints whose lines are the beginning of the log. */
    EARLIER_TREES_VERIFIED,
    /** Lines, from the first, that the largest verified tree root covers. */
    LINES_IN_TREE,
    /** Checkpoints in the log. */
    CHECKPOINTS,
    /** Checkpoints in the log whose tree root matches the lines before them. */
    CHECKPOINTS_VERIFIED,
    /** Valid signatures of trusted keys. */
    SIGNATURES_VERIFIED,
    /** Signatures with an untrusted key or an unknown algorithm. */
    SIGNATURES_UNVERIFIABLE,
    /**
     * Lines, from the first, that a valid signature of a trusted key covers; in a published log,
     * the values that they show unchanged.
     */
    LINES_SIGNED,
    /** Lines of a published log. */
    PUBLISHED_LINES,
    /** Those whose openings lead to a public root that a public checkpoint states. */
    PUBLISHED_LINES_VERIFIED,
    /**
     * Values that a published log shows unchanged; a value that is shown with everything in it
     * counts once.
     */
    VALUES_SHOWN,
    /**
     * Values that a published log withholds, also those whose hash was replaced by a commitment or
     * computed again, and decoys, which cannot be distinguished from them.
     */
    VALUES_WITHHELD,
    /** Values in whose place a rule of the policy shows a different value. */
    VALUES_REDACTED,
    /** Lines of the parent, from the first, whose tree root is the one that the fork states. */
    PARENT_LINES_VERIFIED,
    /** Calls, results and values of the parent that the fork repeats unchanged. */
    FORKED_EVENTS_VERIFIED;

    /** The text of the constant in reports. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}

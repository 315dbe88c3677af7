package dev.agentreplay.verify;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Severity;
import dev.agentreplay.model.signature.SignatureVerifier;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The policy of a verification: required checks, failing findings, trusted keys and limits.
 * Immutable; safe for use by several threads.
 *
 * <p>A session is invalid if a finding has one of the failing codes, and unverified if a
 * requirement is not met. A finding of severity {@link Severity#UNREADABLE} makes it unreadable
 * under every policy.
 *
 * @param requirements the checks that must have succeeded for a session to be valid
 * @param failing the codes of which a single finding makes a session invalid
 * @param keys the trusted keys
 * @param checkpoints the tree heads of earlier checkpoints kept elsewhere: the log must begin with
 *     their lines
 * @param publicCheckpoints the heads of public trees kept elsewhere: the commitments of the first
 *     lines of the log must have these roots
 * @param canonicalization the canonicalization of logs whose header names none, such as
 *     {@link Canonicalization#SERDE_RYU} for logs of serde_json before 1.0.147; null for
 *     {@link Canonicalization#SERDE}. A header that names a different one is an
 *     {@link FindingCode#UNSUPPORTED_CANONICALIZATION}
 * @param expectations the facts about the session, known from elsewhere or demanded, all of which
 *     must hold
 * @param maxFindings the maximum number of listed findings of one code; all are counted
 */
public record VerifyPolicy(
    Set<Requirement> requirements,
    Set<FindingCode> failing,
    SignatureVerifier keys,
    List<TreeHead> checkpoints,
    List<TreeHead> publicCheckpoints,
    @Nullable Canonicalization canonicalization,
    Set<Expectation> expectations,
    int maxFindings) {

  /** The default of {@link #maxFindings}. */
  public static final int DEFAULT_MAX_FINDINGS = 100;

  /**
   * The faults of foreign writers that do not indicate an alteration. Errors not listed here fail
   * under every predefined policy, including {@link FindingCode#UNSUPPORTED_VERSION} and
   * {@link FindingCode#UNSUPPORTED_CANONICALIZATION}, with which a log would not be checked at all,
   * and {@link FindingCode#FIELD_INVALID}, which may be a hash that an attacker made invalid.
   */
  private static final Set<FindingCode> STRUCTURAL = EnumSet.of(
      FindingCode.FIELD_MISSING,
      FindingCode.EVENT_INVALID,
      FindingCode.RESULT_WITHOUT_CALL,
      FindingCode.MODEL_RESULT_WITHOUT_CALL,
      FindingCode.EVENT_AFTER_END,
      FindingCode.HEADER_MISSING,
      FindingCode.HEADER_NOT_FIRST,
      FindingCode.TOTALS_MISMATCH,
      FindingCode.VALUE_OUT_OF_RANGE);

  /**
   * Copies the collections and checks the range.
   *
   * @throws IllegalArgumentException if {@code maxFindings} is negative
   */
  public VerifyPolicy {
    if (maxFindings < 0) {
      throw new IllegalArgumentException(
          "maximum of findings must not be negative: " + maxFindings);
    }
    requirements = copy(Requirement.class, requirements);
    failing = copy(FindingCode.class, failing);
    Objects.requireNonNull(keys, "keys");
    checkpoints = List.copyOf(checkpoints);
    publicCheckpoints = List.copyOf(publicCheckpoints);
    expectations = Set.copyOf(expectations);
  }

  /** The default policy: no requirements; errors make a session invalid; no key is trusted. */
  public static VerifyPolicy defaults() {
    return new VerifyPolicy(
        Set.of(),
        codes(Severity.ERROR),
        SignatureVerifier.NONE,
        List.of(),
        List.of(),
        null,
        Set.of(),
        DEFAULT_MAX_FINDINGS);
  }

  /**
   * A policy that requires everything except a signature, which needs a trusted key; warnings also
   * make a session invalid.
   */
  public static VerifyPolicy strict() {
    return defaults()
        .withFailing(codes(Severity.ERROR, Severity.WARNING))
        .withRequirements(EnumSet.complementOf(EnumSet.of(Requirement.SIGNATURE)));
  }

  /**
   * A policy without requirements, under which all errors fail except structural faults, such as
   * those of foreign writers, which are only reported.
   */
  public static VerifyPolicy lenient() {
    Set<FindingCode> failing = codes(Severity.ERROR);
    failing.removeAll(STRUCTURAL);
    return defaults().withFailing(failing);
  }

  /**
   * Returns a policy that trusts these keys and requires the signature of one of them over every
   * line, {@link Requirement#SIGNATURE}: a session without a signature is not valid.
   * {@link #withKeys} does not require one.
   */
  public VerifyPolicy requiringSignature(SignatureVerifier newKeys) {
    return withKeys(newKeys).requiring(Requirement.SIGNATURE);
  }

  /** Returns a policy with these additional requirements. */
  public VerifyPolicy requiring(Requirement... more) {
    Set<Requirement> all = EnumSet.noneOf(Requirement.class);
    all.addAll(requirements);
    Collections.addAll(all, more);
    return withRequirements(all);
  }

  /**
   * Returns a policy with exactly these requirements, which may drop {@link Requirement#SIGNATURE}.
   */
  public VerifyPolicy withRequirements(Set<Requirement> newRequirements) {
    return new VerifyPolicy(
        newRequirements,
        failing,
        keys,
        checkpoints,
        publicCheckpoints,
        canonicalization,
        expectations,
        maxFindings);
  }

  /** Returns a policy that fails at findings of exactly these codes, and at unreadable ones. */
  public VerifyPolicy withFailing(Set<FindingCode> newFailing) {
    return new VerifyPolicy(
        requirements,
        newFailing,
        keys,
        checkpoints,
        publicCheckpoints,
        canonicalization,
        expectations,
        maxFindings);
  }

  /**
   * Returns a policy that trusts these keys and does not require a signature:
   * {@link #requiringSignature} does.
   */
  public VerifyPolicy withKeys(SignatureVerifier newKeys) {
    return new VerifyPolicy(
        requirements,
        failing,
        newKeys,
        checkpoints,
        publicCheckpoints,
        canonicalization,
        expectations,
        maxFindings);
  }

  /**
   * Returns a policy that requires the log to begin with the lines of each of these checkpoints.
   */
  public VerifyPolicy withCheckpoints(List<TreeHead> newCheckpoints) {
    return new VerifyPolicy(
        requirements,
        failing,
        keys,
        newCheckpoints,
        publicCheckpoints,
        canonicalization,
        expectations,
        maxFindings);
  }

  /**
   * Returns a policy that requires the commitments of the first lines of the log to have each of
   * these roots. A log determines its commitments if it is published with their openings, or its
   * header has a salt; any other log is then invalid.
   */
  public VerifyPolicy withPublicCheckpoints(List<TreeHead> newPublicCheckpoints) {
    return new VerifyPolicy(
        requirements,
        failing,
        keys,
        checkpoints,
        newPublicCheckpoints,
        canonicalization,
        expectations,
        maxFindings);
  }

  /**
   * Returns a policy with the canonicalization of logs whose header names none; null for
   * {@link Canonicalization#SERDE}.
   */
  public VerifyPolicy withCanonicalization(@Nullable Canonicalization newCanonicalization) {
    return new VerifyPolicy(
        requirements,
        failing,
        keys,
        checkpoints,
        publicCheckpoints,
        newCanonicalization,
        expectations,
        maxFindings);
  }

  /** Returns a policy with exactly these expectations. */
  public VerifyPolicy expecting(Expectation... newExpectations) {
    return new VerifyPolicy(
        requirements,
        failing,
        keys,
        checkpoints,
        publicCheckpoints,
        canonicalization,
        new HashSet<>(Arrays.asList(newExpectations)),
        maxFindings);
  }

  /**
   * Returns a policy with this maximum number of listed findings of one code.
   *
   * @throws IllegalArgumentException if {@code newMaxFindings} is negative
   */
  public VerifyPolicy withMaxFindings(int newMaxFindings) {
    return new VerifyPolicy(
        requirements,
        failing,
        keys,
        checkpoints,
        publicCheckpoints,
        canonicalization,
        expectations,
        newMaxFindings);
  }

  private static Set<FindingCode> codes(Severity... severities) {
    return Arrays.stream(FindingCode.values())
        .filter(code -> Arrays.asList(severities).contains(code.severity()))
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(FindingCode.class)));
  }

  private static <E extends Enum<E>> Set<E> copy(Class<E> type, Collection<E> values) {
    Set<E> copy = EnumSet.noneOf(type);
    copy.addAll(values);
    return Collections.unmodifiableSet(copy);
  }

  /**
   * The checks that a policy may require. A log that is empty, or was not read completely, meets
   * none of them except {@link #HASHES} and {@link #RECEIPT}.
   */
  public enum Requirement {
    /**
     * The parameters of at least one tool call, or the output of at least one tool result, match
     * their hash.
     */
    HASHES,
    /**
     * Every value of which the log has a hash or a preview is in the log or in a blob, and matches
     * it: parameters, outputs, prompts, answers and payloads.
     */
    VALUES,
    /**
     * The session has a receipt, and a call in it, or its digest or tree root of the log, matches.
     */
    RECEIPT,
    /** The root of a tree that covers every line was verified. */
    TREE,
    /**
     * A trusted key signed every line. That the session has no further lines is known only when its
     * receipt is signed, or {@link #SESSION_END} is required as well.
     */
    SIGNATURE,
    /** The log records the end of the session. */
    SESSION_END,
    /** Every line is in its canonical form. */
    CANONICAL_LINES;

    /** The text of the constant in reports. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}

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
 * What a verifier insists on, whom it trusts, and how much it lists. Immutable; safe for use by
 * several threads if the keys are.
 *
 * <p>A finding makes a session invalid if its code is among those that fail; what is required and
 * could not be had makes it unverified. A finding of severity {@link Severity#UNREADABLE} makes it
 * unreadable under every policy.
 *
 * @param requirements what must have been checked for a session to be valid
 * @param failing the codes of which a single finding makes a session invalid
 * @param keys whose signatures are believed
 * @param checkpoints what the log was earlier, as somebody kept it elsewhere: it must begin with
 *     those lines
 * @param canonicalization that of logs whose header names none, such as
 *     {@link Canonicalization#SERDE_RYU} for those of a serde_json before 1.0.147; null for
 *     {@link Canonicalization#SERDE}. A header that names another is an
 *     {@link FindingCode#UNSUPPORTED_CANONICALIZATION}
 * @param expectations what is known of the session from elsewhere: each must be so
 * @param maxFindings how many findings of one code are listed; all are counted
 */
public record VerifyPolicy(
    Set<Requirement> requirements,
    Set<FindingCode> failing,
    SignatureVerifier keys,
    List<TreeHead> checkpoints,
    @Nullable Canonicalization canonicalization,
    Set<Expectation> expectations,
    int maxFindings) {

  /** How many findings of one code are listed by default. */
  public static final int DEFAULT_MAX_FINDINGS = 100;

  /**
   * What foreign writers get wrong without anything having been altered. An error that is not named
   * here fails under every policy: also {@link FindingCode#UNSUPPORTED_VERSION} and
   * {@link FindingCode#UNSUPPORTED_CANONICALIZATION}, with which a log would not be checked at all,
   * and {@link FindingCode#FIELD_INVALID}, which a hash may be that somebody broke.
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

  /** Copies and checks. */
  public VerifyPolicy {
    if (maxFindings < 0) {
      throw new IllegalArgumentException(
          "maximum of findings must not be negative: " + maxFindings);
    }
    requirements = copy(Requirement.class, requirements);
    failing = copy(FindingCode.class, failing);
    Objects.requireNonNull(keys, "keys");
    checkpoints = List.copyOf(checkpoints);
    expectations = Set.copyOf(expectations);
  }

  /** Insists on nothing; errors make a session invalid; trusts nobody. */
  public static VerifyPolicy defaults() {
    return new VerifyPolicy(
        Set.of(),
        codes(Severity.ERROR),
        SignatureVerifier.NONE,
        List.of(),
        null,
        Set.of(),
        DEFAULT_MAX_FINDINGS);
  }

  /**
   * Insists on everything but a signature, which takes a key to trust; warnings make a session
   * invalid as well.
   */
  public static VerifyPolicy strict() {
    return defaults()
        .withFailing(codes(Severity.ERROR, Severity.WARNING))
        .withRequirements(EnumSet.complementOf(EnumSet.of(Requirement.SIGNATURE)));
  }

  /**
   * Insists on nothing; only what contradicts a hash, a receipt, a tree root, a signature or a blob
   * makes a session invalid, or what keeps it from being checked. Faults of its structure, such as
   * foreign writers make, are reported and do not fail.
   */
  public static VerifyPolicy lenient() {
    Set<FindingCode> failing = codes(Severity.ERROR);
    failing.removeAll(STRUCTURAL);
    return defaults().withFailing(failing);
  }

  /**
   * Trusts these keys, and insists that one of them has signed every line,
   * {@link Requirement#SIGNATURE}: a session that nobody signed is not valid. {@link #withKeys}
   * does not insist.
   */
  public VerifyPolicy requiringSignature(SignatureVerifier newKeys) {
    return withKeys(newKeys).requiring(Requirement.SIGNATURE);
  }

  /** Insists on these as well. */
  public VerifyPolicy requiring(Requirement... more) {
    Set<Requirement> all = EnumSet.noneOf(Requirement.class);
    all.addAll(requirements);
    Collections.addAll(all, more);
    return withRequirements(all);
  }

  /** Insists on these and on nothing else, not even on a signature. */
  public VerifyPolicy withRequirements(Set<Requirement> newRequirements) {
    return new VerifyPolicy(
        newRequirements, failing, keys, checkpoints, canonicalization, expectations, maxFindings);
  }

  /** Fails at findings of these codes, and of no others but unreadable ones. */
  public VerifyPolicy withFailing(Set<FindingCode> newFailing) {
    return new VerifyPolicy(
        requirements, newFailing, keys, checkpoints, canonicalization, expectations, maxFindings);
  }

  /**
   * Trusts these keys where they have signed, and does not insist that they have:
   * {@link #requiringSignature} does.
   */
  public VerifyPolicy withKeys(SignatureVerifier newKeys) {
    return new VerifyPolicy(
        requirements, failing, newKeys, checkpoints, canonicalization, expectations, maxFindings);
  }

  /** Insists that the log begins with the lines that it had at each of these. */
  public VerifyPolicy withCheckpoints(List<TreeHead> newCheckpoints) {
    return new VerifyPolicy(
        requirements, failing, keys, newCheckpoints, canonicalization, expectations, maxFindings);
  }

  /**
   * Verifies logs whose header names no canonicalization as made with this one; null for
   * {@link Canonicalization#SERDE}.
   */
  public VerifyPolicy withCanonicalization(@Nullable Canonicalization newCanonicalization) {
    return new VerifyPolicy(
        requirements, failing, keys, checkpoints, newCanonicalization, expectations, maxFindings);
  }

  /** Insists that each of these is so, and none that was named before. */
  public VerifyPolicy expecting(Expectation... newExpectations) {
    return new VerifyPolicy(
        requirements,
        failing,
        keys,
        checkpoints,
        canonicalization,
        new HashSet<>(Arrays.asList(newExpectations)),
        maxFindings);
  }

  /** Lists so many findings of one code. */
  public VerifyPolicy withMaxFindings(int newMaxFindings) {
    return new VerifyPolicy(
        requirements, failing, keys, checkpoints, canonicalization, expectations, newMaxFindings);
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
   * What a policy may insist on. None is met by a log that is empty or could not be read whole,
   * save {@link #HASHES} and {@link #RECEIPT}.
   */
  public enum Requirement {
    /** At least one recorded value was held against its hash. */
    HASHES,
    /**
     * Every value that the log has a hash or a preview of is in the log or in a blob, and was
     * checked against it: parameters, outputs, prompts, answers and payloads.
     */
    VALUES,
    /** There is a receipt, and a call in it, or what it states of the log as a whole, is so. */
    RECEIPT,
    /** The root of a tree that covers every line was verified. */
    TREE,
    /**
     * A trusted key has signed every line. That it is every line that the session had is known only
     * when its receipt is signed, or {@link #SESSION_END} is required as well.
     */
    SIGNATURE,
    /** The session has an end. */
    SESSION_END,
    /** Each line is in its canonical form. */
    CANONICAL_LINES;

    /** The text of the constant in reports. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}

package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.signature.SignatureVerifier;
import dev.agentreplay.model.signature.SignatureVerifier.Outcome;
import dev.agentreplay.verify.VerificationReport.Counter;
import dev.agentreplay.verify.VerifyPolicy.Requirement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The effect of each policy on findings and on missing evidence. */
class VerifyPolicyTest {

  private static final Session ALONE = new Session(Path.of("log"), null);
  private static final SignatureVerifier KEYS = (signature, message) -> Outcome.VALID;

  /** Code, then what it comes to by default, strictly and leniently: a new code is decided here. */
  private static final String VERDICTS =
      """
      MALFORMED_LINE                UNREADABLE UNREADABLE UNREADABLE
      DUPLICATE_KEY                 UNREADABLE UNREADABLE UNREADABLE
      TORN_TAIL                     UNREADABLE UNREADABLE UNREADABLE
      RECEIPT_UNREADABLE            UNREADABLE UNREADABLE UNREADABLE
      PARAMS_HASH_MISMATCH          INVALID    INVALID    INVALID
      OUTPUT_HASH_MISMATCH          INVALID    INVALID    INVALID
      PAYLOAD_HASH_MISMATCH         INVALID    INVALID    INVALID
      RECEIPT_OUTPUT_MISMATCH       INVALID    INVALID    INVALID
      RECEIPT_PARAMS_MISMATCH       INVALID    INVALID    INVALID
      RECEIPT_TOOL_MISMATCH         INVALID    INVALID    INVALID
      RECEIPT_CALL_MISSING          INVALID    INVALID    INVALID
      RECEIPT_CALL_UNEXPECTED       INVALID    INVALID    INVALID
      RECEIPT_FIELD_MISMATCH        INVALID    INVALID    INVALID
      REPLAY_HASH_MISMATCH          INVALID    INVALID    INVALID
      RECEIPT_DIGEST_MISMATCH       INVALID    INVALID    INVALID
      TREE_ROOT_MISMATCH            INVALID    INVALID    INVALID
      PUBLIC_ROOT_MISMATCH          INVALID    INVALID    INVALID
      DISCLOSURE_INVALID            INVALID    INVALID    INVALID
      DISCLOSURE_MISSING            INVALID    INVALID    INVALID
      SIGNATURE_INVALID             INVALID    INVALID    INVALID
      BLOB_MISMATCH                 INVALID    INVALID    INVALID
      CARRIED_OVER_CONFLICT         INVALID    INVALID    INVALID
      PREVIEW_MISMATCH              INVALID    INVALID    INVALID
      EXPECTATION_UNMET             INVALID    INVALID    INVALID
      PARENT_MISMATCH               INVALID    INVALID    INVALID
      FORK_PREFIX_MISMATCH          INVALID    INVALID    INVALID
      LINE_ENDINGS_CONVERTED        INVALID    INVALID    INVALID
      UNSUPPORTED_CANONICALIZATION  INVALID    INVALID    INVALID
      UNSUPPORTED_VERSION           INVALID    INVALID    INVALID
      FIELD_MISSING                 INVALID    INVALID    VALID
      FIELD_INVALID                 INVALID    INVALID    INVALID
      EVENT_INVALID                 INVALID    INVALID    VALID
      RESULT_WITHOUT_CALL           INVALID    INVALID    VALID
      MODEL_RESULT_WITHOUT_CALL     INVALID    INVALID    VALID
      PROMPT_DELTA_INVALID          INVALID    INVALID    INVALID
      EVENT_AFTER_END               INVALID    INVALID    VALID
      HEADER_MISSING                INVALID    INVALID    VALID
      HEADER_NOT_FIRST              INVALID    INVALID    VALID
      TOTALS_MISMATCH               INVALID    INVALID    VALID
      VALUE_OUT_OF_RANGE            INVALID    INVALID    VALID
      CALL_WITHOUT_RESULT           VALID      INVALID    VALID
      MODEL_CALL_WITHOUT_RESULT     VALID      INVALID    VALID
      DUPLICATE_CALL_ID             VALID      INVALID    VALID
      ATTEMPT_REPEATED              VALID      INVALID    VALID
      SESSION_START_MISSING         VALID      INVALID    VALID
      SESSION_END_MISSING           VALID      INVALID    VALID
      NOT_CANONICAL                 VALID      INVALID    VALID
      NO_FINAL_NEWLINE              VALID      INVALID    VALID
      VERSION_NEWER                 VALID      INVALID    VALID
      TIME_WENT_BACKWARDS           VALID      INVALID    VALID
      RECORDING_GAP                 VALID      INVALID    VALID
      SESSION_REPEATED              VALID      INVALID    VALID
      ENVELOPE_NOT_CANONICAL        VALID      INVALID    VALID
      STATUS_UNKNOWN                VALID      INVALID    VALID
      TIME_MISSING                  VALID      VALID      VALID
      NUMBER_TOO_LARGE              VALID      VALID      VALID
      UNKNOWN_EVENT                 VALID      VALID      VALID
      BEING_WRITTEN                 VALID      VALID      VALID
      HASH_UNVERIFIABLE             VALID      VALID      VALID
      SIGNATURE_UNVERIFIABLE        VALID      VALID      VALID
      """;

  static Stream<String[]> verdicts() {
    return VERDICTS.lines().map(line -> line.split(" +"));
  }

  @ParameterizedTest
  @MethodSource("verdicts")
  void finding_comes_to_what_the_policy_says(
      String code, Verdict byDefault, Verdict strictly, Verdict leniently) {
    Tally tally = checked();
    tally.report(Finding.of(FindingCode.valueOf(code), "found"));

    assertThat(verdict(VerifyPolicy.defaults(), tally)).isEqualTo(byDefault);
    assertThat(verdict(VerifyPolicy.strict().withRequirements(Set.of()), tally))
        .isEqualTo(strictly);
    assertThat(verdict(VerifyPolicy.lenient(), tally)).isEqualTo(leniently);
    assertThat(verdict(VerifyPolicy.defaults().withFailing(Set.of()), tally))
        .isEqualTo(byDefault == Verdict.UNREADABLE ? Verdict.UNREADABLE : Verdict.VALID);
  }

  @Test
  void every_code_is_in_the_table_once() {
    assertThat(verdicts().map(row -> FindingCode.valueOf(row[0])))
        .containsExactlyInAnyOrder(FindingCode.values());
  }

  @Test
  void strict_requires_all_but_a_signature_and_the_others_nothing() {
    assertThat(VerifyPolicy.strict().requirements())
        .containsExactlyInAnyOrder(
            Requirement.HASHES,
            Requirement.VALUES,
            Requirement.RECEIPT,
            Requirement.TREE,
            Requirement.SESSION_END,
            Requirement.CANONICAL_LINES);
    assertThat(VerifyPolicy.defaults().requirements()).isEmpty();
    assertThat(VerifyPolicy.lenient().requirements()).isEmpty();
    assertThat(verdict(VerifyPolicy.strict(), checked())).isEqualTo(Verdict.UNVERIFIED);
  }

  @Test
  void key_that_is_trusted_must_have_signed_unless_the_caller_says_otherwise() {
    VerifyPolicy trusting =
        VerifyPolicy.defaults().requiring(Requirement.HASHES).requiringSignature(KEYS);
    assertThat(trusting.keys()).isSameAs(KEYS);
    assertThat(trusting.requirements())
        .containsExactlyInAnyOrder(Requirement.HASHES, Requirement.SIGNATURE);
    assertThat(verdict(trusting, checked())).isEqualTo(Verdict.UNVERIFIED);
    assertThat(verdict(VerifyPolicy.lenient().requiringSignature(KEYS), checked()))
        .isEqualTo(Verdict.UNVERIFIED);
    assertThat(trusting.requiring(Requirement.RECEIPT).requirements())
        .contains(Requirement.SIGNATURE);

    assertThat(VerifyPolicy.defaults().withKeys(KEYS).requirements()).isEmpty();
    assertThat(trusting.withRequirements(Set.of()).keys()).isSameAs(KEYS);
    assertThat(VerifyPolicy.defaults().keys()).isSameAs(SignatureVerifier.NONE);
  }

  @Test
  void checkpoints_and_codes_are_copied() {
    List<TreeHead> heads =
        new ArrayList<>(List.of(new TreeHead(1, ContentHash.sha256(new byte[] {0}))));
    Set<FindingCode> codes = EnumSet.of(FindingCode.NOT_CANONICAL);
    VerifyPolicy policy = VerifyPolicy.defaults().withCheckpoints(heads).withFailing(codes);
    heads.clear();
    codes.clear();
    assertThat(policy.checkpoints()).hasSize(1);
    assertThat(policy.failing()).containsExactly(FindingCode.NOT_CANONICAL);
    assertThatThrownBy(() -> policy.failing().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  /** Events, unreadable lines, lines covered, and whether each line is. */
  @ParameterizedTest
  @CsvSource({
    "5, 0, 5, true",
    "5, 0, 4, false",
    "5, 0, 6, false",
    "5, 0, 0, false",
    "5, 1, 5, false",
    "5, 1, 6, false",
    "0, 0, 0, false"
  })
  void tree_and_signature_are_met_when_each_line_is_covered(
      long events, long unreadable, long covered, boolean isMet) {
    Tally tally = new Tally(10);
    tally.add(Counter.EVENTS, events);
    tally.add(Counter.UNREADABLE_LINES, unreadable);
    tally.add(Counter.LINES_IN_TREE, covered);
    assertThat(isMet(Requirement.TREE, tally)).isEqualTo(isMet);
    assertThat(isMet(Requirement.SIGNATURE, tally)).as("a root is no signature").isFalse();

    tally.add(Counter.LINES_SIGNED, covered);
    assertThat(isMet(Requirement.SIGNATURE, tally)).isEqualTo(isMet);
  }

  @Test
  void verified_root_or_signature_is_enough_to_be_valid() {
    for (Counter counter : List.of(Counter.LINES_IN_TREE, Counter.LINES_SIGNED)) {
      Tally tally = new Tally(10);
      tally.add(Counter.EVENTS, 5);
      assertThat(verdict(VerifyPolicy.defaults(), tally)).isEqualTo(Verdict.UNVERIFIED);
      tally.add(counter, 3);
      assertThat(verdict(VerifyPolicy.defaults(), tally)).isEqualTo(Verdict.VALID);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "CANONICAL_LINES, NOT_CANONICAL",
    "CANONICAL_LINES, UNSUPPORTED_CANONICALIZATION",
    "CANONICAL_LINES, UNSUPPORTED_VERSION",
    "SESSION_END, SESSION_END_MISSING",
    "SESSION_END, UNSUPPORTED_VERSION",
    "TREE, UNSUPPORTED_VERSION"
  })
  void requirement_is_not_met_by_a_log_in_which_this_was_found(
      Requirement requirement, FindingCode code) {
    Tally tally = checked();
    tally.add(Counter.LINES_IN_TREE, tally.get(Counter.EVENTS));
    assertThat(isMet(requirement, tally)).isTrue();
    tally.report(Finding.of(code, "found"));
    assertThat(isMet(requirement, tally)).isFalse();
  }

  @Test
  void nothing_is_proved_by_absence_in_an_empty_or_damaged_log() {
    Tally damaged = checked();
    damaged.count(Counter.UNREADABLE_LINES);
    for (Requirement requirement : List.of(Requirement.SESSION_END, Requirement.CANONICAL_LINES)) {
      assertThat(isMet(requirement, new Tally(10))).isFalse();
      assertThat(isMet(requirement, damaged)).isFalse();
    }
  }

  private static Verdict verdict(VerifyPolicy policy, Tally tally) {
    return new Assessment(policy, ALONE, tally).verdict();
  }

  private static boolean isMet(Requirement requirement, Tally tally) {
    VerifyPolicy policy = VerifyPolicy.defaults().requiring(requirement);
    return new Assessment(policy, ALONE, tally).unmet().isEmpty();
  }

  /** The counters of a small valid log. */
  private static Tally checked() {
    Tally tally = new Tally(10);
    tally.add(Counter.EVENTS, 5);
    tally.add(Counter.PARAMS_HASHES_VERIFIED, 1);
    return tally;
  }
}

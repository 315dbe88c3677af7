package dev.agentreplay.model.finding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FindingCodeTest {

  /** The codes that other programs rely on. */
  private static final String CONTRACT =
      """
      UNREADABLE MALFORMED_LINE DUPLICATE_KEY TORN_TAIL RECEIPT_UNREADABLE
      ERROR PARAMS_HASH_MISMATCH OUTPUT_HASH_MISMATCH PAYLOAD_HASH_MISMATCH
      ERROR RECEIPT_OUTPUT_MISMATCH RECEIPT_PARAMS_MISMATCH RECEIPT_TOOL_MISMATCH
      ERROR RECEIPT_CALL_MISSING RECEIPT_CALL_UNEXPECTED RECEIPT_FIELD_MISMATCH
      ERROR REPLAY_HASH_MISMATCH RECEIPT_DIGEST_MISMATCH TREE_ROOT_MISMATCH
      ERROR PUBLIC_ROOT_MISMATCH DISCLOSURE_INVALID DISCLOSURE_MISSING
      ERROR SIGNATURE_INVALID BLOB_MISMATCH PREVIEW_MISMATCH EXPECTATION_UNMET
      ERROR PARENT_MISMATCH FORK_PREFIX_MISMATCH
      ERROR LINE_ENDINGS_CONVERTED
      ERROR FIELD_MISSING FIELD_INVALID EVENT_INVALID CARRIED_OVER_CONFLICT
      ERROR UNSUPPORTED_CANONICALIZATION
      ERROR RESULT_WITHOUT_CALL MODEL_RESULT_WITHOUT_CALL PROMPT_DELTA_INVALID EVENT_AFTER_END
      ERROR HEADER_MISSING HEADER_NOT_FIRST
      ERROR TOTALS_MISMATCH VALUE_OUT_OF_RANGE UNSUPPORTED_VERSION
      WARNING CALL_WITHOUT_RESULT MODEL_CALL_WITHOUT_RESULT DUPLICATE_CALL_ID ATTEMPT_REPEATED
      WARNING SESSION_START_MISSING SESSION_END_MISSING NOT_CANONICAL ENVELOPE_NOT_CANONICAL
      WARNING NO_FINAL_NEWLINE VERSION_NEWER TIME_WENT_BACKWARDS RECORDING_GAP
      WARNING SESSION_REPEATED STATUS_UNKNOWN
      INFO TIME_MISSING NUMBER_TOO_LARGE
      INFO UNKNOWN_EVENT HASH_UNVERIFIABLE BEING_WRITTEN SIGNATURE_UNVERIFIABLE
      """;

  @Test
  void severities_are_those_of_the_contract() {
    Map<FindingCode, Severity> expected = new EnumMap<>(FindingCode.class);
    for (String line : CONTRACT.lines().toList()) {
      String[] words = line.split(" ");
      for (int i = 1; i < words.length; i++) {
        expected.put(FindingCode.valueOf(words[i]), Severity.valueOf(words[0]));
      }
    }
    Map<FindingCode, Severity> actual = new EnumMap<>(FindingCode.class);
    for (FindingCode code : FindingCode.values()) {
      actual.put(code, code.severity());
    }

    assertThat(actual).isEqualTo(expected);
  }

  @Test
  void severities_are_ordered_from_the_worst() {
    assertThat(Severity.values())
        .containsExactly(Severity.UNREADABLE, Severity.ERROR, Severity.WARNING, Severity.INFO);
  }

  @Test
  void finding_has_the_severity_of_its_code_and_may_be_placed() {
    Finding finding = Finding.of(FindingCode.NOT_CANONICAL, "white space");
    Position position = new Position(3, 120);

    assertThat(finding.severity()).isEqualTo(Severity.WARNING);
    assertThat(finding.position()).isNull();
    assertThat(finding.at(position))
        .isEqualTo(new Finding(FindingCode.NOT_CANONICAL, position, "white space"));
    assertThat(position).hasToString("line 3, byte 120");
    assertThatThrownBy(() -> Finding.of(null, "x")).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> Finding.of(FindingCode.NOT_CANONICAL, null))
        .isInstanceOf(NullPointerException.class);
  }
}

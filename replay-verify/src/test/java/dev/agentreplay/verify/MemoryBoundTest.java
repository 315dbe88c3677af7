package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.check.CallPairing;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.verify.VerificationReport.Counter;
import dev.agentreplay.verify.input.Fingerprints;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The memory for a session is bounded, and exceeding the bound is reported. */
class MemoryBoundTest {

  @TempDir
  private Path directory;

  @Test
  void ids_beyond_the_bound_are_not_held_and_earlier_ones_stay() {
    Fingerprints ids = new Fingerprints();
    for (int i = 0; i < Fingerprints.MAX_SIZE; i++) {
      assertThat(ids.add("id-" + i)).isFalse();
    }
    assertThat(ids.add("one more")).isFalse();
    assertThat(ids.add("one more")).as("is not held").isFalse();
    for (int i = 0; i < Fingerprints.MAX_SIZE; i += 997) {
      assertThat(ids.add("id-" + i)).isTrue();
    }
    assertThat(ids.add("id-0")).isTrue();
    assertThat(ids.add("id-" + (Fingerprints.MAX_SIZE - 1))).isTrue();
  }

  @Test
  void calls_beyond_the_bound_are_given_up_oldest_first() throws IOException {
    TestLog log = TestLog.small();
    String call = log.line(TestLog.CALL_1);
    Path file = directory.resolve(Session.LOG_NAME);
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write(log.line(1) + "\n" + log.line(2) + "\n");
      for (int i = 0; i <= CallPairing.DEFAULT_MAX_OPEN; i++) {
        out.write(call.replace("c-1", "id-" + i) + "\n");
      }
      for (String id : List.of("id-0", "id-1")) {
        out.write(TestLog.result(id, JsonValue.of("late"), "0.0", 0, 4) + "\n");
      }
    }
    VerificationReport report =
        SessionVerifier.of(VerifyPolicy.defaults()).verify(new Session(file, null));

    long calls = CallPairing.DEFAULT_MAX_OPEN + 1L;
    assertThat(report.count(Counter.TOOL_CALLS)).isEqualTo(calls);
    assertThat(report.count(Counter.ANSWERED_CALLS)).isEqualTo(1);
    assertThat(report.count(FindingCode.CALL_WITHOUT_RESULT)).isEqualTo(calls - 1);
    assertThat(report.findings())
        .filteredOn(finding -> finding.code() == FindingCode.CALL_WITHOUT_RESULT)
        .hasSize(VerifyPolicy.DEFAULT_MAX_FINDINGS)
        .first()
        .satisfies(finding -> assertThat(finding.position().line()).isEqualTo(3));
    assertThat(report.findings())
        .filteredOn(finding -> finding.code() == FindingCode.RESULT_WITHOUT_CALL)
        .extracting(Finding::message)
        .singleElement()
        .asString()
        .contains("id-0");
  }
}

package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.recording.PendingCall;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Attempt;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attempts to cause an effect are verified: each number occurs once, in any lane and order. */
class AttemptsTest {

  private static final JsonObject PARAMS = JsonObject.of("cents", 1200);

  @TempDir
  private Path directory;

  private int calls;

  @Test
  void attempts_that_a_recorder_numbers_are_not_findings() throws IOException {
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      PendingCall first = session.effect("charge", PARAMS);
      first.timedOut("no answer after 30 s");
      session.agent("billing", first.id()).retry(charge(1L, first.effectId())).result("charged");
      session.effect("charge", PARAMS).result("charged");
      session.end(Status.SUCCESS);
    }
    assertThat(verify().findings()).isEmpty();
  }

  @Test
  void attempt_of_a_resumed_session_follows_one_without_a_result() throws IOException {
    ToolCall interrupted = charge(1L, "order-7");
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      session.call(interrupted);
    }
    try (SessionRecorder session = SessionRecorder.resume(directory, RecorderOptions.defaults())) {
      session.retry(interrupted).result("charged");
      session.end(Status.SUCCESS);
    }
    assertThat(verify().findings())
        .extracting(Finding::code)
        .containsExactly(FindingCode.CALL_WITHOUT_RESULT);
  }

  @Test
  void attempt_that_an_earlier_call_is_already_is_a_warning() throws IOException {
    VerificationReport report =
        record(charge(1L, "order-7"), charge(2L, "order-7"), charge(2L, "order-7"));
    assertThat(report.verdict()).isEqualTo(Verdict.VALID);
    assertThat(report.findings()).singleElement().satisfies(finding -> {
      assertThat(finding.code()).isEqualTo(FindingCode.ATTEMPT_REPEATED);
      assertThat(finding.id()).isEqualTo("c-3");
      assertThat(finding.message())
          .isEqualTo("an earlier call is attempt 2 to cause the effect \"order-7\"");
    });
  }

  @Test
  void call_without_a_number_is_the_first_attempt() throws IOException {
    assertThat(repeated(charge(null, "order-7"), charge(2L, "order-7"))).isZero();
    assertThat(repeated(charge(null, "order-7"), charge(1L, "order-7"))).isEqualTo(1);
    assertThat(repeated(charge(null, "order-7"), charge(null, "order-7"))).isEqualTo(1);
  }

  @Test
  void lanes_share_the_attempts_of_an_effect() throws IOException {
    ToolCall second = charge(1L, "order-7");
    assertThat(repeated(charge(1L, "order-7"), second.withMeta(second.meta().withAgent("billing"))))
        .isEqualTo(1);
  }

  @Test
  void attempts_of_different_effects_and_out_of_order_are_not_repeated() throws IOException {
    assertThat(repeated(
            charge(1L, "order-7"),
            charge(1L, "order-8"),
            charge(11L, "order"),
            charge(1L, "1order"),
            charge(3L, "order-7"),
            charge(2L, "order-7")))
        .isZero();
  }

  @Test
  void calls_without_an_effect_are_not_attempts() throws IOException {
    assertThat(repeated(charge(1L, null), charge(1L, null))).isZero();
  }

  @Test
  void blank_ids_of_effects_are_out_of_range_and_not_repeated() throws IOException {
    TestLog log = TestLog.small();
    for (int line : new int[] {TestLog.CALL_1, TestLog.CALL_2}) {
      log = log.edit(line, "\"event\"", "\"effect_id\":\"\",\"event\"");
    }
    assertThat(log.verify(directory, null).findings())
        .extracting(Finding::code)
        .containsExactly(FindingCode.VALUE_OUT_OF_RANGE, FindingCode.VALUE_OUT_OF_RANGE);
  }

  private ToolCall charge(@Nullable Long number, @Nullable String effectId) {
    return ToolCall.of("c-" + ++calls, "charge", PARAMS).withAttempt(new Attempt(number, effectId));
  }

  private long repeated(ToolCall... attempts) throws IOException {
    return record(attempts).count(FindingCode.ATTEMPT_REPEATED);
  }

  private VerificationReport record(ToolCall... attempts) throws IOException {
    directory = directory.resolve("next");
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      for (ToolCall attempt : attempts) {
        session.call(attempt).result("done");
      }
      session.end(Status.SUCCESS);
    }
    return verify();
  }

  private VerificationReport verify() throws IOException {
    return SessionVerifier.of(VerifyPolicy.defaults()).verify(Session.open(directory));
  }
}

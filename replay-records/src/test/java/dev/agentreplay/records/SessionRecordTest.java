package dev.agentreplay.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SessionRecordTest {

  private static final RecordTime NOW = RecordTime.parse("2026-01-01T13:00:00.250+01:00");

  private static final SessionRecord EMPTY = SessionRecord.createEmpty("RS20260101", NOW);

  @Test
  void empty_record_has_the_defaults_and_no_problems() {
    assertThat(EMPTY.id()).isEqualTo("REC-RS20260101-1767268800250");
    assertThat(EMPTY.sessionId()).isEqualTo("RS20260101");
    assertThat(EMPTY.createdAt()).isEqualTo(NOW);
    assertThat(EMPTY.inputs().kickoff()).isEqualTo(Kickoff.of("RS20260101"));
    assertThat(EMPTY.inputs().protocolVersions().deltaFormat()).isEqualTo("v0.1");
    assertThat(EMPTY.inputs().protocolVersions().artifactSchema()).isEqualTo("v0.1");
    assertThat(EMPTY.trace()).isEqualTo(SessionTrace.of(NOW));
    assertThat(EMPTY.outputs()).isEqualTo(SessionOutputs.EMPTY);
    assertThat(EMPTY.schemaVersion()).isEqualTo("0.1");
    assertThat(EMPTY.problems()).isEmpty();
  }

  @Test
  void empty_record_without_a_time_is_of_now() {
    Instant before = Instant.now().minusMillis(1);

    SessionRecord record = SessionRecord.createEmpty("s");

    assertThat(record.createdAt().instant()).isBetween(before, Instant.now());
    assertThat(record.id()).isEqualTo("REC-s-" + record.createdAt().instant().toEpochMilli());
    assertThat(record.trace().startedAt()).isEqualTo(record.createdAt());
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          a                ,REC-a-1767268800250
          RS-2026_01       ,REC-RS-2026_01-1767268800250
          brenner.bot/4u0u ,REC-brenner_bot_4u0u-1767268800250
          'a b\tc'         ,REC-a_b_c-1767268800250
          -dash            ,REC-s-dash-1767268800250
          _                ,REC-s_-1767268800250
          会議             ,REC-s__-1767268800250
          éa               ,REC-s_a-1767268800250
          """)
  void session_id_of_any_form_gives_an_id_that_has_one(String sessionId, String id) {
    SessionRecord record = SessionRecord.createEmpty(sessionId, NOW);

    assertThat(record.id()).isEqualTo(id);
    assertThat(record.sessionId()).isEqualTo(sessionId);
    assertThat(record.problems()).isEmpty();
    assertThat(SessionRecord.isId(id)).isTrue();
    assertThat(SessionRecord.isId(id + "/..")).isFalse();
  }

  @Test
  void id_of_a_time_before_1970_has_its_form_too() {
    SessionRecord record =
        SessionRecord.createEmpty("s", RecordTime.parse("1969-12-31T23:59:59.999Z"));

    assertThat(record.id()).isEqualTo("REC-s--1");
    assertThat(record.problems()).isEmpty();
  }

  @Test
  void session_without_an_id_is_refused() {
    assertThatThrownBy(() -> SessionRecord.createEmpty("", NOW))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("session id must not be empty");
  }

  @Test
  void record_is_replayable_with_a_round_an_agent_and_an_artifact() {
    SessionRecord rounds = EMPTY.withTrace(
        EMPTY.trace().withRounds(List.of(SessionTrace.Round.of(0, NOW, List.of()))));
    SessionInputs inputs = EMPTY
        .inputs()
        .withAgentRoster(List.of(
            AgentRosterEntry.of("a", AgentRosterEntry.Role.TEST_DESIGNER, "program", "model")));
    SessionOutputs outputs = EMPTY.outputs().withFinalArtifactHash(new RecordHash("some_hash"));

    assertThat(rounds.withInputs(inputs).withOutputs(outputs).isReplayable()).isTrue();
    assertThat(rounds.withInputs(inputs).isReplayable()).isFalse();
    assertThat(rounds.withOutputs(outputs).isReplayable()).isFalse();
    assertThat(EMPTY.withInputs(inputs).withOutputs(outputs).isReplayable()).isFalse();
    assertThat(EMPTY.isReplayable()).isFalse();
    assertThat(rounds.withInputs(inputs).withOutputs(outputs).replayObstacles()).isEmpty();
    assertThat(rounds.withInputs(inputs).replayObstacles())
        .containsExactly("outputs.final_artifact_hash: expected a hash, found empty text");
    assertThat(EMPTY.replayObstacles()).hasSize(3);
  }

  @ParameterizedTest
  @CsvSource({
    "'', 0, e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "abc, 3, ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    "'Hello, 世界!', 14, 7de2f06498b5b4d53b170000c311101b55046a3c889efd54351cb3697fcf57cc",
    "😀, 4, f0443a342c5ef54783a111b51ba56c938e474c32324d90c3a60c9c8e3a37e2d9"
  })
  void content_is_hashed_and_measured_in_utf8(String text, long length, String hex) {
    assertThat(SessionRecord.contentLength(text)).isEqualTo(length);
    assertThat(SessionRecord.contentHash(text).hex()).isEqualTo(hex);
    TraceMessage message = TraceMessage.of(NOW, "a", TraceMessage.Type.ADMIN, text);
    assertThat(message.contentLength()).isEqualTo(length);
    assertThat(message.contentHash().text()).isEqualTo(hex);
    assertThat(message.toJson().at("/content_hash").asString()).isEqualTo(hex);
  }

  @Test
  void content_without_a_utf8_form_is_refused() {
    String lone = "ab\ud800";

    assertThatThrownBy(() -> SessionRecord.contentHash(lone))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("text has a lone surrogate U+D800 at index 2");
    assertThatThrownBy(() -> SessionRecord.contentLength(lone))
        .hasMessage("text has a lone surrogate U+D800 at index 2");
  }
}

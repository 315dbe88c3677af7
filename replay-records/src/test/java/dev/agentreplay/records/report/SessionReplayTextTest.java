package dev.agentreplay.records.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.report.TextOptions;
import dev.agentreplay.records.TraceMessage.Type;
import dev.agentreplay.records.replay.MessagePair;
import dev.agentreplay.records.replay.SessionReplayResult;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SessionReplayTextTest {

  @ParameterizedTest
  @ValueSource(ints = {80, 100, 120})
  void no_line_is_wider_than_the_width(int width) throws IOException {
    TextOptions options = TextOptions.defaults().withWidth(width);
    for (SessionReplayResult result : SessionReplayJsonTest.results().toList()) {
      for (TextOptions some : List.of(options, options.withFull(true))) {
        assertThat(SessionReplayText.render(result, some).lines())
            .allMatch(line -> line.codePointCount(0, line.length()) <= width);
      }
    }
    assertThat(SessionReplayText.render(ReportGoldenTest.matrix(), options).lines())
        .allMatch(line -> line.length() <= width);
  }

  @Test
  void report_has_the_lines_of_the_origin() throws IOException {
    assertThat(SessionReplayText.render(Replays.verified()))
        .contains(
            "Rounds completed: 3/3 ✓",
            "Message count match: 5/9 ✗",
            "Final artifact similarity: 98.84%",
            "Round 0, Message 3 (adversarial_critic)",
            "Original: H1 and H2",
            "Replay:   T1 cannot",
            "Semantic match: NO",
            "Semantic match: PARTIAL");
  }

  @Test
  void undecided_message_states_which_text_is_missing() throws IOException {
    assertThat(SessionReplayText.render(Replays.undecided()))
        .startsWith("undecided  Not decided: 1 message cannot be compared.\n")
        .contains("the hashes differ, and the replayed text is missing", "--content DIR");
  }

  @Test
  void inputs_that_differ_come_before_the_numbers() throws IOException {
    String report = SessionReplayText.render(Replays.verified());

    assertThat(report.indexOf("protocol_versions.role_prompts"))
        .isPositive()
        .isLessThan(report.indexOf("Rounds completed"));
  }

  @Test
  void most_severe_divergences_are_kept_in_the_order_of_the_session() throws IOException {
    TextOptions two = TextOptions.defaults().withMaxDivergences(2);
    assertThat(SessionReplayText.render(Replays.verified(), two))
        .containsSubsequence("Round 0, Message 3", "Round 1, Message 2", "3 more divergences")
        .doesNotContain("Round 0, Message 2", "Round 1, Message 3", "Round 2, Message 1");
  }

  @Test
  void long_text_of_a_trace_is_cut_unless_the_report_is_full() throws IOException {
    String text = "line\n".repeat(15) + "the last line\n";
    Replays.Session session =
        Replays.session().with(1, 0, new Replays.Said("GreenStone", Type.EVIDENCE, text));
    SessionReplayResult result = Replays.trace(session, session.texts());

    assertThat(SessionReplayText.render(result))
        .contains("… 4 more lines")
        .doesNotContain("the last line");
    assertThat(SessionReplayText.render(result, TextOptions.defaults().withFull(true)))
        .contains("the last line")
        .doesNotContain("more line");
  }

  @Test
  void single_message_is_rendered_with_both_texts_if_they_differ() throws IOException {
    SessionReplayResult result = Replays.verified();
    MessagePair matched = result.alignment().get(1);
    MessagePair diverged = result.alignment().get(3);

    assertThat(SessionReplayText.render(result, matched, TextOptions.defaults()))
        .contains("BlueLake (hypothesis_generator)", "ADD H1")
        .doesNotContain("Replay:");
    assertThat(SessionReplayText.render(result, diverged, TextOptions.defaults()))
        .containsSubsequence("Original:", "H1 and H2", "Replay:", "T1 cannot", "Decided by:");
  }

  @ParameterizedTest
  @CsvSource({
    "0,0 ms",
    "999,999 ms",
    "1000,1.0 s",
    "59999,59.9 s",
    "60000,1 min 0 s",
    "3599999,59 min 59 s",
    "3600000,1 h 0 min",
    "90000000,25 h 0 min"
  })
  void duration_is_stated_in_fitting_units(long millis, String text) {
    assertThat(SessionWording.duration(millis)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"100,100%", "99.99,99.99%", "98.84169,98.84%", "99.999,99.99%", "0,0%", "90,90%"})
  void percentage_is_never_rounded_up(double percentage, String text) {
    assertThat(SessionWording.percent(percentage)).isEqualTo(text);
  }
}

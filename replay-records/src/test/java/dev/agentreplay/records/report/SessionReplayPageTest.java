package dev.agentreplay.records.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.report.Conversation;
import dev.agentreplay.engine.report.Conversation.Absent;
import dev.agentreplay.engine.report.Conversation.Fact;
import dev.agentreplay.engine.report.Conversation.Message;
import dev.agentreplay.engine.report.Conversation.Round;
import dev.agentreplay.engine.report.Conversation.Row;
import dev.agentreplay.engine.report.Conversation.Text;
import dev.agentreplay.engine.report.Conversation.Tone;
import dev.agentreplay.records.replay.SessionReplayResult;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class SessionReplayPageTest {

  private static Row row(Conversation conversation, int round, int index) {
    return conversation.rounds().get(round).rows().get(index);
  }

  private static Message left(Row row) {
    return Objects.requireNonNull(row.left(), "left");
  }

  private static Message right(Row row) {
    return Objects.requireNonNull(row.right(), "right");
  }

  @Test
  void verification_has_both_sides_of_each_message() throws IOException {
    Conversation page = SessionReplayPage.conversation(Replays.verified());

    assertThat(page.title()).isEqualTo("Verification of RS20260101-cell-fate");
    assertThat(page.sides()).isEqualTo(new Conversation.Sides("recorded", "replay"));
    assertThat(page.headline().tone()).isEqualTo(Tone.DIVERGED);
    assertThat(page.rounds())
        .extracting(Round::heading)
        .containsExactly("Round 0", "Round 1", "Round 2");
    assertThat(page.notices())
        .containsExactly("protocol_versions.role_prompts: only the replay has one: \"9b2e771\"");
    Row minor = row(page, 0, 2);
    assertThat(minor.severity()).isEqualTo(DivergenceSeverity.MINOR);
    assertThat(minor.state()).isEqualTo("minor");
    assertThat(minor.notes()).containsExactly("Text: similarity 0.98, at least 0.90");
    assertThat(left(minor).body()).isNotEqualTo(right(minor).body());
    assertThat(left(minor).role()).isEqualTo("test_designer");
  }

  @Test
  void inputs_missing_added_and_undecided_messages_are_marked() throws IOException {
    Conversation page = SessionReplayPage.conversation(Replays.verified());

    assertThat(row(page, 0, 0).isInput()).isTrue();
    assertThat(left(row(page, 0, 0)).subject()).isEqualTo("KICKOFF: [RS20260101] cell fate");
    assertThat(row(page, 0, 1).state()).isEqualTo("matched");
    assertThat(row(page, 1, 2).state()).isEqualTo("missing, major");
    assertThat(row(page, 1, 2).right()).isNull();
    assertThat(row(page, 1, 4).state()).isEqualTo("added, major");
    assertThat(row(page, 1, 4).left()).isNull();
    assertThat(row(page, 2, 1).state()).isEqualTo("undecided");
    assertThat(right(row(page, 2, 1)).body())
        .isEqualTo(new Absent("The text is missing: only its hash was recorded."));
  }

  @Test
  void comparison_has_the_changes_of_the_roster() throws IOException {
    Conversation page = SessionReplayPage.conversation(Replays.compared());

    assertThat(page.facts())
        .contains(new Fact(
            "roster",
            "adversarial_critic: RedHill (gemini-cli, gemini-3) → WhitePeak (codex-cli, gpt-5.2)"));
    Row critique = row(page, 0, 3);
    assertThat(left(critique).sender()).isEqualTo("RedHill");
    assertThat(right(critique).sender()).isEqualTo("WhitePeak");
    assertThat(right(critique).role()).isEqualTo("adversarial_critic");
  }

  @Test
  void trace_does_not_show_a_text_that_was_altered() throws IOException {
    SessionReplayResult altered = Replays.altered();
    Conversation page = SessionReplayPage.conversation(altered);

    assertThat(page.sides()).isNull();
    assertThat(page.headline().tone()).isEqualTo(Tone.BAD);
    assertThat(left(row(page, 1, 1)).body())
        .isEqualTo(new Text("T1: 38 of 40 daughters kept their fates.", "✓ text matches its hash"));
    assertThat(row(page, 1, 2).severity()).isEqualTo(DivergenceSeverity.MAJOR);
    assertThat(row(page, 1, 2).state()).isEqualTo("altered");
    assertThat(left(row(page, 1, 2)).body()).isInstanceOf(Absent.class);
    assertThat(row(page, 2, 2).state()).isEqualTo("text missing");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    SessionReplayPage.render(altered, out);
    assertThat(out.toString(StandardCharsets.UTF_8)).doesNotContain("KILL H2");
  }

  @Test
  void matched_and_incomplete_replays_have_their_tone() throws IOException {
    assertThat(SessionReplayPage.conversation(Replays.matched()).headline().tone())
        .isEqualTo(Tone.GOOD);
    Conversation incomplete = SessionReplayPage.conversation(Replays.incomplete());
    assertThat(incomplete.headline().tone()).isEqualTo(Tone.BAD);
    assertThat(incomplete.rounds()).hasSize(3);
  }
}

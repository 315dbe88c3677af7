package dev.agentreplay.engine.report;

import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.report.Conversation.Absent;
import dev.agentreplay.engine.report.Conversation.Body;
import dev.agentreplay.engine.report.Conversation.Fact;
import dev.agentreplay.engine.report.Conversation.Message;
import dev.agentreplay.engine.report.Conversation.Round;
import dev.agentreplay.engine.report.Conversation.Row;
import dev.agentreplay.engine.report.Conversation.Text;
import dev.agentreplay.engine.report.Conversation.Tone;
import java.util.ArrayList;
import java.util.List;

/** Conversations to look at. */
final class TestConversations {

  private static final String KICKOFF =
      """
      # Why do sister cells choose different fates?

      Start from §42 (asymmetric divisions). Each agent proposes at most three changes a round.
      Hypotheses need a test that can refute them.""";

  private static final String HYPOTHESES =
      """
      ADD H1: Fate is inherited: a determinant is placed at one pole before the division, and \
      the daughter that gets it becomes a neuron.
      ADD H2: Fate is decided after the division by signals of the neighbors.

      H1 predicts that isolated daughters keep their fates; H2 predicts that they do not.""";

  private TestConversations() {}

  static Message message(int number, String sender, String role, String kind, Body body) {
    String time = "2026-01-01T12:%02d:30.000Z".formatted(5 + number);
    return new Message(number, sender, role, kind, time, "", body);
  }

  static Message message(int number, String sender, String role, String kind, String text) {
    return message(number, sender, role, kind, new Text(text, ""));
  }

  private static Message lake(int number, String text) {
    return message(number, "BlueLake", "hypothesis_generator", "DELTA", text);
  }

  private static Message stone(int number, String kind, String text) {
    return message(number, "GreenStone", "test_designer", kind, text);
  }

  private static Message hill(int number, String kind, String text) {
    return message(number, "RedHill", "adversarial_critic", kind, text);
  }

  private static Row input(Message message) {
    return new Row(message, message, true, null, "input", List.of());
  }

  private static Row matched(Message message) {
    return new Row(message, message, false, null, "matched", List.of());
  }

  private static Row diverged(
      Message left, Message right, DivergenceSeverity severity, String state, String note) {
    return new Row(left, right, false, severity, state, List.of(note));
  }

  /** Three rounds of three agents, compared: one divergence of each kind. */
  static Conversation compared() {
    Message tests = stone(
        2,
        "DELTA",
        "ADD T1: Isolate both daughters within 5 minutes and grow them apart; count the neurons"
            + " after 48 hours.");
    Message otherTests = stone(
        2,
        "DELTA",
        "ADD T1: Isolate both daughters within 10 minutes and grow them apart; count the neurons"
            + " after 48 hours.");
    Message critique = hill(
        3, "CRITIQUE", "H1 and H2 are not exclusive. A third alternative: both, in this order.");
    Message otherCritique = hill(
        3,
        "CRITIQUE",
        "T1 cannot refute H2, since isolation may itself change the fate. Add a control in which"
            + " neighbors are replaced.");
    Message evidence =
        stone(0, "EVIDENCE", "EV-001, figure 2: 41 of 43 daughters keep their fate.");
    Message result = stone(1, "RESULT", "T1: 38 of 40 isolated daughters kept their fates.\n");
    return Conversation.titled("Verification of RS20260101-cell-fate")
        .headline(
            Tone.DIVERGED,
            "Diverged",
            "Significant divergence in adversarial critique, test design.")
        .figure("similarity", "83.41%")
        .figure("messages matched", "7/10")
        .figure("rounds", "3/3")
        .figure("artifact", "94%")
        .notice("protocol_versions.role_prompts differs: recorded 4c1d0a7, present 9b2e771")
        .notice("1 major intervention of an operator cannot be repeated")
        .fact("mode", "verification")
        .fact("replayed at", "2026-01-05T09:30:00Z")
        .fact("thresholds", "similarity 80%, at most 0 major divergences")
        .fact("decided by", "6 hash, 3 text, 1 none")
        .sides("recorded", "replay")
        .round(new Round(
            0,
            "Round 0",
            List.of(new Fact("duration", "30 min"), new Fact("artifact", "compiled")),
            List.of(
                input(message(0, "Operator", "", "KICKOFF", KICKOFF)),
                matched(lake(1, HYPOTHESES)),
                diverged(
                    tests,
                    otherTests,
                    DivergenceSeverity.MINOR,
                    "minor",
                    "Text similarity 97%: other words. A text measure cannot show whether the"
                        + " meaning is the same."),
                diverged(
                    critique,
                    otherCritique,
                    DivergenceSeverity.MAJOR,
                    "major",
                    "Text similarity 31%."))))
        .round(new Round(
            1,
            "Round 1",
            List.of(new Fact("duration", "22 min")),
            List.of(
                matched(evidence),
                matched(result),
                diverged(
                    lake(2, "KILL H2: T1 refutes it."),
                    null,
                    DivergenceSeverity.MAJOR,
                    "missing",
                    "The replay does not have this message."),
                matched(hill(3, "CRITIQUE", "Agreed, if the isolation was complete.")),
                diverged(
                    null,
                    hill(4, "CRITIQUE", "Who counted? A second count, blind, is needed."),
                    DivergenceSeverity.MAJOR,
                    "added",
                    "Only the replay has this message."))))
        .round(new Round(
            2,
            "Round 2",
            List.of(),
            List.of(
                matched(lake(0, "EDIT H1: the determinant is placed in the last hour.")),
                diverged(
                    stone(1, "DELTA", "ADD T2: remove the determinant in the last hour."),
                    message(
                        1,
                        "GreenStone",
                        "test_designer",
                        "DELTA",
                        new Absent("The text of this message is missing.")),
                    DivergenceSeverity.MODERATE,
                    "undecided",
                    "The hashes differ, and the text of the replay is missing."),
                matched(hill(2, "ACK", "No objections.")),
                matched(message(3, "Operator", "", "PUBLISH", "Publish the artifact.")))))
        .build();
  }

  /** A conversation that is not compared, with a text that was altered and one that is missing. */
  static Conversation traced() {
    Text text = new Text("All of it.\n\nIn two paragraphs.", "text matches its hash");
    Absent altered =
        new Absent("The stored text was altered: its SHA-256 is not the recorded one.");
    return Conversation.titled("Trace of S")
        .headline(Tone.BAD, "Not intact", "1 of 3 texts matches its hash.")
        .round(new Round(
            0,
            "Round 0",
            List.of(),
            List.of(
                Row.of(message(0, "a", "", "KICKOFF", text)),
                new Row(
                    message(1, "b", "", "DELTA", altered),
                    null,
                    false,
                    DivergenceSeverity.MAJOR,
                    "altered",
                    List.of()),
                Row.of(message(2, "b", "", "DELTA", new Absent("The text is missing."))))))
        .build();
  }

  /** So many messages in rounds of a hundred; one of ten differs in a word. */
  static Conversation ofLength(int messages) {
    Conversation.Builder built = Conversation.titled("Long").sides("recorded", "replay");
    for (int round = 0; round < messages / 100; round++) {
      List<Row> rows = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        String text = ("Line of message " + i + " of round " + round + ".\n").repeat(8);
        Message left = message(i, "agent" + i % 3, "test_designer", "DELTA", text);
        Message right =
            message(i, "agent" + i % 3, "test_designer", "DELTA", text.replaceFirst("of", "in"));
        rows.add(
            i % 10 == 9
                ? diverged(left, right, DivergenceSeverity.MINOR, "minor", "Text similarity 99%.")
                : matched(left));
      }
      built.round(new Round(round, "Round " + round, List.of(), rows));
    }
    return built.build();
  }

  /** Hostile texts in each place. */
  static Conversation hostile() {
    List<Row> rows = new ArrayList<>();
    for (String text : ViewedSessions.HOSTILE) {
      Message left = new Message(rows.size(), text, text, text, text, text, new Text(text, text));
      Message right = new Message(
          rows.size(), text + "2", text, text, text, text, new Text(text + " other", text));
      rows.add(new Row(left, right, false, DivergenceSeverity.MAJOR, text, List.of(text)));
      rows.add(Row.of(message(rows.size(), text, text, text, new Absent(text))));
    }
    String all = String.join(" ", ViewedSessions.HOSTILE);
    return Conversation.titled(all)
        .headline(Tone.GOOD, all, all)
        .figure(all, all)
        .fact(all, all)
        .notice(all)
        .sides(all, all)
        .round(new Round(0, all, List.of(new Fact(all, all)), rows))
        .build();
  }
}

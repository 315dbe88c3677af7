package dev.agentreplay.records.replay;

import static dev.agentreplay.records.replay.TestSession.said;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.diff.rule.Normalizer;
import dev.agentreplay.engine.diff.rule.SemanticComparator.Judgment;
import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.AgentRosterEntry.Role;
import dev.agentreplay.records.RecordReplayReport;
import dev.agentreplay.records.RecordReplayReport.Severity;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionRecords;
import dev.agentreplay.records.TraceMessage.Type;
import dev.agentreplay.records.replay.MessageDivergence.Kind;
import dev.agentreplay.records.store.AlteredTextException;
import dev.agentreplay.records.store.RecordTexts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class SessionReplayTest {

  private static final TestSession SESSION = TestSession.example();

  private static void assertDivergence(
      SessionReplayResult result, Kind kind, Severity severity, long round, long index) {
    assertThat(result.divergences()).singleElement().satisfies(divergence -> {
      assertThat(divergence.kind()).isEqualTo(kind);
      assertThat(divergence.reported().severity()).isEqualTo(severity);
      assertThat(divergence.reported().roundNumber()).isEqualTo(round);
      assertThat(divergence.reported().messageIndex()).isEqualTo(index);
    });
    assertThat(result.report().similarity().percentage()).isLessThan(100);
  }

  @Test
  void a_record_against_itself_matches_without_divergence() throws Exception {
    SessionReplayResult result = SESSION.against(SESSION).run();

    assertThat(result.verdict()).isEqualTo(SessionReplayVerdict.MATCHED);
    assertThat(result.divergences()).isEmpty();
    assertThat(result.inputs()).isEmpty();
    RecordReplayReport report = result.report();
    assertThat(report.matches()).isTrue();
    assertThat(report.similarity().percentage()).isEqualTo(100);
    assertThat(report.similarity().artifact()).isEqualTo(100);
    assertThat(report.progress())
        .isEqualTo(new RecordReplayReport.Progress(2, 2, 7, 7)); // without those of the operator
    assertThat(report.conclusion()).isEqualTo("Session is reproducible within acceptable bounds.");
  }

  @Test
  void a_record_against_itself_matches_as_a_comparison_and_as_a_trace() throws Exception {
    SessionReplayResult comparison =
        SESSION.against(SESSION).roster(SESSION.roster()).run();
    SessionReplayResult trace =
        SessionReplay.of(SESSION.record()).texts(SESSION.texts()).trace();

    for (SessionReplayResult result : List.of(comparison, trace)) {
      assertThat(result.verdict()).isEqualTo(SessionReplayVerdict.MATCHED);
      assertThat(result.divergences()).isEmpty();
      assertThat(result.report().similarity().percentage()).isEqualTo(100);
    }
    assertThat(comparison.report().mode()).isEqualTo(RecordReplayReport.Mode.COMPARISON);
    assertThat(trace.report().mode()).isEqualTo(RecordReplayReport.Mode.TRACE);
    assertThat(trace.report().conclusion())
        .isEqualTo("Nothing was replayed: this is the recorded session;"
            + " all 10 texts match their hashes.");
  }

  @Test
  void hashes_alone_decide_that_messages_are_the_same() throws Exception {
    SessionRecord record = SESSION.record();

    SessionReplayResult result =
        SessionReplay.of(record).against(record, RecordTexts.none()).run();

    assertThat(result.verdict()).isEqualTo(SessionReplayVerdict.MATCHED);
    assertThat(result.measures()).containsOnlyKeys(MessageMeasure.HASH);
  }

  @Test
  void a_reworded_message_is_minor() throws Exception {
    TestSession other = SESSION.with(
        0,
        2,
        said("Green", Type.DELTA, "Test: shift a cell along the gradient, and watch its fate."));

    SessionReplayResult result = SESSION.against(other).run();

    assertDivergence(result, Kind.TEXT, Severity.MINOR, 0, 2);
    assertThat(result.verdict()).isEqualTo(SessionReplayVerdict.MATCHED);
    assertThat(result.divergences().get(0).reported().explanation())
        .isEqualTo("text: similarity 0.92, at least 0.90");
    assertThat(result.report().conclusion())
        .isEqualTo("Session is reproducible within acceptable bounds. Texts that differ were"
            + " compared by their characters, not by their meaning.");
  }

  @Test
  void summaries_show_the_first_difference_of_texts_that_begin_in_the_same_way() throws Exception {
    String start = "The same first line.\nThen the same words, ";
    TestSession one = SESSION.with(0, 1, said("Blue", Type.DELTA, start + "and a first end.\nEnd"));
    TestSession other =
        SESSION.with(0, 1, said("Blue", Type.DELTA, start + "and a last end.\nEnd"));

    RecordReplayReport.Divergence divergence =
        one.against(other).run().report().divergences().get(0);

    assertThat(divergence.originalSummary()).isEqualTo("Then the same words, and a first end.");
    assertThat(divergence.replayedSummary()).isEqualTo("Then the same words, and a last end.");
  }

  @Test
  void summaries_of_long_lines_have_at_most_200_characters() throws Exception {
    String start = "The same words. ".repeat(20);
    TestSession one = SESSION.with(0, 1, said("Blue", Type.DELTA, start + "a".repeat(300)));
    TestSession other = SESSION.with(0, 1, said("Blue", Type.DELTA, start + "b".repeat(300)));

    RecordReplayReport.Divergence divergence =
        one.against(other).run().report().divergences().get(0);

    assertThat(divergence.originalSummary()).startsWith("…").endsWith("a…").hasSize(200);
    assertThat(divergence.replayedSummary()).startsWith("…").endsWith("b…").hasSize(200);
  }

  @Test
  void a_message_of_a_different_approach_is_moderate() throws Exception {
    TestSession other = SESSION.with(
        0,
        2,
        said("Green", Type.DELTA, "Test: remove the source of the gradient, and watch each fate."));

    assertDivergence(SESSION.against(other).run(), Kind.TEXT, Severity.MODERATE, 0, 2);
  }

  @Test
  void a_message_of_a_different_conclusion_is_major() throws Exception {
    TestSession other = SESSION.with(1, 3, said("Red", Type.CRITIQUE, "I agree with all of it!"));

    SessionReplayResult result = SESSION.against(other).run();

    assertDivergence(result, Kind.TEXT, Severity.MAJOR, 1, 3);
    assertThat(result.verdict()).isEqualTo(SessionReplayVerdict.DIVERGED);
    assertThat(result.report().conclusion())
        .startsWith("Significant divergence in adversarial critique.");
  }

  @Test
  void a_missing_message_is_major() throws Exception {
    SessionReplayResult result = SESSION.against(SESSION.with(1, 1)).run();

    assertDivergence(result, Kind.MISSING, Severity.MAJOR, 1, 1);
    assertThat(result.divergences().get(0).reported().originalSummary())
        .isEqualTo("Both predict the same for the first division.");
    assertThat(result.divergences().get(0).reported().replayedSummary()).isEmpty();
  }

  @Test
  void an_added_message_is_major_and_has_its_place_in_the_replay() throws Exception {
    TestSession other =
        SESSION.with(0, 1, SESSION.at(0, 1), said("Blue", Type.DELTA, "And a second one."));

    SessionReplayResult result = SESSION.against(other).run();

    assertDivergence(result, Kind.ADDED, Severity.MAJOR, 0, 2);
    assertThat(result.report().divergences().get(0).extra().at("/side").asString())
        .isEqualTo("replayed");
    assertThat(result.alignment().get(2).original()).isNull();
  }

  @Test
  void messages_of_one_agent_in_a_different_order_are_minor() throws Exception {
    TestSession other = SESSION.with(1, 0, SESSION.at(1, 1)).with(1, 1, SESSION.at(1, 0));

    SessionReplayResult result = SESSION.against(other).run();

    assertThat(result.divergences()).singleElement().satisfies(divergence -> {
      assertThat(divergence.kind()).isEqualTo(Kind.ORDER);
      assertThat(divergence.reported().severity()).isEqualTo(Severity.MINOR);
      assertThat(divergence.reported().semanticMatch()).isTrue();
    });
    assertThat(result.report().similarity().percentage()).isEqualTo(99.99);
  }

  @Test
  void messages_of_different_agents_in_a_different_order_do_not_diverge() throws Exception {
    TestSession other = SESSION.with(0, 1, SESSION.at(0, 2)).with(0, 2, SESSION.at(0, 1));

    assertThat(SESSION.against(other).run().divergences()).isEmpty();
  }

  @Test
  void a_message_of_a_different_type_is_major() throws Exception {
    TestSession other =
        SESSION.with(0, 3, said("Red", Type.DELTA, SESSION.at(0, 3).text()));

    assertDivergence(SESSION.against(other).run(), Kind.TYPE, Severity.MAJOR, 0, 3);
  }

  @Test
  void a_message_in_a_different_round_is_moderate() throws Exception {
    TestSession other = SESSION.with(1, 1).with(0, 1, SESSION.at(0, 1), SESSION.at(1, 1));

    SessionReplayResult result = SESSION.against(other).run();

    assertDivergence(result, Kind.ROUND, Severity.MODERATE, 1, 1);
    assertThat(result.divergences().get(0).reported().explanation())
        .isEqualTo("round: the same message in round 0");
  }

  @Test
  void a_message_of_a_different_agent_is_moderate() throws Exception {
    TestSession other =
        SESSION.with(0, 3, said("Blue", Type.CRITIQUE, SESSION.at(0, 3).text()));

    assertDivergence(SESSION.against(other).run(), Kind.SENDER, Severity.MODERATE, 0, 3);
  }

  @Test
  void a_message_of_the_operator_is_not_compared() throws Exception {
    TestSession other =
        SESSION.with(0, 0, said("Operator", Type.KICKOFF, "Why?")).with(1, 4);

    SessionReplayResult result = SESSION.against(other).run();

    assertThat(result.divergences()).isEmpty();
    assertThat(result.alignment().stream().filter(MessagePair::isInput)).hasSize(3);
  }

  @Test
  void texts_that_are_missing_leave_the_verdict_undecided() throws Exception {
    TestSession other = SESSION.with(0, 2, said("Green", Type.DELTA, "Something else."));

    SessionReplayResult result = SessionReplay.of(SESSION.record())
        .against(other.record(), RecordTexts.none())
        .run();

    assertThat(result.verdict()).isEqualTo(SessionReplayVerdict.UNDECIDED);
    assertDivergence(result, Kind.UNDECIDED, Severity.MODERATE, 0, 2);
    assertThat(result.report().matches()).isFalse();
    assertThat(result.report().conclusion())
        .isEqualTo("Not decided: 1 message cannot be compared.");
    assertThat(result.report().extra().at("/undecided").asLong()).isEqualTo(1);
  }

  @Test
  void what_is_undecided_does_not_hide_that_a_threshold_cannot_be_reached() throws Exception {
    TestSession other = SESSION.with(1, 1).with(0, 2, said("Green", Type.DELTA, "Different."));

    SessionReplayResult result = SessionReplay.of(SESSION.record())
        .against(other.record(), RecordTexts.none())
        .run();

    assertThat(result.verdict()).isEqualTo(SessionReplayVerdict.DIVERGED);
  }

  @Test
  void an_altered_text_is_not_used_and_reported() throws Exception {
    TestSession other = SESSION.with(0, 2, said("Green", Type.DELTA, "Something else."));
    String altered =
        SESSION.record().trace().rounds().get(0).messages().get(2).contentHash().text();
    RecordTexts texts = hash -> {
      if (hash.text().equals(altered)) {
        throw new AlteredTextException("content/" + altered, hash);
      }
      return SESSION.texts().text(hash);
    };

    SessionReplayResult result = SessionReplay.of(SESSION.record())
        .texts(texts)
        .against(other.record(), other.texts())
        .run();

    assertThat(result.verdict()).isEqualTo(SessionReplayVerdict.UNDECIDED);
    assertThat(result.inputs()).singleElement().satisfies(difference -> assertThat(
            difference.message())
        .isEqualTo("trace.rounds[0].messages[2].content_hash: the text was altered, and is not"
            + " used"));
  }

  @Test
  void rounds_that_the_replay_does_not_have_make_it_incomplete() throws Exception {
    TestSession other = TestSession.of(List.of(SESSION.rounds().get(0)));

    SessionReplayResult result = SESSION.against(other).run();

    assertThat(result.verdict()).isEqualTo(SessionReplayVerdict.INCOMPLETE);
    assertThat(result.report().conclusion()).isEqualTo("Replay is incomplete: 1 of 2 rounds.");
    assertThat(result.divergences())
        .hasSize(4)
        .allSatisfy(divergence -> assertThat(divergence.kind()).isEqualTo(Kind.NOT_REPLAYED));
  }

  @Test
  void only_the_requested_rounds_are_compared() throws Exception {
    TestSession other = SESSION.with(1, 1);

    SessionReplayResult result = SESSION.against(other).rounds(0, 0).run();

    assertThat(result.divergences()).isEmpty();
    assertThat(result.report().progress().roundsExpected()).isEqualTo(1);
  }

  @Test
  void white_space_unicode_forms_and_normalizers_make_no_divergence() throws Exception {
    TestSession one = SESSION.with(
        0, 2, said("Green", Type.DELTA, "Café:  run /tmp/a1/x\nand compare\tthe fates of all."));
    TestSession other = SESSION.with(
        0,
        2,
        said("Green", Type.DELTA, "Cafe\u0301: run /tmp/b2/x and compare the fates of all. "));

    SessionReplayResult plain = one.against(other).run();
    SessionReplayResult normalized = one.against(other)
        .comparedBy(MessageRules.defaults().withNormalizers(List.of(Normalizer.temporaryFolders())))
        .run();

    assertDivergence(plain, Kind.TEXT, Severity.MINOR, 0, 2);
    assertThat(normalized.divergences()).isEmpty();
    assertThat(normalized.measures()).containsEntry(MessageMeasure.NORMALIZED, 1L);
  }

  @Test
  void a_normalizer_that_takes_too_long_leaves_the_message_undecided() throws Exception {
    TestSession one = SESSION.with(0, 2, said("Green", Type.DELTA, "a".repeat(5_000) + "c"));
    TestSession other = SESSION.with(0, 2, said("Green", Type.DELTA, "a".repeat(5_000) + "d"));

    SessionReplayResult result = one.against(other)
        .comparedBy(MessageRules.defaults()
            .withNormalizers(List.of(Normalizer.pattern("slow", "(a*)*b", "x"))))
        .run();

    assertDivergence(result, Kind.UNDECIDED, Severity.MODERATE, 0, 2);
    assertThat(result.divergences().get(0).reported().explanation())
        .contains("undecided: ", "slow");
  }

  @Test
  void a_judge_decides_on_texts_that_differ() throws Exception {
    TestSession other = SESSION.with(1, 3, said("Red", Type.CRITIQUE, "A sample has many cells."));
    SessionReplay replay = SESSION.against(other);

    SessionReplayResult same = SESSION
        .against(other)
        .comparedBy(MessageRules.defaults().withJudge(texts -> new Judgment(true, null, "same")))
        .run();
    SessionReplayResult near = SESSION
        .against(other)
        .comparedBy(MessageRules.defaults().withJudge(texts -> new Judgment(true, 0.9, "near")))
        .run();
    SessionReplayResult different = replay
        .comparedBy(MessageRules.defaults().withJudge(texts -> new Judgment(false, 0.95, "not")))
        .run();

    assertThat(same.divergences()).isEmpty();
    assertDivergence(near, Kind.TEXT, Severity.MINOR, 1, 3);
    assertThat(near.divergences().get(0).reported().semanticMatch()).isTrue();
    assertThat(near.divergences().get(0).reported().explanation())
        .isEqualTo("judge: equivalent, similarity 0.90: near");
    assertDivergence(different, Kind.TEXT, Severity.MODERATE, 1, 3);
    assertThat(different.report().conclusion()).doesNotContain("characters");
  }

  @Test
  void a_judge_that_fails_leaves_the_messages_undecided() throws Exception {
    TestSession other = SESSION
        .with(1, 3, said("Red", Type.CRITIQUE, "A sample has many cells."))
        .with(1, 0, said("Blue", Type.DELTA, "Hypothesis: none."));

    SessionReplayResult result = SESSION
        .against(other)
        .comparedBy(MessageRules.defaults().withJudge(texts -> {
          throw new IOException("no answer");
        }))
        .run();

    assertThat(result.verdict()).isEqualTo(SessionReplayVerdict.UNDECIDED);
    assertThat(result.divergences())
        .extracting(divergence -> divergence.reported().explanation())
        .containsExactly(
            "undecided: the judge failed: no answer",
            "undecided: not judged, because the judge failed before");
  }

  @Test
  void a_comparison_pairs_the_messages_of_different_agents_by_their_roles() throws Exception {
    List<AgentRosterEntry> roster = List.of(
        AgentRosterEntry.of("One", Role.HYPOTHESIS_GENERATOR, "x", "m1"),
        AgentRosterEntry.of("Two", Role.TEST_DESIGNER, "x", "m2"),
        AgentRosterEntry.of("Three", Role.ADVERSARIAL_CRITIC, "x", "m3"));
    TestSession other = new TestSession(
        roster,
        SESSION.rounds().stream()
            .map(messages -> messages.stream()
                .map(one -> said(
                    switch (one.from()) {
                      case "Blue" -> "One";
                      case "Green" -> "Two";
                      case "Red" -> "Three";
                      default -> one.from();
                    },
                    one.type(),
                    one.text()))
                .toList())
            .toList(),
        SESSION.artifact());

    SessionReplayResult comparison = SESSION.against(other).roster(roster).run();
    SessionReplayResult verification = SESSION.against(other).run();

    assertThat(comparison.divergences()).isEmpty();
    assertThat(comparison.report().roster()).isEqualTo(roster);
    assertThat(verification.divergences())
        .extracting(MessageDivergence::kind)
        .containsOnly(Kind.SENDER);
    assertThat(verification.inputs())
        .extracting(InputDifference::name)
        .contains("agent_roster[Blue]", "agent_roster[One]");
  }

  @Test
  void artifacts_are_compared_by_sections() throws Exception {
    TestSession one = SESSION.withArtifact("# A\n\nfirst text\n\n## B\n\nabcdefgh\n");
    TestSession other = SESSION.withArtifact("# A\n\nfirst text\n\n## B\n\nabcdzzzz\n");

    SessionReplayResult result = one.against(other).run();
    SessionReplayResult strict = one.against(other)
        .thresholds(ReplayThresholds.defaults().withArtifact(95.0))
        .run();

    assertThat(result.report().similarity().artifact()).isBetween(85.0, 90.0);
    assertThat(result.verdict()).isEqualTo(SessionReplayVerdict.MATCHED);
    assertThat(strict.verdict()).isEqualTo(SessionReplayVerdict.DIVERGED);
    assertThat(strict.report().conclusion())
        .isEqualTo("Significant divergence in the final artifact.");
  }

  @Test
  void an_artifact_without_text_is_not_compared() throws Exception {
    TestSession other = SESSION.withArtifact("different");

    SessionReplayResult result = SessionReplay.of(SESSION.record())
        .against(other.record(), RecordTexts.none())
        .thresholds(ReplayThresholds.defaults().withArtifact(50.0))
        .run();

    assertThat(result.report().similarity().artifact()).isZero();
    assertThat(result.report().extra().at("/artifact_compared").asBoolean()).isFalse();
    assertThat(result.verdict()).isEqualTo(SessionReplayVerdict.UNDECIDED);
  }

  @Test
  void a_record_that_is_not_replayable_is_refused_unless_forced() throws Exception {
    SessionRecord record = SESSION.withRoster(List.of()).record();

    assertThatThrownBy(
            () -> SessionReplay.of(record).against(record, RecordTexts.none()).run())
        .isInstanceOf(SessionReplayRefusedException.class)
        .hasMessageContaining("not replayable: inputs.agent_roster: expected at least one agent");
    assertThat(SessionReplay.of(record)
            .against(record, RecordTexts.none())
            .force(true)
            .run()
            .verdict())
        .isEqualTo(SessionReplayVerdict.MATCHED);
  }

  @Test
  void undecided_messages_may_reach_a_threshold_of_100() throws Exception {
    TestSession other = SESSION.with(0, 2, said("Green", Type.DELTA, "Something else."));

    SessionReplayResult result = SessionReplay.of(SESSION.record())
        .against(other.record(), RecordTexts.none())
        .thresholds(ReplayThresholds.defaults().withSimilarity(100))
        .run();

    assertThat(result.verdict()).isEqualTo(SessionReplayVerdict.UNDECIDED);
  }

  @Test
  void a_replay_can_run_again() throws Exception {
    SessionReplay replay = SESSION.against(SESSION.with(1, 1)).clock(TestSession.START::instant);

    assertThat(replay.run().report()).isEqualTo(replay.run().report());
  }

  @Test
  void a_replay_needs_either_agents_or_a_record() {
    assertThatIllegalStateException()
        .isThrownBy(() -> SessionReplay.of(SESSION.record()).run())
        .withMessage("a replay needs either agents or another record");
  }

  @Test
  void a_report_is_read_back() throws Exception {
    TestSession other =
        SESSION.with(1, 1).with(0, 2, said("Green", Type.DELTA, "Something else entirely."));
    RecordReplayReport report = SESSION.against(other).run().report();

    RecordReplayReport read =
        SessionRecords.readReport(SessionRecords.write(report).getBytes(StandardCharsets.UTF_8));

    assertThat(report.problems()).isEmpty();
    assertThat(read.toJson()).isEqualTo(report.toJson());
  }

  @Test
  void rounds_that_the_record_does_not_have_are_refused() {
    SessionReplay replay = SessionReplay.of(SESSION.record());

    assertThatThrownBy(() -> replay.rounds(7, 9))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no round of the record is from 7 to 9; it has rounds from 0 to 1");
    assertThatThrownBy(() -> replay.rounds(2, Long.MAX_VALUE))
        .hasMessageStartingWith("no round of the record is from 2; ");
    SessionRecord empty = SessionRecord.createEmpty("S", SESSION.record().createdAt());
    assertThatThrownBy(() -> SessionReplay.of(empty).rounds(0, 0))
        .hasMessage("no round of the record is from 0 to 0; it has none");
  }
}

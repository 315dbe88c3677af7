package dev.agentreplay.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.diff.rule.ComparisonRule;
import dev.agentreplay.engine.diff.rule.FuzzyText;
import dev.agentreplay.engine.diff.rule.Ignore;
import dev.agentreplay.engine.exchange.MatchRung;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rules of a comparison hold for the requests and for the results of a replay. */
class ReplayRulesTest {

  private static final String PARAM = "since 2026-01-02T03:04:05Z";
  private static final String OUTPUT = "4 files, read at 2026-01-02T03:04:06Z, all of them whole";

  @TempDir
  Path directory;

  private Session session;

  @BeforeEach
  void record() throws Exception {
    try (SessionRecorder recorder = SessionRecorder.start(directory, "list")) {
      agent(PARAM, OUTPUT).run(AgentScope.recording(recorder, Executors.none()));
    }
    session = Session.open(directory);
  }

  private static ReplayAgent agent(String param, String output) {
    return scope -> {
      scope.run("list", Map.of("filter", param), () -> output);
      scope.end(SessionEnd.of(Status.SUCCESS));
    };
  }

  private ReplayReport replay(String param, String output, ComparisonRule... rules)
      throws Exception {
    return replay(param, output, DiffOptions.defaults().plus(rules));
  }

  private ReplayReport replay(String param, String output, DiffOptions options) throws Exception {
    return Replay.of(session)
        .policy(ReplayPolicy.of(ReplayMode.TOOLS_LIVE).withEffect("list", Effect.PURE))
        .onUnmatched(OnUnmatched.POSITION)
        .comparison(options)
        .run(agent(param, output));
  }

  @Test
  void one_character_is_a_divergence_by_default() throws Exception {
    assertThat(replay(PARAM, OUTPUT).verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(replay(PARAM + " ", OUTPUT).divergencesByKind())
        .containsExactly(Map.entry("PARAMS", 1L));
    assertThat(replay(PARAM, OUTPUT + " ").divergencesByKind())
        .containsExactly(Map.entry("OUTPUT", 1L));
  }

  @Test
  void ignored_timestamps_match_and_are_equal() throws Exception {
    ReplayReport report =
        replay(PARAM.replace("2026", "2027"), OUTPUT.replace("2026", "2027"), Ignore.timestamps());

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(report.matched()).containsEntry(MatchRung.RULES, 1L);
  }

  @Test
  void ignored_places_match_and_are_equal() throws Exception {
    ReplayReport report =
        replay("other", "different", Ignore.at("/params/filter"), Ignore.at("/output"));

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(report.matched()).containsEntry(MatchRung.RULES, 1L);
  }

  @Test
  void similar_output_is_minor_if_a_rule_says_so_and_moderate_otherwise() throws Exception {
    String similar = OUTPUT.replace("4 files", "5 files");

    assertThat(replay(PARAM, similar).root().severity()).isEqualTo(DivergenceSeverity.MODERATE);
    assertThat(replay(PARAM, similar, FuzzyText.atLeast(0.9)).root().severity())
        .isEqualTo(DivergenceSeverity.MINOR);
  }

  @Test
  void similar_output_passes_from_moderate_on() throws Exception {
    String similar = OUTPUT.replace("4 files", "5 files");
    DiffOptions fuzzy = DiffOptions.defaults().plus(FuzzyText.atLeast(0.9));

    assertThat(replay(PARAM, OUTPUT).passes()).isTrue();
    assertThat(replay(PARAM, similar, fuzzy).passes()).isFalse();
    ReplayReport report = replay(PARAM, similar, fuzzy.failingFrom(DivergenceSeverity.MODERATE));
    assertThat(report.passes()).isTrue();
    assertThat(report.isIdentical()).isFalse();
    assertThat(report.hasFailures()).isFalse();
    assertThat(
            replay("x", similar, fuzzy.failingFrom(DivergenceSeverity.MODERATE)).passes())
        .isFalse();
  }

  @Test
  void divergences_that_are_not_listed_count_by_their_severity() throws Exception {
    String similar = OUTPUT.replace("4 files", "5 files");
    DiffOptions fuzzy = DiffOptions.defaults()
        .plus(FuzzyText.atLeast(0.9))
        .failingFrom(DivergenceSeverity.MODERATE)
        .withMaxDivergences(0);
    ReplayReport minor = replay(PARAM, similar, fuzzy);

    assertThat(minor.divergences()).isEmpty();
    assertThat(minor.divergenceCount()).isEqualTo(1);
    assertThat(minor.hasFailures()).isFalse();
    assertThat(minor.passes()).isTrue();
    assertThat(replay(PARAM, "different", fuzzy).hasFailures()).isTrue();
    DiffOptions strict = fuzzy.failingFrom(DivergenceSeverity.MINOR);
    assertThat(replay(PARAM, similar, strict).hasFailures()).isTrue();
    assertThat(replay(PARAM, similar, strict).passes()).isFalse();
  }

  @Test
  void request_that_is_never_made_is_more_severe_than_an_output_that_differs() throws Exception {
    ReplayReport unread = Replay.of(session)
        .mode(ReplayMode.MOCK)
        .run(scope -> scope.end(SessionEnd.of(Status.SUCCESS)));

    assertThat(unread.root().kind()).isEqualTo("UNREAD");
    assertThat(unread.root().severity()).isEqualTo(DivergenceSeverity.MAJOR);
  }
}

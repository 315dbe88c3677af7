package dev.agentreplay.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.exchange.MatchRung;
import dev.agentreplay.engine.exchange.MissKind;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerifyPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Replays in which everything is served: a run of the same agent is identical, any other is not.
 */
class MockReplayTest {

  private static final int TURNS = 20;

  @TempDir
  Path directory;

  private Session session;

  @BeforeEach
  void record() throws Exception {
    session = new SampleAgent(TURNS).record(directory.resolve("recorded"));
  }

  private ReplayReport replay(SampleAgent agent) throws Exception {
    return replay(agent, OnUnmatched.STOP);
  }

  private ReplayReport replay(SampleAgent agent, OnUnmatched onUnmatched) throws Exception {
    ReplayReport report =
        Replay.of(session).mode(ReplayMode.MOCK).onUnmatched(onUnmatched).run(agent);
    counts_close(report);
    assertThat(agent.executions).hasValue(0);
    return report;
  }

  private static void counts_close(ReplayReport report) {
    ReplayReport.ExchangeCounts exchanges = report.exchanges();
    assertThat(exchanges.served() + exchanges.executed() + exchanges.unread())
        .isEqualTo(exchanges.recorded());
    assertThat(
            report.matched().values().stream().mapToLong(Long::longValue).sum() + report.missed())
        .isEqualTo(report.requests());
  }

  @Test
  void the_same_agent_is_identical_and_nothing_is_executed() throws Exception {
    ReplayReport report = replay(new SampleAgent(TURNS));

    assertThat(report.divergences()).isEmpty();
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(report.exchanges()).isEqualTo(new ReplayReport.ExchangeCounts(40, 40, 0, 0));
    assertThat(report.matched()).containsEntry(MatchRung.EXACT, 40L);
    assertThat(report.headline()).startsWith("replayed 40 exchanges in ").contains("(recorded: ");
  }

  @Test
  void a_changed_argument_is_a_miss_at_its_place() throws Exception {
    SampleAgent agent = new SampleAgent(TURNS);
    agent.task = "Fix the logout.";

    ReplayReport report = replay(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.divergences()).hasSize(1);
    ReplayDivergence miss = report.divergences().get(0);
    assertThat(miss.kind()).isEqualTo("MISS");
    assertThat(miss.miss().kind()).isEqualTo(MissKind.DIVERGED);
    assertThat(miss.miss().nearest().pointer()).isEqualTo("/prompt/messages/0/content");
    assertThat(miss.miss().nearest().message()).isZero();
    assertThat(miss.message())
        .contains("Fix the login.")
        .contains("Fix the logout.")
        .contains("message 0");
    assertThat(report.failure()).isInstanceOf(ReplayMissException.class);
  }

  @Test
  void a_changed_tool_is_a_miss() throws Exception {
    SampleAgent agent = new SampleAgent(TURNS);
    agent.tool = "open_file";

    ReplayReport report = replay(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.root().miss().kind()).isEqualTo(MissKind.NEVER_RECORDED);
    assertThat(report.root().miss().nearest().pointer()).isEqualTo("/tool");
    assertThat(report.divergenceCount()).isOne();
  }

  @Test
  void a_changed_model_is_a_miss_of_its_own_kind() throws Exception {
    SampleAgent agent = new SampleAgent(TURNS);
    agent.model = "gpt-6";

    ReplayReport report = replay(agent);

    assertThat(report.root().miss().kind()).isEqualTo(MissKind.MODEL_CHANGED);
    assertThat(report.divergenceCount()).isOne();
  }

  @Test
  void an_extra_call_is_a_miss() throws Exception {
    SampleAgent agent = new SampleAgent(TURNS);
    agent.extraCalls = 1;

    ReplayReport report = replay(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.root().miss().kind()).isEqualTo(MissKind.EXHAUSTED);
    assertThat(report.divergenceCount()).isOne();
  }

  @Test
  void a_recording_left_unread_diverges() throws Exception {
    SampleAgent agent = new SampleAgent(TURNS - 1);

    ReplayReport report = replay(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.divergencesByKind()).containsExactly(java.util.Map.entry("UNREAD", 2L));
    assertThat(report.exchanges().unread()).isEqualTo(2);
    assertThat(report.failure()).isNull();
  }

  @Test
  void an_agent_that_swallows_exceptions_diverges_all_the_same() throws Exception {
    for (OnUnmatched behavior : new OnUnmatched[] {OnUnmatched.ERROR}) {
      SampleAgent agent = new SampleAgent(TURNS);
      agent.tool = "open_file";
      agent.swallows = true;

      ReplayReport report = replay(agent, behavior);

      assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
      assertThat(report.failure()).isNull();
      assertThat(report.missed()).isEqualTo(TURNS);
      assertThat(report.firstMiss().miss()).isEqualTo(report.root().miss());
      assertThat(report.firstMiss().getStackTrace())
          .anyMatch(frame -> frame.getClassName().equals(SampleAgent.class.getName()));
    }
  }

  @Test
  void a_volatile_value_in_one_turn_is_one_root() throws Exception {
    SampleAgent agent = new SampleAgent(TURNS);
    agent.volatileTurn = "It is 11:23.";

    ReplayReport report = replay(agent, OnUnmatched.POSITION);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.matched())
        .containsEntry(MatchRung.POSITION, 1L)
        .containsEntry(MatchRung.DELTA, 17L)
        .containsEntry(MatchRung.EXACT, 22L);
    assertThat(report.divergences().stream()
            .filter(divergence ->
                divergence.role() != dev.agentreplay.engine.diff.Divergence.Role.DOWNSTREAM))
        .hasSize(1);
    assertThat(report.exchanges().unread()).isZero();
  }

  @Test
  void a_replay_is_a_valid_recording_with_its_origin_and_provenance() throws Exception {
    Path out = directory.resolve("replayed");
    byte[] before = Files.readAllBytes(session.log());

    ReplayReport report =
        Replay.of(session).mode(ReplayMode.MOCK).directory(out).run(new SampleAgent(TURNS));

    assertThat(report.directory()).isEqualTo(out);
    Session replayed = Session.open(out);
    assertThat(SessionVerifier.of(VerifyPolicy.defaults()).verify(replayed).verdict())
        .isEqualTo(Verdict.VALID);
    assertThat(Files.readAllLines(out.resolve("LEDGER.jsonl"))).hasSize(40);
    try (var reader = replayed.reader()) {
      ReplayHeader header = (ReplayHeader) reader.read().event();
      assertThat(header.replayOf().mode()).isEqualTo("mock");
      assertThat(header.replayOf().sessionId()).isEqualTo("sample");
      reader.read();
      ReplayEvent call = reader.read().event();
      assertThat(dev.agentreplay.model.Provenance.of(call).json().toString())
          .isEqualTo("{\"action\":\"served\",\"line\":3,\"match\":\"exact\"}");
    }
    assertThat(Files.readAllBytes(session.log())).isEqualTo(before);
  }
}

package dev.agentreplay.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.exchange.MissKind;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.testkit.TestSessions;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Replays of recorded sessions by an agent that makes the recorded requests. */
class CorpusReplayTest {

  static Stream<Path> bundled() {
    return TestSessions.bundled().stream();
  }

  @Test
  @Tag("slow")
  void a_replay_of_each_session_of_the_corpus_is_identical() throws Exception {
    List<Path> sessions = TestSessions.corpusSessions();
    for (Path path : sessions) {
      isReplayed(Session.open(path));
    }
    assertThat(sessions).hasSizeGreaterThan(80);
  }

  @ParameterizedTest
  @MethodSource("bundled")
  void a_replay_is_identical(Path path) throws Exception {
    isReplayed(Session.open(path));
  }

  private static void isReplayed(Session session) throws Exception {
    ReplayReport report = Replay.of(session).mode(ReplayMode.MOCK).run(new RepeatingAgent(session));

    assertThat(report.divergences().stream().filter(found -> !found.kind().equals("UNDECIDED")))
        .as(session.log().toString())
        .isEmpty();
    assertThat(report.verdict()).as(session.log().toString()).isEqualTo(expected(session));
    ReplayReport.ExchangeCounts exchanges = report.exchanges();
    assertThat(exchanges.served() + exchanges.unread()).isEqualTo(exchanges.recorded());
    assertThat(
            report.matched().values().stream().mapToLong(Long::longValue).sum() + report.missed())
        .isEqualTo(report.requests());
  }

  /** Identical, if the session has calls, a result of each, and an end. */
  private static ReplayVerdict expected(Session session) throws Exception {
    int calls = 0;
    int results = 0;
    boolean hasEnd = false;
    try (var reader = session.reader()) {
      for (ReplayLine line : reader) {
        boolean isResult =
            line.event() instanceof ToolResult || line.event() instanceof ModelResult;
        results += isResult ? 1 : 0;
        calls += line.event().callId() != null && !isResult ? 1 : 0;
        hasEnd |= line.event() instanceof SessionEnd;
      }
    }
    if (!hasEnd || calls != results) {
      return ReplayVerdict.INCOMPLETE;
    }
    return calls == 0 ? ReplayVerdict.UNVERIFIED : ReplayVerdict.IDENTICAL;
  }

  @ParameterizedTest
  @MethodSource("bundled")
  void one_changed_request_is_one_miss_at_its_place(Path path) throws Exception {
    for (OnUnmatched behavior : OnUnmatched.values()) {
      isFoundAtItsPlace(Session.open(path), behavior, 5);
    }
  }

  @Tag("slow")
  @Test
  void one_changed_request_is_found_in_each_session_of_the_corpus() throws Exception {
    int session = 0;
    for (Path path : TestSessions.corpusSessions()) {
      OnUnmatched behavior = OnUnmatched.values()[session++ % OnUnmatched.values().length];
      isFoundAtItsPlace(Session.open(path), behavior, 2);
    }
  }

  /** Changes requests at a number of places, one at a time. */
  private static void isFoundAtItsPlace(Session session, OnUnmatched behavior, int places)
      throws Exception {
    RepeatingAgent all = new RepeatingAgent(session);
    Replay.of(session).mode(ReplayMode.MOCK).onUnmatched(OnUnmatched.ERROR).run(all);
    int step = Math.max(1, all.lines.size() / places);
    for (int changed = 0; changed < all.lines.size(); changed += step) {
      String what = "%s, call %d, %s".formatted(session.log(), changed, behavior);

      ReplayReport report = Replay.of(session)
          .mode(ReplayMode.MOCK)
          .onUnmatched(behavior)
          .run(new RepeatingAgent(session, changed));

      assertThat(report.verdict()).as(what).isEqualTo(ReplayVerdict.DIVERGED);
      List<ReplayDivergence> differences = report.divergences().stream()
          .filter(divergence -> !divergence.kind().equals("UNDECIDED"))
          .toList();
      assertThat(differences).as(what).hasSize(1);
      ReplayDivergence found = differences.get(0);
      assertThat(found.recordedLine()).as(what).isEqualTo(all.lines.get(changed));
      if (behavior == OnUnmatched.POSITION) {
        assertThat(found.kind()).as(what).isIn("PARAMS", "PROMPT");
      } else {
        assertThat(found.kind()).as(what).isEqualTo("MISS");
        assertThat(found.miss().kind()).as(what).isEqualTo(MissKind.DIVERGED);
        assertThat(report.requests())
            .as(what)
            .isEqualTo(behavior == OnUnmatched.STOP ? changed + 1 : all.lines.size());
      }
      TestRecordings.requireClosedCounts(report);
    }
  }
}

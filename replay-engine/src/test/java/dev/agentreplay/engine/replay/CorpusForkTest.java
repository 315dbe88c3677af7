package dev.agentreplay.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.fork.Fork;
import dev.agentreplay.engine.fork.ForkPoint;
import dev.agentreplay.engine.fork.ForkPoints;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.testkit.TestSessions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Forks of recorded sessions, by an agent that makes the recorded requests. */
@Tag("slow")
class CorpusForkTest {

  @TempDir
  Path directory;

  private int forks;

  @Test
  void an_unchanged_fork_at_several_points_of_each_session_is_identical() throws Exception {
    for (Path path : TestSessions.corpusSessions()) {
      areIdentical(Session.open(path));
    }
    assertThat(forks).isGreaterThan(340);
  }

  @Test
  void a_fork_with_one_change_diverges_only_after_its_point() throws Exception {
    int changed = 0;
    for (Path path : TestSessions.corpusSessions()) {
      Session session = Session.open(path);
      for (ForkPoint point : some(ForkPoints.of(session).possible(), 2)) {
        changed += divergesOnlyAfter(session, point) ? 1 : 0;
      }
    }
    assertThat(changed).isGreaterThan(50);
  }

  /** The first, the last, and others in between. */
  private static List<ForkPoint> some(List<ForkPoint> points, int most) {
    List<ForkPoint> some = new ArrayList<>();
    int count = Math.min(most, points.size());
    for (int i = 0; i < count; i++) {
      some.add(points.get(count == 1 ? 0 : (int) ((long) i * (points.size() - 1) / (count - 1))));
    }
    return some;
  }

  private void areIdentical(Session session) throws Exception {
    List<String> recorded = null;
    for (ForkPoint point : some(ForkPoints.of(session).possible(), 6)) {
      recorded = recorded == null ? contents(session) : recorded;
      forks++;
      Path out = directory.resolve("fork-" + forks);

      ReplayReport report = Replay.of(session)
          .mode(ReplayMode.MOCK)
          .fork(Fork.at(point.line()))
          .directory(out)
          .run(new RepeatingAgent(session));

      String what = "%s, %s".formatted(session.log(), point);
      assertThat(report.divergences().stream().filter(each -> !each.kind().equals("UNDECIDED")))
          .as(what)
          .isEmpty();
      assertThat(report.fork().isReached()).as(what).isTrue();
      boolean isComplete = hasEnd(session) && report.divergences().isEmpty();
      assertThat(report.verdict())
          .as(what)
          .isEqualTo(isComplete ? ReplayVerdict.IDENTICAL : ReplayVerdict.INCOMPLETE);
      if (isComplete) {
        assertThat(contents(Session.open(out))).as(what).isEqualTo(recorded);
      }
    }
  }

  private static boolean hasEnd(Session session) throws Exception {
    return TestRecordings.events(session).stream().anyMatch(SessionEnd.class::isInstance);
  }

  /** The hashes of the calls and results of a session, whose order depends on their threads. */
  private static List<String> contents(Session session) throws Exception {
    List<String> contents = new ArrayList<>();
    for (ReplayEvent event : TestRecordings.events(session)) {
      if (event.callId() != null) {
        contents.add("%s %s %s"
            .formatted(event.kind().id(), event.name(), TestRecordings.hash(event.content())));
      }
    }
    contents.sort(null);
    return contents;
  }

  private static boolean divergesOnlyAfter(Session session, ForkPoint point) throws Exception {
    String pointer = point.kind() == dev.agentreplay.engine.exchange.ExchangeKind.TOOL_CALL
        ? "/output"
        : "/answer";
    ReplayReport report;
    try {
      report = Replay.of(session)
          .mode(ReplayMode.MOCK)
          .fork(Fork.at(point.line()).set(pointer, JsonObject.of("changed by", "the test")))
          .run(new RepeatingAgent(session));
    } catch (ReplayRefusedException refused) {
      assertThat(refused).hasMessageContaining("the call has no recorded result");
      return false;
    }

    String what = "%s, %s".formatted(session.log(), point);
    assertThat(report.divergences()).as(what).isNotEmpty();
    assertThat(report.divergences().stream().filter(each -> each.recordedLine() != null))
        .as(what)
        .allSatisfy(each -> assertThat(each.recordedLine()).isGreaterThanOrEqualTo(point.line()));
    return report.verdict() == ReplayVerdict.DIVERGED;
  }
}

package dev.agentreplay.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.fork.Fork;
import dev.agentreplay.engine.fork.ForkPoints;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.context.DeterministicContext;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.RecordedValue;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nondeterministic values before and after the point of a fork. */
class ForkValuesTest {

  @TempDir
  Path directory;

  /** Two values, each before a call of a tool. */
  private final ReplayAgent random = scope -> {
    scope.context().random().nextInt(10);
    scope.call("echo", JsonObject.of("n", 1));
    scope.context().random().nextInt(10);
    scope.call("echo", JsonObject.of("n", 2));
  };

  private Session record(ReplayAgent agent) throws Exception {
    return TestRecordings.record(
        directory.resolve("values"),
        agent,
        Executors.none().withTool("echo", TestRecordings.echo()),
        SampleAgent.withContext());
  }

  private Path out() {
    return directory.resolve("fork");
  }

  private Replay fork(Session session, Fork fork) {
    return Replay.of(session).mode(ReplayMode.MOCK).fork(fork).directory(out());
  }

  private static long line(Session session, int point) throws Exception {
    return ForkPoints.of(session).all().get(point).line();
  }

  @Test
  void values_after_the_point_are_computed_where_none_is_recorded() throws Exception {
    Session session = record(random);
    Fork fork = Fork.at(line(session, 1));
    ReplayAgent more = scope -> {
      random.run(scope);
      scope.context().random().nextInt(10);
    };

    ReplayReport report = fork(session, fork).run(more);

    assertThat(report.failure()).isNull();
    assertThat(report.divergences()).extracting(ReplayDivergence::kind).containsExactly("DRIFT");
    assertThat(fork(session, fork).directory(null).run(random).verdict())
        .isEqualTo(ReplayVerdict.IDENTICAL);
  }

  @ParameterizedTest
  @EnumSource(OnUnmatched.class)
  void a_value_before_the_point_that_is_not_recorded_ends_the_fork(OnUnmatched onUnmatched)
      throws Exception {
    Session session = record(random);
    ReplayAgent early = scope -> {
      DeterministicContext context = scope.context();
      context.random().nextInt(10);
      context.random().nextInt(10);
      assertThatThrownBy(() -> context.random().nextInt(10))
          .isInstanceOf(ReplayMissException.class);
      random.run(scope);
    };

    ReplayReport report =
        fork(session, Fork.at(line(session, 3))).onUnmatched(onUnmatched).run(early);

    assertThat(report.failure()).isInstanceOf(ReplayStoppedException.class);
    assertThat(report.fork().isReached()).isFalse();
    assertThat(report.divergences()).extracting(ReplayDivergence::kind).contains("DRIFT");
    assertThat(TestRecordings.events(Session.open(out())))
        .filteredOn(RecordedValue.class::isInstance)
        .hasSize(2);
  }

  @Test
  void a_changed_value_that_does_not_fit_ends_the_fork() throws Exception {
    ReplayAgent used = scope -> {
      scope.call("echo", JsonObject.of("n", 1));
      scope.call("echo", JsonObject.of("n", scope.context().random().nextInt(10)));
    };
    Session session = record(used);
    Fork fork = Fork.at(line(session, 1));

    assertThatThrownBy(
            () -> fork(session, fork.set("/value", JsonString.of("x"))).run(used))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot be changed to \"x\"");
    Path changed = directory.resolve("changed");
    long other = (TestRecordings.events(session).stream()
                .filter(RecordedValue.class::isInstance)
                .mapToLong(event -> ((RecordedValue) event).value().asLong())
                .findFirst()
                .orElseThrow()
            + 1)
        % 10;
    ReplayReport report = fork(session, fork.set("/value", JsonNumber.of(other)))
        .tool("echo", Effect.PURE, TestRecordings.echo())
        .directory(changed)
        .run(used);
    assertThat(ForkTest.outputs(changed)).last().isEqualTo(JsonObject.of("n", other));
    assertThat(report.fork().isReached()).isTrue();
    assertThat(report.root().recordedLine()).isGreaterThan(fork.line());
  }
}

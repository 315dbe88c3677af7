package dev.agentreplay.engine.replay;

import static dev.agentreplay.engine.replay.TestRecordings.requireClosedCounts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.exchange.MissKind;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.context.ContextOptions;
import dev.agentreplay.io.context.DeterministicContext;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerifyPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Agents that request values which do not fit the recorded ones, and swallow every exception: the
 * replay reports each.
 */
class UnfitValuesTest {

  private static final RecorderOptions WITH_VALUES =
      RecorderOptions.defaults().withContext(ContextOptions.deterministic());
  private static final Duration SECOND = Duration.ofSeconds(1);

  @TempDir
  private Path directory;

  private final Executors executors = Executors.none().withTool("use", TestRecordings.echo());

  private int replays;

  /** The values that an agent got. */
  private final List<Object> drawn = new ArrayList<>();

  /** Requests a value. */
  private interface Draw {
    Object from(DeterministicContext context) throws Exception;
  }

  private record Case(String name, Draw recorded, Draw requested, MissKind miss) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Case differs(String name, Draw recorded, Draw requested) {
    return new Case(name, recorded, requested, MissKind.DIVERGED);
  }

  private static List<Case> cases() {
    Draw number = context -> context.random().nextInt(100);
    Draw version = context -> context.version("v", 0, 1);
    return List.of(
        differs("range", number, context -> context.random().nextInt(1, 2)),
        differs("fraction", number, context -> context.random().nextDouble()),
        differs("fraction of a range", number, context -> context.random().nextDouble(100)),
        differs("distribution", number, context -> context.random().nextGaussian()),
        differs("boolean", number, context -> context.random().nextBoolean()),
        differs("bytes", number, context -> bytes(context, 2)),
        differs("length", context -> bytes(context, 3), context -> bytes(context, 2)),
        differs("shuffle", context -> shuffled(context, 4), context -> shuffled(context, 3)),
        differs("jitter", c -> c.jitter(SECOND.multipliedBy(100)), c -> c.jitter(SECOND)),
        differs(
            "delay",
            c -> c.delay(9, SECOND, SECOND.multipliedBy(100)),
            c -> c.delay(0, SECOND, SECOND)),
        differs("uuid", DeterministicContext::uuidV4, DeterministicContext::uuidV7),
        differs("ulid", DeterministicContext::uuidV4, DeterministicContext::ulid),
        differs("version", version, context -> context.version("v", 5, 9)),
        new Case(
            "decided version",
            version,
            context -> {
              version.from(context);
              return context.version("v", 5, 9);
            },
            MissKind.EXHAUSTED),
        new Case(
            "variable",
            number,
            context -> {
              number.from(context);
              return context.environment("PATH");
            },
            MissKind.NEVER_RECORDED));
  }

  private static byte[] bytes(DeterministicContext context, int length) {
    byte[] bytes = new byte[length];
    context.random().nextBytes(bytes);
    return bytes;
  }

  private static List<Integer> shuffled(DeterministicContext context, int size) {
    return context.shuffle(List.of(1, 2, 3, 4).subList(0, size));
  }

  private ReplayAgent agent(Draw draw) {
    return scope -> {
      drawn.clear();
      try {
        drawn.add(draw.from(scope.context()));
      } catch (Exception e) {
        // hidden
      }
      try {
        scope.call("use", JsonObject.of("count", 1));
      } catch (Exception e) {
        // hidden
      }
    };
  }

  private Session record(Draw draw, RecorderOptions options) throws Exception {
    return TestRecordings.record(directory.resolve("recorded"), agent(draw), executors, options);
  }

  private ReplayReport replay(Session session, OnUnmatched unmatched, Draw draw) throws Exception {
    Path out = directory.resolve("replay-" + replays++);
    ReplayReport report = Replay.of(session)
        .mode(ReplayMode.MOCK)
        .onUnmatched(unmatched)
        .directory(out)
        .run(agent(draw));
    requireClosedCounts(report);
    assertThat(SessionVerifier.of(VerifyPolicy.defaults())
            .verify(Session.open(out))
            .verdict())
        .isNotEqualTo(Verdict.INVALID);
    return report;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void a_recorded_value_that_does_not_fit_drifts_and_is_not_returned(Case one) throws Exception {
    Session session = record(one.recorded(), WITH_VALUES);
    assertThat(replay(session, OnUnmatched.ERROR, one.recorded()).verdict())
        .isEqualTo(ReplayVerdict.IDENTICAL);

    for (OnUnmatched unmatched : List.of(OnUnmatched.STOP, OnUnmatched.POSITION)) {
      ReplayReport report = replay(session, unmatched, one.requested());

      assertThat(drawn).isEmpty();
      assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
      assertThat(report.divergences())
          .filteredOn(drift -> drift.kind().equals("DRIFT"))
          .singleElement()
          .satisfies(drift -> assertThat(drift.miss().kind()).isEqualTo(one.miss()));
    }
  }

  @Test
  void a_report_has_the_recorded_value_and_the_log_only_what_was_expected() throws Exception {
    Session session = record(context -> context.random().nextInt(100), WITH_VALUES);
    TestLog log = new TestLog(System.Logger.Level.WARNING);

    ReplayReport report = Replay.of(session)
        .mode(ReplayMode.MOCK)
        .onUnmatched(OnUnmatched.ERROR)
        .logger(log)
        .run(agent(context -> context.random().nextInt(1, 2)));

    assertThat(report.root().message())
        .isEqualTo(
            """
        recorded value random cannot be answered from the recording: \
        expected an integer from 1 to below 2 (DIVERGED)
          - recorded  61
          nearest recorded request: line 3""");
    assertThat(log.only("replay.divergence").fields().at("/message").asString())
        .isEqualTo(report.root().message().lines().findFirst().orElseThrow());
  }

  @Test
  void a_version_that_was_recorded_is_not_replaced_by_the_minimum_of_an_older_recording()
      throws Exception {
    Session session = record(context -> context.version("v", 0, 1), WITH_VALUES);

    ReplayReport report = replay(session, OnUnmatched.ERROR, context -> {
      try {
        context.version("v", 5, 9);
      } catch (ReplayMissException e) {
        // hidden
      }
      return context.version("v", 0, 1);
    });

    assertThat(drawn).isEmpty();
    assertThat(report.divergencesByKind()).containsEntry("DRIFT", 2L);
  }

  /** The variables of the machine of a replay may be secrets. */
  @ParameterizedTest
  @EnumSource
  void a_variable_drifts_if_no_values_were_recorded(OnUnmatched unmatched) throws Exception {
    Session session = record(context -> 1, RecorderOptions.defaults());

    ReplayReport report = replay(session, unmatched, context -> context.environment("PATH"));

    assertThat(drawn).isEmpty();
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.divergencesByKind()).containsEntry("DRIFT", 1L);
    assertThat(replay(session, unmatched, context -> 1).isIdentical()).isTrue();
  }

  @Test
  void other_values_are_of_the_seed_if_none_were_recorded_and_the_report_has_the_circumstance()
      throws Exception {
    Session session = record(context -> 1, RecorderOptions.defaults());

    ReplayReport report = replay(session, OnUnmatched.STOP, DeterministicContext::uuidV4);

    assertThat(drawn).hasSize(1);
    assertThat(report.circumstances())
        .extracting(Circumstance::message)
        .contains("no nondeterministic values were recorded: the agent got values of the seed");
  }
}

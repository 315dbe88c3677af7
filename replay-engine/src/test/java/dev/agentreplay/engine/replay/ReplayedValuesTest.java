package dev.agentreplay.engine.replay;

import static dev.agentreplay.engine.replay.TestRecordings.requireClosedCounts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.exchange.MissKind;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.ModelExecutor;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.context.ContextOptions;
import dev.agentreplay.io.context.DeterministicContext;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.workspace.Circumstances;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The nondeterministic values of an agent in a replay: those of the recording, in its order. */
class ReplayedValuesTest {

  @TempDir
  Path directory;

  private Session session;
  private final List<Object> recorded = new ArrayList<>();
  private final Executors executors = Executors.none().withTool("use", TestRecordings.echo());

  /** Requests values, and calls a tool with them. */
  private interface Draws {
    List<Object> from(AgentScope scope) throws Exception;
  }

  private static ReplayAgent agent(Draws draws, List<Object> drawn) {
    return scope -> {
      List<Object> values = draws.from(scope);
      drawn.addAll(values);
      scope.call("use", JsonObject.of("count", 1));
    };
  }

  private static List<Object> all(AgentScope scope) {
    DeterministicContext context = scope.context();
    DeterministicContext helper = scope.agent("helper", null).context();
    return List.of(
        context.clock().instant(),
        context.uuidV4(),
        context.random().nextInt(1_000_000),
        context.random().nextDouble(),
        helper.uuidV4(),
        context.nanoTime());
  }

  @BeforeEach
  void record() throws Exception {
    session = TestRecordings.record(
        directory.resolve("recorded"),
        agent(ReplayedValuesTest::all, recorded),
        executors,
        SampleAgent.withContext());
  }

  private Replay mock() {
    return Replay.of(session).mode(ReplayMode.MOCK);
  }

  private ReplayReport replay(Draws draws) throws Exception {
    ReplayReport report =
        mock().onUnmatched(OnUnmatched.ERROR).run(agent(draws, new ArrayList<>()));
    requireClosedCounts(report);
    return report;
  }

  private static List<ReplayDivergence> drifts(ReplayReport report) {
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    return report.divergences().stream()
        .filter(divergence -> divergence.kind().equals("DRIFT"))
        .toList();
  }

  @Test
  void values_are_those_of_the_recording() throws Exception {
    List<Object> replayed = new ArrayList<>();

    ReplayReport report = mock().run(agent(ReplayedValuesTest::all, replayed));

    assertThat(report.divergences()).isEmpty();
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(replayed).isEqualTo(recorded);
  }

  @Test
  void a_different_order_drifts_and_returns_the_recorded_values() throws Exception {
    List<Object> replayed = new ArrayList<>();
    Draws swapped = scope -> {
      DeterministicContext context = scope.context();
      Object id = context.uuidV4();
      Object time = context.clock().instant();
      return List.of(
          time,
          id,
          context.random().nextInt(1_000_000),
          context.random().nextDouble(),
          scope.agent("helper", null).context().uuidV4(),
          context.nanoTime());
    };

    ReplayReport report = mock().run(agent(swapped, replayed));

    assertThat(replayed).isEqualTo(recorded);
    assertThat(drifts(report)).isNotEmpty().allSatisfy(drift -> {
      assertThat(drift.severity()).isEqualTo(DivergenceSeverity.MINOR);
      assertThat(drift.message()).contains("different place in the order of values");
    });
    assertThat(report.divergencesByKind()).containsOnlyKeys("DRIFT");
    assertThat(report.exchanges().unread()).isZero();
  }

  @Test
  void a_value_that_is_requested_more_often_drifts() throws Exception {
    ReplayReport report = replay(scope -> {
      all(scope);
      return List.of(scope.context().nanoTime());
    });

    assertThat(drifts(report)).hasSize(1);
    assertThat(drifts(report).get(0).miss().kind()).isEqualTo(MissKind.EXHAUSTED);
    assertThat(report.failure()).isInstanceOf(ReplayMissException.class);
  }

  @Test
  void a_value_of_a_source_that_was_not_recorded_drifts() throws Exception {
    Draws other = scope -> {
      List<Object> values = all(scope);
      assertThatThrownBy(() -> scope.context().jitter(java.time.Duration.ofSeconds(1)))
          .isInstanceOf(ReplayMissException.class);
      return values;
    };

    ReplayReport report = replay(other);

    assertThat(drifts(report)).hasSize(1);
    assertThat(drifts(report).get(0).miss().kind()).isEqualTo(MissKind.NEVER_RECORDED);
    assertThat(report.failure()).isNull();
    assertThat(report.divergencesByKind()).containsExactly(Map.entry("DRIFT", 1L));
  }

  @Test
  void a_value_of_a_different_type_drifts() throws Exception {
    ReplayReport report = replay(scope -> {
      scope.context().clock().instant();
      return List.of(scope.context().ulid());
    });

    assertThat(drifts(report)).hasSize(1);
    assertThat(drifts(report).get(0).miss().kind()).isEqualTo(MissKind.DIVERGED);
  }

  @Test
  void a_value_of_a_different_lane_drifts_and_that_of_its_own_is_unread() throws Exception {
    ReplayReport report = replay(scope -> {
      List<Object> values = new ArrayList<>(all(scope).subList(0, 1));
      assertThatThrownBy(() -> scope.agent("stranger", null).context().uuidV4())
          .isInstanceOf(ReplayMissException.class);
      return values;
    });

    assertThat(drifts(report)).hasSize(1);
    assertThat(drifts(report).get(0).agent()).isEqualTo("stranger");
  }

  @Test
  void values_that_are_not_requested_are_unread() throws Exception {
    ReplayReport report = replay(scope -> List.of(scope.context().clock().instant()));

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.divergencesByKind()).containsOnlyKeys("UNREAD");
    assertThat(report.divergences())
        .anySatisfy(unread -> {
          assertThat(unread.agent()).isEqualTo("helper");
          assertThat(unread.message()).contains("1 recorded value of id");
        })
        .anySatisfy(unread -> assertThat(unread.message()).contains("2 recorded values of random"));
    assertThat(report.divergencesByKind()).containsEntry("UNREAD", 4L);
  }

  @Test
  void an_agent_cannot_hide_a_value_that_was_not_recorded() throws Exception {
    ReplayReport report = mock()
        .run(agent(
            scope -> {
              List<Object> values = all(scope);
              try {
                scope.context().nanoTime();
              } catch (RuntimeException e) {
                // hidden
              }
              return values;
            },
            new ArrayList<>()));

    assertThat(drifts(report)).hasSize(1);
    assertThat(report.exchanges().unread()).isOne(); // the replay stopped before the call
  }

  @Test
  void a_value_at_the_same_place_is_computed_if_positions_are_matched() throws Exception {
    List<Object> values = new ArrayList<>();

    ReplayReport report = mock()
        .onUnmatched(OnUnmatched.POSITION)
        .run(agent(
            scope -> {
              all(scope);
              return List.of(scope.context().uuidV4());
            },
            values));

    assertThat(values).hasSize(1).doesNotContainAnyElementsOf(recorded);
    assertThat(drifts(report)).hasSize(1);
    assertThat(report.failure()).isNull();
  }

  @Test
  void files_and_variables_of_the_machine_are_never_read() throws Exception {
    Session withoutValues = TestRecordings.record(
        directory.resolve("without-values"),
        scope -> scope.call("use", JsonObject.of("count", 1)),
        executors);
    Map<String, Draws> draws = Map.of(
        "directory", scope -> List.of(scope.context().listDirectory(directory)),
        "glob", scope -> List.of(scope.context().glob(directory, "**")),
        "environment:PATH", scope -> List.of(scope.context().environment("PATH")));

    for (Session each : List.of(withoutValues, session)) {
      for (Map.Entry<String, Draws> draw : draws.entrySet()) {
        List<Object> drawn = new ArrayList<>();
        ReplayReport report = Replay.of(each)
            .mode(ReplayMode.MOCK)
            .onUnmatched(OnUnmatched.POSITION)
            .run(agent(draw.getValue(), drawn));

        assertThat(drawn).isEmpty();
        assertThat(report.failure()).isInstanceOf(ReplayMissException.class);
        assertThat(drifts(report)).hasSize(1).allSatisfy(drift -> {
          assertThat(drift.message()).contains(draw.getKey());
          assertThat(drift.miss().kind()).isEqualTo(MissKind.NEVER_RECORDED);
        });
        assertThat(report.circumstances()).noneMatch(stated -> stated.name().equals("values"));
      }
    }
  }

  @Test
  void recorded_files_and_variables_are_those_of_the_recording() throws Exception {
    Draws draws = scope -> {
      DeterministicContext context = scope.context();
      List<Object> values = new ArrayList<>();
      values.add(context.listDirectory(directory.resolve("files")));
      values.add(context.glob(directory.resolve("files"), "*"));
      values.add(context.environment("PATH"));
      return values;
    };
    Path file = Files.createDirectory(directory.resolve("files")).resolve("a.txt");
    Files.writeString(file, "");
    List<Object> values = new ArrayList<>();
    Session listed = TestRecordings.record(
        directory.resolve("listed"),
        agent(draws, values),
        executors,
        RecorderOptions.defaults()
            .withContext(ContextOptions.defaults().withRecords(true).withEnvironment("PATH")));
    Files.delete(file);
    List<Object> replayed = new ArrayList<>();

    ReplayReport report = Replay.of(listed).mode(ReplayMode.MOCK).run(agent(draws, replayed));

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(replayed)
        .isEqualTo(values)
        .containsExactly(List.of("a.txt"), List.of("a.txt"), System.getenv("PATH"));
  }

  @Test
  void the_context_of_a_replay_ends_with_it_also_after_an_exception() throws Exception {
    AtomicReference<AgentScope> kept = new AtomicReference<>();
    ReplayReport report = mock().run(scope -> {
      kept.set(scope);
      throw new IllegalStateException("of the agent");
    });

    assertThat(report.failure()).hasMessage("of the agent");
    assertThatThrownBy(() -> kept.get().context().uuidV4())
        .isInstanceOf(ReplayStoppedException.class)
        .hasMessage("the replay has ended");
    List<Object> later = new ArrayList<>();
    TestRecordings.record(
        directory.resolve("later"),
        agent(ReplayedValuesTest::all, later),
        executors,
        SampleAgent.withContext());
    assertThat(later).doesNotContainAnyElementsOf(recorded);
  }

  @Test
  void a_recording_that_changes_under_a_replay_fails_it_whatever_the_agent_catches()
      throws Exception {
    Function<Integer, ReplayAgent> agents = first -> scope -> {
      Files.writeString(session.log(), "");
      try {
        if (first == 0) {
          scope.context().uuidV4();
        } else {
          scope.call("use", JsonObject.of("count", 1));
        }
      } catch (RuntimeException e) {
        // hidden
      }
    };
    byte[] before = Files.readAllBytes(session.log());
    for (int first = 0; first < 2; first++) {
      Files.write(session.log(), before);
      Replay replay = mock();
      ReplayAgent agent = agents.apply(first);

      assertThatThrownBy(() -> replay.run(agent)).isInstanceOf(IOException.class);
    }
    Files.write(session.log(), before);
    assertThat(TestRecordings.temporaryDirectories(session)).isEmpty();
  }

  @Test
  void a_recorded_seed_is_given_to_models_unless_the_caller_has_one() throws Exception {
    ReplayAgent asking = scope -> scope.ask(
        "gpt-5", "hi", new ModelCall.Parameters(JsonObject.of("temperature", 0.7, "seed", 1)));
    Session seeded = TestRecordings.record(
        directory.resolve("seeded"),
        asking,
        Executors.none().withModel((call, pieces) -> ModelResult.of(call.id(), "hello")),
        SampleAgent.withContext().withCircumstances(Circumstances.none().withSeed(17)));
    List<ModelCall.Parameters> parameters = new ArrayList<>();
    ModelExecutor model = (call, pieces) -> {
      parameters.add(call.parameters());
      return ModelResult.of(call.id(), "hello");
    };

    ReplayReport report =
        Replay.of(seeded).mode(ReplayMode.MODEL_LIVE).model(model).run(asking);
    Replay.of(seeded).mode(ReplayMode.MODEL_LIVE).model(model).seed(18L).run(asking);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL); // the request is as recorded
    assertThat(parameters).extracting(ModelCall.Parameters::seed).containsExactly(17L, 18L);
    assertThat(parameters).allSatisfy(each -> {
      assertThat(each.temperature()).isZero();
      assertThat(each.topK()).isOne();
      assertThat(each.topP()).isOne();
    });
  }
}

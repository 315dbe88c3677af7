package dev.agentreplay.engine.attribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayAgent;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.io.context.ContextOptions;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.RecordedValue;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two runs of an agent differ in ten values, of which one or two decide about its outcome: each
 * cause is found. The values are a system prompt, a parameter, a model, a random number, and the
 * results of six tools.
 */
@Tag("slow")
class SeededCausesTest {

  /** The limit for each of the causes, which take 31 at most. */
  private static final int MOST_TRIALS = 32;

  private static final int VALUES = 10;

  @TempDir
  Path directory;

  /** All single causes, and ten pairs. */
  static Stream<Set<Integer>> causes() {
    List<Set<Integer>> causes = new ArrayList<>();
    for (int i = 0; i < VALUES; i++) {
      causes.add(Set.of(i));
    }
    for (int i = 0; i < VALUES; i++) {
      causes.add(new TreeSet<>(Set.of(
          i,
          (3 * i + 1 + (i == 7 ? 2 : 0)) % VALUES == i ? (i + 1) % VALUES : (3 * i + 1) % VALUES)));
    }
    return causes.stream();
  }

  /** The value of an input: even in the first run, odd in the second. */
  private record World(boolean isSecond) {

    int value(int input) {
      return 2 * input + (isSecond ? 1 : 0);
    }

    Executors executors() {
      Executors executors = Executors.none().withModel(World::answer);
      for (int i = 4; i < VALUES; i++) {
        int input = i;
        executors = executors.withTool("tool-" + i, ToolExecutor.of(params -> value(input)));
      }
      return executors;
    }

    /** A model whose answer states what it was asked: the system, the parameter and the name. */
    private static ModelResult answer(ModelCall call, java.util.function.Consumer<String> pieces) {
      JsonValue system = call.prompt().value().at("/system");
      JsonValue parameter = call.parameters().json().get("level");
      return ModelResult.of(
          call.id(),
          JsonArray.of(system, parameter, Integer.valueOf(call.model().substring(6))));
    }
  }

  /** An agent that fails if all of some inputs have the values of the second run. */
  private static ReplayAgent agent(World own, Set<Integer> decisive) {
    return scope -> {
      int[] seen = new int[VALUES];
      seen[3] = scope.context().random().nextInt(2);
      for (int i = 4; i < VALUES; i++) {
        seen[i] = (int) scope.call("tool-" + i, JsonObject.of("n", i)).asLong();
      }
      JsonObject prompt = JsonObject.of(
          "system",
          own.value(0),
          "messages",
          JsonArray.of(JsonObject.of("role", "user", "content", "go")));
      ModelCall call = new ModelCall(
          "",
          "model-" + own.value(2),
          dev.agentreplay.model.Content.of(prompt),
          new ModelCall.Parameters(JsonObject.of("level", own.value(1))),
          dev.agentreplay.model.Meta.NONE);
      JsonArray answer = scope.execute(call, piece -> {}).answer().value().asArray();
      for (int i = 0; i < 3; i++) {
        seen[i] = (int) answer.get(i).asLong();
      }
      boolean fails = decisive.stream().allMatch(input -> seen[input] % 2 == 1);
      scope.end(SessionEnd.of(fails ? Status.FAILED : Status.SUCCESS));
    };
  }

  /** Records the agent, with a seed with which its random number is that of the world. */
  private Session record(String name, World world, Set<Integer> decisive) throws Exception {
    for (long seed = 0; seed < 100; seed++) {
      Path path = directory.resolve(name + "-" + seed);
      RecorderOptions options = RecorderOptions.defaults()
          .withContext(ContextOptions.defaults().withRecords(true).withSeed(seed));
      try (SessionRecorder recorder = SessionRecorder.start(path, SessionStart.of(name), options)) {
        agent(world, decisive).run(AgentScope.recording(recorder, world.executors()));
      }
      Session session = Session.open(path);
      if (random(session) == (world.isSecond() ? 1 : 0)) {
        return session;
      }
    }
    throw new AssertionError("no seed has the random number");
  }

  private static long random(Session session) throws Exception {
    try (var reader = session.reader()) {
      for (var line = reader.read(); line != null; line = reader.read()) {
        if (line.event() instanceof RecordedValue value) {
          return value.value().asLong();
        }
      }
    }
    throw new AssertionError("no random number");
  }

  @ParameterizedTest
  @MethodSource("causes")
  void each_seeded_cause_is_found(Set<Integer> decisive) throws Exception {
    World first = new World(false);
    Session left = record("first", first, decisive);
    Session right = record("second", new World(true), decisive);

    AttributionReport report = Attribution.between(left, right)
        .replay(replay -> replay.executors(Executors.none().withModel(World::answer)))
        .run(agent(first, decisive));

    assertThat(report.differences()).hasSize(VALUES);
    assertThat(report.verdict()).as(report.reason()).isEqualTo(AttributionVerdict.EXPLAINED);
    assertThat(report.causes()).hasSize(1);
    assertThat(report.causes().get(0).differences().stream().map(SeededCausesTest::input))
        .containsExactlyInAnyOrderElementsOf(decisive);
    assertThat(report.causes().get(0).isNecessary()).isTrue();
    assertThat(report.causes().get(0).isCertain())
        .as("the model is asked what neither run asked, also if an earlier trial has the answer")
        .isEqualTo(decisive.stream().allMatch(input -> input > 2));
    assertThat(report.trials()).hasSizeLessThanOrEqualTo(MOST_TRIALS);
  }

  private static int input(Difference difference) {
    return switch (difference.kind()) {
      case PROMPT -> 0;
      case PARAMETER -> 1;
      case MODEL -> 2;
      case VALUE -> 3;
      case RESULT -> Integer.parseInt(difference.title().replaceAll("\\D", ""));
    };
  }
}

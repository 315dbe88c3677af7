package dev.agentreplay.adk;

import static dev.agentreplay.adk.ScriptedModel.text;

import com.google.adk.agents.LlmAgent;
import com.google.adk.models.LlmResponse;
import com.google.adk.plugins.Plugin;
import com.google.adk.runner.InMemoryRunner;
import com.google.adk.tools.BaseTool;
import com.google.adk.tools.ToolContext;
import com.google.genai.types.FunctionDeclaration;
import dev.agentreplay.io.recording.Durability;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.WriterOptions;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Single;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Measures the latency that recording adds to an agent of the kit: 20 tool calls and 21 model calls
 * a run, with a scripted model and a tool that does nothing, unrecorded and recorded with two
 * durabilities, in interleaved batches. A tool call is the time from the call of the model to that
 * of the tool, in which an answer and a tool call are recorded; a model call is the time from the
 * tool to the next call of the model, in which a result and a model call are recorded. Both include
 * the work of the kit. Run it with the class path of the tests.
 */
final class AgentLatency {

  private static final int CALLS = 20;
  private static final int BATCH = 10;
  private static final int WARM_UP_ROUNDS = 15;

  private static final class Samples {
    private final long[] nanos;
    private int count;

    Samples(int size) {
      nanos = new long[size];
    }

    void add(long sample) {
      nanos[count++] = sample;
    }

    double micros(int percent) {
      long[] sorted = Arrays.copyOf(nanos, count);
      Arrays.sort(sorted);
      return sorted[(int) ((long) count * percent / 100)] / 1e3;
    }
  }

  private static final class Loop {
    private final InMemoryRunner runner;
    private final Samples toolCalls;
    private final Samples modelCalls;
    private final Samples runs;
    private boolean measured;
    private boolean isFirst;
    private long last;

    Loop(int rounds, Plugin... plugins) {
      toolCalls = new Samples(rounds * BATCH * CALLS);
      modelCalls = new Samples(rounds * BATCH * CALLS);
      runs = new Samples(rounds * BATCH);
      LlmResponse[] answers = new LlmResponse[CALLS + 1];
      for (int i = 0; i < CALLS; i++) {
        answers[i] = ScriptedModel.response(ScriptedModel.functionCall(
            "call_" + i, "nothing", Map.of("path", "src/main/java/Example.java", "line", i)));
      }
      answers[CALLS] = text("done");
      ScriptedModel model = new ScriptedModel(request -> {
        add(modelCalls);
        return Flowable.just(answers[ScriptedModel.results(request)]);
      });
      runner = new InMemoryRunner(
          LlmAgent.builder()
              .name("assistant")
              .model(model)
              .tools(nothing(model))
              .build(),
          "app",
          List.of(plugins));
    }

    private BaseTool nothing(ScriptedModel model) {
      return new BaseTool("nothing", "does nothing") {
        @Override
        public Optional<FunctionDeclaration> declaration() {
          return Optional.of(FunctionDeclaration.builder()
              .name("nothing")
              .description("does nothing")
              .build());
        }

        @Override
        public Single<Map<String, Object>> runAsync(
            Map<String, Object> arguments, ToolContext context) {
          add(toolCalls);
          model.requests.clear();
          return Single.just(Map.of("result", "ok"));
        }
      };
    }

    private void add(Samples samples) {
      long now = System.nanoTime();
      if (measured && !isFirst) {
        samples.add(now - last);
      }
      isFirst = false;
      last = System.nanoTime();
    }

    void run(boolean isMeasured) {
      measured = isMeasured;
      for (int i = 0; i < BATCH; i++) {
        String id =
            runner.sessionService().createSession("app", "alice").blockingGet().id();
        isFirst = true;
        long started = System.nanoTime();
        runner.runAsync("alice", id, Runs.user("Fix the login")).blockingSubscribe();
        if (isMeasured) {
          runs.add(System.nanoTime() - started);
        }
      }
    }
  }

  private AgentLatency() {}

  /** Measures and prints a table; the argument is the number of rounds. */
  public static void main(String[] args) throws IOException {
    int rounds = args.length == 0 ? 60 : Integer.parseInt(args[0]);
    Path directory = Files.createTempDirectory("replay-adk");
    try (AdkRecorder written = recorder(directory, Durability.WRITTEN);
        AdkRecorder interval = recorder(directory, Durability.INTERVAL)) {
      Map<String, Loop> loops = new LinkedHashMap<>();
      loops.put("unrecorded", new Loop(rounds));
      loops.put("recorded, WRITTEN", new Loop(rounds, written.plugin()));
      loops.put("recorded, INTERVAL", new Loop(rounds, interval.plugin()));
      for (int round = -WARM_UP_ROUNDS; round < rounds; round++) {
        for (Loop loop : loops.values()) {
          loop.run(round >= 0);
        }
      }
      System.out.println("microseconds        tool p50/p99   model p50/p99   run p50/p99");
      loops.forEach((name, loop) -> System.out.printf(
          "%-20s %.0f/%.0f   %.0f/%.0f   %.0f/%.0f%n",
          name,
          loop.toolCalls.micros(50),
          loop.toolCalls.micros(99),
          loop.modelCalls.micros(50),
          loop.modelCalls.micros(99),
          loop.runs.micros(50),
          loop.runs.micros(99)));
      System.out.println("failures: " + (written.failures() + interval.failures()));
    }
  }

  private static AdkRecorder recorder(Path directory, Durability durability) {
    return AdkRecorder.into(
        directory,
        RecorderOptions.defaults().withWriter(WriterOptions.defaults().withDurability(durability)));
  }
}

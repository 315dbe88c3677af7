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
import dev.agentreplay.testkit.LoopLatency;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Single;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Measures the latency that recording adds to an agent of the kit: 20 tool calls and 21 model calls
 * a run, with a scripted model and a tool that does nothing, unrecorded and recorded with two
 * durabilities.
 */
final class AgentLatency {

  private static final int CALLS = 20;

  private AgentLatency() {}

  /** Measures and prints a table; the argument is the number of rounds. */
  public static void main(String[] args) throws IOException {
    Path directory = Files.createTempDirectory("replay-adk");
    try (AdkRecorder written = recorder(directory, Durability.WRITTEN);
        AdkRecorder interval = recorder(directory, Durability.INTERVAL)) {
      Map<String, Function<LoopLatency, Runnable>> agents = new LinkedHashMap<>();
      agents.put("unrecorded", latency -> agent(latency));
      agents.put("recorded, WRITTEN", latency -> agent(latency, written.plugin()));
      agents.put("recorded, INTERVAL", latency -> agent(latency, interval.plugin()));
      LoopLatency.compare(args, agents);
      System.out.println("failures: " + (written.failures() + interval.failures()));
    }
  }

  private static AdkRecorder recorder(Path directory, Durability durability) {
    return AdkRecorder.into(
        directory,
        RecorderOptions.defaults().withWriter(WriterOptions.defaults().withDurability(durability)));
  }

  private static Runnable agent(LoopLatency latency, Plugin... plugins) {
    LlmResponse[] answers = new LlmResponse[CALLS + 1];
    for (int i = 0; i < CALLS; i++) {
      answers[i] = ScriptedModel.response(ScriptedModel.functionCall(
          "call_" + i, "nothing", Map.of("path", "src/main/java/Example.java", "line", i)));
    }
    answers[CALLS] = text("done");
    ScriptedModel model = new ScriptedModel(request -> {
      latency.modelCalled();
      return Flowable.just(answers[ScriptedModel.results(request)]);
    });
    BaseTool nothing = new BaseTool("nothing", "does nothing") {
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
        latency.toolCalled();
        model.requests.clear();
        return Single.just(Map.of("result", "ok"));
      }
    };
    InMemoryRunner runner = new InMemoryRunner(
        LlmAgent.builder().name("assistant").model(model).tools(nothing).build(),
        "app",
        List.of(plugins));
    return () -> {
      String id =
          runner.sessionService().createSession("app", "alice").blockingGet().id();
      runner.runAsync("alice", id, Runs.user("Fix the login")).blockingSubscribe();
    };
  }
}

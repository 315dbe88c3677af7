package dev.agentreplay.junit;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** An agent that reads a file, asks a model about it, and comments on it. */
final class ReviewAgent {

  static final String MODEL = "gpt-5";

  private ReviewAgent() {}

  /** The agent. */
  static void review(AgentScope scope, String path) throws Exception {
    JsonValue file = scope.call("read_file", JsonObject.of("path", path));
    ModelResult answer = scope.ask(MODEL, "Review this: " + file.asString());
    scope.call("comment", JsonObject.of("text", answer.answer().value()));
  }

  static void review(AgentScope scope) throws Exception {
    review(scope, "a.txt");
  }

  /** Records a session of the agent. */
  static Path record(Path directory) throws IOException {
    try (SessionRecorder recorder =
        SessionRecorder.start(directory, directory.getFileName().toString())) {
      recorder.call("read_file", JsonObject.of("path", "a.txt")).result("fn login() {}");
      recorder.modelCall(MODEL, "Review this: fn login() {}").answer("it is empty");
      recorder.call("comment", JsonObject.of("text", "it is empty")).result("comment 1");
      recorder.end(Status.SUCCESS);
    }
    return directory;
  }

  /** The tools and the model, which count the calls. */
  static Executors executors(AtomicInteger calls, String answer) {
    return Executors.none()
        .withTool("read_file", ToolExecutor.of(params -> {
          calls.incrementAndGet();
          return "fn login() {}";
        }))
        .withTool("comment", ToolExecutor.of(params -> {
          calls.incrementAndGet();
          return "comment 1";
        }))
        .withModel((call, pieces) -> {
          calls.incrementAndGet();
          return ModelResult.of(call.id(), answer);
        });
  }

  /**
   * Replaces the environment of the process: the variable {@code CI} has the value of the
   * configuration parameter {@value #CI}, and is not set if there is none.
   */
  static final class Environment implements BeforeAllCallback {

    static final String CI = "test.ci";

    @Override
    public void beforeAll(ExtensionContext context) {
      Map<String, String> variables = context
          .getConfigurationParameter(CI)
          .map(value -> Map.of("CI", value))
          .orElse(Map.of());
      context
          .getRoot()
          .getStore(ReplayExtension.NAMESPACE)
          .put(ReplayExtension.Environment.class, new ReplayExtension.Environment(variables));
    }
  }
}

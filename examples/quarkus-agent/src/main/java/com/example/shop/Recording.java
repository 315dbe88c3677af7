package com.example.shop;

import dev.agentreplay.langchain4j.AiServiceCalls;
import dev.agentreplay.langchain4j.AiServiceRecorder;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.observability.api.event.AiServiceEvent;
import dev.langchain4j.service.tool.ToolExecutionResult;
import io.quarkiverse.langchain4j.runtime.tool.QuarkusToolExecutor;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.util.function.BiFunction;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Records each invocation of an AI service as a session of its own. */
@Singleton
public class Recording implements QuarkusToolExecutor.Wrapper {

  private final AiServiceRecorder recorder;
  private final AiServiceCalls calls;

  Recording(@ConfigProperty(name = "replay.record.dir", defaultValue = "recordings") Path sessions) {
    recorder = AiServiceRecorder.into(sessions);
    calls = AiServiceCalls.to(recorder);
  }

  /** The calls of all services, to wrap models with and to replay. */
  @Produces
  @Singleton
  AiServiceCalls calls() {
    return calls;
  }

  /** Records the beginning, the answers and the end of an invocation. */
  void on(@Observes AiServiceEvent event) {
    calls.on(event);
  }

  /** Records the call of a tool, or answers it in a replay. */
  @Override
  public ToolExecutionResult wrap(
      ToolExecutionRequest request,
      InvocationContext context,
      BiFunction<ToolExecutionRequest, InvocationContext, ToolExecutionResult> tool,
      QuarkusToolExecutor executor) {
    return calls.call(request, context, tool);
  }

  @PreDestroy
  void close() {
    recorder.close();
  }
}

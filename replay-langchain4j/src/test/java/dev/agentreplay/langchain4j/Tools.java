package dev.agentreplay.langchain4j;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import java.util.Map;
import java.util.function.Function;

/** Tools that tests let their agents have. */
final class Tools {

  private Tools() {}

  /** Tools as an agent has them. */
  static final class Files {
    @Tool
    String read(String path) {
      return "content of " + path;
    }

    @Tool
    String broken(String path) {
      throw new IllegalStateException("cannot read " + path);
    }
  }

  /** A tool of the name "tool". */
  static Map<ToolSpecification, ToolExecutor> tool(
      Function<ToolExecutionRequest, ToolExecutionResult> body) {
    return Map.of(ToolSpecification.builder().name("tool").build(), executor(body));
  }

  private static ToolExecutor executor(Function<ToolExecutionRequest, ToolExecutionResult> body) {
    return new ToolExecutor() {
      @Override
      public String execute(ToolExecutionRequest request, Object memoryId) {
        return body.apply(request).resultText();
      }

      @Override
      public ToolExecutionResult executeWithContext(
          ToolExecutionRequest request, InvocationContext context) {
        return body.apply(request);
      }
    };
  }

  static ToolExecutionResult text(String text) {
    return ToolExecutionResult.builder().resultText(text).build();
  }
}

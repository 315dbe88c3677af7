package dev.agentreplay.springai;

import dev.agentreplay.springai.CurrentInvocation.Work;
import java.util.List;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.ToolExecutionResult;
import org.springframework.ai.model.tool.internal.ToolCallReactiveContextHolder;
import org.springframework.ai.tool.definition.ToolDefinition;

/** A manager of tool calls that are recorded or replayed. */
final class WrappedToolCallingManager implements ToolCallingManager {

  private final SpringAiCalls calls;
  private final ToolCallingManager manager;

  WrappedToolCallingManager(SpringAiCalls calls, ToolCallingManager manager) {
    this.calls = calls;
    this.manager = manager;
  }

  /** Whether some calls wrapped the manager. */
  @SuppressWarnings("ReferenceEquality") // wrappers are compared by identity
  boolean isOf(SpringAiCalls wrappers) {
    return calls == wrappers;
  }

  @Override
  public List<ToolDefinition> resolveToolDefinitions(ToolCallingChatOptions options) {
    return manager.resolveToolDefinitions(options);
  }

  @Override
  public ToolExecutionResult executeToolCalls(Prompt prompt, ChatResponse response) {
    CurrentInvocation ofThread = CurrentInvocation.ofThread();
    // the tools of a stream run in any thread, which has its context here
    CurrentInvocation innermost = ofThread == null
        ? CurrentInvocation.of(ToolCallReactiveContextHolder.getContext())
        : ofThread;
    CurrentInvocation current = CurrentInvocation.by(calls, innermost);
    if (current != null && current.work() != Work.TOOL) {
      return CurrentInvocation.call(
          current.at(Work.TOOL, innermost),
          () -> current.invocation().executeToolCalls(manager, prompt, response));
    }
    CurrentInvocation own = calls.beginOutside(prompt, innermost);
    if (own == null) {
      return manager.executeToolCalls(prompt, response);
    }
    ToolExecutionResult result;
    try {
      result = CurrentInvocation.call(own.at(Work.TOOL, innermost), () -> own.invocation()
          .executeToolCalls(manager, prompt, response));
    } catch (Throwable e) {
      own.invocation().failed(e);
      throw e;
    }
    own.invocation().completed(() -> null);
    return result;
  }

  @Override
  public String toString() {
    return manager.toString();
  }
}

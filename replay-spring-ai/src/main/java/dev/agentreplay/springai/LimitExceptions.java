package dev.agentreplay.springai;

import org.springframework.ai.model.tool.ToolCallLimitExceededException;
import org.springframework.ai.model.tool.ToolExecutionResult;

/**
 * The exceptions of calls that exceed a limit. Spring AI 1.1 does not have their class, so that
 * only this class, which is not loaded there, may refer to it.
 */
final class LimitExceptions {

  private LimitExceptions() {}

  /** The limit. */
  static int limit(Throwable error) {
    return ((ToolCallLimitExceededException) error).getLimit();
  }

  /** The responses up to the one that tells the model of the limit. */
  static ToolExecutionResult partialResult(Throwable error) {
    return ((ToolCallLimitExceededException) error).getPartialToolExecutionResult();
  }

  /** Creates an exception. */
  static RuntimeException of(String tool, int limit, ToolExecutionResult partialResult) {
    return new ToolCallLimitExceededException(tool, limit, partialResult);
  }
}

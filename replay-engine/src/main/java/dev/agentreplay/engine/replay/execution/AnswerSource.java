package dev.agentreplay.engine.replay.execution;

import dev.agentreplay.model.ReplayEvent;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests of a fork that its recording does not answer, before they are executed: from
 * other recordings, such as those of earlier forks.
 */
@FunctionalInterface
public interface AnswerSource {

  /**
   * Returns the answer to a request. Requests of several threads are asked one at a time.
   *
   * @param call a {@link dev.agentreplay.model.ToolCall} or
   *     {@link dev.agentreplay.model.ModelCall}, with its parameters or prompt in full
   * @param agent the id of the agent that makes it: its lane; null for the main agent
   * @return the {@link dev.agentreplay.model.ToolResult} or
   *     {@link dev.agentreplay.model.ModelResult}, whose content has its value; null if there is
   *     none
   * @throws IOException if a recording cannot be read; the replay ends
   */
  @Nullable
  ReplayEvent answer(ReplayEvent call, @Nullable String agent) throws IOException;
}

package dev.agentreplay.engine.replay.agent;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.execution.ModelExecutor;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.io.agent.AgentNames;
import dev.agentreplay.io.agent.RunningCall;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The session of a replay, or the lane of an agent in it. Safe for use by several threads. */
public final class ReplayedLane implements RunningCall.Place {

  private final AgentScope session;
  private final AgentScope scope;
  private final @Nullable String agent;
  private final AtomicBoolean hasEnded;

  private ReplayedLane(
      AgentScope session, AgentScope scope, @Nullable String agent, AtomicBoolean hasEnded) {
    this.session = session;
    this.scope = scope;
    this.agent = agent;
    this.hasEnded = hasEnded;
  }

  /** The session of a scope. */
  public static ReplayedLane of(AgentScope session) {
    Objects.requireNonNull(session, "session");
    return new ReplayedLane(session, session, null, new AtomicBoolean());
  }

  /** The scope of the session, the same object for each of its lanes. */
  @Override
  public AgentScope session() {
    return session;
  }

  /** The scope of the lane; that of the session if it is not a lane. */
  public AgentScope scope() {
    return scope;
  }

  @Override
  public @Nullable String agent() {
    return agent;
  }

  /**
   * Returns the lane of an agent if the current thread runs a tool call of this session, which has
   * started the agent; otherwise this session.
   *
   * @param interfaceName the name of the agent's interface
   */
  public ReplayedLane forInvocation(String interfaceName) {
    RunningCall parent = RunningCall.in(session);
    if (parent == null) {
      return this;
    }
    String id = AgentNames.take(session, parent.place().agent(), interfaceName, parent.number());
    try {
      return new ReplayedLane(session, session.agent(id, parent.id()), id, hasEnded);
    } catch (RuntimeException | Error e) {
      AgentNames.release(session, id);
      throw e;
    }
  }

  /** Releases the id of the agent, which has ended. */
  public void release() {
    if (agent != null) {
      AgentNames.release(session, agent);
    }
  }

  /**
   * Issues the call of a tool.
   *
   * @param number the number of the call among those of its tool in one answer of the model, from 1
   * @throws Exception as {@link AgentScope#execute(ToolCall, ToolExecutor)} does
   */
  public ToolResult execute(ToolCall call, int number, ToolExecutor executor) throws Exception {
    ToolExecutor running = issued -> {
      RunningCall begun = RunningCall.begin(this, issued.id(), number);
      try {
        return executor.execute(issued);
      } finally {
        begun.end();
      }
    };
    try {
      return scope.execute(call, running);
    } catch (IllegalStateException e) {
      throw explained(e);
    }
  }

  /**
   * Issues the call of a model.
   *
   * @param pieces receives the pieces of an answer that is, or was, streamed
   * @param executor the model; null if there is none
   * @throws Exception as {@link AgentScope#execute(ModelCall, Consumer, ModelExecutor)} does
   */
  public ModelResult execute(
      ModelCall call, Consumer<String> pieces, @Nullable ModelExecutor executor) throws Exception {
    try {
      return executor == null ? scope.execute(call, pieces) : scope.execute(call, pieces, executor);
    } catch (IllegalStateException e) {
      throw explained(e);
    }
  }

  /** States the end of the session. */
  public void end(SessionEnd end) {
    hasEnded.set(true);
    session.end(end);
  }

  /** The exception of a call in a session that may have ended with an invocation before it. */
  private IllegalStateException explained(IllegalStateException refused) {
    return hasEnded.get()
        ? new IllegalStateException(
            refused.getMessage()
                + ": the first invocation has ended it; several invocations in one session are"
                + " recorded and replayed by ofShared(scope) of their replayer, or in Spring Boot by"
                + " a test with @ReplayTest, not by the properties replay.mode and replay.session",
            refused)
        : refused;
  }
}

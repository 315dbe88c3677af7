package dev.agentreplay.springai;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.agent.ReplayedLane;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Replays the calls of Spring AI's chat clients in a scope of the engine: a replay matches each
 * model call and each tool call with the recording, and serves, executes, compares or refuses it as
 * its policy says. Create a replayer with {@link #of} and pass it to {@link SpringAiCalls}.
 *
 * <ul>
 *   <li>A restored response has the generations, tool calls, media, finish reasons, usage, id,
 *       model and metadata of the recorded one, as far as JSON carries them: numbers are
 *       {@code Integer}, {@code Long} or {@code Double}; values of other classes are left out.
 *   <li>A streamed answer is replayed as one response for each piece of its text, and one with all
 *       else; a recorded failure follows its pieces. The replay is complete before the first
 *       response is emitted, also of a stream that is executed.
 *   <li>The replay calls the tools of an answer one after the other, each with the manager of tools
 *       if it is executed: with its limits and error handling. The conversation history is the
 *       prompt, the answer and the responses, as Spring AI's own manager has it.
 *   <li>A client that was answered without a call of a wrapped model, because its model is not
 *       wrapped, gets an {@link IllegalStateException} in place of the answer.
 *   <li>A stream that was cancelled ends with an exception after its pieces, unless it is cancelled
 *       again.
 *   <li>Recorded exceptions of the JDK, {@code ToolExecutionException}, and those of Spring AI's
 *       module for retries if it is there, are restored with their class, others as a
 *       {@link dev.agentreplay.engine.replay.failure.RecordedFailureException}. A request that the
 *       recording does not have ends the call of the chat client with
 *       {@link dev.agentreplay.engine.replay.ReplayMissException}; error handling of tools does not
 *       get it.
 *   <li>Tools and models that are executed run on a thread of the replay.
 *   <li>A tool that calls a recorded client, so that this has a lane of its own, must be executed
 *       for its lane to be replayed: {@code ReplayPolicy.of(ReplayMode.MOCK).withTool("ask",
 *       ReplayAction.EXECUTE)}.
 *   <li>Advisors, memories and retrievers are those of the chat client, and run.
 * </ul>
 *
 * <p>With the scope of {@link AgentScope#recording}, everything is executed and recorded in the
 * same form as by {@link SpringAiRecorder}. Safe for use by several threads.
 */
public final class SpringAiReplayer implements CallDestination {

  private final ReplayedLane session;
  private final boolean isShared;
  private final AtomicInteger openClients = new AtomicInteger();
  private final AtomicBoolean hasEnded = new AtomicBoolean();

  private SpringAiReplayer(AgentScope scope, boolean isShared) {
    this.session = ReplayedLane.of(Objects.requireNonNull(scope, "scope"));
    this.isShared = isShared;
  }

  /**
   * Creates a replayer of a session that was recorded for one call of a chat client, as by
   * {@link SpringAiRecorder#into(java.nio.file.Path)}. The end of the call is that of the session:
   * {@link AgentScope#end} is called.
   */
  public static SpringAiReplayer of(AgentScope scope) {
    return new SpringAiReplayer(scope, false);
  }

  /**
   * Creates a replayer of a session that all calls share, as by
   * {@link SpringAiRecorder#into(dev.agentreplay.io.recording.SessionRecorder)}. The caller states
   * its end.
   */
  public static SpringAiReplayer ofShared(AgentScope scope) {
    return new SpringAiReplayer(scope, true);
  }

  /**
   * Whether the one call of {@link #of} has ended, and with it the session: the recording has
   * nothing for a later call. Never true for {@link #ofShared}.
   */
  public boolean hasEnded() {
    return hasEnded.get();
  }

  /**
   * Begins the replay of an invocation.
   *
   * @param isOfClient whether it is that of a client; the session of a client does not end with a
   *     call outside of it
   */
  Invocation begin(String client, boolean isOfClient) {
    ReplayedLane lane = session.forInvocation(client);
    if (isOfClient) {
      openClients.incrementAndGet();
    }
    boolean endsSession =
        !isShared && lane.agent() == null && (isOfClient || openClients.get() == 0);
    return new ReplayedInvocation(lane, endsSession, () -> {
      if (isOfClient) {
        openClients.decrementAndGet();
      }
      if (endsSession) {
        hasEnded.set(true);
      }
    });
  }
}

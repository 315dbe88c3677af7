package dev.agentreplay.engine.subject;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayAgent;
import java.util.Objects;

/**
 * An agent that is a program: it requests models, tools and values by messages on its standard
 * output, one JSON object a line, and gets the answers on its standard input. docs/protocol.md
 * specifies the messages, with an example in Python.
 *
 * <pre>{@code
 * ReplayReport report = Replay.of(session)
 *     .mode(ReplayMode.MOCK)
 *     .run(SubjectProcess.of(ProcessCommand.of(List.of("python3", "agent.py"))));
 * }</pre>
 *
 * <p>{@link #run} starts the program, and returns when it has exited with 0. It throws
 *
 * <ul>
 *   <li>a {@link dev.agentreplay.engine.replay.execution.NotExecutedException} if the program
 *       cannot be started, or was stopped at a limit of its starter: the replay is incomplete;
 *   <li>a {@link SubjectException} if it does not keep to the protocol, or its exit code is not 0;
 *   <li>the exception of the scope if the program failed after a request that was missed, refused,
 *       stopped, or could not be executed;
 *   <li>an {@link java.io.IOException} if the replay cannot be written.
 * </ul>
 *
 * <p>A replay reports each of them as the failure of its agent. A caller that does not replay
 * without the program checks it before ({@link ProcessCommand#requireExecutable}).
 *
 * <p>In each case, and if the thread is interrupted, the program is killed with the processes that
 * it started. A process that it has detached, or that is running after the program itself has
 * exited, is not found.
 *
 * <p>Immutable: each run starts a program of its own.
 */
public final class SubjectProcess implements ReplayAgent {

  private final ProcessCommand command;
  private final SubjectLimits limits;

  private SubjectProcess(ProcessCommand command, SubjectLimits limits) {
    this.command = command;
    this.limits = limits;
  }

  /** Creates an agent that is a program, with the default limits. */
  public static SubjectProcess of(ProcessCommand command) {
    return new SubjectProcess(Objects.requireNonNull(command, "command"), SubjectLimits.defaults());
  }

  /** Returns this agent with different limits. */
  public SubjectProcess withLimits(SubjectLimits newLimits) {
    return new SubjectProcess(command, Objects.requireNonNull(newLimits, "limits"));
  }

  @Override
  public void run(AgentScope scope) throws Exception {
    Objects.requireNonNull(scope, "scope");
    try (ChildProcess child = ChildProcess.start(command);
        SubjectSession session = new SubjectSession(command.name(), child, scope, limits)) {
      session.serve();
    }
  }
}

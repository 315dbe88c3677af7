package dev.agentreplay.records.agents;

import dev.agentreplay.engine.subject.LineProcess;
import dev.agentreplay.engine.subject.ProcessCommand;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.records.agents.AgentsProtocol.WrongAnswerException;
import java.io.Closeable;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The agents of a session as one program, which runs from the first round to the last. It gets a
 * line of JSON for the session and for each round on its standard input, and answers each with one
 * line on its standard output. docs/protocol.md specifies the messages, with an example in Python.
 *
 * <pre>{@code
 * ProcessCommand command = ProcessCommand.of(List.of("python3", "agents.py"));
 * try (ProcessAgents agents = ProcessAgents.of(command)) {
 *   SessionReplayResult result = SessionReplay.of(record).texts(texts).agents(agents).run();
 * }
 * }</pre>
 *
 * <p>A program that answers with anything else, twice, or not at all, or whose exit code is not 0,
 * is killed: {@link #round} and {@link #end} throw a
 * {@link dev.agentreplay.engine.subject.SubjectException} with the number of the line, the expected
 * and the found content, and the end of its standard error. If it cannot be started, or was stopped
 * at a limit of its starter, that is a
 * {@link dev.agentreplay.engine.replay.execution.NotExecutedException}. In each case, and if the
 * thread is interrupted, it is killed with the processes that it started.
 *
 * <p>It can be used for one replay after the other; each starts the program again. For use by one
 * thread at a time, except for {@link #close}, which kills a program that is running.
 */
public final class ProcessAgents implements AgentRunner, Closeable {

  /** The maximum length of a line from the program, in bytes, by default. */
  static final int MAX_LINE_BYTES = 64 << 20;

  private final ProcessCommand command;
  private final int maxLineBytes;

  /** The running program; guarded by this, as is the other field. */
  private @Nullable LineProcess running;

  private boolean isClosed;

  private ProcessAgents(ProcessCommand command, int maxLineBytes) {
    this.command = command;
    this.maxLineBytes = maxLineBytes;
  }

  /** Creates agents that are a program, whose lines have at most 64 MiB. */
  public static ProcessAgents of(ProcessCommand command) {
    return new ProcessAgents(Objects.requireNonNull(command, "command"), MAX_LINE_BYTES);
  }

  /**
   * Returns agents that are the same program, with a different maximum length of a line.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public ProcessAgents withMaxLineBytes(int bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("the maximum length of a line must be positive: " + bytes);
    }
    return new ProcessAgents(command, bytes);
  }

  /**
   * Runs a round; the first one starts the program.
   *
   * @throws IllegalStateException if the agents were closed
   */
  @Override
  public RoundMessages round(RoundContext context) throws IOException, InterruptedException {
    boolean hasEnded = false;
    try {
      LineProcess program = current();
      if (program == null) {
        program = start();
        LineProcess.Line line = program.ask(AgentsProtocol.session(context));
        checked(program, line, json -> {
          AgentsProtocol.requireReady(json);
          return json;
        });
      }
      LineProcess.Line line = program.ask(AgentsProtocol.round(context));
      RoundMessages messages =
          checked(program, line, json -> AgentsProtocol.answer(json, context.roundNumber()));
      hasEnded = true;
      return messages;
    } finally {
      if (!hasEnded) {
        kill();
      }
    }
  }

  /** Reads an answer. */
  @FunctionalInterface
  private interface Reading<T> {
    T read(JsonObject answer) throws WrongAnswerException;
  }

  private static <T> T checked(LineProcess program, LineProcess.Line line, Reading<T> reading)
      throws IOException, InterruptedException {
    try {
      return reading.read(line.json());
    } catch (WrongAnswerException e) {
      throw program.wrong(line, String.valueOf(e.getMessage()));
    }
  }

  private synchronized @Nullable LineProcess current() {
    if (isClosed) {
      throw new IllegalStateException("the agents were closed");
    }
    return running;
  }

  private synchronized LineProcess start() throws IOException {
    current(); // fails if they were closed
    LineProcess started = LineProcess.start(command, maxLineBytes);
    running = started;
    return started;
  }

  /** Ends the program, which exits with 0. Does nothing if it was not started. */
  @Override
  public void end() throws IOException, InterruptedException {
    LineProcess program = current();
    try {
      if (program != null) {
        program.end(AgentsProtocol.end());
      }
    } finally {
      kill();
    }
  }

  private synchronized void kill() {
    LineProcess program = running;
    running = null;
    if (program != null) {
      program.close();
    }
  }

  /** Kills the program if it is running, with the processes that it started. */
  @Override
  public void close() {
    synchronized (this) {
      isClosed = true;
    }
    kill();
  }
}

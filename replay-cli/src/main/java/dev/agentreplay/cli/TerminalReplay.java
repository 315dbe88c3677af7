package dev.agentreplay.cli;

import dev.agentreplay.cli.text.Interruption;
import dev.agentreplay.cli.text.RunProgress;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayControl;
import dev.agentreplay.engine.replay.ReplayRefusedException;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.subject.SubjectProcess;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A replay on a terminal: its progress, its keys, its interruption, and its question. */
final class TerminalReplay implements AutoCloseable {

  private final Terminal terminal;
  private final RunProgress progress;
  private final RunKeys keys;
  private final @Nullable Interruption interruption;
  private final ReplayControl control = new ReplayControl();

  /** Creates a replay in a mode. */
  TerminalReplay(Terminal terminal, ReplayMode mode, boolean isQuiet) {
    this.terminal = terminal;
    this.progress = new RunProgress(terminal, isQuiet || mode == ReplayMode.VALIDATION);
    this.keys = new RunKeys(terminal, control, progress::say);
    // a validation has no report on a part of it
    this.interruption =
        mode == ReplayMode.VALIDATION ? null : new Interruption(terminal, control::abort);
  }

  /**
   * Runs a replay; on a terminal, a recording of an unsupported version also on request.
   *
   * @throws ReplayRefusedException if the recording cannot be replayed
   */
  ReplayReport run(Replay replay, @Nullable SubjectProcess agent) throws IOException {
    replay.control(control).listener(keys).listener(progress);
    try {
      return start(replay, agent);
    } catch (ReplayRefusedException e) {
      if (e.reason() != ReplayRefusedException.Reason.VERSION || !isConfirmed(e)) {
        throw e;
      }
      return start(replay.force(true), agent);
    } finally {
      keys.close();
      progress.end();
    }
  }

  private static ReplayReport start(Replay replay, @Nullable SubjectProcess agent)
      throws IOException {
    try {
      return agent == null ? replay.run() : replay.run(agent);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private boolean isConfirmed(ReplayRefusedException reason) throws IOException {
    if (!terminal.interactive()) {
      return false;
    }
    terminal.err().print(Terminal.line(reason.getMessage() + "; replay it all the same? [y/N] "));
    terminal.err().flush();
    StringBuilder answer = new StringBuilder();
    for (int c = terminal.in().read(); c >= 0 && c != '\n'; c = terminal.in().read()) {
      answer.append((char) c);
    }
    String text = answer.toString().strip();
    return text.equalsIgnoreCase("y") || text.equalsIgnoreCase("yes");
  }

  /** Waits until a replay that was interrupted has ended, and this is closed. */
  void awaitEnd() {
    if (interruption != null) {
      interruption.awaitEnd();
    }
  }

  /** Whether the user has interrupted or aborted the replay. */
  boolean isInterrupted() {
    return keys.isAborted() || (interruption != null && interruption.isInterrupted());
  }

  @Override
  public void close() {
    keys.close();
    if (interruption != null) {
      interruption.close();
    }
  }
}

package dev.agentreplay.cli.fork;

import dev.agentreplay.cli.input.Programs;
import dev.agentreplay.cli.input.SandboxInput;
import dev.agentreplay.cli.text.RunLog;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.subject.SubjectProcess;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.sandbox.replay.ReplaySandbox;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The programs of trials: each trial has a sandbox and a copy of the workspace of its own, so that
 * none finds what another has left.
 */
public final class TrialPrograms implements Closeable {

  private final Programs programs;
  private final Session session;
  private final Terminal terminal;
  private @Nullable ReplaySandbox sandbox;

  /** Creates the programs of trials of a session. */
  public TrialPrograms(Programs programs, Session session, Terminal terminal) {
    this.programs = programs;
    this.session = session;
    this.terminal = terminal;
  }

  /** Opens the sandbox of the next trial, and adds its tools and model. */
  public Replay configure(Replay replay) {
    try {
      close();
      sandbox = programs.open(session, ReplayMode.MOCK);
      programs.addTo(replay, sandbox, terminal);
      return replay.logger(RunLog.none(terminal));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs the agent in the sandbox of the trial. */
  public void run(AgentScope scope) throws Exception {
    SubjectProcess agent = Objects.requireNonNull(programs.agent(sandbox, terminal));
    agent.run(scope);
  }

  @Override
  public void close() throws IOException {
    ReplaySandbox opened = sandbox;
    sandbox = null;
    if (opened != null) {
      SandboxInput.tellKept(opened, "trial", terminal);
      opened.close();
    }
  }
}

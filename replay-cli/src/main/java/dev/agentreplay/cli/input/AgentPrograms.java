package dev.agentreplay.cli.input;

import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.engine.diff.rule.SemanticComparator;
import dev.agentreplay.engine.subject.ProcessJudge;
import dev.agentreplay.records.agents.ProcessAgents;
import dev.agentreplay.sandbox.replay.ReplaySandbox;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The programs that the replay of a session record starts: the agents and the judge. */
public final class AgentPrograms {

  private static final String VARIABLE = "REPLAY_AGENTS";

  @Option(
      names = "--agents",
      paramLabel = "CMD",
      description = "Agents to run: a program that keeps to docs/protocol.md (default:"
          + " $REPLAY_AGENTS). Quoted like in a shell, and started without one.")
  private @Nullable String agents;

  @Option(
      names = "--judge",
      paramLabel = "CMD",
      description = "Judge of texts that differ: a program that gets two texts as JSON, and prints"
          + " whether they have the same meaning.")
  private @Nullable String judge;

  @Option(
      names = "--unsafe-judge",
      description = "Start the judge outside of the sandbox, because it needs the network.")
  private boolean unsafeJudge;

  @Mixin
  private ProgramCommands commands = new ProgramCommands();

  @Mixin
  private SandboxInput sandbox = new SandboxInput();

  /** Whether agents are stated on the command line. */
  public boolean areAgentsGiven() {
    return agents != null;
  }

  /** Whether there are agents to run. */
  public boolean hasAgents() {
    return command() != null;
  }

  /** Whether a judge is given. */
  public boolean hasJudge() {
    return judge != null;
  }

  private @Nullable String command() {
    String variable = System.getenv(VARIABLE);
    return agents != null || variable == null || variable.isBlank() ? agents : variable;
  }

  /** Fails if options do not go together. */
  public void check() {
    sandbox.check(hasAgents() || hasJudge(), "--agents or --judge");
    if (unsafeJudge && judge == null) {
      throw new UsageException("--unsafe-judge requires --judge");
    }
    if (!hasAgents() && !hasJudge() && commands.hasEnvironment()) {
      throw new UsageException("--env requires --agents or --judge");
    }
  }

  /** The existing files that the command lines name. */
  public List<Path> files() {
    List<String> words = new ArrayList<>();
    String command = command();
    if (command != null) {
      words.addAll(ProgramCommands.words(command));
    }
    if (judge != null) {
      words.addAll(ProgramCommands.words(judge));
    }
    return ProgramCommands.files(words);
  }

  /**
   * Opens the sandbox of the programs; null if none is started.
   *
   * @param runsAgents whether agents are started
   * @throws IOException if there is no sandbox
   */
  public @Nullable ReplaySandbox open(boolean runsAgents) throws IOException {
    return runsAgents || hasJudge() ? sandbox.open() : null;
  }

  /**
   * The agents; null if none are to run.
   *
   * @throws IOException if they cannot be started
   */
  public @Nullable ProcessAgents agents(@Nullable ReplaySandbox opened, Terminal terminal)
      throws IOException {
    String command = command();
    return command == null || opened == null
        ? null
        : ProcessAgents.of(commands.command("--agents", command, "agents", opened, terminal));
  }

  /**
   * The judge; null if there is none.
   *
   * @throws IOException if it cannot be started
   */
  public @Nullable SemanticComparator judge(@Nullable ReplaySandbox opened, Terminal terminal)
      throws IOException {
    return judge == null
        ? null
        : ProcessJudge.of(
            commands.command("--judge", judge, "judge", unsafeJudge ? null : opened, terminal));
  }
}

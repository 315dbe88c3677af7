package dev.agentreplay.cli.input;

import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayMode;
import dev.agentreplay.engine.subject.ProcessCommand;
import dev.agentreplay.engine.subject.ProcessModel;
import dev.agentreplay.engine.subject.ProcessTools;
import dev.agentreplay.engine.subject.SubjectProcess;
import dev.agentreplay.io.workspace.Circumstances;
import dev.agentreplay.model.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The programs that a replay starts: the agent, the tools and the model. */
public final class Programs {

  private static final String UNSAFE = "--unsafe-no-sandbox";

  @Option(
      names = "--subject",
      paramLabel = "CMD",
      description = "Agent to run: a program that keeps to docs/protocol.md. Quoted like in a"
          + " shell, and started without one.")
  private @Nullable String subject;

  @Option(
      names = "--tools",
      paramLabel = "FILE",
      description = "JSON file with the tools to execute: a program and an effect each.")
  private @Nullable Path tools;

  @Option(
      names = "--model",
      paramLabel = "CMD",
      description = "Model to call: a program that gets a call as JSON, and prints the answer.")
  private @Nullable String model;

  @Option(
      names = "--env",
      split = ",",
      paramLabel = "NAME",
      description = "Environment variable that programs get, in addition to PATH, LANG, LC_ALL, TZ"
          + " and TMPDIR. Comma-separated, repeatable.")
  private Set<String> environment = new LinkedHashSet<>();

  @Option(
      names = "--workspace",
      paramLabel = "DIR",
      description =
          "Directory in which programs run (default: the current one). It is compared with"
              + " the recorded working directory.")
  private @Nullable Path workspace;

  @Option(
      names = UNSAFE,
      description = "Start programs with the permissions of the command: nothing isolates them.")
  private boolean unsafe;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  /** Fails if a program is given that the mode does not use, or is missing, or is not allowed. */
  public void check(ReplayMode mode) {
    if (subject != null && !mode.takesAgent()) {
      throw wrong("--subject: a replay in the mode %s has no agent".formatted(mode.id()));
    }
    if (subject == null && mode.needsAgent()) {
      throw wrong("--mode %s requires --subject CMD, the agent to run".formatted(mode.id()));
    }
    boolean runsTools =
        mode == ReplayMode.TOOLS_LIVE || mode == ReplayMode.FULL || mode == ReplayMode.NODE;
    if (tools != null && !runsTools) {
      throw wrong("--tools: a replay in the mode %s executes no tools".formatted(mode.id()));
    }
    boolean callsModel =
        mode == ReplayMode.MODEL_LIVE || mode == ReplayMode.FULL || mode == ReplayMode.NODE;
    if (model != null && !callsModel) {
      throw wrong("--model: a replay in the mode %s calls no model".formatted(mode.id()));
    }
    boolean isAlone = mode == ReplayMode.FULL || mode == ReplayMode.NODE;
    if (isAlone && subject == null && tools == null && model == null) {
      throw wrong("--mode %s requires --tools or --model%s"
          .formatted(mode.id(), mode.takesAgent() ? ", or --subject" : ""));
    }
    String first = subject != null
        ? "--subject"
        : tools != null ? "--tools" : model != null ? "--model" : null;
    if (first != null && !unsafe) {
      throw wrong("%s starts a program, and there is no sandbox yet that isolates it: it could"
              .formatted(first)
          + " change your files and use the network. %s starts it all the same".formatted(UNSAFE));
    }
    if (first == null && unsafe) {
      throw wrong(UNSAFE + " requires --subject, --tools or --model");
    }
    if (first == null && workspace != null) {
      throw wrong("--workspace requires --subject, --tools or --model");
    }
    if (workspace != null && !Files.isDirectory(workspace)) {
      throw wrong("--workspace: expected a directory, found " + workspace);
    }
    if (first == null && !environment.isEmpty()) {
      throw wrong("--env requires --subject, --tools or --model");
    }
  }

  /**
   * The agent; null if there is none.
   *
   * @throws IOException if it cannot be started
   */
  public @Nullable SubjectProcess agent(Terminal terminal) throws IOException {
    return subject == null
        ? null
        : SubjectProcess.of(command("--subject", subject, "subject", terminal));
  }

  /** Adds tools, their schemas and the model to a replay, whose mode was set before. */
  public void addTo(Replay replay, Terminal terminal) throws IOException {
    replay.recordedSchemas(Schemas.compiler());
    if (workspace != null) {
      String directory = workspace.toAbsolutePath().normalize().toString();
      replay.circumstances(
          Circumstances.defaults().with(Settings.WORKING_DIRECTORY, directory, Settings.RUNTIME));
    }
    if (tools != null) {
      try {
        ProcessTools.parse(
                JsonFile.read(tools, "a description of tools"),
                command -> with(command, command.words().get(0), terminal),
                Schemas.compiler())
            .addTo(replay);
      } catch (IllegalArgumentException e) {
        throw wrong(
            "--tools: %s: %s".formatted(tools, Style.plain(String.valueOf(e.getMessage()))));
      }
    }
    if (model != null) {
      replay.model(ProcessModel.of(command("--model", model, "model", terminal)));
    }
  }

  private ProcessCommand command(String option, String text, String name, Terminal terminal)
      throws IOException {
    try {
      ProcessCommand command = with(ProcessCommand.of(CommandWords.split(text)), name, terminal);
      command.requireExecutable();
      return command;
    } catch (IOException e) {
      throw new IOException(option + ": " + e.getMessage(), e);
    } catch (IllegalArgumentException e) {
      throw wrong(option + ": " + Style.plain(String.valueOf(e.getMessage())));
    }
  }

  private ProcessCommand with(ProcessCommand command, String name, Terminal terminal) {
    String before = Style.plain(name) + ": ";
    return command.withDirectory(workspace).withEnvironment(environment).withErrors(line -> terminal
        .err()
        .println(before + Style.plain(line)));
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}

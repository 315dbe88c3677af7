package dev.agentreplay.cli.input;

import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.subject.ProcessModel;
import dev.agentreplay.engine.subject.ProcessTools;
import dev.agentreplay.engine.subject.SubjectProcess;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.sandbox.replay.ReplaySandbox;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The programs that a replay starts: the agent, the tools and the model. */
public final class Programs {

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
      names = "--unsafe-model",
      description = "Start the model outside of the sandbox, because it needs the network.")
  private boolean unsafeModel;

  @Mixin
  private ProgramCommands commands = new ProgramCommands();

  @Mixin
  private SandboxInput sandbox = new SandboxInput();

  private Map<String, String> changedTools = Map.of();

  /**
   * Fails if a program is given that the mode does not use, or is missing, or is not allowed.
   *
   * @param isFork whether the recording is forked, so that each mode executes what differs
   * @param changed the command lines of tools that the fork changes, by the names of the tools
   */
  public void check(ReplayMode mode, boolean isFork, Map<String, String> changed) {
    changedTools = changed;
    if (subject != null && !mode.takesAgent()) {
      throw new UsageException(
          "--subject: a replay in the mode %s has no agent; --mode mock has one"
              .formatted(mode.id()));
    }
    if (subject == null && isFork) {
      throw new UsageException("--fork-at requires --subject CMD, the agent to run");
    }
    if (subject == null && mode.needsAgent()) {
      throw new UsageException(
          "--mode %s requires --subject CMD, the agent to run".formatted(mode.id()));
    }
    boolean runsTools =
        mode == ReplayMode.TOOLS_LIVE || mode == ReplayMode.FULL || mode == ReplayMode.NODE;
    if (tools != null && !runsTools && !isFork) {
      throw new UsageException(
          "--tools: a replay in the mode %s executes no tools".formatted(mode.id()));
    }
    boolean callsModel =
        mode == ReplayMode.MODEL_LIVE || mode == ReplayMode.FULL || mode == ReplayMode.NODE;
    if (model != null && !callsModel && !isFork) {
      throw new UsageException(
          "--model: a replay in the mode %s calls no model".formatted(mode.id()));
    }
    boolean isAlone = mode == ReplayMode.FULL || mode == ReplayMode.NODE;
    if (isAlone && subject == null && tools == null && model == null) {
      throw new UsageException("--mode %s requires --tools or --model%s"
          .formatted(mode.id(), mode.takesAgent() ? ", or --subject" : ""));
    }
    sandbox.check(startsPrograms(), "--subject, --tools or --model");
    if (unsafeModel && model == null) {
      throw new UsageException("--unsafe-model requires --model");
    }
    if (!startsPrograms() && commands.hasEnvironment()) {
      throw new UsageException("--env requires --subject, --tools or --model");
    }
  }

  /** The existing files that the options and the command lines of programs name. */
  public List<Path> files() throws IOException {
    List<String> words = new ArrayList<>();
    for (String command : Arrays.asList(subject, model)) {
      if (command != null) {
        words.addAll(ProgramCommands.words(command));
      }
    }
    List<Path> files = new ArrayList<>();
    changedTools.values().forEach(command -> words.addAll(ProgramCommands.words(command)));
    if (tools != null) {
      files.add(tools);
      ToolCommands.read(tools).values().forEach(words::addAll);
    }
    files.addAll(ProgramCommands.files(words));
    return files;
  }

  private boolean startsPrograms() {
    return subject != null || tools != null || model != null;
  }

  /** Whether an agent is given. */
  public boolean hasAgent() {
    return subject != null;
  }

  /** Whether a model is given. */
  public boolean hasModel() {
    return model != null;
  }

  /**
   * Opens the workspace and the sandbox of the programs; null if none is started.
   *
   * @throws IOException if there is no sandbox, or the workspace cannot be restored
   */
  public @Nullable ReplaySandbox open(Session session, ReplayMode mode) throws IOException {
    boolean runsTools = tools != null || !changedTools.isEmpty();
    ReplayMode workspace = runsTools && mode != ReplayMode.FULL && mode != ReplayMode.NODE
        ? ReplayMode.TOOLS_LIVE
        : mode;
    return startsPrograms() ? sandbox.open(session, workspace) : null;
  }

  /**
   * The agent; null if there is none.
   *
   * @throws IOException if it cannot be started
   */
  public @Nullable SubjectProcess agent(@Nullable ReplaySandbox opened, Terminal terminal)
      throws IOException {
    return subject == null || opened == null
        ? null
        : SubjectProcess.of(commands.command("--subject", subject, "subject", opened, terminal));
  }

  /** Adds tools, their schemas and the model to a replay, whose mode was set before. */
  public void addTo(Replay replay, @Nullable ReplaySandbox opened, Terminal terminal)
      throws IOException {
    replay.recordedSchemas(Schemas.compiler());
    if (opened == null) {
      return;
    }
    opened.applyTo(replay);
    JsonObject described = describedTools();
    if (described.size() > 0) {
      try {
        ProcessTools.parse(
                JsonObject.of("tools", described),
                command -> opened.isolate(commands.with(command, command.words().get(0), terminal)),
                Schemas.compiler())
            .addTo(replay);
      } catch (IllegalArgumentException e) {
        throw new UsageException("%s: %s"
            .formatted(
                tools == null ? "--tool" : "--tools: " + tools, String.valueOf(e.getMessage())));
      }
    }
    if (model != null) {
      replay.model(ProcessModel.of(
          commands.command("--model", model, "model", unsafeModel ? null : opened, terminal)));
    }
  }

  /** The tools of {@code --tools}, with the commands of changed tools. */
  private JsonObject describedTools() throws IOException {
    JsonObject described = JsonObject.EMPTY;
    if (tools != null) {
      JsonObject file = JsonFile.read(tools, "a description of tools");
      ToolCommands.read(tools); // refuses any other form
      described = file.get("tools") instanceof JsonObject named ? named : described;
    }
    for (Map.Entry<String, String> changed : changedTools.entrySet()) {
      JsonObject tool =
          described.get(changed.getKey()) instanceof JsonObject known ? known : JsonObject.EMPTY;
      described = described.with(
          changed.getKey(), tool.with("command", words("--tool", changed.getValue())));
    }
    return described;
  }

  private JsonArray words(String option, String command) {
    try {
      List<String> words = CommandWords.split(command);
      return JsonArray.of(words.toArray());
    } catch (IllegalArgumentException e) {
      throw new UsageException(option + ": " + e.getMessage());
    }
  }
}

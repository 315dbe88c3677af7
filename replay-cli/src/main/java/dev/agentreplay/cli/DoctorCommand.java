package dev.agentreplay.cli;

import dev.agentreplay.cli.input.FormatOption;
import dev.agentreplay.cli.input.SandboxInput;
import dev.agentreplay.cli.input.ToolCommands;
import dev.agentreplay.cli.text.DoctorText;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.sandbox.SandboxOptions;
import dev.agentreplay.sandbox.mechanism.SandboxAttempt;
import dev.agentreplay.sandbox.mechanism.SandboxChoice;
import dev.agentreplay.sandbox.mechanism.SandboxSelection;
import dev.agentreplay.sandbox.mechanism.Sandboxes;
import dev.agentreplay.sandbox.mechanism.ToolStart;
import dev.agentreplay.sandbox.probe.ProbeSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code replay doctor}. */
@Command(
    name = "doctor",
    header = "Report what this machine can isolate, and whether tools start in isolation.",
    description = {
      "Starts a program in the sandbox of a full replay, which attempts to reach this machine, makes the",
      "same attempts outside, and reports each aspect as enforced, open or inconclusive. With --tools, each",
      "tool is started once with empty input, in a workspace that it cannot change, and killed after 1 s.",
      "docs/how-to/isolate-a-replay.md explains the report and the remedies."
    },
    exitCodeList = {
      "0:The sandbox can be used, and each tool can be started in it.",
      "1:No sandbox can be used, or a tool cannot be started.",
      "2:Wrong usage.",
      "3:Unreadable input."
    },
    footer = {"  replay doctor", "  replay doctor --tools tools.json --format json"})
final class DoctorCommand extends TerminalCommand {

  private static final List<String> PASSED = List.of("PATH", "LANG", "LC_ALL", "TZ");

  @Option(
      names = "--tools",
      paramLabel = "FILE",
      description = "JSON file with the tools to start, as for replay run.")
  @Nullable
  Path tools;

  @Option(
      names = "--sandbox",
      paramLabel = "NAME",
      defaultValue = "auto",
      description = "Mechanism: auto, bubblewrap, landlock, seatbelt, podman:IMAGE or docker:IMAGE"
          + " (default: ${DEFAULT-VALUE}).")
  SandboxChoice choice = SandboxChoice.automatic();

  @Option(
      names = "--workspace",
      paramLabel = "DIR",
      description = "Directory in which the tools are started (default: the current one).")
  @Nullable
  Path workspace;

  @Option(
      names = "--ro",
      paramLabel = "PATH",
      description = "File or directory that the tools can read, in addition to those of the system"
          + " and of their programs. Repeatable.")
  List<Path> readOnly = List.of();

  @Mixin
  FormatOption format = new FormatOption();

  DoctorCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (tools == null && (workspace != null || !readOnly.isEmpty())) {
      String option = workspace != null ? "--workspace" : "--ro";
      throw new UsageException(option + " requires --tools");
    }
    if (workspace != null && !Files.isDirectory(workspace)) {
      throw new UsageException("--workspace: expected a directory, found " + workspace);
    }
    SandboxInput.checkReadable(readOnly);
    Map<String, List<String>> commands = tools == null ? Map.of() : ToolCommands.read(tools);
    SandboxSelection selection = Sandboxes.select(choice, ProbeSet.FULL);
    SandboxAttempt used = selection.used();
    List<ToolStart> starts = new ArrayList<>();
    if (used != null && used.sandbox() != null) {
      for (Map.Entry<String, List<String>> command : commands.entrySet()) {
        starts.add(ToolStart.run(used.sandbox(), command.getKey(), command.getValue(), options()));
      }
    }
    if (format.isJson()) {
      print(json(selection, starts));
    } else {
      print(new DoctorText(terminal.style()).render(selection, starts));
    }
    boolean isUsable = used != null && starts.stream().allMatch(ToolStart::isStarted);
    return isUsable ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private SandboxOptions options() {
    Path directory = workspace == null ? Path.of("") : workspace;
    Map<String, String> environment = new TreeMap<>(System.getenv());
    environment.keySet().retainAll(PASSED);
    return SandboxOptions.of(directory)
        .withWritable(false)
        .withReadOnly(readOnly)
        .withEnvironment(environment);
  }

  private static JsonObject json(SandboxSelection selection, List<ToolStart> starts) {
    SandboxAttempt used = selection.used();
    return JsonObject.of(
        "schema",
        "replay.doctor/1",
        "usable",
        used != null,
        "mechanism",
        used == null ? null : used.mechanism().id(),
        "attempts",
        JsonArray.of(selection.attempts().stream().map(SandboxAttempt::json).toArray()),
        "tools",
        JsonArray.of(starts.stream().map(ToolStart::json).toArray()));
  }
}

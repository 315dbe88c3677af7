package dev.agentreplay.cli.demo;

import dev.agentreplay.engine.replay.execution.NotExecutedException;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.engine.subject.ProcessStarter;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.SideEffect;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.sandbox.replay.ReplaySandbox;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** The tools of the demonstration, which read, write, search and run real files. */
public final class DemoTools implements ToolExecutor {

  /**
   * The result of a tool.
   *
   * @param text the printed text
   * @param outcome the exit code or error
   * @param sideEffects the changes to the workspace
   */
  private record Output(String text, Outcome outcome, List<SideEffect> sideEffects) {

    static Output of(String text) {
      return new Output(text, Outcome.NONE, List.of());
    }
  }

  /** Runs a command of a shell. */
  interface Shell {

    /** The printed text and the exit code. */
    record Printed(String text, int exitCode) {}

    Printed run(List<String> words) throws IOException, InterruptedException;
  }

  private final Path workspace;
  private final Shell shell;
  private final boolean searchPrintsNamesOnly;

  private DemoTools(Path workspace, Shell shell, boolean searchPrintsNamesOnly) {
    this.workspace = workspace;
    this.shell = shell;
    this.searchPrintsNamesOnly = searchPrintsNamesOnly;
  }

  /**
   * Tools that work on a directory.
   *
   * @param searchPrintsNamesOnly whether {@code search} prints file names without matching lines
   */
  public static DemoTools in(Path workspace, boolean searchPrintsNamesOnly) {
    Shell direct = words -> {
      Process process = new ProcessBuilder(words)
          .directory(workspace.toFile())
          .redirectErrorStream(true)
          .start();
      return new Shell.Printed(output(process), process.waitFor());
    };
    return new DemoTools(workspace, direct, searchPrintsNamesOnly);
  }

  /** Tools that work on the workspace of a replay, and run commands in its sandbox. */
  public static DemoTools in(ReplaySandbox sandbox) {
    Shell isolated = words -> {
      try (ProcessStarter.RunningProcess running =
          sandbox.start(words, null, Map.of("PATH", "/usr/bin:/bin"))) {
        String text = output(running.process());
        NotExecutedException fault = running.fault();
        if (fault != null) {
          throw fault;
        }
        return new Shell.Printed(text, running.process().waitFor());
      }
    };
    return new DemoTools(sandbox.directory(), isolated, false);
  }

  private static String output(Process process) throws IOException {
    process.getOutputStream().close();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  /** Fills the workspace with a script, its failing test, and a README. */
  public static void prepare(Path workspace) throws IOException {
    Files.createDirectories(workspace);
    Files.writeString(workspace.resolve("README.md"), "Prices. Check with: sh test.sh\n");
    Files.writeString(
        workspace.resolve("price.sh"), "# quantity, unit price\necho $(( $1 * $2 - 1 ))\n");
    Files.writeString(
        workspace.resolve("test.sh"),
        """
        got=$(sh price.sh 3 4)
        [ "$got" = 12 ] && echo "ok: 3 x 4 is 12" && exit 0
        echo "FAIL: 3 x 4 is $got, expected 12"
        exit 1
        """);
  }

  /** The names of the tools. */
  public static List<String> names() {
    return List.of("read_file", "write_file", "edit_file", "search", "shell");
  }

  @Override
  public ToolResult execute(ToolCall call) throws IOException, InterruptedException {
    JsonObject params = Objects.requireNonNull(call.params().value()).asObject();
    Output output = run(call.tool(), params);
    return ToolResult.of(call.id(), output.text())
        .withOutcome(output.outcome())
        .withStepUtility(output.outcome().succeeded() ? 0.5 : -0.5)
        .withSideEffects(output.sideEffects());
  }

  private Output run(String tool, JsonObject params) throws IOException, InterruptedException {
    return switch (tool) {
      case "read_file" -> Output.of(Files.readString(file(params)));
      case "write_file" -> write(params, params.at("/content").asString());
      case "edit_file" -> edit(params);
      case "search" -> search(params.at("/text").asString());
      case "shell" -> shell(params.at("/command").asString());
      default -> throw new IllegalArgumentException("no such tool: " + tool);
    };
  }

  private Path file(JsonObject params) {
    return workspace.resolve(params.at("/path").asString());
  }

  private Output write(JsonObject params, String content) throws IOException {
    Files.writeString(file(params), content);
    String path = params.at("/path").asString();
    return new Output(
        "wrote " + content.length() + " characters",
        Outcome.NONE,
        List.of(SideEffect.of("fs_write", path)));
  }

  private Output edit(JsonObject params) throws IOException {
    String before = Files.readString(file(params));
    String after =
        before.replace(params.at("/old").asString(), params.at("/new").asString());
    return write(params, after);
  }

  private Output search(String text) throws IOException {
    StringBuilder found = new StringBuilder();
    try (Stream<Path> files = Files.list(workspace)) {
      for (Path file : files.sorted().toList()) {
        List<String> lines = Files.readAllLines(file);
        for (int i = 0; i < lines.size(); i++) {
          if (lines.get(i).contains(text)) {
            found.append(file.getFileName());
            found.append(searchPrintsNamesOnly ? "" : ":" + (i + 1) + ": " + lines.get(i));
            found.append('\n');
          }
        }
      }
    }
    return Output.of(found.toString());
  }

  private Output shell(String command) throws IOException, InterruptedException {
    Shell.Printed output = shell.run(List.of("sh", "-c", command));
    return new Output(
        output.text(), Outcome.exit(output.exitCode()), List.of(SideEffect.of("process_spawn")));
  }
}

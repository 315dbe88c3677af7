package com.example.agent;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tools of the agent: list, read and write the files of a folder, and run programs in it. */
public class WorkspaceTools {

  private final Path workspace;

  /** Creates tools for a folder. */
  public WorkspaceTools(Path workspace) {
    this.workspace = workspace;
  }

  @Tool(name = "list_files", value = "Lists the files of the workspace, one per line")
  public String listFiles() throws IOException {
    try (Stream<Path> files = Files.walk(workspace)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> workspace.relativize(file).toString().replace('\\', '/'))
          .sorted()
          .collect(Collectors.joining("\n"));
    }
  }

  @Tool(name = "read_file", value = "Reads a file")
  public String readFile(@P("path below the workspace") String path) throws IOException {
    return Files.readString(inWorkspace(path));
  }

  @Tool(name = "write_file", value = "Writes a file, replacing an existing one")
  public String writeFile(
      @P("path below the workspace") String path, @P("content of the file") String content)
      throws IOException {
    Files.writeString(inWorkspace(path), content);
    return "written: " + path;
  }

  @Tool(name = "run", value = "Runs a program in the workspace, and returns what it printed")
  public String run(@P("the program and its arguments") List<String> command)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(workspace.toFile()).redirectErrorStream(true);
    builder.environment().remove("JAVA_TOOL_OPTIONS"); // a JVM would print it
    Process process = builder.start();
    process.getOutputStream().close();
    String printed = new String(process.getInputStream().readAllBytes());
    return "exit " + process.waitFor() + "\n" + printed;
  }

  private Path inWorkspace(String path) {
    Path file = workspace.resolve(path).normalize();
    if (!file.startsWith(workspace)) {
      throw new IllegalArgumentException(path + " is not in the workspace");
    }
    return file;
  }
}

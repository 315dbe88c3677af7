package dev.agentreplay.cli.fork;

import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.cli.input.JsonFile;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.engine.fork.Fork;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The point at which a replay forks its recording, and the changes of its exchange. */
public final class ForkOptions {

  @Option(
      names = "--fork-at",
      paramLabel = "LINE",
      description =
          "Fork the recording at the call or value on a line: what is before it is served, and what"
              + " follows is served only if it is still equal. replay forks lists the lines.")
  private @Nullable Long line;

  @Option(
      names = "--set",
      paramLabel = "/POINTER=JSON",
      description =
          "With --fork-at, value to set in the call (/params, /model, /prompt, /parameters), in its"
              + " result (/output, /answer, /exit_code), or in a recorded value (/value). Repeatable.")
  private List<String> values = new ArrayList<>();

  @Option(
      names = "--prompt-edit",
      paramLabel = "FILE",
      description =
          "With --fork-at, JSON file with the prompt of the model call on the line, from replay forks"
              + " --prompt LINE.")
  private @Nullable Path prompt;

  @Option(
      names = "--tool",
      paramLabel = "NAME=CMD",
      description =
          "With --fork-at, program that executes each call of a tool from there on. Repeatable.")
  private List<String> tools = List.of();

  /** Whether the replay forks its recording. */
  public boolean isFork() {
    return line != null;
  }

  /** The file with the prompt; null if there is none. */
  public @Nullable Path file() {
    return prompt;
  }

  /** Refuses options that do not go together. */
  public void check(ReplayMode mode) {
    if (line == null) {
      requireAbsent(!values.isEmpty(), "--set");
      requireAbsent(prompt != null, "--prompt-edit");
      requireAbsent(!tools.isEmpty(), "--tool");
    } else if (line < 2) {
      throw new UsageException("--fork-at: expected the line of a call, from 2, found " + line);
    } else if (!mode.takesAgent()) {
      throw new UsageException(
          "--fork-at: a replay in the mode %s has no agent".formatted(mode.id()));
    }
  }

  private void requireAbsent(boolean isGiven, String option) {
    if (isGiven) {
      throw new UsageException(option + " requires --fork-at");
    }
  }

  /** The command lines of the tools whose calls are executed, by the names of the tools. */
  public Map<String, String> tools() {
    Map<String, String> commands = new LinkedHashMap<>();
    for (String given : tools) {
      int equals = given.indexOf('=');
      if (equals < 1) {
        throw new UsageException("--tool: expected NAME=CMD, found \"%s\"".formatted(given));
      }
      String name = given.substring(0, equals);
      if (commands.put(name, given.substring(equals + 1)) != null) {
        throw new UsageException("--tool: %s is given twice".formatted(name));
      }
    }
    return commands;
  }

  /**
   * The fork; null if the replay is none.
   *
   * @param changesModel whether calls of the model are executed
   * @throws IOException if the file with the prompt cannot be read
   */
  public @Nullable Fork fork(boolean changesModel) throws IOException {
    if (line == null) {
      return null;
    }
    Fork fork = Fork.at(line);
    fork = changesModel ? fork.withModel() : fork;
    for (String tool : tools().keySet()) {
      fork = fork.withTool(tool);
    }
    if (prompt != null) {
      fork = fork.withPrompt(JsonFile.read(prompt, "a prompt"));
    }
    for (String value : values) {
      fork = set(fork, value);
    }
    return fork;
  }

  private Fork set(Fork fork, String text) {
    int equals = text.indexOf('=');
    if (equals < 0) {
      throw new UsageException("--set: expected /POINTER=JSON, found \"%s\"".formatted(text));
    }
    JsonValue value;
    try {
      value = JsonText.parse(text.substring(equals + 1));
    } catch (JsonSyntaxException e) {
      throw new UsageException("--set: \"%s\" is not JSON, in which a text has quotes: %s"
          .formatted(text.substring(equals + 1), e.getMessage()));
    }
    try {
      return fork.set(text.substring(0, equals), value);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--set: " + e.getMessage());
    }
  }
}

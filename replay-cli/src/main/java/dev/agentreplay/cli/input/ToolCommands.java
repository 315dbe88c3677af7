package dev.agentreplay.cli.input;

import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.subject.ProcessCommand;
import dev.agentreplay.engine.subject.ProcessTools;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** The command lines of the tools that a file of {@code --tools} describes. */
public final class ToolCommands {

  private ToolCommands() {}

  /**
   * Reads the effects, by the names of the tools.
   *
   * @throws IOException if the file cannot be read
   * @throws UsageException if it does not describe tools
   */
  public static Map<String, Effect> effects(Path file) throws IOException {
    ProcessTools tools = parse(file, command -> command);
    Map<String, Effect> effects = new LinkedHashMap<>();
    tools.names().forEach(name -> effects.put(name, Objects.requireNonNull(tools.effect(name))));
    return effects;
  }

  private static ProcessTools parse(Path file, UnaryOperator<ProcessCommand> settings)
      throws IOException {
    JsonObject json = JsonFile.read(file, "a description of tools");
    try {
      return ProcessTools.parse(json, settings, Schemas.compiler());
    } catch (IllegalArgumentException e) {
      throw new UsageException("--tools: %s: %s".formatted(file, String.valueOf(e.getMessage())));
    }
  }

  /**
   * Reads the commands, by the names of the tools.
   *
   * @throws IOException if the file cannot be read
   * @throws UsageException if it does not describe tools
   */
  public static Map<String, List<String>> read(Path file) throws IOException {
    JsonObject json = JsonFile.read(file, "a description of tools");
    List<List<String>> commands = new ArrayList<>();
    parse(file, command -> {
      commands.add(command.words());
      return command;
    });
    Map<String, List<String>> named = new LinkedHashMap<>();
    Iterator<List<String>> each = commands.iterator();
    if (json.get("tools") instanceof JsonObject tools) {
      tools.names().forEach(name -> named.put(name, each.next()));
    }
    return named;
  }
}

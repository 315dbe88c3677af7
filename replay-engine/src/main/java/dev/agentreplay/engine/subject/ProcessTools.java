package dev.agentreplay.engine.subject;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.ParameterCheck;
import dev.agentreplay.engine.replay.execution.SchemaCompiler;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Tools that are programs, each started for each call. A program gets the parameters as one line of
 * JSON on its standard input; its standard output is the output of the tool: JSON if it is JSON,
 * else text, without the end of its last line. With an exit code other than 0 the call has failed,
 * with this exit code.
 *
 * <p>Tools are described by an object:
 *
 * <pre>
 * {"tools":{"read_file":{"command":["python3","read_file.py"],"effect":"pure"}}}
 * </pre>
 *
 * <p>{@code effect} is {@code pure}, {@code idempotent}, {@code writes_workspace} or
 * {@code external}, the default; a replay does not execute an external tool. {@code schema} may
 * have the JSON Schema of the parameters: they are checked against it before the tool is executed.
 *
 * <p>A program that cannot be started, or is stopped at a limit, has no result: the executor throws
 * a {@link dev.agentreplay.engine.replay.execution.NotExecutedException}.
 *
 * <p>A program is killed, with the processes that it started, when the thread that calls it is
 * interrupted. Immutable and safe for use by several threads.
 */
public final class ProcessTools {

  /** The name of the failure of a program. */
  static final String FAILURE = "ProgramFailed";

  private static final Set<String> MEMBERS = Set.of("command", "effect", "schema");

  private final Map<String, Tool> tools;

  /** A tool. */
  private record Tool(ProcessCommand command, Effect effect, @Nullable ParameterCheck check)
      implements ToolExecutor {

    @Override
    public ToolResult execute(ToolCall call) throws IOException, InterruptedException {
      JsonValue params = Objects.requireNonNullElse(call.params().value(), JsonObject.EMPTY);
      ProcessRun.Result run = ProcessRun.run(command, params);
      ToolResult result = ToolResult.of(call.id(), JsonText.parseOrString(run.output()));
      return run.exitCode() == 0 ? result : result.withOutcome(Outcome.exit(run.exitCode()));
    }
  }

  private ProcessTools(Map<String, Tool> tools) {
    this.tools = Collections.unmodifiableMap(tools);
  }

  /**
   * Reads the description of tools.
   *
   * @param settings returns a command with its directory, environment and receiver of errors set
   * @param schemas compiles the schemas; null to refuse a description with a schema
   * @throws IllegalArgumentException if it is not of this form, or a schema is not valid; the
   *     message names the place
   */
  public static ProcessTools parse(
      JsonObject json, UnaryOperator<ProcessCommand> settings, @Nullable SchemaCompiler schemas) {
    if (!(json.get("tools") instanceof JsonObject described) || json.size() != 1) {
      throw new IllegalArgumentException(
          "tools: expected an object with one member \"tools\", an object");
    }
    Map<String, Tool> tools = new TreeMap<>();
    described.forEach((name, value) -> {
      if (!(value instanceof JsonObject tool)) {
        throw wrong(name, "expected an object, found a " + value.typeName());
      }
      tools.put(name, tool(name, tool, settings, schemas));
    });
    return new ProcessTools(tools);
  }

  private static Tool tool(
      String name,
      JsonObject tool,
      UnaryOperator<ProcessCommand> settings,
      @Nullable SchemaCompiler schemas) {
    for (String member : tool.names()) {
      if (!MEMBERS.contains(member)) {
        throw wrong(
            name, "expected command, effect or schema, found the member \"%s\"".formatted(member));
      }
    }
    if (!(tool.get("command") instanceof JsonArray command)) {
      throw wrong(name, "expected an array of strings as \"command\"");
    }
    List<String> words = new ArrayList<>();
    for (JsonValue word : command) {
      if (!(word instanceof JsonString text)) {
        throw wrong(name, "expected an array of strings as \"command\"");
      }
      words.add(text.value());
    }
    if (words.isEmpty() || words.get(0).isBlank()) {
      throw wrong(name, "a command needs a program");
    }
    return new Tool(
        settings.apply(ProcessCommand.of(words)),
        effect(name, tool.get("effect")),
        check(name, tool.get("schema"), schemas));
  }

  private static @Nullable ParameterCheck check(
      String tool, @Nullable JsonValue schema, @Nullable SchemaCompiler schemas) {
    if (schema == null) {
      return null;
    } else if (!(schema instanceof JsonObject)) {
      throw wrong(tool, "expected an object as \"schema\", found a " + schema.typeName());
    } else if (schemas == null) {
      throw wrong(tool, "\"schema\" cannot be checked, because there is no compiler of schemas");
    }
    try {
      return schemas.compile(schema);
    } catch (IllegalArgumentException e) {
      throw wrong(tool, "\"schema\" " + e.getMessage());
    }
  }

  private static Effect effect(String tool, @Nullable JsonValue effect) {
    if (effect == null) {
      return Effect.EXTERNAL;
    }
    if (effect instanceof JsonString text) {
      for (Effect each : Effect.values()) {
        if (each != Effect.MODEL && each.id().equals(text.value())) {
          return each;
        }
      }
    }
    throw wrong(
        tool,
        "expected pure, idempotent, writes_workspace or external as \"effect\", found " + effect);
  }

  private static IllegalArgumentException wrong(String tool, String message) {
    return new IllegalArgumentException("tools: %s: %s".formatted(tool, message));
  }

  /** The names of the tools, in order. */
  public Set<String> names() {
    return tools.keySet();
  }

  /** The effect of a tool; null if there is no such tool. */
  public @Nullable Effect effect(String tool) {
    Tool known = tools.get(tool);
    return known == null ? null : known.effect();
  }

  /** The executor of a tool; null if there is no such tool. */
  public @Nullable ToolExecutor executor(String tool) {
    return tools.get(tool);
  }

  /**
   * Returns executors with these tools and the checks of their parameters in addition, as a
   * recording needs them, where effects have no meaning.
   */
  public Executors addTo(Executors executors) {
    Executors complete = executors;
    for (Map.Entry<String, Tool> each : tools.entrySet()) {
      complete = complete.withTool(each.getKey(), each.getValue());
      ParameterCheck check = each.getValue().check();
      complete = check == null ? complete : complete.withCheck(each.getKey(), check);
    }
    return complete;
  }

  /**
   * Adds the tools with their effects and the checks of their parameters to a replay, whose mode
   * was set before.
   */
  public void addTo(Replay replay) {
    tools.forEach((name, tool) -> {
      replay.tool(name, tool.effect(), tool);
      if (tool.check() != null) {
        replay.check(name, tool.check());
      }
    });
  }
}

package dev.agentreplay.engine.replay.execution;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The executors of tools and of the model. Immutable.
 *
 * <pre>{@code
 * Executors executors = Executors.none()
 *     .withTool("read_file", ToolExecutor.of(params -> Files.readString(Path.of("a.txt"))));
 * }</pre>
 */
public final class Executors {

  private static final Executors NONE = new Executors(Map.of(), null, Map.of(), null);

  private final Map<String, ToolExecutor> tools;
  private final @Nullable ToolExecutor otherTools;
  private final Map<String, ParameterCheck> checks;
  private final @Nullable ModelExecutor model;

  private Executors(
      Map<String, ToolExecutor> tools,
      @Nullable ToolExecutor otherTools,
      Map<String, ParameterCheck> checks,
      @Nullable ModelExecutor model) {
    this.tools = tools;
    this.otherTools = otherTools;
    this.checks = checks;
    this.model = model;
  }

  /** No executors: nothing can be executed but tools whose code the agent brings. */
  public static Executors none() {
    return NONE;
  }

  /** Returns these executors with one of the tool with a name. */
  public Executors withTool(String tool, ToolExecutor executor) {
    Map<String, ToolExecutor> changed = new TreeMap<>(tools);
    changed.put(Objects.requireNonNull(tool, "tool"), Objects.requireNonNull(executor, "executor"));
    return new Executors(changed, otherTools, checks, model);
  }

  /** Returns these executors with one of all tools that have none by their name. */
  public Executors withOtherTools(ToolExecutor executor) {
    return new Executors(tools, Objects.requireNonNull(executor, "executor"), checks, model);
  }

  /**
   * Returns these executors with a check of the parameters of a tool. A call whose parameters do
   * not pass is refused, also if the agent brings the code of the tool.
   */
  public Executors withCheck(String tool, ParameterCheck check) {
    Map<String, ParameterCheck> changed = new TreeMap<>(checks);
    changed.put(Objects.requireNonNull(tool, "tool"), Objects.requireNonNull(check, "check"));
    return new Executors(tools, otherTools, changed, model);
  }

  /** Returns these executors with one of models, whatever their name. */
  public Executors withModel(ModelExecutor executor) {
    return new Executors(tools, otherTools, checks, Objects.requireNonNull(executor, "executor"));
  }

  /** The names of the tools that have an executor. */
  public Set<String> tools() {
    return Collections.unmodifiableSet(tools.keySet());
  }

  /** The executor of a tool; null if there is none. */
  public @Nullable ToolExecutor tool(String tool) {
    ToolExecutor named = tools.get(tool);
    return named == null ? otherTools : named;
  }

  /** The check of the parameters of a tool; null if there is none. */
  public @Nullable ParameterCheck check(String tool) {
    return checks.get(tool);
  }

  /** The executor of models; null if there is none. */
  public @Nullable ModelExecutor model() {
    return model;
  }
}

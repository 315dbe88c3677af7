package dev.agentreplay.engine.replay.policy;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The policy of a replay: for each exchange whether it is served from the recording, executed, or
 * refused. {@link #of} returns the preset of a mode:
 *
 * <pre>
 * mode        PURE     IDEMPOTENT  WRITES_WORKSPACE  EXTERNAL  MODEL    values
 * VALIDATION  refuse   refuse      refuse            refuse    refuse   refuse
 * MOCK        serve    serve       serve             serve     serve    serve
 * TOOLS_LIVE  compare  compare     compare           serve     serve    serve
 * MODEL_LIVE  serve    serve       serve             serve     compare  serve
 * FULL        compare  compare     compare           serve     compare  serve
 * NODE        compare  compare     serve             serve     compare  serve
 * </pre>
 *
 * <p>{@code compare} is {@link ReplayAction#EXECUTE_AND_COMPARE}. A tool whose effect is
 * {@link Effect#EXTERNAL}, which is every tool that the caller has not declared, is executed only
 * if it is named: {@link #withTool}. An exchange that is served in the modes FULL and NODE was not
 * executed again: the report counts it, and is not {@code IDENTICAL}.
 *
 * <p>Immutable and safe for use by several threads.
 */
public final class ReplayPolicy {

  private final ReplayMode mode;
  private final Map<Effect, ReplayAction> effects;
  private final Map<String, ReplayAction> tools;
  private final Map<String, Effect> declared;
  private final ReplayAction values;

  private ReplayPolicy(
      ReplayMode mode,
      Map<Effect, ReplayAction> effects,
      Map<String, ReplayAction> tools,
      Map<String, Effect> declared,
      ReplayAction values) {
    this.mode = mode;
    this.effects = effects;
    this.tools = tools;
    this.declared = declared;
    this.values = values;
  }

  /** The preset of a mode. */
  public static ReplayPolicy of(ReplayMode mode) {
    ReplayAction otherwise =
        mode == ReplayMode.VALIDATION ? ReplayAction.REFUSE : ReplayAction.SERVE;
    Map<Effect, ReplayAction> effects = new EnumMap<>(Effect.class);
    for (Effect effect : Effect.values()) {
      effects.put(effect, executes(mode, effect) ? ReplayAction.EXECUTE_AND_COMPARE : otherwise);
    }
    return new ReplayPolicy(mode, effects, Map.of(), Map.of(), otherwise);
  }

  private static boolean executes(ReplayMode mode, Effect effect) {
    return switch (mode) {
      case VALIDATION, MOCK -> false;
      case TOOLS_LIVE -> effect != Effect.EXTERNAL && effect != Effect.MODEL;
      case MODEL_LIVE -> effect == Effect.MODEL;
      case FULL -> effect != Effect.EXTERNAL;
      case NODE -> effect != Effect.EXTERNAL && effect != Effect.WRITES_WORKSPACE;
    };
  }

  /**
   * Returns the preset of a mode with the declared effects and, unless nothing runs in it, the
   * actions for single tools of this policy.
   */
  public ReplayPolicy withMode(ReplayMode newMode) {
    ReplayPolicy preset = of(newMode);
    Map<String, ReplayAction> named = newMode == ReplayMode.VALIDATION ? Map.of() : tools;
    return new ReplayPolicy(newMode, preset.effects, named, declared, preset.values);
  }

  /** The mode of which this policy is a variant. */
  public ReplayMode mode() {
    return mode;
  }

  /**
   * Returns this policy with an action for the tool with a name, whatever its effect.
   *
   * @throws IllegalArgumentException if the mode is {@link ReplayMode#VALIDATION}, in which nothing
   *     runs
   */
  public ReplayPolicy withTool(String tool, ReplayAction action) {
    Map<String, ReplayAction> changed = new TreeMap<>(tools);
    changed.put(
        Objects.requireNonNull(tool, "tool"), allowed(Objects.requireNonNull(action, "action")));
    return new ReplayPolicy(mode, effects, changed, declared, values);
  }

  /** Returns this policy with the effect of the tool with a name. */
  public ReplayPolicy withEffect(String tool, Effect effect) {
    if (effect == Effect.MODEL) {
      throw new IllegalArgumentException("a tool has no effect of a model: " + tool);
    }
    Map<String, Effect> changed = new TreeMap<>(declared);
    changed.put(Objects.requireNonNull(tool, "tool"), effect);
    return new ReplayPolicy(mode, effects, tools, changed, values);
  }

  /**
   * Returns this policy with an action for an effect.
   *
   * @throws IllegalArgumentException if the mode is {@link ReplayMode#VALIDATION}, in which nothing
   *     runs, or the action executes {@link Effect#EXTERNAL}, which is allowed for single tools
   *     only
   */
  public ReplayPolicy withAction(Effect effect, ReplayAction action) {
    if (effect == Effect.EXTERNAL && action.executes()) {
      throw new IllegalArgumentException(
          "a tool with an external effect is executed only if it is named: use withTool");
    }
    Map<Effect, ReplayAction> changed = new EnumMap<>(effects);
    changed.put(effect, allowed(action));
    return new ReplayPolicy(mode, changed, tools, declared, values);
  }

  private ReplayAction allowed(ReplayAction action) {
    if (mode == ReplayMode.VALIDATION && action != ReplayAction.REFUSE) {
      throw new IllegalArgumentException("nothing runs in the mode validation: " + action.id());
    }
    return action;
  }

  /**
   * Returns the action for a call of a tool.
   *
   * @param effect the effect of the tool, with its annotations considered
   */
  public ReplayAction tool(String tool, Effect effect) {
    ReplayAction named = tools.get(tool);
    return named != null ? named : Objects.requireNonNull(effects.get(effect));
  }

  /** Returns the action for a call of a model. */
  public ReplayAction model() {
    return Objects.requireNonNull(effects.get(Effect.MODEL));
  }

  /** Returns the action for nondeterministic values. */
  public ReplayAction values() {
    return values;
  }

  /** The declared effect of a tool; null if it is not declared. */
  public @Nullable Effect effect(String tool) {
    return declared.get(tool);
  }

  /** The declared effects of tools, by name. */
  public Map<String, Effect> effects() {
    return Collections.unmodifiableMap(declared);
  }

  /** The actions for single tools, by name. */
  public Map<String, ReplayAction> tools() {
    return Collections.unmodifiableMap(tools);
  }
}

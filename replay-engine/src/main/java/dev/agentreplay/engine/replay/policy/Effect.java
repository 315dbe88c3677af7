package dev.agentreplay.engine.replay.policy;

import dev.agentreplay.model.ToolDescription;
import java.util.Locale;

/**
 * The effect of executing a tool or model again, which decides whether a replay may: from the least
 * to the greatest, {@link #MODEL} apart. A tool whose effect is not declared is {@link #EXTERNAL}.
 */
public enum Effect {
  /** Only reads. */
  PURE,
  /** A second execution with the same parameters has no further effect. */
  IDEMPOTENT,
  /** Changes files of the workspace only. */
  WRITES_WORKSPACE,
  /** Affects systems outside: sends a message, pays, writes to a server. */
  EXTERNAL,
  /** A call of a model. */
  MODEL;

  /** The text of the constant in JSON and in reports. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns this effect, or a greater one if the annotations of a tool say so. Annotations are
   * hints of the tool's author: they never make an effect less.
   *
   * <ul>
   *   <li>{@code open_world} or {@code destructive} is true: {@link #EXTERNAL}
   *   <li>{@code read_only} is false: at least {@link #IDEMPOTENT}, and at least
   *       {@link #WRITES_WORKSPACE} unless {@code idempotent} is true
   *   <li>{@code idempotent} is false and {@code read_only} is not true: at least
   *       {@link #WRITES_WORKSPACE}
   * </ul>
   */
  public Effect tightenedBy(ToolDescription tool) {
    if (this == MODEL) {
      return this;
    }
    Effect least = PURE;
    boolean isReadOnly = Boolean.TRUE.equals(tool.readOnly());
    if (Boolean.TRUE.equals(tool.openWorld()) || Boolean.TRUE.equals(tool.destructive())) {
      least = EXTERNAL;
    } else if (Boolean.FALSE.equals(tool.readOnly())) {
      least = Boolean.TRUE.equals(tool.idempotent()) ? IDEMPOTENT : WRITES_WORKSPACE;
    } else if (Boolean.FALSE.equals(tool.idempotent()) && !isReadOnly) {
      least = WRITES_WORKSPACE;
    }
    return compareTo(least) >= 0 ? this : least;
  }
}

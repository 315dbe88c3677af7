package dev.agentreplay.engine.replay;

import dev.agentreplay.io.context.ContextValues;
import dev.agentreplay.io.context.ValueForm;
import dev.agentreplay.io.context.ValueRequest;
import dev.agentreplay.model.RecordedValue;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The nondeterministic values of a replay whose recording has none: computed from the seed. An
 * environment variable is not computed, and is reported. Safe for use by several threads.
 */
final class ComputedValues implements ContextValues {

  private final ReplayState state;
  private final ContextValues recorded;
  private volatile boolean areUsed;

  /**
   * Creates the values.
   *
   * @param recorded reports what is requested and cannot be computed
   */
  ComputedValues(ReplayState state, ContextValues recorded) {
    this.state = state;
    this.recorded = recorded;
  }

  @Override
  public <T extends @Nullable Object> T value(ValueRequest request, ValueForm<T> form, Live<T> live)
      throws IOException {
    if (request.source().startsWith(RecordedValue.ENVIRONMENT_PREFIX)) {
      return recorded.value(request, form, live);
    }
    state.requireRunning();
    areUsed = true;
    return live.read();
  }

  /** Whether the agent got one. */
  boolean areUsed() {
    return areUsed;
  }
}

package dev.agentreplay.engine.replay;

import dev.agentreplay.io.context.ContextValues;
import dev.agentreplay.io.context.ValueForm;
import dev.agentreplay.io.context.ValueRequest;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The nondeterministic values of a replay whose recording has none: computed from the seed. Safe
 * for use by several threads.
 */
final class ComputedValues implements ContextValues {

  private final ReplayState state;
  private volatile boolean areUsed;

  ComputedValues(ReplayState state) {
    this.state = state;
  }

  @Override
  public <T extends @Nullable Object> T value(ValueRequest request, ValueForm<T> form, Live<T> live)
      throws IOException {
    state.requireRunning();
    areUsed = true;
    return live.read();
  }

  /** Whether the agent got one. */
  boolean areUsed() {
    return areUsed;
  }
}

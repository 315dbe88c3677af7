package dev.agentreplay.engine.replay;

import dev.agentreplay.io.context.ContextValues;
import dev.agentreplay.io.context.ValueForm;
import dev.agentreplay.io.context.ValueRequest;
import dev.agentreplay.model.RecordedValue;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The nondeterministic values of a replay whose recording has none: computed from the seed, except
 * those that are read from the machine, which are missing. Safe for use by several threads.
 */
final class ComputedValues implements ContextValues {

  private final ReplayState state;
  private final ContextValues recorded;
  private volatile boolean areUsed;

  /**
   * Creates the values.
   *
   * @param recorded the values of the recording, which report what it does not have
   */
  ComputedValues(ReplayState state, ContextValues recorded) {
    this.state = state;
    this.recorded = recorded;
  }

  /**
   * Whether the values of a source are read from the machine of the replay: names of files, and
   * environment variables. A replay never reads them, also because its agent may be a program that
   * is isolated from them.
   */
  static boolean isOfMachine(String source) {
    return source.equals(RecordedValue.DIRECTORY)
        || source.equals(RecordedValue.GLOB)
        || source.startsWith(RecordedValue.ENVIRONMENT_PREFIX);
  }

  @Override
  public <T extends @Nullable Object> T value(ValueRequest request, ValueForm<T> form, Live<T> live)
      throws IOException {
    // the recording decides on versions of the code, also by not stating them
    boolean isVersion = request.source().startsWith(RecordedValue.VERSION_PREFIX);
    if (isOfMachine(request.source()) || isVersion) {
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

package dev.agentreplay.records.internal;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.Consumer;

/** Calls the listeners of a replay. An exception that one throws is logged. */
public final class ListenerCalls {

  static final Logger LOGGER = System.getLogger("dev.agentreplay.records.replay");

  private ListenerCalls() {}

  /** Calls each listener, also if those before it failed. */
  public static <L> void toEach(List<L> listeners, Consumer<L> call) {
    for (L listener : listeners) {
      try {
        call.accept(listener);
      } catch (RuntimeException | Error e) { // it does not affect the replay
        LOGGER.log(Level.WARNING, "a listener of the replay failed", e);
      }
    }
  }
}

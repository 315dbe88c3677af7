package dev.agentreplay.records.replay;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.Consumer;

/** Calls the listeners of a replay. An exception that one throws is logged. */
final class ListenerCalls {

  static final Logger LOGGER = System.getLogger(SessionReplay.class.getName());

  private ListenerCalls() {}

  /** Calls each listener, also if those before it failed. */
  static void toEach(List<SessionReplayListener> listeners, Consumer<SessionReplayListener> call) {
    for (SessionReplayListener listener : listeners) {
      try {
        call.accept(listener);
      } catch (RuntimeException | Error e) { // it does not affect the replay
        LOGGER.log(Level.WARNING, "a listener of the replay failed", e);
      }
    }
  }
}

package dev.agentreplay.engine.replay.execution;

import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Calls a model. A replay calls it on a thread of its own, and interrupts the thread if the call
 * takes too long.
 */
@FunctionalInterface
public interface ModelExecutor {

  /**
   * Calls the model.
   *
   * @param call the call, with its prompt in full
   * @param pieces receives the pieces of an answer that is streamed, in order; the text that they
   *     form is the answer, or is in it; if the answer is a different text, the call has failed
   * @return the result, with the id of the call; the replay sets its latency unless it has one
   * @throws Exception if the call failed; the agent gets the exception
   */
  ModelResult call(ModelCall call, Consumer<String> pieces) throws Exception;

  /**
   * Whether the model gets the seed of the parameters, so that its answers can be the same in each
   * run. False by default: the report of a replay says so.
   */
  default boolean takesSeed() {
    return false;
  }

  /** Returns an executor that calls a given one, which takes the seed of the parameters. */
  static ModelExecutor seeded(ModelExecutor executor) {
    Objects.requireNonNull(executor, "executor");
    return new ModelExecutor() {
      @Override
      public ModelResult call(ModelCall call, Consumer<String> pieces) throws Exception {
        return executor.call(call, pieces);
      }

      @Override
      public boolean takesSeed() {
        return true;
      }
    };
  }
}

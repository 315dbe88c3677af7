package dev.agentreplay.engine.order;

/**
 * A scope that tells when a call has its place in the order of calls: it is matched and recorded,
 * and neither served nor executed yet. A caller that makes the next call then keeps the calls of
 * several threads in order.
 *
 * @param <S> the type of the scope
 */
public interface Ordered<S> {

  /**
   * Returns this scope with an action that is run when a call has its place, on the thread of the
   * caller. It is not run if a call gets none, as after the end of a replay.
   */
  S onPlaced(Runnable action);
}

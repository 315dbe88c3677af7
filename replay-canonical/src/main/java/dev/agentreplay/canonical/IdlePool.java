package dev.agentreplay.canonical;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Keeps up to {@value #SIZE} objects with buffers for their next users. A thread prefers the place
 * of its id, so that threads that work at the same time seldom share a cache line. Safe for use by
 * several threads.
 */
final class IdlePool<T> {

  private static final int SIZE = 8;

  /** The distance between two places, so that they are in different cache lines. */
  private static final int APART = 32;

  private final AtomicReferenceArray<@Nullable T> places = new AtomicReferenceArray<>(SIZE * APART);

  /** Takes an object; null if there is none. */
  @Nullable
  T take() {
    int first = preferred();
    for (int i = 0; i < SIZE; i++) {
      int place = place(first + i);
      if (places.getPlain(place) != null) {
        T taken = places.getAndSet(place, null);
        if (taken != null) {
          return taken;
        }
      }
    }
    return null;
  }

  /**
   * Keeps an object for its next user; drops it if there is no place, or another thread is faster.
   */
  void give(T object) {
    int first = preferred();
    for (int i = 0; i < SIZE; i++) {
      int place = place(first + i);
      if (places.getPlain(place) == null) {
        places.setRelease(place, object); // a full fence costs more than a short text
        return;
      }
    }
  }

  private static int preferred() {
    return (int) Thread.currentThread().getId();
  }

  private static int place(int number) {
    return (number & (SIZE - 1)) * APART;
  }
}

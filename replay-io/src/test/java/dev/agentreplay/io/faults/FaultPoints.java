package dev.agentreplay.io.faults;

import java.io.FileDescriptor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The points of the library at which an Error can be thrown, as {@link FaultyLoader} puts them into
 * its code: one run counts them, the next throws at one of them. Only one thread at a time meets
 * them.
 */
public final class FaultPoints {

  /** Throws what a thread may meet at any point. */
  enum Fault {
    OUT_OF_MEMORY {
      @Override
      Error error(int point) {
        return new OutOfMemoryError("injected at point " + point);
      }
    },
    STACK_OVERFLOW {
      @Override
      Error error(int point) {
        return new StackOverflowError("injected at point " + point);
      }
    };

    abstract Error error(int point);
  }

  private static volatile @Nullable Thread victim;
  private static int suspended;
  private static int met;
  private static int throwAt = Integer.MAX_VALUE;
  private static int throwAgainAt = -1;
  private static boolean isThrownTwice;
  private static Fault fault = Fault.OUT_OF_MEMORY;
  private static int[] sites = new int[1024];

  private FaultPoints() {}

  /** Counts from now on what this thread meets, and throws nothing. */
  static void count() {
    throwAt(Integer.MAX_VALUE, Fault.OUT_OF_MEMORY, false);
  }

  /**
   * Throws when this thread meets the n-th point from now.
   *
   * @param isTwice whether it throws again when the same place in the code is met next
   */
  static void throwAt(int point, Fault thrown, boolean isTwice) {
    met = 0;
    suspended = 0;
    throwAt = point;
    throwAgainAt = -1;
    isThrownTwice = isTwice;
    fault = thrown;
    victim = Thread.currentThread();
  }

  /** Nothing is thrown any more. */
  static void stop() {
    victim = null;
  }

  /** The place of each point that was met, in order. */
  static int[] sites() {
    return Arrays.copyOf(sites, Math.min(met, sites.length));
  }

  /** This thread is at a point; called by the code of the library. */
  public static void meet(int site) {
    if (Thread.currentThread() != victim || suspended > 0) {
      return;
    }
    if (met == sites.length) {
      sites = Arrays.copyOf(sites, met * 2);
    }
    sites[met++] = site;
    if (met == throwAt) {
      throwAgainAt = isThrownTwice ? site : -1;
      throw fault.error(met);
    }
    if (site == throwAgainAt) {
      throwAgainAt = -1;
      throw fault.error(met);
    }
  }

  /** A class is initialized: an Error there would be met by every run that follows. */
  public static void beginInitializer() {
    if (Thread.currentThread() == victim) {
      suspended++;
    }
  }

  /** Its initializer ends. */
  public static void endInitializer() {
    if (Thread.currentThread() == victim) {
      suspended--;
    }
  }

  /** Takes the place of a force of the disk, which no run waits for. */
  public static void sync(FileDescriptor file) {
    if (!file.valid()) {
      throw new IllegalStateException("the file is closed");
    }
  }
}

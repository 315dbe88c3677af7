package dev.agentreplay.benchmarks;

import dev.agentreplay.io.recording.ReplayWriter;
import dev.agentreplay.model.ReplayHeader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;

/**
 * Measures the events per second that threads write to one log with {@code WRITTEN}, by number of
 * threads, relative to one thread; with Java 21 or later also virtual threads, and how often one of
 * them pinned its carrier. The rounds are interleaved; the figures are medians.
 *
 * <pre>
 * java -cp replay-benchmarks/target/benchmarks.jar dev.agentreplay.benchmarks.EmitThroughput
 * </pre>
 */
public final class EmitThroughput {

  private static final int[] THREADS = {1, 2, 8, 64, 512};
  private static final int WARM_UP_ROUNDS = 2;
  private static final int ROUNDS = 7;
  private static final int EVENTS = 60_000;
  private static final String PINNED = "jdk.VirtualThreadPinned";

  private EmitThroughput() {}

  /** Measures and prints a table. */
  public static void main(String[] args) throws Exception {
    System.out.printf("%-20s %12s %8s%n", "", "events/s", "x one");
    measure("threads", Thread::new);
    ThreadFactory virtual = virtualThreads();
    if (virtual == null) {
      return;
    }
    Path recorded = Files.createTempFile("pinned", ".jfr");
    try (Recording recording = new Recording()) {
      recording.enable(PINNED).withoutThreshold();
      recording.start();
      measure("virtual threads", virtual);
      recording.stop();
      recording.dump(recorded);
      System.out.println(PINNED + ": " + RecordingFile.readAllEvents(recorded).size());
    } finally {
      Files.delete(recorded);
    }
  }

  private static void measure(String name, ThreadFactory factory)
      throws IOException, InterruptedException {
    long[][] nanos = new long[THREADS.length][ROUNDS];
    for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
      for (int i = 0; i < THREADS.length; i++) {
        nanos[i][Math.max(round, 0)] = nanosPerEvent(THREADS[i], factory);
      }
    }
    double one = Rounds.median(nanos[0]);
    for (int i = 0; i < THREADS.length; i++) {
      double median = Rounds.median(nanos[i]);
      System.out.printf(
          "%-20s %12.0f %8.2f%n", THREADS[i] + " " + name, 1e9 / median, one / median);
    }
  }

  private static long nanosPerEvent(int threads, ThreadFactory factory)
      throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("replay-emit");
    try (ReplayWriter writer =
        ReplayWriter.create(directory.resolve("log"), ReplayHeader.of("p"))) {
      CountDownLatch start = new CountDownLatch(1);
      AtomicReference<IOException> failure = new AtomicReference<>();
      List<Thread> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        Thread thread = factory.newThread(() -> {
          try {
            start.await();
            for (int event = 0; event < EVENTS / threads; event++) {
              writer.emit(EmitContender.CALL);
            }
          } catch (IOException e) {
            failure.set(e);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
        thread.start();
        all.add(thread);
      }
      long from = System.nanoTime();
      start.countDown();
      for (Thread thread : all) {
        thread.join();
      }
      long nanos = System.nanoTime() - from;
      if (failure.get() != null) {
        throw failure.get();
      }
      return nanos / (EVENTS / threads * threads);
    } finally {
      Rounds.delete(directory);
    }
  }

  /** Creates virtual threads; null before Java 21. */
  private static ThreadFactory virtualThreads() throws ReflectiveOperationException {
    if (Runtime.version().feature() < 21) {
      return null;
    }
    Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
    return (ThreadFactory)
        Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
  }
}

package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.log.LogRecovery;
import dev.agentreplay.io.log.Recovery;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Threads that emit are interrupted again and again: no event is lost, and no interrupt is. */
class InterruptedWriterTest {

  private static final int THREADS = 3;
  private static final int INTERRUPTS = 100 * Integer.getInteger("replay.effort", 1);
  private static final int MAX_PAUSE_NANOS = 100_000;
  private static final long SEGMENT_BYTES = 100_000;
  private static final long PATIENCE_SECONDS = 300;

  @TempDir
  private Path directory;

  @ParameterizedTest
  @EnumSource(Durability.class)
  void interrupts_are_kept_and_lose_nothing(Durability durability) throws Exception {
    Path log = directory.resolve("log");
    List<List<String>> emitted = new ArrayList<>();
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try (ReplayWriter writer = ReplayWriter.create(
        log,
        ReplayHeader.of("p"),
        WriterOptions.defaults().withDurability(durability).withMaxSegmentBytes(SEGMENT_BYTES))) {
      List<Emitter> emitters = new ArrayList<>();
      List<Future<List<String>>> results = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Emitter emitter = new Emitter(writer, i);
        emitters.add(emitter);
        results.add(pool.submit(emitter));
      }
      interruptAtRandom(emitters, writer, new SplittableRandom(durability.ordinal()));
      for (int i = 0; i < THREADS; i++) {
        emitters.get(i).enough = true;
        emitted.add(results.get(i).get());
      }
    } finally {
      pool.shutdownNow();
    }
    assertThat(read(log)).isEqualTo(emitted);
  }

  private static void interruptAtRandom(
      List<Emitter> emitters, ReplayWriter writer, SplittableRandom random)
      throws IOException, InterruptedException {
    for (int i = 0; i < INTERRUPTS; i++) {
      long moment = System.nanoTime() + random.nextInt(MAX_PAUSE_NANOS);
      while (System.nanoTime() < moment) {
        Thread.onSpinWait();
      }
      emitters.get(random.nextInt(THREADS)).interrupt();
      if (random.nextInt(10) == 0) {
        Thread.currentThread().interrupt();
        writer.sync();
        assertThat(Thread.interrupted()).as("flag after sync").isTrue();
      }
    }
  }

  /** The ids of the calls in the log, by thread. */
  private static List<List<String>> read(Path log) throws IOException {
    List<List<String>> ids = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      ids.add(new ArrayList<>());
    }
    Recovery recovery = LogRecovery.of(LocalDisk.INSTANCE, log).inspect(line -> {
      if (line.event() instanceof ToolCall call) {
        ids.get(Integer.parseInt(call.tool())).add(call.id());
      }
    });
    assertThat(recovery).isInstanceOf(Recovery.Open.class);
    return ids;
  }

  private static final class Emitter implements Callable<List<String>> {
    private final ReplayWriter writer;
    private final int number;
    private final CountDownLatch started = new CountDownLatch(1);
    private final Semaphore seen = new Semaphore(0);
    private volatile Thread thread;
    private volatile boolean enough;

    Emitter(ReplayWriter writer, int number) {
      this.writer = writer;
      this.number = number;
    }

    @Override
    public List<String> call() throws IOException {
      thread = Thread.currentThread();
      started.countDown();
      List<String> emitted = new ArrayList<>();
      while (!enough) {
        String id = "call-" + emitted.size();
        writer.emit(ToolCall.of(id, Integer.toString(number), JsonObject.EMPTY));
        emitted.add(id);
        if (Thread.interrupted()) {
          seen.release();
        }
      }
      return emitted;
    }

    /** Interrupts it, and waits until it has seen that. */
    void interrupt() throws InterruptedException {
      started.await();
      thread.interrupt();
      assertThat(seen.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS))
          .as("the interrupt is seen after emit")
          .isTrue();
    }
  }
}

package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.log.LogRecovery;
import dev.agentreplay.io.log.Recovery;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that writes is killed at a random moment: every event that was acknowledged is there.
 * {@code -Dreplay.effort=N} kills more of them.
 */
class KilledWriterTest {

  private static final int KILLS = 6 * Integer.getInteger("replay.effort", 1);
  private static final int HALT_STATUS = 77;
  private static final int ACK_STRIDE = 64;
  private static final int[] PADDINGS = {200, 64_000, 1_000_000};
  private static final int[] EVENTS_BEFORE_KILL = {2_000, 100, 8};
  private static final int[] THREADS = {1, 8};
  private static final Durability[] DURABILITIES = {
    Durability.WRITTEN, Durability.INTERVAL, Durability.WRITTEN, Durability.FSYNC
  };

  @TempDir
  private Path directory;

  @Test
  void killed_process_loses_no_event_that_was_acknowledged() {
    IntStream.range(0, KILLS).parallel().forEach(number -> {
      try {
        killAndCheck(number);
      } catch (Exception | AssertionError e) {
        throw new AssertionError("kill " + number + ": " + e.getMessage(), e);
      }
    });
  }

  @Test
  void process_that_halts_right_after_emit_loses_nothing() throws Exception {
    Path log = directory.resolve("halted");
    try (ChildJvm child = ChildJvm.start(HaltingChild.class, log)) {
      assertThat(child.waitFor()).isEqualTo(HALT_STATUS);
    }
    assertThat(LogRecovery.of(log).inspect().events()).isEqualTo(1 + HaltingChild.EVENTS);
  }

  private void killAndCheck(int number) throws IOException, InterruptedException {
    SplittableRandom random = new SplittableRandom(number);
    int size = number % PADDINGS.length;
    int threads = THREADS[number / PADDINGS.length % THREADS.length];
    Durability durability = DURABILITIES[random.nextInt(DURABILITIES.length)];
    int events = 1 + random.nextInt(EVENTS_BEFORE_KILL[size]);
    long segmentBytes = random.nextBoolean() ? Long.MAX_VALUE : 5L * PADDINGS[size];
    Path folder = Files.createDirectory(directory.resolve("kill-" + number));
    Path log = folder.resolve("log");
    Path acks = folder.resolve("acks");
    Files.write(acks, new byte[threads * ACK_STRIDE]);
    try (ChildJvm child = ChildJvm.start(
        WritingChild.class, log, acks, threads, PADDINGS[size], events, durability, segmentBytes)) {
      assertThat(child.readLine()).isEqualTo("enough");
      long moment = System.nanoTime() + random.nextInt(3_000_000);
      while (System.nanoTime() < moment) {
        Thread.onSpinWait();
      }
      child.kill();
    }

    try (FileChannel channel = FileChannel.open(acks)) {
      MappedByteBuffer counts = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
      long[] written = new long[threads];
      Recovery recovery = LogRecovery.of(LocalDisk.INSTANCE, log).inspect(line -> {
        if (line.event() instanceof ToolCall call) {
          String[] id = call.id().split(":");
          int thread = Integer.parseInt(id[0]);
          assertThat(id[1]).isEqualTo(Long.toString(written[thread]));
          written[thread]++;
        }
      });
      assertThat(recovery).isInstanceOfAny(Recovery.Open.class, Recovery.TornTail.class);
      for (int thread = 0; thread < threads; thread++) {
        assertThat(written[thread])
            .as("events of thread %d", thread)
            .isGreaterThanOrEqualTo(counts.getLong(thread * ACK_STRIDE))
            .isLessThanOrEqualTo(counts.getLong(thread * ACK_STRIDE) + 1);
      }
      try (ReplayWriter writer = ReplayWriter.append(log, WriterOptions.defaults())) {
        writer.emit(ToolCall.of("next", "t", JsonObject.EMPTY));
      }
      assertThat(LogRecovery.of(log).inspect()).isInstanceOf(Recovery.Open.class);
      assertThat(LogRecovery.of(log).inspect().events()).isEqualTo(recovery.events() + 1);
    }
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
  }

  /** Writes with several threads until it is killed. */
  static final class WritingChild {

    /** The number of bytes after which the threads wait, so that they do not fill the disk. */
    private static final long MAX_BYTES = 512L << 20;

    private WritingChild() {}

    public static void main(String[] args) throws IOException {
      ChildJvm.dieWithParent();
      int threads = Integer.parseInt(args[2]);
      String padding = "x".repeat(Integer.parseInt(args[3]));
      long enough = Long.parseLong(args[4]);
      MappedByteBuffer acks;
      try (FileChannel channel =
          FileChannel.open(Path.of(args[1]), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        acks = channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size());
      }
      // never closed: the process dies first
      ReplayWriter writer = ReplayWriter.create(
          Path.of(args[0]),
          ReplayHeader.of("child"),
          WriterOptions.defaults()
              .withDurability(Durability.valueOf(args[5]))
              .withMaxSegmentBytes(Long.parseLong(args[6])));
      AtomicLong total = new AtomicLong();
      JsonObject params = JsonObject.of("text", padding);
      for (int i = 0; i < threads; i++) {
        int thread = i;
        new Thread(() -> {
              try {
                for (long event = 0; true; event++) {
                  writer.emit(ToolCall.of(thread + ":" + event, "t", params));
                  acks.putLong(thread * ACK_STRIDE, event + 1);
                  long written = total.incrementAndGet();
                  if (written == enough) {
                    System.out.println("enough");
                  }
                  while (written * padding.length() > MAX_BYTES) {
                    LockSupport.park(); // until a parent that is late kills this process
                  }
                }
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            })
            .start();
      }
    }
  }

  /** Writes, and is gone without another word. */
  static final class HaltingChild {
    static final int EVENTS = 200;

    private HaltingChild() {}

    public static void main(String[] args) throws IOException {
      ReplayWriter writer = ReplayWriter.create(Path.of(args[0]), ReplayHeader.of("child"));
      for (int i = 0; i < EVENTS; i++) {
        writer.emit(ToolCall.of("call-" + i, "t", JsonObject.of("text", "x".repeat(3_000))));
      }
      Runtime.getRuntime().halt(HALT_STATUS);
    }
  }
}

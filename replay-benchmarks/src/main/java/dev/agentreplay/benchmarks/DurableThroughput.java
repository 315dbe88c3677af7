package dev.agentreplay.benchmarks;

import dev.agentreplay.io.recording.Durability;
import dev.agentreplay.io.recording.ReplayWriter;
import dev.agentreplay.io.recording.WriterOptions;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonObject;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Measures the events per second that can be made durable against power loss (fsync), by number of
 * threads, relative to one thread, and to a raw append and fsync of a line of the same length. The
 * rounds are interleaved; the figures are medians.
 *
 * <pre>
 * java -cp replay-benchmarks/target/benchmarks.jar dev.agentreplay.benchmarks.DurableThroughput
 * </pre>
 */
public final class DurableThroughput {

  private static final int[] THREADS = {1, 2, 4, 8, 16, 32};
  private static final int ROUNDS = 7;
  private static final long ROUND_NANOS = 500_000_000L;
  private static final JsonObject PARAMS = JsonObject.of("text", "x".repeat(80));

  private DurableThroughput() {}

  /** Writes one event and forces it to disk (fsync). */
  private interface Emitter {
    void emit() throws IOException;
  }

  /** Measures and prints a table. The argument is the directory; the default is a temporary one. */
  public static void main(String[] args) throws Exception {
    Path parent =
        args.length == 0 ? Path.of(System.getProperty("java.io.tmpdir")) : Path.of(args[0]);
    Path directory = Files.createTempDirectory(parent, "durable");
    Path log = directory.resolve("log");
    Path raw = directory.resolve("raw");
    WriterOptions options = WriterOptions.defaults().withDurability(Durability.FSYNC);
    List<List<Double>> perSecond = new ArrayList<>();
    List<Double> rawPerSecond = new ArrayList<>();
    for (int i = 0; i < THREADS.length; i++) {
      perSecond.add(new ArrayList<>());
    }
    try (ReplayWriter writer = ReplayWriter.create(log, ReplayHeader.of("p"), options);
        FileOutputStream out = new FileOutputStream(raw.toFile(), true)) {
      ToolCall call = ToolCall.of("call-1", "file_read", PARAMS);
      byte[] line = new byte[300];
      for (int round = -1; round < ROUNDS; round++) {
        double rawRate = rate(1, () -> {
          out.write(line);
          out.getFD().sync();
        });
        if (round >= 0) {
          rawPerSecond.add(rawRate);
        }
        for (int i = 0; i < THREADS.length; i++) {
          double rate = rate(THREADS[i], () -> writer.emit(call));
          if (round >= 0) {
            perSecond.get(i).add(rate);
          }
        }
      }
    } finally {
      Files.delete(log);
      Files.delete(raw);
      Files.delete(directory);
    }
    double one = median(perSecond.get(0));
    System.out.printf("%-12s %12s %10s%n", "", "events/s", "x one");
    System.out.printf(
        "%-12s %12.0f %10.2f%n", "raw append", median(rawPerSecond), median(rawPerSecond) / one);
    for (int i = 0; i < THREADS.length; i++) {
      double rate = median(perSecond.get(i));
      System.out.printf("%-12s %12.0f %10.2f%n", THREADS[i] + " threads", rate, rate / one);
    }
  }

  private static double rate(int threads, Emitter emitter)
      throws InterruptedException, ExecutionException {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      long start = System.nanoTime();
      List<Future<Long>> counts = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        counts.add(pool.submit(() -> {
          long count = 0;
          while (System.nanoTime() - start < ROUND_NANOS) {
            emitter.emit();
            count++;
          }
          return count;
        }));
      }
      long count = 0;
      for (Future<Long> one : counts) {
        count += one.get();
      }
      return count * 1e9 / (System.nanoTime() - start);
    } finally {
      pool.shutdownNow();
    }
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }
}

package dev.agentreplay.benchmarks;

import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/**
 * Measures the latency of an event for every {@link EmitContender.Kind} in interleaved batches.
 * Other load of the machine affects all contenders equally, so that the ratios are more reliable
 * than the absolute figures.
 *
 * <pre>
 * java -cp replay-benchmarks/target/benchmarks.jar dev.agentreplay.benchmarks.EmitLatency
 * </pre>
 */
public final class EmitLatency {

  private static final int BATCH = 2_000;
  private static final int WARM_UP_ROUNDS = 100;
  private static final int ROUNDS = 300;

  private EmitLatency() {}

  /**
   * Measures and prints a table. The argument is the number of rounds; the default is
   * {@value #ROUNDS}.
   */
  public static void main(String[] args) throws IOException {
    int rounds = args.length == 0 ? ROUNDS : Integer.parseInt(args[0]);
    Map<EmitContender.Kind, long[]> nanos = new EnumMap<>(EmitContender.Kind.class);
    Map<EmitContender.Kind, EmitFile> files = new EnumMap<>(EmitContender.Kind.class);
    try {
      for (EmitContender.Kind kind : EmitContender.Kind.values()) {
        nanos.put(kind, new long[rounds * BATCH]);
        files.put(kind, new EmitFile(kind));
      }
      for (EmitFile file : files.values()) {
        file.requireSameLine();
      }
      for (int round = -WARM_UP_ROUNDS; round < rounds; round++) {
        for (EmitContender.Kind kind : EmitContender.Kind.values()) {
          measure(files.get(kind), nanos.get(kind), Math.max(round, 0) * BATCH);
        }
      }
    } finally {
      for (EmitFile file : files.values()) {
        file.close();
      }
    }
    print(nanos);
  }

  private static void measure(EmitFile file, long[] nanos, int from) throws IOException {
    file.reserve(BATCH);
    for (int i = from; i < from + BATCH; i++) {
      long start = System.nanoTime();
      file.emit();
      nanos[i] = System.nanoTime() - start;
    }
  }

  private static void print(Map<EmitContender.Kind, long[]> nanos) {
    nanos.values().forEach(Arrays::sort);
    long[] raw = nanos.get(EmitContender.Kind.RAW_APPEND);
    System.out.printf(
        "%-16s %9s %9s %9s %9s %9s %9s%n",
        "", "p50 ns", "x raw", "p99 ns", "x raw", "mean ns", "x raw");
    nanos.forEach((kind, of) -> System.out.printf(
        "%-16s %9d %9.2f %9d %9.2f %9.0f %9.2f%n",
        kind,
        percentile(of, 50),
        (double) percentile(of, 50) / percentile(raw, 50),
        percentile(of, 99),
        (double) percentile(of, 99) / percentile(raw, 99),
        mean(of),
        mean(of) / mean(raw)));
  }

  /** The mean without the slowest 0.01%, which are interruptions by the machine. */
  private static double mean(long[] sorted) {
    return Arrays.stream(sorted, 0, sorted.length - sorted.length / 10_000)
        .average()
        .orElseThrow();
  }

  private static long percentile(long[] sorted, int percent) {
    return sorted[(int) ((long) sorted.length * percent / 100)];
  }
}

package dev.agentreplay.testkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Latencies of the loop of an agent that calls a model and a tool in turn. The latency of a tool
 * call is the time from the call of the model to that of the tool, in which an answer and a tool
 * call are recorded; that of a model call is the time from the call of the tool to the next one of
 * the model, in which a result and a model call are recorded. Both include the work of the agent's
 * framework. Confined to one thread at a time.
 */
public final class LoopLatency {

  private static final int BATCH = 10;
  private static final int WARM_UP_ROUNDS = 15;
  private static final int ROUNDS = 60;

  private final Samples toolCalls = new Samples();
  private final Samples modelCalls = new Samples();
  private final Samples runs = new Samples();
  private boolean isMeasured;
  private boolean isStart;
  private long last;

  private LoopLatency() {}

  /** Says that the model is called. */
  public void modelCalled() {
    add(modelCalls);
  }

  /** Says that the tool is called. */
  public void toolCalled() {
    add(toolCalls);
  }

  private void add(Samples samples) {
    long now = System.nanoTime();
    if (isMeasured && !isStart) {
      samples.add(now - last);
    }
    isStart = false;
    last = System.nanoTime();
  }

  private void run(Runnable agent, boolean measured) {
    isMeasured = measured;
    for (int i = 0; i < BATCH; i++) {
      isStart = true;
      long started = System.nanoTime();
      agent.run();
      if (measured) {
        runs.add(System.nanoTime() - started);
      }
    }
  }

  /**
   * Runs agents in batches that take turns, and prints a table of their latencies.
   *
   * @param arguments those of the program: the number of rounds, or nothing
   * @param agents by name; each is made with the latencies that it reports to
   */
  public static void compare(
      String[] arguments, Map<String, Function<LoopLatency, Runnable>> agents) {
    int rounds = arguments.length == 0 ? ROUNDS : Integer.parseInt(arguments[0]);
    List<Compared> compared = new ArrayList<>();
    agents.forEach((name, agent) -> {
      LoopLatency latency = new LoopLatency();
      compared.add(new Compared(name, latency, agent.apply(latency)));
    });
    for (int round = -WARM_UP_ROUNDS; round < rounds; round++) {
      for (Compared each : compared) {
        each.latency.run(each.agent, round >= 0);
      }
    }
    System.out.printf(
        "%-20s %17s %17s %17s%n", "us, p50 and p99", "a tool call", "a model call", "a run");
    for (Compared each : compared) {
      System.out.printf(
          "%-20s %8.0f %8.0f %8.0f %8.0f %8.0f %8.0f%n",
          each.name,
          each.latency.toolCalls.micros(50),
          each.latency.toolCalls.micros(99),
          each.latency.modelCalls.micros(50),
          each.latency.modelCalls.micros(99),
          each.latency.runs.micros(50),
          each.latency.runs.micros(99));
    }
  }

  private record Compared(String name, LoopLatency latency, Runnable agent) {}

  /** Times in nanoseconds. */
  private static final class Samples {
    private long[] nanos = new long[1 << 12];
    private int count;

    void add(long sample) {
      if (count == nanos.length) {
        nanos = Arrays.copyOf(nanos, count * 2);
      }
      nanos[count++] = sample;
    }

    double micros(int percent) {
      long[] sorted = Arrays.copyOf(nanos, count);
      Arrays.sort(sorted);
      return sorted[(int) ((long) count * percent / 100)] / 1e3;
    }
  }
}

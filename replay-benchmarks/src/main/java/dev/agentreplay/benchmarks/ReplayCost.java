package dev.agentreplay.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentreplay.benchmarks.ReadLog.Call;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayAgent;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Measures the replay of a session whose calls are served from the recording, relative to recording
 * the same calls, and to cassettes: recorded answers in memory, and behind HTTP. The rounds are
 * interleaved, so that other load of the machine affects them equally.
 *
 * <pre>
 * java -cp replay-benchmarks/target/benchmarks.jar dev.agentreplay.benchmarks.ReplayCost
 * </pre>
 */
public final class ReplayCost {

  private static final int CALLS = 10_000;
  private static final int WARM_UP_ROUNDS = 5;
  private static final int ROUNDS = 11;

  private static final Logger LOG = Logger.getLogger("dev.agentreplay.engine.replay");

  private ReplayCost() {}

  /** Answers a call. */
  private interface Answers {
    void answer(Call call) throws Exception;
  }

  /** A contender: the time of each round, and that of each call of the last one. */
  private static final class Times {
    final String name;
    final long[] rounds = new long[ROUNDS];
    long[] calls = new long[CALLS];

    Times(String name) {
      this.name = name;
    }

    void print(Times unit) {
      double all = Arrays.stream(calls).sum() / 1e6;
      Arrays.sort(calls);
      System.out.printf(
          "%-22s %8.1f ms %6.2f x   %8.1f ms in calls, each p50 %6.1f us, p99 %7.1f us%n",
          name,
          Rounds.median(rounds) / 1e6,
          (double) Rounds.median(rounds) / Rounds.median(unit.rounds),
          all,
          calls[calls.length / 2] / 1e3,
          calls[calls.length * 99 / 100] / 1e3);
    }
  }

  /** Measures and prints medians. */
  public static void main(String[] args) throws Exception {
    LOG.setLevel(Level.WARNING);
    Path directory = Files.createTempDirectory("replay-cost");
    try {
      speed(directory, ReadLog.calls(CALLS));
      System.out.println("bytes of heap for each exchange, at the end of the agent:");
      for (int count : new int[] {10_000, 100_000}) {
        memory(directory, count);
      }
    } finally {
      Rounds.delete(directory);
    }
  }

  private static void speed(Path directory, List<Call> calls) throws Exception {
    Session session = record(directory.resolve("session"), calls, new Times(""));
    Path file = directory.resolve("cassette.jsonl");
    writeCassette(file, calls);
    System.out.printf("%,d calls, a log of %,d bytes%n", CALLS, Files.size(session.log()));
    Times record = new Times("record");
    Times replay = new Times("replay, served");
    Times memory = new Times("cassette in memory");
    Times http = new Times("cassette behind HTTP");
    for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
      int at = Math.max(round, 0);
      Path copy = directory.resolve("record-" + (round + WARM_UP_ROUNDS));
      long start = System.nanoTime();
      record(copy, calls, record);
      record.rounds[at] = System.nanoTime() - start;
      Rounds.delete(copy);
      start = System.nanoTime();
      replay(session, calls, replay);
      replay.rounds[at] = System.nanoTime() - start;
      start = System.nanoTime();
      Cassette inMemory = new Cassette(file);
      each(calls, memory, call -> inMemory.answer(request(call)));
      memory.rounds[at] = System.nanoTime() - start;
      start = System.nanoTime();
      try (Cassette.Http behindHttp = new Cassette.Http(new Cassette(file))) {
        each(calls, http, call -> behindHttp.answer(request(call)));
      }
      http.rounds[at] = System.nanoTime() - start;
    }
    for (Times times : List.of(record, replay, memory, http)) {
      times.print(record);
    }
  }

  private static void each(List<Call> calls, Times times, Answers answers) throws Exception {
    long[] nanos = new long[calls.size()];
    int at = 0;
    for (Call call : calls) {
      long start = System.nanoTime();
      answers.answer(call);
      nanos[at++] = System.nanoTime() - start;
    }
    times.calls = nanos;
  }

  private static JsonNode request(Call call) throws IOException {
    return Cassette.request(call.tool(), Cassette.JSON.readTree(call.params().toString()));
  }

  private static ReplayAgent agent(List<Call> calls, Times times) {
    return scope -> {
      each(calls, times, call -> scope.call(call.tool(), call.params()));
      scope.end(SessionEnd.of(Status.SUCCESS));
    };
  }

  private static void replay(Session session, List<Call> calls, Times times) throws Exception {
    requireIdentical(Replay.of(session).mode(ReplayMode.MOCK).run(agent(calls, times)));
  }

  private static void requireIdentical(ReplayReport report) {
    if (!report.isIdentical()) {
      throw new IllegalStateException(report.headline());
    }
  }

  /** Replays a session, and prints the heap that is in use when its agent has made all calls. */
  private static void memory(Path directory, int count) throws Exception {
    List<Call> calls = ReadLog.calls(count);
    Session session = record(directory.resolve("memory-" + count), calls, new Times(""));
    long[] used = new long[1];
    long before = used();
    requireIdentical(Replay.of(session).mode(ReplayMode.MOCK).run(scope -> {
      agent(calls, new Times("")).run(scope);
      used[0] = used();
    }));
    System.out.printf("  %,8d exchanges %,8d%n", count, (used[0] - before) / count);
  }

  private static long used() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static Session record(Path directory, List<Call> calls, Times times) throws Exception {
    try (SessionRecorder recorder =
        SessionRecorder.start(directory, SessionStart.of("s"), RecorderOptions.defaults())) {
      AgentScope scope = AgentScope.recording(recorder, Executors.none());
      each(calls, times, call -> scope.run(call.tool(), call.params(), call::output));
      scope.end(SessionEnd.of(Status.SUCCESS));
    }
    return Session.open(directory);
  }

  private static void writeCassette(Path file, List<Call> calls) throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (Call call : calls) {
        JsonNode answer = Cassette.JSON.readTree(call.output().toString());
        out.write(Cassette.JSON.writeValueAsString(Cassette.exchange(request(call), answer)));
        out.newLine();
      }
    }
  }
}

package dev.agentreplay.engine.replay;

import static dev.agentreplay.engine.replay.TestRecordings.path;
import static dev.agentreplay.engine.replay.TestRecordings.requireClosedCounts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.exchange.MissKind;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayTimeouts;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Agents in lanes of their own, and requests of many threads. */
@Timeout(60)
class ReplayLanesTest {

  private static final int THREADS = 64;

  @TempDir
  Path directory;

  private static final JsonObject SAME = JsonObject.of("q", "login");

  /** Two sub-agents make the same request, and get different results. */
  private static void search(AgentScope scope, List<JsonValue> found, String... agents)
      throws Exception {
    for (String agent : agents) {
      AgentScope lane = scope.agent(agent, null);
      found.add(lane.run("search", SAME, () -> "found by " + agent));
      found.add(lane.run("search", SAME, () -> "found again by " + agent));
    }
  }

  private Session recordLanes() throws Exception {
    return TestRecordings.record(
        directory.resolve("recorded"),
        scope -> search(scope, new ArrayList<>(), "one", "two"),
        dev.agentreplay.engine.replay.execution.Executors.none());
  }

  @Test
  void the_same_request_in_two_lanes_gets_the_results_of_its_lane() throws Exception {
    Session session = recordLanes();
    List<JsonValue> found = new ArrayList<>();

    ReplayReport report = Replay.of(session)
        .mode(ReplayMode.MOCK)
        .run(scope -> search(scope, found, "two", "one")); // lanes have no order among them

    assertThat(found)
        .containsExactly(
            JsonString.of("found by two"),
            JsonString.of("found again by two"),
            JsonString.of("found by one"),
            JsonString.of("found again by one"));
    assertThat(report.divergences()).isEmpty();
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    requireClosedCounts(report);
  }

  @Test
  void a_request_in_a_different_lane_is_a_miss() throws Exception {
    Session session = recordLanes();

    ReplayReport other = Replay.of(session)
        .mode(ReplayMode.MOCK)
        .run(scope -> search(scope, new ArrayList<>(), "one", "three"));
    ReplayReport main =
        Replay.of(session).mode(ReplayMode.MOCK).run(scope -> scope.call("search", SAME));

    assertThat(other.root().miss().kind()).isEqualTo(MissKind.NEVER_RECORDED);
    assertThat(other.root().message()).contains("no agent with this id");
    assertThat(other.root().agent()).isEqualTo("three");
    assertThat(other.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(main.root().message()).contains("no exchange of the main agent");
    assertThat(main.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
  }

  @Test
  void a_lane_that_is_exhausted_does_not_take_exchanges_of_the_other() throws Exception {
    Session session = recordLanes();

    ReplayReport report = Replay.of(session).mode(ReplayMode.MOCK).run(scope -> {
      search(scope, new ArrayList<>(), "one");
      scope.agent("one", null).call("search", SAME);
    });

    assertThat(report.root().miss().kind()).isEqualTo(MissKind.EXHAUSTED);
    assertThat(report.exchanges().served()).isEqualTo(2);
    requireClosedCounts(report);
  }

  /** Calls a tool in many threads; with a barrier, all calls run at the same time. */
  private static ReplayAgent concurrent() {
    return scope -> {
      List<Callable<JsonValue>> calls = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int number = i;
        calls.add(() -> scope.call("read_file", path(number)));
      }
      for (Future<JsonValue> result : inThreads(calls)) {
        result.get();
      }
    };
  }

  private static <T> List<Future<T>> inThreads(List<Callable<T>> calls) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(calls.size());
    try {
      return threads.invokeAll(calls);
    } finally {
      threads.shutdownNow();
    }
  }

  private static ToolExecutor together() {
    CyclicBarrier barrier = new CyclicBarrier(THREADS);
    return call -> {
      barrier.await();
      return TestRecordings.echo().execute(call);
    };
  }

  private Session recordConcurrent() throws Exception {
    return TestRecordings.record(
        directory.resolve("recorded"),
        concurrent(),
        dev.agentreplay.engine.replay.execution.Executors.none().withTool("read_file", together()));
  }

  @Test
  void concurrent_tools_are_executed_at_the_same_time_and_each_is_matched_once() throws Exception {
    Session session = recordConcurrent();

    ReplayReport live = Replay.of(session)
        .mode(ReplayMode.TOOLS_LIVE)
        .tool("read_file", Effect.PURE, together())
        .timeouts(ReplayTimeouts.defaults().withStep(Duration.ofMinutes(1)))
        .run(concurrent());
    ReplayReport mock = Replay.of(session).mode(ReplayMode.MOCK).run(concurrent());

    assertThat(live.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(live.exchanges().executed()).isEqualTo(THREADS);
    assertThat(mock.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(mock.exchanges().served()).isEqualTo(THREADS);
    requireClosedCounts(live);
    requireClosedCounts(mock);
  }

  @Test
  void replays_of_one_recording_at_the_same_time_do_not_affect_one_another() throws Exception {
    Session session = new SampleAgent(5).record(directory.resolve("recorded"));
    byte[] before = Files.readAllBytes(session.log());
    List<Callable<ReplayReport>> replays = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      SampleAgent agent = new SampleAgent(5);
      agent.model = i % 4 == 3 ? "gpt-6" : "gpt-5";
      replays.add(() -> Replay.of(session).mode(ReplayMode.MOCK).run(agent));
    }

    List<Future<ReplayReport>> reports = inThreads(replays);

    for (int i = 0; i < reports.size(); i++) {
      ReplayReport report = reports.get(i).get();
      assertThat(report.verdict())
          .isEqualTo(i % 4 == 3 ? ReplayVerdict.DIVERGED : ReplayVerdict.IDENTICAL);
      requireClosedCounts(report);
    }
    assertThat(Files.readAllBytes(session.log())).isEqualTo(before);
  }

  @Test
  void the_threads_and_files_of_a_replay_end_with_it() throws Exception {
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    Session session = recordConcurrent();
    ReplayListener failing = new ReplayListener() {
      @Override
      public void exchange(LedgerEntry entry) {
        if (entry.number() == 1) {
          throw new AssertionError("of the listener");
        }
      }
    };
    ReplayReport report = Replay.of(session)
        .mode(ReplayMode.TOOLS_LIVE)
        .tool("read_file", Effect.PURE, together())
        .timeouts(ReplayTimeouts.defaults().withStep(Duration.ofMinutes(1)))
        .listener(failing)
        .run(concurrent());
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    Replay.of(session).mode(ReplayMode.MOCK).run(scope -> {
      throw new StackOverflowError("of the agent");
    });
    Replay.of(session).mode(ReplayMode.MOCK).start().close();

    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("replay-") && !before.contains(thread)) {
        thread.join();
      }
    }
    assertThat(TestRecordings.temporaryDirectories(session)).isEmpty();
  }
}

package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.context.ContextOptions;
import dev.agentreplay.io.context.DeterministicContext;
import dev.agentreplay.model.RecordedValue;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionStart;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several threads use the context of one recorder. */
class RecordedContextThreadsTest {

  private static final int THREADS = 16;
  private static final int VALUES = 100;
  private static final RecorderOptions OPTIONS =
      RecorderOptions.defaults().withContext(ContextOptions.deterministic());

  @TempDir
  private Path directory;

  @Test
  void ordinals_of_a_source_are_unique_and_ascend_in_the_log() throws Exception {
    List<List<String>> returned;
    try (SessionRecorder session =
        SessionRecorder.start(directory, SessionStart.of("s"), OPTIONS)) {
      returned = inThreads(thread -> {
        session.context().clock().instant();
        return session.context().ulid();
      });
    }

    Map<String, List<RecordedValue>> bySource = new HashMap<>();
    for (ReplayEvent event : RecordedContextTest.events(directory)) {
      if (event instanceof RecordedValue value) {
        bySource.computeIfAbsent(value.source(), source -> new ArrayList<>()).add(value);
      }
    }
    assertThat(bySource).containsOnlyKeys(RecordedValue.CLOCK, RecordedValue.ID);
    bySource.forEach((source, values) -> assertThat(values)
        .extracting(RecordedValue::ordinal)
        .containsExactlyElementsOf(LongStream.range(0, THREADS * VALUES).boxed().toList()));
    DeterministicContext alone = DeterministicContext.of(ContextOptions.deterministic());
    assertThat(bySource.get(RecordedValue.ID))
        .extracting(value -> value.value().asString())
        .as("the value of an ordinal is the same in each run")
        .containsExactlyElementsOf(
            IntStream.range(0, THREADS * VALUES).mapToObj(i -> alone.ulid()).toList())
        .containsExactlyInAnyOrderElementsOf(
            returned.stream().flatMap(List::stream).toList());
  }

  @Test
  void lanes_of_threads_have_the_values_of_lanes_that_run_alone() throws Exception {
    List<List<String>> returned;
    try (SessionRecorder session =
        SessionRecorder.start(directory, SessionStart.of("s"), OPTIONS)) {
      returned = inThreads(thread -> session.context().lane("lane-" + thread).ulid());
    }

    DeterministicContext alone = DeterministicContext.of(ContextOptions.deterministic());
    for (int thread = 0; thread < THREADS; thread++) {
      DeterministicContext lane = alone.lane("lane-" + thread);
      assertThat(returned.get(thread))
          .containsExactlyElementsOf(
              IntStream.range(0, VALUES).mapToObj(i -> lane.ulid()).toList());
    }
  }

  @Test
  void times_of_events_ascend_with_the_lines() throws Exception {
    try (SessionRecorder session =
        SessionRecorder.start(directory, SessionStart.of("s"), OPTIONS)) {
      inThreads(thread -> session.context().lane("lane-" + thread).ulid());
    }

    assertThat(RecordedContextTest.events(directory))
        .extracting(event -> event.meta().time().instant())
        .isSorted()
        .doesNotHaveDuplicates();
  }

  private static List<List<String>> inThreads(IntFunction<String> value) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try {
      CyclicBarrier together = new CyclicBarrier(THREADS);
      List<Callable<List<String>>> tasks = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        int number = thread;
        tasks.add(() -> {
          together.await();
          return IntStream.range(0, VALUES).mapToObj(i -> value.apply(number)).toList();
        });
      }
      List<List<String>> results = new ArrayList<>();
      for (Future<List<String>> future : pool.invokeAll(tasks)) {
        results.add(future.get());
      }
      return results;
    } finally {
      pool.shutdownNow();
    }
  }
}

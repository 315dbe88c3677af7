package dev.agentreplay.io.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.faults.FaultPoints.Fault;
import dev.agentreplay.io.faults.RunLog.From;
import dev.agentreplay.io.recording.Durability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Errors of the virtual machine are thrown in the middle of recording, at the entry of each method
 * of the library and before each of its allocations, and the recording continues. By default one
 * such place in twenty is visited, a different one with each durability; {@code -Dreplay.effort=5}
 * visits each with one of the four, 40 with all of them, and more than that visits it more often.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RecordingFaultsTest {

  private static final int EFFORT = Integer.getInteger("replay.effort", 1);
  private static final int STRIDE = EFFORT < 3 ? 20 : EFFORT < 40 ? 7 : 1;
  private static final int VISITS = Math.max(1, EFFORT / 40);

  private static final int MAX_BROKEN = 20;

  /** No run takes as long; one that does waits for ever. */
  private static final int HANGS_AFTER_SECONDS = 300;

  private final FaultyLoader loader = new FaultyLoader();
  private final Logger logger = Logger.getLogger("dev.agentreplay.io");
  private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
    Thread thread = new Thread(task, "recording");
    thread.setDaemon(true);
    return thread;
  });

  @TempDir
  private Path temporary;

  private int runs;

  @BeforeAll
  void quiet() {
    logger.setLevel(Level.OFF);
  }

  @AfterAll
  void stop() {
    threads.shutdown();
    logger.setLevel(null);
  }

  @ParameterizedTest
  @CsvSource({
    "BUFFERED, START",
    "WRITTEN, START",
    "INTERVAL, START",
    "FSYNC, START",
    "BUFFERED, RESUME",
    "WRITTEN, RESUME",
    "INTERVAL, RESUME",
    "FSYNC, RESUME"
  })
  void recording_that_meets_an_error_keeps_every_promise(Durability durability, From from)
      throws Exception {
    int places = meetErrors(durability, from, STRIDE, false);
    assertThat(places).as("places in the code").isGreaterThan(500);
  }

  @ParameterizedTest
  @Tag("slow")
  @EnumSource
  void closing_that_meets_an_error_twice_loses_nothing_untold(Durability durability)
      throws Exception {
    int places = meetErrors(durability, From.CLOSE, 1, true);
    assertThat(places).as("places in the code").isGreaterThan(10);
  }

  /** Throws at every n-th place that a recording meets. Returns how many places there are. */
  private int meetErrors(Durability durability, From from, int stride, boolean isTwice)
      throws Exception {
    run(durability, from, FaultPoints::count); // initializes classes, which is done once
    Run whole = run(durability, from, FaultPoints::count);
    assertThat(whole.broken).isEmpty();
    Map<Integer, List<Integer>> points = new LinkedHashMap<>();
    for (int point = 1; point <= whole.sites.length; point++) {
      points.computeIfAbsent(whole.sites[point - 1], site -> new ArrayList<>()).add(point);
    }

    List<String> broken = new ArrayList<>();
    int place = durability.ordinal();
    for (List<Integer> visits : points.values()) {
      boolean isSkipped = place++ % stride != 0;
      int count = isSkipped ? 0 : Math.min(VISITS, visits.size());
      for (int visit = 0; visit < count && broken.size() < MAX_BROKEN; visit++) {
        int point = visits.get((int) ((long) visit * visits.size() / count));
        Fault fault = Fault.values()[(point + visit) % Fault.values().length];
        Run run = run(durability, from, () -> FaultPoints.throwAt(point, fault, isTwice));
        if (!run.broken.isEmpty()) {
          String site = run.sites.length < point ? "?" : loader.site(run.sites[point - 1]);
          broken.add("%s at %s: %s %s".formatted(fault, site, run.broken, run.log.steps));
        }
      }
    }
    assertThat(broken).isEmpty();
    return points.size();
  }

  /** The faults that one run met, and the promises that it broke. */
  private record Run(RunLog log, int[] sites, List<String> broken) {}

  private Run run(Durability durability, From from, Runnable arm) throws Exception {
    Path directory = temporary.resolve("session-" + runs++);
    RunLog log = new RunLog(directory, durability.name(), from, arm);
    @SuppressWarnings("unchecked")
    Consumer<RunLog> scenario = (Consumer<RunLog>)
        loader.loadClass(RecordingScenario.class.getName()).getConstructor().newInstance();
    Thread[] runner = new Thread[1];
    Future<int[]> running = threads.submit(() -> {
      runner[0] = Thread.currentThread();
      try {
        scenario.accept(log);
      } finally {
        FaultPoints.stop();
      }
      return FaultPoints.sites();
    });
    try {
      int[] sites = running.get(HANGS_AFTER_SECONDS, TimeUnit.SECONDS);
      return new Run(log, sites, RecordedSession.brokenPromises(log));
    } catch (TimeoutException e) {
      String stack = Arrays.toString(runner[0].getStackTrace());
      FaultPoints.stop();
      return new Run(log, new int[0], List.of("waits for ever: " + stack));
    } catch (ExecutionException e) {
      return new Run(log, FaultPoints.sites(), List.of(String.valueOf(e.getCause())));
    }
  }
}

package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.file.DiskFault;
import dev.agentreplay.io.file.SimulatedDisk;
import dev.agentreplay.io.log.LogRecovery;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StepComplete;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The power fails while several threads share the forces of one log. */
@ExtendWith(QuietLogger.class)
class DurableThreadsCrashTest {

  private static final int SCHEDULES = 500 * Integer.getInteger("replay.effort", 1);
  private static final int THREADS = 3;
  private static final int EVENTS = 10;
  private static final Path LOG = Path.of("simulated", Session.LOG_NAME).toAbsolutePath();
  private static final DiskFault[] FAULTS = DiskFault.values();

  /** The events of a thread that were acknowledged, and those that were refused. */
  private record Told(List<String> acknowledged, List<String> refused) {}

  @Test
  void no_thread_loses_an_event_that_was_acknowledged() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try {
      for (int seed = 0; seed < SCHEDULES; seed++) {
        try {
          run(pool, new SplittableRandom(seed));
        } catch (AssertionError e) {
          throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
        }
      }
    } finally {
      pool.shutdownNow();
    }
  }

  private static void run(ExecutorService pool, SplittableRandom random)
      throws IOException, InterruptedException, ExecutionException {
    SimulatedDisk disk = new SimulatedDisk(LOG.getParent());
    WriterOptions options = WriterOptions.defaults()
        .withDurability(Durability.FSYNC)
        .withMaxSegmentBytes(random.nextBoolean() ? Long.MAX_VALUE : 800);
    ReplayWriter writer = ReplayWriter.create(disk, LOG, ReplayHeader.of("p"), options);
    long deathAt = 1 + random.nextInt(80);
    long failureAt = 1 + random.nextInt(60);
    DiskFault failure = FAULTS[random.nextInt(FAULTS.length)];
    disk.inject((number, call, file) ->
        number == deathAt ? DiskFault.DIE_HALF : number == failureAt ? failure : DiskFault.NONE);

    List<Callable<Told>> emitters = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      String name = i + ":";
      emitters.add(() -> emit(writer, name));
    }
    List<Told> told = new ArrayList<>();
    for (Future<Told> result : pool.invokeAll(emitters)) {
      told.add(result.get());
    }
    SimulatedDisk found = disk.losePower(random);

    List<String> ids = new ArrayList<>();
    LogRecovery.of(found, LOG).inspect(line -> {
      if (line.event() instanceof StepComplete step) {
        ids.add(step.stepId());
      }
    });
    assertThat(ids).doesNotHaveDuplicates();
    for (int i = 0; i < THREADS; i++) {
      String name = i + ":";
      assertThat(ids).containsAll(told.get(i).acknowledged);
      assertThat(ids).noneMatch(told.get(i).refused::contains);
      assertThat(ids.stream().filter(id -> id.startsWith(name)).toList())
          .as("events of one thread are in order")
          .isSortedAccordingTo(Comparator.comparingInt(DurableThreadsCrashTest::number));
    }
  }

  private static int number(String id) {
    return Integer.parseInt(id.substring(2));
  }

  private static Told emit(ReplayWriter writer, String name) {
    Told told = new Told(new ArrayList<>(), new ArrayList<>());
    for (int i = 0; i < EVENTS; i++) {
      String id = name + i;
      try {
        writer.emit(StepComplete.of(id, Status.SUCCESS, i));
        told.acknowledged.add(id);
      } catch (ReplayWriteException e) {
        if (!e.isUndetermined()) {
          told.refused.add(id);
        }
      } catch (IOException e) {
        throw new AssertionError("not a failure to write", e);
      }
    }
    return told;
  }
}

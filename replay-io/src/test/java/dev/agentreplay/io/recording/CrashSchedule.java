package dev.agentreplay.io.recording;

import dev.agentreplay.io.file.DiskFault;
import dev.agentreplay.io.log.LogContent;
import java.io.IOException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A random program that writes one log in up to four processes, one after the other. Each is killed
 * or loses power at a random call of the disk; some see a call fail before, or a full disk. The
 * same seed makes the same schedule.
 */
final class CrashSchedule {

  private static final Durability[] DURABILITIES = Durability.values();
  private static final int[] PADDINGS = {0, 0, 0, 40, 300, 600, 5_000, 70_000};
  private static final int USUAL_PADDINGS = 6;
  private static final DiskFault[] DEATHS = {
    DiskFault.DIE_BEFORE, DiskFault.DIE_HALF, DiskFault.DIE_AFTER
  };
  private static final DiskFault[] FAILURES = {
    DiskFault.FAIL_BEFORE, DiskFault.FAIL_HALF, DiskFault.FAIL_AFTER, DiskFault.FAIL_DROPPED
  };

  private final SplittableRandom random;
  private final Consumer<Supplier<String>> trace;
  private final CheckedLog log;
  private int emitted;
  private boolean dropped;

  CrashSchedule(long seed, Consumer<Supplier<String>> trace) {
    this.random = new SplittableRandom(seed);
    this.trace = trace;
    this.log = new CheckedLog(trace);
  }

  /** Runs it. Returns how many crashes it came to. */
  int run() throws IOException {
    int lives = 1 + random.nextInt(4);
    for (int life = 1; life <= lives; life++) {
      live();
      // a later process reads what was dropped, and cannot know that it was not forced
      LogContent found = log.crash(dropped || random.nextBoolean() ? random : null);
      boolean isNew = found.lines().isEmpty() && !log.disk().exists(CheckedLog.LOG);
      boolean goesOn = !found.lines().isEmpty() && !found.isCorrupt();
      boolean hasEnded = found.lines().contains(SampleEvents.END.line());
      if (!isNew && !goesOn || hasEnded) {
        return life;
      }
    }
    return lives;
  }

  private void live() {
    injectFaults();
    WriterOptions options = WriterOptions.defaults()
        .withDurability(DURABILITIES[random.nextInt(DURABILITIES.length)])
        .withForceInterval(Duration.ofHours(1))
        .withMaxSegmentBytes(random.nextBoolean() ? Long.MAX_VALUE : 300 + random.nextInt(3_000))
        .withEvidence(TamperEvidenceOptions.defaults()
            .withCheckpointInterval(random.nextBoolean() ? 0 : 1 + random.nextInt(12)));
    boolean goesOn = log.open(options);
    while (goesOn) {
      boolean sound = write();
      goesOn = log.close() && sound && log.open(options);
    }
    log.disk().limit(Long.MAX_VALUE);
  }

  private void injectFaults() {
    dropped = false;
    long deathAt = 1 + random.nextInt(70);
    DiskFault death = DEATHS[random.nextInt(DEATHS.length)];
    long failureAt = random.nextInt(3) > 0 ? 0 : 1 + random.nextInt(30);
    DiskFault failure = FAILURES[random.nextInt(FAILURES.length)];
    log.disk().inject((number, call, file) -> {
      DiskFault fault = number == deathAt ? death : number == failureAt ? failure : DiskFault.NONE;
      dropped |= fault == DiskFault.FAIL_DROPPED;
      trace.accept(() -> "  %s %s %s".formatted(call, file.getFileName(), fault));
      return fault;
    });
    if (random.nextInt(8) == 0) {
      log.disk().limit(500 + random.nextInt(8_000));
    }
  }

  /** Returns whether the session continues. */
  private boolean write() {
    for (int steps = random.nextInt(30); steps >= 0; steps--) {
      int step = random.nextInt(24);
      boolean sound = true;
      if (step == 0) {
        log.emit(SampleEvents.END);
        return false;
      } else if (step <= 2) {
        sound = log.sync();
      } else if (step == 3) {
        log.disk().limit(Long.MAX_VALUE);
      } else {
        int paddings = random.nextInt(8) == 0 ? PADDINGS.length : USUAL_PADDINGS;
        sound = log.emit(SampleEvents.step(emitted++, PADDINGS[random.nextInt(paddings)]));
      }
      if (!sound) {
        return false;
      }
    }
    return true;
  }
}

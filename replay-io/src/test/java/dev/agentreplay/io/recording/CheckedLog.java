package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.file.SimulatedDisk;
import dev.agentreplay.io.log.LogContent;
import dev.agentreplay.io.log.Recovery;
import dev.agentreplay.io.recording.SampleEvents.Sample;
import dev.agentreplay.io.session.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A log on a simulated disk, written by one process after the other, and the promises to each of
 * them. Each exception of a writer must be caused by the disk; the content after a crash must keep
 * the promises.
 */
final class CheckedLog {

  static final Path DIRECTORY = Path.of("simulated").toAbsolutePath();
  static final Path LOG = DIRECTORY.resolve(Session.LOG_NAME);

  private final Consumer<Supplier<String>> trace;
  private SimulatedDisk disk = new SimulatedDisk(DIRECTORY);
  private WriterOptions options = WriterOptions.defaults();
  private @Nullable ReplayWriter writer;
  private int failures;

  /** The lines that may be there, in order. */
  private final List<String> lines = new ArrayList<>();

  /** So many of them were acknowledged; it is not known what became of the others. */
  private int acknowledged;

  /** So many of them survive the death of the process. */
  private int handedOver;

  /** So many of them survive power loss. */
  private int durable;

  /** A log on an empty disk. Each step is reported to the trace. */
  CheckedLog(Consumer<Supplier<String>> trace) {
    this.trace = trace;
  }

  SimulatedDisk disk() {
    return disk;
  }

  /** The number of failed calls of the writer. */
  int failures() {
    return failures;
  }

  /** Creates or resumes the log. Returns whether it can be written. */
  boolean open(WriterOptions newOptions) {
    options = newOptions.withClock(SampleEvents.CLOCK);
    trace.accept(() -> "a process with " + options);
    try {
      if (acknowledged > 0) {
        writer = ReplayWriter.append(disk, LOG, options);
        forget(acknowledged); // what was cut off before, if anything, has to stay cut off
        return true;
      }
      lines.add(SampleEvents.HEADER.line());
      writer = ReplayWriter.create(disk, LOG, SampleEvents.HEADER.event(), options);
    } catch (IOException e) {
      requireReason(e);
      return false;
    }
    acknowledge(SampleEvents.HEADER.line(), true);
    return true;
  }

  /** Returns whether the writer may be used further. */
  boolean emit(Sample<?> sample) {
    try {
      writer().emit(sample.event());
    } catch (IOException e) {
      requireReason(e);
      return mayGoOn(e, sample.line());
    }
    acknowledge(
        sample.line(), sample == SampleEvents.END || options.durability() == Durability.FSYNC);
    return true;
  }

  /** Returns whether the writer may be used further. */
  boolean sync() {
    try {
      writer().sync();
    } catch (IOException e) {
      requireReason(e);
      return mayGoOn(e, null);
    }
    promise(true);
    return true;
  }

  /** Returns whether the log may be opened again. */
  boolean close() {
    if (writer == null) {
      return true;
    }
    boolean wasDead = disk.isDead();
    try {
      writer.close();
    } catch (IOException e) {
      requireReason(e);
      return false;
    } finally {
      writer = null;
    }
    if (!wasDead) {
      handedOver = acknowledged;
      promise(options.durability() == Durability.INTERVAL);
    }
    return !wasDead;
  }

  /**
   * Kills the process, or cuts the power, and compares the content with the promises.
   *
   * @param power decides what power loss undoes; null if the power stays on
   * @return the content
   */
  LogContent crash(@Nullable SplittableRandom power) throws IOException {
    disk = power != null ? disk.losePower(power) : disk.kill();
    LogContent found = LogContent.of(disk, LOG);
    int count = found.lines().size();
    int promised = power != null ? durable : handedOver;
    String crash = power != null ? "power lost" : "killed";
    trace.accept(() -> "%s: %d lines, %s, of %d acknowledged and %d promised"
        .formatted(crash, count, found.recovery(), acknowledged, promised));
    assertThat(found.lines())
        .as("%s: at least %d lines", crash, promised)
        .hasSizeBetween(promised, lines.size())
        .isEqualTo(lines.subList(0, count));
    acknowledged = count;
    handedOver = count;
    if (power != null) {
      durable = count;
      forget(count);
    } else {
      assertThat(found.recovery()).isNotInstanceOf(Recovery.Corrupt.class);
    }
    return found;
  }

  private ReplayWriter writer() {
    assertThat(writer).isNotNull();
    return writer;
  }

  private void acknowledge(String line, boolean isForced) {
    forget(acknowledged);
    lines.add(line);
    acknowledged++;
    trace.accept(() -> "line %d, %d bytes".formatted(acknowledged, line.length()));
    if (options.durability() != Durability.BUFFERED) {
      handedOver = acknowledged;
    }
    promise(isForced);
  }

  private void promise(boolean isForced) {
    if (isForced) {
      handedOver = acknowledged;
      durable = acknowledged;
    }
  }

  /** Forgets the lines from an index on, which are lost. */
  private void forget(int from) {
    lines.subList(from, lines.size()).clear();
  }

  private boolean mayGoOn(IOException e, @Nullable String line) {
    assertThat(e).isInstanceOf(ReplayWriteException.class);
    if (!((ReplayWriteException) e).isUndetermined()) {
      return !disk.isDead();
    }
    if (line != null) {
      lines.add(line);
    }
    long calls = disk.calls();
    assertThatThrownBy(() -> writer().emit(SampleEvents.NEVER.event()))
        .as("after a failure that left the log in an unknown state")
        .isInstanceOf(ReplayWriteException.class)
        .hasMessageContaining("refused");
    assertThatThrownBy(() -> writer().sync()).isInstanceOf(ReplayWriteException.class);
    assertThat(disk.calls()).isEqualTo(calls);
    return false;
  }

  /** Checks that a failure is caused by the disk. */
  private void requireReason(IOException e) {
    failures++;
    trace.accept(e::toString);
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      String message = String.valueOf(cause.getMessage());
      if (message.startsWith(SimulatedDisk.INJECTED)
          || message.startsWith(SimulatedDisk.FULL)
          || message.startsWith(SimulatedDisk.DEAD)) {
        return;
      }
    }
    throw new AssertionError("failed without a reason", e);
  }
}

package dev.agentreplay.engine.repeat;

import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.io.file.FileTree;
import dev.agentreplay.io.session.Session;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Replays a recording several times, one replay after the other, and compares the sessions of the
 * replays. Each replay is a {@link dev.agentreplay.engine.replay.Replay} of its own: its budget,
 * its time-outs, its workspace and its values are those of one run, and are not shared.
 *
 * <p>Not safe for use by several threads, and used once.
 */
public final class RepeatedReplay {

  private final Session recording;
  private final int times;
  private @Nullable Path directory;
  private BooleanSupplier stop = () -> false;
  private boolean isUsed;

  private RepeatedReplay(Session recording, int times) {
    this.recording = Objects.requireNonNull(recording, "recording");
    this.times = times;
  }

  /** One of the replays. */
  @FunctionalInterface
  public interface Run {

    /**
     * Runs a new replay of the recording.
     *
     * @param directory the directory of its session, for
     *     {@link dev.agentreplay.engine.replay.Replay#directory}; null if the session is not kept
     * @return its report
     */
    ReplayReport run(@Nullable Path directory) throws IOException, InterruptedException;
  }

  /**
   * Creates a replay that is repeated.
   *
   * @param times the number of replays, at least 2
   * @throws IllegalArgumentException if it is less than 2
   */
  public static RepeatedReplay of(Session recording, int times) {
    if (times < 2) {
      throw new IllegalArgumentException("expected two or more replays, found " + times);
    }
    return new RepeatedReplay(recording, times);
  }

  /**
   * Sets the new or empty directory of the sessions, in which each has a directory with its number
   * as name, from 1; null, the default, if they are not kept. Only sessions that are kept are in
   * {@link RepeatedReport#sessions}.
   */
  public RepeatedReplay directory(@Nullable Path newDirectory) {
    directory = newDirectory;
    return this;
  }

  /** Sets the condition under which no further replay starts; by default there is none. */
  public RepeatedReplay stopWhen(BooleanSupplier condition) {
    stop = Objects.requireNonNull(condition, "condition");
    return this;
  }

  /**
   * Runs the replays. An aborted one is the last.
   *
   * @throws FileAlreadyExistsException if the directory has files
   * @throws IllegalArgumentException if a replay is not one of the recording
   * @throws IllegalStateException if this has run
   * @throws IOException if a replay throws it
   * @throws InterruptedException if a replay throws it
   */
  public RepeatedReport run(Run replay) throws IOException, InterruptedException {
    if (isUsed) {
      throw new IllegalStateException("a repeated replay runs once: create a different one");
    }
    isUsed = true;
    if (directory != null && !FileTree.isNewOrEmpty(directory)) {
      throw new FileAlreadyExistsException(
          directory.toString(), null, "expected a new or empty directory");
    }
    List<ReplayReport> reports = new ArrayList<>();
    boolean isInterrupted = stop.getAsBoolean();
    while (reports.size() < times && !isInterrupted) {
      Path own = directory == null ? null : directory.resolve(Integer.toString(reports.size() + 1));
      ReplayReport report = replay.run(own);
      if (!isSame(report.recording(), recording.log())) {
        throw new IllegalArgumentException("expected a replay of %s, found one of %s"
            .formatted(recording.log(), report.recording()));
      }
      reports.add(report);
      isInterrupted = report.isAborted() || stop.getAsBoolean();
    }
    return RepeatedReport.of(recording, times, reports, reports.size() < times || isInterrupted);
  }

  /** Whether two paths name one file, such as a relative and an absolute one. */
  private static boolean isSame(Path one, Path other) throws IOException {
    return one.equals(other)
        || (Files.exists(one) && Files.exists(other) && Files.isSameFile(one, other));
  }
}

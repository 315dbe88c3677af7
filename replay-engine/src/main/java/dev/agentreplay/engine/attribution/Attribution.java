package dev.agentreplay.engine.attribution;

import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayAgent;
import dev.agentreplay.engine.replay.ReplayControl;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Finds which of the differences between two recordings made their outcomes differ, by trials: the
 * agent runs on the first recording with some of the second one's values. One trial has none of
 * them, and one has all; between these, single differences are tried if there are few, and then
 * delta debugging removes differences from a set with the second outcome until each one of them is
 * needed.
 *
 * <p>An attribution is configured and run by one thread; others may {@linkplain #abort abort} it.
 */
public final class Attribution {

  /** The number of trials that are made at most unless the caller sets another. */
  public static final int DEFAULT_TRIALS = 200;

  /** The least number of repetitions whose intervals can be apart: all of them, and none. */
  public static final int LEAST_REPEATS = 4;

  final Session first;
  final Session second;

  @Nullable
  SessionOutcome outcome;

  UnaryOperator<Replay> configuration = UnaryOperator.identity();
  int maxTrials = DEFAULT_TRIALS;
  int repeats = 1;
  long maxCalls = Long.MAX_VALUE;

  @Nullable
  Path directory;

  Consumer<Trial> listener = trial -> {};

  private final AtomicReference<@Nullable String> aborted = new AtomicReference<>();
  private final AtomicReference<@Nullable ReplayControl> running = new AtomicReference<>();

  private Attribution(Session first, Session second) {
    this.first = Objects.requireNonNull(first, "first");
    this.second = Objects.requireNonNull(second, "second");
  }

  /**
   * Creates an attribution of the difference between the outcomes of two recordings of one agent.
   *
   * @param first the recording on which the agent runs
   * @param second the recording whose values are taken over
   */
  public static Attribution between(Session first, Session second) {
    return new Attribution(first, second);
  }

  /**
   * Sets what counts as the outcome; null, the default, for the first of status, last answer and
   * tool calls in which the recordings differ.
   */
  public Attribution outcome(@Nullable SessionOutcome newOutcome) {
    outcome = newOutcome;
    return this;
  }

  /**
   * Sets the configuration of each trial, which is a replay in the mode {@code MOCK}: executors for
   * requests that no recording has, effects of tools, time-outs. It is called before each trial.
   * The attribution itself sets the fork, the answers, the directory and the control, and, with
   * {@link #maxCalls}, the budget. Rules of a comparison apply to requests of the first recording;
   * those that only the second has, or that trials execute, are equal by their canonical JSON.
   */
  public Attribution replay(UnaryOperator<Replay> newConfiguration) {
    configuration = Objects.requireNonNull(newConfiguration, "configuration");
    return this;
  }

  /**
   * Sets the maximum number of trials, {@value #DEFAULT_TRIALS} by default.
   *
   * @throws IllegalArgumentException if it is less than 2
   */
  public Attribution maxTrials(int most) {
    if (most < 2) {
      throw new IllegalArgumentException("the number of trials must be at least 2: " + most);
    }
    maxTrials = most;
    return this;
  }

  /**
   * Sets the maximum number of calls of models and tools that all trials execute; no limit by
   * default.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public Attribution maxCalls(long most) {
    if (most < 0) {
      throw new IllegalArgumentException("the number of calls must not be negative: " + most);
    }
    maxCalls = most;
    return this;
  }

  /**
   * Sets how often each set of differences is tried, since a model may answer differently each
   * time; 1 by default. With repetitions, every call of a model is executed, also those that the
   * recordings answer, and trials do not answer each other. A set counts only if the 95 %
   * confidence intervals of its trials and of those without any difference do not overlap, which
   * takes at least {@value #LEAST_REPEATS}.
   *
   * @throws IllegalArgumentException if it is neither 1 nor at least {@value #LEAST_REPEATS}
   */
  public Attribution repeats(int times) {
    if (times != 1 && times < LEAST_REPEATS) {
      throw new IllegalArgumentException("the number of repetitions must be 1, or at least %d: %d"
          .formatted(LEAST_REPEATS, times));
    }
    repeats = times;
    return this;
  }

  /**
   * Sets a new or empty directory for the sessions of the trials, {@code trial-1} and so on; null,
   * the default, for temporary ones that are deleted at the end.
   */
  public Attribution directory(@Nullable Path newDirectory) {
    directory = newDirectory;
    return this;
  }

  /** Sets the receiver of each trial when it has ended. */
  public Attribution listener(Consumer<Trial> newListener) {
    listener = Objects.requireNonNull(newListener, "listener");
    return this;
  }

  /**
   * Aborts the attribution: the trial that runs ends, no further one is made, and the report has
   * what is known. Safe for use by any thread, also before {@link #run}.
   */
  public void abort(String reason) {
    aborted.compareAndSet(null, Objects.requireNonNull(reason, "reason"));
    ReplayControl control = running.get();
    if (control != null) {
      control.abort(reason);
    }
  }

  /** The reason for which this was aborted; null if it was not. */
  @Nullable
  String aborted() {
    return aborted.get();
  }

  /** Notes the control of the trial that is about to run. */
  void running(ReplayControl control) {
    running.set(control);
    String reason = aborted.get();
    if (reason != null) {
      control.abort(reason);
    }
  }

  /**
   * Runs the trials. Both recordings are held in memory.
   *
   * @param agent the agent of the first recording; it is run once for each trial
   * @throws dev.agentreplay.engine.replay.ReplayRefusedException if the first recording cannot be
   *     replayed
   * @throws dev.agentreplay.io.log.ReplayFormatException if a line of a recording cannot be read
   * @throws IOException if a recording cannot be read, or a trial cannot be written
   * @throws InterruptedException if this thread is interrupted
   */
  public AttributionReport run(ReplayAgent agent) throws IOException, InterruptedException {
    Objects.requireNonNull(agent, "agent");
    SessionOutcome compared = outcome == null ? SessionOutcome.differing(first, second) : outcome;
    if (compared == null) {
      return equal(null, null, null);
    }
    JsonValue left = compared.of(first);
    JsonValue right = compared.of(second);
    if (left.equals(right)) {
      return equal(compared, left, right);
    }
    try (Trials trials = new Trials(this, agent, compared, left, right)) {
      return new CauseSearch(this, trials).run();
    }
  }

  private AttributionReport equal(
      @Nullable SessionOutcome compared, @Nullable JsonValue left, @Nullable JsonValue right) {
    return new AttributionReports.Data(
        AttributionVerdict.EQUAL,
        first.log(),
        second.log(),
        compared == null ? null : compared.name(),
        left,
        right,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        null);
  }
}

package dev.agentreplay.cli.input;

import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.policy.ReplayTimeouts;
import dev.agentreplay.engine.replay.policy.ReplayTimeouts.OnTimeout;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The time-outs and the budget of a replay. */
public final class RunLimits {

  @Option(
      names = "--timeout",
      paramLabel = "S",
      description =
          "Time-out of the whole replay in seconds (default: 10 times the recorded duration, at"
              + " least 60).")
  private @Nullable Duration timeout;

  @Option(
      names = "--step-timeout",
      paramLabel = "S",
      description = "Time-out of an executed call in seconds (default: 10 times its recorded"
          + " latency, at least 5; 60 if none was recorded).")
  private @Nullable Duration stepTimeout;

  @Option(
      names = "--on-timeout",
      paramLabel = "ACTION",
      defaultValue = "abort",
      completionCandidates = Candidates.Timeouts.class,
      description = "Behavior when an executed call takes too long: ${COMPLETION-CANDIDATES}"
          + " (default: ${DEFAULT-VALUE}).")
  private OnTimeout onTimeout = OnTimeout.ABORT;

  @Mixin
  private BudgetOptions budget = new BudgetOptions();

  /** Sets the time-outs and the budget of a replay. */
  public void applyTo(Replay replay) throws IOException {
    replay.timeouts(new ReplayTimeouts(stepTimeout, timeout, onTimeout)).budget(budget.budget());
  }

  /** The file with the prices; null if none was given. */
  public @Nullable Path prices() {
    return budget.prices();
  }
}

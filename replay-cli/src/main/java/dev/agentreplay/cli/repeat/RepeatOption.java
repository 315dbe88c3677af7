package dev.agentreplay.cli.repeat;

import dev.agentreplay.cli.input.ReportForm.Format;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --repeat} of a replay. */
public final class RepeatOption {

  @Option(
      names = "--repeat",
      paramLabel = "N",
      description = "Replay the session N times, at least 2, and report in which steps the replays"
          + " differ. Limits, --budget and --timeout are those of each replay. --out has a"
          + " directory for each, 1 to N.")
  private @Nullable Integer times;

  /** Whether the replay is repeated. */
  public boolean isRepeated() {
    return times != null;
  }

  /** The number of replays. */
  public int times() {
    return times == null ? 1 : times;
  }

  /** Refuses options that do not go together. */
  public void check(ReplayMode mode, Format format, boolean isFork, boolean overwrites) {
    if (times == null) {
      return;
    }
    if (times < 2) {
      throw new UsageException("--repeat: expected 2 or more replays, found " + times);
    } else if (mode == ReplayMode.VALIDATION) {
      throw new UsageException(
          "--repeat: the mode validation runs nothing; name a --mode that does");
    } else if (isFork) {
      throw new UsageException("--repeat and --fork-at exclude each other");
    } else if (format == Format.MARKDOWN || format == Format.JUNIT) {
      throw new UsageException("--repeat: expected --format text or json, found " + format);
    } else if (overwrites) {
      throw new UsageException("--repeat and --overwrite exclude each other");
    }
  }
}

package dev.agentreplay.engine.report;

import dev.agentreplay.engine.agreement.FlakinessReport;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.repeat.RepeatedReport;
import dev.agentreplay.engine.replay.ReplayReport;
import java.util.Objects;

/**
 * Renders comparisons and replays as plain text for a terminal. The first line states the verdict
 * and, if the sessions diverged, the root cause and its severity; divergences follow, at most
 * {@link TextOptions#maxDivergences}.
 *
 * <p>Control characters in recorded text are replaced by visible symbols, so that a terminal does
 * not interpret them. No line is wider than {@link TextOptions#width()}, provided that each
 * character occupies one column. Each line ends with a line feed.
 */
public final class TextReport {

  private TextReport() {}

  /** Renders a comparison with {@linkplain TextOptions#defaults() the default options}. */
  public static String render(SessionDiff diff) {
    return render(diff, TextOptions.defaults());
  }

  /** Renders a comparison. */
  public static String render(SessionDiff diff, TextOptions options) {
    return new DiffText(Objects.requireNonNull(options, "options"), diff).render();
  }

  /** Renders the report of a replay with the default options. */
  public static String render(ReplayReport report) {
    return render(report, TextOptions.defaults());
  }

  /** Renders the report of a replay. */
  public static String render(ReplayReport report, TextOptions options) {
    return new RunText(Objects.requireNonNull(options, "options"), report).render();
  }

  /** Renders the report of a repeated replay with the default options. */
  public static String render(RepeatedReport report) {
    return render(report, TextOptions.defaults());
  }

  /**
   * Renders the report of a repeated replay: how many replays pass, why the others do not, and the
   * steps in which they differ from the recording.
   */
  public static String render(RepeatedReport report, TextOptions options) {
    return FlakinessText.of(Objects.requireNonNull(options, "options"), report);
  }

  /** Renders a comparison of several runs with the default options. */
  public static String render(FlakinessReport agreement) {
    return render(agreement, TextOptions.defaults());
  }

  /** Renders a comparison of several runs. */
  public static String render(FlakinessReport agreement, TextOptions options) {
    return new FlakinessText(Objects.requireNonNull(options, "options"), agreement).render();
  }
}

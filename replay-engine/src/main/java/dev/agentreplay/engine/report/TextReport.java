package dev.agentreplay.engine.report;

import dev.agentreplay.engine.agreement.FlakinessReport;
import dev.agentreplay.engine.diff.SessionDiff;
import java.util.Objects;

/**
 * Comparisons as text, for a terminal: what changed, where, and whether it matters, in the first
 * line; then what there is to see of each divergence.
 *
 * <p>What was recorded is shown with pictures in place of the characters that a terminal would
 * obey. No line is wider than the width, as far as each character is one column wide. Each line
 * ends with a line feed.
 */
public final class TextReport {

  private TextReport() {}

  /** The report in {@linkplain TextOptions#defaults() its default form}. */
  public static String render(SessionDiff diff) {
    return render(diff, TextOptions.defaults());
  }

  /** The report. */
  public static String render(SessionDiff diff, TextOptions options) {
    return new DiffText(Objects.requireNonNull(options, "options"), diff).render();
  }

  /** The report of several runs in its default form. */
  public static String render(FlakinessReport agreement) {
    return render(agreement, TextOptions.defaults());
  }

  /** The report of several runs. */
  public static String render(FlakinessReport agreement, TextOptions options) {
    return new FlakinessText(Objects.requireNonNull(options, "options"), agreement).render();
  }
}

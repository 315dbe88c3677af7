package dev.agentreplay.records.report;

import dev.agentreplay.engine.report.TextOptions;
import dev.agentreplay.records.RecordReplayReport.Mode;
import dev.agentreplay.records.replay.MessagePair;
import dev.agentreplay.records.replay.SessionMatrix;
import dev.agentreplay.records.replay.SessionReplayResult;
import java.io.IOException;
import java.util.Objects;

/**
 * Renders the replay of a session record as plain text for a terminal. The first line states the
 * verdict and the conclusion; the inputs that differ, numbers and divergences follow, at most
 * {@link TextOptions#maxDivergences}, of which the most severe are kept. A trace lists the messages
 * by round with their texts, of which the first lines are shown, or with {@link TextOptions#full()}
 * all.
 *
 * <p>Control characters in recorded text are replaced by visible symbols, so that a terminal does
 * not interpret them. No line is wider than {@link TextOptions#width()}, provided that each
 * character occupies one column. Each line ends with a line feed.
 */
public final class SessionReplayText {

  private SessionReplayText() {}

  /**
   * Renders a replay with {@linkplain TextOptions#defaults() the default options}.
   *
   * @throws IOException if a text of a trace cannot be read
   */
  public static String render(SessionReplayResult result) throws IOException {
    return render(result, TextOptions.defaults());
  }

  /**
   * Renders a replay.
   *
   * @throws IOException if a text of a trace cannot be read
   */
  public static String render(SessionReplayResult result, TextOptions options) throws IOException {
    Objects.requireNonNull(options, "options");
    return result.report().mode() == Mode.TRACE
        ? new TraceText(result, options).render()
        : new ComparedText(result, options).render();
  }

  /**
   * Renders one message of a replay with its whole text, and with the text of the message that it
   * is compared with if that is different.
   *
   * @param pair the message, of {@link SessionReplayResult#alignment}
   * @throws IOException if a text cannot be read
   */
  public static String render(SessionReplayResult result, MessagePair pair, TextOptions options)
      throws IOException {
    return new TraceText(result, options.withFull(true)).message(pair);
  }

  /** Renders several comparisons as a table, with the default options. */
  public static String render(SessionMatrix matrix) {
    return render(matrix, TextOptions.defaults());
  }

  /** Renders several comparisons as a table. */
  public static String render(SessionMatrix matrix, TextOptions options) {
    return new MatrixText(matrix, Objects.requireNonNull(options, "options")).render();
  }
}

package dev.agentreplay.cli.text;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.engine.published.PublishedCopy;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.Timestamp;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Renders the lines of a log as text: the number of the line, the time since the start, and the
 * event.
 */
public final class EventLines {

  private static final int MARGIN = 19;

  private final Style style;
  private final EventText text;
  private @Nullable Timestamp start;
  private @Nullable PublishedCopy copy;

  /**
   * A renderer of one session.
   *
   * @param width the width of a line in columns; longer values are cut
   */
  public EventLines(Style style, int width) {
    this.style = style;
    this.text = new EventText(style, width - MARGIN);
  }

  /**
   * Renders the next line of the log; it ends with a line feed.
   *
   * @param event the event of the line, with its prompt in full
   * @param dialect the dialect of the log
   */
  public String render(ReplayLine line, ReplayEvent event, @Nullable Dialect dialect) {
    long number = line.position().line();
    Timestamp time = event.time();
    start = start == null ? time : start;
    copy = number == 1 ? PublishedCopy.of(line.json()) : copy;
    String margin = "%6d %10s  ".formatted(number, since(start, time));
    String shown = copy == null
        ? text.render(event)
        : text.render(shown(line, copy, dialect), line.json(), copy);
    return style.dim(margin) + shown + "\n";
  }

  /** The event of a line of a published copy, without the members that publication adds. */
  private static ReplayEvent shown(ReplayLine line, PublishedCopy copy, @Nullable Dialect dialect) {
    Dialect known = Objects.requireNonNull(dialect, "a log with lines has a dialect");
    return known.decode(copy.shown(line.json(), line.position().line() == 1)).event();
  }

  private static String since(@Nullable Timestamp start, @Nullable Timestamp time) {
    if (start == null || time == null) {
      return "";
    }
    return "+%.3f s"
        .formatted(Duration.between(start.instant(), time.instant()).toMillis() / 1000.0);
  }
}

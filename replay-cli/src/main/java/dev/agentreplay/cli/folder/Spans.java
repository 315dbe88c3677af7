package dev.agentreplay.cli.folder;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Durations for people, in two units at most and nine columns. */
final class Spans {

  private Spans() {}

  /** The text of a duration; empty if it is unknown. */
  static String text(@Nullable Duration duration) {
    if (duration == null) {
      return "";
    }
    long seconds = duration.toSeconds();
    if (seconds < 1) {
      return duration.toMillis() + " ms";
    } else if (seconds < 60) {
      return "%d.%d s".formatted(seconds, duration.toMillisPart() / 100);
    } else if (seconds < 3_600) {
      return "%d m %02d s".formatted(seconds / 60, seconds % 60);
    } else if (seconds < 86_400) {
      return "%d h %02d m".formatted(seconds / 3_600, seconds / 60 % 60);
    }
    return "%,d d %02d h".formatted(seconds / 86_400, seconds / 3_600 % 24);
  }
}

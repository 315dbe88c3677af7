package dev.agentreplay.junit;

import dev.agentreplay.engine.view.Recorded;
import dev.agentreplay.engine.view.SessionView;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.text.PlainText;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the content of a log that assertions check. */
final class RecordedLog {

  private RecordedLog() {}

  /**
   * Reads a log.
   *
   * @throws IOException if a line cannot be read or is an invalid event, or if the header is
   *     missing or has an unknown version: an assertion that skipped it could pass by accident
   */
  static SessionView read(Session session) throws IOException {
    SessionView view = SessionView.read(session);
    for (Finding finding : view.findings()) {
      if (finding.code() == FindingCode.EVENT_INVALID
          || finding.code() == FindingCode.FIELD_INVALID) {
        throw new IOException(
            "%s: %s: %s".formatted(session.log(), finding.position(), finding.message()));
      }
    }
    Recorded<ReplayHeader> header = view.header();
    if (header == null) {
      throw new IOException("%s: expected a ReplayHeader, found none in %s"
          .formatted(session.log(), PlainText.count(view.lines(), "line")));
    }
    if (header.event().support() == ReplayHeader.Support.UNSUPPORTED) {
      throw new IOException("%s: line %d: expected a log of version 1, found version %s"
          .formatted(session.log(), header.line(), Shown.name(header.event().version())));
    }
    return view;
  }

  /** A description of the first gap in the recording; null if there is none. */
  static @Nullable String gap(SessionView log) {
    if (log.gaps().isEmpty()) {
      return null;
    }
    Recorded<RecordingGap> gap = log.gaps().get(0);
    String reason = gap.event().reason();
    return "%s not recorded before line %d%s"
        .formatted(
            PlainText.count(gap.event().events(), "event"),
            gap.line(),
            reason == null ? "" : ": " + Shown.text(reason));
  }

  /** The problem if a session lasts longer, or for an unknown time; null if there is none. */
  static @Nullable String longerThan(Duration most, SessionView log) {
    Recorded<SessionEnd> end = log.end();
    Duration found = log.totals().duration();
    if (end == null) {
      return "the session has no end: how long it lasts is not known";
    } else if (end.event().time() == null) {
      return "how long the session lasts is not known: its end states no time";
    } else if (found == null
        && Objects.equals(log.totals().firstTime(), log.totals().lastTime())) {
      return "how long the session lasts is not known: only its end states a time";
    } else if (found == null) {
      return "how long the session lasts is not known: the clock went backwards";
    }
    return found.compareTo(most) <= 0
        ? null
        : "the session lasts longer\nexpected: at most %s\nfound:    %s"
            .formatted(Shown.duration(most), Shown.duration(found));
  }
}

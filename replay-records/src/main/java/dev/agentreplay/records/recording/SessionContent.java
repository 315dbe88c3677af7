package dev.agentreplay.records.recording;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.records.RecordTime;
import java.io.IOException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** The content of a recorded session in rounds. */
final class SessionContent {

  private static final int ID_DIGITS = 16;

  private SessionContent() {}

  static ThreadContent of(Session session, SessionRecording options, Ledger ledger)
      throws IOException {
    SessionMessages log = new SessionMessages(session, hasModelResults(session));
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        log.add(line);
      }
    }
    RecordTime now = RecordTime.of(options.clock.instant().truncatedTo(ChronoUnit.MILLIS));
    log.finish(now, options.roster, ledger);
    List<ThreadRound> rounds = rounds(log, ledger);
    RecordTime start = log.start();
    RecordTime end = log.end();
    for (ThreadRound round : rounds) {
      start = ThreadRound.earlier(start, round.start());
      end = ThreadRound.later(end, round.end());
    }
    return new ThreadContent(
        id(session, options, ledger),
        rounds,
        options.roster == null ? log.roster(ledger) : List.of(),
        start,
        end,
        log.artifact());
  }

  private static boolean hasModelResults(Session session) throws IOException {
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        if (line.event().kind() == EventKind.MODEL_RESULT) {
          return true;
        }
      }
    }
    return false;
  }

  private static String id(Session session, SessionRecording options, Ledger ledger)
      throws IOException {
    String id = session.id();
    if (id != null && !id.isEmpty()) {
      return id;
    }
    String generated = "session-" + session.replayHash().hex().substring(0, ID_DIGITS);
    if (options.sessionId == null && options.kickoff == null) {
      ledger.generated(
          "session_id", "the SHA-256 of the log", "The log does not state the id of its session.");
    }
    return generated;
  }

  private static List<ThreadRound> rounds(SessionMessages log, Ledger ledger) {
    List<ThreadRound> rounds = new ArrayList<>();
    List<ThreadMessage> current = new ArrayList<>();
    RecordTime start = log.start();
    for (SessionMessages.Item item : log.items()) {
      ThreadMessage message = item.message();
      if (message != null) {
        current.add(message);
      } else if (item.isStep() || !current.isEmpty()) {
        ThreadRound round = ThreadRound.spanning(start, item.time(), current, null);
        rounds.add(round);
        start = round.end();
        current = new ArrayList<>();
      }
    }
    ledger.generated(
        "trace.rounds",
        "events StepComplete and SessionEnd",
        "Each completed step is a round, from the end of the round before.");
    if (!current.isEmpty()) {
      ledger.assumed(
          "trace.rounds[%d].ended_at".formatted(rounds.size()),
          "No event ends the last round: it ends with the log.");
      rounds.add(ThreadRound.spanning(start, log.end(), current, null));
    }
    return rounds;
  }
}

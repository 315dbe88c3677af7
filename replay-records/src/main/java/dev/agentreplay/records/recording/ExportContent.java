package dev.agentreplay.records.recording;

import dev.agentreplay.records.RecordTime;
import java.util.List;

/** The content of an export in rounds. */
final class ExportContent {

  private ExportContent() {}

  static ThreadContent of(MessageExport export, SessionRecording options, Ledger ledger) {
    ledger.addAll(export.notes());
    List<ThreadRound> rounds = ExportRounds.of(export.messages(), options.hasArtifacts, ledger);
    RecordTime start = rounds.get(0).start();
    RecordTime end = rounds.get(0).end();
    for (ThreadRound round : rounds) {
      start = ThreadRound.earlier(start, round.start());
      end = ThreadRound.later(end, round.end());
    }
    return new ThreadContent(export.threadId(), rounds, List.of(), start, end, null);
  }
}

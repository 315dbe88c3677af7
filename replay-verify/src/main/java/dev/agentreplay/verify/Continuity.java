package dev.agentreplay.verify;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.model.LogSegment;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.verify.input.LineDigest;

/**
 * Whether a log goes on where it left off: in another file, whose first line states what went
 * before, and where events were not recorded.
 */
final class Continuity {

  private final Tally tally;
  private final LineDigest lines;
  private boolean damaged;
  /** Where the files of the log begin in it. */
  private final long[] starts;

  /** The next file that begins, by its index there. */
  private int nextFile = 1;

  private long part = 1;

  /**
   * Of a log in several files.
   *
   * @param lines has the lines that were accepted
   * @param starts where each of them begins in the log, the first one as well
   */
  Continuity(Tally tally, LineDigest lines, long[] starts) {
    this.tally = tally;
    this.lines = lines;
    this.starts = starts.clone();
  }

  /** A line could not be read: the bytes of the log are not known from here on. */
  void damaged() {
    damaged = true;
  }

  /** The next line, which is not among {@link LineDigest lines} yet. */
  void accept(ReplayLine line) {
    file(line);
    if (line.event() instanceof LogSegment stated) {
      part(stated, line);
    } else if (line.event() instanceof RecordingGap gap) {
      tally.report(
          FindingCode.RECORDING_GAP,
          line.position(),
          "%d event%s not recorded".formatted(gap.events(), gap.events() == 1 ? " was" : "s were"));
    }
  }

  /** Each file but the first begins with a statement of what is before it. */
  private void file(ReplayLine line) {
    long at = line.position().offset();
    while (nextFile < starts.length && starts[nextFile] <= at) {
      boolean isStated = starts[nextFile] == at && line.event() instanceof LogSegment;
      nextFile++;
      if (!isStated) {
        tally.report(
            FindingCode.REPLAY_HASH_MISMATCH,
            line.position(),
            "the log's file %d does not begin with a LogSegment".formatted(nextFile));
      }
      part = nextFile - 1L;
    }
  }

  private void part(LogSegment stated, ReplayLine line) {
    String fault = stated.fault(part + 1, line.position(), damaged ? null : lines.hash());
    if (fault != null) {
      tally.report(FindingCode.REPLAY_HASH_MISMATCH, line.position(), "LogSegment: " + fault);
    }
    part = stated.segment(); // else each of the parts behind it would be wrong as well
  }
}

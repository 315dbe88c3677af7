package dev.agentreplay.records.store;

import dev.agentreplay.records.InvalidRecordException.Problem;
import java.util.List;

/** The result of a {@link RecordCheck}. Immutable and safe for use by several threads. */
public final class RecordCheckReport {

  private final List<Problem> problems;
  private final List<Problem> notes;
  private final long present;
  private final long missing;
  private final long altered;
  private final List<String> replayObstacles;

  RecordCheckReport(CheckFindings findings, TextCheck texts, List<String> replayObstacles) {
    this.problems = List.copyOf(findings.problems());
    this.notes = List.copyOf(findings.notes());
    this.present = texts.present();
    this.missing = texts.missing();
    this.altered = texts.altered();
    this.replayObstacles = replayObstacles;
  }

  /** Whether there are no problems. A consistent record may have missing texts. */
  public boolean isConsistent() {
    return problems.isEmpty();
  }

  /** The contradictions in the record, or between the record and its texts. */
  public List<Problem> problems() {
    return problems;
  }

  /** The facts that are not contradictions, but matter to a replay. */
  public List<Problem> notes() {
    return notes;
  }

  /** The number of different texts of messages and artifacts that have their hashes. */
  public long presentTexts() {
    return present;
  }

  /**
   * The number of different texts that are missing, also because their hash is not a SHA-256. They
   * are not a problem: a record states hashes, and its texts may be kept elsewhere.
   */
  public long missingTexts() {
    return missing;
  }

  /** The number of different texts that do not have their hash; each is also a problem. */
  public long alteredTexts() {
    return altered;
  }

  /** The reasons why the record is not replayable; empty if it is. */
  public List<String> replayObstacles() {
    return replayObstacles;
  }

  @Override
  public String toString() {
    return "%d problems, %d notes, %d texts present, %d missing, %d altered"
        .formatted(problems.size(), notes.size(), present, missing, altered);
  }
}

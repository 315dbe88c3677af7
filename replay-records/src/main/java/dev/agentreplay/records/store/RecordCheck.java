package dev.agentreplay.records.store;

import dev.agentreplay.records.SessionRecord;

/**
 * Checks the consistency of a session record, beyond the constraints of each member, which
 * {@link SessionRecord#problems} checks. The report has problems, which contradict each other or
 * the texts, and notes, which a reader should know.
 *
 * <ul>
 *   <li>Texts have the hashes and lengths that the record states. Missing texts are counted.
 *   <li>Rounds are numbered from 0 in order. Rounds, messages and interventions are within their
 *       session or round, nothing ends before it starts, and durations agree with times to the
 *       second.
 *   <li>{@code intervention_summary} is the summary of the interventions, which belong to the
 *       session. {@code final_artifact_hash} is the last {@code compiled_artifact_hash}.
 *       {@code lint_result} is valid if it has no errors, and counts at least the messages that it
 *       lists. The names of the roster are unique.
 * </ul>
 *
 * <p>The text of the kickoff is not compared with that of a message of type {@code KICKOFF}.
 */
public final class RecordCheck {

  private RecordCheck() {}

  /**
   * Checks a record.
   *
   * @param texts the texts of its messages and artifacts; all of them are read, one at a time. One
   *     that was altered or cannot be read is a problem
   */
  public static RecordCheckReport of(SessionRecord record, RecordTexts texts) {
    CheckFindings findings = new CheckFindings();
    RosterCheck.check(record, findings);
    TimeCheck.check(record.trace(), findings);
    TextCheck textCheck = new TextCheck(texts, findings);
    textCheck.check(record);
    InterventionCheck.check(record, findings);
    OutputCheck.check(record, findings);
    return new RecordCheckReport(findings, textCheck, record.replayObstacles());
  }
}

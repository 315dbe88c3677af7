package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.records.InterventionSummary.SeverityCounts;
import dev.agentreplay.records.InterventionSummary.TypeCounts;
import dev.agentreplay.records.InvalidRecordException.Problem;
import dev.agentreplay.records.Kickoff.OperatorSelection;
import dev.agentreplay.records.OperatorIntervention.StateChange;
import dev.agentreplay.records.SessionInputs.ProtocolVersions;
import dev.agentreplay.records.SessionOutputs.LintResult;
import java.util.List;

/**
 * An object of a session record or replay report. Use {@link #toJson} or {@link SessionRecords} to
 * write it, and {@link RecordForm} or {@link SessionRecords} to read it.
 *
 * <p>{@link #toJson()} and {@link RecordForm#read} are inverse: a value that was read is written as
 * an equal value, except that members with defaults are added; and a record that was written is
 * read as an equal record, unless its {@link #extra()} has a member that is not written.
 *
 * <p>Records are equal when all their components are, including {@code extra}. Therefore an agent
 * that was read with {@code "temperature":1.0} does not equal one that was created in Java with
 * that temperature, which is written as {@code 1}. To compare records regardless of spelling,
 * compare the other components. Implementations are immutable and safe for use by several threads.
 */
public sealed interface RecordObject
    permits SessionRecord,
        SessionInputs,
        Kickoff,
        OperatorSelection,
        EvidenceRecordSummary,
        AgentRosterEntry,
        ProtocolVersions,
        SessionTrace,
        SessionTrace.Round,
        TraceMessage,
        OperatorIntervention,
        OperatorIntervention.Target,
        StateChange,
        InterventionSummary,
        SeverityCounts,
        TypeCounts,
        SessionOutputs,
        LintResult,
        RecordReplayReport,
        RecordReplayReport.Divergence {

  /**
   * The members without a component: members that this version does not know, and numbers in a
   * spelling that this library does not write ({@code 0.70}).
   *
   * <p>Unknown members are written back unchanged. A member with the name of a component is written
   * only if it is a number that equals the component, and then in its own spelling. Otherwise it
   * stays here and has no effect, so that the components of a record that was read can be changed
   * and cleared as those of a new one.
   */
  JsonObject extra();

  /**
   * Converts this object to JSON: members in the order of the specification, then the unknown ones;
   * optional members without a value are omitted.
   *
   * @throws IllegalArgumentException if JSON cannot represent a component: a number that is not
   *     finite, text with a lone surrogate
   */
  default JsonObject toJson() {
    return RecordForm.toJson(this);
  }

  /**
   * Checks this object. Returns the problems in the order of the specification; empty when it meets
   * all constraints.
   */
  default List<Problem> problems() {
    return RecordForm.problems(this);
  }
}

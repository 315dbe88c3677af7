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
 * One of the objects that session records and replay reports consist of.
 *
 * <p>{@link #toJson()} and {@link RecordForm#read} are each other's inverse: a value that was read
 * is written as its equal, but for the defaults of members that it left out; and a record that was
 * written is read as its equal, unless its {@link #extra()}, which keeps what no component holds,
 * has a member that is not written.
 *
 * <p>Records are equal when all their components are, {@code extra} too. So an agent that was read
 * with {@code "temperature":1.0} does not equal one that was made in Java with that temperature,
 * which is written {@code 1}. To compare what records say, and not how it is spelled, compare the
 * other components.
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
   * What no component holds: members that this version does not know, and a number that is spelled
   * otherwise than here ({@code 0.70}).
   *
   * <p>What is not known is written back as it is. A member that a component has the name of is
   * written only while it says the same as the component: a number while the component is that
   * number. Otherwise it stays here, and has no effect; so what was read can be changed and cleared
   * like what was made.
   */
  JsonObject extra();

  /**
   * The JSON form: members in the order of the specification, then those that are not known;
   * optional members that have no value are left out.
   *
   * @throws IllegalArgumentException if there is what JSON cannot hold: a number that is not
   *     finite, text with a lone surrogate
   */
  default JsonObject toJson() {
    return RecordForm.toJson(this);
  }

  /** What breaks the constraints of the specification; empty when all is well. */
  default List<Problem> problems() {
    return RecordForm.problems(this);
  }
}

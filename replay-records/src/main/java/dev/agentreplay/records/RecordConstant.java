package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.records.MemberType.Place;
import java.util.Locale;

/**
 * A constant of session records and replay reports: one of the values of a member with a fixed set
 * of values.
 */
public sealed interface RecordConstant
    permits AgentRosterEntry.Role,
        EvidenceRecordSummary.Type,
        TraceMessage.Type,
        OperatorIntervention.Type,
        OperatorIntervention.Severity,
        RecordReplayReport.Mode,
        RecordReplayReport.Severity {

  /** The name of the constant in Java. */
  String name();

  /** The spelling of the constant in JSON. */
  default String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads a constant from a JSON value.
   *
   * @throws InvalidRecordException if the value is not a string, or not the spelling of a constant
   */
  static <E extends Enum<E> & RecordConstant> E read(Class<E> type, JsonValue value) {
    Place place = Place.root();
    E constant = MemberType.oneOf(type.getEnumConstants()).reader().read(value, place);
    if (constant == null) {
      throw new InvalidRecordException(type, place.problems());
    }
    return constant;
  }
}

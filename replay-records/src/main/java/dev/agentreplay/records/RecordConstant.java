package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.records.MemberType.Place;
import java.util.Locale;

/** A constant of session records and replay reports: one of a few words that a member may be. */
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

  /** How it is written in JSON. */
  default String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The constant that a value stands for.
   *
   * @throws InvalidRecordException if the value is no string, or not the spelling of a constant
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

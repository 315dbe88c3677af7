package dev.agentreplay.records;

import static dev.agentreplay.records.MemberType.BOOLEAN;
import static dev.agentreplay.records.MemberType.COUNT;
import static dev.agentreplay.records.MemberType.HASH;
import static dev.agentreplay.records.MemberType.NAME;
import static dev.agentreplay.records.MemberType.POSITIVE;
import static dev.agentreplay.records.MemberType.TEXT;
import static dev.agentreplay.records.MemberType.TEXTS;
import static dev.agentreplay.records.MemberType.TIME;
import static dev.agentreplay.records.MemberType.matching;
import static dev.agentreplay.records.MemberType.object;
import static dev.agentreplay.records.MemberType.oneOf;
import static dev.agentreplay.records.MemberType.textOfAtLeast;

import dev.agentreplay.records.InterventionSummary.SeverityCounts;
import dev.agentreplay.records.InterventionSummary.TypeCounts;
import dev.agentreplay.records.OperatorIntervention.Reversal;
import dev.agentreplay.records.OperatorIntervention.StateChange;
import dev.agentreplay.records.RecordTable.Layout;
import dev.agentreplay.records.RecordTable.Members;
import java.util.function.Function;
import java.util.regex.Pattern;

/** The members of interventions and their summaries. */
final class InterventionTables {

  /**
   * The form of the id of an intervention: {@code INT-<session>-<three digits>} or
   * {@code INT<digits>}.
   */
  private static final Pattern INTERVENTION_ID =
      Pattern.compile("^INT-[A-Za-z0-9][\\w.-]*-\\d{3}$|^INT\\d+$");

  private static final int MIN_RATIONALE = 10;

  private static final MemberType<String> ITEM_TYPE = oneOf(
      "hypothesis", "test", "prediction", "assumption", "anomaly", "critique", "research_thread");

  private static final MemberType<String> SESSION_CONTROL_ACTION = oneOf(
      "terminate_early", "force_rerun", "fork_session", "reset_to_checkpoint", "pause", "resume");

  static final RecordTable<OperatorIntervention.Target> TARGET =
      RecordTable.of(InterventionTables::target);

  static final RecordTable<StateChange> STATE_CHANGE =
      RecordTable.of(InterventionTables::stateChange);

  static final RecordTable<OperatorIntervention> INTERVENTION =
      RecordTable.of(InterventionTables::intervention);

  static final RecordTable<SeverityCounts> SEVERITY_COUNTS =
      RecordTable.of(InterventionTables::severityCounts);

  static final RecordTable<TypeCounts> TYPE_COUNTS = RecordTable.of(InterventionTables::typeCounts);

  static final RecordTable<InterventionSummary> SUMMARY =
      RecordTable.of(InterventionTables::summary);

  private InterventionTables() {}

  private static Function<Members, OperatorIntervention.Target> target(
      Layout<OperatorIntervention.Target> t) {
    var message = t.optional("message_id", POSITIVE, OperatorIntervention.Target::messageId);
    var version =
        t.optional("artifact_version", COUNT, OperatorIntervention.Target::artifactVersion);
    var item = t.optional("item_id", TEXT, OperatorIntervention.Target::itemId);
    var itemType = t.optional("item_type", ITEM_TYPE, OperatorIntervention.Target::itemType);
    var agent = t.optional("agent_name", TEXT, OperatorIntervention.Target::agentName);
    var role = t.optional("role", TEXT, OperatorIntervention.Target::role);
    return m -> new OperatorIntervention.Target(
        m.get(message),
        m.get(version),
        m.get(item),
        m.get(itemType),
        m.get(agent),
        m.get(role),
        m.leftOver());
  }

  private static Function<Members, StateChange> stateChange(Layout<StateChange> t) {
    var before = t.optional("before", TEXT, StateChange::before);
    var after = t.optional("after", TEXT, StateChange::after);
    var beforeHash = t.optional("before_hash", HASH, StateChange::beforeHash);
    var afterHash = t.optional("after_hash", HASH, StateChange::afterHash);
    return m -> new StateChange(
        m.get(before), m.get(after), m.get(beforeHash), m.get(afterHash), m.leftOver());
  }

  private static Function<Members, OperatorIntervention> intervention(
      Layout<OperatorIntervention> t) {
    var id = t.required("id", matching(INTERVENTION_ID), OperatorIntervention::id);
    var session = t.required("session_id", NAME, OperatorIntervention::sessionId);
    var time = t.required("timestamp", TIME, OperatorIntervention::timestamp);
    var operator = t.required("operator_id", NAME, OperatorIntervention::operatorId);
    var type =
        t.required("type", oneOf(OperatorIntervention.Type.values()), OperatorIntervention::type);
    var severity = t.required(
        "severity", oneOf(OperatorIntervention.Severity.values()), OperatorIntervention::severity);
    var target = t.required("target", object(TARGET), OperatorIntervention::target);
    var change =
        t.optional("state_change", object(STATE_CHANGE), OperatorIntervention::stateChange);
    var rationale =
        t.required("rationale", textOfAtLeast(MIN_RATIONALE), OperatorIntervention::rationale);
    var reversible =
        t.defaulted("reversible", BOOLEAN, i -> i.reversal().reversible(), Boolean.TRUE);
    var reversedAt = t.optional("reversed_at", TIME, i -> i.reversal().reversedAt());
    var reversedBy = t.optional("reversed_by", TEXT, i -> i.reversal().reversedBy());
    t.checked("session_control_action", SESSION_CONTROL_ACTION);
    t.checked("tags", TEXTS);
    t.checked("notes", TEXT);
    return m -> new OperatorIntervention(
        m.get(id),
        m.get(session),
        m.get(time),
        m.get(operator),
        m.get(type),
        m.get(severity),
        m.get(target),
        m.get(change),
        m.get(rationale),
        new Reversal(m.get(reversible), m.get(reversedAt), m.get(reversedBy)),
        m.leftOver());
  }

  private static Function<Members, SeverityCounts> severityCounts(Layout<SeverityCounts> t) {
    var minor = t.required("minor", COUNT, SeverityCounts::minor);
    var moderate = t.required("moderate", COUNT, SeverityCounts::moderate);
    var major = t.required("major", COUNT, SeverityCounts::major);
    var critical = t.required("critical", COUNT, SeverityCounts::critical);
    return m -> new SeverityCounts(
        m.get(minor), m.get(moderate), m.get(major), m.get(critical), m.leftOver());
  }

  private static Function<Members, TypeCounts> typeCounts(Layout<TypeCounts> t) {
    var edit = t.required("artifact_edit", COUNT, TypeCounts::artifactEdit);
    var exclusion = t.required("delta_exclusion", COUNT, TypeCounts::deltaExclusion);
    var injection = t.required("delta_injection", COUNT, TypeCounts::deltaInjection);
    var override = t.required("decision_override", COUNT, TypeCounts::decisionOverride);
    var control = t.required("session_control", COUNT, TypeCounts::sessionControl);
    var role = t.required("role_reassignment", COUNT, TypeCounts::roleReassignment);
    return m -> new TypeCounts(
        m.get(edit),
        m.get(exclusion),
        m.get(injection),
        m.get(override),
        m.get(control),
        m.get(role),
        m.leftOver());
  }

  private static Function<Members, InterventionSummary> summary(Layout<InterventionSummary> t) {
    var total = t.required("total_count", COUNT, InterventionSummary::totalCount);
    var bySeverity =
        t.required("by_severity", object(SEVERITY_COUNTS), InterventionSummary::bySeverity);
    var byType = t.required("by_type", object(TYPE_COUNTS), InterventionSummary::byType);
    var major =
        t.required("has_major_interventions", BOOLEAN, InterventionSummary::hasMajorInterventions);
    var operators = t.required("operators", TEXTS, InterventionSummary::operators);
    var first = t.optional("first_intervention_at", TIME, InterventionSummary::firstInterventionAt);
    var last = t.optional("last_intervention_at", TIME, InterventionSummary::lastInterventionAt);
    return m -> new InterventionSummary(
        m.get(total),
        m.get(bySeverity),
        m.get(byType),
        m.get(major),
        m.get(operators),
        m.get(first),
        m.get(last),
        m.leftOver());
  }
}

package dev.agentreplay.records;

import static dev.agentreplay.records.MemberType.BOOLEAN;
import static dev.agentreplay.records.MemberType.COUNT;
import static dev.agentreplay.records.MemberType.HASH;
import static dev.agentreplay.records.MemberType.HASH_OR_EMPTY;
import static dev.agentreplay.records.MemberType.NAME;
import static dev.agentreplay.records.MemberType.NUMBER;
import static dev.agentreplay.records.MemberType.POSITIVE;
import static dev.agentreplay.records.MemberType.TEXT;
import static dev.agentreplay.records.MemberType.TEXTS;
import static dev.agentreplay.records.MemberType.TIME;
import static dev.agentreplay.records.MemberType.between;
import static dev.agentreplay.records.MemberType.listOf;
import static dev.agentreplay.records.MemberType.matching;
import static dev.agentreplay.records.MemberType.object;
import static dev.agentreplay.records.MemberType.oneOf;

import dev.agentreplay.records.Kickoff.OperatorSelection;
import dev.agentreplay.records.RecordTable.Layout;
import dev.agentreplay.records.RecordTable.Members;
import dev.agentreplay.records.SessionInputs.ProtocolVersions;
import dev.agentreplay.records.SessionOutputs.Counts;
import dev.agentreplay.records.SessionOutputs.LintResult;
import dev.agentreplay.records.SessionOutputs.Scorecard;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;

/** The members of session records, except those of interventions. */
final class SessionTables {

  /** The form of the id of a record: {@code REC-<session>-<time>}. */
  static final Pattern RECORD_ID = Pattern.compile("^REC-[A-Za-z0-9][\\w-]*-\\d+$");

  static final RecordTable<OperatorSelection> OPERATOR_SELECTION =
      RecordTable.of(SessionTables::operatorSelection);

  static final RecordTable<Kickoff> KICKOFF = RecordTable.of(SessionTables::kickoff);

  static final RecordTable<EvidenceRecordSummary> EVIDENCE =
      RecordTable.of(SessionTables::evidence);

  static final RecordTable<AgentRosterEntry> ROSTER_ENTRY =
      RecordTable.of(SessionTables::rosterEntry);

  static final RecordTable<ProtocolVersions> PROTOCOL_VERSIONS =
      RecordTable.of(SessionTables::protocolVersions);

  static final RecordTable<SessionInputs> INPUTS = RecordTable.of(SessionTables::inputs);

  static final RecordTable<TraceMessage> MESSAGE = RecordTable.of(SessionTables::message);

  static final RecordTable<SessionTrace.Round> ROUND = RecordTable.of(SessionTables::round);

  static final RecordTable<SessionTrace> TRACE = RecordTable.of(SessionTables::trace);

  static final RecordTable<LintResult> LINT_RESULT = RecordTable.of(SessionTables::lintResult);

  static final RecordTable<SessionOutputs> OUTPUTS = RecordTable.of(SessionTables::outputs);

  static final RecordTable<SessionRecord> RECORD = RecordTable.of(SessionTables::record);

  private SessionTables() {}

  private static Function<Members, OperatorSelection> operatorSelection(
      Layout<OperatorSelection> t) {
    var primary = t.required("primary", TEXTS, OperatorSelection::primary);
    var secondary = t.optional("secondary", TEXTS, OperatorSelection::secondary);
    var forbidden = t.optional("forbidden", TEXTS, OperatorSelection::forbidden);
    return m ->
        new OperatorSelection(m.get(primary), m.get(secondary), m.get(forbidden), m.leftOver());
  }

  private static Function<Members, Kickoff> kickoff(Layout<Kickoff> t) {
    var thread = t.required("thread_id", NAME, Kickoff::threadId);
    var question = t.optional("question", TEXT, Kickoff::question);
    var excerpt = t.optional("excerpt", TEXT, Kickoff::excerpt);
    var theme = t.optional("theme", TEXT, Kickoff::theme);
    var domain = t.optional("domain", TEXT, Kickoff::domain);
    var selection =
        t.optional("operator_selection", object(OPERATOR_SELECTION), Kickoff::operatorSelection);
    var body = t.optional("kickoff_body_md", TEXT, Kickoff::body);
    return m -> new Kickoff(
        m.get(thread),
        m.get(question),
        m.get(excerpt),
        m.get(theme),
        m.get(domain),
        m.get(selection),
        m.get(body),
        m.leftOver());
  }

  private static Function<Members, EvidenceRecordSummary> evidence(
      Layout<EvidenceRecordSummary> t) {
    var id = t.required("id", TEXT, EvidenceRecordSummary::id);
    var type =
        t.required("type", oneOf(EvidenceRecordSummary.Type.values()), EvidenceRecordSummary::type);
    var source = t.required("source", TEXT, EvidenceRecordSummary::source);
    var excerpts = t.required("excerpt_count", COUNT, EvidenceRecordSummary::excerptCount);
    var hash = t.optional("content_hash", HASH, EvidenceRecordSummary::contentHash);
    return m -> new EvidenceRecordSummary(
        m.get(id), m.get(type), m.get(source), m.get(excerpts), m.get(hash), m.leftOver());
  }

  private static Function<Members, AgentRosterEntry> rosterEntry(Layout<AgentRosterEntry> t) {
    var name = t.required("agent_name", NAME, AgentRosterEntry::agentName);
    var role = t.required("role", oneOf(AgentRosterEntry.Role.values()), AgentRosterEntry::role);
    var program = t.required("program", NAME, AgentRosterEntry::program);
    var model = t.required("model", NAME, AgentRosterEntry::model);
    var version = t.optional("model_version", TEXT, AgentRosterEntry::modelVersion);
    var temperature = t.optional("temperature", between(0, 2), AgentRosterEntry::temperature);
    return m -> new AgentRosterEntry(
        m.get(name),
        m.get(role),
        m.get(program),
        m.get(model),
        m.get(version),
        m.get(temperature),
        m.leftOver());
  }

  private static Function<Members, ProtocolVersions> protocolVersions(Layout<ProtocolVersions> t) {
    var prompts = t.optional("role_prompts", TEXT, ProtocolVersions::rolePrompts);
    var delta = t.defaulted(
        "delta_format", TEXT, ProtocolVersions::deltaFormat, ProtocolVersions.DEFAULT_VERSION);
    var artifact = t.defaulted(
        "artifact_schema",
        TEXT,
        ProtocolVersions::artifactSchema,
        ProtocolVersions.DEFAULT_VERSION);
    var rubric = t.optional("evaluation_rubric", TEXT, ProtocolVersions::evaluationRubric);
    var evidence = t.optional("evidence_pack", TEXT, ProtocolVersions::evidencePack);
    return m -> new ProtocolVersions(
        m.get(prompts),
        m.get(delta),
        m.get(artifact),
        m.get(rubric),
        m.get(evidence),
        m.leftOver());
  }

  private static Function<Members, SessionInputs> inputs(Layout<SessionInputs> t) {
    var kickoff = t.required("kickoff", object(KICKOFF), SessionInputs::kickoff);
    var evidence = t.defaulted(
        "external_evidence", listOf(object(EVIDENCE)), SessionInputs::externalEvidence, List.of());
    var roster =
        t.required("agent_roster", listOf(object(ROSTER_ENTRY)), SessionInputs::agentRoster);
    var versions =
        t.required("protocol_versions", object(PROTOCOL_VERSIONS), SessionInputs::protocolVersions);
    return m -> new SessionInputs(
        m.get(kickoff), m.get(evidence), m.get(roster), m.get(versions), m.leftOver());
  }

  private static Function<Members, TraceMessage> message(Layout<TraceMessage> t) {
    var id = t.optional("message_id", POSITIVE, TraceMessage::messageId);
    var time = t.required("timestamp", TIME, TraceMessage::timestamp);
    var from = t.required("from", NAME, TraceMessage::from);
    var type = t.required("type", oneOf(TraceMessage.Type.values()), TraceMessage::type);
    var hash = t.required("content_hash", HASH, TraceMessage::contentHash);
    var length = t.required("content_length", COUNT, TraceMessage::contentLength);
    var subject = t.optional("subject", TEXT, TraceMessage::subject);
    var acknowledged = t.optional("acknowledged", BOOLEAN, TraceMessage::acknowledged);
    return m -> new TraceMessage(
        m.get(id),
        m.get(time),
        m.get(from),
        m.get(type),
        m.get(hash),
        m.get(length),
        m.get(subject),
        m.get(acknowledged),
        m.leftOver());
  }

  private static Function<Members, SessionTrace.Round> round(Layout<SessionTrace.Round> t) {
    var number = t.required("round_number", COUNT, SessionTrace.Round::roundNumber);
    var started = t.required("started_at", TIME, SessionTrace.Round::startedAt);
    var ended = t.optional("ended_at", TIME, SessionTrace.Round::endedAt);
    var messages = t.required("messages", listOf(object(MESSAGE)), SessionTrace.Round::messages);
    var artifact =
        t.optional("compiled_artifact_hash", HASH, SessionTrace.Round::compiledArtifactHash);
    var duration = t.optional("duration_ms", COUNT, SessionTrace.Round::durationMillis);
    return m -> new SessionTrace.Round(
        m.get(number),
        m.get(started),
        m.get(ended),
        m.get(messages),
        m.get(artifact),
        m.get(duration),
        m.leftOver());
  }

  private static Function<Members, SessionTrace> trace(Layout<SessionTrace> t) {
    var rounds = t.required("rounds", listOf(object(ROUND)), SessionTrace::rounds);
    var interventions = t.defaulted(
        "interventions",
        listOf(object(InterventionTables.INTERVENTION)),
        SessionTrace::interventions,
        List.of());
    var summary = t.optional(
        "intervention_summary",
        object(InterventionTables.SUMMARY),
        SessionTrace::interventionSummary);
    var duration = t.required("total_duration_ms", COUNT, SessionTrace::totalDurationMillis);
    var started = t.required("started_at", TIME, SessionTrace::startedAt);
    var ended = t.optional("ended_at", TIME, SessionTrace::endedAt);
    return m -> new SessionTrace(
        m.get(rounds),
        m.get(interventions),
        m.get(summary),
        m.get(duration),
        m.get(started),
        m.get(ended),
        m.leftOver());
  }

  private static Function<Members, LintResult> lintResult(Layout<LintResult> t) {
    var errors = t.required("errors", COUNT, LintResult::errors);
    var warnings = t.required("warnings", COUNT, LintResult::warnings);
    var valid = t.required("valid", BOOLEAN, LintResult::valid);
    var errorMessages = t.defaulted("error_messages", TEXTS, LintResult::errorMessages, List.of());
    var warningMessages =
        t.defaulted("warning_messages", TEXTS, LintResult::warningMessages, List.of());
    return m -> new LintResult(
        m.get(errors),
        m.get(warnings),
        m.get(valid),
        m.get(errorMessages),
        m.get(warningMessages),
        m.leftOver());
  }

  private static Function<Members, SessionOutputs> outputs(Layout<SessionOutputs> t) {
    var artifact =
        t.required("final_artifact_hash", HASH_OR_EMPTY, SessionOutputs::finalArtifactHash);
    var lint = t.required("lint_result", object(LINT_RESULT), SessionOutputs::lintResult);
    var hypotheses = t.required("hypothesis_count", COUNT, o -> o.counts().hypotheses());
    var tests = t.required("test_count", COUNT, o -> o.counts().tests());
    var assumptions = t.optional("assumption_count", COUNT, o -> o.counts().assumptions());
    var anomalies = t.optional("anomaly_count", COUNT, o -> o.counts().anomalies());
    var critiques = t.optional("critique_count", COUNT, o -> o.counts().critiques());
    var grade = t.optional("scorecard_grade", TEXT, o -> o.scorecard().grade());
    var points = t.optional("scorecard_points", NUMBER, o -> o.scorecard().points());
    return m -> new SessionOutputs(
        m.get(artifact),
        m.get(lint),
        new Counts(
            m.get(hypotheses),
            m.get(tests),
            m.get(assumptions),
            m.get(anomalies),
            m.get(critiques)),
        new Scorecard(m.get(grade), m.get(points)),
        m.leftOver());
  }

  private static Function<Members, SessionRecord> record(Layout<SessionRecord> t) {
    var id = t.required("id", matching(RECORD_ID), SessionRecord::id);
    var session = t.required("session_id", NAME, SessionRecord::sessionId);
    var created = t.required("created_at", TIME, SessionRecord::createdAt);
    var inputs = t.required("inputs", object(INPUTS), SessionRecord::inputs);
    var trace = t.required("trace", object(TRACE), SessionRecord::trace);
    var outputs = t.required("outputs", object(OUTPUTS), SessionRecord::outputs);
    var version = t.defaulted(
        "schema_version", TEXT, SessionRecord::schemaVersion, SessionRecord.DEFAULT_SCHEMA_VERSION);
    return m -> new SessionRecord(
        m.get(id),
        m.get(session),
        m.get(created),
        m.get(inputs),
        m.get(trace),
        m.get(outputs),
        m.get(version),
        m.leftOver());
  }
}

package dev.agentreplay.records;

import static dev.agentreplay.records.MemberType.BOOLEAN;
import static dev.agentreplay.records.MemberType.COUNT;
import static dev.agentreplay.records.MemberType.TEXT;
import static dev.agentreplay.records.MemberType.TIME;
import static dev.agentreplay.records.MemberType.between;
import static dev.agentreplay.records.MemberType.listOf;
import static dev.agentreplay.records.MemberType.object;
import static dev.agentreplay.records.MemberType.oneOf;

import dev.agentreplay.records.RecordReplayReport.Progress;
import dev.agentreplay.records.RecordReplayReport.Similarity;
import dev.agentreplay.records.RecordTable.Layout;
import dev.agentreplay.records.RecordTable.Members;
import java.util.List;
import java.util.function.Function;

/** The members of replay reports. */
final class ReportTables {

  private static final MemberType<Double> PERCENTAGE = between(0, 100);

  static final RecordTable<RecordReplayReport.Divergence> DIVERGENCE =
      RecordTable.of(ReportTables::divergence);

  static final RecordTable<RecordReplayReport> REPORT = RecordTable.of(ReportTables::report);

  private ReportTables() {}

  private static Function<Members, RecordReplayReport.Divergence> divergence(
      Layout<RecordReplayReport.Divergence> t) {
    var round = t.required("round_number", COUNT, RecordReplayReport.Divergence::roundNumber);
    var message = t.required("message_index", COUNT, RecordReplayReport.Divergence::messageIndex);
    var agent = t.required("agent", TEXT, RecordReplayReport.Divergence::agent);
    var severity = t.required(
        "severity",
        oneOf(RecordReplayReport.Severity.values()),
        RecordReplayReport.Divergence::severity);
    var original =
        t.required("original_summary", TEXT, RecordReplayReport.Divergence::originalSummary);
    var replayed =
        t.required("replayed_summary", TEXT, RecordReplayReport.Divergence::replayedSummary);
    var match = t.required("semantic_match", BOOLEAN, RecordReplayReport.Divergence::semanticMatch);
    var explanation = t.optional("explanation", TEXT, RecordReplayReport.Divergence::explanation);
    return m -> new RecordReplayReport.Divergence(
        m.get(round),
        m.get(message),
        m.get(agent),
        m.get(severity),
        m.get(original),
        m.get(replayed),
        m.get(match),
        m.get(explanation),
        m.leftOver());
  }

  private static Function<Members, RecordReplayReport> report(Layout<RecordReplayReport> t) {
    var session = t.required("original_session_id", TEXT, RecordReplayReport::originalSessionId);
    var mode =
        t.required("mode", oneOf(RecordReplayReport.Mode.values()), RecordReplayReport::mode);
    var time = t.required("replayed_at", TIME, RecordReplayReport::replayedAt);
    var roster = t.required(
        "roster", listOf(object(SessionTables.ROSTER_ENTRY)), RecordReplayReport::roster);
    var matches = t.required("matches", BOOLEAN, RecordReplayReport::matches);
    var similarity =
        t.required("similarity_percentage", PERCENTAGE, r -> r.similarity().percentage());
    var completed = t.required("rounds_completed", COUNT, r -> r.progress().roundsCompleted());
    var rounds = t.required("rounds_expected", COUNT, r -> r.progress().roundsExpected());
    var matched = t.required("messages_matched", COUNT, r -> r.progress().messagesMatched());
    var messages = t.required("messages_expected", COUNT, r -> r.progress().messagesExpected());
    var artifact =
        t.required("artifact_similarity", PERCENTAGE, r -> r.similarity().artifact());
    var divergences = t.defaulted(
        "divergences", listOf(object(DIVERGENCE)), RecordReplayReport::divergences, List.of());
    var conclusion = t.required("conclusion", TEXT, RecordReplayReport::conclusion);
    return m -> new RecordReplayReport(
        m.get(session),
        m.get(mode),
        m.get(time),
        m.get(roster),
        m.get(matches),
        new Similarity(m.get(similarity), m.get(artifact)),
        new Progress(m.get(completed), m.get(rounds), m.get(matched), m.get(messages)),
        m.get(divergences),
        m.get(conclusion),
        m.leftOver());
  }
}

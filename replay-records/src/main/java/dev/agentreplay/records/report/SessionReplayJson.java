package dev.agentreplay.records.report;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.RecordReplayReport.Mode;
import dev.agentreplay.records.RecordReplayReport.Severity;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.replay.DivergenceTally;
import dev.agentreplay.records.replay.InputDifference;
import dev.agentreplay.records.replay.RosterChange;
import dev.agentreplay.records.replay.SessionDeltas;
import dev.agentreplay.records.replay.SessionDeltas.Delta;
import dev.agentreplay.records.replay.SessionDeltas.MessageCounts;
import dev.agentreplay.records.replay.SessionMatrix;
import dev.agentreplay.records.replay.SessionMatrix.Comparison;
import dev.agentreplay.records.replay.SessionReplayRefusedException;
import dev.agentreplay.records.replay.SessionReplayResult;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Renders the replay of a session record as JSON: the ReplayReport of specification 004 with
 * members in addition, which docs/reports.md lists. The schemas are {@code replay.session-replay/1}
 * for a verification and a trace, {@code replay.session-comparison/1} for a comparison, and
 * {@code replay.session-matrix/1} for several. {@code SessionRecords.readReport} reads each of
 * them, and each comparison of a matrix.
 */
public final class SessionReplayJson {

  private SessionReplayJson() {}

  /** Renders a replay. */
  public static JsonObject render(SessionReplayResult result) {
    JsonObject report = result.report().toJson();
    if (result.report().mode() != Mode.COMPARISON) {
      return report;
    }
    SessionDeltas deltas = SessionDeltas.of(result);
    return report
        .with("roster_changes", rosterChanges(deltas))
        .with("deltas", deltas(deltas))
        .with("by_role", object(deltas.byRole(), role -> role, SessionReplayJson::tally))
        .with("by_type", object(deltas.byType(), type -> type.id(), SessionReplayJson::tally));
  }

  /**
   * Renders the refusal of a replay, of which nothing ran. Its schema is
   * {@code replay.session-refusal/1}: it is not a report.
   */
  public static JsonObject refused(
      SessionRecord record, Mode mode, SessionReplayRefusedException refusal) {
    return JsonObject.of(
        "schema",
        "replay.session-refusal/1",
        "original_session_id",
        record.sessionId(),
        "mode",
        mode.id(),
        "verdict",
        "refused",
        "reason",
        refusal.reason().name().toLowerCase(Locale.ROOT),
        "message",
        refusal.getMessage(),
        "inputs",
        InputDifference.json(refusal.inputs()));
  }

  /** Renders several comparisons. */
  public static JsonObject render(SessionMatrix matrix) {
    return JsonObject.of(
        "schema",
        "replay.session-matrix/1",
        "original_session_id",
        matrix.original().sessionId(),
        "record",
        matrix.original().id(),
        "verdict",
        matrix.verdict().id(),
        "closest",
        name(matrix.closest()),
        "farthest",
        name(matrix.farthest()),
        "rows",
        JsonArray.copyOf(
            matrix.comparisons().stream().map(SessionReplayJson::row).toList()),
        "comparisons",
        JsonArray.copyOf(matrix.comparisons().stream()
            .map(each -> render(each.result()).with("name", each.name()))
            .toList()));
  }

  private static JsonValue name(@Nullable Comparison comparison) {
    return comparison == null ? JsonNull.NULL : JsonValue.of(comparison.name());
  }

  private static JsonObject row(Comparison comparison) {
    DivergenceTally tally = comparison.tally();
    Double artifact = comparison.artifact();
    return JsonObject.of(
        "name",
        comparison.name(),
        "verdict",
        comparison.result().verdict().id(),
        "similarity_percentage",
        comparison.similarity(),
        "artifact_similarity",
        artifact == null ? JsonNull.NULL : JsonValue.of(artifact),
        "major",
        tally.count(Severity.MAJOR),
        "moderate",
        tally.count(Severity.MODERATE),
        "minor",
        tally.count(Severity.MINOR),
        "undecided",
        tally.undecided(),
        "matched",
        tally.matched());
  }

  private static JsonArray rosterChanges(SessionDeltas deltas) {
    return JsonArray.copyOf(
        deltas.rosterChanges().stream().map(SessionReplayJson::rosterChange).toList());
  }

  private static JsonObject rosterChange(RosterChange change) {
    return JsonObject.of(
        "role",
        change.role().id(),
        "original",
        agent(change.original()),
        "replayed",
        agent(change.replayed()),
        "changed",
        JsonArray.of(change.changed().toArray()));
  }

  private static JsonValue agent(@Nullable AgentRosterEntry agent) {
    return agent == null ? JsonNull.NULL : agent.toJson();
  }

  private static JsonObject deltas(SessionDeltas deltas) {
    JsonObject totals = object(deltas.totals(), name -> name, SessionReplayJson::delta);
    Function<MessageCounts, JsonValue> messages = counts -> delta(counts.messages());
    Function<MessageCounts, JsonValue> bytes = counts -> delta(counts.bytes());
    return totals
        .with("messages_by_type", object(deltas.countsByType(), type -> type.id(), messages))
        .with("bytes_by_type", object(deltas.countsByType(), type -> type.id(), bytes))
        .with("messages_by_role", object(deltas.countsByRole(), role -> role, messages))
        .with("bytes_by_role", object(deltas.countsByRole(), role -> role, bytes));
  }

  private static JsonObject delta(Delta delta) {
    return JsonObject.of(
        "original",
        number(delta.original()),
        "replayed",
        number(delta.replayed()),
        "difference",
        number(delta.difference()));
  }

  private static JsonValue number(@Nullable BigDecimal number) {
    return number == null ? JsonNull.NULL : JsonNumber.of(number);
  }

  private static JsonObject tally(DivergenceTally tally) {
    JsonObject.Builder counts = JsonObject.builder().put("matched", tally.matched());
    for (Severity severity : Severity.values()) {
      counts.put(severity.id(), tally.count(severity));
    }
    return counts.put("undecided", tally.undecided()).build();
  }

  private static <K, V> JsonObject object(
      Map<K, V> map, Function<K, String> name, Function<V, JsonValue> form) {
    JsonObject.Builder builder = JsonObject.builder();
    map.forEach((key, value) -> builder.put(name.apply(key), form.apply(value)));
    return builder.build();
  }
}

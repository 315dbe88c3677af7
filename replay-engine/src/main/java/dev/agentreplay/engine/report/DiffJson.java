package dev.agentreplay.engine.report;

import dev.agentreplay.engine.diff.AlignedStep;
import dev.agentreplay.engine.diff.AppliedRule;
import dev.agentreplay.engine.diff.ComparedSession;
import dev.agentreplay.engine.diff.DiffSummary;
import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.diff.EventChange;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.diff.Step;
import dev.agentreplay.engine.diff.StepCounts;
import dev.agentreplay.engine.diff.StepKind;
import dev.agentreplay.engine.diff.ToolCounts;
import dev.agentreplay.engine.diff.ValueChange;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Comparisons as JSON: schema {@code replay.diff/1}, docs/format.md and
 * docs/schema/replay.diff-1.schema.json. Members may be added to it.
 */
public final class DiffJson {

  private DiffJson() {}

  /** The comparison as an object; what it holds of events is as it was recorded. */
  public static JsonObject of(SessionDiff diff) {
    DiffSummary summary = diff.summary();
    SessionDiff.First first = diff.first();
    DivergenceContext context = new DivergenceContext(diff);
    return JsonObject.of(
        "schema",
        "replay.diff/1",
        "verdict",
        diff.isIdentical() ? "identical" : "diverged",
        "similarity",
        diff.similarity(),
        "left",
        session(diff.left()),
        "right",
        session(diff.right()),
        "calls",
        counts(summary.calls()),
        "first",
        first == null
            ? null
            : JsonObject.of("call", first.call(), "kind", first.kind().name()),
        "steps",
        counts(summary.steps()),
        "by_kind",
        object(summary.byKind(), StepKind::toString, DiffJson::counts),
        "by_tool",
        object(summary.byTool(), Function.identity(), DiffJson::counts),
        "divergence_counts",
        JsonObject.of(
            "by_kind", object(summary.divergencesByKind(), Enum::name, JsonValue::of),
            "by_severity",
                object(
                    summary.divergencesBySeverity(), DivergenceSeverity::spelling, JsonValue::of),
            "by_role",
                object(summary.divergencesByRole(), Divergence.Role::toString, JsonValue::of)),
        "divergences_truncated",
        diff.divergences().size() < summary.divergences(),
        "divergences",
        array(diff.divergences(), divergence -> of(divergence, context)),
        "rules",
        array(diff.rules(), DiffJson::rule),
        "not_compared",
        JsonObject.of(
            "identities", summary.identities(),
            "timings", summary.timings(),
            "ignored_calls", summary.ignoredCalls()));
  }

  static JsonObject session(ComparedSession session) {
    return JsonObject.of(
        "name", session.name(),
        "session_id", session.sessionId(),
        "events", session.events(),
        "total_latency_ms", session.latencyMillis());
  }

  static JsonObject counts(StepCounts counts) {
    return JsonObject.of(
        "left", counts.left(),
        "right", counts.right(),
        "matched", counts.matched(),
        "changed", counts.changed(),
        "missing", counts.missing(),
        "added", counts.added(),
        "moved", counts.moved());
  }

  private static JsonObject counts(ToolCounts counts) {
    return JsonObject.of(
        "left", counts.left(),
        "right", counts.right(),
        "matched", counts.matched(),
        "changed", counts.changed(),
        "replaced", counts.replaced(),
        "replacing", counts.replacing(),
        "missing", counts.missing(),
        "added", counts.added(),
        "left_latency_ms", counts.leftLatencyMillis(),
        "right_latency_ms", counts.rightLatencyMillis());
  }

  private static JsonObject of(Divergence divergence, DivergenceContext context) {
    List<EventChange> changes = divergence.changes();
    EventChange change = changes.isEmpty() ? null : changes.get(0);
    List<ValueChange> values = change == null ? List.of() : change.values();
    Divergence.Cause cause = divergence.cause();
    return JsonObject.of(
        "number",
        divergence.number(),
        "kind",
        divergence.kind().name(),
        "role",
        cause.role().toString(),
        "severity",
        divergence.severity().spelling(),
        "rule",
        divergence.ruling().rule(),
        "cause",
        cause.divergence(),
        "link",
        cause.link() == null ? null : cause.link().toString(),
        "followers",
        cause.followers(),
        "size",
        divergence.size(),
        "left",
        place(divergence.left(), Wording.line(divergence, true)),
        "right",
        place(divergence.right(), Wording.line(divergence, false)),
        "pointer",
        values.isEmpty() ? "" : values.get(0).pointer(),
        "pointers",
        pointers(values),
        "patch",
        change == null ? JsonArray.EMPTY : change.patch(),
        "also",
        array(changes.subList(Math.min(1, changes.size()), changes.size()), DiffJson::also),
        "values",
        array(changes.stream().flatMap(c -> c.values().stream()).toList(), DiffJson::value),
        "context",
        JsonObject.of(
            "before", array(context.before(divergence), DiffJson::neighbour),
            "after", array(context.after(divergence), DiffJson::neighbour)));
  }

  /** The place of a step; null when there is none. */
  static @Nullable JsonObject place(@Nullable Step step) {
    return step == null ? null : place(step, step.line());
  }

  private static @Nullable JsonObject place(@Nullable Step step, @Nullable Long line) {
    return step == null
        ? null
        : JsonObject.of(
            "line", line,
            "call", step.call(),
            "tool", step.kind() == StepKind.CALL ? step.name() : null,
            "step", step.kind().toString(),
            "name", step.name(),
            "latency_ms", step.latencyMillis());
  }

  private static @Nullable Long line(EventChange.@Nullable Event event) {
    return event == null ? null : (Long) event.line();
  }

  private static JsonObject also(EventChange change) {
    return JsonObject.of(
        "left", line(change.left()),
        "right", line(change.right()),
        "pointers", pointers(change.values()),
        "patch", change.patch());
  }

  /** The places that differ; elements of the two sides may have one place in unordered arrays. */
  private static JsonArray pointers(List<ValueChange> values) {
    return array(values.stream().map(ValueChange::pointer).distinct().toList(), JsonValue::of);
  }

  private static JsonObject value(ValueChange value) {
    ValueChange.Closeness closeness = value.closeness();
    return JsonObject.of(
        "kind", value.kind().name(),
        "pointer", value.pointer(),
        "right_pointer", value.rightPointer(),
        "closeness",
            closeness == null
                ? null
                : JsonObject.of(
                    "rule", closeness.rule(),
                    "similarity", closeness.similarity(),
                    "reason", closeness.reason()));
  }

  private static JsonObject neighbour(AlignedStep pair) {
    Step step = pair.step();
    return JsonObject.of(
        "relation", pair.relation().name().toLowerCase(Locale.ROOT),
        "side", pair.left() == null ? "right" : "left",
        "line", step.line(),
        "call", step.call(),
        "step", step.kind().toString(),
        "name", step.name(),
        "summary", step.summary());
  }

  private static JsonObject rule(AppliedRule rule) {
    return JsonObject.of("rule", rule.rule(), "left", rule.left(), "right", rule.right());
  }

  static <T> JsonArray array(List<T> elements, Function<T, JsonValue> form) {
    return JsonArray.copyOf(elements.stream().map(form).toList());
  }

  private static <K, V> JsonObject object(
      Map<K, V> map, Function<K, String> name, Function<V, JsonValue> form) {
    JsonObject.Builder builder = JsonObject.builder();
    map.forEach((key, value) -> builder.add(name.apply(key), form.apply(value)));
    return builder.build();
  }
}

package dev.agentreplay.engine.report;

import dev.agentreplay.engine.diff.AlignedStep;
import dev.agentreplay.engine.diff.AppliedRule;
import dev.agentreplay.engine.diff.ComparedSession;
import dev.agentreplay.engine.diff.DiffSummary;
import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.DivergenceKind;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.diff.EventChange;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.diff.SeverityRating;
import dev.agentreplay.engine.diff.Sides;
import dev.agentreplay.engine.diff.Step;
import dev.agentreplay.engine.diff.StepCounts;
import dev.agentreplay.engine.diff.StepKind;
import dev.agentreplay.engine.diff.ToolCounts;
import dev.agentreplay.engine.diff.ValueChange;
import dev.agentreplay.engine.diff.ValueChange.FileContents;
import dev.agentreplay.engine.diff.ValueChange.Withheld;
import dev.agentreplay.engine.diff.rule.Closeness;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Renders comparisons as JSON: schema {@code replay.diff/1}, see docs/reports.md and
 * docs/schema/replay.diff-1.schema.json. Later versions may add members.
 */
public final class DiffJson {

  private DiffJson() {}

  /** Renders a comparison. Parts of events are included as they were recorded. */
  public static JsonObject render(SessionDiff diff) {
    DivergenceContext context = new DivergenceContext(diff);
    return report(diff, array(diff.divergences(), divergence -> divergence(divergence, context)));
  }

  /**
   * Renders a comparison for {@link ViewerData}, which contains the events: steps are given by
   * their lines, without patches and context, and each place that differs includes its values.
   */
  static JsonObject forViewer(SessionDiff diff, EmbeddedChange values) {
    return report(
        diff,
        array(
            diff.divergences(), divergence -> forViewer(divergence, divergence.values(), values)));
  }

  /** Renders one divergence of a comparison, with some of its values, for {@link ViewerData}. */
  static JsonObject forViewer(
      Divergence divergence, List<ValueChange> shown, EmbeddedChange values) {
    return facts(divergence)
        .put("left", line(divergence.left(), divergence.lines().left()))
        .put("right", line(divergence.right(), divergence.lines().right()))
        .put("values", array(shown, values::of))
        .build();
  }

  /** Renders a comparison with divergences in a form of their own. */
  static JsonObject report(SessionDiff diff, JsonArray divergences) {
    DiffSummary summary = diff.summary();
    return JsonObject.builder()
        .put("schema", "replay.diff/1")
        .put("verdict", diff.isIdentical() ? "identical" : "diverged")
        .put("similarity", diff.similarity())
        .put("left", session(diff.left()))
        .put("right", session(diff.right()))
        .put("calls", counts(summary.calls()))
        .put("first", first(diff.first()))
        .put("steps", counts(summary.steps()))
        .put("by_kind", object(summary.byKind(), StepKind::id, DiffJson::counts))
        .put("by_tool", object(summary.byTool(), Function.identity(), DiffJson::counts))
        .put("divergence_counts", counts(summary))
        .put("divergences_truncated", diff.divergences().size() < summary.divergences())
        .put("divergences", divergences)
        .put("accepted", accepted(diff.accepted().size(), diff.notFound()))
        .put("rules", array(diff.rules(), DiffJson::rule))
        .put(
            "not_compared",
            JsonObject.of(
                "identities", summary.identities(),
                "timings", summary.timings(),
                "withheld", summary.withheld(),
                "replaced", summary.replaced(),
                "ignored_calls", summary.ignoredCalls()))
        .build();
  }

  static @Nullable JsonObject first(SessionDiff.@Nullable First first) {
    return first == null
        ? null
        : JsonObject.of("call", first.call(), "kind", first.kind().id());
  }

  private static JsonObject counts(DiffSummary summary) {
    return JsonObject.of(
        "by_kind", object(summary.divergencesByKind(), DivergenceKind::id, JsonValue::of),
        "by_severity",
            object(summary.divergencesBySeverity(), DivergenceSeverity::id, JsonValue::of),
        "by_role", object(summary.divergencesByRole(), Divergence.Role::id, JsonValue::of));
  }

  static JsonObject session(ComparedSession session) {
    JsonObject json = JsonObject.of(
        "name", session.name(),
        "session_id", session.sessionId(),
        "events", session.events(),
        "total_latency_ms", session.latencyMillis());
    return session.policy() == null ? json : json.with("policy", session.policy());
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

  private static JsonObject.Builder facts(Divergence divergence) {
    Divergence.Cause cause = divergence.cause();
    JsonObject.Builder facts = JsonObject.builder()
        .put("number", divergence.number())
        .put("kind", divergence.kind().id())
        .put("role", cause.role().id())
        .put("severity", divergence.severity().id())
        .put("rule", divergence.rating().rule())
        .put("cause", cause.divergence())
        .put("link", cause.link() == null ? null : cause.link().id())
        .put("followers", cause.followers())
        .put("size", divergence.size())
        .put("fingerprint", hash(divergence.fingerprint()))
        .put("accepted", divergence.accepted() != null);
    SeverityRating without = divergence.accepted();
    return without == null
        ? facts
        : facts.put("accepted_severity", without.severity().id());
  }

  static @Nullable String hash(@Nullable ContentHash hash) {
    return hash == null ? null : hash.toString();
  }

  /** The number of accepted divergences, and the accepted fingerprints without a divergence. */
  static JsonObject accepted(long divergences, Set<ContentHash> notFound) {
    return JsonObject.of(
        "divergences",
        divergences,
        "unused",
        JsonArray.of(notFound.stream().map(ContentHash::toString).sorted().toArray()));
  }

  /** The description of a divergence, with its numbers in the comparison. */
  static JsonObject divergence(Divergence divergence, DivergenceContext context) {
    List<EventChange> changes = divergence.changes();
    EventChange change = changes.isEmpty() ? null : changes.get(0);
    List<ValueChange> values = change == null ? List.of() : change.values();
    return facts(divergence)
        .put("left", place(divergence.left(), divergence.lines().left()))
        .put("right", place(divergence.right(), divergence.lines().right()))
        .put("pointer", values.isEmpty() ? "" : values.get(0).pointer())
        .put("pointers", pointers(values))
        .put("patch", change == null ? JsonArray.EMPTY : change.patch())
        .put("also", array(changes.stream().skip(1).toList(), DiffJson::also))
        .put("values", array(divergence.values(), DiffJson::withContents))
        .put(
            "context",
            JsonObject.of(
                "before", array(context.before(divergence), DiffJson::neighbor),
                "after", array(context.after(divergence), DiffJson::neighbor)))
        .build();
  }

  private static @Nullable JsonObject line(@Nullable Step step, @Nullable Long line) {
    return step == null ? null : JsonObject.of("line", line);
  }

  /** The place of a step; null if there is no step. */
  static @Nullable JsonObject place(@Nullable Step step) {
    return step == null ? null : place(step, step.line());
  }

  private static @Nullable JsonObject place(@Nullable Step step, @Nullable Long line) {
    if (step == null) {
      return null;
    }
    JsonObject place = JsonObject.of(
        "line", line,
        "call", step.call(),
        "tool", step.kind() == StepKind.CALL ? step.name() : null,
        "step", step.kind().id(),
        "name", step.name(),
        "latency_ms", step.latencyMillis());
    return step.agent() == null ? place : place.with(Names.AGENT, step.agent());
  }

  private static JsonObject also(EventChange change) {
    Sides<Long> lines = change.sides().map(EventChange.Event::line);
    return JsonObject.of(
        "left", lines.left(),
        "right", lines.right(),
        "pointers", pointers(change.values()),
        "patch", change.patch());
  }

  /** The distinct places that differ; in unordered arrays two changes may have the same place. */
  private static JsonArray pointers(List<ValueChange> values) {
    return array(values.stream().map(ValueChange::pointer).distinct().toList(), JsonValue::of);
  }

  /** The description of a place that differs. */
  static JsonObject.Builder value(ValueChange value) {
    Closeness closeness = value.closeness();
    JsonObject.Builder out = JsonObject.builder();
    if (value.detail() instanceof Withheld withheld) {
      out.put(
          "withheld",
          JsonObject.of("left", reason(withheld.left()), "right", reason(withheld.right())));
    }
    return out.put("kind", value.kind().id())
        .put("pointer", value.pointer())
        .put("right_pointer", value.rightPointer())
        .put(
            "closeness",
            closeness == null
                ? null
                : JsonObject.of(
                    "rule", closeness.rule(),
                    "similarity", closeness.similarity(),
                    "reason", closeness.reason()));
  }

  private static @Nullable JsonObject reason(Withheld.@Nullable Reason reason) {
    return reason == null ? null : JsonObject.of("policy", reason.policy(), "rule", reason.rule());
  }

  /** The description of a place that differs, with the difference of the contents of a file. */
  private static JsonObject withContents(ValueChange value) {
    JsonObject.Builder out = value(value);
    if (value.detail() instanceof FileContents contents) {
      out.put("file", FileJson.withDifference(contents));
    }
    return out.build();
  }

  private static JsonObject neighbor(AlignedStep pair) {
    Step step = pair.step();
    return JsonObject.of(
        "relation", pair.relation().id(),
        "side", pair.left() == null ? "right" : "left",
        "line", step.line(),
        "call", step.call(),
        "step", step.kind().id(),
        "name", step.name(),
        "summary", step.summary());
  }

  private static JsonObject rule(AppliedRule rule) {
    return JsonObject.of("rule", rule.rule(), "left", rule.left(), "right", rule.right());
  }

  static <T> JsonArray array(List<T> elements, Function<T, JsonValue> form) {
    return JsonArray.copyOf(elements.stream().map(form).toList());
  }

  static <K, V> JsonObject object(
      Map<K, V> map, Function<K, String> name, Function<V, JsonValue> form) {
    JsonObject.Builder builder = JsonObject.builder();
    map.forEach((key, value) -> builder.add(name.apply(key), form.apply(value)));
    return builder.build();
  }
}

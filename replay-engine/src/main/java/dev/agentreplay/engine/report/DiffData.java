package dev.agentreplay.engine.report;

import dev.agentreplay.engine.diff.AlignedStep;
import dev.agentreplay.engine.diff.DiffSummary;
import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.EventChange;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.diff.Step;
import dev.agentreplay.engine.diff.ToolCounts;
import dev.agentreplay.engine.diff.ValueChange;
import dev.agentreplay.engine.diff.ValueChange.Places;
import dev.agentreplay.engine.diff.ValueChange.Rewritten;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes what {@link ViewerData} documents of a comparison. */
final class DiffData {

  private final ScriptWriter out;
  private final EmbeddedChange changes;

  DiffData(ScriptWriter out, Embedding embedding) {
    this.out = out;
    this.changes = new EmbeddedChange(embedding);
  }

  void write(SessionDiff diff) throws IOException {
    out.syntax("{\"summary\":").value(summary(diff)).syntax(",\n\"divergences\":[");
    String separator = "\n";
    for (Divergence divergence : diff.divergences()) {
      out.syntax(separator).value(divergence(divergence));
      separator = ",\n";
    }
    out.syntax("],\n\"pairs\":[");
    separator = "\n";
    for (AlignedStep pair : diff.alignment()) {
      out.syntax(separator).value(pair(pair));
      separator = ",\n";
    }
    out.syntax("]}");
  }

  private static JsonObject summary(SessionDiff diff) {
    DiffSummary summary = diff.summary();
    List<JsonArray> tools = new ArrayList<>();
    summary.byTool().forEach((name, counts) -> tools.add(tool(name, counts)));
    JsonObject.Builder severities = JsonObject.builder();
    summary
        .divergencesBySeverity()
        .forEach((severity, n) -> severities.add(lower(severity), JsonValue.of(n)));
    SessionDiff.First first = diff.first();
    return some(
        "identical", diff.isIdentical(),
        "similarity", diff.similarity(),
        "first", first == null ? null : JsonObject.of("call", first.call(), "kind", first.kind()),
        "calls", DiffJson.counts(summary.calls()),
        "steps", DiffJson.counts(summary.steps()),
        "tools", tools,
        "divergences", summary.divergences(),
        "severities", severities.build(),
        "identities", summary.identities(),
        "timings", summary.timings(),
        "ignored", summary.ignoredCalls(),
        "rules",
            diff.rules().stream()
                .map(rule -> JsonArray.of(rule.rule(), rule.left(), rule.right()))
                .toList());
  }

  private static JsonArray tool(String name, ToolCounts counts) {
    return JsonArray.of(
        name,
        counts.left(),
        counts.right(),
        counts.matched(),
        counts.changed(),
        counts.replaced(),
        counts.replacing(),
        counts.missing(),
        counts.added());
  }

  private JsonObject divergence(Divergence divergence) {
    Divergence.Cause cause = divergence.cause();
    return some(
        "number", divergence.number(),
        "kind", divergence.kind(),
        "severity", lower(divergence.severity()),
        "rule", divergence.ruling().rule(),
        "role", cause.role().toString(),
        "cause", cause.divergence(),
        "link", cause.link() == null ? null : cause.link().toString(),
        "followers", cause.followers(),
        "size", divergence.size(),
        "left", line(divergence.left()),
        "right", line(divergence.right()),
        "changes", divergence.changes().stream().map(this::change).toList());
  }

  private JsonObject change(EventChange change) {
    return some(
        "left", change.left() == null ? null : change.left().line(),
        "right", change.right() == null ? null : change.right().line(),
        "values", change.values().stream().map(this::value).toList());
  }

  private JsonObject value(ValueChange value) {
    ValueChange.Closeness closeness = value.closeness();
    Places places = value.detail() instanceof Places found ? found : null;
    Marks marks = null;
    List<@Nullable JsonObject> sides = Arrays.asList(null, null);
    if (value.detail() instanceof Rewritten rewritten
        && value.before() instanceof JsonString before
        && value.after() instanceof JsonString after) {
      ComparedText left = ComparedText.of(before.value(), rewritten.before());
      ComparedText right = ComparedText.of(after.value(), rewritten.after());
      marks = Marks.notIn(left, right);
      sides = changes.of(left, right, marks);
    } else if (places == null) {
      sides = changes.of(value.before(), value.after());
    }
    return some(
        "kind", value.kind(),
        "pointer", value.pointer(),
        "rightPointer", value.rightPointer(),
        "before", sides.get(0),
        "after", sides.get(1),
        "marks", marks == null ? null : marks.toString(),
        "places",
            places == null ? null : places.first().stream().map(this::value).toList(),
        "count", places == null ? null : places.count(),
        "close",
            closeness == null
                ? null
                : some(
                    "rule", closeness.rule(),
                    "similarity", closeness.similarity(),
                    "reason", closeness.reason()));
  }

  private static JsonArray pair(AlignedStep pair) {
    Long left = line(pair.left());
    Long right = line(pair.right());
    return JsonArray.of(
        pair.relation(),
        left == null ? 0 : left,
        right == null ? 0 : right,
        pair.divergence() == null ? -1 : pair.divergence());
  }

  private static @Nullable Long line(@Nullable Step step) {
    return step == null ? null : step.line();
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** An object of names and values in turn, without those that are null. */
  private static JsonObject some(@Nullable Object... namesAndValues) {
    JsonObject.Builder out = JsonObject.builder();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      if (namesAndValues[i + 1] != null) {
        out.add(String.valueOf(namesAndValues[i]), JsonValue.of(namesAndValues[i + 1]));
      }
    }
    return out.build();
  }
}

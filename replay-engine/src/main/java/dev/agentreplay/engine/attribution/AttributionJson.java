package dev.agentreplay.engine.attribution;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Renders attributions as JSON: schema {@code replay.attribution/1}, see docs/reports.md. Later
 * versions may add members.
 */
public final class AttributionJson {

  private static final String SCHEMA = "replay.attribution/1";

  private AttributionJson() {}

  /** Renders a report. Changed values are included as they were recorded. */
  public static JsonObject render(AttributionReport report) {
    JsonObject json = JsonObject.of(
        "schema",
        SCHEMA,
        "verdict",
        report.verdict().id(),
        "first",
        report.first().toString(),
        "second",
        report.second().toString(),
        "differences",
        array(report.differences(), AttributionJson::difference),
        "not_tried",
        array(report.notTried(), JsonValue::of),
        "trials",
        array(report.trials(), AttributionJson::trial),
        "executed",
        report.executed(),
        "causes",
        array(report.causes(), AttributionJson::cause),
        "remaining",
        array(report.remaining(), each -> JsonValue.of(each.number())));
    if (report.outcome() != null) {
      json = json.with(
          "outcome",
          JsonObject.of(
              "name",
              report.outcome(),
              "first",
              report.firstOutcome(),
              "second",
              report.secondOutcome()));
    }
    return with(json, "reason", report.reason());
  }

  private static JsonObject difference(Difference difference) {
    return JsonObject.of(
        "number",
        difference.number(),
        "kind",
        difference.kind().id(),
        "title",
        difference.title(),
        "first_line",
        difference.leftLine(),
        "second_line",
        difference.rightLine(),
        "change",
        difference.change().json());
  }

  private static JsonObject trial(Trial trial) {
    JsonObject json = JsonObject.of(
        "number",
        trial.number(),
        "differences",
        array(trial.differences(), JsonValue::of),
        "result",
        trial.result().id(),
        "executed",
        trial.executed(),
        "directory",
        trial.directory() == null ? null : trial.directory().toString());
    return with(json, "reason", trial.reason());
  }

  private static JsonObject cause(Cause cause) {
    return JsonObject.of(
        "differences",
        array(cause.differences(), each -> JsonValue.of(each.number())),
        "with",
        proportion(cause.with()),
        "without",
        proportion(cause.without()),
        "minimal",
        cause.isMinimal(),
        "necessary",
        cause.isNecessary(),
        "certain",
        cause.isCertain());
  }

  private static JsonObject proportion(Proportion proportion) {
    return JsonObject.of(
        "count",
        proportion.count(),
        "of",
        proportion.of(),
        "certain",
        proportion.isCertain(),
        "lower",
        proportion.lower(),
        "upper",
        proportion.upper());
  }

  private static <T> JsonArray array(List<T> values, Function<T, JsonValue> render) {
    return JsonArray.copyOf(values.stream().map(render).toList());
  }

  private static JsonObject with(JsonObject json, String name, @Nullable String value) {
    return value == null ? json : json.with(name, value);
  }
}

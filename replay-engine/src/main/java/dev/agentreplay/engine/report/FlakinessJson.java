package dev.agentreplay.engine.report;

import dev.agentreplay.engine.agreement.FlakinessReport;
import dev.agentreplay.engine.agreement.StepStability;
import dev.agentreplay.engine.repeat.RepeatedReport;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.nio.file.Path;
import java.util.List;

/**
 * Renders the comparison of several runs with one session as JSON: schema
 * {@code replay.agreement/1}, see docs/reports.md and docs/schema/replay.agreement-1.schema.json.
 * Later versions may add members.
 */
public final class FlakinessJson {

  private FlakinessJson() {}

  /** Renders a comparison of several runs. Names are included as they were recorded. */
  public static JsonObject render(FlakinessReport agreement) {
    List<StepStability> unstable = agreement.unstable();
    StepStability cause = agreement.cause();
    JsonObject.Builder counts = JsonObject.builder();
    agreement
        .counts()
        .forEach((stability, count) -> counts.add(stability.id(), JsonValue.of(count)));
    return JsonObject.of(
        "schema", "replay.agreement/1",
        "verdict", agreement.verdict().id(),
        "agreement", agreement.agreement(),
        "left", DiffJson.session(agreement.left()),
        "runs", DiffJson.array(agreement.runs(), DiffJson::session),
        "steps", counts.build(),
        "cause", cause == null ? null : unstable.indexOf(cause),
        "unstable", DiffJson.array(unstable, FlakinessJson::of));
  }

  /**
   * Renders the report of a repeated replay as JSON: schema {@code replay.repeat/1}, see
   * docs/reports.md and docs/schema/replay.repeat-1.schema.json.
   */
  public static JsonObject render(RepeatedReport report) {
    FlakinessReport agreement = report.agreement();
    StepStability first = report.first();
    JsonObject.Builder verdicts = JsonObject.builder();
    report.verdicts().forEach((verdict, count) -> verdicts.add(verdict.id(), JsonValue.of(count)));
    return JsonObject.of(
        "schema", "replay.repeat/1",
        "verdict", report.verdict().id(),
        "requested", report.requested(),
        "interrupted", report.isInterrupted(),
        "passed", report.passed(),
        "pass_rate", report.passRate(),
        "verdicts", verdicts.build(),
        "first", first == null ? null : DiffJson.place(first.step()),
        "replays",
            DiffJson.array(report.reports(), each -> of(each, !report.sessions().isEmpty())),
        "agreement", agreement == null ? null : render(agreement));
  }

  private static JsonObject of(ReplayReport report, boolean isKept) {
    Path directory = isKept ? report.directory() : null;
    return JsonObject.of(
        "verdict",
        report.verdict().id(),
        "passes",
        report.passes(),
        "recording",
        directory == null ? null : directory.toString(),
        "divergences",
        report.divergenceCount(),
        "accepted",
        report.acceptedCount(),
        "incomplete",
        DiffJson.array(report.incomplete(), JsonValue::of),
        Names.DURATION_MS,
        report.duration().toMillis());
  }

  private static JsonObject of(StepStability agreement) {
    return JsonObject.of(
        "stability", agreement.stability().id(),
        "downstream", agreement.downstream(),
        "agreeing", agreement.agreeing(),
        "variants", agreement.variants(),
        "left", DiffJson.place(agreement.left()),
        "runs", DiffJson.array(agreement.runs(), FlakinessJson::of));
  }

  private static JsonObject of(StepStability.Run run) {
    return JsonObject.of(
        "relation", run.relation().id(),
        "variant", run.variant(),
        "divergence", run.divergence(),
        "step", DiffJson.place(run.step()));
  }
}

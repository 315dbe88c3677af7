package dev.agentreplay.engine.report;

import dev.agentreplay.engine.agreement.FlakinessReport;
import dev.agentreplay.engine.agreement.StepStability;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
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

package dev.agentreplay.engine.report;

import dev.agentreplay.engine.agreement.RunAgreement;
import dev.agentreplay.engine.agreement.StepAgreement;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;

/**
 * The agreement of several runs with one session as JSON: schema {@code replay.agreement/1},
 * docs/format.md and docs/schema/replay.agreement-1.schema.json. Members may be added to it.
 */
public final class AgreementJson {

  private AgreementJson() {}

  /** The agreement as an object; names in it are as they were recorded. */
  public static JsonObject render(RunAgreement agreement) {
    List<StepAgreement> unstable = agreement.unstable();
    StepAgreement cause = agreement.cause();
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
        "unstable", DiffJson.array(unstable, AgreementJson::of));
  }

  private static JsonObject of(StepAgreement agreement) {
    return JsonObject.of(
        "stability", agreement.stability().id(),
        "downstream", agreement.downstream(),
        "agreeing", agreement.agreeing(),
        "variants", agreement.variants(),
        "left", DiffJson.place(agreement.left()),
        "runs", DiffJson.array(agreement.runs(), AgreementJson::of));
  }

  private static JsonObject of(StepAgreement.Run run) {
    return JsonObject.of(
        "relation", run.relation().id(),
        "variant", run.variant(),
        "divergence", run.divergence(),
        "step", DiffJson.place(run.step()));
  }
}

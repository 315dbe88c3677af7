package dev.agentreplay.engine.report;

import dev.agentreplay.engine.agreement.FlakinessReport;
import dev.agentreplay.engine.agreement.StepStability;
import dev.agentreplay.engine.diff.ComparedSession;
import dev.agentreplay.engine.diff.Step;
import dev.agentreplay.engine.report.embedded.ScriptWriter;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes a {@link FlakinessReport} for the page of several runs, in the form that
 * {@link ViewerData} documents, one step after the other.
 */
final class RunsReport {

  /** The maximum number of pairs of a step and a run. */
  private static final int CELLS = 1_000_000;

  /** The maximum length of the summary of a step, in characters. */
  private static final int SUMMARY = 240;

  /** The maximum length of the name of a step or a session, in characters. */
  private static final int NAME = 1_000;

  private final FlakinessReport report;
  private final int maxSteps;

  RunsReport(FlakinessReport report) {
    this(report, CELLS / report.runs().size());
  }

  /** Creates a writer with a different limit of steps. */
  RunsReport(FlakinessReport report, int maxSteps) {
    this.report = report;
    this.maxSteps = maxSteps;
  }

  void write(ScriptWriter out) throws IOException {
    List<StepStability> steps = report.steps();
    int written = Math.min(steps.size(), maxSteps);
    StepStability cause = report.cause();
    int causeIndex = cause == null ? -1 : steps.indexOf(cause);
    JsonObject.Builder counts = JsonObject.builder();
    report.counts().forEach((stability, n) -> counts.add(stability.id(), JsonValue.of(n)));
    out.syntax("{\"verdict\":").value(JsonValue.of(report.verdict().id()));
    out.syntax(",\"agreement\":").value(JsonValue.of(report.agreement()));
    out.syntax(",\"left\":").value(session(report.left()));
    out.syntax(",\"runs\":").value(DiffJson.array(report.runs(), RunsReport::session));
    out.syntax(",\"counts\":").value(counts.build());
    out.syntax(",\"cause\":");
    out.value(JsonValue.of(causeIndex < 0 || causeIndex >= written ? null : causeIndex));
    out.syntax(",\n\"steps\":[");
    for (int i = 0; i < written; i++) {
      out.syntax(i == 0 ? "\n" : ",\n").value(step(steps.get(i)));
    }
    out.syntax("],\n\"omitted\":").value(JsonValue.of(steps.size() - written)).syntax("}");
  }

  private static JsonObject session(ComparedSession session) {
    return JsonObject.of(
        "name", Excerpt.shortened(session.name(), NAME),
        "events", session.events(),
        "latency", session.latencyMillis());
  }

  private static JsonObject step(StepStability stability) {
    Step step = stability.step();
    JsonObject.Builder json = JsonObject.builder()
        .put("stability", stability.stability().id())
        .put("variants", stability.variants())
        .put("name", Excerpt.shortened(step.name(), NAME))
        .put("summary", Excerpt.shortened(step.summary(), SUMMARY))
        .put("line", step.line())
        .put("call", step.call())
        .put("left", line(stability.left()))
        .put("runs", DiffJson.array(stability.runs(), RunsReport::run));
    if (stability.downstream()) {
      json.put("downstream", true);
    }
    return json.build();
  }

  private static JsonArray run(StepStability.Run run) {
    return JsonArray.of(run.relation().id(), line(run.step()), run.variant());
  }

  private static @Nullable Long line(@Nullable Step step) {
    return step == null ? null : (Long) step.line();
  }
}

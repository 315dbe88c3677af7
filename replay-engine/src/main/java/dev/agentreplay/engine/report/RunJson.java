package dev.agentreplay.engine.report;

import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.exchange.ExchangeKind;
import dev.agentreplay.engine.exchange.MatchRung;
import dev.agentreplay.engine.replay.Circumstance;
import dev.agentreplay.engine.replay.ReplayDivergence;
import dev.agentreplay.engine.replay.ReplayRefusedException;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.engine.replay.execution.NotExecutedException;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayAction;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerifyPolicy.Requirement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Renders the reports of replays as JSON: schema {@code replay.run/1}, see docs/reports.md and
 * docs/schema/replay.run-1.schema.json. Later versions may add members.
 */
public final class RunJson {

  private static final String SCHEMA = "replay.run/1";

  private final ReplayReport report;
  private final RunDivergences numbers;

  private RunJson(ReplayReport report) {
    this.report = report;
    this.numbers = new RunDivergences(report);
  }

  /** Renders a report. Parts of events are included as they were recorded. */
  public static JsonObject render(ReplayReport report) {
    return new RunJson(report).render();
  }

  /**
   * Renders the refusal of a replay, of which nothing ran. Its verdict is {@code unverified}.
   *
   * @param recording the name of the recording
   */
  public static JsonObject refused(
      String recording, ReplayMode mode, ReplayRefusedException refusal) {
    return JsonObject.of(
        "schema",
        SCHEMA,
        "verdict",
        ReplayVerdict.UNVERIFIED.id(),
        "mode",
        mode.id(),
        "refused",
        JsonObject.of(
            "recording",
            recording,
            "reason",
            refusal.reason().id(),
            "message",
            refusal.getMessage()));
  }

  private JsonObject render() {
    SessionDiff diff = report.comparison();
    ReplayReport.ExchangeCounts exchanges = report.exchanges();
    Throwable failure = report.failure();
    return JsonObject.builder()
        .put("schema", SCHEMA)
        .put("verdict", report.verdict().id())
        .put("mode", report.mode().id())
        .put("session", session())
        .put("recording", path(report.directory()))
        .put("fork", fork())
        .put("policy", policy(report.policy()))
        .put(
            "exchanges",
            JsonObject.of(
                "recorded", exchanges.recorded(),
                "served", exchanges.served(),
                "executed", exchanges.executed(),
                "unread", exchanges.unread()))
        .put("requests", requests())
        .put("circumstances", DiffJson.array(report.circumstances(), Circumstance::json))
        .put("verification", verification())
        .put("budgets", report.budget())
        .put("isolation", report.isolation().json())
        .put("incomplete", DiffJson.array(report.incomplete(), JsonValue::of))
        .put("failure", failure == null ? null : Failure.of(failure).json())
        .put("first", diff == null ? null : DiffJson.first(diff.first()))
        .put(
            "divergence_counts",
            DiffJson.object(report.divergencesByKind(), Function.identity(), JsonValue::of))
        .put("divergences_truncated", numbers.unlisted() > 0)
        .put("divergences", divergences())
        .put("accepted", DiffJson.accepted(report.acceptedCount(), report.notFound()))
        .put("not_reexecuted", report.notReexecuted())
        .put("agreement", agreement())
        .put(Names.STARTED_AT, report.startedAt().toString())
        .put(Names.DURATION_MS, report.duration().toMillis())
        .build();
  }

  private @Nullable JsonObject fork() {
    ReplayReport.Forked fork = report.fork();
    return fork == null
        ? null
        : fork.origin().json().with("line", fork.origin().line()).with("reached", fork.isReached());
  }

  private @Nullable JsonObject agreement() {
    if (report.agreement().isEmpty()) {
      return null;
    }
    JsonObject.Builder names = JsonObject.builder();
    report.agreement().forEach((name, each) -> names.put(name, agreement(each)));
    return agreement(RunWording.total(report)).with("by_name", names.build());
  }

  private static JsonObject agreement(ReplayReport.Agreement agreement) {
    return JsonObject.of("same", agreement.same(), "of", agreement.of());
  }

  private JsonObject session() {
    ReplayReport.Recorded recorded = report.recorded();
    return JsonObject.of(
        Names.SESSION_ID,
        report.sessionId(),
        "log",
        path(report.recording()),
        Names.DURATION_MS,
        recorded.duration().toMillis(),
        Names.TOKENS_IN,
        recorded.inputTokens(),
        Names.TOKENS_OUT,
        recorded.outputTokens());
  }

  private static @Nullable String path(@Nullable Path path) {
    return path == null ? null : path.toString();
  }

  private static JsonObject policy(ReplayPolicy policy) {
    JsonObject.Builder effects = JsonObject.builder();
    for (Effect effect : Effect.values()) {
      ReplayAction action = effect == Effect.MODEL ? policy.model() : policy.tool("", effect);
      effects.put(effect.id(), action.id());
    }
    return JsonObject.of(
        "effects", effects.build(),
        "values", policy.values().id(),
        "declared",
            DiffJson.object(policy.effects(), Function.identity(), each -> JsonValue.of(each.id())),
        "tools",
            DiffJson.object(policy.tools(), Function.identity(), each -> JsonValue.of(each.id())));
  }

  private JsonObject verification() {
    VerificationReport verification = report.verification();
    return JsonObject.of(
        "verdict",
        verification.verdict().id(),
        "unmet",
        JsonArray.of(verification.unmet().stream().map(Requirement::id).toArray()),
        Names.FINDING_COUNTS,
        DiffJson.object(verification.findingCounts(), FindingCode::name, JsonValue::of));
  }

  private JsonObject requests() {
    JsonObject.Builder requests = JsonObject.builder().put("total", report.requests());
    for (MatchRung rung : MatchRung.values()) {
      requests.put(rung.id(), report.matched().getOrDefault(rung, 0L));
    }
    return requests.put("missed", report.missed()).build();
  }

  private JsonArray divergences() {
    SessionDiff diff = report.comparison();
    DivergenceContext context = diff == null ? null : new DivergenceContext(diff);
    List<ReplayDivergence> all = new ArrayList<>(report.divergences());
    all.addAll(report.accepted());
    JsonValue[] rendered = new JsonValue[all.size()];
    for (int i = 0; i < rendered.length; i++) {
      rendered[i] = divergence(i, all.get(i), context);
    }
    return JsonArray.copyOf(List.of(rendered));
  }

  private JsonObject divergence(
      int number, ReplayDivergence divergence, @Nullable DivergenceContext context) {
    Divergence compared = divergence.comparison();
    JsonObject json = compared == null || context == null
        ? facts(number, divergence)
        : compared(number, divergence, DiffJson.divergence(compared, context));
    json = json.with("message", divergence.message())
        .with("fingerprint", DiffJson.hash(divergence.fingerprint()))
        .with("accepted", divergence.isAccepted());
    NotExecutedException.Reason notExecuted = divergence.notExecuted();
    json = notExecuted == null ? json : json.with(Names.NOT_EXECUTED, notExecuted.id());
    return divergence.miss() == null
        ? json
        : json.with("miss", divergence.miss().json());
  }

  private JsonObject compared(int number, ReplayDivergence divergence, JsonObject json) {
    int cause = json.get("cause") instanceof JsonNumber compared
        ? numbers.number((int) compared.asLong())
        : -1;
    return json.with("number", number)
        .with("kind", divergence.kind())
        .with("role", divergence.role().id())
        .with("severity", divergence.severity().id())
        .with("cause", cause < 0 ? null : cause);
  }

  private static JsonObject facts(int number, ReplayDivergence divergence) {
    JsonObject json = JsonObject.of(
        "number", number,
        "kind", divergence.kind(),
        "role", divergence.role().id(),
        "severity", divergence.severity().id(),
        "left", place(divergence.recordedLine(), divergence.agent()),
        "right", place(divergence.replayLine(), divergence.agent()));
    ExchangeKind exchange = divergence.exchange();
    return exchange == null
        ? json
        : json.with("exchange", exchange.id()).with("name", divergence.name());
  }

  private static @Nullable JsonObject place(@Nullable Long line, @Nullable String agent) {
    if (line == null) {
      return null;
    }
    JsonObject place = JsonObject.of("line", line);
    return agent == null ? place : place.with(Names.AGENT, agent);
  }
}

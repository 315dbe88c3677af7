package dev.agentreplay.engine.report;

import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.DivergenceKind;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.diff.ValueChange;
import dev.agentreplay.engine.exchange.ReplayMiss;
import dev.agentreplay.engine.replay.ReplayDivergence;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.report.embedded.EmbeddedOrigin;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.model.finding.Severity;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerificationReport.Conclusion;
import dev.agentreplay.verify.VerifyPolicy.Requirement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes the part of {@link ViewerData} that only the page of a replay has.
 *
 * <pre>
 * run          {verdict, mode, headline, session_id, exchanges: {recorded, served, executed, unread},
 *               requests, missed, total, accepted, facts: [[label, text]], differs: [[name, text, "differs" or "note"]],
 *               incomplete: [text], failure: text or null, verification, divergences, unlisted, fork?}
 *              total: the number of divergences; accepted: of those that are accepted; unlisted: of those that are not in the file;
 *              fork: the origin of the fork that the replay made, as {@link EmbeddedOrigin} makes it
 * verification {verdict, unmet: [text], proved: [text], not_proved: [text],
 *               findings: [[line or null, isGrave, text]], truncated}
 * divergences  first those of the report, with the numbers that it gives them, then those of the
 *              comparison that it does not have, such as those of the severity none. Each is as in
 *              the diff of a page, with {message, miss: {class, line?, pointer?, recorded?, actual?}
 *              or null, not_executed}; a miss has only the values of the request, since it has no result; without
 *              values, rule and link if only the ledger has it
 * </pre>
 */
final class ViewerRun {

  private static final int LONGEST_NAME = 200;
  private static final int LONGEST_TEXT = 1_000;

  private static final Set<DivergenceKind> OF_RESULTS = Set.of(
      DivergenceKind.OUTCOME,
      DivergenceKind.OUTPUT,
      DivergenceKind.RESPONSE,
      DivergenceKind.ASSESSMENT);

  private final ReplayReport report;
  private final RunDivergences numbers;
  private final EmbeddedChange values;

  /** The divergences of the comparison that the report does not list. */
  private final List<Divergence> others = new ArrayList<>();

  /** The numbers in the page of those divergences, by their numbers in the comparison. */
  private final Map<Integer, Integer> otherNumbers = new HashMap<>();

  ViewerRun(ReplayReport report, EmbeddedChange values) {
    this.report = report;
    this.numbers = new RunDivergences(report);
    this.values = values;
    SessionDiff diff = report.comparison();
    if (diff != null) {
      for (Divergence divergence : diff.divergences()) {
        if (numbers.number(divergence.number()) < 0) {
          otherNumbers.put(divergence.number(), report.divergences().size() + others.size());
          others.add(divergence);
        }
      }
    }
  }

  /** The number in the page of a divergence with a number in the comparison. */
  int number(int compared) {
    int listed = numbers.number(compared);
    return listed >= 0 ? listed : otherNumbers.getOrDefault(compared, -1);
  }

  JsonObject json() {
    ReplayReport.ExchangeCounts exchanges = report.exchanges();
    JsonObject.Builder json = JsonObject.builder();
    ReplayReport.Forked fork = report.fork();
    if (fork != null) {
      json.put("fork", EmbeddedOrigin.of(fork.origin()));
    }
    return json.put("verdict", report.verdict().id())
        .put("mode", report.mode().id())
        .put("headline", report.headline())
        .put("session_id", report.sessionId() == null ? null : name(report.sessionId()))
        .put(
            "exchanges",
            JsonObject.of(
                "recorded", exchanges.recorded(),
                "served", exchanges.served(),
                "executed", exchanges.executed(),
                "unread", exchanges.unread()))
        .put("requests", report.requests())
        .put("missed", report.missed())
        .put("total", report.divergenceCount())
        .put("accepted", report.acceptedCount())
        .put("facts", facts())
        .put(
            "differs",
            DiffJson.array(
                report.circumstances(),
                each ->
                    JsonArray.of(name(each.name()), text(each.message()), RunWording.label(each))))
        .put("incomplete", DiffJson.array(report.incomplete(), each -> JsonValue.of(text(each))))
        .put("failure", text(RunWording.failure(report)))
        .put("verification", verification(report.verification()))
        .put("divergences", divergences())
        .put("unlisted", numbers.unlisted())
        .build();
  }

  private JsonArray facts() {
    List<JsonValue> facts = new ArrayList<>();
    fact(facts, "mode", report.mode().id());
    String fork = RunWording.fork(report);
    fact(facts, "fork", fork == null ? "" : fork);
    fact(facts, "exchanges", RunWording.exchanges(report));
    fact(facts, "requests", report.requests() == 0 ? "" : RunWording.requests(report));
    fact(facts, "divergences", RunWording.divergences(report));
    fact(facts, "accepted", RunWording.accepted(report));
    boolean hasExecuted = report.exchanges().executed() > 0;
    fact(facts, "budget", hasExecuted ? RunWording.budget(report) : "");
    fact(facts, "isolation", String.valueOf(text(String.join("\n", RunWording.isolation(report)))));
    return JsonArray.copyOf(facts);
  }

  private static void fact(List<JsonValue> facts, String label, String text) {
    if (!text.isEmpty()) {
      facts.add(JsonArray.of(label, text));
    }
  }

  private static String name(String name) {
    return Excerpt.beginning(name, LONGEST_NAME);
  }

  private static @Nullable String text(@Nullable String text) {
    return text == null ? null : Excerpt.beginning(text, LONGEST_TEXT);
  }

  private static JsonObject verification(VerificationReport verification) {
    return JsonObject.of(
        "verdict",
        verification.verdict().id(),
        "unmet",
        JsonArray.of(verification.unmet().stream().map(Requirement::id).toArray()),
        "proved",
        conclusions(verification, true),
        "not_proved",
        conclusions(verification, false),
        "findings",
        DiffJson.array(verification.findings(), ViewerRun::finding),
        "truncated",
        verification.isTruncated());
  }

  private static JsonArray conclusions(VerificationReport verification, boolean areProved) {
    return JsonArray.of(verification.conclusions().stream()
        .filter(conclusion -> conclusion.isProved() == areProved)
        .map(Conclusion::text)
        .toArray());
  }

  private static JsonArray finding(Finding finding) {
    Position position = finding.position();
    return JsonArray.of(
        position == null ? null : position.line(),
        finding.severity() != Severity.INFO,
        text(finding.code() + ": " + finding.message()));
  }

  private JsonArray divergences() {
    List<JsonValue> rendered = new ArrayList<>();
    for (ReplayDivergence divergence : report.divergences()) {
      Divergence compared = divergence.comparison();
      JsonObject json = compared == null
          ? ofLedger(divergence, rendered.size())
          : compared(compared, values(divergence, compared), rendered.size());
      rendered.add(json.with("kind", divergence.kind())
          .with("role", divergence.role().id())
          .with("severity", divergence.severity().id())
          .with("message", message(divergence))
          .with("miss", divergence.miss() == null ? null : miss(divergence.miss()))
          .with(Names.NOT_EXECUTED, divergence.notExecuted() != null));
    }
    for (Divergence divergence : others) {
      rendered.add(compared(divergence, divergence.values(), rendered.size())
          .with("message", "")
          .with("miss", null)
          .with(Names.NOT_EXECUTED, false));
    }
    return JsonArray.copyOf(rendered);
  }

  private static @Nullable String message(ReplayDivergence divergence) {
    return text(RunDivergences.lines(divergence).stream().findFirst().orElse(""));
  }

  private static List<ValueChange> values(ReplayDivergence divergence, Divergence compared) {
    return divergence.miss() == null
        ? compared.values()
        : compared.values().stream()
            .filter(value -> !OF_RESULTS.contains(value.kind()))
            .toList();
  }

  private JsonObject compared(Divergence divergence, List<ValueChange> shown, int number) {
    JsonObject json = DiffJson.forViewer(divergence, shown, values).with("number", number);
    int cause =
        json.get("cause") instanceof JsonNumber compared ? number((int) compared.asLong()) : -1;
    return json.with("cause", cause < 0 ? null : cause);
  }

  private JsonObject ofLedger(ReplayDivergence divergence, int number) {
    return JsonObject.of(
        "number",
        number,
        "rule",
        "",
        "cause",
        null,
        "link",
        null,
        "followers",
        0,
        "size",
        1,
        "left",
        line(divergence.recordedLine()),
        "right",
        line(divergence.replayLine()),
        "values",
        JsonArray.EMPTY);
  }

  private static @Nullable JsonObject line(@Nullable Long line) {
    return line == null ? null : JsonObject.of("line", line);
  }

  private static JsonObject miss(ReplayMiss miss) {
    JsonObject json = JsonObject.of("class", miss.kind().id(), "name", name(miss.name()));
    ReplayMiss.Nearest nearest = miss.nearest();
    return nearest == null
        ? json
        : json.with("line", nearest.line())
            .with("pointer", text(nearest.pointer()))
            .with("recorded", text(nearest.recorded()))
            .with("actual", text(nearest.actual()));
  }
}

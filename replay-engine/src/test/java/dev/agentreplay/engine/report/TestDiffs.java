package dev.agentreplay.engine.report;

import dev.agentreplay.engine.diff.AlignedStep;
import dev.agentreplay.engine.diff.AlignedStep.Relation;
import dev.agentreplay.engine.diff.AppliedRule;
import dev.agentreplay.engine.diff.ComparedSession;
import dev.agentreplay.engine.diff.DiffSummary;
import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.Divergence.Cause;
import dev.agentreplay.engine.diff.Divergence.Link;
import dev.agentreplay.engine.diff.Divergence.Role;
import dev.agentreplay.engine.diff.DivergenceKind;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.diff.EventChange;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.diff.SeverityRating;
import dev.agentreplay.engine.diff.Step;
import dev.agentreplay.engine.diff.StepCounts;
import dev.agentreplay.engine.diff.StepKind;
import dev.agentreplay.engine.diff.TestResults;
import dev.agentreplay.engine.diff.ToolCounts;
import dev.agentreplay.engine.diff.ValueChange;
import dev.agentreplay.engine.diff.rule.Closeness;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Comparisons to render, made by hand. */
final class TestDiffs {

  /** Text that a terminal, a browser, a parser of XML or of Markdown would interpret. */
  static final String HOSTILE = "\u001b[2J\u202e\u200b</details><script>alert(1)</script>"
      + "]]>&amp;\"'`` ``` ````|\\|@somebody #123 \ufffe\u0000\r\n";

  private static final ContentHash HASH = ContentHash.sha256(new byte[0]);

  private TestDiffs() {}

  static Step call(int number, String tool, String summary) {
    long line = 4 + 2L * number;
    return TestResults.step(
        StepKind.CALL,
        number + 1,
        number,
        tool,
        line,
        line + 1,
        100L + number,
        true,
        summary,
        HASH);
  }

  static Step end(long line, boolean succeeded) {
    return TestResults.step(
        StepKind.END, 9, null, "SessionEnd", line, null, null, succeeded, "success", HASH);
  }

  static ValueChange change(DivergenceKind kind, String pointer, Object before, Object after) {
    return TestResults.valueChange(
        kind,
        pointer,
        pointer,
        before == null ? null : JsonValue.of(before),
        after == null ? null : JsonValue.of(after),
        null);
  }

  static EventChange event(long left, long right, ValueChange... values) {
    JsonObject json = JsonObject.of("event", "ToolCall");
    List<JsonValue> patch = new ArrayList<>();
    for (ValueChange value : values) {
      patch.add(JsonObject.of("op", "replace", "path", value.pointer(), "value", value.after()));
    }
    return TestResults.eventChange(
        TestResults.event(left, json),
        TestResults.event(right, json),
        List.of(values),
        JsonArray.copyOf(patch));
  }

  static Divergence divergence(
      int number,
      DivergenceKind kind,
      SeverityRating rating,
      Step left,
      Step right,
      EventChange... changes) {
    Cause cause = number == 0
        ? TestResults.cause(Role.ROOT, null, null, 1)
        : TestResults.cause(Role.INDEPENDENT, null, null, 0);
    return TestResults.divergence(number, kind, rating, cause, left, right, 1, List.of(changes));
  }

  /** A comparison of one pair of calls that differ at one place. */
  static SessionDiff of(String tool, ValueChange... changes) {
    Step left = call(0, tool, "{}");
    Divergence divergence = divergence(
        0,
        changes[0].kind(),
        new SeverityRating(DivergenceSeverity.MODERATE, "content"),
        left,
        left,
        event(4, 4, changes));
    StepCounts counts = TestResults.stepCounts(1, 1, 0, 1, 0, 0, 0);
    return diff(
        TestResults.comparedSession("a", null, 3, 0),
        TestResults.comparedSession("b", null, 3, 0),
        summary(
            counts, counts, Map.of(tool, tools(1, 1, 0, 1, 0, 0, 0, 0)), List.of(divergence), 0, 0),
        List.of(divergence),
        List.of(TestResults.alignedStep(Relation.CHANGED, left, left, 0)),
        List.of());
  }

  static ToolCounts tools(int... counts) {
    return TestResults.toolCounts(
        counts[0], counts[1], counts[2], counts[3], counts[4], counts[5], counts[6], counts[7], 100,
        200);
  }

  static SessionDiff diff(
      ComparedSession left,
      ComparedSession right,
      DiffSummary summary,
      List<Divergence> divergences,
      List<AlignedStep> alignment,
      List<AppliedRule> rules) {
    SessionDiff.First first = divergences.stream()
        .filter(divergence -> divergence.step().call() != null)
        .findFirst()
        .map(divergence -> TestResults.first(divergence.step().call(), divergence.kind()))
        .orElse(null);
    return TestResults.sessionDiff(left, right, summary, first, divergences, alignment, rules);
  }

  static DiffSummary summary(
      StepCounts calls,
      StepCounts steps,
      Map<String, ToolCounts> tools,
      List<Divergence> all,
      int identities,
      int timings) {
    Map<DivergenceKind, Integer> kinds = new EnumMap<>(DivergenceKind.class);
    Map<DivergenceSeverity, Integer> severities = new EnumMap<>(DivergenceSeverity.class);
    Map<Role, Integer> roles = new EnumMap<>(Role.class);
    all.forEach(divergence -> {
      kinds.merge(divergence.kind(), 1, Integer::sum);
      severities.merge(divergence.severity(), 1, Integer::sum);
      roles.merge(divergence.role(), 1, Integer::sum);
    });
    return TestResults.diffSummary(
        calls,
        steps,
        Map.of(StepKind.CALL, calls),
        tools,
        kinds,
        severities,
        roles,
        identities,
        timings,
        0);
  }

  /** Two sessions that do the same. */
  static SessionDiff identical() {
    return identical(List.of());
  }

  /** Two sessions that do the same by some rules. */
  static SessionDiff identical(List<AppliedRule> rules) {
    StepCounts calls = TestResults.stepCounts(2, 2, 2, 0, 0, 0, 0);
    StepCounts steps = TestResults.stepCounts(3, 3, 3, 0, 0, 0, 0);
    Step call = call(0, "search", "{}");
    return diff(
        TestResults.comparedSession("runs/monday/REPLAY.jsonl", "m", 6, 203),
        TestResults.comparedSession("runs/tuesday/REPLAY.jsonl", "t", 6, 199),
        summary(calls, steps, Map.of("search", tools(2, 2, 2, 0, 0, 0, 0, 0)), List.of(), 2, 1),
        List.of(),
        List.of(TestResults.alignedStep(Relation.MATCHED, call, call, null)),
        rules);
  }

  /** Something of everything. */
  static SessionDiff mixed() {
    Step search = call(0, "search_direct_flight", "{\"from\":\"JFK\",\"to\":\"SEA\"}");
    Step think = call(1, "think", "{\"thought\":\"the second is the cheapest\"}");
    Step book = call(2, "book_reservation", "{\"user\":\"mia\",\"flight\":\"HAT136\"}");
    Step mail = call(3, "send_mail", "{\"to\":\"mia\"}");
    Step check = call(4, "calculate", "{\"expression\":\"152 + 103\"}");
    Step note = call(5, "write_note", "{\"text\":\"booked\"}");
    Step close = call(6, "close_ticket", "{\"id\":7}");
    Step mailRight = call(4, "send_mail", "{\"to\":\"mia\"}");
    Step noteRight = call(3, "write_note", "{\"text\":\"booked\"}");
    Divergence params = TestResults.divergence(
        0,
        DivergenceKind.PARAMS,
        new SeverityRating(DivergenceSeverity.MODERATE, "content"),
        TestResults.cause(Role.ROOT, null, null, 1),
        book,
        book,
        1,
        List.of(
            event(8, 8, change(DivergenceKind.PARAMS, "/params/payment/0/amount", 327, 328)),
            event(
                9,
                9,
                change(
                    DivergenceKind.OUTPUT,
                    "/output",
                    "{\"id\":\"R1\",\"status\":\"ok\",\"legs\":[1,2,3],\"total\":327,\"fee\":0}",
                    "{\"id\":\"R1\",\"status\":\"ok\",\"legs\":[1,2,3,4],\"total\":328,\"fee\":0}"))));
    Divergence output = TestResults.divergence(
        1,
        DivergenceKind.OUTPUT,
        new SeverityRating(DivergenceSeverity.MODERATE, "content"),
        TestResults.cause(Role.DOWNSTREAM, 0, Link.VALUE, 0),
        mail,
        mailRight,
        1,
        List.of(event(
            11, 13, change(DivergenceKind.OUTPUT, "/output", "sent 327\n", "sent 328\nto mia\n"))));
    Divergence missing = TestResults.divergence(
        2,
        DivergenceKind.MISSING,
        new SeverityRating(DivergenceSeverity.MAJOR, "step"),
        TestResults.cause(Role.INDEPENDENT, null, null, 0),
        check,
        null,
        1,
        List.of(TestResults.eventChange(
            TestResults.event(12, JsonObject.of("event", "ToolCall", "tool", "calculate")),
            null,
            List.of(),
            JsonArray.of(
                JsonObject.of("op", "test", "path", "", "value", JsonObject.EMPTY),
                JsonObject.of("op", "replace", "path", "", "value", null)))));
    Divergence moved = TestResults.divergence(
        3,
        DivergenceKind.MOVED,
        new SeverityRating(DivergenceSeverity.MODERATE, "order"),
        TestResults.cause(Role.INDEPENDENT, null, null, 0),
        note,
        noteRight,
        2,
        List.of());
    Divergence ended = TestResults.divergence(
        4,
        DivergenceKind.END,
        new SeverityRating(DivergenceSeverity.MINOR, "close"),
        TestResults.cause(Role.INDEPENDENT, null, null, 0),
        end(18, true),
        end(16, true),
        1,
        List.of(event(
            18,
            16,
            TestResults.valueChange(
                DivergenceKind.END,
                "/summary",
                "/summary",
                JsonValue.of("Booked the flight for Mia."),
                JsonValue.of("Booked the flights for Mia."),
                new Closeness("fuzzy", 0.981, null)))));
    List<Divergence> divergences = List.of(params, output, missing, moved, ended);
    StepCounts calls = TestResults.stepCounts(7, 6, 2, 4, 2, 1, 0);
    StepCounts steps = TestResults.stepCounts(8, 7, 2, 5, 2, 1, 0);
    return diff(
        TestResults.comparedSession("runs/monday/REPLAY.jsonl", "m", 18, 12_345),
        TestResults.comparedSession("runs/tuesday/REPLAY.jsonl", "t", 16, 999),
        summary(
            calls,
            steps,
            Map.of(
                "search_direct_flight", tools(1, 1, 1, 0, 0, 0, 0, 0),
                "book_reservation", tools(1, 1, 0, 1, 0, 0, 0, 0),
                "calculate", tools(1, 0, 0, 0, 0, 0, 1, 0)),
            divergences,
            6,
            5),
        divergences,
        Arrays.asList(
            TestResults.alignedStep(Relation.MATCHED, search, search, null),
            TestResults.alignedStep(Relation.MATCHED, think, think, null),
            TestResults.alignedStep(Relation.CHANGED, book, book, 0),
            TestResults.alignedStep(Relation.CHANGED, mail, mailRight, 1),
            TestResults.alignedStep(Relation.MISSING, check, null, 2),
            TestResults.alignedStep(Relation.MOVED, note, noteRight, 3),
            TestResults.alignedStep(Relation.MOVED, close, close, 3),
            TestResults.alignedStep(Relation.CHANGED, end(18, true), end(16, true), 4)),
        List.of(
            TestResults.appliedRule("ignore timestamps", 3, 1),
            TestResults.appliedRule("fuzzy 0.9", 1, 1)));
  }

  /** Hostile text wherever a recording or a name can bring it. */
  static SessionDiff hostile() {
    Step step = call(0, HOSTILE + "tool", HOSTILE + "summary");
    Step before = call(1, HOSTILE, HOSTILE);
    Divergence divergence = divergence(
        0,
        DivergenceKind.OUTPUT,
        new SeverityRating(DivergenceSeverity.MODERATE, HOSTILE),
        step,
        step,
        event(
            5,
            5,
            TestResults.valueChange(
                DivergenceKind.OUTPUT,
                "/output/" + HOSTILE,
                "/output/" + HOSTILE,
                JsonValue.of(HOSTILE + "same\n```\nbefore"),
                JsonValue.of(HOSTILE + "same\n```\nafter"),
                new Closeness(HOSTILE, 0.5, HOSTILE))));
    Divergence added = divergence(
        1,
        DivergenceKind.ADDED,
        new SeverityRating(DivergenceSeverity.MAJOR, "step"),
        null,
        before);
    StepCounts counts = TestResults.stepCounts(1, 2, 0, 1, 0, 0, 1);
    List<Divergence> divergences = List.of(divergence, added);
    return diff(
        TestResults.comparedSession(HOSTILE, HOSTILE, 1, 1),
        TestResults.comparedSession(HOSTILE, HOSTILE, 1, 1),
        summary(counts, counts, Map.of(HOSTILE, tools(1, 2, 0, 1, 0, 0, 0, 1)), divergences, 1, 1),
        divergences,
        List.of(
            TestResults.alignedStep(Relation.CHANGED, step, step, 0),
            TestResults.alignedStep(Relation.ADDED, null, before, 1)),
        List.of(TestResults.appliedRule(HOSTILE, 1, 1)));
  }
}

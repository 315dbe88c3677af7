package dev.agentreplay.canonical.dialect;

import static dev.agentreplay.canonical.dialect.FieldType.BOOLEAN;
import static dev.agentreplay.canonical.dialect.FieldType.DOUBLE;
import static dev.agentreplay.canonical.dialect.FieldType.INT;
import static dev.agentreplay.canonical.dialect.FieldType.LONG;
import static dev.agentreplay.canonical.dialect.FieldType.SIDE_EFFECTS;
import static dev.agentreplay.canonical.dialect.FieldType.STRING;

import dev.agentreplay.canonical.dialect.SharedTables.VerificationRest;
import dev.agentreplay.canonical.dialect.Table.Layout;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.Verification.TestCounts;
import java.util.Set;
import java.util.function.Function;

/**
 * The dialect of specification 002: the tag is {@code type}, only the header and the end of the
 * session have times, there are no hashes, and the header names the session. Times and hashes that
 * an event states are written as additional members; missing ones are not filled in.
 */
final class DraftDialect {

  private static final Set<Status.Kind> NAMED =
      Set.of(Status.Kind.SUCCESS, Status.Kind.FAILURE, Status.Kind.TIMEOUT);

  private static final Spelling SPELLING =
      new Spelling("type", "ts", false, false, new Statuses(Status::word, NAMED));

  static final EventCodec CODEC = new EventCodec(SPELLING.tagName(), DraftDialect::table);

  private DraftDialect() {}

  private static Table<? extends ReplayEvent> table(EventKind kind) {
    return switch (kind) {
      case REPLAY_HEADER -> Table.of(DraftDialect::header);
      case SESSION_START -> Table.of(DraftDialect::sessionStart);
      case TOOL_CALL -> Table.of(DraftDialect::toolCall);
      case TOOL_RESULT -> Table.of(DraftDialect::toolResult);
      case VERIFICATION -> Table.of(DraftDialect::verification);
      case SESSION_END -> Table.of(DraftDialect::sessionEnd);
      default -> SharedTables.table(kind, SPELLING);
    };
  }

  private static Function<Members, ReplayHeader> header(Layout<ReplayHeader> t) {
    Envelope<ReplayHeader> envelope = SPELLING.envelope(t, Names.STARTED_AT, Presence.REQUIRED);
    var version = t.optional("version", STRING, SharedTables::version).emptySaysNothing();
    var rest = SharedTables.header(t, envelope, version, false);
    t.specified("type version session_id started_at policy_bundle_id");
    return rest;
  }

  private static Function<Members, SessionStart> sessionStart(Layout<SessionStart> t) {
    Envelope<SessionStart> envelope = SPELLING.envelope(t);
    var issue = t.optional(Names.ISSUE_NUMBER, LONG, SessionStart::issueNumber);
    var bundle = t.optional(
            Names.POLICY_BUNDLE_ID, STRING, start -> SharedTables.idOf(start.policy()))
        .as("policy");
    var task = t.required("task", STRING, start -> start.task().text()).orElse(start -> "");
    var rest = SharedTables.sessionStart(
        t, envelope, issue, task, m -> SharedTables.bundle(m.get(bundle)));
    t.specified("type task context instructions");
    return rest;
  }

  private static Function<Members, ToolCall> toolCall(Layout<ToolCall> t) {
    Envelope<ToolCall> envelope = SPELLING.envelope(t);
    var id = t.identity("id", STRING, ToolCall::id);
    var step = t.optional(Names.STEP_ID, STRING, ToolCall::stepId).as("step");
    var rest = SharedTables.toolCall(t, envelope, id, step, Presence.REQUIRED, Presence.OPTIONAL);
    t.specified("type id tool params");
    return rest;
  }

  private static Function<Members, ToolResult> toolResult(Layout<ToolResult> t) {
    var rows = SharedTables.toolResult(
        t,
        SPELLING.envelope(t),
        t.identity("id", STRING, ToolResult::id),
        ContentRows.add(t, "output", Presence.REQUIRED, Presence.OPTIONAL, ToolResult::output),
        t.optional("ok", BOOLEAN, result -> result.outcome().ok()),
        t.optional(Names.EXIT_CODE, INT, result -> result.outcome().exitCode()),
        t.optional(Names.STEP_UTILITY, DOUBLE, ToolResult::stepUtility),
        t.optional(Names.LATENCY_MS, LONG, ToolResult::latencyMillis).unsigned(),
        t.optional(Names.SIDE_EFFECTS, SIDE_EFFECTS, r -> FieldType.unlessEmpty(r.sideEffects()))
            .emptySaysNothing());
    t.specified("type id output step_utility latency_ms side_effects");
    return rows;
  }

  private static Function<Members, Verification> verification(Layout<Verification> t) {
    Envelope<Verification> envelope = SPELLING.envelope(t);
    CommandRows commands = CommandRows.add(t, Presence.OPTIONAL);
    commands.commands().emptySaysNothing();
    commands.exitCodes().emptySaysNothing();
    var delta = t.required("delta", LONG, Verification::delta).orElse(DraftDialect::delta);
    var rest = VerificationRest.add(t, delta, Presence.REQUIRED);
    rest.before().orElse(v -> Math.max(0, -stated(v)));
    rest.after().orElse(v -> Math.max(0, stated(v)));
    t.specified("type tests_before tests_after delta ci_status");
    return m -> rest.build(m, commands.read(m), envelope);
  }

  private static long stated(Verification verification) {
    return verification.delta() == null ? 0 : verification.delta();
  }

  private static long delta(Verification verification) {
    TestCounts tests = verification.tests();
    return tests == null ? 0 : tests.after() - tests.before();
  }

  private static Function<Members, SessionEnd> sessionEnd(Layout<SessionEnd> t) {
    Envelope<SessionEnd> envelope = SPELLING.envelope(t, Names.ENDED_AT, Presence.OPTIONAL);
    var outcome = Statuses.EndRows.add(t, "outcome", SPELLING.statuses());
    var confidence = t.optional("confidence", DOUBLE, SessionEnd::confidence);
    var rest = SharedTables.sessionEnd(t, envelope, outcome, confidence, Presence.OPTIONAL);
    t.specified("type ended_at outcome error_message");
    return m -> {
      m.reportIfMissing(envelope.time());
      return rest.apply(m);
    };
  }
}

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
import dev.agentreplay.model.PlanStart;
import dev.agentreplay.model.PolicyId;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.check.EventRules;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The dialect of specification 000: the tag is {@code event}, the time {@code t}. */
final class EventDialect {

  private static final Set<Status.Kind> NAMED =
      Set.of(Status.Kind.SUCCESS, Status.Kind.FAILURE, Status.Kind.CANCELLED, Status.Kind.TIMEOUT);

  private static final Spelling SPELLING =
      new Spelling("event", "t", true, true, new Statuses(EventDialect::spelling, NAMED));

  static final EventCodec CODEC = new EventCodec(SPELLING.tagName(), EventDialect::table);

  private EventDialect() {}

  private static Table<? extends ReplayEvent> table(EventKind kind) {
    return switch (kind) {
      case REPLAY_HEADER -> Table.of(EventDialect::header);
      case SESSION_START -> Table.of(EventDialect::sessionStart);
      case PLAN_START -> Table.of(EventDialect::planStart);
      case TOOL_CALL -> Table.of(EventDialect::toolCall);
      case TOOL_RESULT -> Table.of(EventDialect::toolResult);
      case STEP_COMPLETE -> Table.of(EventDialect::stepComplete);
      case VERIFICATION -> Table.of(EventDialect::verification);
      case SESSION_END -> Table.of(EventDialect::sessionEnd);
      default -> SharedTables.table(kind, SPELLING);
    };
  }

  private static Function<Members, ReplayHeader> header(Layout<ReplayHeader> t) {
    Envelope<ReplayHeader> envelope = SPELLING.envelope(t, Names.CREATED_AT, Presence.OPTIONAL);
    var version = t.optional(Names.REPLAY_VERSION, FieldType.VERSION, SharedTables::version);
    var rest = SharedTables.header(t, envelope, version.as("version"), true);
    t.specified("event replay_version producer created_at");
    return rest;
  }

  private static Function<Members, SessionStart> sessionStart(Layout<SessionStart> t) {
    t.leavesOver();
    Envelope<SessionStart> envelope = SPELLING.envelope(t, Presence.REQUIRED);
    var issue = t.nullable(Names.ISSUE_NUMBER, LONG, SessionStart::issueNumber);
    var version =
        t.optional(Names.POLICY_VERSION, STRING, start -> policy(start, PolicyId.Form.VERSION));
    version.as("policy").orElse(start -> start.policy() == null ? EventRules.DEFAULT_POLICY : null);
    var bundle =
        t.optional(Names.POLICY_BUNDLE_ID, STRING, start -> policy(start, PolicyId.Form.BUNDLE));
    bundle.as("policy").role(EventMember.Role.NONE);
    var task = t.optional("task", STRING, start -> start.task().text());
    var rest = SharedTables.sessionStart(t, envelope, issue, task, m -> policy(m, version, bundle));
    t.specified("event t session_id issue_number policy_version");
    return rest;
  }

  private static @Nullable PolicyId policy(
      Members m, Row<SessionStart, String> version, Row<SessionStart, String> bundle) {
    String versionId = m.get(version);
    if (versionId != null) {
      m.keep(bundle);
      return PolicyId.version(versionId);
    }
    String bundleId = m.get(bundle);
    if (bundleId == null) {
      m.reportIfMissing(version);
    }
    return bundleId == null ? null : PolicyId.bundle(bundleId);
  }

  private static @Nullable String policy(SessionStart start, PolicyId.Form form) {
    PolicyId policy = start.policy();
    return policy != null && policy.form() == form ? policy.id() : null;
  }

  private static Function<Members, PlanStart> planStart(Layout<PlanStart> t) {
    var rows = SharedTables.planStart(t, SPELLING);
    t.specified("event t plan_hash step_count");
    return rows;
  }

  private static Function<Members, ToolCall> toolCall(Layout<ToolCall> t) {
    Envelope<ToolCall> envelope = SPELLING.envelope(t);
    var id = t.identity("id", STRING, ToolCall::id);
    var step = t.required(Names.STEP_ID, STRING, ToolCall::stepId).orElse(ToolCall::id);
    var rest = SharedTables.toolCall(
        t, envelope, id, step.as("step"), Presence.OPTIONAL, Presence.REQUIRED);
    t.specified("event t id tool params params_hash step_id");
    return rest;
  }

  private static Function<Members, ToolResult> toolResult(Layout<ToolResult> t) {
    var rows = SharedTables.toolResult(
        t,
        SPELLING.envelope(t),
        t.identity("id", STRING, ToolResult::id),
        ContentRows.add(t, "output", Presence.OPTIONAL, Presence.REQUIRED, ToolResult::output),
        t.optional("ok", BOOLEAN, result -> result.outcome().ok()),
        t.nullable(Names.EXIT_CODE, INT, result -> result.outcome().exitCode()),
        t.required(Names.STEP_UTILITY, DOUBLE, ToolResult::stepUtility).orElse(r -> 0.0),
        t.required(Names.LATENCY_MS, LONG, ToolResult::latencyMillis).unsigned(),
        t.optional(Names.SIDE_EFFECTS, SIDE_EFFECTS, r -> FieldType.unlessEmpty(r.sideEffects()))
            .emptySaysNothing());
    t.specified("event t id output_hash output_preview exit_code step_utility latency_ms");
    return rows;
  }

  private static Function<Members, StepComplete> stepComplete(Layout<StepComplete> t) {
    var rows = SharedTables.stepComplete(t, SPELLING);
    t.specified("event t step_id status iterations");
    return rows;
  }

  private static Function<Members, Verification> verification(Layout<Verification> t) {
    Envelope<Verification> envelope = SPELLING.envelope(t);
    CommandRows commands = CommandRows.add(t, Presence.REQUIRED);
    commands.commands().orElse(v -> List.of());
    commands.exitCodes().orElse(v -> List.of());
    var delta = t.required(Names.VERIFICATION_DELTA, LONG, Verification::delta)
        .orElse(v -> 0L)
        .restrict(Restriction.range("a 32-bit integer", value -> value == value.intValue()));
    var rest = VerificationRest.add(t, delta.as("delta"), Presence.OPTIONAL);
    t.specified("event t commands exit_codes verification_delta");
    return m -> rest.build(m, commands.read(m), envelope);
  }

  private static Function<Members, SessionEnd> sessionEnd(Layout<SessionEnd> t) {
    var rows = SharedTables.sessionEnd(
        t,
        SPELLING.envelope(t),
        Statuses.EndRows.add(t, "status", SPELLING.statuses()),
        t.required("confidence", DOUBLE, SessionEnd::confidence)
            .orElse(end -> EventRules.defaultConfidence(end.status())),
        Presence.REQUIRED);
    t.specified("event t status confidence total_tool_calls total_latency_ms");
    return rows;
  }

  private static String spelling(Status status) {
    return switch (status.kind()) {
      case SUCCESS -> Status.SUCCESS.spelling();
      case FAILURE -> Status.FAILED.spelling();
      case CANCELLED -> Status.CANCELLED.spelling();
      case TIMEOUT -> Status.TIMEOUT.spelling();
      case SKIPPED -> Status.SKIPPED.spelling();
      case MAX_ITERATIONS_REACHED -> Status.MAX_ITERATIONS_REACHED.spelling();
      case OTHER -> status.spelling();
    };
  }
}

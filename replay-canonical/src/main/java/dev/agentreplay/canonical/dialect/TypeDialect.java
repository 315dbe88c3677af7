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
import dev.agentreplay.model.Verification.CommandRun;
import dev.agentreplay.model.check.EventRules;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The dialect of specification 001: the tag is {@code type}, the time {@code ts}, and the id of a
 * call is {@code step_id}.
 */
final class TypeDialect {

  private static final Set<Status.Kind> NAMED =
      Set.of(Status.Kind.SUCCESS, Status.Kind.FAILURE, Status.Kind.CANCELLED);

  private static final Spelling SPELLING =
      new Spelling("type", "ts", true, false, new Statuses(Status::word, NAMED));

  static final EventCodec CODEC = new EventCodec(SPELLING.tagName(), TypeDialect::table);

  private TypeDialect() {}

  private static Table<? extends ReplayEvent> table(EventKind kind) {
    return switch (kind) {
      case REPLAY_HEADER -> Table.of(TypeDialect::header);
      case SESSION_START -> Table.of(TypeDialect::sessionStart);
      case TOOL_CALL -> Table.of(TypeDialect::toolCall);
      case TOOL_RESULT -> Table.of(TypeDialect::toolResult);
      case VERIFICATION -> Table.of(TypeDialect::verification);
      case SESSION_END -> Table.of(TypeDialect::sessionEnd);
      default -> SharedTables.table(kind, SPELLING);
    };
  }

  private static Function<Members, ReplayHeader> header(Layout<ReplayHeader> t) {
    Envelope<ReplayHeader> envelope = SPELLING.envelope(t, Names.CREATED_AT, Presence.OPTIONAL);
    var version = t.optional(Names.REPLAY_VERSION, FieldType.VERSION, SharedTables::version);
    var rest = SharedTables.header(t, envelope, version.as("version"), true);
    t.specified("type replay_version producer created_at");
    return rest;
  }

  private static Function<Members, SessionStart> sessionStart(Layout<SessionStart> t) {
    Envelope<SessionStart> envelope = SPELLING.envelope(t, Presence.REQUIRED);
    var issue = t.optional(Names.ISSUE_NUMBER, LONG, SessionStart::issueNumber);
    var bundle = t.required(
            Names.POLICY_BUNDLE_ID, STRING, start -> SharedTables.idOf(start.policy()))
        .as("policy")
        .orElse(s -> EventRules.DEFAULT_POLICY);
    var task = t.optional("task", STRING, start -> start.task().text());
    var rest = SharedTables.sessionStart(
        t, envelope, issue, task, m -> SharedTables.bundle(m.get(bundle)));
    t.specified("type ts session_id policy_bundle_id repo lane");
    return rest;
  }

  private static Function<Members, ToolCall> toolCall(Layout<ToolCall> t) {
    Envelope<ToolCall> envelope = SPELLING.envelope(t);
    var id = t.identity(Names.STEP_ID, STRING, ToolCall::id).as("id");
    var step = t.optional("plan_step_id", STRING, ToolCall::stepId).as("step");
    var rest = SharedTables.toolCall(t, envelope, id, step, Presence.OPTIONAL, Presence.REQUIRED);
    t.restrict("params", Restriction.PARAMS);
    t.specified("type ts session_id step_id tool params params_hash");
    return rest;
  }

  private static Function<Members, ToolResult> toolResult(Layout<ToolResult> t) {
    var rows = SharedTables.toolResult(
        t,
        SPELLING.envelope(t),
        t.identity(Names.STEP_ID, STRING, ToolResult::id).as("id"),
        ContentRows.add(t, "output", Presence.OPTIONAL, Presence.REQUIRED, ToolResult::output),
        t.required("ok", BOOLEAN, result -> result.outcome().ok())
            .orElse(result -> result.outcome().succeeded()),
        t.optional(Names.EXIT_CODE, INT, result -> result.outcome().exitCode()),
        t.optional(Names.STEP_UTILITY, DOUBLE, ToolResult::stepUtility),
        t.required(Names.LATENCY_MS, LONG, ToolResult::latencyMillis)
            .orAnyNumber()
            .unsigned(),
        t.required(Names.SIDE_EFFECTS, SIDE_EFFECTS, r -> FieldType.unlessEmpty(r.sideEffects()))
            .orElse(r -> List.of())
            .emptySaysNothing());
    t.specified(
        "type ts session_id step_id ok output_hash latency_ms side_effects error step_utility");
    return rows;
  }

  private static Function<Members, Verification> verification(Layout<Verification> t) {
    t.leavesOver();
    Envelope<Verification> envelope = SPELLING.envelope(t);
    var command = t.required("command", STRING, v -> ofCommand(v, CommandRun::command));
    var exitCode = t.required(Names.EXIT_CODE, INT, v -> ofCommand(v, CommandRun::exitCode));
    var cwd = t.optional("cwd", STRING, v -> ofCommand(v, CommandRun::cwd));
    var duration = t.optional(
            Names.DURATION_MS, LONG, v -> ofCommand(v, CommandRun::durationMillis))
        .orAnyNumber();
    var delta = t.optional(Names.VERIFICATION_DELTA, LONG, Verification::delta).as("delta");
    var rest = VerificationRest.add(t, delta, Presence.OPTIONAL);
    command.as("commands");
    exitCode.as(Names.EXIT_CODES);
    t.specified("type ts session_id command exit_code cwd duration_ms verification_delta");
    return m -> {
      String line = m.get(command);
      if (line == null) {
        m.keep(exitCode);
        m.keep(cwd);
        m.keep(duration);
        return rest.build(m, List.of(), envelope);
      }
      CommandRun run = new CommandRun(line, m.get(exitCode), m.get(cwd), m.get(duration));
      return rest.build(m, List.of(run), envelope);
    };
  }

  private static <T> @Nullable T ofCommand(
      Verification verification, Function<CommandRun, @Nullable T> get) {
    List<CommandRun> runs = verification.commands();
    if (runs.size() > 1) {
      throw new IllegalArgumentException(
          "the dialect type allows one command per Verification, found " + runs.size());
    }
    return runs.isEmpty() ? null : get.apply(runs.get(0));
  }

  private static Function<Members, SessionEnd> sessionEnd(Layout<SessionEnd> t) {
    var rows = SharedTables.sessionEnd(
        t,
        SPELLING.envelope(t),
        Statuses.EndRows.add(t, "status", SPELLING.statuses()),
        t.required("confidence", DOUBLE, SessionEnd::confidence)
            .orElse(end -> EventRules.defaultConfidence(end.status())),
        Presence.OPTIONAL);
    t.specified("type ts session_id status confidence summary total_tool_calls total_latency_ms");
    return rows;
  }
}

package dev.agentreplay.canonical.dialect;

import static dev.agentreplay.canonical.dialect.FieldType.BOOLEAN;
import static dev.agentreplay.canonical.dialect.FieldType.DOUBLE;
import static dev.agentreplay.canonical.dialect.FieldType.INT;
import static dev.agentreplay.canonical.dialect.FieldType.LONG;
import static dev.agentreplay.canonical.dialect.FieldType.SIDE_EFFECTS;
import static dev.agentreplay.canonical.dialect.FieldType.STRING;

import dev.agentreplay.canonical.dialect.Table.Layout;
import dev.agentreplay.model.CommandRun;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.EventRules;
import dev.agentreplay.model.PolicyId;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.Verification;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The dialect of specification 001: tag {@code type}, time {@code ts}, and {@code step_id} as the
 * id of a call.
 */
final class TypeDialect {

  static final FieldType<Status> STATUS = FieldType.status(TypeDialect::spelling);

  static final EventCodec CODEC = SharedTables.codec("type", "ts", STATUS)
      .add(EventKind.REPLAY_HEADER, Table.of(TypeDialect::header))
      .add(EventKind.SESSION_START, Table.of(TypeDialect::sessionStart))
      .add(EventKind.TOOL_CALL, Table.of(TypeDialect::toolCall))
      .add(EventKind.TOOL_RESULT, Table.of(TypeDialect::toolResult))
      .add(EventKind.VERIFICATION, Table.of(TypeDialect::verification))
      .add(EventKind.SESSION_END, Table.of(TypeDialect::sessionEnd))
      .build();

  private TypeDialect() {}

  private static <E extends ReplayEvent> Envelope<E> envelope(Layout<E> t) {
    return Envelope.add(t, "type", "ts", Presence.OPTIONAL);
  }

  private static Function<Members, ReplayHeader> header(Layout<ReplayHeader> t) {
    return SharedTables.header(t, Envelope.add(t, "type", "created_at", Presence.OPTIONAL));
  }

  private static Function<Members, SessionStart> sessionStart(Layout<SessionStart> t) {
    Envelope<SessionStart> envelope = Envelope.add(t, "type", "ts", Presence.REQUIRED);
    var issue = t.optional("issue_number", LONG, SessionStart::issueNumber);
    var bundle = t.required("policy_bundle_id", STRING, TypeDialect::policyId)
        .orElse(s -> EventRules.DEFAULT_POLICY);
    return SharedTables.sessionStart(t, envelope, issue, m -> {
      String id = m.get(bundle);
      return id == null ? null : PolicyId.bundle(id);
    });
  }

  private static @Nullable String policyId(SessionStart start) {
    PolicyId policy = start.policy();
    return policy == null ? null : policy.id();
  }

  private static Function<Members, ToolCall> toolCall(Layout<ToolCall> t) {
    Envelope<ToolCall> envelope = envelope(t);
    var id = t.identity("step_id", STRING, ToolCall::id);
    var step = t.optional("plan_step_id", STRING, ToolCall::stepId);
    return SharedTables.toolCall(t, envelope, id, step);
  }

  private static Function<Members, ToolResult> toolResult(Layout<ToolResult> t) {
    Envelope<ToolResult> envelope = envelope(t);
    var id = t.identity("step_id", STRING, ToolResult::id);
    var ok = t.required("ok", BOOLEAN, result -> result.outcome().ok())
        .orElse(result -> result.outcome().succeeded());
    var exitCode = t.optional("exit_code", INT, result -> result.outcome().exitCode());
    var utility = t.optional("step_utility", DOUBLE, ToolResult::stepUtility);
    var sideEffects = t.required(
            "side_effects", SIDE_EFFECTS, r -> FieldType.unlessEmpty(r.sideEffects()))
        .orElse(r -> List.of());
    return SharedTables.toolResult(t, envelope, id, ok, exitCode, utility, sideEffects);
  }

  private static Function<Members, Verification> verification(Layout<Verification> t) {
    t.leavesOver();
    Envelope<Verification> envelope = envelope(t);
    var command = t.required("command", STRING, v -> ofCommand(v, CommandRun::command));
    var exitCode = t.required("exit_code", INT, v -> ofCommand(v, CommandRun::exitCode));
    var cwd = t.optional("cwd", STRING, v -> ofCommand(v, CommandRun::cwd));
    var duration = t.optional("duration_ms", LONG, v -> ofCommand(v, CommandRun::durationMillis));
    var delta = t.optional("verification_delta", LONG, Verification::delta);
    var rest = SharedTables.verification(t, delta);
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
          "the dialect type has one command a Verification, not " + runs.size());
    }
    return runs.isEmpty() ? null : get.apply(runs.get(0));
  }

  private static Function<Members, SessionEnd> sessionEnd(Layout<SessionEnd> t) {
    Envelope<SessionEnd> envelope = envelope(t);
    var calls = t.optional("total_tool_calls", LONG, SessionEnd::totalToolCalls);
    var latency = t.optional("total_latency_ms", LONG, SessionEnd::totalLatencyMillis);
    return SharedTables.sessionEnd(t, envelope, STATUS, calls, latency);
  }

  private static String spelling(Status status) {
    return switch (status.kind()) {
      case SUCCESS -> "success";
      case FAILURE -> "failure";
      case CANCELLED -> "cancelled";
      case TIMEOUT -> "timeout";
      case SKIPPED -> "skipped";
      case MAX_ITERATIONS_REACHED -> "max_iterations_reached";
      case OTHER -> status.spelling();
    };
  }
}

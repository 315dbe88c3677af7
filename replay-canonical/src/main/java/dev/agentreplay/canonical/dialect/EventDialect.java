package dev.agentreplay.canonical.dialect;

import static dev.agentreplay.canonical.dialect.FieldType.BOOLEAN;
import static dev.agentreplay.canonical.dialect.FieldType.DOUBLE;
import static dev.agentreplay.canonical.dialect.FieldType.INT;
import static dev.agentreplay.canonical.dialect.FieldType.LONG;
import static dev.agentreplay.canonical.dialect.FieldType.LONGS;
import static dev.agentreplay.canonical.dialect.FieldType.SIDE_EFFECTS;
import static dev.agentreplay.canonical.dialect.FieldType.STRING;
import static dev.agentreplay.canonical.dialect.FieldType.STRINGS;

import dev.agentreplay.canonical.dialect.Table.Layout;
import dev.agentreplay.model.CommandRun;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.EventRules;
import dev.agentreplay.model.FindingCode;
import dev.agentreplay.model.PolicyId;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.Verification;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The dialect of specification 000: tag {@code event}, time {@code t}. */
final class EventDialect {

  static final FieldType<Status> STATUS = FieldType.status(EventDialect::spelling);

  static final EventCodec CODEC = SharedTables.codec("event", "t", STATUS)
      .add(EventKind.REPLAY_HEADER, Table.of(EventDialect::header))
      .add(EventKind.SESSION_START, Table.of(EventDialect::sessionStart))
      .add(EventKind.TOOL_CALL, Table.of(EventDialect::toolCall))
      .add(EventKind.TOOL_RESULT, Table.of(EventDialect::toolResult))
      .add(EventKind.VERIFICATION, Table.of(EventDialect::verification))
      .add(EventKind.SESSION_END, Table.of(EventDialect::sessionEnd))
      .build();

  private EventDialect() {}

  private static <E extends ReplayEvent> Envelope<E> envelope(Layout<E> t) {
    return Envelope.add(t, "event", "t", Presence.OPTIONAL);
  }

  private static Function<Members, ReplayHeader> header(Layout<ReplayHeader> t) {
    return SharedTables.header(t, Envelope.add(t, "event", "created_at", Presence.OPTIONAL));
  }

  private static Function<Members, SessionStart> sessionStart(Layout<SessionStart> t) {
    t.leavesOver();
    Envelope<SessionStart> envelope = Envelope.add(t, "event", "t", Presence.REQUIRED);
    var issue = t.nullable("issue_number", LONG, SessionStart::issueNumber);
    var version =
        t.optional("policy_version", STRING, start -> policy(start, PolicyId.Form.VERSION));
    version.orElse(start -> start.policy() == null ? EventRules.DEFAULT_POLICY : null);
    var bundle =
        t.optional("policy_bundle_id", STRING, start -> policy(start, PolicyId.Form.BUNDLE));
    return SharedTables.sessionStart(t, envelope, issue, m -> policy(m, version, bundle));
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

  private static Function<Members, ToolCall> toolCall(Layout<ToolCall> t) {
    Envelope<ToolCall> envelope = envelope(t);
    var id = t.identity("id", STRING, ToolCall::id);
    var step = t.required("step_id", STRING, ToolCall::stepId).orElse(ToolCall::id);
    return SharedTables.toolCall(t, envelope, id, step);
  }

  private static Function<Members, ToolResult> toolResult(Layout<ToolResult> t) {
    Envelope<ToolResult> envelope = envelope(t);
    var id = t.identity("id", STRING, ToolResult::id);
    var ok = t.optional("ok", BOOLEAN, result -> result.outcome().ok());
    var exitCode = t.nullable("exit_code", INT, result -> result.outcome().exitCode());
    var utility = t.required("step_utility", DOUBLE, ToolResult::stepUtility).orElse(r -> 0.0);
    var sideEffects = t.optional(
        "side_effects", SIDE_EFFECTS, result -> FieldType.unlessEmpty(result.sideEffects()));
    return SharedTables.toolResult(t, envelope, id, ok, exitCode, utility, sideEffects);
  }

  private static Function<Members, Verification> verification(Layout<Verification> t) {
    t.leavesOver();
    Envelope<Verification> envelope = envelope(t);
    var commands = t.required(
        "commands",
        STRINGS,
        v ->
            FieldType.unlessEmpty(v.commands().stream().map(CommandRun::command).toList()));
    commands.orElse(v -> List.of());
    var exitCodes = t.required("exit_codes", LONGS, EventDialect::exitCodes).orElse(v -> List.of());
    var cwd = t.optional("cwd", STRING, v -> ofOnlyCommand(v, CommandRun::cwd));
    var duration =
        t.optional("duration_ms", LONG, v -> ofOnlyCommand(v, CommandRun::durationMillis));
    var delta = t.required("verification_delta", LONG, Verification::delta).orElse(v -> 0L);
    var rest = SharedTables.verification(t, delta);
    return m -> {
      List<String> lines = m.getOr(commands, List.of());
      List<Long> codes = m.getOr(exitCodes, List.of());
      List<CommandRun> runs = new ArrayList<>();
      boolean fits = codes.stream().allMatch(code -> code == code.intValue());
      if (lines.size() == codes.size() && fits) {
        for (int i = 0; i < lines.size(); i++) {
          boolean only = lines.size() == 1;
          runs.add(new CommandRun(
              lines.get(i),
              codes.get(i).intValue(),
              only ? m.get(cwd) : null,
              only ? m.get(duration) : null));
        }
      } else if (m.get(commands) != null && m.get(exitCodes) != null) {
        m.report(
            FindingCode.FIELD_INVALID,
            fits
                ? "commands and exit_codes must be as many, found %d and %d"
                    .formatted(lines.size(), codes.size())
                : "exit_codes must be 32-bit integers");
      }
      if (runs.size() != lines.size() || runs.size() != codes.size()) {
        m.keep(commands);
        m.keep(exitCodes);
      }
      if (runs.size() != 1) {
        m.keep(cwd);
        m.keep(duration);
      }
      return rest.build(m, runs, envelope);
    };
  }

  private static @Nullable List<Long> exitCodes(Verification verification) {
    List<Long> codes = new ArrayList<>();
    for (CommandRun run : verification.commands()) {
      Integer exitCode = run.exitCode();
      if (exitCode == null) {
        throw new IllegalArgumentException("exit code of \"" + run.command() + "\" is missing");
      }
      codes.add(exitCode.longValue());
    }
    return FieldType.unlessEmpty(codes);
  }

  /** What only a single command can say in this dialect. */
  private static <T> @Nullable T ofOnlyCommand(
      Verification verification, Function<CommandRun, @Nullable T> get) {
    List<CommandRun> runs = verification.commands();
    if (runs.size() == 1) {
      return get.apply(runs.get(0));
    }
    if (runs.stream().map(get).anyMatch(Objects::nonNull)) {
      throw new IllegalArgumentException(
          "directory and duration of several commands cannot be written in the dialect event");
    }
    return null;
  }

  private static Function<Members, SessionEnd> sessionEnd(Layout<SessionEnd> t) {
    Envelope<SessionEnd> envelope = envelope(t);
    var calls = t.required("total_tool_calls", LONG, SessionEnd::totalToolCalls);
    var latency = t.required("total_latency_ms", LONG, SessionEnd::totalLatencyMillis);
    return SharedTables.sessionEnd(t, envelope, STATUS, calls, latency);
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

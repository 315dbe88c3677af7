package dev.agentreplay.canonical.dialect;

import static dev.agentreplay.canonical.dialect.FieldType.BOOLEAN;
import static dev.agentreplay.canonical.dialect.FieldType.HASH;
import static dev.agentreplay.canonical.dialect.FieldType.LONG;
import static dev.agentreplay.canonical.dialect.FieldType.OBJECT;
import static dev.agentreplay.canonical.dialect.FieldType.STRING;
import static dev.agentreplay.canonical.dialect.FieldType.VALUE;

import dev.agentreplay.canonical.dialect.Table.Layout;
import dev.agentreplay.model.Attempt;
import dev.agentreplay.model.Chunks;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.Payment;
import dev.agentreplay.model.PlanStart;
import dev.agentreplay.model.PolicyId;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.SessionStart.Labels;
import dev.agentreplay.model.SessionStart.Task;
import dev.agentreplay.model.SideEffect;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.StreamPreviews;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.Verification.CommandRun;
import dev.agentreplay.model.Verification.TestCounts;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The rows that the dialects share, with the same name and meaning in each. */
final class SharedTables {

  private SharedTables() {}

  /** Creates the table of an event that no specification names, or only one. */
  static Table<? extends ReplayEvent> table(EventKind kind, Spelling spelling) {
    return switch (kind) {
      case PLAN_START ->
        Table.of((Layout<PlanStart> t) -> planStart(t.additionalEvent(), spelling));
      case STEP_COMPLETE ->
        Table.of((Layout<StepComplete> t) -> stepComplete(t.additionalEvent(), spelling));
      case PAYMENT -> Table.of((Layout<Payment> t) -> payment(t.additionalEvent(), spelling));
      case RUNTIME_EVENT ->
        Table.of((Layout<RuntimeEvent> t) -> runtimeEvent(t.additionalEvent(), spelling));
      case UNKNOWN -> Table.of((Layout<UnknownEvent> t) -> unknown(spelling.envelope(t)));
      default -> AdditionalTables.table(kind, spelling);
    };
  }

  /** Adds the rows of a header other than its version and time. */
  static Function<Members, ReplayHeader> header(
      Layout<ReplayHeader> t,
      Envelope<ReplayHeader> envelope,
      Row<ReplayHeader, String> version,
      boolean needsProducer) {
    var producer = t.optional("producer", STRING, ReplayHeader::producer);
    var policy = t.optional(Names.POLICY_BUNDLE_ID, STRING, h -> idOf(h.policy()));
    var canonicalization = t.optional("canonicalization", STRING, ReplayHeader::canonicalization);
    var salt =
        t.optional("salt", FieldType.SALT, ReplayHeader::salt).role(EventMember.Role.IDENTITY);
    var replayOf = t.optional(Names.REPLAY_OF, FieldType.ORIGIN, ReplayHeader::replayOf)
        .role(EventMember.Role.IDENTITY);
    policy.as("policy");
    return m -> {
      m.reportIfMissing(version);
      if (needsProducer) {
        m.reportIfMissing(producer);
      }
      m.reportIfMissing(envelope.time());
      return new ReplayHeader(
          m.getOr(version, ""),
          m.get(producer),
          bundle(m.get(policy)),
          m.get(canonicalization),
          m.get(salt),
          m.get(replayOf),
          envelope.meta(m));
    };
  }

  /** The version that a header states; null if it states none that could be read. */
  static @Nullable String version(ReplayHeader header) {
    return header.version().isEmpty() ? null : header.version();
  }

  /** The id of a policy; null if there is none. */
  static @Nullable String idOf(@Nullable PolicyId policy) {
    return policy == null ? null : policy.id();
  }

  /** The policy with a bundle id; null if there is no id. */
  static @Nullable PolicyId bundle(@Nullable String id) {
    return id == null ? null : PolicyId.bundle(id);
  }

  static Function<Members, SessionStart> sessionStart(
      Layout<SessionStart> t,
      Envelope<SessionStart> envelope,
      Row<SessionStart, Long> issue,
      Row<SessionStart, String> task,
      Function<Members, @Nullable PolicyId> policy) {
    var repository =
        t.optional("repo", OBJECT, SessionStart::repository).restrict(Restriction.REPOSITORY);
    var lane = t.optional("lane", STRING, SessionStart::lane);
    var context = t.optional("context", VALUE, start -> start.task().context());
    var instructions = t.optional("instructions", STRING, start -> start.task().instructions());
    var tags = t.optional(
            "tags",
            FieldType.STRINGS,
            start -> FieldType.unlessEmpty(start.labels().tags()))
        .emptySaysNothing()
        .role(EventMember.Role.IDENTITY);
    var user =
        t.optional("user", STRING, start -> start.labels().user()).role(EventMember.Role.IDENTITY);
    var environment = t.optional("environment", STRING, start -> start.labels().environment())
        .role(EventMember.Role.IDENTITY);
    return m -> new SessionStart(
        policy.apply(m),
        m.get(issue),
        m.get(repository),
        m.get(lane),
        new Task(m.get(task), m.get(context), m.get(instructions)),
        new Labels(m.getOr(tags, List.of()), m.get(user), m.get(environment)),
        envelope.meta(m));
  }

  static Function<Members, PlanStart> planStart(Layout<PlanStart> t, Spelling spelling) {
    Envelope<PlanStart> envelope = spelling.envelope(t);
    var hash = t.required(Names.PLAN_HASH, HASH, PlanStart::planHash);
    var steps = t.required(Names.STEP_COUNT, LONG, PlanStart::stepCount).unsigned();
    return m -> new PlanStart(m.get(hash), m.get(steps), envelope.meta(m));
  }

  static Function<Members, ToolCall> toolCall(
      Layout<ToolCall> t,
      Envelope<ToolCall> envelope,
      Row<ToolCall, String> id,
      Row<ToolCall, String> step,
      Presence paramsPresence,
      Presence hashPresence) {
    id.role(EventMember.Role.IDENTITY);
    step.role(EventMember.Role.IDENTITY);
    var tool = t.identity("tool", STRING, ToolCall::tool);
    var params = ContentRows.add(t, "params", paramsPresence, hashPresence, ToolCall::params);
    params.value().role(EventMember.Role.INPUT);
    var attempt = t.optional("attempt", LONG, call -> call.attempt().number());
    var effect = t.optional(Names.EFFECT_ID, STRING, call -> call.attempt().effectId())
        .role(EventMember.Role.IDENTITY);
    return m -> new ToolCall(
        m.identity(id),
        m.identity(tool),
        params.read(m),
        m.get(step),
        new Attempt(m.get(attempt), m.get(effect)),
        envelope.meta(m));
  }

  /** Adds the rows of a tool result that are the same in every dialect. */
  static Function<Members, ToolResult> toolResult(
      Layout<ToolResult> t,
      Envelope<ToolResult> envelope,
      Row<ToolResult, String> id,
      ContentRows<ToolResult> output,
      Row<ToolResult, Boolean> ok,
      Row<ToolResult, Integer> exitCode,
      Row<ToolResult, Double> utility,
      Row<ToolResult, Long> latency,
      Row<ToolResult, List<SideEffect>> sideEffects) {
    var error = t.optional(
            "error", FieldType.FAILURE, result -> result.outcome().error())
        .restrict(Restriction.ERROR);
    var known = t.optional(
            Names.OUTCOME_KNOWN, BOOLEAN, result -> result.outcome().known())
        .role(EventMember.Role.OUTCOME);
    var stdout = t.optional(
            Names.STDOUT_PREVIEW, STRING, result -> result.outcome().streams().stdout())
        .role(EventMember.Role.NONE);
    var stderr = t.optional(
            Names.STDERR_PREVIEW, STRING, result -> result.outcome().streams().stderr())
        .role(EventMember.Role.NONE);
    var chunks = t.optional(
            "chunks", FieldType.CHUNKS, r -> FieldType.unlessEmpty(r.timing().chunks()))
        .role(EventMember.Role.CLOCK)
        .emptySaysNothing();
    var chunksText = t.optional(
            Names.CHUNKS_TEXT, STRING, r -> r.timing().chunks().place())
        .role(EventMember.Role.CLOCK);
    id.role(EventMember.Role.IDENTITY);
    output.value().role(EventMember.Role.OUTPUT);
    ok.role(EventMember.Role.OUTCOME);
    exitCode.role(EventMember.Role.OUTCOME);
    error.role(EventMember.Role.OUTCOME);
    utility.role(EventMember.Role.ASSESSMENT);
    latency.role(EventMember.Role.CLOCK);
    sideEffects.role(EventMember.Role.OUTPUT);
    return m -> new ToolResult(
        m.identity(id),
        output.read(m),
        new Outcome(
            m.get(ok),
            m.get(exitCode),
            m.get(error),
            m.get(known),
            new StreamPreviews(m.get(stdout), m.get(stderr))),
        m.get(utility),
        new Timing(m.get(latency), m.getOr(chunks, Chunks.NONE).withPlace(m.get(chunksText))),
        m.getOr(sideEffects, List.of()),
        envelope.meta(m));
  }

  static Function<Members, StepComplete> stepComplete(Layout<StepComplete> t, Spelling spelling) {
    Envelope<StepComplete> envelope = spelling.envelope(t);
    var id =
        t.identity(Names.STEP_ID, STRING, StepComplete::stepId).role(EventMember.Role.IDENTITY);
    var status = t.required("status", spelling.statuses().type(), StepComplete::status)
        .restrict(spelling.statuses().ofStep())
        .role(EventMember.Role.OUTCOME);
    var iterations = t.required("iterations", LONG, StepComplete::iterations);
    return m ->
        new StepComplete(m.identity(id), m.get(status), m.get(iterations), envelope.meta(m));
  }

  /** The rows of a verification other than its commands. */
  record VerificationRest(
      Row<Verification, Long> delta,
      Row<Verification, Long> before,
      Row<Verification, Long> after,
      Row<Verification, String> ciStatus) {

    static VerificationRest add(
        Layout<Verification> t, Row<Verification, Long> delta, Presence tests) {
      return new VerificationRest(
          delta,
          t.add(
              Names.TESTS_BEFORE,
              tests,
              LONG,
              v -> v.tests() == null ? null : v.tests().before()),
          t.add(
              Names.TESTS_AFTER,
              tests,
              LONG,
              v -> v.tests() == null ? null : v.tests().after()),
          t.optional(Names.CI_STATUS, STRING, Verification::ciStatus)
              .role(EventMember.Role.OUTCOME));
    }

    Verification build(Members m, List<CommandRun> commands, Envelope<Verification> envelope) {
      Long testsBefore = m.get(before);
      Long testsAfter = m.get(after);
      TestCounts tests = null;
      if (testsBefore != null && testsAfter != null) {
        tests = new TestCounts(testsBefore, testsAfter);
      } else {
        m.keep(before);
        m.keep(after);
      }
      return new Verification(commands, tests, m.get(delta), m.get(ciStatus), envelope.meta(m));
    }
  }

  private static Function<Members, Payment> payment(Layout<Payment> t, Spelling spelling) {
    Envelope<Payment> envelope = spelling.envelope(t);
    var rail = t.optional("rail", STRING, Payment::rail);
    var asset = t.optional(Names.ASSET_ID, STRING, Payment::assetId);
    var amount = t.required(Names.AMOUNT_MSATS, LONG, Payment::amountMsats);
    var proof =
        t.optional(Names.PAYMENT_PROOF, VALUE, Payment::proof).role(EventMember.Role.IDENTITY);
    var job = t.optional(Names.JOB_HASH, STRING, Payment::jobHash).role(EventMember.Role.IDENTITY);
    var status = t.optional("status", spelling.statuses().type(), Payment::status);
    return m -> new Payment(
        m.get(rail),
        m.get(asset),
        m.get(amount),
        m.get(proof),
        m.get(job),
        m.get(status),
        envelope.meta(m));
  }

  private static Function<Members, RuntimeEvent> runtimeEvent(
      Layout<RuntimeEvent> t, Spelling spelling) {
    Envelope<RuntimeEvent> envelope = spelling.envelope(t);
    var seq = t.optional("seq", LONG, RuntimeEvent::seq).role(EventMember.Role.IDENTITY);
    var type = t.optional(Names.RUNTIME_EVENT_TYPE, STRING, RuntimeEvent::type);
    var payload =
        ContentRows.add(t, "payload", Presence.OPTIONAL, Presence.OPTIONAL, RuntimeEvent::payload);
    var key = t.optional(Names.IDEMPOTENCY_KEY, STRING, RuntimeEvent::idempotencyKey)
        .role(EventMember.Role.IDENTITY);
    return m ->
        new RuntimeEvent(m.get(seq), m.get(type), payload.read(m), m.get(key), envelope.meta(m));
  }

  static Function<Members, SessionEnd> sessionEnd(
      Layout<SessionEnd> t,
      Envelope<SessionEnd> envelope,
      Statuses.EndRows status,
      Row<SessionEnd, Double> confidence,
      Presence totals) {
    confidence.role(EventMember.Role.ASSESSMENT);
    var calls = t.add(Names.TOTAL_TOOL_CALLS, totals, LONG, SessionEnd::totalToolCalls)
        .role(EventMember.Role.NONE)
        .unsigned();
    var latency = t.add(Names.TOTAL_LATENCY_MS, totals, LONG, SessionEnd::totalLatencyMillis)
        .role(EventMember.Role.NONE)
        .unsigned();
    if (totals == Presence.OPTIONAL) {
      latency.orAnyNumber();
    }
    var summary =
        t.optional("summary", STRING, SessionEnd::summary).role(EventMember.Role.ASSESSMENT);
    var error = t.optional("error_message", STRING, SessionEnd::errorMessage);
    return m -> new SessionEnd(
        status.read(m),
        m.get(confidence),
        m.get(calls),
        m.get(latency),
        m.get(summary),
        m.get(error),
        envelope.meta(m));
  }

  private static Function<Members, UnknownEvent> unknown(Envelope<UnknownEvent> envelope) {
    envelope.tag().emptySaysNothing();
    return m -> new UnknownEvent(m.getOr(envelope.tag(), ""), envelope.meta(m));
  }
}

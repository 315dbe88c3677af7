package dev.agentreplay.canonical.dialect;

import static dev.agentreplay.canonical.dialect.FieldType.BLOB;
import static dev.agentreplay.canonical.dialect.FieldType.DOUBLE;
import static dev.agentreplay.canonical.dialect.FieldType.HASH;
import static dev.agentreplay.canonical.dialect.FieldType.LONG;
import static dev.agentreplay.canonical.dialect.FieldType.OBJECT;
import static dev.agentreplay.canonical.dialect.FieldType.STRING;
import static dev.agentreplay.canonical.dialect.FieldType.VALUE;

import dev.agentreplay.canonical.dialect.Table.Layout;
import dev.agentreplay.model.CommandRun;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.EventRules;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.Payment;
import dev.agentreplay.model.PlanStart;
import dev.agentreplay.model.PolicyId;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.SideEffect;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.TestCounts;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonString;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the dialects have in common: the rows that have the same name and meaning in them. */
final class SharedTables {

  /** The version of REPLAY.jsonl v1 is a number, the draft's a string beside it. */
  private static final FieldType<String> VERSION = new FieldType<>(
      "an integer",
      value ->
          value instanceof JsonNumber number && number.isIntegerLiteral() ? number.text() : null,
      JsonNumber::of);

  private SharedTables() {}

  /** A codec with the tables that are the same in every dialect, but for tag, time and status. */
  static EventCodec.Builder codec(String tagName, String timeName, FieldType<Status> status) {
    return EventCodec.of(tagName)
        .add(
            EventKind.PLAN_START,
            Table.of((Layout<PlanStart> t) -> planStart(t, envelope(t, tagName, timeName))))
        .add(
            EventKind.STEP_COMPLETE,
            Table.of((Layout<StepComplete> t) ->
                stepComplete(t, envelope(t, tagName, timeName), status)))
        .add(
            EventKind.PAYMENT,
            Table.of((Layout<Payment> t) -> payment(t, envelope(t, tagName, timeName), status)))
        .add(
            EventKind.RUNTIME_EVENT,
            Table.of((Layout<RuntimeEvent> t) -> runtimeEvent(t, envelope(t, tagName, timeName))))
        .add(
            EventKind.UNKNOWN,
            Table.of((Layout<UnknownEvent> t) -> unknown(envelope(t, tagName, timeName))));
  }

  private static <E extends ReplayEvent> Envelope<E> envelope(
      Layout<E> t, String tagName, String timeName) {
    return Envelope.add(t, tagName, timeName, Presence.OPTIONAL);
  }

  static Function<Members, ReplayHeader> header(
      Layout<ReplayHeader> t, Envelope<ReplayHeader> envelope) {
    var version =
        t.optional("replay_version", VERSION, h -> h.version().isEmpty() ? null : h.version());
    var producer = t.optional("producer", STRING, ReplayHeader::producer);
    var policy = t.optional("policy_bundle_id", STRING, SharedTables::policyId);
    var canonicalization = t.optional("canonicalization", STRING, ReplayHeader::canonicalization);
    return m -> {
      String stated = m.get(version);
      if (stated == null && m.leftOver().get("version") instanceof JsonString draft) {
        stated = draft.value();
      } else {
        m.reportIfMissing(version);
        m.reportIfMissing(producer);
        m.reportIfMissing(envelope.time());
      }
      String bundle = m.get(policy);
      return new ReplayHeader(
          stated == null ? "" : stated,
          m.get(producer),
          bundle == null ? null : PolicyId.bundle(bundle),
          m.get(canonicalization),
          envelope.meta(m));
    };
  }

  private static @Nullable String policyId(ReplayHeader header) {
    PolicyId policy = header.policy();
    return policy == null ? null : policy.id();
  }

  static Function<Members, SessionStart> sessionStart(
      Layout<SessionStart> t,
      Envelope<SessionStart> envelope,
      Row<SessionStart, Long> issue,
      Function<Members, @Nullable PolicyId> policy) {
    var repository = t.optional("repo", OBJECT, SessionStart::repository);
    var lane = t.optional("lane", STRING, SessionStart::lane);
    var task = t.optional("task", STRING, SessionStart::task);
    return m -> new SessionStart(
        policy.apply(m),
        m.get(issue),
        m.get(repository),
        m.get(lane),
        m.get(task),
        envelope.meta(m));
  }

  private static Function<Members, PlanStart> planStart(
      Layout<PlanStart> t, Envelope<PlanStart> envelope) {
    var hash = t.required("plan_hash", HASH, PlanStart::planHash);
    var steps = t.required("step_count", LONG, PlanStart::stepCount);
    return m -> new PlanStart(m.get(hash), m.get(steps), envelope.meta(m));
  }

  static Function<Members, ToolCall> toolCall(
      Layout<ToolCall> t,
      Envelope<ToolCall> envelope,
      Row<ToolCall, String> id,
      Row<ToolCall, String> step) {
    var tool = t.identity("tool", STRING, ToolCall::tool);
    var params = t.optional("params", VALUE, ToolCall::params);
    var hash = t.hash("params_hash", Presence.REQUIRED, params, ToolCall::paramsHash);
    return m -> new ToolCall(
        m.identity(id),
        m.identity(tool),
        m.get(params),
        m.get(hash),
        m.get(step),
        envelope.meta(m));
  }

  static Function<Members, ToolResult> toolResult(
      Layout<ToolResult> t,
      Envelope<ToolResult> envelope,
      Row<ToolResult, String> id,
      Row<ToolResult, Boolean> ok,
      Row<ToolResult, Integer> exitCode,
      Row<ToolResult, Double> utility,
      Row<ToolResult, List<SideEffect>> sideEffects) {
    var output = t.optional("output", VALUE, result -> result.output().value());
    var hash = t.hash(
        "output_hash", Presence.REQUIRED, output, result -> result.output().hash());
    var blob = t.optional("output_ref", BLOB, result -> result.output().blob());
    var preview = t.optional("output_preview", STRING, result -> result.output().preview());
    var error = t.optional("error", OBJECT, result -> result.outcome().error());
    var latency = t.required("latency_ms", LONG, ToolResult::latencyMillis);
    return m -> new ToolResult(
        m.identity(id),
        new Content(m.get(output), m.get(hash), m.get(blob), m.get(preview)),
        new Outcome(m.get(ok), m.get(exitCode), m.get(error)),
        m.get(utility),
        m.get(latency),
        m.getOr(sideEffects, List.of()),
        envelope.meta(m));
  }

  private static Function<Members, StepComplete> stepComplete(
      Layout<StepComplete> t, Envelope<StepComplete> envelope, FieldType<Status> spelling) {
    var id = t.identity("step_id", STRING, StepComplete::stepId);
    var status = t.required("status", spelling, StepComplete::status);
    var iterations = t.required("iterations", LONG, StepComplete::iterations);
    return m ->
        new StepComplete(m.identity(id), m.get(status), m.get(iterations), envelope.meta(m));
  }

  /** The rows of a verification beside its commands. */
  static VerificationRest verification(Layout<Verification> t, Row<Verification, Long> delta) {
    return new VerificationRest(
        delta,
        t.optional(
            "tests_before", LONG, v -> v.tests() == null ? null : v.tests().before()),
        t.optional(
            "tests_after", LONG, v -> v.tests() == null ? null : v.tests().after()),
        t.optional("ci_status", STRING, Verification::ciStatus));
  }

  record VerificationRest(
      Row<Verification, Long> delta,
      Row<Verification, Long> before,
      Row<Verification, Long> after,
      Row<Verification, String> ciStatus) {

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

  private static Function<Members, Payment> payment(
      Layout<Payment> t, Envelope<Payment> envelope, FieldType<Status> spelling) {
    var rail = t.optional("rail", STRING, Payment::rail);
    var asset = t.optional("asset_id", STRING, Payment::assetId);
    var amount = t.required("amount_msats", LONG, Payment::amountMsats);
    var proof = t.optional("payment_proof", STRING, Payment::proof);
    var job = t.optional("job_hash", STRING, Payment::jobHash);
    var status = t.optional("status", spelling, Payment::status);
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
      Layout<RuntimeEvent> t, Envelope<RuntimeEvent> envelope) {
    var seq = t.optional("seq", LONG, RuntimeEvent::seq);
    var type = t.optional("runtime_event_type", STRING, RuntimeEvent::type);
    var payload = t.optional("payload", VALUE, event -> event.payload().value());
    var hash = t.hash(
        "payload_hash", Presence.OPTIONAL, payload, event -> event.payload().hash());
    var key = t.optional("idempotency_key", STRING, RuntimeEvent::idempotencyKey);
    return m -> new RuntimeEvent(
        m.get(seq),
        m.get(type),
        new Content(m.get(payload), m.get(hash), null, null),
        m.get(key),
        envelope.meta(m));
  }

  static Function<Members, SessionEnd> sessionEnd(
      Layout<SessionEnd> t,
      Envelope<SessionEnd> envelope,
      FieldType<Status> spelling,
      Row<SessionEnd, Long> calls,
      Row<SessionEnd, Long> latency) {
    var status = t.identity("status", spelling, SessionEnd::status);
    var confidence = t.required("confidence", DOUBLE, SessionEnd::confidence)
        .orElse(end -> EventRules.defaultConfidence(end.status()));
    var summary = t.optional("summary", STRING, SessionEnd::summary);
    var error = t.optional("error_message", STRING, SessionEnd::errorMessage);
    return m -> new SessionEnd(
        m.identity(status),
        m.get(confidence),
        m.get(calls),
        m.get(latency),
        m.get(summary),
        m.get(error),
        envelope.meta(m));
  }

  private static Function<Members, UnknownEvent> unknown(Envelope<UnknownEvent> envelope) {
    return m -> new UnknownEvent(m.getOr(envelope.tag(), ""), envelope.meta(m));
  }
}

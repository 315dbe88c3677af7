package dev.agentreplay.io;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.dialect.ReceiptCodec;
import dev.agentreplay.canonical.internal.LogCanonicalization;
import dev.agentreplay.model.CallPairing;
import dev.agentreplay.model.CommandRun;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Payment;
import dev.agentreplay.model.PlanStart;
import dev.agentreplay.model.PolicyId;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.SideEffect;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.internal.RunTotals;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.ReceiptCall;
import dev.agentreplay.model.receipt.SessionReceipt;
import dev.agentreplay.model.receipt.TrajectoryReceipt;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the receipt of a session from its events, as they go by, the header first: it names the
 * canonicalization. Not safe for use by several threads.
 */
public final class ReceiptBuilder {

  private record Called(String tool, @Nullable ContentHash paramsHash) {}

  private final CallPairing<Called> pairing = new CallPairing<>();
  private final List<ReceiptCall> calls = new ArrayList<>();
  private final List<JsonObject> outcomes = new ArrayList<>();
  private final List<CommandRun> commands = new ArrayList<>();
  private final List<JsonValue> verifications = new ArrayList<>();
  private final List<JsonValue> payments = new ArrayList<>();
  private final RunTotals totals = new RunTotals();
  private final TrajectoryHash trajectory = new TrajectoryHash();

  private final LogCanonicalization canonicalization = new LogCanonicalization();
  private @Nullable String sessionId;
  private @Nullable String policy;
  private @Nullable Long issueNumber;
  private @Nullable Timestamp startedAt;
  private @Nullable Timestamp endedAt;
  private @Nullable Timestamp lastTime;
  private @Nullable ContentHash planHash;
  private @Nullable Long delta;
  private @Nullable Double confidence;

  /** The receipt of no events. */
  public ReceiptBuilder() {}

  /** Adds an event that was written. */
  public void add(WrittenEvent written) {
    canonicalization.accept(written.event());
    add(written.event(), written.time(), written.contentHash());
  }

  /**
   * Adds an event that was read. Where the log holds a value, its hash is computed, with the
   * canonicalization that the log's header names.
   */
  public void add(ReplayEvent event) {
    ContentHash hash = null;
    canonicalization.accept(event);
    if (event instanceof ToolCall call) {
      hash = canonicalization.hash(call.params(), call.paramsHash());
    } else if (event instanceof ToolResult result) {
      hash = canonicalization.hash(result.output().value(), result.output().hash());
    }
    add(event, event.time(), hash);
  }

  /** Adds an event that was read, with the object of its line, as a trajectory hash needs it. */
  public void add(ReplayEvent event, JsonObject line) {
    add(event);
    trajectory.add(event, line);
    lastTime = event.time() == null ? lastTime : event.time();
  }

  private void add(ReplayEvent event, @Nullable Timestamp time, @Nullable ContentHash contentHash) {
    totals.add(event);
    if (event instanceof ReplayHeader header && header.meta().sessionId() != null) {
      start(header, header.policy(), time); // of a draft
    } else if (event instanceof ToolCall call) {
      pairing.call(call.id(), new Called(call.tool(), contentHash));
    } else if (event instanceof ToolResult result) {
      addResult(result, contentHash);
    } else if (event instanceof SessionStart start) {
      start(start, start.policy(), time);
      issueNumber = start.issueNumber();
    } else if (event instanceof PlanStart plan) {
      planHash = plan.planHash();
    } else if (event instanceof Verification verification) {
      addVerification(verification);
    } else if (event instanceof Payment payment) {
      addPayment(payment);
    } else if (event instanceof SessionEnd end) {
      confidence = end.confidence();
      endedAt = time;
    }
  }

  /**
   * The receipt that goes with specification 000.
   *
   * @param replayHash the hash of the log's bytes
   */
  public SessionReceipt toSessionReceipt(@Nullable ContentHash replayHash) {
    return new SessionReceipt(
        sessionId,
        startedAt,
        endedAt,
        issueNumber,
        planHash,
        callsAsWritten(),
        commands,
        delta,
        confidence,
        policy,
        null,
        replayHash,
        totals.toExtra());
  }

  /**
   * The receipt {@code openagents.receipt.v1} that goes with specification 001, with its digest.
   *
   * @throws IllegalArgumentException if the log's canonicalization would round an integer in it
   */
  public TrajectoryReceipt toTrajectoryReceipt(TrajectoryHash trajectory, Timestamp createdAt) {
    TrajectoryReceipt receipt = undigested(trajectory, createdAt);
    return receipt.withDigest(ReceiptCodec.digest(ReceiptCodec.encode(receipt), canonical()));
  }

  private void start(ReplayEvent event, @Nullable PolicyId stated, @Nullable Timestamp time) {
    String id = event.meta().sessionId();
    sessionId = id == null ? sessionId : id;
    policy = stated == null ? policy : stated.id();
    startedAt = time == null ? startedAt : time;
  }

  /**
   * The receipt {@code openagents.receipt.v1} of events that were added with their lines, created
   * at the time of the last of them; now, when none has a time.
   *
   * @throws IllegalArgumentException if the log's canonicalization would round an integer in it
   */
  public TrajectoryReceipt toTrajectoryReceipt() {
    return toTrajectoryReceipt(
        trajectory, lastTime == null ? Timestamp.of(Instant.now()) : lastTime);
  }

  private CanonicalJson canonical() {
    CanonicalJson canonical = canonicalization.get();
    return canonical == null ? CanonicalJson.SERDE : canonical;
  }

  private TrajectoryReceipt undigested(TrajectoryHash trajectory, Timestamp createdAt) {
    long events = trajectory.events();
    List<ReceiptCall> entries = callsAsWritten();
    for (int i = 0; i < entries.size(); i++) {
      entries.set(i, toTrajectoryForm(entries.get(i), outcomes.get(i)));
    }
    return new TrajectoryReceipt(
        sessionId,
        trajectory.toHash(),
        policy == null ? "" : policy,
        null,
        createdAt,
        events,
        events == 0 ? null : 1L,
        events == 0 ? null : events,
        totals.toMetrics(),
        entries,
        JsonArray.copyOf(verifications),
        JsonArray.copyOf(payments),
        null,
        totals.toExtra());
  }

  private void addResult(ToolResult result, @Nullable ContentHash outputHash) {
    Called call = pairing.result(result.id());
    if (call == null) {
      return; // a result of no call is none of the answered calls
    }
    totals.addAnswer(result);
    Boolean ok = result.outcome().ok();
    calls.add(new ReceiptCall(
        result.id(),
        call.tool(),
        call.paramsHash(),
        outputHash,
        result.stepUtility(),
        result.latencyMillis(),
        result.sideEffects(),
        JsonObject.EMPTY));
    outcomes.add(ok == null ? JsonObject.EMPTY : JsonObject.of("ok", ok));
  }

  /** The calls with the numbers that their side effects have in the log. */
  private List<ReceiptCall> callsAsWritten() {
    CanonicalJson rounding = canonical().withRoundedIntegers();
    List<ReceiptCall> written = new ArrayList<>(calls);
    written.replaceAll(call -> call.withSideEffects(call.sideEffects().stream()
        .map(effect -> new SideEffect(JsonText.parse(rounding.bytes(effect.json()))))
        .toList()));
    return written;
  }

  private void addVerification(Verification verification) {
    commands.addAll(verification.commands());
    delta = verification.delta(); // that of the last one, as the log has it
    for (CommandRun run : verification.commands()) {
      JsonObject.Builder builder = JsonObject.builder();
      put(builder, "command", run.command());
      put(builder, "exit_code", run.exitCode());
      put(builder, "cwd", run.cwd());
      put(builder, "duration_ms", run.durationMillis());
      put(builder, "verification_delta", verification.delta());
      verifications.add(builder.build());
    }
  }

  private void addPayment(Payment payment) {
    JsonObject.Builder builder = JsonObject.builder();
    put(builder, "rail", payment.rail());
    put(builder, "asset_id", payment.assetId());
    put(builder, "amount_msats", payment.amountMsats());
    put(builder, "payment_proof", payment.proof());
    put(builder, "job_hash", payment.jobHash());
    put(builder, "status", payment.status() == null ? null : payment.status().spelling());
    payments.add(builder.build());
  }

  private static void put(JsonObject.Builder builder, String name, @Nullable Object value) {
    if (value != null) {
      builder.add(name, JsonValue.of(value));
    }
  }

  /** Without id and utility, but with the outcome where the log states one. */
  private static ReceiptCall toTrajectoryForm(ReceiptCall call, JsonObject outcome) {
    return new ReceiptCall(
        null,
        call.tool(),
        call.paramsHash(),
        call.outputHash(),
        null,
        call.latencyMillis(),
        call.sideEffects(),
        outcome);
  }
}

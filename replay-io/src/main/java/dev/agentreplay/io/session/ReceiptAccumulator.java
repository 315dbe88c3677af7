package dev.agentreplay.io.session;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.LogCanonicalization;
import dev.agentreplay.canonical.dialect.ReceiptCodec;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Payment;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SideEffect;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.Verification.CommandRun;
import dev.agentreplay.model.Verification.TestCounts;
import dev.agentreplay.model.check.CallPairing;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.DraftReceipt;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.model.receipt.ReceiptEntries;
import dev.agentreplay.model.receipt.RunTotals;
import dev.agentreplay.model.receipt.SessionFacts;
import dev.agentreplay.model.receipt.SessionReceipt;
import dev.agentreplay.model.receipt.TrajectoryReceipt;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Computes the receipt of a session from its events, which are added in order, the header first: it
 * names the canonicalization. {@link Receipts#compute} does this for a log. Memory grows with the
 * number of calls. Not safe for use by several threads.
 */
public final class ReceiptAccumulator {

  private record Called(String tool, @Nullable ContentHash paramsHash) {}

  private final LogCanonicalization canonicalization = new LogCanonicalization();
  private final CallPairing<Called> pairing = new CallPairing<>();
  private final SessionFacts facts = new SessionFacts();
  private final List<Receipt.Call> calls = new ArrayList<>();
  private final List<CommandRun> commands = new ArrayList<>();
  private final List<JsonValue> verifications = new ArrayList<>();
  private final List<JsonValue> payments = new ArrayList<>();
  private final TrajectoryHash trajectory = new TrajectoryHash();
  private @Nullable Timestamp lastTime;
  private boolean isPublished;

  /** Creates an accumulator without events. */
  public ReceiptAccumulator() {}

  /**
   * Adds an event that was read. If the log has a value, its hash is computed with the
   * canonicalization that the header names; otherwise the recorded hash is used. In a published log
   * the recorded hash comes first: the value next to it may be a part of the one that it stands
   * for.
   */
  public void add(ReplayEvent event) {
    if (event instanceof ReplayHeader header) {
      isPublished |= header.meta().extra().has(Names.PUBLISHED);
    }
    ContentHash hash = null;
    if (event instanceof ToolCall || event instanceof ToolResult) {
      Content content = event.content();
      hash = isPublished && content.hash() != null
          ? content.hash()
          : canonicalization.hash(content.value(), content.hash());
    }
    add(event, event.time(), hash);
  }

  /**
   * Adds an event that was read, with the JSON object of its line, which a trajectory hash covers.
   */
  public void add(ReplayEvent event, JsonObject line) {
    add(event);
    trajectory.add(event, line);
    lastTime = event.time() == null ? lastTime : event.time();
  }

  /**
   * Adds an event that was written, with the time and the hash of its content as they are in its
   * line.
   */
  public void add(ReplayEvent event, @Nullable Timestamp time, @Nullable ContentHash contentHash) {
    canonicalization.accept(event);
    facts.add(event, time, null);
    if (event instanceof ToolCall call) {
      pairing.call(call.id(), call.meta().agent(), new Called(call.tool(), contentHash));
    } else if (event instanceof ToolResult result) {
      Called call = pairing.result(result.id(), result.meta().agent());
      if (call != null) { // a result without a call does not count as an answer
        facts.totals().addAnswer(result);
        calls.add(ReceiptEntries.call(call.tool(), call.paramsHash(), result, contentHash));
      }
    } else if (event instanceof Verification verification) {
      commands.addAll(verification.commands());
      verifications.addAll(ReceiptEntries.commands(verification));
    } else if (event instanceof Payment payment) {
      payments.add(ReceiptEntries.payment(payment));
    }
  }

  /**
   * Returns the receipt in one of its forms. For {@link Receipt.Form#OPENAGENTS_V1} the events must
   * have been added with their lines; its creation time is that of the last event that has one, or
   * the current time if none has.
   *
   * @param replayHash the hash of the log's bytes; not used for {@link Receipt.Form#OPENAGENTS_V1}
   * @param tree the tree head over all lines of the log, or null
   * @throws IllegalArgumentException if the log's canonicalization would round an integer in a
   *     receipt of the form {@link Receipt.Form#OPENAGENTS_V1}
   */
  public Receipt toReceipt(
      Receipt.Form form, @Nullable ContentHash replayHash, @Nullable TreeHead tree) {
    return switch (form) {
      case SESSION -> toSessionReceipt(replayHash).withTree(tree);
      case DRAFT -> toDraftReceipt(replayHash).withTree(tree);
      case OPENAGENTS_V1 -> {
        TrajectoryReceipt receipt = toTrajectoryReceipt().withTree(tree);
        yield receipt.withDigest(ReceiptCodec.digest(ReceiptCodec.encode(receipt), canonical()));
      }
    };
  }

  /**
   * Returns the receipt that specification 000 defines.
   *
   * @param replayHash the hash of the log's bytes
   */
  public SessionReceipt toSessionReceipt(@Nullable ContentHash replayHash) {
    return new SessionReceipt(
        facts.sessionId().value(),
        facts.startedAt().value(),
        facts.endedAt().value(),
        facts.issueNumber().value(),
        facts.planHash().value(),
        calls(ReceiptAccumulator::withoutOutcome),
        commands,
        facts.delta().value(),
        facts.confidence().value(),
        facts.policy().value(),
        null,
        replayHash,
        null,
        facts.totals().toExtra());
  }

  /**
   * The receipt that specification 002 defines. Its costs are the token counts of model results, if
   * there are any, and the payments, if their sum is a whole number of satoshis.
   */
  private DraftReceipt toDraftReceipt(@Nullable ContentHash replayHash) {
    TestCounts tests = facts.tests().value();
    return new DraftReceipt(
        DraftReceipt.SCHEMA_VERSION,
        facts.sessionId().value(),
        facts.policy().value(),
        facts.startedAt().value(),
        facts.endedAt().value(),
        new DraftReceipt.Checks(
            tests == null ? null : tests.before(),
            tests == null ? null : tests.after(),
            facts.delta().value(),
            facts.ciStatus().value()),
        costs(facts.totals()),
        calls(ReceiptAccumulator::withoutOutcome),
        replayHash,
        null,
        null,
        facts.totals().toExtra());
  }

  private CanonicalJson canonical() {
    CanonicalJson canonical = canonicalization.get();
    return canonical == null ? CanonicalJson.SERDE : canonical;
  }

  /** The receipt that specification 001 defines, without its digest. */
  private TrajectoryReceipt toTrajectoryReceipt() {
    long events = trajectory.events();
    String policy = facts.policy().value();
    return new TrajectoryReceipt(
        facts.sessionId().value(),
        trajectory.toHash(),
        policy == null ? "" : policy,
        null,
        lastTime == null ? Timestamp.of(Instant.now()) : lastTime,
        facts.repository().value(),
        events,
        events == 0 ? null : 1L,
        events == 0 ? null : events,
        facts.totals().toMetrics(),
        calls(ReceiptAccumulator::withoutIdAndUtility),
        JsonArray.copyOf(verifications),
        JsonArray.copyOf(payments),
        null,
        null,
        facts.totals().toExtra());
  }

  /**
   * The calls in one of the forms, with numbers in side effects as the canonicalization writes
   * them.
   */
  private List<Receipt.Call> calls(Function<Receipt.Call, Receipt.Call> form) {
    CanonicalJson rounding = canonical().withRoundedIntegers();
    List<Receipt.Call> written = new ArrayList<>(calls);
    written.replaceAll(call -> form.apply(call)
        .withSideEffects(call.sideEffects().stream()
            .map(effect -> new SideEffect(JsonText.parse(rounding.bytes(effect.json()))))
            .toList()));
    return written;
  }

  private static Receipt.Call withoutOutcome(Receipt.Call call) {
    return new Receipt.Call(
        call.id(),
        call.tool(),
        call.paramsHash(),
        call.outputHash(),
        call.stepUtility(),
        call.latencyMillis(),
        call.sideEffects(),
        JsonObject.EMPTY);
  }

  private static Receipt.Call withoutIdAndUtility(Receipt.Call call) {
    return new Receipt.Call(
        null,
        call.tool(),
        call.paramsHash(),
        call.outputHash(),
        null,
        call.latencyMillis(),
        call.sideEffects(),
        call.extra());
  }

  private static JsonObject costs(RunTotals totals) {
    JsonObject.Builder costs = JsonObject.builder();
    if (totals.tokens() != null) {
      costs.add(Names.TOTAL_TOKENS, JsonValue.of(totals.tokens()));
    }
    if (totals.sats() != null) {
      costs.add(Names.TOTAL_SATS, JsonValue.of(totals.sats()));
    }
    return costs.build();
  }
}

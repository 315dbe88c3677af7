package dev.agentreplay.verify;

import dev.agentreplay.model.FindingCode;
import dev.agentreplay.model.PolicyId;
import dev.agentreplay.model.Position;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.SideEffect;
import dev.agentreplay.model.internal.Excerpt;
import dev.agentreplay.model.internal.RunTotals;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.Receipt;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compares what log and receipt both say of a session. */
final class FieldComparison {

  private final Tally tally;
  private boolean sessionNamed;
  private boolean policyNamed;

  FieldComparison(Tally tally) {
    this.tally = tally;
  }

  /** Values that must be equal where both are there. */
  void same(
      String field, @Nullable Object inLog, @Nullable Object inReceipt, @Nullable Position at) {
    if (inLog != null && inReceipt != null && !inLog.equals(inReceipt)) {
      differ(field, inLog, inReceipt, at);
    }
  }

  /** What both say of the session as a whole: its start does, or in a draft the header. */
  void sameSession(ReplayEvent event, Receipt receipt, Position at) {
    if (event instanceof SessionStart start) {
      sameSession(start, start.policy(), receipt, at);
    } else if (event instanceof ReplayHeader header && header.meta().sessionId() != null) {
      sameSession(header, header.policy(), receipt, at);
    }
  }

  private void sameSession(
      ReplayEvent event, @Nullable PolicyId policy, Receipt receipt, Position at) {
    sessionNamed = true;
    policyNamed |=
        policy != null || (event instanceof SessionStart && event.meta().sessionId() != null);
    same("session_id", event.meta().sessionId(), receipt.sessionId(), at);
    same("policy", policy == null ? null : policy.id(), receipt.policyBundleId(), at);
  }

  /** The log is at its end: what only the receipt says of the session as a whole. */
  void sessionOnlyInReceipt(Receipt receipt) {
    if (!sessionNamed) {
      onlyInReceipt("session_id", receipt.sessionId());
    }
    if (!policyNamed) {
      onlyInReceipt("policy", receipt.policyBundleId());
    }
  }

  /** The log is at its end: how many events were not recorded, where the receipt says it. */
  void sameUnrecorded(RunTotals totals, Receipt receipt) {
    JsonValue stated = receipt.extra().get(RunTotals.UNRECORDED_EVENTS);
    same(RunTotals.UNRECORDED_EVENTS, JsonValue.of(totals.unrecordedEvents()), stated, null);
  }

  /** What the receipt may state only where the log has an event that says it. */
  void onlyInReceipt(String field, @Nullable Object inReceipt) {
    if (inReceipt != null) {
      differ(field, null, inReceipt, null);
    }
  }

  /** Numbers that must be the same 32-bit float where both are there. */
  void sameNumber(String field, @Nullable Double inLog, @Nullable Double inReceipt, Position at) {
    if (inLog != null && inReceipt != null && !sameFloat(inLog, inReceipt)) {
      differ(field, inLog, inReceipt, at);
    }
  }

  void differ(
      String field, @Nullable Object inLog, @Nullable Object inReceipt, @Nullable Position at) {
    tally.report(
        FindingCode.RECEIPT_FIELD_MISMATCH, at, describe("session", field, inLog, inReceipt));
  }

  /**
   * Producers keep these numbers as 32-bit floats, and widen them in one file but not the other.
   */
  static boolean sameFloat(double inLog, @Nullable Double inReceipt) {
    return inReceipt == null || (float) inLog == inReceipt.floatValue();
  }

  static String describe(
      String subject, String field, @Nullable Object inLog, @Nullable Object inReceipt) {
    return "%s: %s is %s in the log, but %s in the receipt"
        .formatted(subject, field, show(inLog), show(inReceipt));
  }

  private static String show(@Nullable Object value) {
    if (value instanceof List<?> list) {
      return list.stream()
          .map(item -> item instanceof SideEffect effect ? effect.json().toString() : show(item))
          .toList()
          .toString();
    }
    if (value == null) {
      return "absent";
    }
    return value instanceof String text ? "\"" + Excerpt.of(text) + "\"" : value.toString();
  }
}

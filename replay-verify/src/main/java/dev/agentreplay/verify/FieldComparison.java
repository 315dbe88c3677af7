package dev.agentreplay.verify;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.model.receipt.SessionFacts;
import dev.agentreplay.model.receipt.SessionFacts.Fact;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.verify.input.AnsweredCall;
import org.jspecify.annotations.Nullable;

/** Compares the fields that both the log and the receipt state about a session. */
final class FieldComparison {

  private final Receipt receipt;
  private final Tally tally;
  private final SessionFacts facts = new SessionFacts();

  /** The trace that the header states the session was imported from; null if it states none. */
  private @Nullable JsonValue importedFrom;

  /** The position of the header; null if there is none. */
  private @Nullable Position headerAt;

  FieldComparison(Receipt receipt, Tally tally) {
    this.receipt = receipt;
    this.tally = tally;
  }

  /** The facts that the log has stated so far. */
  SessionFacts facts() {
    return facts;
  }

  /**
   * Accepts a line of the log, and compares its session id and policy with those of the receipt.
   */
  void accept(ReplayLine line) {
    Position at = line.position();
    if (line.event() instanceof ReplayHeader header && headerAt == null) {
      importedFrom = header.meta().extra().get(Names.IMPORTED_FROM);
      headerAt = at;
    }
    facts.add(line.event(), line.event().time(), at);
    if (at.equals(facts.sessionId().at())) {
      same(Names.SESSION_ID, facts.sessionId(), receipt.sessionId());
    }
    if (at.equals(facts.policy().at())) {
      same("policy", facts.policy(), receipt.policyBundleId());
    }
  }

  /**
   * Completes the comparison at the end of the log: fields that only the receipt states, the trace
   * from which the session was imported, and the number of unrecorded events.
   */
  void finish() {
    if (!facts.sessionId().isSaid()) {
      same(Names.SESSION_ID, facts.sessionId(), receipt.sessionId());
    }
    String policy = receipt.policyBundleId();
    if (!facts.policy().isSaid() && policy != null && !policy.isEmpty()) { // some forms require one
      same("policy", facts.policy(), policy);
    }
    JsonValue origin = receipt.extra().get(Names.IMPORTED_FROM);
    if (origin != null && !origin.equals(importedFrom)) {
      differ(Names.IMPORTED_FROM, importedFrom, origin, headerAt);
    }
    JsonValue stated = receipt.extra().get(Names.UNRECORDED_EVENTS);
    same(Names.UNRECORDED_EVENTS, JsonValue.of(facts.totals().unrecordedEvents()), stated, null);
  }

  /** Reports values that differ, if both are present. */
  void same(
      String field, @Nullable Object inLog, @Nullable Object inReceipt, @Nullable Position at) {
    if (inLog != null && inReceipt != null && !inLog.equals(inReceipt)) {
      differ(field, inLog, inReceipt, at);
    }
  }

  /**
   * Reports a value that the receipt states and no event of the log does, or states differently.
   */
  <T> void same(String field, Fact<T> inLog, @Nullable T inReceipt) {
    if (inLog.isSaid()) {
      same(field, inLog.value(), inReceipt, inLog.at());
    } else if (inReceipt != null) {
      differ(field, null, inReceipt, null);
    }
  }

  /** Reports numbers that are not the same 32-bit float, if both are present. */
  void sameNumber(String field, Fact<Double> inLog, @Nullable Double inReceipt) {
    Double value = inLog.value();
    if (value != null && !sameFloat(value, inReceipt)) {
      differ(field, value, inReceipt, inLog.at());
    }
  }

  /** Reports a number of the receipt that differs from that of the log, in whatever notation. */
  void sameNumber(String field, @Nullable Long inLog, @Nullable JsonValue inReceipt) {
    if (inLog == null || inReceipt == null || inReceipt == JsonNull.NULL) {
      return;
    }
    boolean isOtherSpelling = inReceipt instanceof JsonNumber number
        && !number.isIntegerLiteral()
        && number.asDouble() == inLog;
    if (!isOtherSpelling) {
      same(field, JsonValue.of(inLog), inReceipt, null);
    }
  }

  /**
   * Compares the change in the number of passing checks: 0 when the log has no checks, not compared
   * when its last check does not state the number.
   */
  void sameDelta(@Nullable Long inReceipt) {
    Fact<Long> delta = facts.delta();
    same(
        Names.VERIFICATION_DELTA,
        delta.isSaid() ? delta.value() : Long.valueOf(0),
        inReceipt,
        delta.at());
  }

  void differ(
      String field, @Nullable Object inLog, @Nullable Object inReceipt, @Nullable Position at) {
    tally.report(
        finding(FindingCode.RECEIPT_FIELD_MISMATCH, at, "session", field, inLog, inReceipt));
  }

  /**
   * Whether numbers are the same 32-bit float: producers keep these numbers as 32-bit floats, and
   * widen them in one file but not in the other.
   */
  static boolean sameFloat(double inLog, @Nullable Double inReceipt) {
    return inReceipt == null || (float) inLog == inReceipt.floatValue();
  }

  /**
   * Whether values are equal in the canonical form of the log, in whatever notation of numbers.
   *
   * @param canonical the canonicalization of the log; null when it is not known
   */
  static boolean sameValue(JsonValue left, JsonValue right, @Nullable CanonicalJson canonical) {
    return left.equals(right)
        || CanonicalJson.comparableHash(left, canonical)
            .equals(CanonicalJson.comparableHash(right, canonical));
  }

  /**
   * Returns the finding for a difference: the value in the receipt is the expected one, the value
   * in the log the one that was found.
   */
  static Finding finding(
      FindingCode code,
      @Nullable Position at,
      String subject,
      String field,
      @Nullable Object inLog,
      @Nullable Object inReceipt) {
    String message = "%s: %s is %s in the log, but %s in the receipt"
        .formatted(subject, field, show(inLog), show(inReceipt));
    return new Finding(code, at, message).withValues(text(inReceipt), text(inLog));
  }

  private static @Nullable String text(@Nullable Object value) {
    return value == null ? null : value.toString();
  }

  private static String show(@Nullable Object value) {
    if (value == null) {
      return "absent";
    }
    return value instanceof String text
        ? "\"" + Excerpt.of(text) + "\""
        : AnsweredCall.bounded(value.toString());
  }
}

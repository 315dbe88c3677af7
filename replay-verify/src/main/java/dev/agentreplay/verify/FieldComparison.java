package dev.agentreplay.verify;

import dev.agentreplay.model.FindingCode;
import dev.agentreplay.model.Position;
import dev.agentreplay.model.SideEffect;
import dev.agentreplay.model.Timestamp;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compares what log and receipt both say of a session. */
final class FieldComparison {

  private final Tally tally;

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

  /** Times that must be the same moment where both are there. */
  void sameMoment(
      String field, @Nullable Timestamp inLog, @Nullable Timestamp inReceipt, Position at) {
    if (inLog != null && inReceipt != null && !inLog.instant().equals(inReceipt.instant())) {
      differ(field, inLog, inReceipt, at);
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
    return inReceipt == null || Float.compare((float) inLog, inReceipt.floatValue()) == 0;
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
    return value == null
        ? "absent"
        : value instanceof String ? "\"" + value + "\"" : value.toString();
  }
}

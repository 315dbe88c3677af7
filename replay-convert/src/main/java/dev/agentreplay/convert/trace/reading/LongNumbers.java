package dev.agentreplay.convert.trace.reading;

import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.convert.trace.report.SourcePlace;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** Integers that the canonical form of a log does not keep: those of more than 64 bits. */
final class LongNumbers {

  /** The number of digits that every integer of 64 bits fits in. */
  static final int MAX_DIGITS = 18;

  private static final int MAX_BITS = 64;

  private LongNumbers() {}

  /** Returns the fault of a record with such an integer; null if it has none. */
  static @Nullable SourceFault fault(JsonValue record, SourcePlace place) {
    return has(record)
        ? new SourceFault(
            SourceFault.Kind.ROUNDED_NUMBER,
            place,
            "an integer of more than 64 bits is written as the nearest double")
        : null;
  }

  private static boolean has(JsonValue value) {
    if (value instanceof JsonNumber number) {
      return number.isIntegerLiteral()
          && number.text().length() > MAX_DIGITS
          && isLong(new BigInteger(number.text()));
    } else if (value instanceof JsonArray array) {
      return array.stream().anyMatch(LongNumbers::has);
    }
    return value instanceof JsonObject object
        && object.toMap().values().stream().anyMatch(LongNumbers::has);
  }

  /** Whether a number is neither a signed nor an unsigned integer of 64 bits. */
  private static boolean isLong(BigInteger number) {
    return number.signum() < 0 ? number.bitLength() >= MAX_BITS : number.bitLength() > MAX_BITS;
  }
}

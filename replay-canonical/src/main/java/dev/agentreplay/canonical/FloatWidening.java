package dev.agentreplay.canonical;

import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.number.NumberLayout;
import dev.agentreplay.model.number.ShortestDecimal;

/**
 * Conversion between 32-bit floats and the doubles that they become in JSON. A Rust program that
 * converts an {@code f32} to a {@code serde_json::Value} widens it: {@code 0.8} becomes
 * {@code 0.800000011920929}. A program that writes the {@code f32} as text does not widen it. This
 * class converts either form to the other in order to explain hashes; the library never changes the
 * numbers of a caller.
 */
final class FloatWidening {

  private FloatWidening() {}

  /**
   * A copy of the value in which each number with a fraction or an exponent is rounded to a float
   * and widened to a double: {@code 0.8} becomes {@code 0.800000011920929}. Numbers beyond the
   * range of a float are unchanged.
   */
  static JsonValue widen(JsonValue value) {
    return NumberMapping.map(value, FloatWidening::widen);
  }

  /**
   * A copy of the value in which each widened float has the shortest digits that identify the
   * float: {@code 0.800000011920929} becomes {@code 0.8}. Other numbers are unchanged. The layout
   * is that of doubles; for very large and very small floats, Rust uses a different layout.
   */
  static JsonValue shorten(JsonValue value) {
    return NumberMapping.map(value, FloatWidening::shorten);
  }

  private static JsonNumber widen(JsonNumber number) {
    if (number.isIntegerLiteral()) {
      return number;
    }
    float nearest = (float) number.asDouble();
    return Float.isFinite(nearest) ? JsonNumber.of((double) nearest) : number;
  }

  private static JsonNumber shorten(JsonNumber number) {
    double value = number.asDouble();
    float nearest = (float) value;
    if (nearest != value || number.isIntegerLiteral()) {
      return number;
    }
    boolean negative = Double.doubleToRawLongBits(value) < 0;
    return JsonNumber.of(NumberLayout.SERDE.text(negative, ShortestDecimal.of(nearest)));
  }
}

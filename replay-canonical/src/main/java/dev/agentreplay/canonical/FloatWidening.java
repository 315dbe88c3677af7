package dev.agentreplay.canonical;

import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.number.NumberLayout;
import dev.agentreplay.model.number.ShortestDecimal;

/**
 * What becomes of 32-bit floats in JSON. A Rust program that makes a {@code serde_json::Value} of
 * an {@code f32} widens it: {@code 0.8} becomes {@code 0.800000011920929}. One that writes the
 * {@code f32} as text does not. This makes the one of the other, to explain hashes; nothing in this
 * library changes a caller's numbers.
 */
final class FloatWidening {

  private FloatWidening() {}

  /**
   * The value with each number that has a fraction or an exponent rounded to a float and widened to
   * a double: {@code 0.8} becomes {@code 0.800000011920929}. Numbers beyond the range of a float
   * stay as they are.
   */
  static JsonValue widen(JsonValue value) {
    return NumberMapping.map(value, FloatWidening::widen);
  }

  /**
   * The value with each number that is a widened float as short as a float can be:
   * {@code 0.800000011920929} becomes {@code 0.8}. Numbers that are none stay as they are. The
   * layout stays that of doubles; very large and very small floats have another one in Rust.
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
